"""GET /health, /ready and /metrics, meant for loopback."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from app.services.health import Health, Report
from app.services.metrics import CONTENT_TYPE, Metrics

NO_STORE = {"Cache-Control": "no-store"}


def health_app(health: Health, metrics: Metrics) -> Starlette:
    """An app whose /health and /ready answer 200 or 503 with a JSON report."""

    async def live(_: Request) -> Response:
        return _answer(await health.live())

    async def ready(_: Request) -> Response:
        return _answer(await health.ready())

    async def exposition(_: Request) -> Response:
        return Response(metrics.exposition(), media_type=CONTENT_TYPE, headers=NO_STORE)

    return Starlette(
        routes=[
            Route("/health", live, methods=["GET"]),
            Route("/ready", ready, methods=["GET"]),
            Route("/metrics", exposition, methods=["GET"]),
        ]
    )


def _answer(report: Report) -> Response:
    return JSONResponse(
        {"ok": report.ok, "components": report.components},
        status_code=200 if report.ok else 503,
        headers=NO_STORE,
    )
