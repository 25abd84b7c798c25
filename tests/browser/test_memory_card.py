"""The memory card in a real browser, over whatever memory a test makes up."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from app.playground import Playground
from tests.doubles.playground import running_playground

pytestmark = pytest.mark.browser
EVIL = "<script>document.title='owned'</script><img src=x>"


def part(text: str, mark: str = "same") -> dict[str, str]:
    return {"text": text, "mark": mark}


class Memory:
    """A memory that a test writes."""

    def __init__(self) -> None:
        self.card: dict[str, Any] = {"empty": "Nothing yet.", "groups": [], "recent": []}

    async def look(self, person: int) -> dict[str, Any]:
        return self.card

    def say(self, text: str) -> None:
        item = {"id": f"m:{text}", "parts": [part(text)], "note": "today", "pinned": False}
        event = {
            "id": f"o:{text}",
            "what": "Saved",
            "changed": True,
            "parts": [part("old", "old"), part(text, "new")],
            "quote": text,
            "at": "12:00",
            "undo": "undo:o1",
        }
        groups = [{"title": "Facts", "items": [item]}]
        self.card = {"empty": "", "groups": groups, "recent": [event]}


@pytest.fixture
def memory() -> Memory:
    return Memory()


@pytest.fixture
async def watched(memory: Memory) -> AsyncIterator[Playground]:
    async with running_playground(memory=memory.look) as playground:
        person = playground.world.add_person("You")
        playground.world.post(person.chat, playground.world.bot, "Hello")
        yield playground


@pytest.fixture
async def seen(browser: Browser, watched: Playground) -> AsyncIterator[Page]:
    page = await browser.new_page(viewport={"width": 1180, "height": 760})
    await page.goto(watched.page_url)
    yield page
    await page.close()


async def test_markup_in_memory_is_text_and_news_light_up(seen: Page, memory: Memory) -> None:
    card = seen.locator("#memory")
    await expect(card).to_contain_text("Nothing yet.")
    memory.say(EVIL)
    await expect(card.locator(".memory-item.lit .memory-text")).to_have_text(EVIL)
    await expect(card.locator("blockquote")).to_have_text(f"“{EVIL}”")
    await expect(card.locator("script, img")).to_have_count(0)
    await expect(card.locator("del")).to_have_text("old")
    assert await seen.title() != "owned"


async def test_undo_presses_only_what_the_card_offers(
    seen: Page, memory: Memory, watched: Playground
) -> None:
    memory.say("tea")
    await seen.locator("#memory").get_by_role("button", name="Undo").click()
    await watched.wait_for(lambda _: watched.world.presses)
    (press,) = watched.world.presses.values()
    assert press.data == "undo:o1"
    session = await seen.locator('meta[name="session"]').get_attribute("content")
    answer = await seen.request.post(
        f"{watched.page_url}playground/memory",
        headers={"X-Playground-Session": session or ""},
        data={"person": press.person.id, "button": "gender:male"},
    )
    assert answer.status == 400
    refused = await seen.request.post(f"{watched.page_url}playground/memory", data={})
    assert refused.status == 403


async def test_a_group_has_no_memory(seen: Page, memory: Memory, watched: Playground) -> None:
    memory.say("tea")
    await expect(seen.locator("#memory")).to_contain_text("tea")
    watched.world.add_group("Garden", list(watched.world.people.values()))
    await seen.locator(".chat-item", has_text="Garden").click()
    await expect(seen.locator("#memory")).to_contain_text("Groups have no memory yet.")
    await expect(seen.locator("#memory")).not_to_contain_text("tea")


async def test_on_a_phone_the_card_opens_over_the_chat(
    browser: Browser, watched: Playground, memory: Memory
) -> None:
    page = await browser.new_page(viewport={"width": 390, "height": 780})
    await page.goto(watched.page_url)
    await expect(page.locator("#memory-body")).to_contain_text("Nothing yet.")
    await expect(page.locator("#memory")).to_be_hidden()
    memory.say("tea")
    opener = page.get_by_role("button", name="Memory", exact=True)
    await expect(opener).to_have_class("quiet fresh")
    await opener.click()
    await expect(page.locator("#memory")).to_be_visible()
    assert await page.evaluate("document.documentElement.scrollWidth") <= 390
    await page.get_by_role("button", name="Close the memory card").click()
    await expect(page.locator("#memory")).to_be_hidden()
    await page.close()
