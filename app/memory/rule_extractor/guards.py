"""Guards: sentences that look like statements and aren't."""

from __future__ import annotations

import re

_UNMEANT = re.compile(
    r"\b(?:if|would|could|might|may|imagine|suppose|wish|pretend|maybe|perhaps|let'?s say|what if|"
    r"as if|yeah right|i guess|kidding|just joking|in the (?:story|book|film|movie|game)|"
    r"translate|write me|write a|the lyrics|he (?:said|says|thinks|told)|she (?:said|says|thinks|"
    r"told)|they (?:said|say|think|told)|(?:says|said|thinks|thought|told me|tells me|claims) "
    r"(?:that )?(?:i|my|he|she|they|we)\b|according to)\b|\s/s\b|🙄|\blol sure\b",
    re.IGNORECASE,
)
_QUESTION = re.compile(
    r"^(?:what|who|whose|where|when|why|how|which|is|are|was|were|do|does|did|can|could|will|"
    r"would|should|have you|has|am i|guess|tell me|remind me)\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[\"“”«»„]|^>|```|♪")


def states(sentence: str, end: str) -> bool:
    """Whether a sentence states something, in the speaker's own name."""
    return not (
        end in ("?", "？", "؟")
        or _QUESTION.match(sentence)
        or _UNMEANT.search(sentence)
        or _QUOTED.search(sentence)
    )
