"""Settings read, logs set up: what every command begins with."""

from __future__ import annotations

from app.config import Settings, load_settings
from app.logs import configure, register_secret


def prepared_settings() -> Settings:
    """The settings, with logs set up and secrets kept out of them."""
    settings = load_settings()
    configure(settings.log_level, settings.log_json)
    for secret in (
        settings.telegram_bot_token,
        settings.openai_api_key,
        settings.webhook_secret,
        settings.mongodb_uri,
    ):
        register_secret(secret.get_secret_value() if secret else None)
    return settings
