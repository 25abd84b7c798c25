"""Bot API: the bot itself, its commands, and the chats it is in."""

from __future__ import annotations

import json
import re
from typing import Any

from app.playground.api_error import bad_request
from app.playground.call import Call, Method
from app.playground.chats import PRESENT
from app.playground.formats import chat_json, me_json, member_json
from app.playground.reactions import ALLOWED_REACTIONS

COMMAND = re.compile(r"[a-z0-9_]{1,32}")
MAX_COMMANDS = 100
DEFAULT_SCOPE = {"type": "default"}


async def get_me(call: Call) -> dict[str, Any]:
    """getMe."""
    return me_json(call.bot)


async def set_my_commands(call: Call) -> bool:
    """setMyCommands."""
    commands = call.params.json("commands")
    if not isinstance(commands, list) or not all(isinstance(item, dict) for item in commands):
        raise bad_request("can't parse commands list JSON object")
    if len(commands) > MAX_COMMANDS:
        raise bad_request("BOT_COMMANDS_TOO_MUCH")
    for item in commands:
        if not COMMAND.fullmatch(str(item.get("command", "")).removeprefix("/")):
            raise bad_request("BOT_COMMAND_INVALID")
        if not 1 <= len(str(item.get("description", ""))) <= 256:
            raise bad_request("BOT_COMMAND_DESCRIPTION_INVALID")
    call.bot.commands[_scope(call)] = [
        {"command": item["command"].removeprefix("/"), "description": item["description"]}
        for item in commands
    ]
    call.world.feed.publish("commands", commands=call.bot.menu())
    return True


async def get_my_commands(call: Call) -> list[dict[str, Any]]:
    """getMyCommands."""
    return call.bot.commands.get(_scope(call), [])


async def delete_my_commands(call: Call) -> bool:
    """deleteMyCommands."""
    call.bot.commands.pop(_scope(call), None)
    call.world.feed.publish("commands", commands=call.bot.menu())
    return True


def _scope(call: Call) -> str:
    """Which of the bot's menus is meant; empty for the one without a scope and language."""
    scope = call.params.json("scope") or DEFAULT_SCOPE
    language = call.params.text("language_code")
    if scope == DEFAULT_SCOPE and not language:
        return ""
    return json.dumps([scope, language], sort_keys=True)


async def get_chat(call: Call) -> dict[str, Any]:
    """getChat."""
    chat = call.known_chat()
    gifts = "unlimited_gifts limited_gifts unique_gifts premium_subscription gifts_from_channels"
    return {
        **chat_json(chat),
        "accent_color_id": 0,
        "max_reaction_count": 11,
        "accepted_gift_types": dict.fromkeys(gifts.split(), False),
        "available_reactions": [{"type": "emoji", "emoji": emoji} for emoji in ALLOWED_REACTIONS],
    }


async def get_chat_member(call: Call) -> dict[str, Any]:
    """getChatMember."""
    chat = call.open_chat()
    user_id = call.params.integer("user_id") or 0
    account = call.world.people.get(user_id) or call.world.bots.get(user_id)
    if account is None:
        raise bad_request("invalid user_id specified")
    return member_json(account, chat.status(user_id))


async def get_chat_member_count(call: Call) -> int:
    """getChatMemberCount."""
    return sum(status in PRESENT for status in call.open_chat().members.values())


METHODS: dict[str, Method] = {
    "getMe": get_me,
    "setMyCommands": set_my_commands,
    "getMyCommands": get_my_commands,
    "deleteMyCommands": delete_my_commands,
    "getChat": get_chat,
    "getChatMember": get_chat_member,
    "getChatMemberCount": get_chat_member_count,
}
