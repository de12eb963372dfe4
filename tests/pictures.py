"""The pictures of the landing page, taken of the demonstration on a running server: see `main`.

make run                                        # in another window
.venv/bin/python -m tests.pictures http://localhost:8000 gm PASSWORD
"""

from __future__ import annotations

import base64
import re
import shutil
import sys
from urllib.parse import urljoin

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from config.ops.data_directory import BASE_DIR
from tests.browsing import CHROMIUMS, FLAGS

FOLDER = BASE_DIR / "static" / "pictures"
WIDTH, HEIGHT, QUALITY = 1200, 760, 56
LANGUAGES = ("en", "fr")
CAMPAIGN = re.compile(r"/c/[0-9a-f-]{36}/$")
NOTES = {
    "en": (
        "# At the ford\n\nWe crossed at first light, the river up to our saddles. **Nobody** had asked how we "
        "would come back.",
        "The Duke’s seneschal swears he counted the banners twice. Let us hope he can count.",
    ),
    "fr": (
        "# Au gué\n\nNous avons passé à l’aube, l’eau jusqu’aux selles. **Personne** n’avait demandé comment on "
        "reviendrait.",
        "Le sénéchal du duc jure avoir compté deux fois les bannières. Espérons qu’il sait compter.",
    ),
}


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
        viewport={"width": WIDTH, "height": HEIGHT},
    )  # fmt: skip
    context.set_default_timeout(60_000)
    page = _signed_in(context, name, password)
    page.goto("/")
    page.locator("form[action='/demo/'] button").first.click()
    page.wait_for_url(CAMPAIGN)
    for subject, url in _subjects(page, language).items():
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


def _subjects(page: Page, language: str) -> dict[str, str]:
    """The pages that are shown: of the campaign that is open, and the map of one that is begun for it."""
    campaign = page.url
    found = {
        "armies": _first(page, "/armies/"), "battle": _first(page, "/battles/"), "realm": f"{campaign}time/",
        "story": f"{campaign}story/print/?order=latest",
    }  # fmt: skip
    for text in NOTES[language]:
        _write(page, found["armies"], text)
    return {**found, "map": _map(page)}


def _write(page: Page, army: str, text: str) -> None:
    page.goto(f"/notes/army/{army.rstrip('/').rpartition('/')[2]}/")
    page.fill("#note-new-text", text)
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.click("#note-write button.primary")


def _map(page: Page) -> str:
    """Two realms as their template lays them, and an army that is picked: how far it comes is shown."""
    page.goto("/campaigns/new/")
    page.click("#begin button[value=two-realms]")
    page.wait_for_url(CAMPAIGN)
    page.goto(f"{page.url}map/")
    link = page.locator("main svg a[href*='army=']").first.get_attribute("href")
    page.goto(urljoin(page.url, link))
    return page.url


def _first(page: Page, begin: str) -> str:
    links = page.locator(f"main a[href^='{begin}']").evaluate_all("links => links.map((link) => link.pathname)")
    return next(link for link in links if re.fullmatch(rf"{begin}[0-9a-f-]{{36}}/", link))


def _shot(page: Page) -> bytes:
    answer = page.context.new_cdp_session(page).send("Page.captureScreenshot", {"format": "webp", "quality": QUALITY})
    return base64.b64decode(answer["data"])


if __name__ == "__main__":
    main(*sys.argv[1:])
