"""The deterministic extractor: what a person states in plain shapes, read without a model.

Precision comes first: a sentence that could mean anything else matches nothing.
"""

from app.memory.rule_extractor.extract import extract

__all__ = ["extract"]
