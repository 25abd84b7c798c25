"""Settings: every key the program reads, read once, frozen, handed to whoever needs it.

Keys come from the environment, then from the file named by THINKMATE_ENV_FILE (default `.env`).
Each key is documented in docs/configuration.md and config/thinkmate.env.example; a test compares.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    SecretStr,
    ValidationError,
    model_validator,
)
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from app.errors import ConfigError

ENV_FILE_KEY = "THINKMATE_ENV_FILE"


def _comma_list(value: Any) -> Any:
    return (
        [part.strip() for part in value.split(",") if part.strip()]
        if isinstance(value, str)
        else value
    )


def _empty_is_none(value: Any) -> Any:
    return None if isinstance(value, str) and not value.strip() else value


def _http_url(value: str | None) -> str | None:
    if value is not None and not value.startswith(("http://", "https://")):
        raise ValueError("must start with http:// or https://")
    return value.rstrip("/") if value else value


def _zone(value: str) -> str:
    try:
        ZoneInfo(value)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError("is no IANA time zone; it looks like Europe/Berlin") from None
    return value


Optional = BeforeValidator(_empty_is_none)
Secret = Annotated[SecretStr | None, Optional]
Text = Annotated[str | None, Optional]
Url = Annotated[str | None, Optional, AfterValidator(_http_url)]
Port = Annotated[Annotated[int, Field(ge=0, le=65535)] | None, Optional]
Names = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_comma_list)]
Ids = Annotated[tuple[int, ...], NoDecode, BeforeValidator(_comma_list)]


class Settings(BaseSettings):
    """All settings. Durations are seconds, sizes characters unless the name says otherwise."""

    model_config = SettingsConfigDict(frozen=True, extra="ignore", env_file_encoding="utf-8")

    # Telegram
    telegram_bot_token: Secret = None
    telegram_api_base_url: Annotated[str, AfterValidator(_http_url)] = "https://api.telegram.org"
    webhook_url: Url = None
    webhook_port: Annotated[int, Field(ge=0, le=65535)] = 8443
    webhook_host: str = "127.0.0.1"
    webhook_secret: Secret = None
    access: Literal["owner", "open"] = "owner"
    allowed_user_ids: Ids = ()

    # Language model
    openai_api_key: Secret = None
    openai_base_url: Url = None
    llm_model: Text = None
    llm_extraction_model: Text = None
    llm_fallback_models: Names = ()
    llm_timeout_secs: Annotated[float, Field(gt=0)] = 60.0
    llm_max_retries: Annotated[int, Field(ge=0, le=10)] = 2
    llm_context_tokens: Annotated[Annotated[int, Field(ge=1024)] | None, Optional] = None
    llm_breaker_failures: Annotated[int, Field(ge=1)] = 5
    llm_breaker_cooldown_secs: Annotated[float, Field(gt=0)] = 120.0

    # Database and files
    mongodb_uri: Secret = None
    mongodb_database: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,38}$")] = "thinkmate"
    data_dir: Path = Path("data")
    persona_file: Path = Path("persona/default.md")

    # Conversation
    message_batch_delay_secs: Annotated[float, Field(ge=0)] = 2.0
    max_batch_delay_secs: Annotated[float, Field(ge=0)] = 6.0
    max_input_chars: Annotated[int, Field(ge=1000)] = 16_000
    throttle_messages: Annotated[int, Field(ge=1)] = 10
    throttle_window_secs: Annotated[float, Field(gt=0)] = 5.0
    history_max_chars: Annotated[int, Field(ge=1000)] = 12_000
    history_min_messages: Annotated[int, Field(ge=2)] = 20
    chat_buffer_max_chars: Annotated[int, Field(ge=100)] = 4_000
    late_answer_secs: Annotated[float, Field(gt=0)] = 120.0
    lease_secs: Annotated[float, Field(ge=3)] = 60.0
    inbox_max_attempts: Annotated[int, Field(ge=1)] = 5
    inbox_keep_secs: Annotated[float, Field(ge=86_400)] = 172_800.0
    usage_keep_days: Annotated[int, Field(ge=1)] = 30

    # Memory
    user_memory_budget_chars: Annotated[int, Field(ge=1000)] = 10_000
    new_user_extraction_chars: Annotated[int, Field(ge=100)] = 1_000
    new_user_memory_threshold: Annotated[int, Field(ge=0)] = 10
    extraction_silence_secs: Annotated[float, Field(gt=0)] = 120.0
    session_end_secs: Annotated[float, Field(gt=0)] = 21_600.0
    max_extraction_attempts: Annotated[int, Field(ge=1, le=10)] = 3
    compression_cooldown_secs: Annotated[float, Field(ge=0)] = 300.0
    consolidation_interval_secs: float = 86_400.0
    consolidation_scan_interval_secs: Annotated[float, Field(ge=1)] = 3_600.0
    consolidation_max_users_per_scan: Annotated[int, Field(ge=1)] = 50
    consolidation_min_items: Annotated[int, Field(ge=1)] = 8
    max_insights: Annotated[int, Field(ge=0, le=20)] = 5
    max_mood_history: Annotated[int, Field(ge=1, le=100)] = 10
    memory_language: Text = None
    default_timezone: Annotated[str, AfterValidator(_zone)] = "UTC"
    review_policy_file: Path = Path("config/review_policy.toml")
    turn_fact_extraction_enabled: bool = False
    turn_fact_extraction_sample_rate: Annotated[float, Field(ge=0, le=1)] = 1.0
    turn_fact_max_per_turn: Annotated[int, Field(ge=1, le=50)] = 5
    turn_fact_pre_compress_enabled: bool = True
    job_concurrency: Annotated[int, Field(ge=1, le=64)] = 4
    job_lease_secs: Annotated[float, Field(ge=1)] = 120.0

    # Logs, health, playground
    log_level: Literal["TRACE", "DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    log_json: bool = False
    http_port: Port = None
    metrics_log_interval_secs: Annotated[float, Field(ge=1)] = 900.0
    polling_stall_secs: Annotated[float, Field(ge=1)] = 90.0
    playground_port: Annotated[int, Field(ge=0, le=65535)] = 8765

    @model_validator(mode="after")
    def _webhook_needs_a_long_secret(self) -> Settings:
        if self.webhook_url:
            secret = self.webhook_secret.get_secret_value() if self.webhook_secret else ""
            if len(secret) < 32:
                raise ValueError(
                    "WEBHOOK_SECRET must have at least 32 characters when WEBHOOK_URL is set "
                    "(make one with: openssl rand -hex 32)"
                )
        return self

    @model_validator(mode="after")
    def _batch_ceiling_holds_the_delay(self) -> Settings:
        if self.max_batch_delay_secs < self.message_batch_delay_secs:
            raise ValueError("MAX_BATCH_DELAY_SECS must not be below MESSAGE_BATCH_DELAY_SECS")
        return self


def env_file() -> Path:
    """The settings file in use; it need not exist."""
    return Path(os.environ.get(ENV_FILE_KEY, ".env"))


def load_settings(**overrides: Any) -> Settings:
    """Read all settings. Raises ConfigError with one line that names the key and what is wrong."""
    try:
        return Settings(_env_file=env_file(), **overrides)
    except ValidationError as error:
        raise ConfigError(_first_problem(error)) from None


def _first_problem(error: ValidationError) -> str:
    problem = error.errors(include_input=False, include_url=False)[0]
    key = str(problem["loc"][0]).upper() if problem["loc"] else ""
    text = problem["msg"].removeprefix("Value error, ")
    return (
        f"{key}: {text}. See docs/configuration.md."
        if key
        else f"{text}. See docs/configuration.md."
    )
