"""A real browser in front of the real server: uvicorn, threads, streams, static files and all.

    def test_a_gm_founds_a_kingdom(page, sign_in, gm):
        sign_in(page, gm)
        page.goto("/")

`page` is a laptop in the light; `open_page(viewport=PHONE, dark=True, language="fr")` opens any other.
"""

from __future__ import annotations

import asyncio
import faulthandler
import os
import re
import shutil
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from itertools import filterfalse
from pathlib import Path
from typing import Any

import psutil
import pytest
from django.conf import settings
from django.db import connections
from django.db.backends.postgresql.base import DatabaseWrapper
from django.test import Client
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Error,
    Locator,
    Page,
    Playwright,
    ViewportSize,
    expect,
    sync_playwright,
)

from tests.everyday import FULL, by_turns

PATIENCE = 40
"""Seconds for what a page has to come to: a machine that has more to do than these tests is slow, and no fault."""
STALLED = 180
"""Seconds after which the browser of a test is ended (`end_browsers`), of a slow one five times as many."""
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
    # The next page of a tab is drawn in the frame of the last one: a fifth of the work of opening it less.
    "--enable-features=CDPScreenshotNewSurface,RenderDocument:level/crashed-frame",
]
AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
CONTRASTS = "color-contrast"
TARGETS = "target-size"
OF_TARGETS = re.compile(TARGETS).match
PARKED = "/healthz/"
MET = re.compile(r"/healthz/\?met$")
MEETS = """async () => {
  for (const deadline = performance.now() + 30000; performance.now() < deadline;)
    if ((await fetch("/healthz/?met", {signal: AbortSignal.timeout(10000)})).status === 204) return true;
  return false;
}"""
PAINTS = """() => new Promise((done) => {
  requestAnimationFrame(() => done(true));
  setTimeout(() => done(false), 20000);
})"""
AXE = "/axe.min.js"
LOAD = """(address) => "axe" in window || new Promise((done) => {
  const script = document.head.appendChild(document.createElement("script"));
  script.onload = script.onerror = () => { script.remove(); done("axe" in window); };
  script.src = address;
  setTimeout(() => done("axe" in window), 20000);  // a line that stalls is told by what asks next
})"""
OpenPage = Callable[..., Page]
POLICY = "Content Security Policy"
breaches: list[str] = []
"""What broke the pages' policy while a test ran, wherever it opened them: no test passes with one."""


