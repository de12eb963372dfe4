"""What a die that is asked for needs, and what may follow from it, said beforehand (PF-3.1)."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.core.dice import DiceNeeded, Typed, TypedDie
from rules.core.text import Said
from rules.pathfinder.battle.decide import decide
from rules.pathfinder.battle.orders import commands as c
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle_state import Opening, Part
from rules.pathfinder.kingdom_checks import kingdom_check, kingdom_need
from tests.everyday import at_most
from tests.rules.pathfinder.strategies import Told, openings, play
from tests.scenario import Scenario, hold, order, scenario

WALL = Part("wall", "stone", 4)
GM = c.Viewer(gm=True)


def asked(s: Scenario, command: c.Command | None = None, **typed: int) -> DiceNeeded:
    given = [TypedDie(*key.split("_"), (face,)) for key, face in typed.items()]
    with pytest.raises(DiceNeeded) as needed:
        decide(s.state, command or c.Resolve(), Typed(given, ask=True), GM)
    return needed.value


def needs(s: Scenario, command: c.Command | None = None, **typed: int) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for ask in asked(s, command, **typed).asks:
        found.setdefault(f"{ask.army} {ask.name}", []).append(str(ask.need))
    return found


def withdrawing() -> Scenario:
    s = scenario().army("A").army("A2").army("B").army("B2").until("melee")
    return s.order("A", hold(tactic="withdraw")).order("B", order("A")).order("B2", order("A")).order("A2", hold())


def test_a_withdrawal_says_who_opposes_whom_with_what() -> None:
    """PF-3.10, R-30: one die against all opponents, also where equal bonuses and faces would roll again."""
    assert needs(withdrawing()) == {
        "A withdraw": ["+0 against B, B2: the higher total gets away"],
        "B withdraw": ["+0 against A: the higher total holds it"],
        "B2 withdraw": ["+0 against A: the higher total holds it"],
    }


def test_a_tied_withdrawal_is_asked_for_again_with_its_needs() -> None:
    """R-30: the pair alone."""
    assert needs(withdrawing(), A_withdraw=10, B_withdraw=10, B2_withdraw=3) == {
        "A withdraw": ["+0 against B: the higher total gets away"],
        "B withdraw": ["+0 against A: the higher total holds it"],
    }


def test_engines_say_whose_walls_they_wear_down() -> None:
    """R-15: one die an engine."""
    s = scenario().army("A", resources={"siege-engines": 2}).army("B").condition("fortification", "B", parts=(WALL,))
    s.until("melee").order("A", order("B")).order("B", hold())
    assert needs(s)["A siege"] == ["reduces the fortifications of B"] * 2


def test_an_ambush_says_from_which_face_up_it_succeeds() -> None:
    """PF-3.3: above DV; one face less fails, whatever the face."""
    s = scenario().army("A").army("B").ambush("A", "B")
    (told,) = needs(s, c.Next())["A ambush"]
    face = int(told.rsplit("on ", 1)[1].rstrip("+"))
    for typed, success in ((face, True), (face - 1, False)):
        (event,) = [
            event
            for event in decide(s.state, c.Next(), Typed((TypedDie("A", "ambush", (typed,)),)), GM)
            if hasattr(event, "om")
        ]
        assert event.success is success


def test_bleeding_says_what_is_lost() -> None:
    """R-43."""
    s = scenario().army("A", abilities=["bleed"]).army("B")
    s.melee(A=order("B"), dice={"A attack": 14}).order("A", hold()).order("B", hold())
    assert needs(s)["B bleed"] == ["hit points lost by bleeding"]


@pytest.mark.parametrize(("value", "off"), [(2, 1), (8, 4), (12, 6)])
def test_bleeding_says_all_that_resistance_takes_off(value: int, off: int) -> None:
    """R-43: half the value, whatever face stands in for the die that nobody knows."""
    s = scenario().army("A", abilities=["poison"]).army("B", abilities=[f"poison-resistance {value}"])
    s.melee(A=order("B"), dice={"A attack": 14}).order("A", hold()).order("B", hold())
    assert needs(s)["B bleed"] == [f"hit points lost by bleeding, minus {off} for resistance"]


def test_a_second_check_against_engines_says_what_it_needs() -> None:
    """PF-3.11."""
    s = scenario().army("A", tactics=["siegebreaker"]).army("B", resources=["siege-engines"])
    s.tactics(A="siegebreaker").until("melee").order("A", order("B")).order("B", hold())
    (told,) = needs(s, A_attack=14)["A siegebreaker"]
    assert told.startswith("B, +9 against 19: succeeds on ")


@pytest.mark.parametrize(
    ("prepare", "typed", "told"),
    [
        (withdrawing, {}, "The attacks follow with their own dice"),
        (lambda: scenario().army("A").army("B").until("melee"), {}, "Hits can need more dice"),
        (
            lambda: scenario().army("A").army("B", hp=4).until("melee").order("A", order("B")).order("B", hold()),
            {"A_attack": 12},
            "Routed armies are attacked by parting shots",
        ),
    ],
    ids=["withdrawing", "attacks", "rout"],
)
def test_what_may_follow_is_said_with_the_dice(
    prepare: Callable[[], Scenario], typed: dict[str, int], told: str
) -> None:
    """PF-3.5, PF-3.9: the steps of a phase that come after the one whose dice are asked for."""
    assert str(asked(prepare(), **typed).follows).startswith(told)


@given(openings(), st.integers(0, 2**32))
@settings(max_examples=at_most(5, full=40))
def test_every_face_that_meets_a_need_succeeds_and_no_other_does(opening: Opening, seed: int) -> None:
    """PF-3.1, PF-3.3, PF-3.6: whatever the armies, the field and the orders."""
    for told in play(opening, seed).told:
        events, said = typed_out(told)
        for event in events:
            for place, roll in enumerate(getattr(event, "rolls", ())):
                need = said[roll.army, roll.name].pop(0) if said.get((roll.army, roll.name)) else None
                met = None if need is None else meets(str(need), roll.value)
                if met is None:
                    continue
                if isinstance(event, e.Attacked):
                    assert met is (event.check > event.against or roll.value == 20), (event, str(need))
                else:  # of a check that was rolled again the second counts
                    assert met is (event.success and roll == event.rolls[-1]), (event, place, str(need))


def typed_out(told: Told) -> tuple[tuple[Any, ...], dict[tuple[str, str], list[Said | None]]]:
    """The same command with its dice typed as they are asked for, and what each was said to need."""
    fallen: dict[tuple[str, str], list[int]] = {}
    for roll in told.rolls:
        fallen.setdefault((roll.army, roll.name), []).append(roll.value)
    typed: list[TypedDie] = []
    said: dict[tuple[str, str], list[Said | None]] = {}
    while True:
        try:
            return decide(told.before, told.command, Typed(typed, ask=True), GM), said
        except DiceNeeded as needed:
            for ask in needed.asks:
                said.setdefault((ask.army, ask.name), []).append(ask.need)
                typed.append(TypedDie(ask.army, ask.name, (fallen[ask.army, ask.name].pop(0),)))


def meets(need: str, face: int) -> bool | None:
    """Whether this face is enough, by the words; None where they say no such thing."""
    if "any die" in need or "no die" in need:
        return "any die" in need
    if "only a 20 hits" in need:
        return face == 20
    found = re.search(r"(\d+)\+", need)
    return face >= int(found[1]) if found else None


def test_nothing_is_promised_after_an_ambush() -> None:
    """PF-3.3: the battle has not begun."""
    assert asked(scenario().army("A").army("B").ambush("A", "B"), c.Next()).follows is None


@pytest.mark.parametrize(
    ("kingdom", "told"),
    [
        ({"loyalty": 20, "control_dc": 30}, "+20 against 30: 10+ succeeds"),
        ({"loyalty": 40, "control_dc": 30}, "+40 against 30: 2+ succeeds"),
        ({"loyalty": 0, "control_dc": 40, "unrest": 5}, "-5 against 40: 20+ succeeds"),
        ({"unrest": 20}, "counts as 0 against 30, whatever the die"),
    ],
    ids=["even", "a 1 fails", "a 20 succeeds", "anarchy"],
)
def test_a_check_of_the_kingdom_says_which_face_is_enough(kingdom: dict[str, int], told: str) -> None:
    """PF-3.1, PF-8.4: a natural 1 fails, a natural 20 succeeds, in anarchy nothing helps."""
    figures = {"loyalty": 20, "unrest": 0, "control_dc": 30, **kingdom}
    check = partial(
        kingdom_check,
        attribute="loyalty", value=figures["loyalty"], unrest=figures["unrest"], dc=figures["control_dc"],
    )  # fmt: skip
    assert str(kingdom_need(check)) == told
