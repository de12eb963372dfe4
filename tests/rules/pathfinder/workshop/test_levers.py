"""What decides a battle: a lever is the battle opened without the thing, and its effect what that changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings

from rules.core.errors import IllegalCommand, InvalidInput
from rules.core.odds import EXACT, SIMULATED, AboutOdds, Length, Winning
from rules.core.text import Term
from rules.core.workshop import Lever, decides
from rules.law import Viewer
from rules.pathfinder.battle.state.battle_state import Opening, Part, SetCondition, Side, UseOrder
from rules.pathfinder.battle.state.view import ArmyView
from rules.pathfinder.battle.steps.strike import exchange
from rules.pathfinder.rulebook import House
from rules.pathfinder.ruleset import COMBAT_DE_MASSE
from rules.pathfinder.spec import ArmySpec, MountSpec
from rules.pathfinder.workshop.setting import Bearing, Setting, begun, check_setting, meetings
from rules.pathfinder.workshop.workshop_law import levers
from tests.everyday import at_most
from tests.rules.pathfinder.strategies import openings
from tests.scenario import boss, has, spec

PLAIN = Bearing()
RAGE = UseOrder("ability", "rage")


def a_setting(*armies: ArmySpec, conditions: Sequence[SetCondition] = (), law: Any = COMBAT_DE_MASSE,
              opening: Any = None, **bearings: Bearing) -> Setting:  # fmt: skip
    """A against B, or the first two armies given."""
    both = (*armies, *(spec(name) for name in ("A", "B")[len(armies) :]))
    sides = tuple(Side(f"side of {army.name}", (army.id,)) for army in both)
    return Setting(law, Opening(both, sides, tuple(conditions), **(opening or {})), bearings)


def lever(setting: Setting, slug: str) -> Lever:
    (found,) = [lever for lever in levers(setting) if lever.slug == slug]
    return found


WALLS = SetCondition("fortification", 4, ("A",))
CAPTAIN = boss("loyalty", "hold-the-line", charisma=3)

CASES: dict[str, tuple[Setting, Setting]] = {
    "tactic:defensive-wall": (
        a_setting(spec("A", tactics=["defensive-wall"]), A=Bearing(tactic="defensive-wall")),
        a_setting(spec("A", tactics=["defensive-wall"])),
    ),
    "strategy:reckless": (a_setting(B=Bearing(strategy="reckless")), a_setting(B=PLAIN)),
    "order:hold-the-line": (
        a_setting(spec("A", commander=CAPTAIN), A=Bearing(hold_the_line=True)), a_setting(spec("A", commander=CAPTAIN)),
    ),
    "ability:rage": (a_setting(spec("A", abilities=["rage", "fear"]), A=Bearing(uses=(RAGE,))),
                     a_setting(spec("A", abilities=["fear"]))),
    "ability:fast-healing": (a_setting(spec("A", abilities=["fast-healing 3"])), a_setting()),
    "resource:siege-engines": (a_setting(spec("A", resources={"siege-engines": 2, "improved-armor": 1})),
                               a_setting(spec("A", resources=["improved-armor"]))),
    "boon:loyalty": (a_setting(spec("A", commander=CAPTAIN)),
                     a_setting(spec("A", commander=boss("hold-the-line", charisma=3)))),
    "dv-besides": (a_setting(B=Bearing(dv=-2)), a_setting()),
    "notorious": (a_setting(spec("A", commander=boss(notorious=True))), a_setting(spec("A", commander=boss()))),
    "mount": (a_setting(spec("A", mount=MountSpec("horses", cr="12"))), a_setting()),
    "wounds": (a_setting(spec("A", hp=11)), a_setting()),
    "morale": (a_setting(spec("A", morale=-2)), a_setting()),
    "arrears": (a_setting(spec("A", arrears=True)), a_setting()),
    "disease": (a_setting(spec("A", disease=2)), a_setting()),
    "drain": (a_setting(spec("A", drain=1)), a_setting()),
    "om-besides": (a_setting(A=Bearing(om=2)), a_setting()),
    "condition:fortification:1": (
        a_setting(conditions=[SetCondition("fog"), WALLS]), a_setting(conditions=[SetCondition("fog")]),
    ),
    "condition:wind:0": (a_setting(conditions=[SetCondition("wind", "strong")]), a_setting()),
    "magical": (a_setting(opening={"magical": ("A", "B")}), a_setting(opening={"magical": ("B",)})),
    "overcomes": (a_setting(opening={"overcomes": (("A", "B"),)}), a_setting()),
    "house:minimum_damage": (a_setting(law=replace(COMBAT_DE_MASSE, house=House(minimum_damage=0))), a_setting()),
}  # fmt: skip


@pytest.mark.parametrize("slug", CASES)
def test_a_lever_is_the_battle_opened_without_it(slug):
    """Where two armies have the same of it, the one of the first is meant."""
    question, without = CASES[slug]
    found = next(lever for lever in levers(question) if lever.slug == slug)
    left = begun(found.without)
    assert left == begun(without)
    assert left.law.house == begun(without).law.house
    assert (left != begun(question)) or left.law.house != question.law.house


def test_a_commander_s_morale_is_a_lever_apart_from_his_boons():
    """PF-2.3: without it rout checks are worse by what they bring, and their leadership still holds their boons."""
    led = a_setting(spec("A", commander=CAPTAIN))
    found = lever(led, "commander")
    assert str(found.name) == "Boss: morale +3"
    armies = [begun(question).armies["A"] for question in (led, found.without)]
    bonuses = [sum(line.value for line in ArmyView(begun(led), army).morale_lines()) for army in armies]
    assert bonuses[0] - bonuses[1] == 3
    assert armies[0].profile.traits == armies[1].profile.traits


def test_a_plain_battle_has_nothing_to_take_out():
    assert levers(a_setting()) == ()


def test_a_lever_names_its_army_and_what_it_does():
    question = a_setting(replace(spec("A", abilities=["fast-healing 3"]), name="Ironwatch"), conditions=[WALLS],
                         B=Bearing(strategy="aggressive"))  # fmt: skip
    told = {found.slug: (found.army, str(found.name), str(found.note)) for found in levers(question)}
    assert told["strategy:aggressive"] == ("B", "Aggressive", "B: OM +2, damage +3, DV −2.")
    assert told["ability:fast-healing"][:2] == ("A", "Fast healing 3")
    assert told["condition:fortification:0"][:2] == ("A", "Walls +4")
    assert told["condition:fortification:0"][2].startswith("Ironwatch: ")
    parts = SetCondition("fortification", None, ("A",), parts=(Part("wall", "stone", 2), Part("moat", "water", 1)))
    assert str(lever(a_setting(conditions=[parts]), "condition:fortification:0").name) == "Walls +3"


# how it begins
def test_bearings_are_taken_before_the_first_blow():
    """PF-3.4 the tactic, PF-3.7 the strategy of the first melee, both without a check."""
    question = a_setting(spec("A", tactics=["expert-flankers"], abilities=["rage"]),
                         A=Bearing("expert-flankers", "aggressive", uses=(RAGE,), dv=3))  # fmt: skip
    battle = begun(question)
    army = battle.armies["A"]
    assert (battle.phase.kind, battle.phase.number) == ("ranged", 1)
    assert (army.tactic, army.strategy, battle.orders["A"].use) == ("expert-flankers", "aggressive", (RAGE,))
    pair = exchange(ArmyView(battle, battle.armies["B"]), ArmyView(battle, army), "melee", "attack")
    assert ("GM: what if", 3) in [(str(line.label), line.value) for line in pair.dv]
    assert battle.armies["B"].tactic == "standard"


def test_what_an_army_cannot_do_it_does_not_do_and_is_refused():
    impossible = {
        "must learn": a_setting(A=Bearing(tactic="defensive-wall")),
        "mindless": a_setting(spec("A", abilities=["mindless"]), A=Bearing(strategy="reckless")),
        "for the whole battle": a_setting(A=Bearing(uses=(RAGE,))),
        "doesn’t have the boon Hold the line": a_setting(A=Bearing(hold_the_line=True)),
        "while raging": a_setting(spec("A", abilities=["rage"]), A=Bearing(strategy="cautious", uses=(RAGE,))),
    }
    for why, question in impossible.items():
        with pytest.raises(IllegalCommand, match=why):
            check_setting(question)
        if why != "while raging":  # there the engine itself ends the caution
            assert begun(question) == begun(question.with_bearing("A", PLAIN))
    with pytest.raises(InvalidInput, match="no hit points left"):
        check_setting(a_setting(spec("A", hp=0)))
    check_setting(a_setting(spec("A", tactics=["defensive-wall"]), A=Bearing("defensive-wall", "defensive")))


# ranking
def answered(win: float) -> Winning:
    return Winning(EXACT, 0.0, 0.0, 0.0, (win, 1 - win), Length(1.0, 1))


def test_causes_are_ranked_by_what_they_change_whichever_way():
    names = {"small": 0.55, "big": 0.1, "against": 0.9, "none": 0.6}
    held = [Lever(slug, "A", Term(slug), Term(""), SimpleNamespace(win=win)) for slug, win in names.items()]
    causes = decides(held, 0.6, lambda questions: [answered(question.win) for question in questions])
    assert [(cause.slug, round(cause.points, 6)) for cause in causes] == [
        ("big", 0.5), ("against", -0.3), ("small", 0.05), ("none", 0.0),
    ]  # fmt: skip


def test_an_ability_is_taken_out_with_its_number_and_options():
    question = a_setting(spec("A", abilities=[has("spellcasting", 3, ranged=True), "fear"]))
    left = begun(lever(question, "ability:spellcasting").without)
    assert [choice.ability for choice in left.armies["A"].spec.unit.abilities] == ["fear"]


def test_what_the_winner_has_left_adds_up_to_his_chance_however_it_is_found():
    """Exact for plain armies, wounds that bleed, regeneration and parting shots; thrown where armies are ferocious."""
    pairs = [
        (spec("A"), spec("B")), (spec("A", abilities=["bleed"]), spec("B", abilities=["regeneration 2"])),
        (spec("A", hit_die="d12"), spec("B", acr=11)), (spec("A"), spec("B", abilities=["ferocity"])),
    ]  # fmt: skip
    law = COMBAT_DE_MASSE.battle.forecast
    methods = set()
    for armies in pairs:
        odds = law.odds(begun(a_setting(*armies)), AboutOdds(battles=2000), Viewer(gm=True))
        methods.add(odds.method)
        for army, side in zip("AB", odds.sides, strict=True):
            found = odds.armies[army]
            assert sum(chance for _hp, chance in found.victory) == pytest.approx(side.win, abs=1e-12)
            whole = dict(found.health)
            assert all(chance <= whole[hp] + 1e-12 for hp, chance in found.victory)
    assert methods == {EXACT, SIMULATED}


@settings(max_examples=at_most(5, full=settings.default.max_examples))
@given(openings())
def test_meetings_of_a_sweep_are_battles_begun_without_any_bearing(opening):
    first, *others = opening.armies
    field = (SetCondition("fog"), SetCondition("wind", "strong"))
    found = meetings(COMBAT_DE_MASSE, first, others, field)
    for other, battle in zip(others, found, strict=True):
        sides = tuple(Side(army.name, (army.id,)) for army in (first, other))
        assert battle == begun(Setting(COMBAT_DE_MASSE, Opening((first, other), sides, field)))
