"""A battle's log as a file: what its reader is told, in their language, sent as it is read."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from battles.log import export
from battles.log.export import as_json_lines, log_told
from battles.log.phases import PageLine
from battles.models import Battle
from battles.play import event_log
from battles.play.services import undo
from rules.core.dice import Roll
from rules.pathfinder.battle.orders.commands import GiveOrder, Next, Override, Resolve
from rules.pathfinder.battle.state.battle_state import Order
from tests.battles.conftest import open_ford
from tests.battles.field.test_pages import as_, now, play
from tests.battles.processes import forget
from tests.everyday import everyday
from tests.worlds import built_once

SECRET = "order-given"


@built_once
def fought(table) -> Battle:
    """With a secret order of each side, a correction, and a phase."""
    battle = open_ford(table)
    hidden = [GiveOrder(Order(str(army.pk), strategy="cautious")) for army in (table.watch, table.raiders)]
    walls = [Override(str(army.pk), "dv", 50, "Walls") for army in (table.watch, table.raiders)]
    play(table, battle, *walls, Next(), Resolve(), Resolve(), *hidden, Resolve(), *hidden)
    return battle


def file_of(client: Any, battle: Battle, form: str = "jsonl", **asked: Any) -> str:
    answer = client.get(f"/battles/{battle.pk}/log.{form}", **asked)
    assert answer.status_code == 200
    assert answer.streaming
    return b"".join(answer.streaming_content).decode()


def events_of(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def by_api(user: Any, battle: Battle) -> list[dict[str, Any]]:
    """All pages of the API's events, oldest first."""
    url, found = f"/api/v1/battles/{battle.pk}/events/", []
    while url:
        page = as_(user).get(url).json()
        found, url = found + page["results"], page["next"]
    return found


@pytest.mark.parametrize("who", everyday(["ana", "viewer", "gm", "bo"], first=2))
def test_a_line_is_an_event_as_the_api_tells_it_to_the_same_reader(table, fought, who):
    reader = getattr(table, who)
    told = events_of(file_of(as_(reader), fought))
    assert told == by_api(reader, fought)
    assert json.loads(file_of(as_(reader), fought, "json"))["events"] == told


def test_secret_orders_are_in_nobody_elses_file(table, fought):
    def ordered(user: Any) -> set[str]:
        return {told["army"] for told in events_of(file_of(as_(user), fought)) if told["type"] == SECRET}

    assert ordered(table.ana) == {str(table.watch.pk)}
    assert ordered(table.bo) == {str(table.raiders.pk)}
    assert ordered(table.viewer) == set()
    assert ordered(table.gm) == {str(table.watch.pk), str(table.raiders.pk)}


def test_it_is_told_in_the_readers_language_and_so_is_what_is_sent_later(table, fought):
    english = events_of(file_of(as_(table.ana), fought))
    french = events_of(file_of(as_(table.ana), fought, headers={"Accept-Language": "fr"}))
    assert [told["seq"] for told in english] == [told["seq"] for told in french]
    assert {told["seq"] for told in english if told not in french}
    assert "## Corps à corps" in file_of(as_(table.ana), fought, "txt", headers={"Accept-Language": "fr"})


@pytest.mark.parametrize("size", everyday([2, 1, 200], first=1))
def test_text_is_the_same_however_it_is_cut(table, fought, size, monkeypatch):
    whole = file_of(as_(table.bo), fought, "txt")
    monkeypatch.setattr(export, "LINES", size)
    assert file_of(as_(table.bo), fought, "txt") == whole
    assert whole.count("## ") == len({line for line in whole.splitlines() if line.startswith("## ")})
    assert json.loads(file_of(as_(table.bo), fought, "json"))["events"] == by_api(table.bo, fought)


def test_what_was_taken_back_is_not_in_it(table, fought):
    before = file_of(as_(table.gm), fought)
    play(table, fought, Resolve())
    assert file_of(as_(table.gm), fought) != before
    undo(by=table.gm, battle_id=fought.pk, version=now(fought).version)
    assert file_of(as_(table.gm), fought) == before


def test_it_is_read_while_it_is_sent(table, fought, monkeypatch):
    """The first lines are there before the last records are read."""
    play(table, fought, *[Resolve()] * 2)
    monkeypatch.setattr(event_log, "PORTION_MOST", 1)
    monkeypatch.setattr(export, "LINES", 1)
    monkeypatch.setattr(export, "PORTION", 1)
    forget()
    lines = as_json_lines(log_told(table.gm, now(fought)), lambda line: {"seq": line.seq})
    next(lines)
    with CaptureQueriesContext(connection) as read:
        rest = list(lines)
    assert len(rest) > 3
    assert any("battles_battlerecord" in query["sql"] for query in read.captured_queries)


@pytest.mark.parametrize("form", everyday(["jsonl", "json", "txt"], first=1))
def test_who_has_no_seat_is_told_nothing(table, fought, form):
    assert as_(table.stranger).get(f"/battles/{fought.pk}/log.{form}").status_code == 404
    assert as_(table.stranger).get(f"/api/v1/battles/{fought.pk}/export/?as={form}").status_code == 404


def test_the_api_sends_the_same_files(table, fought):
    client = as_(table.ana)
    for form in ("jsonl", "json", "txt"):
        sent = client.get(f"/api/v1/battles/{fought.pk}/export/?as={form}")
        assert b"".join(sent.streaming_content).decode() == file_of(client, fought, form)
    refused = client.get(f"/api/v1/battles/{fought.pk}/export/?as=xml")
    assert refused.status_code == 400
    assert refused.json()["errors"][0]["pointer"] == "/as"
    assert client.get(f"/api/v1/battles/{fought.pk}/export/?form=json").status_code == 400


def test_the_replay_leads_to_all_three(table, fought):
    page = as_(table.viewer).get(reverse("battles:replay", args=[fought.pk])).content.decode()
    for name in ("log_text", "log_json", "log_lines"):
        assert reverse(f"battles:{name}", args=[fought.pk]) in page


def test_dice_thrown_against_a_check_are_told_behind_its_sum():
    """An open die that ran on, what it was worth with its bonus, and then the die of the other side."""
    rolls = tuple(Roll("side-0", "leave", 10, face) for face in (10, 4, 7))
    line = PageLine(1, "", "withdrawal-tested", "", "B-36", rolls, (10, 4, 7), (), check=19, against=12)
    assert export.format_dice(replace(line, own=(0, 2), bonus=5)) == "d10 10, d10 4 +5 = 19 / 12, d10 7"
    assert export.format_dice(replace(line, own=(0, 2), bonus=None, check=None)) == "d10 10, d10 4, d10 7"
    assert export.format_dice(replace(line, check=None)) == "d10 10, d10 4, d10 7"
