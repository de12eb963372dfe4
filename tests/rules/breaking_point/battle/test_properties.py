"""What holds for every battle, whatever is ordered: drawn by Hypothesis."""

from __future__ import annotations

from math import sqrt
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rules.breaking_point.battle.orders import commands as c
from rules.breaking_point.battle.state import events as e
from rules.breaking_point.battle.state import field_figures
from rules.breaking_point.battle.state.battle_state import ON_FIELD, BodyOrder, FieldMark, Order
from rules.breaking_point.battle.state.conditions import CONDITIONS
from rules.breaking_point.dice import value_of
from rules.core.dice import Replayed, Roll, Rolled
from rules.core.errors import Refusal
from rules.law import OMNISCIENT, Viewer
from tests.everyday import at_most
from tests.rules.breaking_point.battle.fights import Fight, foot
from tests.rules.breaking_point.battle.random_fights import commands, drawn

HERE = (*ON_FIELD, "waiting")
BY_HAND = (("combat", 2), ("power", -30), ("fire-power", 40), ("defense", -1), ("force", 300), ("breaking", 40))
SEEDS = st.integers(0, 10**9)


def fought(seed, meddling=None):
    """(law, opening, every (state before, command, events, state after)) of a battle to its end.

    `meddling`: what the GM does by hand before each stretch, of a state.
    """
    law, opening = drawn(seed)
    rng, battle, records = Random(seed), law.open(opening), []
    while battle.result is None:
        for drawing in (meddling, commands) if meddling else (commands,):
            for command in drawing(law, battle, rng):
                events = law.decide(battle, command, Rolled(), OMNISCIENT)
                after = law.fold(battle, events)
                records.append((battle, command, events, after))
                battle = after
    return law, opening, records


@given(SEEDS)
@settings(max_examples=at_most(6, full=15), deadline=None)
def test_a_battle_of_legal_orders_comes_to_an_end_and_is_the_same_from_its_record(seed):
    law, opening, records = fought(seed)
    battle = law.open(opening)
    for before, command, events, after in records:
        rolls = [roll for event in events for roll in _rolls(event)]
        assert law.decide(before, command, Replayed(rolls), OMNISCIENT) == events
        battle = law.fold(battle, events)
        assert battle == after
        assert law.thaw(opening, law.freeze(after)) == after


def _rolls(event: e.Event) -> list[Roll]:
    own = list(getattr(event, "rolls", ()))
    return own + [roll for other in getattr(event, "opposed", ()) for roll in other.rolls]


class Forgetful(dict):
    """A memo that remembers nothing."""

    def __setitem__(self, key, value):
        """It is forgotten at once."""


REMEMBERED = (
    (field_figures, "_power"),
    (field_figures, "_combat"),
    (field_figures, "_defense"),
    (field_figures, "terrain_of"),
)


def without_memory(patch):
    """Every figure of the field is reckoned anew each time."""
    for room, name in REMEMBERED:
        patch.setattr(room, name, getattr(room, name).__wrapped__)


def changing(law, battle, rng):
    """Ground, weather and figures, now and then."""
    if rng.random() < 0.4:
        mark = FieldMark(rng.choice([kind.slug for kind in CONDITIONS.values() if not kind.of and not kind.choices]))
        lift = battle.condition(mark.kind) is not None
        tried = [c.ChangeCondition(mark, lift)]
        if battle.bodies:
            tried.append(c.Override(rng.choice(list(battle.bodies)), *rng.choice(BY_HAND), "to see"))
        for command in tried:
            try:
                law.decide(battle, command, Rolled(), OMNISCIENT)
            except Refusal:
                continue
            yield command
            battle = law.fold(battle, law.decide(battle, command, Rolled(), OMNISCIENT))


@given(SEEDS)
@example(5)  # foes of unlike armour
@example(9)
@settings(max_examples=at_most(2, full=60), deadline=None)
def test_a_battle_reckoned_without_memory_tells_the_same(seed):
    """What is remembered of a power, and by what key, is only ever what would be reckoned anew."""
    law, _opening, records = fought(seed, changing)
    with pytest.MonkeyPatch.context() as patch:
        without_memory(patch)
        for before, command, events, _after in records:
            rolls = Replayed([roll for event in events for roll in _rolls(event)])
            bare = before.changed(memo=Forgetful())
            assert law.decide(bare, command, rolls, OMNISCIENT) == events
            assert law.figures(bare) == law.figures(before)


@given(SEEDS)
@settings(max_examples=at_most(6, full=15), deadline=None)
def test_losses_never_pass_twice_the_force_and_who_is_gone_stays_gone(seed):
    _law, _opening, records = fought(seed)
    for before, _command, events, after in records:
        for body in after.bodies.values():
            assert 0 <= body.losses <= 2 * body.force
            assert body.status in (*ON_FIELD, "waiting") or before.bodies[body.id].status in (
                *ON_FIELD,
                "waiting",
                body.status,
            )
            assert (body.status == "annihilated") == (body.losses >= 2 * body.force)
        for attack in (event for event in events if isinstance(event, e.Attacked)):
            assert sum(line.value for line in attack.power_lines) == attack.power
            assert sum(line.value for line in attack.foe_lines) == attack.against


@given(SEEDS)
@settings(max_examples=at_most(5, full=10), deadline=None)
def test_everything_can_be_told_to_everybody_and_figures_of_others_to_nobody(seed):
    law, opening, records = fought(seed)
    viewer = Viewer(armies=frozenset({opening.armies[0].id}))
    for before, _command, events, after in records:
        seen = law.seen(before, viewer)
        law.summary(seen), law.legal(seen, viewer), law.figures(before)
        for event in events:
            told = law.witnessed(before, event, viewer)
            assert told is None or str(law.describe(seen, told).text)
            assert str(law.describe(after, event).text)
            if isinstance(told, e.Suffered) and told.masked:
                assert (told.force, told.fallen) == (100, 0)
        assert all(body.masked == (body.army in seen.masked) for body in seen.bodies.values())


@pytest.mark.slow
def test_mirror_battles_are_fair():
    """Two like armies that do the same: neither wins more often than chance lets it."""
    won = [0, 0]
    for _battle in range(4000):
        fight = Fight(foot(), foot())
        for command in (c.Next(), c.Resolve()):
            _roll(fight, command)
        while fight.state.result is None:
            for own, foe in (("a", "b"), ("b", "a")):
                body = {"contact": BodyOrder("attack", f"{foe}:contact", True)}
                if fight.state.bodies[f"{own}:contact"].rests == fight.state.round:
                    body = {"contact": BodyOrder()}
                _roll(fight, c.GiveOrder(Order(own, body)))
            _roll(fight, c.Resolve())
        if fight.state.result.winner is not None:
            won[fight.state.result.winner] += 1
    assert abs(won[0] - won[1]) / sqrt(sum(won)) < 3


def _roll(fight, command):
    events = fight.law.decide(fight.state, command, Rolled(), OMNISCIENT)
    fight.state = fight.law.fold(fight.state, events)


@given(SEEDS)
@settings(max_examples=at_most(6, full=15), deadline=None)
def test_what_is_told_behind_the_dice_adds_up_to_the_score(seed):
    """The dice of a test are told before those thrown against it, and what was added is what its lines add up to."""
    law, _opening, records = fought(seed)
    for _before, _command, events, after in records:
        for event in events:
            entry = law.describe(after, event)
            if entry.own is not None:
                assert entry.rolls[slice(*entry.own)] == event.rolls
                assert value_of([roll.value for roll in event.rolls]) + entry.bonus == event.score
                assert entry.bonus == sum(line.value for line in event.lines)
