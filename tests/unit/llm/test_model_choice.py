"""Which model is picked from a server's list."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.memory.model_choice import pick_model, size_in_billions


@pytest.mark.parametrize(
    ("models", "picked"),
    [
        ([], None),
        (["nomic-embed-text:latest"], None),
        (["nomic-embed-text", "llama3.2:3b"], "llama3.2:3b"),
        (["llama3.2:3b", "llama3.1:8b", "llama3.3:70b"], "llama3.1:8b"),
        (["qwen2.5:14b", "llama3.1:8b"], "qwen2.5:14b"),
        (["llama3.3:70b", "qwen2.5:32b"], "qwen2.5:32b"),
        (["mistral:latest", "llama3.3:70b"], "mistral:latest"),
        (["mistral:latest", "llama3.2:1b"], "llama3.2:1b"),
        (["llava:13b", "llama3.2:3b"], "llama3.2:3b"),
        (["qwen2.5-coder:14b", "gemma3:4b"], "gemma3:4b"),
        (["qwen2.5-vl-7b-instruct", "gemma-2-2b-it"], "gemma-2-2b-it"),
        (["llama-3-8b-base", "phi-3-3.8b-instruct"], "phi-3-3.8b-instruct"),
        (["llava:13b", "codellama:7b"], "llava:13b"),
        (["whisper-1", "tts-1", "gpt-4o-mini"], "gpt-4o-mini"),
        (["b-model-7b", "a-model-7b"], "a-model-7b"),
        (["mixtral:8x7b", "phi4:14b"], "phi4:14b"),
        (["gemma3-270m", "gemma3:1b"], "gemma3:1b"),
    ],
)
def test_the_rule(models: list[str], picked: str | None) -> None:
    assert pick_model(models) == picked
    assert pick_model(reversed(models)) == picked


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("llama3.1:8b", 8.0),
        ("Qwen2.5-0.5B-Instruct-GGUF", 0.5),
        ("mixtral:8x7b", 56.0),
        ("qwen3:30b-a3b", 30.0),
        ("gemma3n:e4b", 4.0),
        ("smollm-135m", 0.135),
        ("phi-4-14.7b", 14.7),
        ("gpt-4o-mini", None),
        ("mistral:latest", None),
        ("model-v2beta", None),
    ],
)
def test_sizes(name: str, size: float | None) -> None:
    assert size_in_billions(name) == size


@given(st.lists(st.text()))
def test_any_list_gives_one_of_its_names_or_none(models: list[str]) -> None:
    picked = pick_model(models)
    assert picked is None or picked in models
