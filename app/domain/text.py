"""Text that every database, messenger and model takes."""

from __future__ import annotations


def clean(text: str) -> str:
    """The text without NUL and without halves of surrogate pairs; everything else as it was."""
    if "\x00" in text:
        text = text.replace("\x00", "")
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "ignore")
    return text
