"""The log a part at a time: nothing is lost between two parts, and nobody reads more than they tell."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from battles.codec import storage
from battles.log import parts as log_parts
from battles.log import queries as log_queries
from battles.log.parts import log_page
from battles.log.queries import log_of, tell_lines
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.play import event_log
from battles.play.services import undo
from battles.queries import get_viewer
from core.request_memo import LRUCache
from core.text import render
from rules.law import Weight
from rules.pathfinder.battle.orders.commands import GiveOrder, Next, Override, Resolve
from rules.pathfinder.battle.state.battle_state import Order
from rules.pathfinder.battle.telling.narrate import luck
from tests.battles.conftest import Client as Api
from tests.battles.conftest import open_ford
from tests.battles.field.test_pages import as_, now, page_of, play, seen_by, text
from tests.battles.processes import forget
from tests.everyday import at_most, everyday
from tests.worlds import built_once

PHASES = 18


@built_once
def siege(table) -> Battle:
    """Nobody hits anybody: a long battle of two lines a phase, an order before each."""
    battle = open_ford(table)
    walls = [Override(str(army.pk), "dv", 50, "Walls") for army in (table.watch, table.raiders)]
    play(table, battle, *walls, Next(), Resolve(), Resolve())
    for number in range(PHASES):
        strategy = "aggressive" if number % 2 else "cautious"
        play(table, battle, GiveOrder(Order(str(table.watch.pk), strategy=strategy)), Resolve())
    return battle


@pytest.fixture
def reads(monkeypatch) -> list[Any]:
    """The records that were told of."""
    found: list[Any] = []

    def reading(battle, record, state, viewer):
        found.append(record.pk)
        return tell_lines(battle, record, state, viewer)

    for place in (log_queries, log_parts):
        monkeypatch.setattr(place, "tell_lines", reading)
    return found


def parts(client: Client, battle: Battle, **headers: Any) -> Iterator[Any]:
    """The battle page's log, then one older part after the other, by their links."""
    response = client.get(reverse("battles:battle", args=[battle.pk]))
    yield response, response.context["page"].told.part
    while link := re.search(r'<a href="([^"]*\?before=[^"]*)"', text(response)):
        response = client.get(link[1].replace("&amp;", "&"), headers=headers)
        assert response.status_code == 200
        yield response, response.context["part"]


def seqs(part: Any) -> set[int]:
    return {line.seq for phase in part.phases for line in phase.lines}


@pytest.mark.parametrize("who", everyday(["bo", "gm", "viewer"], first=1))
def test_the_parts_of_the_log_are_the_whole_log(table, siege, who):
    user, battle = getattr(table, who), now(siege)
    state = play_battle_state.load_state(battle)
    viewer = get_viewer(user, battle, state)
    entries = log_of(battle, play_battle_state.view_state(battle, state, viewer).state, viewer)
    found = [seqs(part) for _response, part in parts(as_(user), siege)]
    assert len(found) > 3
    assert sum(map(len, found)) == len(set().union(*found))
    assert set().union(*found) == {line.seq for line in entries if not (line.entry.heading or line.entry.quiet)}


def test_an_older_part_is_a_page_without_scripts_and_a_piece_with_them(table, siege):
    (_page, _newest), (whole, part) = islice(parts(as_(table.bo), siege), 2)
    (_page, _newest), (piece, same) = islice(parts(as_(table.bo), siege, **{"HX-Request": "true"}), 2)
    assert part == same
    assert "<html" in text(whole)
    assert "<html" not in text(piece)
    assert text(piece).lstrip().startswith("<li")


def test_the_page_tells_the_last_phases_under_their_names(table, siege):
    log = seen_by(table.bo, siege).log
    assert [str(phase.label) for phase in log] == [f"Melee {PHASES}", f"Melee {PHASES - 1}"]


def test_a_part_that_ends_within_a_phase_still_says_which(table, siege, monkeypatch):
    monkeypatch.setattr(log_parts, "MOST", 1)
    first = islice(parts(as_(table.bo), siege), at_most(4, full=99))
    labels = [str(phase.label) for _page, part in first for phase in part.phases]
    assert labels[:3] == ["Melee 18", "Melee 17", "Melee 16"]


