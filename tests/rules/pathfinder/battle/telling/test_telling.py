"""A battle in words as they are read aloud: sentences, no slugs, and what turns the battle is known by its weight."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.utils import translation

from core.text import render
from rules.aftermath import told_end
from rules.law import Weight
from rules.pathfinder.battle.orders.commands import CHECKS, Override
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle_state import Mark
from rules.pathfinder.battle.telling.narrate import SET, TAKEN, describe
from rules.pathfinder.catalogue.conditions import MARKS
from tests.scenario import scenario

BY_HAND = [
    ("hp", 30, "hit points of A to 30", "points de vie"),
    ("morale", -2, "morale of A to −2", "moral"),
    ("om", 5, "OM of A by +5", "MA"),
    ("dv", -50, "DV of A by −50", "VDéf"),
    ("engines", 3, "siege engines of A to 3", "engins de siège"),
    ("status", "routed", "A (routed)", "en déroute"),
    ("tactic", "withdraw", "tactic Withdraw", "Battre en retraite"),
    ("strategy", "reckless", "strategy Reckless", "stratégie"),
    ("target", "B", "A against B", "A contre B"),
    ("target", None, "removes the target of A", "A sans cible"),
    ("mark", "+afraid", "mark on A (Afraid)", "Effroi"),
    ("mark", "-afraid", "mark from A (Afraid)", "Effroi"),
    ("ability", "+fast-healing 4", "Fast healing 4", "4"),
    ("ability", "-ferocity", "ability Ferocity", "Férocité"),
    ("invincible", "+B", "A invincible against B", "A invincible face à B"),
    ("invincible", "-B", "the invincibility of A against B ends", "fin de l’invincibilité d’A face à B"),
]


@pytest.fixture
def duel() -> Any:
    return scenario().army("A").army("B").tactics().ranged()


def told(duel: Any, event: Any) -> str:
    return str(describe(duel.state, event).text)


@pytest.mark.parametrize("field, value, english, french", BY_HAND)
def test_what_the_gm_sets_by_hand_is_told_in_words(duel, field, value, english, french):
    said = describe(duel.state, e.Overridden("A", field, value, "a whim")).text
    assert english in str(said)
    with translation.override("fr"):
        assert french in render(said)
    for text in (str(said), render(said)):
        assert text.endswith(": a whim")
        assert not re.search(r"[+-][a-z]|\bmark to\b|\b(om|dv|hp)\b", text), text


def test_everything_a_gm_may_set_has_its_sentence():
    assert SET.keys() == CHECKS.keys()
    assert TAKEN.keys() <= SET.keys()
    assert {field for field, *_ in BY_HAND} == set(CHECKS)


def test_a_change_by_hand_is_told_as_what_is_added(duel):
    duel.play(Override("A", "dv", 7, "a hedge")).play(Override("A", "dv", 7, "a ditch"))
    assert [str(describe(duel.state, event).text) for event in duel.events[-2:]] == [
        "The GM changes the DV of A by +7: a hedge",
        "The GM changes the DV of A by +7: a ditch",
    ]


def test_choosing_a_target_is_no_treason(duel):
    assert told(duel, e.TargetChosen("A", "B")) == "Target of A: B."
    assert told(duel, e.TargetChosen("A", None)) == "A: hold the line, no attack."


def test_a_bleeding_the_gm_ordained_names_itself(duel):
    assert told(duel, e.Wounded("A", 3, "", 10, 7)) == "A: 3 hp lost (Bleeding)."


def test_who_had_no_wounds_is_not_healed(duel):
    assert told(duel, e.Healed("A", 0, "triage", 30, 30, "PF-2.9")) == "A: no wounds to heal (Triage)."


def test_the_engines_own_notes_are_no_lines_of_the_log(duel):
    for kind, mark in MARKS.items():
        for event in (e.Marked("A", Mark(kind)), e.Unmarked("A", kind)):
            assert describe(duel.state, event).quiet == mark.hidden, event


@pytest.mark.parametrize(
    "event, weight",
    [
        (e.RoutChecked("A", False), Weight.TURNING),
        (e.RoutChecked("A", True), Weight.TELLING),
        *[(e.Left("A", status), Weight.TURNING) for status in ("withdrawn", "routed", "defeated", "captured")],
        (e.LastStand("A", "routed"), Weight.TURNING),
        (e.FearChecked("A", "B", False), Weight.TELLING),
        (e.FearChecked("A", "B", True), Weight.USUAL),
        (e.AttackLost("A", "B", "gone"), Weight.USUAL),
    ],
)
def test_who_breaks_falls_or_flees_turns_the_battle(duel, event, weight):
    assert describe(duel.state, event).weight == weight


@pytest.mark.parametrize("side", [None, "Crown"])
def test_no_sentence_ends_in_the_room_for_a_reason_nobody_gave(side):
    given, none = told_end(side, "Night falls."), told_end(side, "")
    assert str(none) == str(none).strip()
    assert str(given) == f"{none} Night falls."
