"""Who gets in: Host, Origin, session and control tokens, over real HTTP."""

from __future__ import annotations

import re
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.errors import ConfigError
from app.playground import BotProcess, ModelChoice, ModelVerdict, Playground
from tests.doubles.playground import running_playground

KEY = "sk-canary-4711"
POLLING_BOT = Path(__file__).parent / "playground_poller.py"


class Connector:
    """Stands in for the composition's connect_model."""

    def __init__(self) -> None:
        self.choices: list[ModelChoice] = []
        self.failure: Exception | None = None

    async def __call__(self, choice: ModelChoice) -> ModelVerdict:
        self.choices.append(choice)
        if self.failure:
            raise self.failure
        return ModelVerdict(True, "It answers.")


@pytest.fixture
def connector() -> Connector:
    return Connector()


@pytest.fixture
async def playground(connector: Connector) -> AsyncIterator[Playground]:
    async with running_playground(
        connect_model=connector, model_status=lambda: "tiny-model"
    ) as running:
        person = running.world.add_person("Ana")
        running.world.private_chat(running.world.bot, person)
        yield running


@pytest.fixture
async def client(playground: Playground) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=playground.page_url) as client:
        yield client


async def session(client: httpx.AsyncClient) -> dict[str, str]:
    found = re.search(r'name="session" content="([^"]+)"', (await client.get("/")).text)
    assert found
    return {"X-Playground-Session": found[1]}


def bot_path(playground: Playground) -> str:
    return f"/bot{playground.token}/getMe"


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "127.0.0.1"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
    ],
)
async def test_foreign_requests_are_refused_everywhere(
    playground: Playground, client: httpx.AsyncClient, headers: dict[str, str]
) -> None:
    paths = [
        bot_path(playground),
        "/playground/state",
        "/playground/events",
        "/page/app.js",
        "/control/state",
    ]
    if "Sec-Fetch-Site" not in headers:
        paths.append("/")
    for path in paths:
        method = "POST" if path.startswith("/control") else "GET"
        response = await client.request(method, path, headers=headers)
        assert (path, response.status_code) == (path, 403)


async def test_the_page_and_the_bot_get_in(
    playground: Playground, client: httpx.AsyncClient
) -> None:
    origin = playground.page_url.rstrip("/")
    assert (await client.get(bot_path(playground))).json()["ok"] is True
    assert (await client.get("/", headers={"Origin": origin})).status_code == 200
    port = origin.rsplit(":", 1)[1]
    localhost = {"Host": f"localhost:{port}", "Origin": f"http://localhost:{port}"}
    assert (await client.get("/", headers=localhost)).status_code == 200
    mixed = {"Host": f"localhost:{port}", "Origin": origin}
    assert (await client.get("/", headers=mixed)).status_code == 403


async def test_the_page_forbids_foreign_scripts_and_frames(client: httpx.AsyncClient) -> None:
    response = await client.get("/")
    policy = response.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert not re.search(r"(src|href)=\"(https?:)?//", response.text)


async def test_page_endpoints_need_the_session(
    playground: Playground, client: httpx.AsyncClient
) -> None:
    ana = next(iter(playground.world.people))
    body = {"person": ana, "text": "hi"}
    for method, path in (
        ("GET", "/playground/state"),
        ("GET", "/playground/events?since=0"),
        ("POST", "/playground/act/send"),
        ("POST", "/playground/kill"),
        ("POST", "/playground/model"),
    ):
        answer = await client.request(method, path, json=body if method == "POST" else None)
        assert answer.status_code == 403
    assert playground.ledger.of("person_message") == []
    answer = await client.post("/playground/act/send", json=body, headers=await session(client))
    assert answer.json()["messages"][0]["text"] == "hi"


