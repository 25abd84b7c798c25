"""The emoji Telegram takes as a reaction, and how a model's spelling of one becomes a member."""

from __future__ import annotations

_MEMBERS = """
👍 👎 ❤ 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 ❤️‍🔥
🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓 🍾 💋 🖕 😈 😴 😭 🤓 👻 👨‍💻 👀 🎃 🙈 😇 😨
🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 🤷‍♂️ 🤷 🤷‍♀️ 😡
"""

_VARIATION_SELECTORS = dict.fromkeys((0xFE0E, 0xFE0F))
_SKIN_TONES = dict.fromkeys(range(0x1F3FB, 0x1F400))
_WRAPPING = "\"'`:"


def _bare(emoji: str) -> str:
    return emoji.translate(_VARIATION_SELECTORS)


REACTIONS: tuple[str, ...] = tuple(_bare(emoji) for emoji in _MEMBERS.split())
"""The Bot API's fixed list, without the variation selector U+FE0F."""

_KNOWN = frozenset(REACTIONS)


def normalise_reaction(raw: str | None) -> str | None:
    """The list's member that `raw` means, or None.

    Variation selectors, white space, quotes and skin tones don't matter. Words (`none`, `null`),
    emoji outside the list and anything longer than one emoji give None.
    """
    if not raw:
        return None
    bare = _bare("".join(raw.split()).strip(_WRAPPING))
    return next((e for e in (bare, bare.translate(_SKIN_TONES)) if e in _KNOWN), None)
