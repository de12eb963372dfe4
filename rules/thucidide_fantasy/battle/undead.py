"""Undead in battle (TF-5): the leash to their master, and turned undead (904)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.hexbattle.ground import apart
from rules.hexbattle.moving import Mover, reach, route
from rules.thucidide_fantasy.battle.combat.engagement import why_no_contact
from rules.thucidide_fantasy.battle.paces import FREE_FOOT, IN_THE_AIR, footing_ground, in_the_way
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.state import FantasyState
from rules.thucidide_fantasy.battle.run import Run
from rules.thucidide_fantasy.battle.situation import enemies, flies_itself, is_undead, within_leash
from rules.thucidide_fantasy.gods import LEASH

TOO_FAR, DUST = "leash", "dust"
PREY_REACH = 3


def crumble(run: Run, side: int) -> None:
    """Destroy a side's undead that are outside their leash at the end of its turn (T-92)."""
    for unit in tuple(run.state.units_of(side)):
        if is_undead(run.state, unit) and not run.state.units[unit].turner:
            at = run.state.at(unit)
            if not within_leash(run.state, unit, at, LEASH):
                run.emit(e.Vanished(unit, at, TOO_FAR))


# Turned undead (T-11, T-33, T-77)


def turned_of(state: FantasyState, side: int) -> tuple[str, ...]:
    """The undead that a side has turned against their own."""
    return tuple(unit for unit in state.units_of(side) if state.units[unit].turner)


def prey_of(state: FantasyState, unit: str, caster_side: int) -> tuple[str, ...]:
    """The targets of turned undead: their former master if within 3 hexes, else former friends within 3 that aren't
    undead.

    A character with a unit is attacked through it. Before the undead are turned, characters with them aren't listed:
    they leave first (T-94), to a hex not yet known.
    """
    at, master = state.at(unit), state.units[unit].master
    token = state.field.tokens.get(master)
    if token and token.standing and token.side != caster_side and apart(token.at, at) <= PREY_REACH:
        through = state.unit_at(token.at) or master
        if through != unit and attack_place(state, unit, through, caster_side):
            return (through,)
    return tuple(_friends(state, unit, caster_side))


def _friends(state: FantasyState, unit: str, caster_side: int) -> Iterator[str]:
    at, seen = state.at(unit), {token.id for token in enemies(state, caster_side)}
    for token in state.field.tokens.values():
        if token.id not in seen or apart(token.at, at) > PREY_REACH:
            continue
        if token.character and state.unit_at(token.at):
            continue
        if not is_undead(state, token.id) and attack_place(state, unit, token.id, caster_side):
            yield token.id


def attack_place(state: FantasyState, unit: str, target: str, side: int) -> str:
    """The nearest hex from which turned undead can attack a target, its own hex first; "" if there is none.

    They move over the ground as `side` does, the side that turns them.
    """
    foe, at = state.token(target), state.at(unit)
    if why_no_contact(state, unit, foe, at) is None:
        return at
    found = reach(footing_ground(state, side), turned_mover(state, unit, side), at)
    order = state.field.ground.around(foe.at)
    places = [one for one in order if one in found and why_no_contact(state, unit, foe, one) is None]
    return min(places, key=lambda one: (found[one], order.index(one)), default="")


def turned_mover(state: FantasyState, unit: str, side: int) -> Mover:
    """The mover of turned undead: up to 3 free hexes, difficult or not; flyers over any ground (T-50)."""
    high = flies_itself(state, unit)
    closed, held = in_the_way(state, side, high, False)
    hidden = {token.at for token in state.field.tokens.values() if token.hidden and token.standing}
    return Mover(IN_THE_AIR if high else FREE_FOOT, PREY_REACH, (closed | held | hidden) - {state.at(unit)})


def way_to_prey(state: FantasyState, unit: str, place: str) -> tuple[str, ...]:
    """The hexes of the way of turned undead to a place, their own included."""
    side = state.side_of(unit)
    way = route(footing_ground(state, side), turned_mover(state, unit, side), state.at(unit), place)
    return way.hexes if way else ()


def dust(run: Run, side: int) -> None:
    """Count down the turns of turned undead at the end of their caster's spell phase; at 0 they become dust (904)."""
    for unit in turned_of(run.state, side):
        own = run.state.units[unit]
        if own.turns_left <= 1:
            at = run.state.at(unit)
            run.emit(e.Turned(unit, "", 0))
            run.emit(e.Vanished(unit, at, DUST))
        else:
            run.emit(e.Turned(unit, own.turner, own.turns_left - 1))
