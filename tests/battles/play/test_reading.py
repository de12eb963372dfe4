"""What a process keeps of a battle's records: the same as it would read anew, and nobody's but theirs who may know
it.
"""

from __future__ import annotations

import re
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.play import event_log
from battles.play.services import undo
from core.request_memo import LRUCache
from kingdom.models import User
from rules.pathfinder.battle.orders.commands import GiveOrder, Next, Override, Resolve
from rules.pathfinder.battle.state.battle_state import Order
from tests.battles.conftest import Client as Api
from tests.battles.conftest import open_ford
from tests.battles.field.test_pages import as_, now, page_of, play, seen_by, text
from tests.battles.processes import forget
from tests.databases import tried
from tests.everyday import at_most
from tests.worlds import built_once


@built_once
def siege(table) -> Battle:
    """Nobody hits anybody; more records than are kept."""
    battle = open_ford(table)
    walls = [Override(str(army.pk), "dv", 50, "Walls") for army in (table.watch, table.raiders)]
    play(table, battle, *walls, Next(), *[Resolve()] * event_log.PORTION)
    return battle


def orders(table, strategy: str) -> list[Any]:
    return [GiveOrder(Order(str(army.pk), strategy=strategy)) for army in (table.watch, table.raiders)]


def kept_and_read(battle: Battle) -> tuple[Any, Any]:
    """What this process has, and what a fresh one reads: the latest records, and how far they go."""
    found = event_log.read_latest(now(battle)), event_log.read_written(now(battle))
    forget()
    return found, (event_log.read_latest(now(battle)), event_log.read_written(now(battle)))


def test_what_a_process_keeps_is_what_another_reads(table, siege):
    page_of(table.gm, siege)
    for commands in (orders(table, "cautious"), [Resolve()], [*orders(table, "aggressive"), Resolve()]):
        play(table, siege, *commands)
        kept, read = kept_and_read(siege)
        assert kept == read
        assert len(kept[0]) == event_log.PORTION


def test_what_is_kept_is_true_after_an_undo(table, siege):
    play(table, siege, Resolve())
    page_of(table.gm, siege)
    undo(by=table.gm, battle_id=siege.pk, version=now(siege).version)
    kept, read = kept_and_read(siege)
    assert kept == read
    assert kept[0][0].undone
    assert kept[0][0].undone_by == table.gm.pk
    play(table, siege, Resolve())
    kept, read = kept_and_read(siege)
    assert kept == read
    assert [record.undone for record in kept[0][:2]] == [False, True]


def test_a_battle_that_begins_is_followed_from_its_first_command(table):
    ford = open_ford(table)
    play(table, ford, Next(), Resolve())
    with CaptureQueriesContext(connection) as asked:
        assert [record.seq for record in event_log.read_latest(now(ford))] == [2, 1]
    assert len(asked) == 1  # the battle itself
    kept, read = kept_and_read(ford)
    assert kept == read


def test_what_was_never_committed_is_nobodys(table, siege):
    before = event_log.read_latest(now(siege))
    with tried():
        play(table, siege, Resolve())
    assert event_log.read_latest(now(siege)) == before
    play(table, siege, Resolve())
    kept, read = kept_and_read(siege)
    assert kept == read
    assert [record.seq for record in kept[0][:2]] == [before[0].seq + 1, before[0].seq]


def test_an_undo_that_was_never_committed_takes_nothing_back(table, siege):
    """Even where everything was read while it was under way."""
    play(table, siege, Resolve())
    page_of(table.gm, siege)
    before = event_log.read_latest(now(siege)), play_battle_state.load_state(now(siege))
    for warm in (True, False):
        with tried():
            undo(by=table.gm, battle_id=siege.pk, version=now(siege).version)
            assert event_log.read_latest(now(siege))[0].undone
            page_of(table.bo, siege)
        if not warm:
            forget()
        assert (event_log.read_latest(now(siege)), play_battle_state.load_state(now(siege))) == before
        assert not seen_by(table.bo, siege).taken_back


def test_another_process_plays_on(table, siege, monkeypatch):
    """Its records are read here, without those this process has already."""
    page_of(table.gm, siege)
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(play_battle_state, "_states", LRUCache(play_battle_state.KEPT))
        for name in ("_latest", "_written", "_events"):
            elsewhere.setattr(event_log, name, LRUCache(event_log.KEPT))
        play(table, siege, *orders(table, "cautious"), Resolve())
    kept, read = kept_and_read(siege)
    assert kept == read
    assert [record.seq for record in kept[0]] == list(range(kept[1].seq, kept[1].seq - event_log.PORTION, -1))


