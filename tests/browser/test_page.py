"""The page in a real browser, in front of a real bot process."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from app.playground import ModelVerdict, Playground
from tests.browser.conftest import Connector

pytestmark = pytest.mark.browser
expect.set_options(timeout=15_000)


def bubbles(page: Page) -> Locator:
    return page.locator("#messages .bubble .words")


async def say(page: Page, text: str) -> None:
    await page.get_by_label("Message", exact=True).fill(text)
    await page.keyboard.press("Enter")


async def greeted(page: Page) -> None:
    await expect(bubbles(page).first).to_have_text("Hello, I am an echo.")


async def test_the_chat_opens_with_the_greeting_and_chips(
    page: Page, playground: Playground
) -> None:
    await greeted(page)
    await expect(page.locator("#about p")).to_have_count(2)
    await expect(page.locator("#bot-text")).to_have_text("online")
    await page.get_by_role("button", name="Hi there").click()
    await expect(bubbles(page)).to_have_text(["Hello, I am an echo.", "Hi there", "Echo: Hi there"])
    await expect(page.locator(".quote")).to_contain_text("Hi there")
    await expect(page.locator(".mine .reactions button")).to_have_text("👍")
    await page.reload()
    await expect(bubbles(page)).to_have_count(3)
    person = next(iter(playground.world.people.values()))
    assert [m.text for m in person.chat.messages.values()].count("/start") == 1


async def test_formatting_is_shown_and_markup_is_only_text(page: Page) -> None:
    await greeted(page)
    await say(page, "formatting")
    await expect(bubbles(page).last.locator("strong")).to_have_text("bold")
    await expect(bubbles(page).last.locator("code")).to_have_text("<b>code</b>")
    link = bubbles(page).last.locator("a")
    await expect(link).to_have_attribute("href", "https://example.com/")
    await expect(link).to_have_attribute("rel", "noopener noreferrer")
    await say(page, "<img src=x onerror=alert(1)>")
    await expect(bubbles(page).last).to_have_text("Echo: <img src=x onerror=alert(1)>")
    await expect(page.locator("#messages img")).to_have_count(0)


async def test_buttons_replies_edits_and_reactions(page: Page, playground: Playground) -> None:
    await greeted(page)
    await say(page, "buttons")
    await page.get_by_role("button", name="Press me").click()
    await expect(bubbles(page).last).to_have_text("Pressed")
    await expect(page.locator("#notice")).to_have_text("Thank you")
    mine = page.locator(".line.mine").last
    await mine.hover()
    await mine.get_by_role("button", name="Edit").click()
    await say(page, "button")
    await expect(mine.locator(".words")).to_have_text("button")
    await expect(mine.locator(".stamp")).to_contain_text("edited")
    theirs = page.locator('.line[data-from="bot"]').first
    await theirs.hover()
    await theirs.get_by_role("button", name="React").click()
    await page.locator("#reaction-grid button").first.click()
    await expect(theirs.locator(".reactions button")).to_have_attribute("aria-pressed", "true")
    await theirs.get_by_role("button", name="Reply").click()
    await say(page, "to you")
    await expect(page.locator(".line.mine").last.locator(".quote")).to_contain_text("an echo")


async def test_typing_and_command_suggestions(page: Page) -> None:
    await greeted(page)
    await say(page, "think")
    await expect(page.locator("#typing")).to_be_visible()
    await expect(page.locator("#bot-text")).to_have_text("typing…")
    await page.get_by_label("Message", exact=True).fill("/st")
    await expect(page.locator("#suggestions li")).to_have_count(1)
    await page.keyboard.press("Enter")
    await expect(bubbles(page).last).to_have_text("Hello, I am an echo.")
    await expect(page.locator("#typing")).to_be_hidden()


async def test_the_kill_button_tells_how_long_it_took_and_what_waited(
    page: Page, playground: Playground
) -> None:
    await greeted(page)
    assert playground.bot_process is not None
    first = playground.bot_process.pid
    await page.get_by_role("button", name="Kill and restart").click()
    await expect(page.locator("#notice")).to_contain_text("Away for")
    await say(page, "are you there?")
    await expect(page.locator("#notice")).to_contain_text("1 message waiting")
    await expect(page.locator("#notice")).to_contain_text(
        "1 message waited and was answered. Nothing was lost."
    )
    await expect(page.locator("#notice")).to_contain_text("Back after")
    await expect(bubbles(page).last).to_have_text("Echo: are you there?")
    assert playground.bot_process.pid not in (None, first)


async def test_people_groups_and_blocking(page: Page, playground: Playground) -> None:
    await greeted(page)
    await page.get_by_role("button", name="New person").click()
    await page.get_by_label("Name").fill("Ben <b>")
    await page.get_by_role("button", name="Add").click()
    await expect(page.locator("#chat-title")).to_have_text("ThinkMate, with Ben <b>")
    await greeted(page)
    await page.get_by_role("button", name="Block the bot").click()
    message = page.get_by_label("Message", exact=True)
    await expect(message).to_be_disabled()
    await page.get_by_role("button", name="Unblock the bot").click()
    await expect(message).to_be_enabled()
    await page.get_by_role("button", name="New group").click()
    await page.get_by_label("Title").fill("Garden")
    await page.get_by_role("button", name="Create").click()
    await page.get_by_label("Speaking as").select_option("Ben <b>")
    await page.get_by_label("Message", exact=True).fill("hi @thinkmate_bot")
    await page.keyboard.press("Enter")
    await expect(bubbles(page).last).to_have_text("Echo: hi @thinkmate_bot")
    assert len(playground.world.groups) == 1


async def test_connecting_a_model_shows_the_verdict_and_forgets_the_key(
    page: Page, connector: Connector
) -> None:
    await page.get_by_role("button", name="Connect a model").click()
    await page.get_by_label("Provider").select_option("openrouter")
    await expect(page.get_by_label("Base URL")).to_have_value("https://openrouter.ai/api/v1")
    await page.get_by_label("API key").fill("sk-canary")
    await page.get_by_role("button", name="Try and connect").click()
    await expect(page.locator(".verdict")).to_have_text("The provider refused the key (401).")
    connector.verdict = ModelVerdict(True, "It answers.")
    await page.get_by_role("button", name="Try and connect").click()
    await expect(page.locator(".verdict")).to_have_text("It answers.")
    await expect(page.get_by_label("API key")).to_have_value("")
    await expect(page.locator("#model-line")).to_have_text("Model: tiny-model")
    assert connector.choices[0].key == "sk-canary"
    assert "sk-canary" not in await page.content()


async def test_a_phone_shows_the_chat_or_the_list(browser: Browser, playground: Playground) -> None:
    page = await browser.new_page(viewport={"width": 390, "height": 780})
    await page.goto(playground.page_url)
    await greeted(page)
    await expect(page.locator("nav.side")).to_be_hidden()
    width = await page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390
    await page.get_by_role("button", name="Back to the chats").click()
    await expect(page.locator("nav.side")).to_be_visible()
    await page.locator(".chat-item").first.click()
    await expect(page.locator("nav.side")).to_be_hidden()
    await page.close()