def test_a_long_battle_is_not_read_for_its_page(table, siege, reads):
    page_of(table.bo, siege)  # the state is known now
    reads.clear()
    page_of(table.bo, siege)
    assert siege.records.count() > 2 * len(reads)


def test_the_latest_events_are_read_once_for_everybody(table, siege, monkeypatch):
    forget()
    loads: list[Any] = []
    load = storage.Keeper.load_events
    monkeypatch.setattr(storage.Keeper, "load_events", lambda keeper, data: loads.append(data) or load(keeper, data))
    page_of(table.bo, siege)
    assert loads
    loads.clear()
    for who in (table.bo, table.ana, table.gm):
        page_of(who, siege)
    assert loads == []
    monkeypatch.setattr(event_log, "_events", LRUCache(2))
    play(table, siege, Resolve())
    page_of(table.bo, siege)
    assert len(event_log._events) <= 2


def test_what_was_taken_back_stands_where_it_happened(table, siege):
    resolved = log_page(table.bo, siege.pk, None).told.part.phases[0]
    undo(by=table.gm, battle_id=siege.pk, version=now(siege).version)
    page = seen_by(table.bo, siege)
    (gone,) = page.taken_back
    assert {line.seq for line in gone.lines} == {line.seq for line in resolved.lines}
    for number in range(3):
        order = GiveOrder(Order(str(table.raiders.pk), strategy="cautious" if number % 2 else "standard"))
        play(table, siege, order, Resolve())
    found = [part for _response, part in parts(as_(table.bo), siege)]
    assert found[0].taken_back == ()
    assert [part.taken_back for part in found if part.taken_back] == [(gone,)]


def test_a_page_of_events_reads_what_it_answers(table, siege, reads):
    api = Api(table.gm, siege)
    assert len(api.api.get(f"{api.url}events/?limit=200").json()["results"]) > 60
    for query in ("?limit=5", "?after=60&limit=5", "?after=60&limit=5&undone=true"):
        reads.clear()
        answer = api.api.get(f"{api.url}events/{query}").json()
        assert len(answer["results"]) == 5
        assert answer["next"]
        assert len(reads) <= 10, query


def test_events_are_the_same_however_they_are_paged(table, siege):
    """R: a page is short only where it is the last, though what is secret is left out of it."""
    undo(by=table.gm, battle_id=siege.pk, version=now(siege).version)
    for who in at_most((table.ana,), full=(table.gm, table.ana, table.bo)):
        api = Api(who, siege)
        for undone in ("false", "true"):
            whole = api.api.get(f"{api.url}events/?limit=200&undone={undone}").json()["results"]
            for limit in at_most((9,), full=(1, 7)) if (who, undone) == (table.ana, "true") else (at_most(25, full=7),):
                paged, url = [], f"{api.url}events/?limit={limit}&undone={undone}"
                while url:
                    page = api.api.get(url).json()
                    assert len(page["results"]) == limit or page["next"] is None
                    assert page["results"]
                    paged, url = paged + page["results"], page["next"]
                assert paged == whole


@pytest.mark.parametrize("after", [0, 1, 999_999_999])
def test_events_after_the_last_are_none(table, siege, after):
    api = Api(table.gm, siege)
    found = api.api.get(f"{api.url}events/?after={after}").json()["results"]
    assert all(event["seq"] > after for event in found)
    assert bool(found) == (after < 100)


def test_a_line_opens_to_its_sums_for_those_who_read_them(table, siege):
    lines = [line for phase in seen_by(table.gm, siege).log for line in phase.lines]
    line = next(line for line in lines if line.unfolds and line.army == str(table.watch.pk))
    address = reverse("battles:log_line", args=[siege.pk, line.seq])
    page = text(page_of(table.ana, siege))
    assert address in page
    assert "<table" not in page.partition('role="log"')[2]
    mine, piece = as_(table.gm).get(address), as_(table.gm).get(address, headers={"HX-Request": "true"})
    assert text(mine).count('class="sum"') == text(piece).count('class="sum"') == len(line.sums)
    assert "<html" in text(mine)
    assert "<html" not in text(piece)
    for less in (as_(table.gm).get(f"{address}?as=1"), as_(table.ana).get(address)):
        assert text(less).count('class="sum"') < len(line.sums)
    assert as_(table.stranger).get(address).status_code == 404


