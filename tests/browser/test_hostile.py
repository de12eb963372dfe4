"""Whatever people write, pages show it as text: in a real browser, on every page and after every swap, for everybody.
And nothing on any of them, theirs or ours, is what the policy of the pages forbids.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import SimpleNamespace

import pytest
from django.test import Client
from playwright.sync_api import Error, Page

from tests.access.people import SIGNED_IN, client_of, gather
from tests.browser.hostile import SHORT, SIGN, Sower, sown_document
from tests.browsing import POLICY, breaches
from tests.faults.report import told
from tests.manners.doors import Door, doors, settle
from tests.walking import route_of
from tests.worlds import built_once

ROLES = ("gm", "player", "viewer", "stranger", "nobody")
NO_PAGES = ("/live/", "/api/v1/", "/accounts/logout/", "/static/")
AHEAD = """
window.alert = window.prompt = () => { window.__xss = "asked" }
window.confirm = () => true
document.addEventListener("securitypolicyviolation",
    (told) => window.__told(`${told.violatedDirective} ${told.blockedURI} ${told.sourceFile}`))
"""
LOOK = """(sign) => {
    const wrong = window.__xss === undefined ? [] : [`ran: ${window.__xss}`]
    const roots = [document, ...[...document.querySelectorAll("template")].map((one) => one.content)]
    for (const root of roots) for (const one of root.querySelectorAll("*"))
        for (const {name, value} of one.attributes)
            if (name === sign || name.startsWith("on") || /^\\s*javascript:/i.test(value) && name !== "value")
                wrong.push(one.outerHTML.slice(0, 200))
    const said = document.body.innerText
    if (said.includes("__xss=8>49")) wrong.push("reckoned")
    return [wrong, said.includes(sign) || [...document.querySelectorAll("input, textarea")].some(
        (one) => one.value.includes(sign))]
}"""
SWAPS = """(verb) => [...document.querySelectorAll(`[hx-${verb}]`)].map(
    (one) => new URL(one.getAttribute(`hx-${verb}`) || location.href, location.href).pathname)"""
SWAP = """async ([verb, nth]) => {
    const one = document.querySelectorAll(`[hx-${verb}]`)[nth]
    if (one) await Promise.race([
        htmx.ajax(verb.toUpperCase(), one.getAttribute(`hx-${verb}`) || location.href, {source: one}),
        new Promise((done) => setTimeout(done, 4000))])
}"""


class Eye:
    """Somebody's browser, and what is wrong with what it was shown."""

    def __init__(self, page: Page):
        self.page, self.where = page, ""
        self.wrong: dict[str, list[str]] = {}
        self.offered: dict[tuple[str, str], set[tuple[str, str]]] = {}
        self.pages = self.swaps = self.written = 0
        page.expose_function("__told", self.note)
        page.add_init_script(AHEAD)
        page.on("console", lambda said: self.note(said.text) if POLICY in said.text else None)
        page.on("pageerror", lambda error: self.note(str(error)))

    def note(self, what: str) -> None:
        self.wrong.setdefault(self.where, []).append(what[:300])

    def open(self, url: str) -> None:
        self.where = url
        self.page.goto(url)
        self.look()

    def remember(self) -> None:
        """A page more, and what it offers to swap."""
        self.pages += 1
        for verb in ("get", "post"):
            self.offered[self.where, verb] = {(verb, route_of(path)) for path in self.page.evaluate(SWAPS, verb)}

    def offers(self, url: str, verb: str, known: set[tuple[str, str]]) -> bool:
        return bool(self.offered.get((url, verb), set()) - known)

    def look(self) -> None:
        wrong, written = self.page.evaluate(LOOK, SIGN)
        self.written += written
        for found in wrong:
            self.note(found)

    def swap(self, verb: str, known: set[tuple[str, str]]) -> None:
        """Every swap the page offers that was not seen yet, one of each kind."""
        here = self.where
        for nth, path in enumerate(self.page.evaluate(SWAPS, verb)):
            if (kind := (verb, route_of(path))) in known:
                continue
            known.add(kind)
            self.where = f"{here} {verb} {path}"
            try:
                self.page.evaluate(SWAP, [verb, nth])
                self.look()
            except Error as error:  # it led to another page, which is looked at as any other
                if "context was destroyed" not in str(error):
                    raise
            self.swaps += 1
            self.page.goto(here)
        self.where = here


@built_once
def sown(transactional_db) -> SimpleNamespace:
    """A table where every kind of thing exists, whose people write markup wherever they may."""
    table = settle()
    sower = Sower(table)
    sower.sow()
    table.campaign_of_text, columns = sown_document(table)
    table.sown = SimpleNamespace(wrong=sower.wrong, taken=sower.taken, sought=sower.sought, columns=columns)
    return table


def pages_for(client: Client, headers: dict[str, str], urls: Iterable[str]) -> Iterator[str]:
    """Those that are pages to them."""
    for url in urls:
        if not url.startswith(NO_PAGES) or url.startswith("/api/v1/docs"):
            answer = client.get(url, headers=headers)
            assert answer.status_code < 500, url
            if answer.headers.get("Content-Type", "").startswith("text/html"):
                yield url


def urls_of(table: SimpleNamespace) -> list[str]:
    """Every address, with the ids of the table, those of what came in by the document, and what is looked for."""
    found = doors(table)
    arrived = [
        Door(one.pattern, one.url.replace(str(table.campaign.pk), str(table.campaign_of_text.pk))) for one in found
    ]
    return list(dict.fromkeys(door.url for door in (*found, *arrived))) + table.sown.sought


@pytest.mark.slow
def test_the_eye_sees_what_has_become_markup(open_page):
    """So that the walk can fail."""
    eye = Eye(open_page())
    eye.open("/accounts/login/")
    assert eye.wrong == {}
    eye.page.evaluate("(text) => { document.querySelector('main').innerHTML += text }", SHORT.replace("'\"></", "</"))
    eye.page.evaluate("document.body.insertAdjacentHTML('beforeend', '<p style=\"color: red\">x</p>')")
    eye.look()
    told_of = " ".join(eye.wrong["/accounts/login/"])
    assert SIGN in told_of
    assert "style-src" in told_of
    assert "style-src" in " ".join(breaches)
    breaches.clear()


@pytest.mark.slow
@pytest.mark.parametrize("role", ROLES)
def test_text_is_text_on_every_page_and_after_every_swap_and_the_policy_holds(sown, open_page, sign_in, role):
    people, known = gather(sown), set()
    eye, (client, headers) = Eye(open_page()), client_of(role, people, api=False)
    if role in SIGNED_IN:
        sign_in(eye.page, people[role])
    walked = list(pages_for(client, headers, urls_of(sown)))
    for url in walked:
        eye.open(url)
        eye.remember()
    for verb in ("get", "post"):
        for url in walked:
            if eye.offers(url, verb, known):
                eye.open(url)
                eye.swap(verb, known)
    told(f"markup written as text, seen by {role}", pages=eye.pages, swaps=eye.swaps, with_text=eye.written,
         faults=len(eye.wrong), fields=len(sown.sown.taken), columns=len(sown.sown.columns))  # fmt: skip
    assert eye.wrong == {}
    assert sown.sown.wrong == {}
    assert role != "gm" or (eye.pages > 150 and eye.swaps > 30 and eye.written > 60)
    assert len(sown.sown.taken) > 40
    assert len(sown.sown.columns) > 40
