"""Everybody who may stand before a door, and what the door says to each."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import timedelta
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

from django.conf import settings
from django.test import Client
from django.utils import timezone

from kingdom.campaign.services import create_campaign
from kingdom.members.services import remove_member
from kingdom.models import ApiToken, User
from kingdom.models.user import Scope
from tests.databases import tried
from tests.everyday import FULL
from tests.kingdom.conftest import key_of, make_user, seat
from tests.manners.doors import Door, doors
from tests.manners.operations import operations_at

SIGNED_IN = ("stranger", "elsewhere", "removed", "viewer", "other", "player", "gm")
BY_KEY = ("expired", "read", "bound")
LINK = "link"
ROLES = ("nobody", *SIGNED_IN, *BY_KEY, LINK)
"""Of the table: `player` runs the crown, `other` the horde. `elsewhere` is the GM of another campaign; `removed` sat
here once. The keys are the GM's: one that has ended, one that only reads, one for another campaign of theirs.
`link`: nobody, with the token of a share link, which they show wherever a key or a session is asked for.
"""
PAGES = ("GET", "POST")
STREAMS = "/live/"
"""Answered before Django is asked; tests/kingdom/live/test_following.py stands before these."""
ASKED_IN, GONE, REFUSED, CLOSED, ANSWERED = "?", ".", "x", "-", "o"
TABLE = Path(__file__).with_name("matrix.txt")


@cache
def rows() -> dict[str, str]:
    """What the table says, by method and pattern: a mark for each role."""
    lines = [line for line in TABLE.read_text().splitlines() if line and not line.startswith("#")]
    return {" ".join(line.split()[:2]): "".join(line.split()[2:]) for line in lines}


def reads(role: str, pattern: str) -> bool:
    """Whether that page is for them, by the table."""
    return rows().get(f"GET {pattern}", "").ljust(len(ROLES))[ROLES.index(role)] == ANSWERED


def is_read(pattern: str) -> bool:
    """Whether anything is told there to whoever opens it. Where things are only sent to, that is asked in the full run
    alone: by the table everybody is told that much.
    """
    told = rows().get(f"GET {pattern}", ANSWERED)
    return FULL or ANSWERED in told or CLOSED not in told


def gather(table: SimpleNamespace) -> dict[str, Any]:
    """The people, by role. Keys are made when they are used."""
    removed, elsewhere = make_user("removed"), make_user("elsewhere")
    for campaign in (table.campaign, table.place.campaign):
        seat(table.gm, campaign, removed, "player")
        remove_member(by=table.gm, campaign=campaign, user=removed)
    create_campaign(by=elsewhere, name="Elsewhere", ruleset="combat-de-masse")
    found = {"nobody": None, "stranger": table.stranger, "elsewhere": elsewhere, "removed": removed}
    return {
        **found,
        LINK: table.share_token,
        "viewer": table.viewer,
        "other": table.bo,
        "player": table.ana,
        "gm": table.gm,
    }


def client_of(role: str, people: Mapping[str, Any], *, api: bool) -> tuple[Client, dict[str, str]]:
    """A browser and the headers of each of its requests."""
    client = Client(raise_request_exception=False)
    if role == LINK:
        return _with_link(client, people[LINK], api=api)
    user = people["gm"] if role in BY_KEY else people[role]
    if user is None:
        return client, {}
    if not api:
        client.force_login(user)
        return client, {}
    return client, {"Authorization": f"Token {_key(role, user)}"}


def _with_link(client: Client, token: str, *, api: bool) -> tuple[Client, dict[str, str]]:
    """It opens its own page, and nothing where it stands for a key or a session."""
    client.cookies[settings.SESSION_COOKIE_NAME] = token
    return client, {"Authorization": f"Token {token}"} if api else {}


def _key(role: str, user: User) -> str:
    more: dict[str, Any] = {}
    if role == "expired":
        more["expiry"] = timedelta(hours=1)
    if role == "read":
        more["scope"] = Scope.READ
    if role == "bound":
        more["campaign"] = create_campaign(by=user, name="Another of his", ruleset="combat-de-masse")
    key = key_of(user, **more)
    if role == "expired":
        this = ApiToken.objects.filter(user=user).latest("created")  # their other keys go on working
        ApiToken.objects.filter(pk=this.pk).update(expiry=timezone.now() - timedelta(minutes=1))
    return key


class Knock(NamedTuple):
    """An address, how it is asked, and what is sent there: by the API's document a body that could be meant."""

    method: str
    door: Door
    body: str = ""
    query: str = ""

    @property
    def name(self) -> str:
        return f"{self.method} {self.door.pattern}"


def knocks(table: SimpleNamespace) -> Iterator[Knock]:
    """Every address with every method it is asked by."""
    found = asked_of_django(table)
    answering = set()
    for one in operations_at(table, found):
        answering.add(one.door)
        yield Knock(one.method, one.door, json.dumps(one.body or {}), one.query)
    yield from pages(table, found)
    for door in found:
        if door.api and door not in answering:  # whatever answers for addresses that are none
            yield Knock("GET", door)


def pages(table: SimpleNamespace, found: list[Door] | None = None) -> Iterator[Knock]:
    """Every address of a page, or those of the doors that were `found`, to be read and to be sent to."""
    known = asked_of_django(table) if found is None else found
    return (Knock(method, door) for door in known if not door.api for method in PAGES)


def asked_of_django(table: SimpleNamespace) -> list[Door]:
    return [door for door in doors(table) if not door.pattern.startswith(STREAMS)]


def answer(client: Client, headers: dict[str, str], knock: Knock) -> Any:
    """What is said. Whatever it did is undone."""
    with tried():
        return said_to(client, headers, knock)


def said_to(client: Client, headers: dict[str, str], knock: Knock) -> Any:
    """What is said. Whatever it did stays done, until whoever asks takes it back."""
    kind = "application/json" if knock.door.api else "application/x-www-form-urlencoded"
    said = client.generic(knock.method, knock.door.url + knock.query, knock.body, kind, headers=headers)
    said.body = said.getvalue()
    return said


def mark(said: Any) -> str:
    """The sign of the table for an answer; one of the server's faults stands as its status."""
    if said.status_code >= 500:
        return str(said.status_code)
    if said.status_code == 401 or "/accounts/login/" in said.headers.get("Location", ""):
        return ASKED_IN
    return {404: GONE, 403: REFUSED, 405: CLOSED}.get(said.status_code, ANSWERED)
