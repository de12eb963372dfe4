"""Undead in battle (TF-5): the leash to their master, and turned undead, which attack their own side (904)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.core.errors import demand, require
from rules.core.text import _
from rules.hexbattle.common import Moved, Withdrawn
from rules.hexbattle.ground import apart
from rules.hexbattle.moving import Mover, reach, route
from rules.thucidide_fantasy.battle.combat.engagement import why_no_contact
from rules.thucidide_fantasy.battle.combat.melee import strike_at
from rules.thucidide_fantasy.battle.combat.retreat import way_out
from rules.thucidide_fantasy.battle.combat.steps import FURTHER
from rules.thucidide_fantasy.battle.factors import TURNED
from rules.thucidide_fantasy.battle.paces import FREE_FOOT, IN_THE_AIR, footing_ground, in_the_way
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.fold import CAPTURED
from rules.thucidide_fantasy.battle.record.state import CASTING, FantasyState, Todo
from rules.thucidide_fantasy.battle.run import Run, after_shift
from rules.thucidide_fantasy.battle.situation import (
    DIVINE_BELL,
    enemies,
    flies_itself,
    is_hero,
    is_undead,
    under,
    within_leash,
)
from rules.thucidide_fantasy.grimoire import LEASH, TURNED_FOR

# Undead in battle (TF-5): the leash to their master, and turned undead (904).

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
    they leave first (T-94), to a hex not yet known. Under a god's bell they do nothing.
    """
    if under(state, state.at(unit), DIVINE_BELL):
        return ()
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


# Turning of undead (904, T-33, T-77, T-94): they attack their own side until they crumble to dust.


def turn(run: Run, caster: str, slug: str, targets: tuple[str, ...]) -> None:
    """Turn undead: characters with them leave, then they attack at once."""
    unit = targets[0]
    if not is_undead(run.state, unit):
        return
    people = run.state.people_at(run.state.at(unit))
    side = run.state.side_of(caster)
    run.emit(e.Turned(unit, caster, TURNED_FOR + 1))
    aimed = targets[1] if len(targets) > 1 else ""
    leaving = (Todo("leave", one, unit) for one in people)
    run.then(*leaving, Todo("turned", unit, aimed, number=side))


def leave(run: Run, todo: Todo) -> None:
    """Make a character leave a turned unit's hex: heroes to an adjacent hex, homeward first; others flee.

    A character with nowhere to go is captured.
    """
    person, at = todo.unit, run.state.at(todo.unit)
    if is_hero(run.state, person):
        target = way_out(run.state, person, at)
        if target:
            run.emit(e.CharacterFled(person, (at, target)))
        else:
            run.emit(Withdrawn(person, at, how=CAPTURED))
        return
    run.then(Todo("flight", person, todo.foe, flag=True))


def turned_now(run: Run, todo: Todo) -> None:
    """The attack at the time of casting: on the target named, else on the first in reach, if any."""
    unit = todo.unit
    if not run.state.standing(unit):
        return
    prey = prey_of(run.state, unit, todo.number)
    if prey:
        go_and_strike(run, unit, todo.foe if todo.foe in prey else prey[0])


def go_and_strike(run: Run, unit: str, target: str) -> None:
    """Move turned undead to a hex from which they can attack a target, and attack it."""
    place = attack_place(run.state, unit, target, run.state.side_of(unit))
    if place != run.state.at(unit):
        run.emit(Moved(unit, way_to_prey(run.state, unit, place), (0, 0)))
        after_shift(run, unit)
    strike_at(run, unit, target, TURNED)


def attack_again(run: Run, unit: str, target: str) -> None:
    """An attack in a later spell phase of the side that turned them. Raises a refusal if it isn't possible."""
    state = run.state
    require(state.phase == CASTING, _("Turned undead attack in the spell phase."))
    demand(unit in turned_of(state, state.side), _("Your side hasn’t turned this unit."), field="/unit")
    require(not state.doing(unit).fought, _("This unit has already fought this turn."), field="/unit")
    prey = prey_of(state, unit, state.side)
    demand(target in prey, _("Choose one of: {choices}."), field="/target", choices=", ".join(prey))
    go_and_strike(run, unit, target)


def turn_back(run: Run, unit: str) -> None:
    """End turning by a counterspell: the unit returns to its side, or crumbles if its master isn't near (T-93)."""
    run.emit(e.Turned(unit, "", 0))
    if not within_leash(run.state, unit, run.state.at(unit), LEASH):
        run.emit(e.Vanished(unit, run.state.at(unit), TOO_FAR))


FURTHER.update({"leave": leave, "turned": turned_now})