async def axe(scope: Any, receive: Any, send: Any) -> None:
    """The script itself, from where a page may take scripts: so the browser reads it once for all pages."""
    from axe_playwright_python.base import AXE_SCRIPT

    headers = [(b"content-type", b"text/javascript; charset=utf-8"), (b"cache-control", b"max-age=3600")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": AXE_SCRIPT.encode()})


class Server:
    """Warhost as `make run` serves it, on a free port, over the test database."""

    def __init__(self) -> None:
        from config.asgi import application
        from config.web.server import build_server, listen

        self.busy = 0
        self.door = listen("127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self.door.getsockname()[1]}"
        self.uvicorn = build_server(self._counted(application), patience=1)
        self.thread = threading.Thread(target=self.uvicorn.run, kwargs={"sockets": [self.door]}, daemon=True)

    def _counted(self, application: Any) -> Any:
        async def counting(scope: Any, receive: Any, send: Any) -> None:
            self.busy += 1
            try:
                await (axe if scope.get("path") == AXE else application)(scope, receive, send)
            finally:
                self.busy -= 1

        return counting

    def settle(self, patience: float = PATIENCE) -> None:
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
    _close_pool()


@pytest.fixture
def server(transactional_db: None, _running_server: Server) -> Iterator[Server]:
    """The running server; `server.url` is its address. It is lent connections as `make run` lends them: one that
    is opened for each request costs the database more than all that is asked on it.
    """
    options = connections["default"].settings_dict["OPTIONS"]
    options["pool"] = {**settings.DATABASE_POOL, "timeout": PATIENCE}  # the machine may have more to do than this
    breaches.clear()
    yield _running_server
    _running_server.settle()
    del options["pool"]
    if (pool := DatabaseWrapper._connection_pools.get("default")) and _lends(pool.get_stats()):
        _close_pool()  # a thread that is gone gave nothing back
    assert breaches == []


def _lends(pool: dict[str, int]) -> bool:
    return pool["pool_available"] < pool["pool_size"]


def _close_pool() -> None:
    if pool := DatabaseWrapper._connection_pools.pop("default", None):
        pool.close()


class Chromium:
    """The browser of these tests, and another one in its place once it was ended (`end_browsers`)."""

    def __init__(self, playwright: Playwright) -> None:
        self._playwright = playwright
        self._browser: Browser | None = None

    @property
    def running(self) -> bool:
        return self._browser is not None and self._browser.is_connected()

    def new_context(self, **options: Any) -> BrowserContext:
        """A profile of its own; what its pages do against their policy is noted."""
        if self._browser is None or not self.running:
            executable = next(filter(None, map(shutil.which, CHROMIUMS)), None)
            assert executable, "No Chromium on this machine: `make test` says how to install it."
            self._browser = self._playwright.chromium.launch(executable_path=executable, args=FLAGS)
        context = self._browser.new_context(**options)
        context.on("console", lambda told: breaches.append(told.text[:300]) if POLICY in told.text else None)
        return context

    def close(self) -> None:
        if self._browser is not None and self.running:
            self._browser.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Chromium]:
    # Playwright keeps an event loop in this thread; Django would refuse the database beside it.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    expect.set_options(timeout=1_000 * PATIENCE)
    with sync_playwright() as playwright:
        found = Chromium(playwright)
        yield found
        found.close()


def end_stalled() -> None:
    faulthandler.dump_traceback(file=sys.__stderr__)
    end_browsers()


def end_browsers() -> None:
    """Ends the browsers of this process. What they never answered raises then, where the test waits for it: some calls
    have no time limit (a key, a move of the mouse, a script), and a run would wait for ever. The test is tried again.
    """
    for process in psutil.Process().children(recursive=True):
        if process.name().startswith("chrom"):
            with suppress(psutil.NoSuchProcess):
                process.kill()


class Profiles:
    """Contexts of one browser, each with one page: a test that opens a page gets one nobody uses now, as empty as a new
    one but for what the browser keeps of style sheets, scripts and fonts. Making them anew took half the time of these
    tests, and the first address a page opens costs it three times what the next one does.
    """

    def __init__(self, browser: Chromium) -> None:
        self.browser = browser
        self.idle: dict[str, list[Page]] = {}
        self.heard: dict[Page, list[tuple[Any, Any]]] = {}
        self.put: dict[Page, list[Any]] = {}
        self.spoilt: set[Page] = set()

    def take(self, base_url: str, **options: Any) -> tuple[str, Page]:
        kind = repr(sorted(options.items()))
        if not self.browser.running:
            self._forget()
        free = self.idle.get(kind, [])
        while free:
            page = free.pop()
            if not options.get("java_script_enabled", True) or page.evaluate(PAINTS):  # without scripts it never says
                return kind, page
            page.context.close()  # nothing on it would ever stand still to be clicked
        # A worker would keep what the next test must not see, and hide requests from a test that plays the server.
        context = self.browser.new_context(base_url=base_url, **{"service_workers": "block", **options})
        context.set_default_timeout(1_000 * PATIENCE)
        return kind, context.new_page()

    def give_back(self, kind: str, page: Page) -> None:
        """The page as it came; another one in its place where that cannot be."""
        if not self.browser.running:
            self._forget()
            return
        context = page.context
        try:
            self._empty(page)
        except Error:  # it shows nothing of ours, or has crashed
            self.spoilt.add(page)
        for other in context.pages:
            if other is not page or page in self.spoilt:
                other.close()
        context.clear_cookies()
        self.idle.setdefault(kind, []).append(context.new_page() if page in self.spoilt else page)

    def _forget(self) -> None:
        """Nothing of a browser that was ended can be used again."""
        for known in (self.idle, self.heard, self.put, self.spoilt):
            known.clear()

    def _empty(self, page: Page) -> None:
        page.evaluate("localStorage.clear(); sessionStorage.clear()")
        for event, listener in self.heard.pop(page, ()):
            page.remove_listener(event, listener)
        for thing in self.put.pop(page, ()):
            thing.close()
        page.unroute_all(behavior="ignoreErrors")
        page.goto(PARKED)
        page.mouse.move(-1, -1)

    def watch(self, patch: pytest.MonkeyPatch) -> None:
        """Notes what is put into pages, so that it is taken out again, and to which a line is laid: that one stays."""
        listen, connect = Page.on, BrowserContext.new_cdp_session

        def on(page: Page, event: Any, f: Any) -> None:
            self.heard.setdefault(page, []).append((event, f))
            listen(page, event, f)

        def new_cdp_session(context: BrowserContext, page: Any) -> Any:
            self.spoilt.add(page)
            return connect(context, page)

        patch.setattr(Page, "on", on)
        patch.setattr(BrowserContext, "new_cdp_session", new_cdp_session)
        patch.setattr(Page, "route", self._met(Page.route))
        for name in ("add_init_script", "expose_function", "expose_binding"):
            patch.setattr(Page, name, self._noting(getattr(Page, name)))

    def _met(self, route: Callable[..., None]) -> Callable[..., None]:
        """A page that is open already sends past a new route for a moment, for its process hears of it later: the route
        stands only when the page's own requests meet it.
        """

        def met(page: Page, *args: Any, **options: Any) -> None:
            route(page, *args, **options)
            if page.url == "about:blank" or page.url.endswith(PARKED):
                return
            route(page, MET, lambda met: met.fulfill(status=204))
            assert page.evaluate(MEETS), "what this page asks for does not meet its routes"
            page.unroute(MET)

        return met

    def _noting(self, put: Callable[..., Any]) -> Callable[..., Any]:
        def noting(page: Page, *args: Any, **options: Any) -> Any:
            thing = put(page, *args, **options)
            self.put.setdefault(page, []).append(thing)
            return thing

        return noting


@pytest.fixture(scope="session")
def profiles(browser: Chromium) -> Iterator[Profiles]:
    profiles = Profiles(browser)
    with pytest.MonkeyPatch.context() as patch:
        profiles.watch(patch)
        yield profiles


@pytest.fixture
def open_page(request: pytest.FixtureRequest, profiles: Profiles, server: Server) -> Iterator[OpenPage]:
    """Opens pages of their own session. Options: viewport, dark, language, still (no motion), and Playwright's."""
    taken = []
    watchdog = threading.Timer(5 * STALLED if request.node.get_closest_marker("slow") else STALLED, end_stalled)
    watchdog.daemon = True
    watchdog.start()

    def opening(
        *, viewport: ViewportSize = LAPTOP, dark: bool = False, language: str = "en", still: bool = True, **options: Any
    ) -> Page:
        taken.append(profiles.take(server.url, locale=language, **options))
        page = taken[-1][1]
        page.set_viewport_size(viewport)
        page.emulate_media(
            media="null",
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce" if still else "no-preference",
        )
        return page

    try:
        yield opening
        for kind, page in taken:
            profiles.give_back(kind, page)
    finally:
        watchdog.cancel()  # else it would end the browser of another test


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    return open_page()


@pytest.fixture
def sign_in(server: Server) -> Callable[[Page, Any], None]:
    """Gives the page's session to a user without typing a password."""
    return partial(give_session, url=server.url)


def give_session(page: Page, user: Any, url: str) -> None:
    """Signs a user in on a page, at the server of this address."""
    client = Client()
    client.force_login(user)
    value = client.cookies[settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": value, "url": url}])


@pytest.fixture
def shoot() -> Callable[[Page | Locator, str], None]:
    """Keeps a screenshot under build/shots/ where somebody wants to look: `SHOTS=1 make test ON=…`."""

    def shooting(seen: Page | Locator, name: str) -> None:
        if os.environ.get("SHOTS"):
            whole = {"full_page": True} if isinstance(seen, Page) else {}
            seen.screenshot(path=SHOTS / f"{name}.png", **whole)

    return shooting


@contextmanager
def above_the_foot(page: Page) -> Iterator[None]:
    """In a window so tall that the foot covers nothing: what it covers in part is too small for a finger, for axe."""
    before = page.viewport_size
    assert before is not None
    page.set_viewport_size({"width": before["width"], "height": 4000})
    yield
    page.set_viewport_size(before)


@pytest.fixture
def accessibility(request: pytest.FixtureRequest) -> Callable[..., list[str]]:
    """What axe finds wrong with the page as it stands (WCAG 2.2 A and AA), one line per kind and place.

    Its contrasts are half of the work: every day each fifth test looks at them, by turns, and `tests/test_contrast.py`
    holds the colours of both schemes, of which every page is made. `contrasts`: every day, for a page has colours that
    are not ours. `both`: in the full run in the other scheme as well, which is all that changes there.
    """
    turn = True in by_turns(request.node.nodeid, [True, False, False, False, False])

    def looking(page: Page, *, both: bool = False, contrasts: bool = turn) -> list[str]:
        expect(page.locator(".htmx-request")).to_have_count(0)  # what is sent is paler until it is answered
        found = _axe(page, AXE_TAGS, contrasts=contrasts)
        if any(map(OF_TARGETS, found)):
            with above_the_foot(page):
                found = [*filterfalse(OF_TARGETS, found), *_axe(page, [TARGETS])]
        if both and FULL:
            dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
            page.emulate_media(color_scheme="light" if dark else "dark")
            found += _axe(page, [CONTRASTS])
            page.emulate_media(color_scheme="dark" if dark else "light")
        return found

    return looking


OWN_LINE = "delete window.SharedWorker"
"""A script before a page's own: it has a line of its own, as without shared workers, and its requests are seen."""


def following(page: Page) -> None:
    """Wait until this page is told of what it follows."""
    await_script(page, "live.source?.readyState === EventSource.OPEN")


def await_script(page: Page, condition: str, patience: float = PATIENCE) -> None:
    """Wait until it holds on the page. Playwright's own waiting evaluates text, which the pages' policy forbids."""
    deadline = time.monotonic() + patience
    while not page.evaluate(condition):
        assert time.monotonic() < deadline, condition
        page.wait_for_timeout(20)


def overflow(page: Page) -> int:
    """By how many pixels the page is wider than its window; at most 0 where it fits."""
    page.wait_for_load_state("domcontentloaded")  # a click that leads to another page has only begun it
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


def run_apart[Result](coroutine: Coroutine[Any, Any, Result]) -> Result:
    """Run it in a thread of its own: Playwright keeps a running loop in the thread of a test that had a browser."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


def heard_by(page: Page) -> list[str]:
    """The errors the page's console tells from now on."""
    heard: list[str] = []
    page.on("console", lambda message: heard.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: heard.append(str(error)))
    return heard


def _axe(page: Page, rules: list[str], *, contrasts: bool = True) -> list[str]:
    from axe_playwright_python.base import AXE_SCRIPT

    if not page.evaluate(LOAD, AXE):  # a page without a line
        page.evaluate(AXE_SCRIPT)
    options: dict[str, Any] = {"runOnly": rules, "resultTypes": ["violations"]}
    if not contrasts:
        options["rules"] = {CONTRASTS: {"enabled": False}}
    found = page.evaluate("async (options) => (await axe.run(options)).violations", options)
    return [f"{rule['id']}: {node['target']} {node['html']}" for rule in found for node in rule["nodes"]]
