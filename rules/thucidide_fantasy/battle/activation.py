"""Activation of units and characters (TF-1.3, T-1, T-20, T-90), and manoeuvre orders (TF-1.13)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.core.errors import demand, require
from rules.core.text import Said, _, by_number
from rules.hexbattle.ground import apart
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.commands import ActivateUnits, GiveOrder
from rules.thucidide_fantasy.battle.record.state import FantasyState
from rules.thucidide_fantasy.battle.run import Run, forbid
from rules.thucidide_fantasy.battle.situation import DIVINE_BELL, PARALYSED, under
from rules.thucidide_fantasy.starter import BRACKETS, FREE_CHARACTERS, LEVELS, ORDERS, RANKS

# Activation of units and characters (TF-1.3, T-1, T-20, T-90).

MANOEUVRE, RECONNAISSANCE = "manoeuvre", "reconnaissance"
NO_LEADER = _("This character doesn’t lead troops.")
HAS_LED = _("This leader has already led an activation this turn.")
NOT_THERE = _("Only units and characters on the map can be activated.")
IS_ACTIVATED = _("This unit is already activated.")
IS_TURNED = _("This unit is turned against its own side and only attacks in the spell phase.")
TOO_FAR = _("{unit}: more than {reach} hexes from the leader.")
NO_MORE = _("No activation is left this turn.")
TOO_MANY = _("Units per activation this turn: at most {count}.")
OTHER_LEADER = _("Choose a leader for these units.")
BELL = _("A god’s bell keeps all units in this hex still.")
CANNOT = _("This caster is paralyzed.")
CASTS = _("A leader who casts a spell can’t activate units.")


# Counting (TF-1.3)


def bracket_of(state: FantasyState, side: int) -> tuple[int, int]:
    """Activations per turn of a side, and units in each, by its units on the table, except phantoms and turned ones."""
    own = sum(not (state.units[unit].false or state.units[unit].turner) for unit in state.units_of(side))
    bracket = next(one for one in BRACKETS if own <= one.most)
    return bracket.activations, bracket.units


def leaders(state: FantasyState, side: int) -> Iterator[str]:
    """The leaders of a side on the table who haven't led an activation this turn."""
    led = {one.leader for one in state.activations}
    for person in state.people_of(side):
        if person not in led and why_not_lead(state, person) is None:
            yield person


def share_of(state: FantasyState) -> int:
    """The most units in the next activation; one if no leader is available (T-20)."""
    return state.share if next(leaders(state, state.side), None) else 1


def activations_left(state: FantasyState) -> int:
    """The number of activations the acting side has left this turn."""
    return max(0, state.allowed - len(state.activations))


def free_left(state: FantasyState) -> int:
    """The number of characters that may still be activated for free this turn."""
    used = sum(state.people[one].doing.free for one in state.people if state.side_of(one) == state.side)
    return max(0, FREE_CHARACTERS - used)


def reach_of_leader(state: FantasyState, leader: str) -> int:
    """A leader's command distance in hexes; unlimited under the order of manoeuvre (T-30)."""
    if state.order == f"{MANOEUVRE}:{leader}":
        return 1 << 10
    return RANKS[state.people[leader].rank].reach


# Refusals


def why_not_activate(state: FantasyState, piece: str) -> Said | None:
    """Why a unit or character can't be activated, whoever leads; None if it can."""
    token = state.field.tokens.get(piece)
    if token is None or token.side != state.side or not token.standing:
        return NOT_THERE
    if piece in state.units and state.units[piece].turner:
        return IS_TURNED
    if state.doing(piece).activated:
        return IS_ACTIVATED
    if under(state, token.at, DIVINE_BELL):
        return BELL
    return CANNOT if under(state, piece, PARALYSED) else None


def why_not_lead(state: FantasyState, leader: str) -> Said | None:
    """Why a character can't lead an activation now; None if they can."""
    if leader not in state.people or not state.people[leader].rank:
        return NO_LEADER
    token = state.token(leader)
    if token.side != state.side or not token.standing:
        return NOT_THERE
    if any(one.leader == leader for one in state.activations):
        return HAS_LED
    if state.doing(leader).announced:
        return CASTS
    if under(state, leader, PARALYSED):
        return CANNOT
    return BELL if under(state, token.at, DIVINE_BELL) else None


def in_range(state: FantasyState, leader: str, unit: str) -> bool:
    """Whether a unit is within a leader's command distance."""
    return apart(state.at(leader), state.at(unit)) <= reach_of_leader(state, leader)


# Commands


def activate(run: Run, command: ActivateUnits) -> None:
    """Activate units and characters by one leader, or free characters without one.

    Raises a refusal if the activation isn't allowed.
    """
    state, leader = run.state, command.leader or ""
    demand(command.units or command.characters, _("Choose units or characters to activate."), field="/units")
    pieces = (*command.units, *command.characters)
    demand(len(set(pieces)) == len(pieces), _("Choose each unit only once."), field="/units")
    if leader:
        forbid(why_not_lead(state, leader), "/leader")
    _check_pieces(state, command)
    free = command.characters[: free_left(state)]
    places = len(command.units) + len(command.characters) - len(free)
    if places:
        require(activations_left(state), NO_MORE, field="/units")
        most = state.share if leader else 1
        require(leader or next(leaders(state, state.side), None) is None, OTHER_LEADER, field="/leader")
        require(places <= most, TOO_MANY, field="/units", count=most)
    taken = command.units if leader or places else ()
    led = leader if places else ""
    hidden = tuple(one for one in (led, *taken, *command.characters) if one and state.token(one).hidden)
    run.emit(e.Activated(state.side, led, taken, command.characters, free, hidden))


