"""Command tests (WC-3): 2D6 plus modifiers against the threshold of the character's ability."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from rules.core.breakdown import Breakdown
from rules.core.text import _
from rules.hexbattle.chances import two_dice_at_most
from rules.wing_command.battle.distance import CommandDistance, distance
from rules.wing_command.battle.record.state import FRESH, ROUTED, SHAKEN, HostState, Wing
from rules.wing_command.battle.situation import bound, with_engaged_unit
from rules.wing_command.spec import IRREGULAR

ALWAYS, NEVER = 2, 12


class CommandTest(NamedTuple):
    """A command test: the modifiers of the dice, and the total they must not exceed."""

    sum: Breakdown
    threshold: int

    @property
    def chance(self) -> Fraction:
        return two_dice_at_most(self.threshold - self.sum.total, always=(ALWAYS,), never=(NEVER,))

    def succeeds(self, dice: int) -> bool:
        return dice == ALWAYS or (dice != NEVER and dice + self.sum.total <= self.threshold)


class Farthest(NamedTuple):
    """A unit, and its command distance from the character."""

    unit: str
    far: CommandDistance


def threshold_of(state: HostState, ability: str) -> int:
    return state.options.thresholds[ability]


def farthest(state: HostState, character: str, wing: Wing) -> Farthest | None:
    """The bound unit of a wing farthest from a character (WC-3.3), among equals an infiltrating one; None if none."""
    found = [
        Farthest(unit, distance(state, character, unit))
        for unit in state.standing(wing)
        if unit != character and state.units[unit].morale != ROUTED and counts(state, unit)
    ]
    return max(found, key=lambda one: (one.far.cost, state.units[one.unit].infiltrating), default=None)


def counts(state: HostState, unit: str) -> bool:
    """Whether a unit counts as bound by the order; chaotic characters do, though they are never bound (W-44)."""
    own = state.units[unit]
    return bound(state, unit) or (own.character and own.chaotic and not (own.freed or own.special))


def command_test(state: HostState, character: str, wing: Wing) -> CommandTest:
    """The command test of a character for a wing: to change its order, take its command, or resign."""
    own = state.units[character]
    far = farthest(state, character, wing)
    infiltrates = far is not None and state.units[far.unit].infiltrating
    lines = (
        (_("Irregular"), own.own.profile == IRREGULAR, 1),
        (_("Shaken"), own.morale == SHAKEN, 1),
        (_("Out of breath"), own.fatigue > FRESH, 1),
        (_("Stacked with an engaged unit"), with_engaged_unit(state, character), 1),
        (_("Distance to the farthest bound unit"), far is not None, far.far.tranches if far else 0),
        (_("Infiltrating"), own.infiltrating, 2),
        (_("The farthest unit infiltrates"), infiltrates, 2),
    )
    found = Breakdown()
    for label, holds, value in lines:
        found = found.plus(label, value, "WC-3.2") if holds else found
    return CommandTest(found, threshold_of(state, own.own.ability))
