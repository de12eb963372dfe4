"""Pages that look again: drawn only where their reader would read something else, and never as others see them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from time import monotonic
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from armies.breaking_point.sieges.services import begin_siege
from armies.marches.position_services import place_army, put_army
from armies.models import Army
from armies.weeks import services as time
from battles.play.services import play
from kingdom import rendering
from kingdom.accounts.services import choose_settings
from kingdom.campaign.services import update_campaign
from kingdom.chronicle.services import undo_last
from kingdom.live import conditional
from kingdom.live.fingerprints import record_queries, reread
from kingdom.map.services import claim_hexes, configure_map, make_map
from kingdom.members.services import hand_over, invite, remove_member, set_role
from kingdom.models import Campaign, ChronicleEntry, Kingdom, Note, User
from kingdom.notes.page import build_subject
from kingdom.notes.services import write_note
from kingdom.realms.services import assign_players, update_kingdom
from kingdom.realms.settlement_services import found_settlement
from kingdom.realms.treasury_services import record_entry
from rules.pathfinder.battle.orders.commands import Next
from tests.armies.breaking_point.sieges.tables import under_walls
from tests.battles.conftest import make_table, open_ford, seat_everybody
from tests.everyday import at_most, everyday
from tests.kingdom.conftest import client_of, make_user
from tests.kingdom.live.test_following import pages_of, revision, seen
from tests.worlds import built_once

CANARY = "Xanthippe"
HTMX = {"HX-Request": "true", "HX-Target": "main"}
TOKENS = r'name="csrfmiddlewaretoken" value="[^"]*"|"X-CSRFToken": "[^"]*"'
PASSING = re.compile(rf'{TOKENS}|data-version="\d+"|\?version=\d+')


@built_once
def restov(db) -> Any:
    table = seat_everybody(make_table(make_user("gm")))
    table.map = make_map(by=table.gm, campaign=table.campaign, columns=12, rows=10, name="The marches")
    table.battle = open_ford(table)
    return table


@built_once
def besieged(db) -> Any:
    """Under the second law: the horde stands before the crown's walls."""
    found = under_walls(SimpleNamespace(**{name: make_user(name) for name in ("gm", "ana", "bo", "viewer")}))
    make_map(by=found.gm, campaign=found.campaign, columns=12, rows=10, name="The marches")
    found.siege = begin_siege(by=found.bo, place=found.ker, armies=[found.host])
    return found


@pytest.fixture(autouse=True)
def _nothing_kept():
    conditional.clear_pages()
    yield
    conditional.clear_pages()


def reader(user: Any) -> Client:
    """Somebody who has been here before: their browser bears the cookie their forms need."""
    client = client_of(user)
    client.cookies["csrftoken"] = "a" * 32
    return client


def look(client: Client, path: str, mark: str) -> Any:
    return client.get(path, headers={**HTMX, "Live-Seen": mark})


