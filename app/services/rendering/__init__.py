"""Rendering: what the model wrote becomes Telegram messages, text plus entities.

source mends the Markdown, tables tells wide tables row by row, entities keeps what Telegram takes,
splitting cuts, graphemes says where a cut may fall. Pure: no I/O, no await.
"""

from __future__ import annotations

from loguru import logger
from telegramify_markdown import RenderConfig, convert

from app.domain.conversation import Part
from app.services.rendering.entities import Entity, tidy
from app.services.rendering.graphemes import has_visible
from app.services.rendering.source import clean, prepare, restore
from app.services.rendering.splitting import split

__all__ = ["plain", "render", "rendered"]


def render(markdown: str) -> tuple[Part, ...]:
    """The messages that show `markdown`; none when there is nothing to see."""
    return split(*rendered(markdown))


def plain(text: str) -> tuple[Part, ...]:
    """The messages that show `text` exactly as it is, without entities."""
    return split(clean(text), ())


def rendered(markdown: str) -> tuple[str, list[Entity]]:
    """The whole text and its entities, before it is cut.

    What renders to nothing (a lone code fence) or can't be rendered at all is its own text.
    """
    source = clean(markdown)
    try:
        text, entities = convert(prepare(source), config=_CONFIG)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # noqa: BLE001  the parser is native: its panics are no Exception
        logger.warning(
            "a reply could not be rendered ({}); sent as plain text", type(error).__name__
        )
        return source, []
    if not has_visible(text):
        return source, []
    rows = [entity.to_dict() for entity in entities]
    for row in rows:
        if "url" in row:
            row["url"] = restore(row["url"])
    return restore(text), tidy(rows)


def _quiet_config() -> RenderConfig:
    """No decoration of the converter's own: headings are bold, quotes stay open."""
    config = RenderConfig.isolated()
    symbols = config.markdown_symbol
    for level in range(1, 7):
        setattr(symbols, f"heading_level_{level}", "")
    symbols.image = "🖼 "
    symbols.task_completed = "☑"
    symbols.task_uncompleted = "☐"
    symbols.unordered_list_item = "•"
    config.cite_expandable = False
    return config


_CONFIG = _quiet_config()
