"""Room: the nouns.

Lives here: frozen pydantic values (messages, conversations, updates, replies, profiles).
May import: pydantic and the standard library. Touches: nothing.
Tested by: tests/unit.
"""