async def test_what_can_not_be_done_is_a_400(
    playground: Playground, client: httpx.AsyncClient
) -> None:
    headers = await session(client)
    for path, body in (("send", {"person": 1, "text": "x"}), ("send", {}), ("send", [])):
        answer = await client.post(f"/playground/act/{path}", json=body, headers=headers)
        assert answer.status_code == 400
    answer = await client.post("/playground/act/migrate", json={}, headers=headers)
    assert answer.status_code == 404


async def test_connecting_a_model_never_shows_the_key(
    connector: Connector, client: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    headers = await session(client)
    choice = {"provider": "openai", "base_url": "", "key": f" {KEY} ", "model": "gpt"}
    answer = await client.post("/playground/model", json=choice, headers=headers)
    assert answer.json() == {"ok": True, "message": "It answers.", "model": "tiny-model"}
    assert connector.choices == [ModelChoice("openai", "", KEY, "gpt")]
    assert KEY not in repr(connector.choices)
    connector.failure = RuntimeError(KEY)
    answer = await client.post("/playground/model", json=choice, headers=headers)
    assert answer.json()["ok"] is False
    assert KEY not in answer.text + caplog.text


async def test_the_first_opening_presses_start_once(
    playground: Playground, client: httpx.AsyncClient
) -> None:
    headers = await session(client)
    ana = next(iter(playground.world.people.values()))
    for _ in range(2):
        await client.post("/playground/act/open", json={"person": ana.id}, headers=headers)
    assert [message.text for message in ana.chat.messages.values()] == ["/start"]


async def control(
    playground: Playground, client: httpx.AsyncClient, action: str, **body: Any
) -> dict[str, Any]:
    headers = {"X-Playground-Control": playground.control_token}
    response = await client.post(playground.control_url + action, json=body, headers=headers)
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


async def test_a_test_elsewhere_can_do_what_people_do(
    playground: Playground, client: httpx.AsyncClient
) -> None:
    assert (await client.post("/control/state")).status_code == 403
    ben = (await control(playground, client, "add-person", name="Ben"))["person"]
    sent = await control(playground, client, "send", person=ben, text="hello")
    assert sent["messages"][0]["text"] == "hello"
    await control(playground, client, "fault", method="sendMessage", kind="500", times=2)
    group = await control(playground, client, "add-group", title="Garden", people=[ben])
    moved = await control(playground, client, "migrate", person=ben, chat=group["chat"]["id"])
    assert str(moved["chat"]).startswith("-100")
    await control(playground, client, "block", person=ben)
    entries = (await control(playground, client, "ledger", since=0, wait_secs=1))["entries"]
    assert [entry["seq"] for entry in entries] == list(range(1, len(entries) + 1))
    assert entries[0]["text"] == "hello"
    later = await control(playground, client, "ledger", since=len(entries))
    assert later["entries"] == []


async def test_a_taken_port_is_said_plainly(playground: Playground) -> None:
    other = Playground()
    with pytest.raises(ConfigError, match=r"(?i)PLAYGROUND_PORT"):
        await other.listen(int(playground.address.rsplit(":", 1)[1]))


async def test_the_kill_button_kills_and_the_bot_comes_back(tmp_path: Path) -> None:
    def environment() -> dict[str, str]:
        return {"BOT_BASE": playground.base_url, "BOT_TOKEN": playground.token}

    process = BotProcess(
        [sys.executable, str(POLLING_BOT)], environment, output=tmp_path / "bot.log"
    )
    playground = Playground(bot=process)
    await playground.start()
    try:
        await playground.world.changes.until(lambda: playground.presence.state == "up", 20)
        first = process.pid
        async with httpx.AsyncClient(base_url=playground.page_url) as client:
            headers = await session(client)
            assert (await client.post("/playground/kill", headers=headers)).status_code == 200
        await playground.wait_for(lambda ledger: ledger.of("bot_away"))
        await playground.wait_for(lambda ledger: ledger.of("bot_back"), 20)
        assert process.pid not in (None, first)
        assert process.starts == 2
        assert playground.presence.view()["away_secs"] > 0
    finally:
        await playground.stop()
    assert process.pid is None
