"""The rules that read what a person says in so many words: no model, no waiting, any script.

Pure functions over one message. Each shape of sentence is tried at the start of a clause only,
so that what stands inside a question, a supposition or somebody else's speech is never reached.
May import the domain and its sibling laws; tested by the table in tests/unit.
"""

from app.memory.rule_extractor.extractor import extract

__all__ = ["extract"]