class Draws:
    """How many pages are drawn while it is in place."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch):
        self.count, draw = 0, rendering.render

        def counted(*args: Any, **more: Any) -> Any:
            self.count += 1
            return draw(*args, **more)

        monkeypatch.setattr(rendering, "render", counted)

    def while_(self, work: Callable[[], Any]) -> tuple[int, Any]:
        before = self.count
        answer = work()
        return self.count - before, answer


# Nothing is drawn twice


@pytest.mark.parametrize(("who", "turn"), [("gm", 0), ("ana", 1), ("viewer", 2)])
def test_what_reads_as_before_is_not_drawn(restov, who, turn, monkeypatch):
    """Every day every page for one of them, by turns; for each of them in the full run."""
    pages = [*pages_of(restov), f"/c/{restov.campaign.pk}/map/"]
    paths = at_most(pages[turn::3], full=pages)
    assert set(_drawn_again(restov, who, paths, monkeypatch).values()) == {0}


@pytest.mark.parametrize("who", everyday(["ana", "gm", "viewer"], first=1))
def test_what_reads_as_before_is_not_drawn_under_the_second_law_either(besieged, who, monkeypatch):
    """Every day those pages that read of it what the other law has not."""
    base, crown = f"/c/{besieged.campaign.pk}/", f"/kingdoms/{besieged.crown.pk}/"
    laws = [*(base + place for place in ("", "chronicle/", "arsenal/", "sieges/")), crown]
    alike = ("members/", "time/", "story/", "battles/", "armies/")
    others = [*(base + place for place in alike), *(crown + part for part in ("commanders/", "ledger/"))]
    laws += [f"/armies/{besieged.guard.pk}/", f"/sieges/{besieged.siege.pk}/", f"{base}map/"]
    paths = [*laws, *at_most([], full=others)]
    assert set(_drawn_again(besieged, who, paths, monkeypatch).values()) == {0}


def _drawn_again(table: Any, who: str, paths: list[str], monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """How often each of these pages is drawn for who looks again and finds nothing new."""
    client, draws, drawn = reader(getattr(table, who)), Draws(monkeypatch), {}
    for path in paths:
        mark = seen(client.get(path).text)
        Campaign.objects.filter(pk=table.campaign.pk).update(revision=revision(table) + 1)
        count, answer = draws.while_(partial(look, client, path, mark))
        assert (answer.status_code, answer.content) == (204, b""), path
        assert answer.headers["Live-Version"] == str(revision(table)), path
        drawn[path] = count
    return drawn


def test_where_an_army_goes_is_told_on_its_own_page_and_draws_no_page_of_its_kingdom(restov, monkeypatch):
    army = next(one for one in Army.objects.filter(kingdom=restov.crown) if one.standing)
    ana, draws = reader(restov.ana), Draws(monkeypatch)
    for path, drawn in ((f"/kingdoms/{restov.crown.pk}/", 0), (f"/armies/{army.pk}/", 1)):
        mark = seen(ana.get(path).text)
        Army.objects.filter(pk=army.pk).update(place=f"The way to {CANARY} {drawn}", hex="C3")
        count, answer = draws.while_(partial(look, ana, path, mark))
        assert (count, answer.status_code) == (drawn, 200 if drawn else 204), path


def test_what_another_one_did_unseen_is_not_drawn_and_what_touches_the_page_is(restov, monkeypatch):
    ana, draws, path = reader(restov.ana), Draws(monkeypatch), f"/kingdoms/{restov.crown.pk}/"
    mark = seen(ana.get(path).text)
    record_entry(by=restov.gm, kingdom=restov.horde, amount=7, reason=CANARY)
    count, unseen = draws.while_(partial(look, ana, path, mark))
    assert (count, unseen.status_code, unseen.headers["Live-Version"]) == (0, 204, str(revision(restov)))
    record_entry(by=restov.gm, kingdom=restov.crown, amount=7, reason="Tolls of the ford")
    count, told = draws.while_(partial(look, ana, path, mark))
    assert (count, told.status_code) == (1, 200)
    assert "Tolls of the ford" in told.text


def test_the_other_pages_of_one_reader_get_what_was_drawn_for_the_first(restov, monkeypatch):
    ana, draws, path = reader(restov.ana), Draws(monkeypatch), f"/kingdoms/{restov.crown.pk}/"
    mark = seen(ana.get(path).text)
    record_entry(by=restov.gm, kingdom=restov.crown, amount=7, reason="Tolls of the ford")
    first = look(ana, path, mark)
    record_entry(by=restov.gm, kingdom=restov.horde, amount=7, reason=CANARY)
    count, second = draws.while_(partial(look, ana, path, mark))
    assert (count, second.status_code) == (0, 200)
    assert PASSING.sub("", second.text) == PASSING.sub("", first.text)
    assert f'data-version="{revision(restov)}" data-seen="{seen(first.text)}"' in second.text
    assert second.headers["Content-Type"] == first.headers["Content-Type"]
    assert look(ana, path, seen(second.text)).status_code == 204
    for other in (reader(restov.ana), reader(restov.gm), reader(restov.viewer)):
        assert draws.while_(partial(look, other, path, mark))[0] == 1, "another session, another reader"


def test_a_page_is_drawn_anew_after_a_while_whatever_is_read(restov, monkeypatch):
    ana, draws, path = reader(restov.ana), Draws(monkeypatch), f"/kingdoms/{restov.crown.pk}/"
    mark = seen(ana.get(path).text)
    monkeypatch.setattr(conditional, "TRUST", -1)
    assert draws.while_(partial(look, ana, path, mark))[0] == 1


# What is kept is what would be drawn

DEEDS: dict[str, Callable[[Any], Any]] = {
    "a figure": lambda t: update_kingdom(by=t.gm, kingdom=t.crown, economy=44),
    "a name": lambda t: update_kingdom(by=t.gm, kingdom=t.horde, name="The Great Horde"),
    "the ledger": lambda t: record_entry(by=t.gm, kingdom=t.crown, amount=3, reason="Tolls"),
    "a ledger that is another's": lambda t: record_entry(by=t.gm, kingdom=t.horde, amount=3, reason=CANARY),
    "a name of the campaign": lambda t: update_campaign(by=t.gm, campaign=t.campaign, name="The marches"),
    "what players may": lambda t: update_campaign(by=t.gm, campaign=t.campaign, players_may={"treasury": "ask"}),
    "an invitation": lambda t: invite(by=t.gm, campaign=t.campaign, role="player"),
    "a role": lambda t: set_role(by=t.gm, campaign=t.campaign, user=t.ana, role="viewer"),
    "a seat": lambda t: remove_member(by=t.gm, campaign=t.campaign, user=t.bo),
    "a kingdom taken": lambda t: assign_players(by=t.gm, kingdom=t.crown, players=[]),
    "a kingdom handed over": lambda t: hand_over(by=t.gm, kingdom=t.horde, player=t.ana),
    "a settlement": lambda t: found_settlement(by=t.gm, kingdom=t.crown, name="Tatzlford"),
    "a place": lambda t: place_army(by=t.gm, army=t.spare, place="The ford"),
    "a wound": lambda t: Army.objects.filter(pk=t.watch.pk).update(health=1),
    "a hex": lambda t: put_army(by=t.gm, army=t.watch, hex="C4"),
    "a secret army's hex": lambda t: put_army(by=t.gm, army=t.raiders, hex="C4"),
    "land": lambda t: claim_hexes(by=t.gm, campaign=t.campaign, kingdom=t.crown, hexes=["C4", "C5"]),
    "fog": lambda t: configure_map(by=t.gm, campaign=t.campaign, fog=True),
    "an army revealed": lambda t: Army.objects.filter(pk=t.raiders.pk).update(revealed=True),
    "a note for all": lambda t: write_note(by=t.gm, about=build_subject("army", t.watch), text="We march"),
    "a note for the GM": lambda t: write_note(
        by=t.gm, about=build_subject("army", t.watch), text=CANARY, audience="gm"
    ),
    "a week": lambda t: time.confirm_time(by=t.gm, campaign=t.campaign, days=7, day=t.campaign.day),
    "a battle's turn": lambda t: play(by=t.gm, battle_id=t.battle.pk, version=t.battle.version, command=Next()),
    "an undo": lambda t: undo_last(by=t.gm, campaign=t.campaign),
    "a language": lambda t: [choose_settings(by=user, language="fr") for user in (t.gm, t.ana)],
    "feet": lambda t: [choose_settings(by=user, units="feet") for user in (t.ana, t.bo)],
    "a name of a player": lambda t: User.objects.filter(pk=t.ana.pk).update(username="anastasia"),
}


DAILY = {"a ledger that is another's", "a role", "a secret army's hex", "a battle's turn", "a language"}
"""By which not everybody is told the same. How rows are compared is one for all; test_fragments.py does more."""


@built_once
def before_them(restov) -> Any:
    """What each reader has in their browser before something happens: their cookies and, of each page, the mark; and
    the pages as this process keeps them then.
    """
    conditional.clear_pages()
    found = SimpleNamespace(cookies={}, marks={}, kept={})
    for name in at_most(("ana", "bo"), full=("ana", "bo", "gm", "viewer")):
        client = reader(getattr(restov, name))
        for path in looked_at(restov)[:: at_most(2 if name == "bo" else 1, full=1)]:
            page = client.get(path)
            if page.status_code == 200:
                found.marks[name, path] = seen(page.text)
        found.cookies[name] = client.cookies
    found.kept = conditional._drawn.copy()
    assert len(found.kept) == len(found.marks)
    return found


def opened_again(found: Any) -> dict[str, Client]:
    """The readers' browsers, with those pages kept as if they had just been drawn."""
    conditional._drawn.update({key: replace(page, at=monotonic()) for key, page in found.kept.items()})
    clients = {name: Client() for name in found.cookies}
    for name, client in clients.items():
        client.cookies = found.cookies[name]
    return clients


