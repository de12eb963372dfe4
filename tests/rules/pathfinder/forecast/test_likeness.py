"""Battles alike but for ratings and morale are read off the engine once: their phases are those read on their own."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from rules.core.odds import AboutOdds
from rules.pathfinder.battle.state.battle_state import Adjustment, BattleState, Mark, Order, SetCondition, changed
from rules.pathfinder.forecast.exact import similar_pairs
from rules.pathfinder.forecast.exact.forecast import exactly, winners
from rules.pathfinder.forecast.exact.similar_pairs import Likenesses
from rules.pathfinder.forecast.exact.supported import NotUnderstood
from rules.pathfinder.forecast.exact.transitions import Course, courses, sights
from rules.pathfinder.ruleset import COMBAT_DE_MASSE as LAW
from rules.pathfinder.spec import AbilityChoice, ArmySpec, MountSpec, TacticKnown, UnitSpec
from rules.pathfinder.workshop.setting import meetings
from tests.rules.pathfinder.forecast.pairs import BOONS, _choice
from tests.scenario import boss

FIELDS = ((), (SetCondition("fog"),), (SetCondition("sandstorm"), SetCondition("darkness")))


def army(name: str, abilities: tuple[AbilityChoice, ...], random: Random, **fields: Any) -> ArmySpec:
    """Of these abilities, and of any rating, morale, name and hit die."""
    unit = UnitSpec(
        f"soldier {random.random()}", str(random.randint(2, 12)), random.choice(("d6", "d8", "d10")),
        level=random.randint(1, 9), abilities=abilities, ranged="shoots" in fields,
    )  # fmt: skip
    return ArmySpec(
        name, f"{name} {random.random()}", unit, random.choice((100, 200, 500)), morale=random.randint(-4, 4),
        commander=boss(fields["boon"], id=f"{name}'s") if "boon" in fields else None,
        tactics=(TacticKnown(random.choice(list(LAW.tactics))),), hp=random.choice((None, 5)),
        mount=MountSpec(cr=str(random.randint(1, 9))) if "mount" in fields else None,
    )  # fmt: skip


def of_every_ability() -> Iterator[tuple[tuple[AbilityChoice, ...], tuple[AbilityChoice, ...]]]:
    random, deck = Random(3), list(LAW.abilities)
    random.shuffle(deck)
    for slug in deck:
        mine, other = (
            tuple(_choice(random, LAW.abilities[one]) for one in slugs)
            for slugs in ((slug,), random.sample(deck, random.randint(0, 2)))
        )
        yield mine, other


def read(battle: BattleState) -> list[Course] | str:
    try:
        return courses(battle, {}, parting=False)
    except NotUnderstood:
        return "not understood"


def read_as_alike(battle: BattleState) -> list[Course] | str:
    try:
        return Likenesses().courses(battle)
    except NotUnderstood:
        return "not understood"


@pytest.fixture(autouse=True)
def _nothing_read() -> Iterator[None]:
    similar_pairs._READ.clear()
    yield
    similar_pairs._READ.clear()


def test_armies_alike_but_for_rating_and_morale_have_the_phases_they_have_on_their_own() -> None:
    """Each ability of the catalogue, against others, on several fields: to the last bit the same."""
    random, understood = Random(4), 0
    for mine, other in of_every_ability():
        more: dict[str, Any] = {name: True for name in ("shoots", "mount") if random.random() < 0.4}
        if random.random() < 0.4:
            more["boon"] = random.choice(BOONS)
        field = random.choice(FIELDS)
        for _twin in range(4):
            one, two = army("A", mine, random, **more), army("B", other, random)
            (battle,) = meetings(LAW, one, [two], field)
            assert read_as_alike(battle) == read(battle), (mine, other)
            understood += read(battle) != "not understood"
    assert understood > 200


def counted(monkeypatch: pytest.MonkeyPatch) -> list[BattleState]:
    """The battles that are read off the engine from here on."""
    seen: list[BattleState] = []

    def told(battle: BattleState, *further: Any, **said: Any) -> Any:
        seen.append(battle)
        return sights(battle, *further, **said)

    monkeypatch.setattr(similar_pairs, "sights", told)
    return seen


def test_a_hundred_meetings_of_two_kinds_of_armies_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    random, seen = Random(5), counted(monkeypatch)
    able = (AbilityChoice("significant-defense"),)
    for row in range(10):
        others = [army(f"B{number}", able, random) for number in range(10)]
        winners(meetings(LAW, army(f"A{row}", (), random), others, ()), AboutOdds())
    assert len(seen) == 1


def test_what_makes_more_of_a_rating_is_alike_only_at_the_same_rating(monkeypatch: pytest.MonkeyPatch) -> None:
    """PF-9, Track: ACR on some checks."""
    seen, track = counted(monkeypatch), (AbilityChoice("track"),)
    for cr, reads in (("3", 1), ("3", 1), ("5", 2)):
        one, two = (ArmySpec(name, name, UnitSpec("x", cr, abilities=track), 100) for name in "AB")
        Likenesses().courses(meetings(LAW, one, [two], ())[0])
        assert len(seen) == reads


@pytest.mark.parametrize("change", [
    lambda b: changed(b, orders={"A": Order("A", strategy="aggressive")}),
    lambda b: changed(b, conditions=(SetCondition("fog", armies=("A",)),)),
    lambda b: changed(b, armies={**b.armies, "A": changed(b.armies["A"], marks=(Mark("rage"),))}),
    lambda b: changed(b, armies={**b.armies, "A": changed(b.armies["A"], spent={"ability:rage": 1})}),
])  # fmt: skip
def test_what_was_ordered_carried_or_set_for_one_is_read_on_its_own(
    change: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    random, seen = Random(6), counted(monkeypatch)
    (battle,) = meetings(LAW, army("A", (), random), [army("B", (), random)], ())
    assert winners([change(battle)], AboutOdds())[0] is not None
    assert not seen


def test_figures_changed_by_hand_tell_armies_apart() -> None:
    random = Random(7)
    one, two = army("A", (), random), army("B", (), random)
    (battle,) = meetings(LAW, one, [two], ())
    better = changed(battle.armies["A"], adjustments=(Adjustment("om", 3, "?"),))
    for state in (battle, changed(battle, armies={**battle.armies, "A": better}, memo={})):
        (said,) = winners([state], AboutOdds())
        whole = exactly(state, AboutOdds())
        assert said is not None
        assert whole is not None
        assert said.wins == pytest.approx([side.win for side in whole.sides], abs=1e-12)
