"""Flight of characters who don't fight, when attacked while alone (TF-4.5, T-39)."""

from __future__ import annotations

from rules.core.errors import demand
from rules.core.text import _
from rules.hexbattle.common import Withdrawn
from rules.hexbattle.ground import apart
from rules.hexbattle.moving import Mover, reach, route
from rules.thucidide_fantasy.battle.combat.stops import FLEE, pause, resumed
from rules.thucidide_fantasy.battle.paces import FREE_FOOT, closed_hexes, footing_ground
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.fold import CAPTURED
from rules.thucidide_fantasy.battle.record.state import FantasyState, Todo
from rules.thucidide_fantasy.battle.run import Run
from rules.thucidide_fantasy.battle.situation import PARALYSED, alone, foe_beside, foes, is_hero, under
from rules.thucidide_fantasy.spec import LEADER
from rules.thucidide_fantasy.starter import CHARACTERS


def flight_mover(state: FantasyState, person: str) -> Mover:
    """The mover of a fleeing character: not through enemies, but over friends, and not stopped by difficult ground."""
    own = state.people[person].own
    side = state.side_of(person)
    kind = own.kind if own.kind in CHARACTERS else LEADER
    others = {token.at for token in state.field.tokens.values() if token.side != side and token.standing}
    return Mover(FREE_FOOT, CHARACTERS[kind].flight, frozenset(others) | closed_hexes(state, side, False))


def flights(state: FantasyState, person: str) -> tuple[str, ...]:
    """The hexes a character can flee to, their own included, best first.

    Best is farthest from the nearest enemy, then the shortest way, then reading order.
    """
    token = state.token(person)
    ground = footing_ground(state, token.side)
    found = reach(ground, flight_mover(state, person), token.at)
    enemies = [foe.at for foe in foes(state, token.side)]

    def order(at: str) -> tuple[int, int]:
        return -min((apart(at, foe) for foe in enemies), default=0), found[at]

    return tuple(sorted(found, key=order))


def flee(run: Run, todo: Todo) -> None:
    """Make a character flee who is attacked alone or whose unit died; without a way out they are captured.

    `todo.flag`: they must leave their hex (T-94).
    """
    person = todo.unit
    state = run.state
    if not state.standing(person) or is_hero(state, person):
        return
    if not todo.flag and not alone(state, person):
        return
    if under(state, person, PARALYSED):
        _captured(run, person)
        return
    options = flights(state, person)
    if todo.flag:
        options = tuple(at for at in options if at != state.at(person))
    if not options:
        _captured(run, person)
        return
    if len(options) == 1:
        _fled(run, person, options[0])
        return
    pause(run, FLEE, state.side_of(person), todo, options)


def answer(run: Run, person: str, at: str) -> None:
    """Move a fleeing character to the hex their side chose. Raises a refusal if it isn't an option."""
    fight, todo = resumed(run, FLEE)
    demand(todo.unit == person, _("Another character has to flee first."), field="/character")
    hex_ = run.state.field.ground.require_hex(at, field="/hex")
    told = ", ".join(fight.options)
    demand(hex_ in fight.options, _("Choose one of these hexes: {known}."), field="/hex", known=told)
    _fled(run, person, hex_)


def _fled(run: Run, person: str, at: str) -> None:
    state, token = run.state, run.state.token(person)
    way = (
        route(footing_ground(state, token.side), flight_mover(state, person), token.at, at) if at != token.at else None
    )
    run.emit(e.CharacterFled(person, way.hexes if way else (at,)))
    if alone(run.state, person) and foe_beside(run.state, person):
        _captured(run, person)


def _captured(run: Run, person: str) -> None:
    run.emit(Withdrawn(person, run.state.at(person), how=CAPTURED))
