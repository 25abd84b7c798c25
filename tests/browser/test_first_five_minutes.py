"""Somebody's first five minutes: `thinkmate start` on a machine with nothing set up."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from app.services import texts
from tests.doubles.model_behaviours import bundle, hang
from tests.doubles.model_server import ModelServer

pytestmark = pytest.mark.browser
expect.set_options(timeout=20_000)
ROOT = Path(__file__).parents[2]
FORGOTTEN = ("OPENAI_", "LLM_", "TELEGRAM_", "MONGODB_", "WEBHOOK_", "HTTP_")


class Product:
    """The program as a person starts it."""

    def __init__(self, process: asyncio.subprocess.Process, url: str, env_file: Path) -> None:
        self.process = process
        self.url = url
        self.env_file = env_file


@pytest.fixture
async def product(tmp_path: Path) -> AsyncIterator[Product]:
    env = {k: v for k, v in os.environ.items() if not k.startswith(FORGOTTEN)}
    env_file = tmp_path / ".env"
    env.update(
        DATA_DIR=str(tmp_path / "data"),
        PLAYGROUND_PORT="0",
        THINKMATE_ENV_FILE=str(env_file),
        MESSAGE_BATCH_DELAY_SECS="0.3",
    )
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "app", "start", "--no-browser"),
        cwd=ROOT,
        env=env,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    async with asyncio.timeout(30):
        while b"playground is open at" not in (line := await process.stdout.readline()):
            assert line, "the program ended before its page could be opened"
    url = line.decode().split("open at ")[1].split()[0]
    yield Product(process, url, env_file)
    process.send_signal(signal.SIGINT)
    assert await process.wait() == 0


@pytest.fixture
async def opened(browser: Browser, product: Product) -> AsyncIterator[Page]:
    page = await browser.new_page(viewport={"width": 1100, "height": 720})
    page.set_default_timeout(20_000)
    await page.goto(product.url)
    yield page
    await page.close()


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
