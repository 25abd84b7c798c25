"""What belongs to one visible character, as far as cutting a text is concerned."""

from __future__ import annotations

import unicodedata

_JOINER = "\u200d"
_KEEPS_WITH_PREVIOUS = {"Mn", "Mc", "Me"}
_INVISIBLE = {"Cc", "Cf", "Cs", "Zs", "Zl", "Zp"}
_BLANK_LETTERS = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufe0e\ufe0f")
_VIRAMA_CLASS = 9


def is_visible(char: str) -> bool:
    """Whether the character leaves a mark on the screen."""
    return unicodedata.category(char) not in _INVISIBLE and char not in _BLANK_LETTERS


def has_visible(text: str) -> bool:
    """Whether Telegram would take `text` as a message at all."""
    return any(map(is_visible, text))


def is_boundary(text: str, index: int) -> bool:
    """Whether a cut before `text[index]` leaves every joined character whole.

    Joined are: combining marks and variation selectors, skin tones, zero-width-joiner sequences,
    pairs of regional indicators (flags), flag tags, keycaps, Indic conjuncts, Hangul jamo, CRLF.
    """
    if index <= 0 or index >= len(text):
        return True
    before, after = text[index - 1], text[index]
    if before.isascii() and after.isascii():
        return not (before == "\r" and after == "\n")
    if _JOINER in (before, after):
        return False
    if unicodedata.category(after) in _KEEPS_WITH_PREVIOUS or _is_modifier(after):
        return False
    if _is_regional(before) and _is_regional(after):
        return _regional_run(text, index) % 2 == 0
    if unicodedata.combining(before) == _VIRAMA_CLASS:
        return not after.isalpha()
    return not (_is_jamo(before) and _is_jamo_tail(after))


def _is_modifier(char: str) -> bool:
    return "\U0001f3fb" <= char <= "\U0001f3ff" or "\U000e0020" <= char <= "\U000e007f"


def _is_regional(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _regional_run(text: str, end: int) -> int:
    """How many regional indicators stand directly before `end`."""
    start = end
    while start > 0 and _is_regional(text[start - 1]):
        start -= 1
    return end - start


def _is_jamo(char: str) -> bool:
    return (
        "\u1100" <= char <= "\u11ff" or "\ua960" <= char <= "\ua97f" or "\uac00" <= char <= "\ud7fb"
    )


def _is_jamo_tail(char: str) -> bool:
    return "\u1160" <= char <= "\u11ff" or "\ud7b0" <= char <= "\ud7fb"
