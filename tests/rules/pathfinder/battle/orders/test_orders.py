"""Refusals: what an order or a command may not say, in the player's words and at the field at fault."""

from __future__ import annotations

import pytest

from rules.core.dice import DiceNeeded, Typed, TypedDie
from rules.core.errors import IllegalCommand, InvalidInput
from rules.pathfinder.battle.decide import decide
from rules.pathfinder.battle.orders import commands as c
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle_state import Ambush, Order, Side
from rules.pathfinder.battle.state.opening import open_battle
from tests.scenario import Scenario, boss, hold, order, scenario, use

POTION = use("healing-potions", kind="resource")


@pytest.fixture
def duel() -> Scenario:
    return (
        scenario()
        .army("A", tactics=["taunt"], resources=["healing-potions"], abilities=["challenge", "combat-style"])
        .army("A2")
        .army("B")
        .until("melee")
    )


UNKNOWN = {
    "army": (Order("Z"), "/army"),
    "tactic": (Order("A", tactic="hide"), "/tactic"),
    "strategy": (Order("A", strategy="hide"), "/strategy"),
    "target": (Order("A", target="Z"), "/target"),
    "use": (Order("A", use=(use("hide"),)), "/use/0"),
    "use of no kind": (Order("A", use=(use("challenge", kind="spell"),)), "/use/0"),
    "target of a use": (Order("A", use=(use("challenge", target="Z"),)), "/use/0/target"),
    "option": (Order("A", use=(use("combat-style", "singing"),)), "/use/0/option"),
    "withdrawal": (Order("A", withdraw="fly"), "/withdraw"),
    "spawn": (Order("A", spawn="two"), "/spawn"),
}


@pytest.mark.parametrize("what", UNKNOWN)
def test_a_word_nobody_knows_is_invalid_input(duel: Scenario, what: str) -> None:
    """R-20: with its pointer."""
    said, field = UNKNOWN[what]
    refusal = duel.refused(c.GiveOrder(said))
    assert (type(refusal), refusal.field) == (InvalidInput, field)


ILLEGAL = {
    "own side": (order("A2"), "/target"),
    "itself": (order("A"), "/target"),
    "unknown tactic": (order(tactic="full-defense"), "/tactic"),
    "use it has not": (order("B", use("rage")), "/use/0"),
    "same use twice": (hold(use("challenge", target="B"), use("challenge", target="B")), "/use/1"),
    "challenge to a friend": (hold(use("challenge", target="A2")), "/use/0/target"),
    "line not held": (hold(hold_the_line=True), "/hold_the_line"),
}


@pytest.mark.parametrize("what", ILLEGAL)
def test_what_is_not_possible_now_is_illegal(duel: Scenario, what: str) -> None:
    """PF-3.4, PF-3.8, R-20."""
    said, field = ILLEGAL[what]
    refusal = duel.refusal(A=said)
    assert (type(refusal), refusal.field) == (IllegalCommand, field)


def test_missing_options_and_targets(duel: Scenario) -> None:
    """R-22: named where it matters; a use without options or target takes none."""
    assert duel.refusal(A=order("B", use("combat-style"))).field == "/use/0/option"
    assert duel.refusal(A=hold(use("challenge"))).field == "/use/0/target"
    assert duel.refusal(A=hold(use("challenge", "loudly", "B"))).field == "/use/0/option"
    assert duel.refusal(A=hold(use("combat-style", "melee", "B"))).field == "/use/0/target"


def test_a_use_of_an_enemy_falls_back_on_the_target_ordered(duel: Scenario) -> None:
    """R-26: the army it attacks."""
    duel.melee(A=order("B", use("challenge")), dice={"A attack": 2})
    assert duel.om("A", "B") == 11


def test_a_use_in_the_air_targets_the_army_ordered_even_on_turning_to_it() -> None:
    """R-26: the target of this very order, not the one it had."""
    s = scenario().army("A", abilities=["challenge"]).army("B").army("B2")
    s.melee(A=order("B"), dice={"A attack": 2}).melee(A=order("B2", use("challenge")), dice={"A attack": 2})
    assert (s.om("A", "B2"), s.om("A", "B")) == (11, 9)


def test_a_spent_use_is_refused(duel: Scenario) -> None:
    """PF-9."""
    duel.melee(A=hold(use("challenge", target="B")))
    assert "already" in str(duel.refusal(A=hold(use("challenge", target="B"))))


def test_an_army_that_left_takes_no_orders_and_is_no_target(duel: Scenario) -> None:
    """PF-3.9."""
    duel.override("A2", "status", "withdrawn").override("B", "status", "withdrawn")
    assert duel.refusal(A2=hold()).field == "/army"
    assert duel.refusal(A=order("B")).field == "/target"