@pytest.mark.parametrize("deed", everyday([*DEEDS], keep=DAILY.__contains__))
def test_after_every_change_each_reader_gets_what_would_be_drawn_for_him(restov, before_them, deed):
    readers, marks = opened_again(before_them), before_them.marks
    DEEDS[deed](type(restov)(**{name: objects(found) for name, found in vars(restov).items()}))
    first = {of: told(look(readers[of[0]], of[1], mark)) for of, mark in marks.items()}
    changed = {of: marks[of] for of, (status, _body) in first.items() if status != 204}
    second = {of: told(look(readers[of[0]], of[1], mark)) for of, mark in at_most(changed, full=marks).items()}
    conditional.clear_pages()
    drawn = {of: told(look(readers[of[0]], of[1], mark)) for of, mark in marks.items()}
    for tab in (first, second):
        for of, was in tab.items():
            assert was == drawn[of], of
    assert {status for status, _body in drawn.values()} != {204} or deed in UNSEEN
    assert not any(CANARY in body for (name, _path), (_status, body) in drawn.items() if name == "ana")


def test_what_is_kept_of_their_pages_is_what_spares_the_drawing(restov, before_them, monkeypatch):
    """So that the other test is one of what was kept."""
    readers, draws = opened_again(before_them), Draws(monkeypatch)
    for (name, path), mark in before_them.marks.items():
        count, answer = draws.while_(partial(look, readers[name], path, mark))
        assert (count, answer.status_code) == (0, 204), (name, path)