def test_a_line_nobody_may_know_is_not_there(table, siege):
    secret = next(
        event["seq"]
        for event in Api(table.ana, siege).api.get(f"{Api(table.ana, siege).url}events/").json()["results"]
        if event["type"] == "order-given"
    )
    for number, who in ((secret, table.bo), (0, table.gm), (10**6, table.gm), (10**12, table.gm)):
        address = reverse("battles:log_line", args=[siege.pk, number])
        assert as_(who).get(address).status_code == 404
    assert as_(table.ana).get(reverse("battles:log_line", args=[siege.pk, secret])).status_code == 200


def test_only_the_gm_reads_the_log_through_borrowed_eyes(table, siege):
    address = reverse("battles:log", args=[siege.pk])
    assert as_(table.ana).get(f"{address}?as=1").status_code == 403
    borrowed = as_(table.gm).get(f"{address}?as=1")
    assert borrowed.context["part"] == as_(table.bo).get(address).context["part"]
    assert f'href="{address}?before={borrowed.context["part"].since}&amp;as=1"' in text(borrowed)


def test_luck_is_told_of_the_whole_battle_when_somebody_asks(table, siege, reads):
    page = text(page_of(table.bo, siege))
    address = reverse("battles:log_luck", args=[siege.pk])
    assert f'href="{address}"' in page
    battle = now(siege)
    keeper = storage.get_keeper(play_battle_state.get_engine(battle))
    events = [e for r in battle.records.order_by("seq") for e in keeper.load_events(r.events)]
    sums = luck(play_battle_state.load_state(battle), events)
    shown = as_(table.bo).get(address, headers={"HX-Request": "true"})
    assert [float(amount.replace("−", "-")) for _side, _colour, amount in shown.context["luck"]] == [sums[0], sums[1]]
    assert as_(table.stranger).get(address).status_code == 404


def test_the_log_keeps_the_order_of_the_replay_and_marks_who_broke_and_fell(table):
    battle = open_ford(table)
    play(table, battle, Next(), Resolve(), Resolve())
    weak = [Override(str(table.raiders.pk), "hp", 1, "Hungry"), Override(str(table.raiders.pk), "dv", -50, "Asleep")]
    play(table, battle, *weak, Resolve(), Resolve())  # they stand once more before they fall
    phase = seen_by(table.bo, battle).log[0]
    told = [line.seq for line in phase.lines]
    assert told == sorted(told, reverse=True)
    turning = [render(line.text) for line in phase.lines if line.weight == Weight.TURNING]
    assert len(turning) >= 2
    assert list(phase.headlines[:2]) == turning[:2], "a screen reader speaks of them first"
    assert 'class="two peak"' in text(page_of(table.bo, battle))
    told_in_order = text(as_(table.bo).get(reverse("battles:log_text", args=[battle.pk])))
    assert told_in_order.index("hits Raiders") < told_in_order.index("Raiders: defeated")


def shown_after(battle: Battle, user: Any, event: int) -> list[Any]:
    battle = now(battle)
    state = play_battle_state.load_state(battle)
    return log_of(battle, state, get_viewer(user, battle, state), after=event)


def test_the_gm_undoes_to_the_phase_they_pick_in_the_log(table, siege):
    gm = as_(table.gm)
    log = gm.get(reverse("battles:log", args=[siege.pk])).content.decode()
    event = int(re.findall(r'class="undo-to" href="[^"]*/log/(\d+)/"', log)[-1])
    page = gm.get(reverse("battles:log_line", args=[siege.pk, event])).content.decode()
    later = shown_after(siege, table.gm, event)
    assert "later commands are undone" in page
    version = Battle.objects.get(pk=siege.pk).version
    sent = {"type": "undo", "version": version, "to": event}
    gm.post(reverse("battles:command", args=[siege.pk]), sent)
    assert len(shown_after(siege, table.gm, event)) < len(later)
    again = gm.get(reverse("battles:log_line", args=[siege.pk, event])).content.decode()
    assert 'id="undo-to"' not in again


def test_a_player_is_offered_no_undo_to_here(table, siege):
    ana = as_(table.ana)
    assert "undo-to" not in ana.get(reverse("battles:log", args=[siege.pk])).content.decode()
    line = ana.get(reverse("battles:log_line", args=[siege.pk, 1]))
    assert "undo-to" not in line.content.decode()
