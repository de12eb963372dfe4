"""Special orders (WC-4): who gives them, order points, and prices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rules.core.breakdown import Breakdown
from rules.core.errors import demand, require
from rules.core.text import Said, Term, _, say
from rules.wing_command.battle.distance import distance
from rules.wing_command.battle.record import events as e
from rules.wing_command.battle.record.state import EXHAUSTED, FRESH, ROUTED, SHAKEN, HostState
from rules.wing_command.battle.run import Run, faces, forbid
from rules.wing_command.battle.situation import engaged_alone, with_engaged_troop
from rules.wing_command.spec import CHAOTIC, IRREGULAR
from rules.wing_command.starter import ABILITIES

LEVELS = tuple(ABILITIES)  # best first
LEAST_POINTS = 1
BELOW = ""
"""The ability below E: one point, without a roll."""


class OrderCost(NamedTuple):
    """The price of a special order, line by line."""

    sum: Breakdown

    @property
    def points(self) -> int:
        return self.sum.total


# Points (WC-4.2)


def reductions(state: HostState, character: str) -> Iterator[Term]:
    """The reasons that reduce their ability, by one level each."""
    own = state.units[character]
    reasons = (
        (_("Irregular"), own.own.profile == IRREGULAR),
        (_("Stacked with an engaged troop"), with_engaged_troop(state, character)),
        (_("Shaken"), own.morale == SHAKEN),
        (_("Exhausted"), own.fatigue == EXHAUSTED),
        (_("Infiltrating"), own.infiltrating),
    )
    return (reason for reason, holds in reasons if holds)


def reduced_ability(state: HostState, character: str) -> str:
    """The ability used for rolling order points; `BELOW` if it is below E."""
    level = LEVELS.index(state.units[character].own.ability) + len(tuple(reductions(state, character)))
    return LEVELS[level] if level < len(LEVELS) else BELOW


def points_of(ability: str, face: int) -> int:
    """The points for a die: 1D3 is one die, halved and rounded up."""
    return (face + 1) // 2 * ABILITIES[ability].factor


# Givers and receivers


def why_not_command(state: HostState, character: str) -> Said | None:
    """Why a character can't use any command of WC-6 (condition G); None if they can."""
    if state.units[character].morale == ROUTED:
        return _("Routed characters can’t command.")
    if engaged_alone(state, character):
        return _("A character engaged alone can’t command.")
    return None


def why_not_distribute(state: HostState, character: str) -> Said | None:
    """Why a character can't give special orders (WC-4.1); None if they can."""
    own = state.units[character]
    if not (state.is_leader(character) or state.is_army_leader(character)):
        return _("Only wing leaders and the army leader can give special orders.")
    if own.own.profile == CHAOTIC:
        return _("Chaotic characters can’t give orders.")
    return why_not_command(state, character)


def why_not_order(state: HostState, character: str, unit: str) -> Said | None:
    """Why a character can't give this unit a special order, whatever its price; None if they can."""
    own, token = state.units[unit], state.token(unit)
    if unit == character:
        return _("Characters can’t give orders to themselves.")
    if token.side != state.side_of(character) or not token.standing:
        return _("Choose a unit of this side that is on the map.")
    if own.special or own.freed:
        return _("The unit already has a special order.")
    if own.chaotic:
        return _("Chaotic units can’t take special orders.")
    return _why_not_theirs(state, character, unit) or _why_out_of_reach(state, character, unit)


def _why_not_theirs(state: HostState, character: str, unit: str) -> Said | None:
    army = state.is_army_leader(character)
    if state.units[unit].character:
        if not state.options.orders_to_characters:
            return _("Characters can’t take special orders in this battle.")
        return None if army else _("Only the army leader can give orders to characters.")
    led = state.led_by(character)
    if army or (led is not None and led.id == state.units[unit].wing):
        return None
    return _("The unit belongs to another wing.")


def _why_out_of_reach(state: HostState, character: str, unit: str) -> Said | None:
    far = distance(state, character, unit)
    if far.orders:
        return None
    if state.units[unit].high:
        return _("Only flying characters can give orders to a unit in high flight.")
    return _("No path leads to the unit.")


def order_cost(state: HostState, character: str, unit: str) -> OrderCost:
    """The price of a special order (WC-4.3)."""
    own = state.units[unit]
    found = Breakdown().plus(_("Special order"), 1, "WC-4.3")
    lines = (
        (_("Irregular"), own.own.profile == IRREGULAR, 1),
        (_("Out of breath"), own.fatigue > FRESH, 1),
        (_("Shaken"), own.morale == SHAKEN, 1),
        (_("Routed"), own.morale == ROUTED, 2),
        (_("Infiltrating"), own.infiltrating, 2),
        (_("Distance"), True, distance(state, character, unit).tranches),
    )
    for label, holds, value in lines:
        found = found.plus(label, value, "WC-4.3") if holds else found
    return OrderCost(found)


# Commands


def distribute(run: Run, character: str) -> None:
    """Roll a character's order points, which they keep until they end the distribution."""
    why = why_not_distribute(run.state, character)
    forbid(why, "/character")
    ability = reduced_ability(run.state, character)
    rolls = run.roll(character, "points", 1) if ability else ()
    run.checkpoint()
    points = points_of(ability, faces(rolls)) if ability else LEAST_POINTS
    run.emit(e.PointsRolled(character, rolls, ability, points, run.seen(character)))


def give_order(run: Run, unit: str) -> None:
    """The character who distributes gives a unit a special order. Raises a refusal if it isn't possible."""
    open_ = run.state.distribution
    require(open_, _("Roll a character’s order points first."))
    assert open_ is not None
    demand(unit in run.state.field.tokens, _("This unit isn’t in the battle."), field="/unit")
    why = why_not_order(run.state, open_.character, unit)
    forbid(why, "/unit")
    cost = order_cost(run.state, open_.character, unit).points
    told = {"cost": cost, "points": open_.points}
    require(cost <= open_.points, _("The order costs {cost}; {points} points are left."), field="/unit", **told)
    run.emit(e.SpecialOrderGiven(open_.character, unit, cost, run.seen(unit)))


def end_distribution(run: Run) -> None:
    """End the distribution; unused points are lost."""
    open_ = run.state.distribution
    require(open_, _("No character is giving orders now."))
    assert open_ is not None
    run.emit(e.DistributionEnded(open_.character, run.seen(open_.character)))


def price(cost: int) -> Said:
    return say(_("Costs {cost}"), cost=cost)
