"""Somebody's first five minutes with memory: told, killed, asked, corrected, taken back."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Locator, Page, expect

from app.services import texts
from tests.browser.product import Product
from tests.browser.test_first_five_minutes import bubbles, connect, say
from tests.doubles.model_behaviours import bundle
from tests.doubles.model_server import ModelServer

pytestmark = pytest.mark.browser
expect.set_options(timeout=20_000)

REX, MAX = "My dog is called Rex", "Actually, it's Max, not Rex"


async def ask(page: Page, words: str) -> Locator:
    """Say something; the bot's answer to it, once it is there."""
    before = await bubbles(page).count()
    await say(page, words)
    await expect(bubbles(page)).to_have_count(before + 2)
    return bubbles(page).last


def item(page: Page) -> Locator:
    """The one record on the card."""
    return page.locator("#memory .memory-item")


def latest(page: Page) -> Locator:
    """What happened last, on the card."""
    return page.locator("#memory .event").first


async def greeted(page: Page) -> None:
    await expect(bubbles(page)).to_have_text([texts.START])


async def reads_max_for_rex(place: Locator) -> None:
    await expect(place.locator("del")).to_have_text("Rex")
    await expect(place.locator("ins")).to_have_text("Max")


async def test_with_memory_and_no_model(opened: Page, product: Product) -> None:
    await greeted(opened)
    await expect(opened.locator("#memory")).to_contain_text("I don't remember anything about you")
    await expect(await ask(opened, REX)).to_have_text("Rex, noted.")
    await expect(opened.locator(".line.mine .reactions button")).to_have_text("✍")
    await expect(opened.locator("#memory .memory-item.lit .memory-text")).to_have_text(REX)
    await expect(latest(opened).locator("blockquote")).to_have_text(f"“{REX}”")

    await product.kill()
    await product.start()
    await opened.goto(product.url)
    await greeted(opened)
    await expect(item(opened).locator(".memory-text")).to_have_text(REX)
    told = re.compile(r"^Rex\. You told me (yesterday )?at \d\d:\d\d\.$")
    await expect(await ask(opened, "What is my dog called?")).to_have_text(told)

    await ask(opened, MAX)
    await reads_max_for_rex(item(opened))
    await reads_max_for_rex(latest(opened))
    await expect(await ask(opened, "What's my cat called?")).to_have_text(
        "You haven't told me about a cat."
    )
    await expect(await ask(opened, "Tell me a joke")).to_contain_text("no language model")

    await latest(opened).get_by_role("button", name="Undo").click()
    await expect(bubbles(opened).last).to_have_text(f'Taken back. I have "{REX}" again.')
    await expect(item(opened).locator(".memory-text")).to_have_text(REX)
    await expect(item(opened).locator("del")).to_have_count(0)
    await expect(latest(opened).locator("strong")).to_have_text("Taken back")
    await expect(await ask(opened, "What is my dog called?")).to_have_text(told)


async def test_with_memory_and_a_model(opened: Page) -> None:
    async with ModelServer() as model:
        await greeted(opened)
        await connect(opened, model)
        model.script(bundle("Rex! A fine name."), bundle("Max it is."))
        await expect(await ask(opened, REX)).to_have_text("Rex! A fine name.")
        await expect(item(opened).locator(".memory-text")).to_have_text(REX)
        await expect(await ask(opened, MAX)).to_have_text("Max it is.")
        await reads_max_for_rex(item(opened))
        await reads_max_for_rex(latest(opened))
        prompt = str(model.requests[-1].body)
        assert "My dog is called Max" in prompt
        await latest(opened).get_by_role("button", name="Undo").click()
        await expect(bubbles(opened).last).to_have_text(f'Taken back. I have "{REX}" again.')
        await expect(item(opened).locator(".memory-text")).to_have_text(REX)


async def test_on_the_bots_death_the_card_stays_and_goes_on_afterwards(opened: Page) -> None:
    await greeted(opened)
    await ask(opened, REX)
    await expect(item(opened)).to_have_count(1)
    await opened.get_by_role("button", name="Kill and restart the bot").click()
    await expect(opened.locator("#notice")).to_contain_text("Back after")
    await expect(item(opened).locator(".memory-text")).to_have_text(REX)
    await ask(opened, MAX)
    await reads_max_for_rex(item(opened))
