"""Every address and method, before everybody: the table says what each is told, and a new address needs a row.

A row that is missing or wrong is printed as it would stand in `matrix.txt`: read it before it is put there.
"""

from __future__ import annotations

from copy import copy
from types import SimpleNamespace

import pytest
from django import shortcuts
from django.views import defaults

from tests.access.people import (
    ANSWERED,
    BY_KEY,
    CLOSED,
    GONE,
    LINK,
    REFUSED,
    ROLES,
    answer,
    client_of,
    gather,
    knocks,
    mark,
    rows,
    said_to,
)
from tests.databases import tried
from tests.everyday import FULL, by_turns

SAME_FOR_ALL = "~"  # for keys, which open no pages
NEW = " "  # nothing is known of it yet
ALIKE = (("nobody", LINK, "expired"), ("stranger", "elsewhere", "removed"), ("read", "bound"))
"""Whoever is refused for one reason: they show nothing that holds, they have no seat, their key does not go so far."""
THINGS = ("<pk>", "_id>")


def plain(name: str, role: str, known: str) -> bool:
    """What the full run alone asks: whoever is answered, and refusals that others meet for the same reason. How far a
    key goes tests/manners/test_scopes.py asks every day at every address: one that only reads where things change, one
    of another campaign where a thing has an id.
    """
    if role in ("read", "bound"):
        by_scope = known == (REFUSED if role == "read" else GONE)
        return known == ANSWERED or (by_scope and (role == "read" or any(part in name for part in THINGS)))
    return known == ANSWERED or (known == CLOSED and role != "gm")


def asked_today(name: str, known: str) -> set[str]:
    """Whoever is refused there; of those who are refused alike one, whose turn it is."""
    refused = {role for role, told in zip(ROLES, known, strict=True) if told == NEW or not plain(name, role, told)}
    for alike in ALIKE:
        there = [role for role in alike if role in refused and known[ROLES.index(role)] not in (NEW, SAME_FOR_ALL)]
        refused -= {*there} - {*by_turns(name, there)}
    return refused


@pytest.fixture
def briefly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every day the pages that say something is not there are not drawn thousands of times: what stands in them is read
    in test_canaries.py, and of an address that only takes what is sent in tests/config/test_walk.py.
    """
    if not FULL:
        words = SimpleNamespace(render=lambda *_given, **_named: "")
        monkeypatch.setattr(defaults, "loader", SimpleNamespace(get_template=lambda _name: words))
        monkeypatch.setattr(shortcuts, "loader", SimpleNamespace(render_to_string=lambda *_given, **_named: ""))


@pytest.mark.parametrize(
    "answers", [pytest.param(False, id="refusals"), pytest.param(True, id="all", marks=pytest.mark.slow)]
)
def test_everybody_is_told_what_the_table_says(table, no_demo, briefly, answers):
    """Every day whoever is refused, all of them at one address before it is taken back whatever they did; in the full
    run everybody.
    """
    people, expected, found = gather(table), rows(), {}
    opened = {(role, api): client_of(role, people, api=api) for role in ROLES for api in (False, True)}
    cookies = {who: copy(client.cookies) for who, (client, _headers) in opened.items()}
    for knock in knocks(table):
        name, door, told = knock.name, knock.door, ""
        row = expected.get(name, "").ljust(len(ROLES))
        today = ROLES if answers else asked_today(name, row)
        ask, anew = answer if answers else said_to, []
        with tried():
            for role, known in zip(ROLES, row, strict=True):
                if role in BY_KEY and not door.api:
                    told += SAME_FOR_ALL
                elif role not in today:
                    told += known
                else:
                    said = ask(*opened[role, door.api], knock)
                    told += mark(said)
                    if "sessionid" in said.cookies:
                        anew.append(role)
        for role in anew:
            opened[role, door.api][0].cookies = copy(cookies[role, door.api])
        found[name] = told
    wrong = [f"{name:<70} {told}" for name, told in found.items() if expected.get(name) != told]
    print(*wrong, sep="\n")
    assert wrong == []
    assert expected.keys() - found.keys() == set()
