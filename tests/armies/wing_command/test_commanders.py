"""Commanders of wings: appointed by form, shown with what follows, captured, killed (C-2, WC-1.4, WC-3, WC-4)."""

from __future__ import annotations

from typing import Any

from armies.documents.commander_services import appoint_commander, update_commander
from armies.models import Army, Commander
from armies.weeks.services import confirm_time
from tests.armies.wing_command.conftest import kept
from tests.rulesets.browsing import Reader, beside

USUAL = {
    "ability": "E", "profile": "regular", "melee": 4, "guard": 4, "shot": 0, "range": 0, "move": 5, "fly": False,
    "infiltrate": False, "art": "", "level": 0, "pentacle": 0,
}  # fmt: skip


def appointing(table: Any) -> str:
    return f"/kingdoms/{table.crown.pk}/commanders/new/"


def test_the_form_begins_with_the_usual_figures(table):
    Reader(table.ana).done(appointing(table), name="Odo")
    assert kept(Commander.objects.get(name="Odo")) == USUAL


def test_a_commander_is_appointed_with_figures(table):
    at = Reader(table.ana).done(
        appointing(table), name="Mira", ability="A", profile="autonomous", art="fire", level="5", pentacle="2", fly="on"
    )
    mira = Commander.objects.get(name="Mira")
    assert kept(mira) == {**USUAL, "ability": "A", "profile": "autonomous", "art": "fire", "level": 5, "pentacle": 2,
                          "fly": True}  # fmt: skip
    told = Reader(table.ana).read(at)
    for words in ("1D3 × 5", "2D6, 10 or less", "Autonomous", "Fire magic, level 5", "pentacle +2", "flies",
                  "aptitude 6: 2D6, 10 or less"):  # fmt: skip
        assert words in told, words


def test_what_does_not_go_together_stands_beside_its_field(table):
    ana, page = Reader(table.ana), f"/commanders/{table.leader.pk}/edit/"
    for sent, field, said in (
        ({"ability": "F"}, "ability", "Choose one of"),
        ({"move": "0"}, "move", "Enter a whole number from 1 to 12."),
        ({"art": "fire"}, "level", "Enter a magic level of 1 or more, or choose no art."),
        ({"level": "3"}, "art", "Choose an art, or set the magic level to 0."),
        ({"shot": "3"}, "range", "Enter both shot and range, or neither."),
        ({"pentacle": "4"}, "pentacle", "Enter a whole number from 0 to 3."),
    ):
        answer = ana.send(page, **sent)
        assert answer.status_code == 422, sent
        assert said in beside(answer.content.decode(), field), sent
    assert kept(table.leader)["ability"] == "B"


def test_an_irregular_commander_tests_and_orders_one_level_worse(table):
    """WC-3.2, WC-4.2."""
    for ability, profile, words in (
        ("C", "irregular", ("1D3 × 2 (irregular: as D)", "2D6, 7 or less")),
        ("E", "irregular", ("1 (irregular: one level below E)", "2D6, 5 or less")),
        ("A", "chaotic", ("none: chaotic characters can’t give special orders", "2D6, 10 or less")),
    ):
        sheet = {"ability": ability, "profile": profile}
        found = appoint_commander(by=table.gm, kingdom=table.crown, name="Odo", sheet=sheet)
        told = Reader(table.ana).read(f"/commanders/{found.pk}/")
        assert all(word in told for word in words), (ability, profile, told)


def test_a_captive_leaves_the_wing_and_comes_home_on_the_day(table):
    gm, page = Reader(table.gm), f"/commanders/{table.leader.pk}/edit/"
    gm.done(page, status="captured", away_until="7", ransom="12")
    leader = Commander.objects.get(pk=table.leader.pk)
    assert (leader.status, leader.ransom, leader.sheet["ability"]) == ("captured", 12, "B")
    assert Army.objects.get(pk=table.watch.pk).commander is None
    assert "captured" in gm.read(f"/commanders/{leader.pk}/")
    confirm_time(by=table.gm, campaign=table.campaign, days=7)
    leader.refresh_from_db()
    assert (leader.status, leader.ransom) == ("free", None)


def test_who_was_killed_keeps_the_figures_and_leads_nobody(table):
    update_commander(by=table.gm, commander=table.leader, status="killed")
    leader = Commander.objects.get(pk=table.leader.pk)
    assert (leader.status, leader.sheet["ability"]) == ("killed", "B")
    told = Reader(table.ana).read(f"/armies/{table.watch.pk}/")
    assert "Without a commander, a sergeant leads the wing." in told