@pytest.mark.parametrize("phase", ["setup", "aftermath"])
def test_no_orders_out_of_phase(phase: str) -> None:
    """PF-3.2."""
    s = scenario().army("A").army("B")
    if phase == "aftermath":
        s.until("melee").play(c.End("dusk"))
    assert "Armies don’t take orders" in str(s.refusal(A=hold()))


def test_only_a_tactic_in_the_tactics_phase(duel: Scenario) -> None:
    """PF-3.4."""
    s = scenario().army("A", resources=["healing-potions"]).army("B").until("tactics")
    for said in (order("B"), hold(), order(strategy="reckless"), order("\0keep", POTION)):
        assert isinstance(s.refusal(A=said), IllegalCommand)


def test_nobody_resolves_a_setup_or_a_finished_battle() -> None:
    """PF-3.2."""
    s = scenario().army("A").army("B")
    assert "setup" in str(s.refused(c.Resolve()))
    s.until("tactics")
    assert isinstance(s.refused(c.Next()), IllegalCommand)
    assert isinstance(s.refused(c.Next("melee")), InvalidInput)


PLAYER = c.Viewer(armies=frozenset({"A"}))


def test_a_player_orders_his_own_army_only(duel: Scenario) -> None:
    """PF-3.5: and nothing of what is the GM's."""
    duel.order("A", hold(), viewer=PLAYER)
    assert duel.refusal(PLAYER, B=hold()).field == "/army"
    for command in (c.Resolve(), c.Next("ranged"), c.Interrupt(), c.End("mine", 0), c.Override("A", "hp", 40, "?")):
        assert "Only the GM" in str(duel.refused(command, viewer=PLAYER))
    assert "You don’t command" in str(duel.refusal(c.Viewer(), A=hold()))


@pytest.mark.parametrize("face", [0, 21, -3])
def test_dice_out_of_range_are_refused(duel: Scenario, face: int) -> None:
    """PF-3.1: a d20 shows 1 to 20."""
    duel.order("A", order("B")).order("A2", hold()).order("B", hold())
    refusal = duel.refused(c.Resolve(), {"A attack": face})
    assert (type(refusal), refusal.field) == (InvalidInput, "/dice")


def test_dice_nobody_needed_are_refused(duel: Scenario) -> None:
    """PF-3.1: too many, of another army or of another kind."""
    duel.order("A", order("B")).order("A2", hold()).order("B", hold())
    for dice in (
        {"A attack": [2, 3]},
        {"A attack": 2, "B attack": 2},
        {"A attack": 2, "A extra": 1},
        {"A attack": 2, "Z bleed": 1},
    ):
        assert duel.refused(c.Resolve(), dice).field == "/dice"


def test_dice_are_asked_for_step_by_step(duel: Scenario) -> None:
    """PF-3.5: everything a step needs at once, nothing of the steps that depend on it."""
    duel.order("A", order("B", tactic="taunt")).order("A2", order("B")).order("B", hold())
    asked, typed = [], []
    for _step in range(5):
        try:
            decide(duel.state, c.Resolve(), Typed(typed, ask=True), c.Viewer(gm=True))
            break
        except DiceNeeded as needed:
            asked.append([(ask.army, ask.name, ask.die) for ask in needed.asks])
            typed += [TypedDie(ask.army, ask.name, (15,)) for ask in needed.asks]
    assert asked == [[("A", "tactic", 20)], [("B", "taunt", 20)], [("A", "attack", 20), ("A2", "attack", 20)]]


def needs(s: Scenario, typed: tuple[TypedDie, ...] = ()) -> list[str]:
    with pytest.raises(DiceNeeded) as needed:
        decide(s.state, c.Resolve(), Typed(typed, ask=True), c.Viewer(gm=True))
    return [str(ask.need) for ask in needed.value.asks]


@pytest.mark.parametrize(
    ("dv", "told"),
    [
        (19, "B, +9 against 19: hits on 11+"),
        (27, "B, +9 against 27: hits on 19+"),
        (28, "B, +9 against 28: only a 20 hits"),
        (40, "B, +9 against 40: only a 20 hits"),
        (9, "B, +9 against 9: any roll hits"),
        (10, "B, +9 against 10: hits on 2+"),
    ],
)
def test_a_blow_says_beforehand_from_which_face_up_it_hurts(dv: int, told: str) -> None:
    """PF-3.6: above DV, or a natural 20."""
    s = scenario().army("A").army("B").until("melee")
    s.order("A", order("B")).order("B", hold()).override("B", "dv", dv - 19)
    assert needs(s) == [told]