def test_a_page_drawn_late_tells_nothing_that_came_after_its_state(table, siege):
    """Somebody acts between the reading of the battle and that of its records."""
    early = now(siege)
    play(table, siege, Resolve())
    forget()
    assert event_log.read_latest(early)[0].version == early.version
    assert event_log.read_latest(now(siege))[0].version == early.version + 1


def test_what_is_kept_has_bounds(table, siege, monkeypatch):
    for name, most in (("_latest", 3), ("_written", 3), ("_events", 4)):
        monkeypatch.setattr(event_log, name, LRUCache(most))
    for _turn in range(at_most(4, full=6)):
        play(table, siege, *orders(table, "cautious"), Resolve())
        page_of(table.gm, siege)
    assert len(event_log._latest) <= 3
    assert len(event_log._written) <= 3
    assert len(event_log._events) <= 4


def test_the_second_reader_of_a_revision_asks_nothing_of_its_records(table, siege):
    page_of(table.bo, siege)
    for who in (table.ana, table.gm, table.viewer):
        with CaptureQueriesContext(connection) as asked:
            page_of(who, siege)
        assert not [query for query in asked if "battles_battlerecord" in query["sql"]]


def test_secret_orders_are_kept_from_who_reads_after_their_owner(table, siege):
    """Ana orders, looks, and looks again with everything in the cache; Bo and the viewer read the same revision."""
    order = GiveOrder(Order(str(table.watch.pk), strategy="cautious"))
    play(table, siege, order)
    mine = Api(table.ana, siege)
    undone = "events/?limit=200"
    told = {}
    for who in (table.gm, table.ana, table.bo, table.viewer):
        api = Api(who, siege)
        told[who.username] = [event["type"] for event in api.api.get(f"{api.url}{undone}").json()["results"]]
        page_of(who, siege)
    assert "order-given" in told["ana"]
    assert "order-given" in told["gm"]
    assert "order-given" not in told["bo"]
    assert "order-given" not in told["viewer"]
    assert mine.api.get(mine.url).status_code == 200
    forget()
    for who in (table.bo, table.viewer, table.ana, table.gm):
        api = Api(who, siege)
        again = [event["type"] for event in api.api.get(f"{api.url}{undone}").json()["results"]]
        assert again == told[who.username]


def test_sums_of_figures_are_kept_from_who_reads_after_their_owner(table):
    ford = open_ford(table)
    play(table, ford, Next(), *[Resolve()] * 3)
    readers = at_most((table.gm, table.ana, table.bo), full=(table.gm, table.ana, table.bo, table.viewer))
    warm = {who.username: sums_told(who, ford) for who in readers}
    assert warm["gm"] > warm["ana"] > 0
    forget()
    assert {who.username: sums_told(who, ford) for who in reversed(readers)} == warm


def sums_told(who: User, battle: Battle) -> int:
    page = seen_by(who, battle)
    return sum(len(line.sums) for phase in page.log for line in phase.lines)


def test_who_took_back_is_called_what_he_is_called_now(table, siege):
    play(table, siege, Resolve())
    undo(by=table.gm, battle_id=siege.pk, version=now(siege).version)
    assert seen_by(table.bo, siege).taken_back[0].by == "gm"
    User.objects.filter(pk=table.gm.pk).update(username="warden")
    assert seen_by(table.bo, siege).taken_back[0].by == "warden"
    api = Api(table.bo, siege)
    events = api.api.get(f"{api.url}events/?limit=200").json()["results"]
    assert {event["by"] for event in events} == {"warden"}


def test_new_arms_and_a_new_name_are_drawn_at_once(table, siege):
    page_of(table.bo, siege)
    table.crown.arms = {**table.crown.arms, "charge": "tower"}
    table.crown.save()
    assert seen_by(table.bo, siege).arms[str(table.watch.pk)].charge == "tower"


def test_who_loses_his_seat_sees_nothing_more(table, siege):
    assert page_of(table.bo, siege).status_code == 200
    table.campaign.memberships.filter(user=table.bo).delete()
    assert page_of(table.bo, siege).status_code == 404
    assert as_(table.stranger).get(f"/battles/{siege.pk}/").status_code == 404
    assert not re.search(r"\bBo\b", text(page_of(table.stranger, siege))), "as a word: tokens are letters, too"
