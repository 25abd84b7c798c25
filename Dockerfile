FROM python:3.12-slim AS build
WORKDIR /build
RUN python -m venv /opt/thinkmate
COPY requirements.lock ./
RUN /opt/thinkmate/bin/pip install --no-cache-dir --disable-pip-version-check --no-deps \
    --require-hashes --only-binary :all: --requirement requirements.lock
COPY pyproject.toml README.md LICENSE ./
COPY app ./app
RUN /opt/thinkmate/bin/pip install --no-cache-dir --disable-pip-version-check --no-deps \
    --no-index --no-build-isolation .

FROM python:3.12-slim
RUN useradd --uid 10001 --no-create-home --home-dir /data thinkmate \
    && mkdir /data && chown thinkmate:thinkmate /data
COPY --from=build /opt/thinkmate /opt/thinkmate
WORKDIR /srv/thinkmate
COPY persona ./persona
COPY config ./config
ENV PATH=/opt/thinkmate/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    DATA_DIR=/data \
    HTTP_PORT=8080
USER thinkmate
VOLUME /data
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD \
    ["python", "-c", "import os, urllib.request; urllib.request.urlopen('http://127.0.0.1:' + os.environ['HTTP_PORT'] + '/health', timeout=4)"]
ENTRYPOINT ["thinkmate"]
CMD ["run"]
