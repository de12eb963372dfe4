"""A calm phase skips the steps that have nothing to do: it must be told exactly as if it had gone through them."""

from __future__ import annotations

from random import Random

import pytest

from rules.pathfinder.battle.decide import decide
from rules.pathfinder.battle.orders import commands as c
from rules.pathfinder.battle.state.battle_state import Opening, SetCondition, Side
from rules.pathfinder.battle.state.draft import Draft
from rules.pathfinder.battle.state.fold import fold
from rules.pathfinder.battle.state.opening import open_battle
from rules.pathfinder.battle.steps import phase as door
from rules.pathfinder.battle.steps.phase import calm_plan
from rules.pathfinder.battle.steps.run import PhaseRun
from rules.pathfinder.ruleset import COMBAT_DE_MASSE as LAW
from rules.pathfinder.spec import AbilityChoice, ArmySpec, BoonChoice, CommanderSpec, TacticKnown, UnitSpec
from tests.everyday import at_most, everyday
from tests.rules.pathfinder.oracle.dice import KeyedDice
from tests.rules.pathfinder.strategies import GM

OPTIONS = {"many": ["bleed", "fear"], "flag": True, "tactic": "taunt", "creature_type": "humanoid"}


def ability(slug: str) -> AbilityChoice:
    found = LAW.abilities[slug]
    options = {option.slug: OPTIONS.get(option.kind) or option.choices[0] for option in found.options}
    return AbilityChoice(slug, 4 if found.value == "required" else None, options)


def army(name: str, *abilities: str, **fields: object) -> ArmySpec:
    unit = UnitSpec("soldier", "4", "d10", abilities=tuple(ability(slug) for slug in abilities))
    return ArmySpec(name, name, unit, 100, **fields)  # type: ignore[arg-type]


def fought(opening: Opening, seed: object, tactic: str = "", phases: int = 8) -> tuple[list[object], int]:
    """The story of a battle nobody gives orders in, and how many of its phases were calm."""
    battle, story, calm = open_battle(LAW, opening), [], 0
    for number in range(phases):
        command: c.Command = c.Resolve() if number else c.Next()
        if number == 3 and tactic:  # the first melee phase
            battle = fold(battle, decide(battle, c.Override("A", "tactic", tactic, "test"),
                                                       KeyedDice(seed, "tactic"), GM))  # fmt: skip
        if battle.phase.kind == "aftermath":
            break
        calm += calm_plan(PhaseRun(Draft(battle), KeyedDice(seed, number))) is not None
        told = decide(battle, command, KeyedDice(seed, number), GM)
        story += told
        battle = fold(battle, told)
    return story, calm


def told_alike(
    monkeypatch: pytest.MonkeyPatch, opening: Opening, tactic: str = "", often: int = at_most(1, full=6)
) -> int:
    """Fights the battle with and without the short way; returns how often it was taken."""
    taken = 0
    for seed in range(often):
        short, calm = fought(opening, seed, tactic)
        with monkeypatch.context() as patch:
            patch.setattr(door, "calm_plan", lambda run: None)
            whole, _calm = fought(opening, seed, tactic)
        assert short == whole, seed
        taken += calm
    return taken


def field(*armies: ArmySpec, conditions: tuple[SetCondition, ...] = ()) -> Opening:
    names = [spec.id for spec in armies]
    return Opening(armies, (Side("Crown", tuple(names[::2])), Side("Horde", tuple(names[1::2]))), conditions)


def test_a_plain_battle_is_mostly_calm(monkeypatch: pytest.MonkeyPatch) -> None:
    assert told_alike(monkeypatch, field(army("A"), army("B"), army("C")), often=3) > 6


@pytest.mark.parametrize("slug", sorted(LAW.abilities))
def test_every_ability_is_told_alike(monkeypatch: pytest.MonkeyPatch, slug: str) -> None:
    told_alike(monkeypatch, field(army("A", slug), army("B"), army("C", "flight")))
    told_alike(monkeypatch, field(army("A", "animal-companion", hp=5), army("B", slug, hp=1), army("C", hp=5)))


@pytest.mark.parametrize("slug", sorted(LAW.tactics))
def test_every_tactic_is_told_alike(monkeypatch: pytest.MonkeyPatch, slug: str) -> None:
    armed = {"siege-engines": 1}
    first = army("A", tactics=(TacticKnown(slug, True),))
    told_alike(monkeypatch, field(first, army("B", resources=armed), army("C")), slug)


@pytest.mark.parametrize("slug", sorted(LAW.boons))
def test_every_boon_is_told_alike(monkeypatch: pytest.MonkeyPatch, slug: str) -> None:
    boon = BoonChoice(slug, "taunt" if LAW.boons[slug].needs_tactic else None)
    boss = CommanderSpec("boss", "boss", level=15, charisma_modifier=5, boons=(boon,))
    told_alike(monkeypatch, field(army("A", commander=boss), army("B"), army("C")))


@pytest.mark.parametrize("slug", sorted(LAW.conditions))
def test_every_condition_is_told_alike(monkeypatch: pytest.MonkeyPatch, slug: str) -> None:
    values = {"wind": "severe", "heroes": 4, "defense": 6}
    condition = SetCondition(slug, values.get(LAW.conditions[slug].value), ("A",))
    told_alike(monkeypatch, field(army("A"), army("B", hp=8), army("C", hp=3), conditions=(condition,)))


@pytest.mark.parametrize("seed", everyday(range(20), first=4))
def test_many_abilities_at_once_are_told_alike(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    random = Random(seed)
    quiet = sorted(slug for slug in LAW.abilities if slug != "mindless")
    armies = (army(name, *random.sample(quiet, 3), hp=random.randint(5, 16)) for name in "ABCD")
    told_alike(monkeypatch, field(*armies))
