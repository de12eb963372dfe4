"""A real browser in front of the real server: uvicorn, threads, streams, static files and all.

    def test_a_gm_founds_a_kingdom(page, sign_in, gm):
        sign_in(page, gm)
        page.goto("/")

`page` is a laptop in the light; `open_page(viewport=PHONE, dark=True, language="fr")` opens any other.
"""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Error, Locator, Page, ViewportSize, expect, sync_playwright

LAPTOP: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}
NARROW: ViewportSize = {"width": 320, "height": 640}
SHOTS = Path(__file__).resolve().parent.parent / "build" / "shots"
# The first is the same engine without the parts of a browser nobody sees here: a third of the work less.
CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--renderer-process-limit=1",  # the pages of a context share one: what it keeps of styles and scripts, too
    "--js-flags=--no-turbofan --no-maglev",  # no script of a test runs long enough to be worth optimising
]
AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
PARKED = "/healthz/"
OpenPage = Callable[..., Page]


class Server:
    """Warhost as `make run` serves it, on a free port, over the test database."""

    def __init__(self) -> None:
        from config.asgi import application
        from config.web.server import listen, server

        self.busy = 0
        self.door = listen("127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self.door.getsockname()[1]}"
        self.uvicorn = server(self._counted(application), patience=1)
        self.thread = threading.Thread(target=self.uvicorn.run, kwargs={"sockets": [self.door]}, daemon=True)

    def _counted(self, application: Any) -> Any:
        async def counting(scope: Any, receive: Any, send: Any) -> None:
            self.busy += 1
            try:
                await application(scope, receive, send)
            finally:
                self.busy -= 1

        return counting

    def settle(self, patience: float = 5) -> None:
        """Wait until nothing is under way: a request that outlives its test would meet the emptied database."""
        deadline = time.monotonic() + patience
        while self.busy and time.monotonic() < deadline:
            time.sleep(0.01)

    def start(self) -> None:
        self.thread.start()
        while not self.uvicorn.started:
            time.sleep(0.01)

    def stop(self) -> None:
        self.uvicorn.should_exit = True
        self.thread.join(timeout=10)
        self.door.close()


@pytest.fixture(scope="session")
def _running_server(django_db_setup: None) -> Iterator[Server]:
    server = Server()
    server.start()
    yield server
    server.stop()


@pytest.fixture
def server(transactional_db: None, _running_server: Server) -> Iterator[Server]:
    """The running server; `server.url` is its address."""
    yield _running_server
    _running_server.settle()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    executable = next(filter(None, map(shutil.which, CHROMIUMS)), None)
    assert executable, "No Chromium on this machine: `make test` says how to install it."
    # Playwright keeps an event loop in this thread; Django would refuse the database beside it.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        yield browser
        browser.close()


class Profiles:
    """Contexts of one browser: a test that opens a page gets one nobody uses now, as empty as a new one but for what
    the browser keeps of style sheets, scripts and fonts. Making them anew took half the time of these tests. A page
    that stays keeps the process alive in which the next one is drawn.
    """

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.idle: dict[str, list[BrowserContext]] = {}

    def take(self, base_url: str, **options: Any) -> tuple[str, BrowserContext]:
        kind = repr(sorted(options.items()))
        if free := self.idle.get(kind):
            return kind, free.pop()
        # A worker would keep what the next test must not see, and hide requests from a test that plays the server.
        context = self.browser.new_context(base_url=base_url, **{"service_workers": "block", **options})
        context.set_default_timeout(10_000)
        context.new_page().goto(PARKED)
        return kind, context

    def give_back(self, kind: str, context: BrowserContext) -> None:
        for page in context.pages[1:]:
            with suppress(Error):  # it shows nothing of ours, or has crashed
                page.evaluate("localStorage.clear()")
            page.close()
        context.clear_cookies()
        self.idle.setdefault(kind, []).append(context)


@pytest.fixture(scope="session")
def profiles(browser: Browser) -> Profiles:
    return Profiles(browser)


@pytest.fixture
def open_page(profiles: Profiles, server: Server) -> Iterator[OpenPage]:
    """Opens pages of their own session. Options: viewport, dark, language, still (no motion), and Playwright's."""
    taken = []

    def opening(
        *, viewport: ViewportSize = LAPTOP, dark: bool = False, language: str = "en", still: bool = True, **options: Any
    ) -> Page:
        taken.append(profiles.take(server.url, locale=language, **options))
        page = taken[-1][1].new_page()
        page.set_viewport_size(viewport)
        page.emulate_media(
            color_scheme="dark" if dark else "light", reduced_motion="reduce" if still else "no-preference"
        )
        return page

    yield opening
    for kind, context in taken:
        profiles.give_back(kind, context)


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    return open_page()


@pytest.fixture
def sign_in(server: Server) -> Callable[[Page, Any], None]:
    """Gives the page's session to a user without typing a password."""

    def signing_in(page: Page, user: Any) -> None:
        client = Client()
        client.force_login(user)
        value = client.cookies[settings.SESSION_COOKIE_NAME].value
        page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": value, "url": server.url}])

    return signing_in


@pytest.fixture
def shoot() -> Callable[[Page | Locator, str], None]:
    """Keeps a screenshot under build/shots/ where somebody wants to look: `SHOTS=1 make test ON=…`."""

    def shooting(seen: Page | Locator, name: str) -> None:
        if os.environ.get("SHOTS"):
            whole = {"full_page": True} if isinstance(seen, Page) else {}
            seen.screenshot(path=SHOTS / f"{name}.png", **whole)

    return shooting


@pytest.fixture
def accessibility() -> Callable[..., list[str]]:
    """What axe finds wrong with the page as it stands (WCAG 2.2 A and AA), one line per kind and place.

    `both`: its colours in the other scheme as well, which is all that changes there.
    """

    def looking(page: Page, *, both: bool = False) -> list[str]:
        expect(page.locator(".htmx-request")).to_have_count(0)  # what is sent is paler until it is answered
        found = _axe(page, AXE_TAGS)
        if both:
            dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
            page.emulate_media(color_scheme="light" if dark else "dark")
            found += _axe(page, ["color-contrast"])
            page.emulate_media(color_scheme="dark" if dark else "light")
        return found

    return looking


def overflow(page: Page) -> int:
    """By how many pixels the page is wider than its window; at most 0 where it fits."""
    page.wait_for_load_state("domcontentloaded")  # a click that leads to another page has only begun it
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


def heard_by(page: Page) -> list[str]:
    """The errors the page's console tells from now on."""
    heard: list[str] = []
    page.on("console", lambda message: heard.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: heard.append(str(error)))
    return heard


def _axe(page: Page, rules: list[str]) -> list[str]:
    from axe_playwright_python.base import AXE_SCRIPT

    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    options = {"runOnly": rules, "resultTypes": ["violations"]}
    found = page.evaluate("async (options) => (await axe.run(options)).violations", options)
    return [f"{rule['id']}: {node['target']} {node['html']}" for rule in found for node in rule["nodes"]]
