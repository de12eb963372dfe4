"""Commanders of contingents: appointed by form, shown with what follows, captured, killed (C-3, TF-1.3, TF-4.2)."""

from __future__ import annotations

from typing import Any

from armies.documents.commander_services import update_commander
from armies.models import Army, Commander
from armies.weeks.services import confirm_time
from tests.armies.thucidide_fantasy.conftest import kept
from tests.rulesets.browsing import Reader, beside


def appointing(table: Any) -> str:
    return f"/kingdoms/{table.realm.pk}/commanders/new/"


def test_the_form_begins_with_a_general_of_normal_level(table):
    Reader(table.ana).done(appointing(table), name="Odo")
    assert kept(Commander.objects.get(name="Odo")) == {"rank": "general", "level": "normal"}


def test_a_commander_is_appointed_with_cards_and_traits(table):
    sent = {"traits-0-slug": "morale", "traits-0-object": "Banner", "cards-0-slug": "fear", "cards-1-slug": "fear"}
    at = Reader(table.ana).done(appointing(table), name="Mira", rank="sub-general", level="poor", **sent)
    mira = Commander.objects.get(name="Mira")
    assert kept(mira) == {"rank": "sub-general", "level": "poor", "cards": ["fear", "fear"],
                          "traits": [{"trait": "morale", "object": "Banner"}]}  # fmt: skip
    told = Reader(table.ana).read(at)
    for words in ("Sub-general", "Command range", "Poor", "Morale (Banner)", "Spell cards: 2 of 6 points",
                  "2 × Fear spell"):  # fmt: skip
        assert words in told, words


def test_a_hero_leads_nobody_and_has_figures(table):
    """TF-4.2."""
    at = Reader(table.ana).done(
        appointing(table), name="Odo", rank="hero", armour="heavy", mounted="on", melee="3", shot="1", range="4"
    )
    told = Reader(table.ana).read(at)
    for words in ("doesn’t lead troops", "Heavy weight", "has a mount", "Resistance"):
        assert words in told, words
    assert kept(Commander.objects.get(name="Odo"))["resistance"] == 3


def test_what_does_not_go_together_stands_beside_its_field(table):
    ana, page = Reader(table.ana), f"/commanders/{table.leader.pk}/edit/"
    for sent, field, said in (
        ({"rank": "king"}, "rank", "Choose one of"),
        ({"level": "superb"}, "level", "Choose one of"),
        ({"melee": "2"}, "melee", "Only heroes can have this."),
        ({"rank": "hero", "shot": "2"}, "range", "Enter both shot and range, or neither."),
        ({"rank": "hero", "melee": "4"}, "melee", "Enter a whole number from 1 to 3."),
        ({"points": "1"}, "cards-0-slug", "These cards cost 2 points; the limit is 1."),
        ({"cards-0-slug": "wish"}, "cards-0-slug", "Choose one of"),
        ({"traits-0-slug": "undead"}, "traits-0-slug", "A character can’t have Undead."),
    ):
        answer = ana.send(page, **sent)
        assert answer.status_code == 422, sent
        assert said in beside(answer.content.decode(), field), sent
    assert kept(table.leader)["level"] == "great"


def test_a_captive_leaves_the_army_and_comes_home_on_the_day(table):
    gm, page = Reader(table.gm), f"/commanders/{table.leader.pk}/edit/"
    gm.done(page, status="captured", away_until="7", ransom="12")
    leader = Commander.objects.get(pk=table.leader.pk)
    assert (leader.status, leader.ransom, leader.sheet["level"]) == ("captured", 12, "great")
    assert Army.objects.get(pk=table.watch.pk).commander is None
    assert "captured" in gm.read(f"/commanders/{leader.pk}/")
    confirm_time(by=table.gm, campaign=table.campaign, days=7)
    leader.refresh_from_db()
    assert (leader.status, leader.ransom) == ("free", None)


def test_who_was_killed_keeps_the_figures_and_leads_nobody(table):
    update_commander(by=table.gm, commander=table.leader, status="killed")
    leader = Commander.objects.get(pk=table.leader.pk)
    assert (leader.status, leader.sheet["level"]) == ("killed", "great")
    told = Reader(table.ana).read(f"/armies/{table.watch.pk}/")
    assert "Without a commander, no one in this army can activate units." in told
