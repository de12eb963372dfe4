"""What holds in every battle, whatever the armies, the field, the orders and the dice."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.core.dice import DiceNeeded, Replayed, Typed, TypedDie
from rules.core.errors import IllegalCommand, InvalidInput
from rules.pathfinder.battle.aftermath import ArmyInCampaign, CommanderInCampaign, KingdomFigures, World, aftermath
from rules.pathfinder.battle.decide import decide
from rules.pathfinder.battle.orders import commands as c
from rules.pathfinder.battle.orders.legal import legal
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle_state import FIGHTING, BattleState, Opening
from rules.pathfinder.battle.state.fold import evolve, fold
from rules.pathfinder.battle.telling.narrate import describe
from rules.pathfinder.figures import total
from rules.pathfinder.ruleset import ULTIMATE_CAMPAIGN
from tests.everyday import FULL, at_most
from tests.rules.pathfinder import strategies
from tests.rules.pathfinder.strategies import GM, Play, Scattered, each_choice, openings

STATUSES = {"fighting", "withdrawn", "routed", "defeated", "captured"}


BATTLES = given(openings(), st.integers(0, 2**32))
_fought: dict[str, Play] = {}


def battles(test: Any) -> Any:
    """Tried on random battles; every day on few, which are the same for all tests and are fought once."""
    if FULL:
        return BATTLES(test)

    def on_each_of_the_day() -> None:
        for opening, seed in of_the_day():
            test(opening, seed)

    on_each_of_the_day.__name__, on_each_of_the_day.__doc__ = test.__name__, test.__doc__
    return on_each_of_the_day


@cache
def of_the_day() -> list[tuple[Opening, int]]:
    drawn: list[tuple[Opening, int]] = []
    few = settings(max_examples=10, database=None)
    few(BATTLES(lambda opening, seed: drawn.append((opening, seed))))()
    return drawn


def play(opening: Opening, seed: int, *, phases: int = 10) -> Play:
    if FULL:
        return strategies.play(opening, seed, phases=phases)
    battle = repr((opening, seed, phases))
    if battle not in _fought:
        _fought[battle] = strategies.play(opening, seed, phases=phases)
    return _fought[battle]


@battles
def test_the_state_is_the_fold_of_the_events(opening: Opening, seed: int) -> None:
    """Event by event, command by command, or all at once from the opening."""
    played = play(opening, seed)
    step = played.opened
    for told in played.told:
        for event in told.events:
            step = evolve(step, event)
        assert step == told.after
    assert fold(played.opened, played.events) == played.state


@battles
def test_undoing_the_last_record_restores_the_state_before_it(opening: Opening, seed: int) -> None:
    """Refolding without the last command gives what stood before it, at every point of the battle."""
    played = play(opening, seed, phases=5)
    for index, told in enumerate(played.told):
        kept = [event for earlier in played.told[:index] for event in earlier.events]
        assert fold(played.opened, kept) == told.before


@battles
def test_deciding_again_from_the_recorded_dice_tells_the_same_story(opening: Opening, seed: int) -> None:
    for told in play(opening, seed).told:
        assert decide(told.before, told.command, Replayed(told.rolls), GM) == told.events


@battles
def test_the_table_is_asked_only_for_dice_it_needs(opening: Opening, seed: int) -> None:
    """Round by round of typed dice: nothing is asked for in vain, and the story is the one those dice tell."""
    for told in play(opening, seed).told:
        fallen: dict[tuple[str, str], list[int]] = {}
        for roll in told.rolls:
            fallen.setdefault((roll.army, roll.name), []).append(roll.value)
        typed: list[TypedDie] = []
        while True:
            try:
                events = decide(told.before, told.command, Typed(typed, ask=True), GM)
                break
            except DiceNeeded as needed:
                typed += [TypedDie(ask.army, ask.name, (fallen[ask.army, ask.name].pop(0),)) for ask in needed.asks]
        assert not any(fallen.values())
        assert [type(event) for event in events] == [type(event) for event in told.events]


@battles
def test_hit_points_stay_within_bounds(opening: Opening, seed: int) -> None:
    """Never below 0 nor above the maximum, after every single event; the defeated have none."""
    played = play(opening, seed)
    state = played.opened
    for event in played.events:
        state = evolve(state, event)
        for army in state.armies.values():
            assert 0 <= army.hp <= army.hp_max
            assert army.status in STATUSES
            assert army.status != "defeated" or army.hp == 0


def told_of(events: Iterable[e.Event], *kinds: type) -> list[Any]:
    return [event for event in events if isinstance(event, kinds)]


@battles
def test_every_sum_is_the_sum_of_its_lines(opening: Opening, seed: int) -> None:
    """check = roll + Σ OM, against = Σ DV, damage = Σ damage lines; morale checks likewise."""
    events = play(opening, seed).events
    for hit in told_of(events, e.Attacked, e.Ambushed):
        assert hit.check == hit.rolls[0].value + total(hit.om)
        assert hit.against == total(hit.dv)
    for hit in told_of(events, e.Attacked):
        assert hit.damage == total(hit.damage_lines) >= hit.lost == hit.hp_before - hit.hp_after
    checks = (e.TacticChosen, e.StrategyChosen, e.TauntChecked, e.FearChecked, e.RoutChecked, e.EngineAttacked)
    for check in told_of(events, *checks):
        if check.rolls:
            assert check.check == check.rolls[-1].value + total(check.lines)
    for pair in told_of(events, e.WithdrawalOpposed):
        if pair.rolls:
            assert pair.check == pair.rolls[-2].value + total(pair.lines)
            assert pair.against == pair.rolls[-1].value + total(pair.foe_lines)


@battles
def test_what_is_offered_is_accepted_and_what_is_refused_is_refused(opening: Opening, seed: int) -> None:
    """Every choice of `legal`, one by one, in every phase of the battle."""
    for told in play(opening, seed, phases=4).told:
        state = told.after
        if isinstance(told.command, c.GiveOrder) or state.phase.kind not in ("tactics", "ranged", "melee"):
            continue
        for choices in legal(state, GM).armies:
            for order, allowed in each_choice(choices, state.phase.kind == "tactics"):
                assert accepts(state, order) is allowed, order


def accepts(state: BattleState, order: Any) -> bool:
    try:
        decide(state, c.GiveOrder(order), Typed(()), GM)
    except (IllegalCommand, InvalidInput):
        return False
    return True


@battles
def test_the_commands_offered_are_the_commands_accepted(opening: Opening, seed: int) -> None:
    """For the GM, who may do anything the phase allows."""
    offers = {"resolve": c.Resolve(), "ranged": c.Next("ranged"), "interrupt": c.Interrupt("?"), "end": c.End("?")}
    for told in play(opening, seed, phases=3).told:
        for name, command in offers.items():
            offered = name in legal(told.after, GM).commands
            assert decides(told.after, command, seed) is offered, (name, told.after.phase)
        setting_up = told.after.phase.kind == "setup"
        assert decides(told.after, c.Next(), seed) is setting_up


def decides(state: BattleState, command: c.Command, seed: int) -> bool:
    try:
        decide(state, command, Scattered(Random(seed)), GM)
    except (IllegalCommand, InvalidInput):
        return False
    return True


@battles
def test_every_battle_ends_or_is_ended(opening: Opening, seed: int) -> None:
    """In the aftermath, one side at most holds the field unless the GM ended it; the winner is that side."""
    state = play(opening, seed, phases=12).state
    assert state.phase.kind == "aftermath"
    assert state.result is not None
    if state.result.reason != "dusk":
        sides = {army.side for army in state.on_field()}
        assert len(sides) <= 1
        assert state.result.winner == next(iter(sides), None)


@battles
def test_nobody_acts_after_leaving_or_while_barred(opening: Opening, seed: int) -> None:
    """No Offense check by an army off the field, none by one barred, no more uses than allowed."""
    for told in play(opening, seed).told:
        state = told.before
        for event in told.events:
            if isinstance(event, e.Attacked):
                army = state.armies[event.army]
                assert army.status == FIGHTING
                barred = [m for m in army.marks if m.kind in ("afraid", "barred", "drank", "feigns")
                          and m.at == state.phase.tick]  # fmt: skip
                assert not barred
                assert army.side != state.armies[event.target].side
            state = evolve(state, event)
        for army in state.armies.values():
            for use in army.profile.uses:
                if use.use.per == "battle" and use.source.slug != "wild-shape":
                    assert army.spent.get(f"{use.kind}:{use.source.slug}", 0) <= use.use.times


@battles
def test_every_event_can_be_told(opening: Opening, seed: int) -> None:
    """A sentence for each, with every blank filled."""
    played = play(opening, seed)
    for event in played.events:
        entry = describe(played.state, event)
        assert str(entry.text)
        assert "{" not in str(entry.text)
        assert entry.rule.startswith(("PF-", "R-"))


@battles
def test_every_battle_has_an_aftermath(opening: Opening, seed: int) -> None:
    """Proposed figures are within their bounds; the same dice propose the same."""
    state = play(opening, seed).state
    world = World(
        {"k": KingdomFigures("k", 10, 10, 10, 2, 25)},
        {
            spec.id: ArmyInCampaign("k", 5, spec.morale, "ready", resources=dict(spec.resources))
            for spec in opening.armies
        },
        {spec.commander.id: CommanderInCampaign(spec.commander) for spec in opening.armies if spec.commander},
    )
    dice = Scattered(Random(seed))
    proposal = aftermath(state, world, {}, dice)
    for change in proposal.changes:
        assert change.rule.startswith(("PF-", "R-"))
        assert change.before != change.after
        if change.field == "morale":
            assert -4 <= change.after <= 4  # type: ignore[operator]
        if change.field == "hp":
            assert 0 <= change.after <= state.armies[change.subject_id].hp_max  # type: ignore[operator]
    assert aftermath(state, world, {}, Replayed(dice.fallen)) == proposal


@settings(max_examples=at_most(4, full=settings.default.max_examples))
@given(openings(most=3), st.integers(0, 2**32))
def test_the_variant_plays_as_well(opening: Opening, seed: int) -> None:
    """PF-VAR: the same engine, another ruleset."""
    played = strategies.play(opening, seed, law=ULTIMATE_CAMPAIGN)
    assert fold(played.opened, played.events) == played.state


@pytest.mark.slow
@settings(max_examples=1000)
@given(openings(most=8), st.integers(0, 2**32))
def test_great_battles_hold_together(opening: Opening, seed: int) -> None:
    """Eight armies: replay, fold and bounds at once."""
    played = strategies.play(opening, seed, phases=15)
    for told in played.told:
        assert decide(told.before, told.command, Replayed(told.rolls), GM) == told.events
        assert all(0 <= army.hp <= army.hp_max for army in told.after.armies.values())
    assert fold(played.opened, played.events) == played.state


@battles
def test_what_is_told_behind_a_die_adds_up_to_the_check(opening: Opening, seed: int) -> None:
    """The die of the check is found among all that fell, and its bonus is that of the lines it unfolds to."""
    for told in play(opening, seed).told:
        for event in told.events:
            entry = describe(told.after, event)
            if entry.own is not None:
                dice = entry.rolls[slice(*entry.own)]
                assert sum(roll.value for roll in dice) + entry.bonus == entry.numbers["check"]
                assert entry.bonus == total(getattr(event, "om", ()) or getattr(event, "lines", ()))