def test_what_was_said_of_a_blow_is_so(duel: Scenario) -> None:
    """PF-3.6: one face less misses."""
    duel.order("A", order("B")).order("A2", hold()).order("B", hold())
    face = int(needs(duel)[0].rsplit("on ", 1)[1].rstrip("+"))
    for typed, hurts in ((face, True), (face - 1, False)):
        given = Typed((TypedDie("A", "attack", (typed,)),))
        events = decide(duel.state, c.Resolve(), given, c.Viewer(gm=True))
        assert next(event.damage > 0 for event in events if isinstance(event, e.Attacked)) is hurts


def test_a_morale_check_says_beforehand_which_face_is_enough(duel: Scenario) -> None:
    """PF-3.1: the DC reached is enough; the same face decides."""
    duel.order("A", order("B", tactic="taunt")).order("A2", hold()).order("B", hold())
    (told,) = needs(duel)
    face = int(told.rsplit(": ", 1)[1].split()[0].rstrip("+"))
    for typed, success in ((face, True), (face - 1, False)):
        given = Typed((TypedDie("A", "tactic", (typed,)),))
        events = decide(duel.state, c.Resolve(), given, c.Viewer(gm=True))
        assert next(event.success for event in events if isinstance(event, e.TacticChosen)) is success


OPENINGS = {
    "one side": (lambda s: s.specs.pop("B") and s, "/sides"),
    "unknown army": (lambda s: s.declared("sees_invisible", "Z"), "/sees_invisible/0"),
    "overcoming a friend": (lambda s: s.army("A2").declared("overcomes", ("A", "A2")), "/overcomes/0"),
    "overcoming nobody": (lambda s: s.declared("overcomes", ("A", "Z")), "/overcomes/0"),
    "ambush of a friend": (lambda s: s.army("A2").ambush("A", "A2"), "/ambush"),
    "ambush by nobody": (lambda s: s.ambush("Z", "A"), "/ambush"),
    "a defeated army": (lambda s: s.army("B2", status="defeated"), "/sides/1/armies/1"),
    "a disbanded army": (lambda s: s.army("B2", status="disbanded"), "/sides/1/armies/1"),
    "a captured army": (lambda s: s.army("B2", status="captured"), "/sides/1/armies/1"),
    "a routed attacker": (lambda s: s.army("A2", status="routed"), "/sides/0/armies/1"),
    "no hit points": (lambda s: s.army("B2", hp=0), "/sides/1/armies/1"),
}


@pytest.mark.parametrize("what", OPENINGS)
def test_impossible_openings_are_refused(what: str) -> None:
    """PF-3.2, PF-6.1, PF-6.2: with a pointer."""
    spoil, field = OPENINGS[what]
    with pytest.raises(InvalidInput) as refused:
        _ = spoil(scenario().army("A").army("B")).state
    assert refused.value.field == field


def test_an_army_stands_on_one_side_once() -> None:
    """PF-3.2: and sides have names of their own."""
    opening = scenario().army("A").army("B").opening()
    from dataclasses import replace

    for sides, field in (
        ((Side("A", ("A",)), Side("B", ("B", "A"))), "/sides/1/armies/1"),
        ((Side("A", ("A",)), Side("A", ("B",))), "/sides/1/name"),
        ((Side("A", ("A",)), Side(" ", ("B",))), "/sides/1/name"),
        ((Side("A", ("A",)), Side("B", ("B",)), Side("C", ())), "/sides/2/armies"),
        ((Side("A", ("A",)), Side("B", ("Z",))), "/sides/1/armies/0"),
    ):
        with pytest.raises(InvalidInput) as refused:
            open_battle(scenario().law, replace(opening, sides=sides))
        assert field in [found for found, _said in refused.value.errors]
    with pytest.raises(InvalidInput):
        open_battle(scenario().law, replace(opening, ambushes=(Ambush("A", "Z"),)))


def test_every_problem_of_an_opening_is_named_at_once() -> None:
    """PF-4."""
    s = scenario().army("A", status="captured").army("B", status="captured").condition("drizzle")
    with pytest.raises(InvalidInput) as refused:
        _ = s.state
    assert [field for field, _said in refused.value.errors] == [
        "/sides/0/armies/0", "/sides/1/armies/0", "/conditions/0/condition"
    ]  # fmt: skip


def test_a_commander_who_holds_the_line_must_be_there() -> None:
    """PF-2.5."""
    s = scenario().army("A", commander=boss("hold-the-line", active=False)).army("B").until("melee")
    assert s.refusal(A=hold(hold_the_line=True)).field == "/hold_the_line"