def looked_at(restov: Any) -> list[str]:
    """Every day one page of each kind that reads in a manner of its own."""
    base, crown = f"/c/{restov.campaign.pk}/", f"/kingdoms/{restov.crown.pk}/"
    few = [base, f"{base}chronicle/", f"{base}map/", f"{base}armies/", crown, f"/armies/{restov.watch.pk}/"]
    return at_most(few, full=[*pages_of(restov), *few])


UNSEEN = {"an invitation", "a secret army's hex", "a note for the GM", "an undo"}  # by these readers, on these pages


def objects(found: Any) -> Any:
    return type(found).objects.get(pk=found.pk) if hasattr(found, "_meta") else found


def told(answer: Any) -> tuple[int, str]:
    return answer.status_code, PASSING.sub("", answer.text)


# What tells nothing of how a page looks is not kept


@pytest.mark.django_db
@pytest.mark.parametrize(
    "work",
    [
        lambda: Kingdom.objects.select_for_update().first(),
        lambda: Kingdom.objects.update(name="Crown"),
        lambda: Note.objects.filter(deleted_at__lt=datetime.now(UTC)).first(),
        lambda: list(Kingdom.objects.iterator()),
        lambda: connection.cursor().execute("SELECT pg_notify('warhost', 'x')"),
        lambda: connection.cursor().executemany("SELECT %s", [[1], [2]]),
    ],
)
def test_a_page_that_does_more_than_read_rows_is_not_kept(restov, work):
    def asked(*more: Callable[[], Any]) -> Any:
        with transaction.atomic(), record_queries() as recorder:
            found = Campaign.objects.get(pk=restov.campaign.pk)
            for one in more:
                one()
        return recorder.reads(found.revision)

    reads = asked()
    assert reread(reads) == revision(restov)
    assert asked(work) is None


@pytest.mark.django_db
def test_rows_are_compared_to_the_last_value_and_all_of_them(restov):
    def asked() -> Any:
        with record_queries() as recorder:
            campaign = Campaign.objects.get(pk=restov.campaign.pk)
            list(ChronicleEntry.objects.filter(campaign=campaign).values_list("seq", "text", "undone_by"))
        return recorder.reads(campaign.revision)

    reads = asked()
    assert reread(reads) == revision(restov)
    last = ChronicleEntry.objects.filter(campaign=restov.campaign).latest("seq")
    ChronicleEntry.objects.filter(pk=last.pk).update(undone_by=restov.gm)
    with CaptureQueriesContext(connection) as counted:
        assert reread(reads) is None
    assert len(counted) == 2
    assert reread(asked()) == revision(restov)
