"""The pictures of the landing page, taken of the demonstration on a running server: see `main`.

make run                                        # in another window
.venv/bin/python -m tests.pictures http://localhost:8000 gm PASSWORD
"""

from __future__ import annotations

import base64
import re
import shutil
import sys

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from config.home import BASE_DIR
from tests.browsing import CHROMIUMS, FLAGS

FOLDER = BASE_DIR / "static" / "pictures"
WIDTH, HEIGHT, SCALE, QUALITY = 1200, 760, 0.6, 56
LANGUAGES = ("en", "fr")


def main(address: str, name: str, password: str) -> None:
    """Opens a demonstration in each language and takes each picture in both themes."""
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        executable = next(filter(None, map(shutil.which, CHROMIUMS)))
        browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        for language in LANGUAGES:
            _in_language(browser, address, language, name, password)


def _in_language(browser: Browser, address: str, language: str, name: str, password: str) -> None:
    context = browser.new_context(
        base_url=address, locale=language, reduced_motion="reduce", service_workers="block",
        viewport={"width": WIDTH, "height": HEIGHT}, device_scale_factor=SCALE,
    )  # fmt: skip
    context.set_default_timeout(60_000)
    page = _signed_in(context, name, password)
    page.goto("/")
    page.locator("form[action='/demo/'] button").first.click()
    page.wait_for_url(re.compile(r"/c/[0-9a-f-]{36}/"))
    for subject, url in _subjects(page).items():
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            page.goto(url)
            page.evaluate("document.fonts.ready.then(() => true)")
            (FOLDER / f"{subject}-{language}-{theme}.webp").write_bytes(_shot(page))
    context.close()


def _signed_in(context: BrowserContext, name: str, password: str) -> Page:
    page = context.new_page()
    page.goto("/accounts/login/")
    page.fill("#id_login", name)
    page.fill("#id_password", password)
    page.click("main button[type=submit]")
    page.wait_for_url("**/")
    return page


def _subjects(page: Page) -> dict[str, str]:
    """The pages that are shown, of the campaign that is open."""
    campaign = page.url
    battle = _first(page, "/battles/")
    army = _first(page, "/armies/")
    return {"armies": army, "battle": battle, "realm": f"{campaign}time/"}


def _first(page: Page, begin: str) -> str:
    links = page.locator(f"main a[href^='{begin}']").evaluate_all("links => links.map((link) => link.pathname)")
    return next(link for link in links if re.fullmatch(rf"{begin}[0-9a-f-]{{36}}/", link))


def _shot(page: Page) -> bytes:
    answer = page.context.new_cdp_session(page).send("Page.captureScreenshot", {"format": "webp", "quality": QUALITY})
    return base64.b64decode(answer["data"])


if __name__ == "__main__":
    main(*sys.argv[1:])
