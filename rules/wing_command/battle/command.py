"""Command in battle: special orders (WC-4) within the command distance (WC-2), command tests (WC-3), and the commands
of characters (WC-6).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from rules.core.breakdown import Breakdown
from rules.core.errors import demand, require
from rules.core.text import Said, Term, _, say
from rules.hexbattle.chances import two_dice_at_most
from rules.hexbattle.ground import BattleGround, apart
from rules.hexbattle.moving import Gait, Mover, reach
from rules.wing_command.battle.movement import BY_STEALTH, ON_FOOT
from rules.wing_command.battle.record import events as e
from rules.wing_command.battle.record.state import EXHAUSTED, FRESH, ROUTED, SHAKEN, HostState, Wing
from rules.wing_command.battle.run import Run, faces, forbid
from rules.wing_command.battle.situation import bound, engaged_alone, with_engaged_troop, with_engaged_unit
from rules.wing_command.spec import AUTONOMOUS, CHAOTIC, IRREGULAR
from rules.wing_command.starter import ABILITIES, ORDERS

# Command distance (WC-2) between a unit and the character who commands it.

TRANCHE = 4
FARTHEST = 1 << 20

STARTS_MOST = 128
"""Number of characters' hexes for which a ground caches distances."""


class CommandDistance(NamedTuple):
    """A command distance. `cost`: from the first rule that applies. `orders`: whether special orders reach that far."""

    cost: int
    orders: bool = True

    @property
    def tranches(self) -> int:
        """The number of full tranches of 4 (WC-2.2)."""
        return self.cost // TRANCHE


def costs_from(ground: BattleGround, at: str, gait: Gait) -> dict[str, int]:
    """The path cost to every reachable hex, cached with the ground. Units don't block the path."""
    return ground.kept("command", (at, gait), lambda: reach(ground, Mover(gait, FARTHEST), at), STARTS_MOST)


def distance(state: HostState, character: str, unit: str) -> CommandDistance:
    """The command distance from a character to a unit, both on the map."""
    start, target = state.token(character).at, state.token(unit).at
    one, other = state.units[character], state.units[unit]
    if start == target:
        return CommandDistance(0, one.own.fly or not other.high)
    straight = apart(start, target)
    if one.own.fly:
        return CommandDistance(straight)
    if other.high:
        return CommandDistance(2 * straight, orders=False)
    gait = BY_STEALTH if one.infiltrating or other.infiltrating else ON_FOOT
    cost = costs_from(state.field.ground, start, gait).get(target)
    return CommandDistance(2 * straight, orders=False) if cost is None else CommandDistance(cost)


# Special orders (WC-4): who gives them, order points, and prices.

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
    require(cost <= open_.points, _("The order costs {cost}. Points left: {points}."), field="/unit", **told)
    run.emit(e.SpecialOrderGiven(open_.character, unit, cost, run.seen(unit)))


def end_distribution(run: Run) -> None:
    """End the distribution; unused points are lost."""
    open_ = run.state.distribution
    require(open_, _("No character is giving orders now."))
    assert open_ is not None
    run.emit(e.DistributionEnded(open_.character, run.seen(open_.character)))


def price(cost: int) -> Said:
    return say(_("Costs {cost}"), cost=cost)


# Command tests (WC-3): 2D6 plus modifiers against the threshold of the character's ability.

ALWAYS, NEVER = 2, 12


class CommandTest(NamedTuple):
    """A command test: the modifiers of the dice, and the total they must not exceed."""

    sum: Breakdown
    threshold: int

    @property
    def needs(self) -> int:
        """The highest result of 2D6 that passes: 2 always does, 12 never (WC-3.1)."""
        return max(ALWAYS, min(NEVER - 1, self.threshold - self.sum.total))

    @property
    def chance(self) -> Fraction:
        return two_dice_at_most(self.needs)

    def succeeds(self, dice: int) -> bool:
        return dice <= self.needs


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
        (_("Distance to the farthest unit on standing orders"), far is not None, far.far.tranches if far else 0),
        (_("Infiltrating"), own.infiltrating, 2),
        (_("The farthest unit infiltrates"), infiltrates, 2),
    )
    found = Breakdown()
    for label, holds, value in lines:
        found = found.plus(label, value, "WC-3.2") if holds else found
    return CommandTest(found, threshold_of(state, own.own.ability))


