"""Lasting adjustments of an army by the GM (WC-11): lines of its troops' figures, on its sheet and in battles."""

from __future__ import annotations

import pytest

from rules.adjustments import LastingAdjustment
from rules.wing_command.battle.combat import Setting, sum_of
from rules.wing_command.battle.record import commands as c
from rules.wing_command.figures import FIGURES, Tables, morale_lines, troop_lines, wing_of
from rules.wing_command.wing import WingCharacter, WingSheet, WingTroop
from tests.rules.wing_command.fights import Table, army

SHEET = WingSheet((WingTroop("foot"), WingTroop("archers")), (WingCharacter("Bruna", "champion"),))
GM_LINE = ("GM: blessed by the lake", 2, "WC-11")


def given(figure: str, amount: int, reason: str = "blessed by the lake") -> tuple[LastingAdjustment, ...]:
    return (LastingAdjustment(figure, amount, reason),)


def said(lines):
    return [(str(line.label), line.value, line.rule) for line in lines]


@pytest.mark.parametrize("figure", ["melee", "shot", "guard", "move"])
def test_an_adjustment_is_a_line_of_its_figure_and_of_no_other(figure):
    archers = WingTroop("archers")
    plain, blessed = troop_lines(archers, Tables()), troop_lines(archers, Tables(), given(figure, 2))
    assert {name for name in plain if plain[name] != blessed[name]} == {figure}
    assert blessed[figure].total == plain[figure].total + 2
    assert said(blessed[figure].lines)[-1] == GM_LINE


def test_who_does_not_shoot_is_not_taught_it():
    foot = WingTroop("foot")
    assert troop_lines(foot, Tables(), given("shot", 2)) == troop_lines(foot, Tables())


def test_figures_stay_in_their_bounds():
    cursed = troop_lines(WingTroop("archers"), Tables(), (*given("guard", -9), *given("shot", -9), *given("move", -9)))
    assert [cursed[name].total for name in ("guard", "shot", "move")] == [0, 1, 1]
    assert [morale_lines(SHEET, given("morale", amount)).total for amount in (-8, 2, 8)] == [4, 10, 12]
    assert said(morale_lines(SHEET, given("morale", 8)).lines)[-1] == ("GM: blessed by the lake", 4, "WC-11")


def test_an_army_enters_a_battle_with_its_adjusted_troops_and_marker():
    blessed = wing_of("a", "A", 0, SHEET, given=tuple(one for name in (*FIGURES, "morale") for one in given(name, 1)))
    plain = wing_of("a", "A", 0, SHEET)
    assert blessed.morale == plain.morale + 1
    for one, other in zip(blessed.units, plain.units, strict=True):
        more = 0 if one.character else 1
        assert (one.figures.melee, one.figures.guard) == (other.figures.melee + more, other.figures.guard + more)
        assert one.figures.range == other.figures.range  # it can't be adjusted


def fight(own=(), foe=()):
    one, other = army("a", 0, "foot:Reds", given=own), army("b", 1, "foot:Foe", given=foe)
    places = {"Chief a": "A14", "Chief b": "P1", "Reds": "C8", "Foe": "C7"}
    return Table(one, other, places=places)


def test_attacks_count_and_tell_them():
    now = fight(given("melee", 2), given("guard", -1, "cursed"))
    found = sum_of(now.state, now.ids["Reds"], now.ids["Foe"], "melee", Setting("C8"))
    assert found.total == 3  # foot against foot is 0
    assert said(found.lines) == [
        ("Melee attack", 3, "WC-8.1"), GM_LINE, ("Guard of the target", -3, "WC-8.1"), ("GM: cursed", 1, "WC-11"),
    ]  # fmt: skip


def test_a_wing_tests_against_its_adjusted_marker():
    now = fight(given("morale", 2))
    assert [wing.morale for wing in now.state.wings.values()] == [10, 8]


def test_what_the_gm_sets_in_a_battle_counts_as_set():
    now = fight((*given("melee", 2), *given("guard", 1)))
    now.do(c.Override(now.ids["Reds"], "melee", 4, "a hero's song"))
    found = sum_of(now.state, now.ids["Reds"], now.ids["Foe"], "melee", Setting("C8"))
    assert said(found.lines) == [("Melee attack", 4, "WC-8.1"), ("Guard of the target", -3, "WC-8.1")]
    assert now.unit("Reds").own.adjustments == given("guard", 1)


def test_a_figure_set_as_it_is_keeps_its_reason():
    now = fight(given("melee", 2))
    now.do(c.Override(now.ids["Reds"], "melee", 5, "as before"))
    assert now.unit("Reds").own.adjustments == given("melee", 2)
