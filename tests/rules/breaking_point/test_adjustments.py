"""Lasting adjustments of an army by the GM (B-41): lines of its figures, on its sheet and in battles."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.adjustments import LastingAdjustment
from rules.breaking_point.battle.orders import commands as c
from rules.breaking_point.battle.state.battle_state import ASSAULT, Side
from rules.breaking_point.battle.state.field_figures import combat_lines, defense_lines, side_command
from rules.breaking_point.figures import body_figures
from rules.breaking_point.forecast.forecast_law import Prospects
from rules.breaking_point.lines import body_lines, command_lines, rally_lines, unit_lines
from rules.breaking_point.ruleset import BREAKING_POINT as LAW
from rules.breaking_point.spec import FORTIFICATIONS, Place
from rules.core.odds import AboutOdds
from rules.law import OMNISCIENT, Viewer
from tests.rules.breaking_point.battle.fights import Fight, archers, dead, foot, general, guns

BLESSED, CURSED = "blessed by the lake", "cursed"


def given(figure: str, amount: int, reason: str = BLESSED) -> tuple[LastingAdjustment, ...]:
    return (LastingAdjustment(figure, amount, reason),)


def said(lines):
    return [(str(line.label), line.value, line.rule) for line in lines.lines]


GM_LINE = ("GM: blessed by the lake", 2, "B-41")


@pytest.mark.parametrize(
    ("figure", "names"),
    [("combat", {"contact_combat", "shot_combat"}), ("defense", {"defense"}), ("breaking_point", {"breaking_point"})],
)
def test_an_adjustment_is_a_line_of_its_figure_and_of_no_other(figure, names):
    plain, blessed = unit_lines(archers()), unit_lines(archers(adjustments=given(figure, 2)))
    assert {name for name in plain if plain[name] != blessed[name]} == names
    for name in names:
        assert blessed[name].total == plain[name].total + 2
        assert said(blessed[name])[-1] == GM_LINE


def test_of_several_units_the_mean_moves_by_the_amount():
    units = [foot(100, 4), archers(300, 7)]
    blessed = [replace(unit, adjustments=(*given("combat", 2), *given("defense", -1, CURSED))) for unit in units]
    before, after = body_figures(units), body_figures(blessed)
    assert (after.contact_combat, after.shot_combat) == (before.contact_combat + 2, before.shot_combat + 2)
    assert (after.defense, after.combat) == (before.defense - 1, before.combat)
    assert said(body_lines(blessed)["shot_combat"])[-1] == GM_LINE
    assert said(body_lines(blessed)["defense"])[-1] == ("GM: cursed", -1, "B-41")
    figures = {"contact_combat", "shot_combat", "defense"}
    assert all(lines.total == getattr(after, name) for name, lines in body_lines(blessed).items() if name in figures)


def test_a_breaking_point_stays_at_a_tenth_and_who_never_breaks_never_breaks():
    low = foot(combat=1, adjustments=given("breaking_point", -50, CURSED))
    assert body_figures([low]).breaking == 10
    assert said(unit_lines(low)["breaking_point"])[-1] == ("GM: cursed", -10, "B-41")
    risen = replace(dead(), adjustments=given("breaking_point", -50, CURSED))
    assert body_figures([risen]).breaking is None
    both = [low, foot(combat=5, adjustments=low.adjustments)]
    assert body_lines(both)["breaking_point"].total == body_figures(both).breaking == 10


def test_defense_stays_at_0():
    unit = foot(combat=2, adjustments=given("defense", -9))
    assert (body_figures([unit]).defense, unit_lines(unit)["defense"].total) == (0, 0)
    gun = guns(adjustments=given("defense", 3))
    assert (body_figures([gun]).defense, body_figures([gun]).contact_defense) == (9, 0)  # BP-4.9


def test_a_commanders_command_is_adjusted_and_no_rally():
    led = general(adjustments=given("command", 2))
    assert said(command_lines(led, ()))[-1] == GM_LINE
    assert rally_lines(led, ()) == rally_lines(general(), ())


def fight(**more):
    blessed = (*given("combat", 2), *given("defense", 1), *given("breaking_point", 20), *given("command", 3))
    return Fight(foot(adjustments=blessed), foot(), led={"a": general(adjustments=blessed), "b": general()}, **more)


def test_adjustments_hold_in_battles():
    state = fight().state
    one, other = state.bodies["a:contact"], state.bodies["b:contact"]
    assert said(combat_lines(state, one, "contact")) == [("Combat", 6, "BP-2.5"), GM_LINE]
    assert said(defense_lines(state, one, "contact"))[-1] == ("GM: blessed by the lake", 1, "B-41")
    assert (one.breaking, one.value) == (other.breaking + 20, other.value + 200)
    commands = [side_command(state, side)[1].total for side in (0, 1)]
    assert commands[0] == commands[1] + 3


def test_a_blow_counts_them():
    """Combat 8 + die 6 against defense 6: margin 8, half of the power of 1000; without the blessing 40 %."""
    struck = fight().command().order("a", contact=("attack", "b:contact")).resolve(a_contact__contact=(6,))
    assert struck.body("b:contact").losses == 500
    plain = Fight(foot(), foot(), led={"a": general(), "b": general()})
    struck = plain.command().order("a", contact=("attack", "b:contact")).resolve(a_contact__contact=(6,))
    assert struck.body("b:contact").losses == 400


def test_their_readers_only_are_told():
    state = fight().state
    told = LAW.battle.seen(state, Viewer(armies=frozenset({"b"})))
    assert "blessed" not in repr((told.bodies, told.armies, told.opening))
    assert "blessed" in repr(LAW.battle.seen(state, OMNISCIENT).bodies)


def test_armies_that_act_as_one_share_them_by_heads_b53():
    fort = Place("p", "Keep", FORTIFICATIONS["fort"], 200)
    sides = (Side("Attackers", ("a", "b")), Side("Garrison", ("c",)))
    one = foot(300, adjustments=given("combat", 4))
    state = Fight(one, foot(100), foot(), sides=sides, kind=ASSAULT, place=fort).state
    lines = combat_lines(state, state.bodies["a:contact"], "contact")
    assert said(lines) == [("Combat", 6, "BP-2.5"), ("GM: blessed by the lake", 3, "B-41")]


def test_forecasts_count_them_as_the_gms_word_in_the_battle():
    def odds(one):
        return Prospects().odds(one.command().state, AboutOdds(), OMNISCIENT)

    said_now = Fight(foot(), foot()).play(c.Next()).override("a:contact", "combat", 2)
    blessed = odds(Fight(foot(adjustments=given("combat", 2)), foot()))
    assert blessed == odds(said_now)
    assert blessed != odds(Fight(foot(), foot()))


def test_the_field_tells_the_plain_figure_and_what_bounds_leave_of_an_adjustment():
    """Defense 2 and 8 less 4 are 0 and 4 (BP-2.5): the mean falls from 5 to 2."""
    cursed = given("defense", -4, CURSED)
    state = Fight((foot(100, 2, adjustments=cursed), foot(100, 8, adjustments=cursed)), foot()).state
    lines = defense_lines(state, state.bodies["a:contact"], "contact")
    assert said(lines) == [("Defense", 5, "BP-2.5"), ("GM: cursed", -3, "B-41")]


def test_the_gms_hand_over_an_adjusted_defense_is_a_line_of_its_own():
    played = Fight(foot(100, 8, adjustments=given("defense", -12, CURSED)), foot()).play(c.Next())
    state = played.override("a:contact", "defense", 3).state
    lines = defense_lines(state, state.bodies["a:contact"], "contact")
    assert [line[:2] for line in said(lines)] == [("Defense", 8), ("GM: cursed", -8), ("GM override", 3)]
