"""A playground with a real bot process, and a chromium page on it."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, async_playwright

from app.playground import BotProcess, ModelChoice, ModelVerdict, Playground
from tests.browser.product import Product

ECHO_BOT = Path(__file__).parent / "echo_bot.py"


class Connector:
    """Stands in for the composition's connect_model."""

    def __init__(self) -> None:
        self.choices: list[ModelChoice] = []
        self.verdict = ModelVerdict(False, "The provider refused the key (401).")

    async def __call__(self, choice: ModelChoice) -> ModelVerdict:
        self.choices.append(choice)
        return self.verdict

    def status(self) -> str:
        """The model line."""
        return "tiny-model" if self.verdict.ok else "none yet"


@pytest.fixture
def connector() -> Connector:
    return Connector()


@pytest.fixture
async def playground(tmp_path: Path, connector: Connector) -> AsyncIterator[Playground]:
    def environment() -> dict[str, str]:
        return {
            **os.environ,
            "BOT_BASE": playground.base_url,
            "BOT_TOKEN": playground.token,
        }

    process = BotProcess([sys.executable, str(ECHO_BOT)], environment, output=tmp_path / "bot.log")
    playground = Playground(
        bot=process, connect_model=connector, model_status=connector.status, chips=["Hi there"]
    )
    await playground.start()
    yield playground
    await playground.stop()


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    """Chromium. Where it is missing: a failure in CI, a skip elsewhere."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        if os.environ.get("CI"):
            pytest.fail("chromium is missing: apt-get install chromium")
        pytest.skip("chromium is not installed")
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser
        await browser.close()


@pytest.fixture
async def page(browser: Browser, playground: Playground) -> AsyncIterator[Page]:
    """The opened page; anything its console calls an error fails the test."""
    page = await browser.new_page(viewport={"width": 1180, "height": 760})
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda line: problems.append(line.text) if line.type == "error" else None)
    page.set_default_timeout(15_000)
    await page.goto(playground.page_url)
    yield page
    assert problems == []
    await page.close()


@pytest.fixture
async def product(tmp_path: Path) -> AsyncIterator[Product]:
    product = Product(tmp_path)
    await product.start()
    yield product
    assert await product.stop() == 0


@pytest.fixture
async def opened(browser: Browser, product: Product) -> AsyncIterator[Page]:
    page = await browser.new_page(viewport={"width": 1100, "height": 720})
    page.set_default_timeout(20_000)
    await page.goto(product.url)
    yield page
    await page.close()
