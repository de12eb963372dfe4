"""The cheaper ways of the everyday run come to what the dear ones come to."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.test import Client, TestCase
from pytest_django import fixtures, plugin

from battles.play import dice_session
from kingdom.models import SignIn
from rules.core.dice import Rolled
from rules.pathfinder.forecast import simulate
from tests import everyday as everyday_room
from tests.chance import draw_for
from tests.everyday import FULL, by_turns, everyday, laws_of_the_day
from tests.kingdom.conftest import make_user
from tests.rulesets.drivers import COMMANDED, FORETOLD, LAWS


def marks(cases):
    return [[mark.name for mark in getattr(case, "marks", ())] for case in cases]


def test_of_a_matrix_the_first_and_the_kept_are_tried_every_day():
    assert marks(everyday("abcd", first=1, keep="c".__eq__)) == [[], ["slow"], [], ["slow"]]
    assert [case.values for case in everyday([("a", 1), ("b", 2)], first=1)] == [("a", 1), ("b", 2)]
    assert [case.values for case in everyday(["ab", "cd"])] == [("ab",), ("cd",)]
    assert [case.values for case in everyday([((),), (("x",),)], first=1)] == [((),), (("x",),)]


def test_every_law_has_its_turn_and_the_foremost_every_second_one():
    laws = ["breaking-point", "coin", "combat-de-masse", "turns"]
    tried = [laws_of_the_day(f"test_{n}", laws) for n in range(400)]
    assert {len(of_one) for of_one in tried} == {1}
    often = Counter(law for of_one in tried for law in of_one)
    assert often.keys() == {*laws}
    assert 160 < often["combat-de-masse"] < 240
    assert min(often.values()) > 40
    assert laws_of_the_day("test_1", laws) == laws_of_the_day("test_1", laws[::-1])
    assert {len(laws_of_the_day(f"test_{n}", ["coin", "turns"])) for n in range(9)} == {1}
    assert laws_of_the_day("test_1", ["combat-de-masse"]) == {"combat-de-masse"}


def test_under_a_law_that_has_nothing_of_what_it_tries_a_test_is_none():
    def case(law, *said):
        marker = SimpleNamespace(args=said) if said else None
        params = {"driver": law} if law else {}
        return SimpleNamespace(callspec=SimpleNamespace(params=params), get_closest_marker={"under": marker}.get)

    kept = [case("coin"), case("coin", "turns", "coin"), case(""), SimpleNamespace()]
    items = [case("coin", "turns"), *kept]
    everyday_room.pytest_collection_modifyitems(items)
    assert items == kept
    assert set() < {*COMMANDED} <= {*FORETOLD} < {*LAWS}


def test_no_test_waits_for_what_would_do_nothing_for_it():
    def case(*fixtures, marks=(), cls=None):
        marked = dict.fromkeys(marks, "marked")
        return SimpleNamespace(fixturenames=[*fixtures], get_closest_marker=marked.get, cls=cls)

    helpers = ("_django_db_marker", "_live_server_helper", "_django_set_urlconf", "_django_setup_unittest")
    items = [
        case(*helpers, "gm"),
        case(*helpers, "gm", "live_server", marks=["django_db"]),
        case(*helpers, cls=TestCase),
        case(*helpers, marks=["urls"], cls=SimpleNamespace),
    ]
    everyday_room.pytest_collection_modifyitems(items)
    assert [item.fixturenames for item in items] == [
        ["gm"],
        ["_django_db_marker", "_live_server_helper", "gm", "live_server"],
        ["_django_setup_unittest"],
        ["_django_set_urlconf"],
    ]
    assert everyday_room.FOR_SOME.keys() | {"_django_setup_unittest"} <= vars(plugin).keys() | vars(fixtures).keys()


def test_of_those_treated_alike_each_has_its_turn(monkeypatch):
    monkeypatch.setattr(everyday_room, "FULL", False)
    turns = [by_turns(f"/c/{n}/", ["ana", "bo", "cai"]) for n in range(40)]
    assert {len(turn) for turn in turns} == {1}
    assert {name for turn in turns for name in turn} == {"ana", "bo", "cai"}
    assert by_turns("/c/", []) == []
    monkeypatch.setattr(everyday_room, "FULL", True)
    assert by_turns("/c/", ["ana", "bo"]) == ["ana", "bo"]


def signed_in(user, **given):
    client = Client()
    client.force_login(user, **given)
    return client


def test_a_session_written_at_once_is_the_one_signing_in_writes(db):
    user = make_user("ana")
    quick, whole = signed_in(user), Client()
    assert whole.login(username="ana", password="correct horse battery")
    name = settings.SESSION_COOKIE_NAME
    assert dict(quick.session) == {**whole.session, "_auth_user_backend": quick.session["_auth_user_backend"]}
    assert quick.cookies[name].items() == whole.cookies[name].items()
    assert (len(quick.session.session_key), Session.objects.count()) == (len(whole.session.session_key), 2)
    assert set(SignIn.objects.values_list("session", "user")) == {
        (client.session.session_key, user.pk) for client in (quick, whole)
    }
    assert quick.get("/campaigns/new/").status_code == whole.get("/campaigns/new/").status_code == 200


def test_who_signs_in_where_somebody_was_takes_his_session_over(db):
    ana, bo = make_user("ana"), make_user("bo")
    client = signed_in(ana)
    key = client.session.session_key
    client.force_login(bo)
    assert client.session["_auth_user_id"] == str(bo.pk)
    assert not Session.objects.filter(session_key=key).exists()


@pytest.mark.parametrize("time", ["first", "second"])
def test_the_server_throws_few_battles_in_tests(time):
    assert simulate.WORK < 100_000


@pytest.mark.skipif(FULL, reason="the full run leaves them to chance")
def test_dice_fall_every_day_as_they_did_before():
    """The server's, and those that a page has pinned by a secret of the moment, whose ids differ from run to run."""

    def throw(name: str, secret: str, army: str) -> list[int]:
        draw_for(name)
        rolled, pinned = Rolled(), dice_session.Pinned(secret)
        return [source.roll(army, "attack", 20).value for source in (rolled, pinned) for _ in range(20)]

    first = throw("one", "00ff", "army-1")
    assert throw("one", "ab12", "army-2") == first
    assert throw("two", "00ff", "army-1") != first
    pinned = [dice_session.Pinned("00ff").roll("army-1", "attack", 20) for _ in range(3)]
    assert pinned == pinned[:1] * 3, "the same from a preview to its confirmation"
