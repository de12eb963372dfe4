"""Lasting adjustments of an army by the GM (TF-9): lines of its units' figures, on its sheet and in battles."""

from __future__ import annotations

import pytest

from battles.thucidide_fantasy.api import members_of
from rules.adjustments import LastingAdjustment
from rules.law import OMNISCIENT
from rules.thucidide_fantasy.battle.combat.engagement import range_of
from rules.thucidide_fantasy.battle.factors import AimedBlow, dice_of, lines_of, more_dice
from rules.thucidide_fantasy.battle.legal.pieces import facts_of
from rules.thucidide_fantasy.battle.paces import pace_of
from rules.thucidide_fantasy.battle.player.engine_options import promise
from rules.thucidide_fantasy.battle.record import commands as c
from rules.thucidide_fantasy.breakdowns import unit_lines
from rules.thucidide_fantasy.contingent import ContingentUnit
from rules.thucidide_fantasy.figures import Tables, adjusted_figures, plain_figures, unit_figures
from tests.rules.thucidide_fantasy.fights import Table, army

GM_LINE = ("GM: blessed by the lake", 2, "TF-9")
BOWS = ContingentUnit("bows")


def given(figure: str, amount: int, reason: str = "blessed by the lake") -> tuple[LastingAdjustment, ...]:
    return (LastingAdjustment(figure, amount, reason),)


def said(lines):
    return [(str(line.label), line.value, line.rule) for line in lines]


@pytest.mark.parametrize(
    ("figure", "names"), [("dice", {"assault", "melee", "shot"}), ("move", {"move"}), ("range", {"range"})]
)
def test_an_adjustment_is_a_line_of_its_figures_and_of_no_other(figure, names):
    plain, blessed = unit_lines(BOWS, Tables()), unit_lines(BOWS, Tables(), given(figure, 2))
    assert {name for name in plain if plain[name] != blessed[name]} == names
    for name in names:
        assert blessed[name].total == plain[name].total + 2
        assert said(blessed[name].lines)[-1] == GM_LINE


def test_at_least_one_die_is_left():
    cursed = unit_lines(BOWS, Tables(), given("dice", -5, "cursed"))
    assert [cursed[name].total for name in ("assault", "melee", "shot")] == [1, 1, 1]
    assert unit_lines(ContingentUnit("pike"), Tables(), given("dice", 2))["shot"].total == 0


def test_move_and_range_stay_at_one_and_what_never_moves_more_does_not():
    slow = adjusted_figures(unit_figures(BOWS, Tables()), (*given("move", -9), *given("range", -9)))
    assert (slow.move, slow.range) == (1, 1)
    heavy = unit_figures(ContingentUnit("engine"), Tables())._replace(fixed=True)
    assert adjusted_figures(heavy, given("move", 2)) == heavy
    foot = unit_figures(ContingentUnit("foot-medium"), Tables())
    quick = adjusted_figures(foot, given("move", 1))
    assert (quick.move, quick.calm) == (foot.move + 1, foot.calm + 1)


@pytest.mark.parametrize(
    ("type_", "amount", "hexes"),
    [
        ("foot-medium", -1, (1, 1)),  # 1, 2c (TF-1.4)
        ("foot-medium", 1, (2, 3)),
        ("engine", -1, (0, 1)),  # 1c
        ("bows", -1, (1, 1)),
    ],
)
def test_move_with_and_without_combat_are_bounded_each_by_itself(type_, amount, hexes):
    figures = unit_figures(ContingentUnit(type_), Tables())
    found = adjusted_figures(figures, given("move", amount))
    assert (found.move, found.calm) == hexes
    assert plain_figures(found) == figures


@pytest.mark.parametrize("amounts", [(-1, 1), (1, -1), (-2, 1), (1, -2)])
def test_their_order_does_not_matter(amounts):
    foot = unit_figures(ContingentUnit("foot-medium"), Tables())
    found = adjusted_figures(foot, [one for amount in amounts for one in given("move", amount)])
    assert (found.move, found.calm) == (1, 2 + sum(amounts))


def fight(*adjustments):
    one, other = army("a", 0, "bows:Own", adjustments=adjustments), army("b", 1, "foot-medium:Foe")
    return Table(one, other, places={"Own": "D5", "Foe": "E5"})


def test_attacks_count_and_tell_them():
    now = fight(*given("dice", 2), *given("range", 2), *given("move", 1))
    blow = AimedBlow(now.id("Own"), now.id("Foe"), "melee", now.at("Own"), now.at("Foe"))
    assert said(lines_of(now.state, blow)) == [("melee", 2, "TF-1.14"), GM_LINE]
    assert dice_of(now.state, blow._replace(how="shot")) == 4
    assert range_of(now.state, now.id("Own")) == 5
    plain = fight()
    assert pace_of(now.state, now.id("Own")).fighting == pace_of(plain.state, plain.id("Own")).fighting + 1
    assert ("GM: blessed by the lake", "+2") in [(str(a), str(b)) for a, b in facts_of(now.state, now.id("Own")).lines]


def test_characters_do_not_share_them():
    now = fight(*given("dice", 2), *given("move", 2))
    assert now.person("Chief a").own == fight().person("Chief a").own


def test_what_the_gm_sets_in_a_battle_counts_as_set():
    """T-81: the plain range of an overridden figure is the one that was set."""
    now = fight(*given("range", 2), *given("dice", 1))
    now.do(c.Override(now.id("Own"), "range", 4, "broken strings"))
    own = now.unit("Own").own
    assert (own.range, plain_figures(own).range) == (4, 4)
    assert own.adjustments == given("dice", 1)


def test_the_engines_player_and_the_api_count_adjusted_dice():
    """The unit attacks with 2 dice for its bows and 2 of the adjustment; the engine prefers it so much the more."""
    blessed, plain = fight(*given("dice", 2)), fight()
    units = [now.id("Own") for now in (blessed, plain)]
    assert [more_dice(now.unit("Own").own) for now in (blessed, plain)] == [2, 0]
    assert promise(blessed.state, units[0]) == pytest.approx(promise(plain.state, units[1]) + 2)
    told = [members_of(now.state, OMNISCIENT, [{"unit": now.id("Own")}])["units"][0]["own"] for now in (blessed, plain)]
    assert [(own["dice"], own["melee"]) for own in told] == [(2, 2), (0, 2)]
