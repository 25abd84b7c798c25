"""Bot API: how updates reach a bot."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from app.playground.accounts import Webhook
from app.playground.api_error import bad_request, conflict
from app.playground.call import Call, Method
from app.playground.polls import WEBHOOK_SET
from app.playground.update_queue import MAX_LIMIT
from app.playground.webhook_push import check_url

LONGEST_POLL_SECS = 50
SECRET = re.compile(r"[A-Za-z0-9_-]{1,256}")


async def get_updates(call: Call) -> list[dict[str, Any]]:
    """getUpdates: confirms what lies before `offset`, and gives the oldest of the rest."""
    bot, params = call.bot, call.params
    if bot.webhook is not None:
        raise conflict(
            "can't use getUpdates method while webhook is active; "
            "use deleteWebhook to delete the webhook first"
        )
    limit = min(max(params.integer("limit") or MAX_LIMIT, 1), MAX_LIMIT)
    timeout = min(max(params.integer("timeout") or 0, 0), LONGEST_POLL_SECS)
    bot.updates.remember(_allowed(call))
    for gone in bot.updates.confirm(params.integer("offset") or 0):
        call.record("update_confirmed", update_id=gone.update_id)
    updates = await call.polls.updates(bot, limit, timeout, call.connection)
    for update in updates:
        if not update.delivered:
            update.delivered = True
            call.record("update_delivered", update_id=update.update_id)
    call.world.changes.ring()
    return [update.json() for update in updates]


async def set_webhook(call: Call) -> bool:
    """setWebhook: from now on updates are pushed; an empty URL takes the webhook away."""
    bot, params = call.bot, call.params
    url = params.text("url")
    if not url:
        return await delete_webhook(call)
    check_url(url)
    secret = params.text("secret_token")
    if secret and not SECRET.fullmatch(secret):
        raise bad_request("secret token contains unallowed characters")
    bot.updates.remember(_allowed(call))
    _drop_pending(call)
    bot.webhook = Webhook(url, secret, params.integer("max_connections") or 40)
    call.polls.end(bot, WEBHOOK_SET)
    await call.webhooks.follow(bot)
    return True


async def delete_webhook(call: Call) -> bool:
    """deleteWebhook: back to getUpdates."""
    call.bot.webhook = None
    await call.webhooks.follow(call.bot)
    _drop_pending(call)
    return True


async def get_webhook_info(call: Call) -> dict[str, Any]:
    """getWebhookInfo."""
    bot = call.bot
    info: dict[str, Any] = {
        "url": bot.webhook.url if bot.webhook else "",
        "has_custom_certificate": False,
        "pending_update_count": len(bot.updates.pending),
    }
    if bot.updates.allowed is not None:
        info["allowed_updates"] = sorted(bot.updates.allowed)
    if bot.webhook is not None:
        info["max_connections"] = bot.webhook.max_connections
        if bot.webhook.last_error:
            info["last_error_date"] = bot.webhook.last_error_at
            info["last_error_message"] = bot.webhook.last_error
    return info


def _allowed(call: Call) -> Sequence[str] | None:
    allowed = call.params.json("allowed_updates")
    if allowed is None:
        return None
    if not isinstance(allowed, list) or not all(isinstance(kind, str) for kind in allowed):
        raise bad_request("can't parse allowed_updates: an array of strings expected")
    return allowed


def _drop_pending(call: Call) -> None:
    if call.params.boolean("drop_pending_updates"):
        call.bot.updates.pending.clear()


METHODS: dict[str, Method] = {
    "getUpdates": get_updates,
    "setWebhook": set_webhook,
    "deleteWebhook": delete_webhook,
    "getWebhookInfo": get_webhook_info,
}
