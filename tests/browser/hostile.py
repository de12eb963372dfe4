"""Text that would be markup wherever somebody forgot to write it as text, sown into every field that takes text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from types import SimpleNamespace
from typing import Any, NamedTuple
from urllib.parse import urlencode

import pytest
from django.db import transaction
from django.test import Client

from kingdom.archive import services as archive_services
from kingdom.models import Membership
from rules.core.errors import Refusal
from tests.kingdom.archive.journeys import ID, bring_in, taken_along
from tests.kingdom.conftest import key_of
from tests.manners.blows import paths_of, with_one
from tests.manners.doors import doors
from tests.manners.operations import Operation, operations_at
from tests.walking import route_of

SIGN = "data-xss"
"""An attribute nobody else writes: an element that has it was somebody's text."""
LONG = "\n\n".join((
    f"<script {SIGN}>window.__xss=1</script>", f"<img src=x {SIGN} onerror=window.__xss=2>",
    f"<svg {SIGN} onload=window.__xss=3>", f"\" {SIGN} autofocus onfocus=\"window.__xss=4",
    f"' {SIGN} autofocus onfocus='window.__xss=5", "javascript:window.__xss=6", "[x](javascript:window.__xss=7)",
    f"[y](https://x.example/\"{SIGN}=\")", "{{7*7}}{% debug %}${7*7}#{7*7}",
    f"</textarea></title></style></script><b {SIGN}>", f"<!-- {SIGN}", f"&lt;b {SIGN}&gt;", f"\u2028<b {SIGN}>\u2029",
))  # fmt: skip
SHORT = f"x'\"></textarea></script><b {SIGN} onclick=__xss=8>{{{{7*7}}}}\u2028"
TINY = f"'\"><b {SIGN}>{{{{7*7}}}}"
TEXTS = (LONG, SHORT, TINY)
TYPED = ("text", "search", "")
SECRET = ("password",)
UNTOUCHED = ("csrfmiddlewaretoken", "next")


class Form(NamedTuple):
    """As a browser would send it. `texts`: its fields that take any text."""

    method: str
    url: str
    data: dict[str, list[str]]
    texts: list[str]
    secret: bool


class Forms(HTMLParser):
    """The forms of a page, in order."""

    def __init__(self, url: str, markup: str):
        super().__init__()
        self.url, self.found, self.select, self.area = url, [], "", ""
        self.feed(markup)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        given = {name: value or "" for name, value in attrs}
        name, kind = given.get("name", ""), given.get("type", "")
        if tag == "form":
            action = given.get("action") or given.get("hx-post") or self.url
            self.found.append(Form(given.get("method", "get").lower(), action, {}, [], False))
        elif not self.found or "disabled" in given:
            return
        elif tag == "select":
            self.select = name
        elif tag == "option" and "selected" in given and self.select:
            self._put(self.select, given.get("value", ""))
        elif tag == "textarea" and name:
            self.area = name
            self._put(name, "", text=True)
        elif tag == "input" and kind in SECRET:
            self.found[-1] = self.found[-1]._replace(secret=True)
        elif tag == "input" and name and (kind not in ("checkbox", "radio") or "checked" in given):
            self._put(name, given.get("value", ""), text=kind in TYPED and name not in UNTOUCHED)

    def handle_endtag(self, tag: str) -> None:
        if tag in ("select", "textarea"):
            self.select = self.area = ""

    def handle_data(self, data: str) -> None:
        if self.area:
            self.found[-1].data[self.area][-1] += data

    def _put(self, name: str, value: str, *, text: bool = False) -> None:
        self.found[-1].data.setdefault(name, []).append(value)
        if text and name not in self.found[-1].texts:
            self.found[-1].texts.append(name)


class Foreign(HTMLParser):
    """What of our texts has become markup."""

    def __init__(self, markup: str):
        super().__init__()
        self.found: list[str] = []
        self.feed(markup)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        for name, value in attrs:
            if name == SIGN or name.startswith("on") or (value or "").strip().lower().startswith("javascript:"):
                self.found.append(f"<{tag} {name}={value}>")

    def handle_data(self, data: str) -> None:
        if self.cdata_elem and SIGN in data:
            self.found.append(f"in <{self.cdata_elem}>: {data[:80]}")

    def handle_comment(self, data: str) -> None:
        if SIGN in data:
            self.found.append(f"<!--{data[:80]}-->")


def foreign(markup: str) -> list[str]:
    return Foreign(markup).found


