"""Turning of undead (904, T-33, T-77, T-94): they attack their own side until they crumble to dust."""

from __future__ import annotations

from rules.core.errors import demand, require
from rules.core.text import _
from rules.hexbattle.common import Moved, Withdrawn
from rules.thucidide_fantasy.battle.combat.fire import way_out
from rules.thucidide_fantasy.battle.combat.melee import strike_at
from rules.thucidide_fantasy.battle.combat.steps import FURTHER
from rules.thucidide_fantasy.battle.contact import after_shift
from rules.thucidide_fantasy.battle.factors import TURNED
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.fold import CAPTURED
from rules.thucidide_fantasy.battle.record.state import CASTING, Todo
from rules.thucidide_fantasy.battle.run import Run
from rules.thucidide_fantasy.battle.situation import is_hero, is_undead, within_leash
from rules.thucidide_fantasy.battle.undead import TOO_FAR, attack_place, prey_of, turned_of, way_to_prey
from rules.thucidide_fantasy.gods import LEASH, TURNED_FOR


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
