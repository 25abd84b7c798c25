"""The container installs from the same lock and runs the same program as everything else."""

import json
import re
import tomllib

from tests.unit.packaging import ROOT

DOCKERFILE = re.sub(r"\\\n\s*", "", (ROOT / "Dockerfile").read_text())
COMPOSE = (ROOT / "compose.yaml").read_text()
SCRIPTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]


def instruction(name: str) -> list[str]:
    return re.findall(rf"^{name} (.+)$", DOCKERFILE, re.MULTILINE)


def test_it_installs_exactly_the_locked_packages():
    installs = [line for line in instruction("RUN") if "pip install" in line]
    assert len(installs) == 2
    packages, project = installs
    for option in ("--require-hashes", "--no-deps", "--only-binary :all:"):
        assert option in packages
    assert packages.endswith("--requirement requirements.lock")
    assert "--no-index" in project
    assert "--no-deps" in project


def test_it_runs_the_console_script_of_the_project():
    assert SCRIPTS == {"thinkmate": "app.cli:main"}
    (entry,) = instruction("ENTRYPOINT")
    assert json.loads(entry) == list(SCRIPTS)
    assert instruction("CMD") == ['["run"]']


def test_it_takes_in_all_that_the_program_reads():
    copied = {source for line in instruction("COPY") for source in line.split()[:-1]}
    assert {"requirements.lock", "pyproject.toml", "app", "persona", "config"} <= copied
    let_through = {
        line.removeprefix("!")
        for line in (ROOT / ".dockerignore").read_text().splitlines()
        if line.startswith("!")
    }
    from_context = {name for name in copied if not name.startswith(("/", "--"))}
    assert from_context <= let_through
    assert not {".env", "data"} & let_through


def test_it_runs_without_privileges_and_reports_its_health():
    (user,) = instruction("USER")
    assert user == "thinkmate"
    (check,) = instruction("HEALTHCHECK")
    command = json.loads(check[check.index("[") :])
    assert command[:2] == ["python", "-c"]
    assert "/health" in command[2]
    compile(command[2], "healthcheck", "exec")
    assert instruction("VOLUME") == ["/data"]
    assert "DATA_DIR=/data" in DOCKERFILE


def test_the_database_is_a_replica_set_that_nobody_outside_reaches():
    assert "ports:" not in COMPOSE
    assert '"--replSet", "rs0"' in COMPOSE
    assert "rs.initiate" in COMPOSE
    assert "mongodb://mongo:27017/?replicaSet=rs0" in COMPOSE
    assert "condition: service_healthy" in COMPOSE