class Sower:
    """The GM of a table, who writes such text wherever they may. What made them lose the table is taken back."""

    def __init__(self, table: SimpleNamespace):
        self.table, self.client = table, Client(raise_request_exception=False)
        self.client.force_login(table.gm)
        self.key = {"Authorization": f"Token {key_of(table.gm)}"}
        self.wrong: dict[str, list[str]] = {}
        self.taken: set[tuple[str, str]] = set()
        self.sought: list[str] = []
        self.known: set[tuple[str, ...]] = set()

    def sow(self) -> None:
        self.by_api()
        self.by_forms()

    def by_forms(self) -> None:
        for door in doors(self.table):
            if door.api or door.url.startswith("/live/") or "logout" in door.url:
                continue
            page = self.client.get(door.url)
            if page.status_code == 200 and page.headers["Content-Type"].startswith("text/html"):
                for form in Forms(door.url, page.content.decode()).found:
                    self._fill(form)

    def _fill(self, form: Form) -> None:
        kind = (form.method, route_of(form.url.partition("?")[0]), *form.data)
        if kind in self.known or form.secret or not form.texts:
            return
        self.known.add(kind)
        if form.method == "get":
            self.sought += [f"{form.url}?{urlencode({**form.data, name: SHORT}, doseq=True)}" for name in form.texts]
            return
        for text in TEXTS:
            if self._sent(form, {**form.data, **{name: [text] for name in form.texts}}, *form.texts):
                return
        for name in form.texts:
            any(self._sent(form, {**form.data, name: [text]}, name) for text in TEXTS)

    def _sent(self, form: Form, data: dict[str, list[str]], *names: str) -> bool:
        def send() -> Any:
            return self.client.post(form.url, data)

        return self._done(f"POST {route_of(form.url.partition('?')[0])}", names, send, {301, 302, 303, 204})

    def by_api(self) -> None:
        for one in operations_at(self.table):
            if one.method != "GET" and isinstance(one.body, dict):
                for place in paths_of(one.body):
                    found = _at(one.body, place)
                    if isinstance(found, str) and not ID.fullmatch(found):
                        any(self._told(one, place, text) for text in (SHORT, TINY))

    def _told(self, one: Operation, place: tuple[Any, ...], text: str) -> bool:
        self.table.battle.refresh_from_db()
        version = {"If-Match": f'"{self.table.battle.version}"'} if "battles" in one.url else {}
        whole = with_one(one.body, place, text)
        # Of what is changed in part, that part alone: the others may be refused where it would be taken.
        body = json.dumps({place[0]: whole[place[0]]} if one.method == "PATCH" else whole)

        def send() -> Any:
            return self.client.generic(one.method, one.url, body, "application/json", headers={**self.key, **version})

        return self._done(f"{one.method} {one.path}", ["/".join(map(str, place))], send, {200, 201, 202, 204})

    def _done(self, name: str, fields: Any, send: Any, good: set[int]) -> bool:
        with transaction.atomic():
            answer = send()
            if answer.headers.get("Content-Type", "").startswith("text/html") and (found := foreign(_text(answer))):
                self.wrong.setdefault(name, found)
            if answer.status_code >= 500:
                self.wrong.setdefault(name, [str(answer.status_code)])
            kept = answer.status_code in good and self._stays()
            transaction.set_rollback(not kept)
        if kept:
            self.taken |= {(name, field) for field in fields}
        return kept

    def _stays(self) -> bool:
        """The table, its GM and everybody else are still there."""
        seats = Membership.objects.filter(campaign=self.table.campaign)
        alive = type(self.table.campaign).objects.filter(pk=self.table.campaign.pk, deleted_at=None)
        return seats.count() >= 4 and seats.filter(user=self.table.gm, role="gm").exists() and alive.exists()


def _at(body: Any, place: tuple[Any, ...]) -> Any:
    for name in place:
        body = body[name]
    return body


def _text(answer: Any) -> str:
    return answer.getvalue().decode(errors="replace")


def sown_document(table: SimpleNamespace) -> tuple[Any, set[tuple[str, ...]]]:
    """The table's campaign brought in anew with such text in every column that takes it, and those columns.

    What a refusal points at is left as it was: the column it names, or all that lies deeper in the rows of its table.
    """
    whole = taken_along(table.campaign)
    columns = {column for column in _columns(whole) if column[0] in ("campaign", "tables")}
    while True:
        changed = json.loads(json.dumps(whole))
        for place in list(paths_of(changed)):
            if _column(place) in columns and isinstance(_at(changed, place), str):
                _at(changed, place[:-1])[place[-1]] = SHORT
        try:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(archive_services, "BROUGHT", archive_services.Limit("import", 1_000, 60))
                return bring_in(table.gm, changed).campaign, columns
        except Refusal as refusal:
            refused = {column for pointer, _said in refusal.errors for column in _pointed_at(columns, pointer)}
            if not refused:
                raise
            columns -= refused


def _pointed_at(columns: set[tuple[str, ...]], pointer: str) -> set[tuple[str, ...]]:
    at = _column(int(part) if part.isdigit() else part for part in pointer.strip("/").split("/"))
    for most in range(len(at), min(1, len(at) - 1), -1):
        below = {column for column in columns if column[:most] == at[:most]}
        if found := {column for column in below if len(column) > most + 1} or below:
            return found
    return {column for column in columns if at[1:] and column[:1] == at[:1] and column[1].startswith(at[1])}


def _column(place: Iterable[Any]) -> tuple[str, ...]:
    """The same for every row."""
    return tuple("*" if isinstance(part, int) else part for part in place)


def _columns(value: Any) -> Iterator[tuple[str, ...]]:
    """The places of text."""
    for place in paths_of(value):
        found = _at(value, place)
        if isinstance(found, str) and found and not ID.search(found):
            yield _column(place)
