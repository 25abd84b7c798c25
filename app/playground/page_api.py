"""What the page asks for: itself, the state of the world, live events, and actions."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

from loguru import logger
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from app.playground.actions import PAGE_ACTIONS
from app.playground.bot_process import BotProcess
from app.playground.guard import has_token, secured
from app.playground.json_body import json_body
from app.playground.memory_watch import MemoryWatch
from app.playground.model_choice import ConnectModel, ModelChoice, ModelStatus, ModelVerdict
from app.playground.presence import Presence
from app.playground.reactions import ALLOWED_REACTIONS
from app.playground.views import chat_view
from app.playground.world import World

PAGE_DIR = Path(__file__).parent / "page"
MEDIA_TYPES = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
}
SESSION_HEADER = "X-Playground-Session"
SESSION_MARK = "{{session}}"


class PageApi:
    """Everything but the page's own files needs the session token that the page was given."""

    def __init__(
        self,
        world: World,
        presence: Presence,
        session: str,
        *,
        bot: BotProcess | None,
        connect_model: ConnectModel | None,
        model_status: ModelStatus | None,
        memory: MemoryWatch | None,
        chips: Sequence[str],
        about: Sequence[str],
    ) -> None:
        self._world = world
        self._presence = presence
        self._session = session
        self._bot = bot
        self._connect_model = connect_model
        self._model_status = model_status
        self._memory = memory
        self._chips = list(chips)
        self._about = list(about)
        self._connecting = asyncio.Lock()
        self._files = {
            path.name: path.read_text(encoding="utf-8")
            for path in PAGE_DIR.iterdir()
            if path.suffix in MEDIA_TYPES
        }

    def routes(self) -> list[Route]:
        """All of the page's addresses."""
        return [
            Route("/", self._file, methods=["GET"]),
            Route("/page/{name}", self._file, methods=["GET"]),
            Route("/playground/state", self._state, methods=["GET"]),
            Route("/playground/events", self._events, methods=["GET"]),
            Route("/playground/file/{file_id}", self._download, methods=["GET"]),
            Route("/playground/kill", self._kill, methods=["POST"]),
            Route("/playground/model", self._model, methods=["POST"]),
            Route("/playground/memory", self._press_beside, methods=["POST"]),
            Route("/playground/act/{action}", self._act, methods=["POST"]),
        ]

    async def _file(self, request: Request) -> Response:
        name = request.path_params.get("name", "index.html")
        text = self._files.get(name)
        if text is None:
            return secured(PlainTextResponse("not found", 404))
        if name == "index.html":
            text = text.replace(SESSION_MARK, self._session)
        return secured(Response(text, media_type=MEDIA_TYPES[Path(name).suffix]))

    async def _state(self, request: Request) -> Response:
        if not has_token(request, SESSION_HEADER, self._session):
            return _refused()
        world = self._world
        return _json(
            {
                "seq": world.feed.seq,
                "bot": {
                    "id": world.bot.id,
                    "name": world.bot.name,
                    "username": world.bot.username,
                    **self._presence.view(),
                },
                "model": self._model_name(),
                "memory": self._memory.cards() if self._memory else None,
                "can_kill": self._bot is not None,
                "can_connect": self._connect_model is not None,
                "about": self._about,
                "chips": self._chips,
                "commands": world.bot.menu(),
                "reactions": ALLOWED_REACTIONS,
                "chats": [chat_view(chat, world.people) for chat in world.chats_of(world.bot)],
            }
        )

    async def _events(self, request: Request) -> Response:
        """Server-sent events. EventSource can't set headers, so the token is in the query."""
        query = request.query_params
        last = request.headers.get("last-event-id") or query.get("since", "0")
        if query.get("session") != self._session or not last.isdecimal():
            return _refused()
        return secured(StreamingResponse(self._stream(int(last)), media_type="text/event-stream"))

    async def _stream(self, since: int) -> AsyncIterator[str]:
        yield "retry: 1000\n\n"
        async for event in self._world.feed.follow(since):
            if event["type"] in ("bot", "model"):
                event = {**event, "model": self._model_name()}
            elif event["type"] == "message" and self._presence.matters:
                event = {**event, "presence": self._presence.view()}
            elif event["type"] == "memory" and self._memory is not None:
                event = {**event, "card": self._memory.card(event["person"])}
            body = json.dumps(event, ensure_ascii=False)
            yield f"id: {event['seq']}\ndata: {body}\n\n"

    async def _act(self, request: Request) -> Response:
        if not has_token(request, SESSION_HEADER, self._session):
            return _refused()
        action = PAGE_ACTIONS.get(request.path_params["action"])
        if action is None:
            return _json({"error": "no such action"}, 404)
        try:
            return _json(action(self._world, await json_body(request)))
        except (ValueError, TypeError) as error:
            return _json({"error": str(error)}, 400)
        except KeyError as error:
            return _json({"error": f"{error.args[0]} is missing"}, 400)

    async def _press_beside(self, request: Request) -> Response:
        """{person, button}: a button on the person's memory card."""
        if not has_token(request, SESSION_HEADER, self._session) or self._memory is None:
            return _refused()
        try:
            body = await json_body(request)
            person = self._world.people.get(int(body.get("person") or 0))
            if person is None or not self._memory.offers(person.id, str(body.get("button"))):
                return _json({"error": "That can't be taken back any more."}, 400)
            return _json({"press": person.press_beside(str(body["button"])).id})
        except (ValueError, TypeError) as error:
            return _json({"error": str(error)}, 400)

    async def _download(self, request: Request) -> Response:
        content = self._world.files.get(request.path_params["file_id"])
        if content is None or request.query_params.get("session") != self._session:
            return _refused()
        response = secured(Response(content, media_type="application/octet-stream"))
        response.headers["Content-Disposition"] = "attachment"
        return response

    async def _kill(self, request: Request) -> Response:
        if not has_token(request, SESSION_HEADER, self._session) or self._bot is None:
            return _refused()
        await self._bot.kill()
        return _json({})

    async def _model(self, request: Request) -> Response:
        if not has_token(request, SESSION_HEADER, self._session) or self._connect_model is None:
            return _refused()
        try:
            body = await json_body(request)
        except ValueError as error:
            return _json({"ok": False, "message": str(error)}, 400)
        choice = ModelChoice(
            *(_line(body, key) for key in ("provider", "base_url", "key", "model"))
        )
        async with self._connecting:
            verdict = await self._try(self._connect_model, choice)
        if verdict.ok:
            self._world.feed.publish("model")
        return _json({"ok": verdict.ok, "message": verdict.message, "model": self._model_name()})

    async def _try(self, connect: ConnectModel, choice: ModelChoice) -> ModelVerdict:
        try:
            return await connect(choice)
        except Exception as error:  # noqa: BLE001  the page's edge: the person gets plain words
            logger.error("connecting a model failed: {}", type(error).__name__)
            return ModelVerdict(False, "Something went wrong while trying it. The log has more.")

    def _model_name(self) -> str:
        return self._model_status() if self._model_status else ""


def _line(body: dict[str, Any], key: str) -> str:
    return str(body.get(key) or "").strip()


def _json(body: Any, status: int = 200) -> Response:
    return secured(JSONResponse(body, status))


def _refused() -> Response:
    return _json({"error": "reload the page"}, 403)
