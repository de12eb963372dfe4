"""Activation of units and characters (TF-1.3, T-1, T-20, T-90)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.core.errors import demand, require
from rules.core.text import Said, _
from rules.hexbattle.ground import apart
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.commands import ActivateUnits
from rules.thucidide_fantasy.battle.record.state import FantasyState
from rules.thucidide_fantasy.battle.run import Run, forbid
from rules.thucidide_fantasy.battle.situation import DIVINE_BELL, PARALYSED, under
from rules.thucidide_fantasy.starter import BRACKETS, FREE_CHARACTERS, RANKS

MANOEUVRE, RECONNAISSANCE = "manoeuvre", "reconnaissance"
NO_LEADER = _("This character doesn’t lead troops.")
HAS_LED = _("This leader has already led an activation this turn.")
NOT_THERE = _("Only units and characters on the map can be activated.")
IS_ACTIVATED = _("This unit is already activated.")
IS_TURNED = _("This unit can’t move until it has to attack.")
TOO_FAR = _("{unit} is more than {reach} hexes from its leader.")
NO_MORE = _("No activation is left this turn.")
TOO_MANY = _("Units per activation this turn: at most {count}.")
OTHER_LEADER = _("Choose a leader for these units.")
BELL = _("A god’s bell keeps all units in this hex still.")
CANNOT = _("This caster is paralyzed.")


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
    if state.doing(leader).announced or under(state, leader, PARALYSED):
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
