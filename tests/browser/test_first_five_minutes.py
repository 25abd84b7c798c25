"""Somebody's first five minutes: `thinkmate start` on a machine with nothing set up."""

from __future__ import annotations

import pytest
from playwright.async_api import Locator, Page, expect

from app.services import texts
from tests.browser.product import Product
from tests.doubles.model_behaviours import bundle, hang
from tests.doubles.model_server import ModelServer

pytestmark = pytest.mark.browser
expect.set_options(timeout=20_000)


def bubbles(page: Page) -> Locator:
    return page.locator("#messages .bubble .words")


async def say(page: Page, text: str) -> None:
    await page.get_by_label("Message", exact=True).fill(text)
    await page.keyboard.press("Enter")


async def connect(page: Page, model: ModelServer) -> None:
    await page.get_by_role("button", name="Connect a model").click()
    dialog = page.locator("#model-dialog")
    await dialog.get_by_label("Provider").select_option("other")
    await dialog.get_by_label("Base URL").fill(model.base_url)
    await dialog.get_by_label("Model", exact=True).fill("scripted")
    await dialog.get_by_role("button", name="Try and connect").click()
    await expect(page.locator("#model-line")).to_contain_text("scripted")
    await dialog.get_by_role("button", name="Close").click()


async def test_a_greeting_a_chip_and_honest_words_without_a_model(opened: Page) -> None:
    await expect(bubbles(opened).first).to_have_text(texts.START)
    await expect(opened.locator("#about p")).to_have_count(2)
    await opened.locator("#chips button").first.click()
    await expect(bubbles(opened)).to_have_count(3)
    await expect(bubbles(opened).last).to_contain_text("no language model is connected")


async def test_the_kill_button_loses_nothing(opened: Page, product: Product) -> None:
    async with ModelServer() as model:
        await expect(bubbles(opened).first).to_have_text(texts.START)
        await connect(opened, model)
        assert product.env_file.stat().st_mode & 0o777 == 0o600
        tried = len(model.requests)
        model.script(hang(), bundle("I am back, and here is your answer.", "👍"))
        await say(opened, "Will you remember this?")
        await model.wait_for_requests(tried + 1)
        await opened.get_by_role("button", name="Kill and restart the bot").click()
        await expect(bubbles(opened).last).to_have_text("I am back, and here is your answer.")
        await expect(opened.locator("#notice")).to_contain_text("Nothing was lost")
        await expect(opened.locator("#notice")).to_contain_text("Back after")
        await expect(bubbles(opened)).to_have_count(3)
        await say(opened, "And another?")
        await expect(bubbles(opened)).to_have_count(5)
        prompt = str(model.requests[-1].body)
        assert "Will you remember this?" in prompt