def _check_pieces(state: FantasyState, command: ActivateUnits) -> None:
    for place, unit in enumerate(command.units):
        demand(unit in state.units, _("Choose a unit of your side."), field=f"/units/{place}")
        forbid(why_not_activate(state, unit), f"/units/{place}")
        if command.leader and not in_range(state, command.leader, unit):
            reach = reach_of_leader(state, command.leader)
            require(False, TOO_FAR, field=f"/units/{place}", unit=state.name(unit), reach=reach)
    for place, person in enumerate(command.characters):
        demand(person in state.people, _("Choose a character of your side."), field=f"/characters/{place}")
        forbid(why_not_activate(state, person), f"/characters/{place}")


# Manoeuvre orders and their cost in counters (TF-1.13, T-7, T-30, T-87).

FORCED_MARCH, WOODSMAN, COURIER, FORWARD, GENERAL_ASSAULT = (
    "forced-march", "woodsman", "courier", "forward", "general-assault",
)  # fmt: skip
OF_UNITS, OF_LEADERS = (FORCED_MARCH, WOODSMAN, COURIER), (MANOEUVRE, FORWARD)
WOODS_MOST = 9
SECOND = _("A side can give one maneuver order per turn.")
TOO_DEAR = by_number(
    "This order costs {cost} counter; your side has {counters}.",
    "This order costs {cost} counters; your side has {counters}.",
    "cost",
)
TOO_LATE = _("Reconnaissance has to come before any activation.")
NO_ASSAULT_LEADER = _("A general assault needs a leader who hasn’t activated units.")


def cost_of(kind: str, hexes: int = 1) -> int:
    """The price of an order in counters; `hexes`: for orders priced per hex."""
    order = ORDERS[kind]
    return order.cost * hexes if order.per_hex else order.cost


def why_not_order(state: FantasyState, kind: str) -> Said | None:
    """Why this kind of order can't be given now, whatever its target; None if it can."""
    if state.order:
        return SECOND
    if kind == RECONNAISSANCE and (state.activations or any_activated(state)):
        return TOO_LATE
    if kind == GENERAL_ASSAULT and next(leaders(state, state.side), None) is None:
        return NO_ASSAULT_LEADER
    return None


def why_not_for(state: FantasyState, kind: str, piece: str) -> Said | None:
    """Why an order can't be given to this unit or leader; None if it can."""
    if kind == COURIER:
        return why_not_activate(state, piece)
    if kind in OF_UNITS and piece in state.units and state.units[piece].turner:
        return IS_TURNED
    return why_not_lead(state, piece) if kind == MANOEUVRE else None


def any_activated(state: FantasyState) -> bool:
    """Whether any unit or character has been activated this turn."""
    return any(state.doing(piece).activated for piece in (*state.units, *state.people))


def order(run: Run, command: GiveOrder) -> None:
    """Give a manoeuvre order and pay its counters. Raises a refusal if it isn't possible."""
    state, side, kind = run.state, run.state.side, command.kind
    demand(kind in ORDERS, _("Choose one of: {choices}."), field="/kind", choices=", ".join(ORDERS))
    fits = kind != WOODSMAN or 1 <= command.hexes <= WOODS_MOST
    demand(fits, _("Enter a whole number from {low} to {high}."), field="/hexes", low=1, high=WOODS_MOST)
    forbid(why_not_order(state, kind), "/kind")
    cost = cost_of(kind, command.hexes if kind == WOODSMAN else 1)
    had = state.counters[side]
    require(had >= cost, TOO_DEAR, field="/kind", cost=cost, counters=had)
    units, leader = _whom(state, command)
    run.emit(e.OrderGiven(side, kind, cost, units, leader, command.hexes if kind == WOODSMAN else len(units)))
    if kind == RECONNAISSANCE and (gain := gain_of(state, side)):
        run.emit(e.CountersChanged(side, gain, RECONNAISSANCE))


def gain_of(state: FantasyState, side: int) -> int:
    """The counters gained by reconnaissance: the general's command level, or 0 if the general is gone (T-30)."""
    general = state.generals[side]
    if not general or not state.standing(general):
        return 0
    return counters_of(state, general)


def counters_of(state: FantasyState, general: str) -> int:
    """The counters that a general's command level gives; the normal level's by default."""
    level = state.people[general].own.level
    return LEVELS[level].counters if level in LEVELS else LEVELS["normal"].counters


def _whom(state: FantasyState, command: GiveOrder) -> tuple[tuple[str, ...], str]:
    """The units an order affects, and the leader it is given to ("" for none). Raises a refusal for a wrong target."""
    kind, unit, leader = command.kind, command.unit, command.leader
    if kind in OF_UNITS:
        token = state.field.tokens.get(unit)
        own = unit in state.units and token is not None and token.side == state.side and token.standing
        demand(own, _("Choose a unit of your side."), field="/unit")
        forbid(why_not_for(state, kind, unit), "/unit")
        return (unit,), ""
    if kind == MANOEUVRE:
        forbid(why_not_for(state, kind, leader), "/leader")
        return (), leader
    if kind == FORWARD:
        demand(
            leader in state.people and state.people[leader].rank, _("Choose a leader of your side."), field="/leader"
        )
        demand(state.side_of(leader) == state.side, _("Choose a leader of your side."), field="/leader")
        return tuple(unit for one in state.activations if one.leader == leader for unit in one.units), leader
    return (), ""