# Commands of characters (WC-6): changing an order, taking command, resigning.

CHANGE, TAKE, RESIGN = "change_order", "take_command", "resign"


def licensed(state: HostState, character: str) -> bool:
    """Whether a character may do this without a special order (W-39)."""
    return state.is_army_leader(character) or state.units[character].own.profile == AUTONOMOUS


def why_not_licensed(state: HostState, character: str) -> Said | None:
    """Why a character lacks the licence L of WC-6; None if they have it."""
    if licensed(state, character) or state.units[character].special:
        return None
    return _("This needs a special order, unless the character is autonomous or the army leader.")


def why_not_change(state: HostState, character: str) -> Said | None:
    """Why a character can't change their wing's order; None if they can."""
    wing = state.led_by(character)
    if wing is None:
        return _("Only the leader of a wing can change its order.")
    if wing.retreats:
        return _("A leader can’t replace an order to retreat.")
    if wing.broken:
        return _("A broken wing can’t be given another order.")
    return why_not_command(state, character) or why_not_licensed(state, character)


def why_not_take(state: HostState, character: str, wing: Wing | None = None) -> Said | None:
    """Why a character can't take command of this wing (or of any, without `wing`); None if they can."""
    if state.led_by(character) is not None:
        return _("The character already leads a wing.")
    own = [one for one in state.wings_of(state.side_of(character)) if not one.leader]
    if not own or (wing is not None and wing not in own):
        return _("The wing already has a leader.")
    return why_not_command(state, character) or why_not_licensed(state, character)


def why_not_resign(state: HostState, character: str) -> Said | None:
    """Why a character can't resign; None if they can."""
    if state.led_by(character) is None:
        return _("The character doesn’t lead a wing.")
    return why_not_command(state, character) or why_not_licensed(state, character)


def _tested(run: Run, character: str, what: str, wing: Wing) -> bool:
    """Roll the command test and return whether it succeeds. A special order used as licence is spent in any case."""
    test = command_test(run.state, character, wing)
    spends = not licensed(run.state, character)
    rolls = run.roll(character, "command")
    run.checkpoint()
    success = test.succeeds(faces(rolls))
    run.emit(
        e.CommandTested(
            character, what, wing.id, rolls, test.sum.lines, test.threshold, success, spends, run.seen(character)
        )
    )
    if spends:
        run.emit(e.MarkerGone(character, seen=run.seen(character)))
    return success


def change_order(run: Run, character: str, order: str) -> None:
    """Test to change the order of a leader's wing. Raises a refusal if it isn't possible."""
    demand(order in ORDERS, _("Choose one of: {choices}."), field="/order", choices=", ".join(ORDERS))
    why = why_not_change(run.state, character)
    forbid(why, "/character")
    wing = run.state.led_by(character)
    assert wing is not None
    if _tested(run, character, CHANGE, wing):
        run.emit(e.OrderChanged(wing.id, order))


def take_command(run: Run, character: str, wing_id: str) -> None:
    """Test to take command of a wing without a leader. Raises a refusal if it isn't possible."""
    wing = run.state.wings.get(wing_id)
    own = wing is not None and wing.side == run.state.side_of(character)
    demand(own, _("Choose a wing of this side."), field="/wing")
    assert wing is not None
    why = why_not_take(run.state, character, wing)
    forbid(why, "/wing")
    if _tested(run, character, TAKE, wing):
        run.emit(e.CommandTaken(character, wing.id, run.seen(character)))


def resign(run: Run, character: str) -> None:
    """Test to give up command of a wing. Raises a refusal if it isn't possible."""
    why = why_not_resign(run.state, character)
    forbid(why, "/character")
    wing = run.state.led_by(character)
    assert wing is not None
    if _tested(run, character, RESIGN, wing):
        run.emit(e.Resigned(character, wing.id, run.seen(character)))
