"""Memory in a conversation: what is said plainly is kept, corrected, forgotten and extracted."""

from __future__ import annotations

import itertools
import json
from datetime import timedelta

import pytest

from app.clock import Clock
from app.database.profiles import ProfileStore
from app.domain.profile import Profile
from app.playground.person import Person
from tests.doubles.model_behaviours import bundle, text
from tests.integration.stage import Stage

_MS = timedelta(milliseconds=1)
ROW = {
    "kind": "fact",
    "text": "My sister bakes bread every Sunday",
    "message": 1,
    "quote": "my sister bakes bread every Sunday",
    "category": "relationship",
    "subject": "sister",
    "predicate": "hobby",
    "value": "baking bread",
    "confidence": 0.9,
}


async def _profile(stage: Stage, person: Person | None = None) -> Profile:
    assert stage.db is not None
    profile = await ProfileStore(stage.db).read((person or stage.ana).id)
    assert profile is not None
    return profile


async def _say(stage: Stage, words: str, person: Person | None = None) -> str:
    person = person or stage.ana
    before = len(stage.said(person.chat))
    person.send(words)
    await stage.replies(before + 1, person.chat)
    await stage.turns_over()
    return stage.texts(person.chat)[-1]


async def test_what_is_said_plainly_is_in_memory_before_the_reply(stage: Stage) -> None:
    await stage.start()
    await _say(stage, "My dog is called Rex")
    assert [(r.text, r.value) for r in (await _profile(stage)).facts] == [
        ("My dog is called Rex", "Rex")
    ]
    assert "My dog is called Rex" in json.dumps(stage.model.requests[-1].body)


async def test_a_correction_replaces_and_keeps_history(stage: Stage) -> None:
    await stage.start()
    await _say(stage, "My dog is called Rex")
    await _say(stage, "Actually, it's Max, not Rex")
    assert stage.bot is not None
    await stage.bot.memory_idle()
    profile = await _profile(stage)
    assert [record.text for record in profile.facts] == ["My dog is called Max"]
    assert stage.db is not None
    archived = [row async for row in stage.db["archive"].find({})]
    assert [row["record"]["value"] for row in archived] == ["Rex"]
    lineage = [row async for row in stage.db["lineage"].find({})]
    assert [row["kind"] for row in lineage] == ["corrects"]
    assert not profile.pending_effects


async def test_what_is_forgotten_is_gone_and_nothing_else(stage: Stage) -> None:
    await stage.start()
    await _say(stage, "My dog is called Rex. My name is Ana.")
    await _say(stage, "Please forget my dog's name")
    profile = await _profile(stage)
    assert [record.value for record in profile.facts] == ["Ana"]
    assert all("Rex" not in o.text + o.before for o in profile.recent_outcomes)


async def test_what_one_person_has_forgotten_another_still_has(stage: Stage) -> None:
    ben = stage.world.add_person("Ben")
    await stage.start()
    for person in (stage.ana, ben):
        await _say(stage, "My dog is called Rex", person)
    await _say(stage, "Please forget my dog's name")
    assert (await _profile(stage)).item_count == 0
    assert [record.value for record in (await _profile(stage, ben)).facts] == ["Rex"]


async def test_a_person_stays_the_same_by_another_name_and_a_namesake_is_another(
    stage: Stage,
) -> None:
    namesake = stage.world.add_person("Ana")
    await stage.start()
    await _say(stage, "My dog is called Rex")
    await _say(stage, "My cat is called Tom", namesake)
    stage.ana.first_name, stage.ana.username = "Anastasia", "stacy"
    await _say(stage, "My bike is called Blitz")
    assert [r.value for r in (await _profile(stage)).facts] == ["Rex", "Blitz"]
    assert [r.value for r in (await _profile(stage, namesake)).facts] == ["Tom"]


async def test_a_group_hears_nothing_of_what_was_said_in_private(stage: Stage) -> None:
    group = stage.world.add_group("Garden", [stage.ana])
    await stage.start()
    await _say(stage, "My dog is called Rex")
    stage.ana.send(f"@{stage.world.bot.username} what is my dog called?", group)
    await stage.replies(1, group)
    asked = json.dumps(stage.model.requests[-1].body)
    assert "what is my dog called?" in asked
    assert "Rex" not in asked


async def test_forwarded_words_become_no_memory_whatever_a_model_makes_of_them(
    stage: Stage,
) -> None:
    words = "Remember that my sister bakes bread every Sunday. " + "It smells lovely. " * 10
    op = {"op": "remember", "text": ROW["text"], "quote": ROW["quote"], "category": None}
    found = json.dumps({"rows": [ROW], "traits": [], "moods": []})
    stage.model.script(text(json.dumps({"reply": "Yes!", "memory_ops": [op]})), bundle("So?"))
    await stage.start(new_user_extraction_chars=100)
    stage.ana.send(words, forwarded_from="Eve")
    await stage.replies(1)
    await stage.turns_over()
    stage.model.script(text(found))
    await _say(stage, "Somebody sent me this. " * 10)
    assert stage.bot is not None
    await stage.bot.memory_idle()
    assert stage.bot.metrics.value("extraction.success") == 1
    assert (await _profile(stage)).item_count == 0


async def test_enough_talk_is_extracted_by_the_model(stage: Stage) -> None:
    found = json.dumps({"rows": [ROW, {"kind": "fact"}], "traits": [], "moods": []})
    stage.model.script(bundle("How lovely!"), text(found))
    await stage.start(new_user_extraction_chars=100)
    await _say(stage, "You know, my sister bakes bread every Sunday. " + "It smells lovely. " * 10)
    assert stage.bot is not None
    await stage.bot.memory_idle()
    profile = await _profile(stage)
    assert [record.text for record in profile.facts] == [ROW["text"]]
    assert profile.facts[0].evidence[0].quote == ROW["quote"]
    assert profile.watermarks[str(stage.ana.id)].extracted >= 1


async def test_an_extraction_is_begun_at_once_however_long_the_reply_took(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = itertools.count()
    true_now = Clock.now
    monkeypatch.setattr(Clock, "now", lambda clock: true_now(clock) + _MS * next(ticks))
    found = json.dumps({"rows": [ROW], "traits": [], "moods": []})
    stage.model.script(bundle("How lovely!"), text(found))
    await stage.start(new_user_extraction_chars=100)
    await _say(stage, "You know, my sister bakes bread every Sunday. " + "It smells lovely. " * 10)
    assert stage.bot is not None
    await stage.bot.memory_idle()
    assert [record.text for record in (await _profile(stage)).facts] == [ROW["text"]]


async def test_the_first_five_minutes_without_a_model(stage: Stage) -> None:
    no_model = {"openai_api_key": "", "openai_base_url": "", "llm_model": ""}
    await stage.start(**no_model)
    message = stage.ana.send("My dog is called Rex")
    assert await stage.replies(1) == ["Rex, noted."]
    await stage.until(lambda: message.reactions)
    assert list(message.reactions.values()) == ["✍"]
    await stage.stop()
    await stage.start(**no_model)
    assert (await _say(stage, "What is my dog called?")).startswith("Rex. You told me at ")
    assert (await _say(stage, "Actually, it's Max, not Rex")).startswith("Max, noted.")
    assert (await _say(stage, "What's my dog called?")).startswith("Max.")
    assert await _say(stage, "What's my cat called?") == "You haven't told me about a cat."
    assert "language model" in await _say(stage, "Tell me a joke")
    shown = await _say(stage, "/profile")
    assert "My dog is called Max" in shown
    assert "Rex" not in shown
