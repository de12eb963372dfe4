"""Numbers that explain themselves."""

from __future__ import annotations

import pytest

from rules.core.breakdown import Breakdown, Line
from rules.core.text import Message, Term, say
from rules.pathfinder.battle.orders.legal import figures
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.telling.narrate import describe, luck
from rules.pathfinder.ruleset import COMBAT_DE_MASSE as LAW
from tests.scenario import boss, hold, order, scenario, spec, use

EVERYTHING = spec(
    "A",
    abilities=["pounce", "undead", "inspire-courage", "spellcasting 2"],
    resources=["magic-armor", "mounts", "siege-engines"],
    commander=boss("defensive-tactics", "loyalty", charisma=2, soldier_ranks=5, notorious=True),
    disease=1,
    drain=2,
    arrears=True,
    morale=-1,
)


def test_a_breakdown_is_the_sum_of_its_lines() -> None:
    sums = Breakdown((Line(Term("a"), 3, "PF-1.5"),)).plus(Term("b"), -5, "PF-1.5")
    assert (sums.total, [line.value for line in sums.lines]) == (-2, [3, -5])


def test_a_line_of_nothing_is_left_out_and_a_floor_is_a_line() -> None:
    sums = Breakdown((Line(Term("a"), 3, "PF-1.5"),))
    assert sums.plus(Term("nothing"), 0, "PF-1.5") is sums
    assert sums.at_least(2, Term("at least"), "PF-5") is sums
    assert sums.at_least(5, Term("at least"), "PF-5").lines[-1] == Line(Term("at least"), 2, "PF-5")


@pytest.mark.parametrize(
    "figure, total",
    [
        ("om", 9 + 1 + 1 + 2 + 2 + 2 - 3),
        ("dv", 19 + 2 + 2 + 2 + 2 + 2 - 3),
        ("morale_check", -1 - 2 + 2 + 1 + 4 - 1),
        ("consumption", 4 + 2 + 1 + 3),
    ],
)
def test_every_line_of_a_sheet_has_a_name_and_a_rule(figure: str, total: int) -> None:
    """PF-1: the total is what the lines say."""
    sums: Breakdown = getattr(LAW.sheet(EVERYTHING), figure)
    assert sums.total == total
    assert all(
        str(line.label) and line.rule.startswith(("PF-", "R-")) and isinstance(line.value, int) for line in sums.lines
    )


def test_the_lines_of_an_attack_add_up() -> None:
    """PF-3.6: check = die + OM, against = DV, damage = its lines; fog and the minimum have lines of their own."""
    s = scenario().army("A", abilities=["breath-weapon", "rend"]).army("B", abilities=["swarm"]).condition("fog")
    s.melee(A=order(strategy="aggressive"), dice={"A attack": 17, "A extra": 2})
    hit = s.last(e.Attacked)
    assert hit.check == 17 + sum(line.value for line in hit.om)
    assert hit.against == sum(line.value for line in hit.dv)
    assert hit.damage == sum(line.value for line in hit.damage_lines) == (9 + 3 + 1 + 2) // 4
    assert {line.rule for line in hit.damage_lines} == {"PF-3.6", "PF-3.7", "PF-9", "R-13"}


def test_the_figures_of_an_army_in_battle_say_why() -> None:
    """R-5: without a target."""
    s = scenario().army("A", tactics=["defensive-wall"]).army("B").condition("darkness").tactics(A="defensive-wall")
    shown = figures(s.state, "A")
    assert (shown.om.total, shown.dv.total, shown.morale_check.total) == (9 - 2 - 2, 19 + 2 - 3, 0)
    assert "Darkness" in [str(line.label) for line in shown.om.lines]


def test_the_log_tells_every_kind_of_event_in_words() -> None:
    """Every event has its sentence, with the names of the armies and nothing left unfilled."""
    s = scenario().army("A", abilities=["rage", "bleed", "wild-shape"], tactics=["taunt"], resources=["siege-engines"])
    s.army("B", hp=30, resources=["healing-potions"]).army("B2").condition("fortification", "B", value=4)
    s.ambush("B", "A").tactics(dice={"B ambush": 1}, A="taunt").condition("sandstorm")
    s.melee(A=order("B", use("rage"), use("wild-shape", "scent"), strategy="aggressive"),
            B=hold(use("healing-potions", kind="resource")), B2=hold(tactic="withdraw"),
            dice={"B taunt": 2, "A siege": 4, "A attack": 19})  # fmt: skip
    s.override("B", "hp", 10).melee(
        A=order("B", use("wild-shape", "end")),
        dice={"B bleed": 2, "B taunt": 20, "A attack": 2, "B rout": 1, "A parting": 2},
    )
    told = [describe(s.state, event) for event in s.events]
    assert {entry.type for entry in told} >= {
        "ambushed", "phase-began", "phase-ended", "order-given", "tactic-chosen", "strategy-chosen", "target-chosen",
        "used", "shape-taken", "shape-ended", "marked", "unmarked", "healed", "wounded", "taunt-checked", "fort-worn",
        "attacked", "withdrawal-decided", "left", "rout-checked", "overridden", "battle-ended", "condition-set",
    }  # fmt: skip
    assert all(str(entry.text) and "{" not in str(entry.text) for entry in told)
    assert all(entry.secret is (entry.type == "order-given") for entry in told)
    attack = next(entry for entry in told if entry.type == "attacked")
    assert (attack.army, attack.target, attack.side, [str(title) for title, _sum, _army in attack.sums]) == (
        "A", "B", 0, ["OM", "DV", "Damage"]
    )  # fmt: skip


def test_luck_is_what_the_d20s_fell_above_average() -> None:
    s = scenario().army("A").army("B").melee(A=order(), B=order(), dice={"A attack": 20, "B attack": 1})
    assert luck(s.state, s.events) == {0: 9.5, 1: -9.5}


def test_words_are_filled_only_when_they_are_shown() -> None:
    said = say(Term("{army} held."), army="A")
    assert isinstance(said, Message)
    assert str(said) == "A held."
