"""Walks the pages as a reader does: every link that is shown, every form with what stands in it.

Forms are sent inside a transaction that is taken back, so one walk may try them all, the deletion of a campaign too.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from html.parser import HTMLParser
from itertools import combinations
from typing import Any
from urllib.parse import parse_qsl, urljoin, urlsplit

from django.http import Http404
from django.test import Client
from django.urls import resolve

from kingdom.models import ChronicleEntry, Membership
from tests.databases import tried

REFUSED = frozenset({400, 403, 404, 405, 410, 429})
UNFIT = 422  # a form that was not filled as it must be: shown again, with what is wrong
NOT_PAGES = ("/static/", "/live/", "/api/")
FEW = 2  # things that a link asks for
ASKS = re.compile(
    r'</?(?:a|form|input|select|textarea|button|option)\b(?:"[^"]*"|[^">])*>'
    r'|<\w+(?=[^<>]*\shx-get=)(?:"[^"]*"|[^">])*>'
)
"""The tags a reader may ask for something with: a map has a thousand others between them."""
SITE = "http://testserver"
OWN_UNDO = ("/time/undo/", "/map/paint/undo/", 'id="undo-aftermath"')
"""Where the page itself offers to take back what was done on it."""
EACH = "rules/"  # pages of one kind of which each says something else, and costs little


@cache
def route_of(path: str) -> str:
    """What answers there, or the path itself where nothing does."""
    try:
        return resolve(path).route
    except Http404:
        return path


@dataclass(frozen=True)
class Step:
    """One thing a page offers."""

    method: str
    url: str
    data: tuple[tuple[str, str], ...] = ()

    @cached_property
    def kind(self) -> tuple[str, ...]:
        """What it is, whichever thing it is about: the route and the names of what is sent with it."""
        parts = urlsplit(self.url)
        named = dict((*parse_qsl(parts.query, keep_blank_values=True), *self.data))
        types = (f"type={named[key]}" for key in ("type", "do", "action") if key in named)
        return self.method, route_of(parts.path), *sorted(named.keys() - {"csrfmiddlewaretoken"}), *types


@dataclass
class Offered:
    """The links and forms of a page."""

    base: str
    steps: list[Step] = field(default_factory=list)
    form: dict[str, Any] | None = None
    select: str = ""

    def begin(self, tag: str, given: dict[str, str]) -> None:
        if tag == "a" and "href" in given:
            self._offer("get", given["href"])
        if "hx-get" in given:
            self._offer("get", given["hx-get"])
        if tag == "form":
            self.form = {"method": given.get("method", "get"), "url": given.get("action", ""), "data": []}
            self.form["id"] = given.get("id", "")
        if tag in ("input", "select", "textarea", "button", "option"):
            self._control(tag, given)

    def _control(self, tag: str, given: dict[str, str]) -> None:
        if tag == "select":
            self.select = given.get("name", "")
            return
        chosen = tag == "option" and "selected" in given
        name = self.select if tag == "option" else given.get("name", "")
        kind = given.get("type", "text")
        ticked = kind not in ("checkbox", "radio") or "checked" in given
        if self.form is not None and name and (chosen or (tag == "input" and ticked)) and "disabled" not in given:
            self.form["data"].append((name, given.get("value", "")))
        if self.form is not None and tag == "button" and kind in ("submit", "text"):
            self.form.setdefault("buttons", []).append((name, given.get("value", "")) if name else None)

    def end(self, tag: str) -> None:
        if tag == "select":
            self.select = ""
        if tag == "form" and self.form is not None:
            for button in dict.fromkeys(self.form.get("buttons") or [None]):
                data = (*self.form["data"], *((button,) if button else ()))
                self._offer(self.form["method"].lower(), self.form["url"], data)
            self.form = None

    def _offer(self, method: str, url: str, data: tuple[tuple[str, str], ...] = ()) -> None:
        if method == "dialog" or url.startswith("#"):  # closes what the browser opened, or stays: asks nobody
            return
        whole = url.startswith("/") and not url.startswith("//")
        if address := _address(SITE if whole else self.base, url):
            self.steps.append(Step(method, address, data))


@dataclass
class Tags(HTMLParser):
    """The tags of a text: the names of those that end, and the names and attributes of those that begin."""

    found: list[tuple[str, dict[str, str] | None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attributes}))

    def handle_endtag(self, tag: str) -> None:
        self.found.append((tag, None))


@cache
def _tags(markup: str) -> list[tuple[str, dict[str, str] | None]]:
    """Kept: most of what a page offers, the last one offered, too."""
    read = Tags()
    read.feed(markup)
    return read.found


@cache
def _address(base: str, url: str) -> str:
    """What is asked for there; nothing, if that is no page of ours."""
    parts = urlsplit(urljoin(base, url))
    if parts.scheme not in ("http", "https") or parts.hostname not in ("testserver", None):
        return ""
    if parts.path.startswith(NOT_PAGES) and not url.startswith("/api/v1/docs"):
        return ""
    return parts.path + (f"?{parts.query}" if parts.query else "")


def offered(url: str, markup: str) -> list[Step]:
    page = Offered(f"{SITE}{url}")
    for asks in ASKS.findall(markup):
        for tag, given in _tags(asks):
            if given is None:
                page.end(tag)
            else:
                page.begin(tag, given)
    return page.steps


class Walk:
    """From a page to every page. `links`, `forms`: how many of one kind are tried; `spare`: kinds that are not; `past`:
    how the routes begin that it goes past.

    `links` None: a page is asked for every thing, and for as many of them together as `together` says, not for each
    combination of many; and a form is sent by each of its buttons and with everything it may carry, not by each button
    with each.
    """

    def __init__(
        self, user: Any, *, links: int | None = None, forms: int = 1, spare: Iterable[tuple[str, ...]] = (),
        past: tuple[str, ...] = (), language: str = "en", together: int = 1,
    ):  # fmt: skip
        self.client = Client(headers={"Accept-Language": language})
        if user is not None:
            self.client.force_login(user)
        self.most = {"get": links or 1, "post": forms}
        self.few = links is None
        self.together = {"get": together, "post": 1}
        self.asked: defaultdict[tuple[str, str], set[tuple[str, ...]]] = defaultdict(set)
        self.spare = frozenset(spare)
        self.past = past
        self.seen: set[Step] = set()
        self.opened: set[str] = set()
        self.tried: Counter[tuple[str, ...]] = Counter()
        self.user = user
        self.faults: list[str] = []
        self.for_good: list[str] = []
        self.pages: list[str] = []
        self.shown: dict[str, str] = {}
        self.refused: dict[str, str] = {}

    def from_(self, *starts: str) -> Walk:
        waiting = deque((Step("get", start), "the start") for start in starts)
        while waiting:
            step, shown_on = waiting.popleft()
            waiting.extend((found, step.url) for found in self._take(step, shown_on))
        return self

    def _take(self, step: Step, shown_on: str) -> Iterator[Step]:
        if step in self.seen:
            return
        self.seen.add(step)  # what is gone past once is gone past again
        if step.kind in self.spare or self.tried[step.kind] >= self._most(step):
            return
        if step.kind[1].startswith(self.past):
            return
        if self.few and not self._asks_anew(step):
            return
        self.tried[step.kind] += 1
        response = self._send(step)
        if response.status_code in REFUSED or response.status_code >= 500:
            self.faults.append(f"{response.status_code} {step.method} {step.url} {dict(step.data)} on {shown_on}")
        if step.method == "get" and response.status_code == 200 and "text/html" in response["Content-Type"]:
            markup = response.content.decode()
            self.pages.append(step.url)
            self.opened.add(route_of(urlsplit(step.url).path))
            self.shown[response.request["PATH_INFO"]] = markup
            yield from offered(response.request["PATH_INFO"], markup)
        if response.status_code == UNFIT and "text/html" in response["Content-Type"]:
            self.refused[step.url] = response.content.decode()
        if step.method == "post":
            self._ask_for(step.url)

    def _most(self, step: Step) -> int:
        return 1_000 if step.kind[1].startswith(EACH) else self.most[step.method]

    def _asks_anew(self, step: Step) -> bool:
        """Whether it asks for something, or for things together, that this address was not asked for yet; what asks
        for little, and a link that asks for a deed, always does.
        """
        method, route, *names = step.kind
        asked = {*combinations(names, self.together[method])} - self.asked[method, route]
        self.asked[method, route] |= asked
        deed = method == "get" and any(name.startswith("type=") for name in names)
        return bool(asked) or deed or len(names) <= FEW

    def _ask_for(self, url: str) -> None:
        """The address of a form, opened like a page, one of each route that was not shown as one: one that only takes
        what is sent says so, and leads on.
        """
        if (route := route_of(urlsplit(url).path)) in self.opened:
            return
        self.opened.add(route)
        response = self.client.get(url, follow=True)
        if response.status_code != 405:
            return
        page = response.content.decode()
        way = next((step.url for step in offered(url, page.partition("<main")[2]) if step.method == "get"), "")
        if way not in self.pages and (not way or self.client.get(way, follow=True).status_code != 200):
            self.faults.append(f"405 get {url} leads to {way or 'nothing'}")

    def _send(self, step: Step) -> Any:
        data: dict[str, list[str]] = {}
        for name, value in step.data:
            data.setdefault(name, []).append(value)
        if step.method == "get":
            return self.client.get(step.url, data or None, follow=True)
        cookies = self.client.cookies.copy()
        with tried():
            before = ChronicleEntry.objects.order_by("-pk").first()
            response = self.client.post(step.url, data, follow=True)
            if response.status_code == 200 and before is not None and not self._may_undo(before, response):
                self.for_good.append(f"{step.url} {dict(step.data)}")
        self.client.cookies = cookies
        return response

    def _may_undo(self, before: ChronicleEntry, response: Any) -> bool:
        """Whether the GM is offered at once to take back what they have just done, if it is one entry and they may."""
        tables = Membership.objects.filter(user=self.user, role="gm").values("campaign")
        match list(ChronicleEntry.objects.filter(pk__gt=before.pk, undone_at=None, campaign__in=tables)):
            case [entry] if entry.changes:
                shown = response.content.decode()
                return any(way in shown for way in (f"/chronicle/{entry.pk}/undo/", *OWN_UNDO))
        return True
