"""Melees and shots from start to end (TF-1.8, 1.11, 4.3): duels of heroes, attack, riposte, pursuit."""

from __future__ import annotations

from rules.core.errors import demand, require
from rules.core.text import _
from rules.hexbattle.field import Token
from rules.thucidide_fantasy.battle.combat.engagement import (
    may_enter,
    melee_targets,
    must_fight,
    prefers_blade,
    shot_of,
    why_not_melee,
    why_not_open,
    why_not_shoot,
)
from rules.thucidide_fantasy.battle.combat.steps import FURTHER, PURSUE, pause, resumed
from rules.thucidide_fantasy.battle.factors import (
    DUEL,
    MELEE,
    PURSUIT,
    REBOUND,
    RIPOSTE,
    SHOT,
    TURNED,
    AimedBlow,
    heroes_with,
    is_assault,
    throw_at,
)
from rules.thucidide_fantasy.battle.paces import closed_hexes
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.state import FantasyState, Todo
from rules.thucidide_fantasy.battle.run import Run, after_shift, forbid, leave_grove
from rules.thucidide_fantasy.battle.situation import (
    backed,
    flies,
    hidden_from,
    is_hero,
    is_undead,
    under,
    within_leash,
)
from rules.thucidide_fantasy.battle.throws import Throw
from rules.thucidide_fantasy.grimoire import LEASH
from rules.thucidide_fantasy.starter import KINDS

NAMES_OF = {MELEE: "attack", PURSUIT: "attack", TURNED: "attack", SHOT: "shot", RIPOSTE: "riposte", DUEL: "heroes"}
STAGES_OF_MELEE = ("strike", "riposte", "pursuit")
BLADE_FIRST = _("A fanatic unit that can fight in melee can’t shoot.")
NO_TARGET = _("This enemy isn’t in sight. Choose another.")


def target_of(state: FantasyState, piece: str, target: str) -> Token:
    """The enemy with this id. Raises `InvalidInput` if there is none that its side sees."""
    token = state.field.tokens.get(target)
    side = state.side_of(piece)
    seen = token is not None and token.side != side and token.standing and target not in hidden_from(state, side)
    demand(seen, NO_TARGET, field="/target")
    assert token is not None
    return token


# Starting


def attack(run: Run, piece: str, target: str) -> None:
    """Start a melee. Raises a refusal if it isn't possible."""
    forbid(why_not_open(run.state, piece), "/unit")
    foe = target_of(run.state, piece, target)
    source = run.state.at(piece)
    forbid(why_not_melee(run.state, piece, foe, source), "/target")
    strike_at(run, piece, target, MELEE)


def shoot(run: Run, piece: str, target: str) -> None:
    """Start a shot. Raises a refusal if it isn't possible."""
    forbid(why_not_open(run.state, piece), "/unit")
    foe = target_of(run.state, piece, target)
    forbid(why_not_shoot(run.state, piece, foe, run.state.at(piece)), "/target")
    blade = piece in run.state.units and must_fight(run.state, piece) and prefers_blade(run.state, piece)
    require(not blade, BLADE_FIRST, field="/target")
    leave_grove(run, piece)
    if _is_false(run, piece) or _was_false(run, piece, target, SHOT):
        return
    blow = shot_of(run.state, piece, foe)
    open_throw(run, blow, opens=True, fire=fires(run.state, piece))


def fires(state: FantasyState, piece: str) -> bool:
    """Whether the shots of a unit are fire."""
    return piece in state.units and state.units[piece].own.fire


def strike_at(run: Run, piece: str, target: str, how: str) -> None:
    """Schedule the steps of a melee, a pursuit or an attack by turned undead."""
    leave_grove(run, piece)
    if _is_false(run, piece) or _was_false(run, piece, target, how):
        return
    state = run.state
    place, source = state.at(target), state.at(piece)
    opens = how in (MELEE, TURNED)
    if target in state.people and not is_hero(state, target):
        run.emit(e.CombatOpened(piece, target, how, 0, opens=opens))
        run.then(Todo("flight", target))
        return
    duellists = tuple(zip(_heroes(state, piece), _heroes(state, target), strict=False))
    fought = tuple(one for pair in duellists for one in pair)
    duels = (Todo("duel", one, other, hexes=(source, place), what=how) for one, other in duellists)
    rest = Todo("strike", piece, target, (source, place), what=how, who=fought)
    run.then(*duels, *(() if piece in fought else (rest._replace(stage=stage) for stage in STAGES_OF_MELEE)))


def _heroes(state: FantasyState, piece: str) -> tuple[str, ...]:
    """The heroes on one side of a melee: the lone fighter, or those with the unit."""
    return (piece,) if piece in state.people else tuple(heroes_with(state, piece))


def _is_false(run: Run, piece: str) -> bool:
    """Expose a phantom that would attack (T-15). Returns whether it was one."""
    if piece in run.state.units and run.state.units[piece].false:
        run.emit(e.PhantomVanished(piece, run.state.at(piece)))
        return True
    return False


def _was_false(run: Run, piece: str, target: str, how: str) -> bool:
    """Expose a phantom that is attacked; that uses the attacker's combat. Returns whether it was one."""
    own = run.state.units.get(target)
    if own is None or not own.false:
        return False
    run.emit(e.CombatOpened(piece, target, how, 0, opens=True))
    run.emit(e.PhantomVanished(target, run.state.at(target)))
    return True


def open_throw(run: Run, blow: AimedBlow, *, opens: bool, fire: bool = False) -> None:
    """Count and roll the dice of an attack. A rebound turns them against the attacker (T-32)."""
    made, lines = throw_at(run.state, blow, NAMES_OF[blow.how], fire=fire)
    run.emit(e.CombatOpened(blow.by, blow.at, blow.how, made.dice, lines, blow.heroes, opens))
    run.then(Todo("throw", blow.by, blow.at, throw=turned_back(run, blow, made)))


def turned_back(run: Run, blow: AimedBlow, made: Throw) -> Throw:
    """The throw, aimed at the attacker if the target has a rebound."""
    if under(run.state, blow.at, REBOUND) is None:
        return made
    run.emit(e.Rebounded(blow.at, blow.by))
    own, _lines = throw_at(run.state, blow._replace(at=blow.by), made.name, fire=made.fire)
    return own._replace(dice=made.dice)


# Steps


def _assaults(state: FantasyState, how: str, unit: str, source: str, place: str) -> bool:
    """Whether this attack is an assault. For turned undead it is one whenever they walked to it, if only round a wall
    (T-77).
    """
    if how == TURNED:
        return state.doing(unit).start not in ("", source)
    return how == MELEE and is_assault(state, unit, source, place)


def strike(run: Run, todo: Todo) -> None:
    """The attack of a unit, with its heroes who haven't fought a duel."""
    state = run.state
    if not (state.standing(todo.unit) and state.standing(todo.foe)):
        if state.standing(todo.unit) and todo.what in (MELEE, TURNED):  # its heroes have used this turn's combat
            run.emit(e.CombatOpened(todo.unit, todo.foe, todo.what, 0, opens=True))
        return
    source, place = todo.hexes[:2]
    if state.at(todo.unit) != source or state.at(todo.foe) != place:
        return
    how = todo.what
    assault = _assaults(state, how, todo.unit, source, place)
    heroes = tuple(one for one in heroes_with(state, todo.unit) if one not in todo.who)
    blow = AimedBlow(todo.unit, todo.foe, how, source, place, assault, heroes)
    open_throw(run, blow, opens=how in (MELEE, TURNED))


def duel(run: Run, todo: Todo) -> None:
    """A duel of two heroes, followed by its riposte (T-73)."""
    source, place = todo.hexes
    state = run.state
    if not (state.standing(todo.unit) and state.standing(todo.foe)):
        return
    mover = state.with_unit_of(todo.unit) or todo.unit
    assault = _assaults(state, todo.what, mover, source, place)
    blow = AimedBlow(todo.unit, todo.foe, DUEL, source, place, assault)
    run.then(Todo("duel-riposte", todo.foe, todo.unit, hexes=(place, source)))
    open_throw(run, blow, opens=False)


def duel_riposte(run: Run, todo: Todo) -> None:
    state = run.state
    if state.standing(todo.unit) and state.standing(todo.foe) and backed(state, todo.unit):
        open_throw(run, AimedBlow(todo.unit, todo.foe, DUEL, todo.hexes[0], todo.hexes[1]), opens=False)


def riposte(run: Run, todo: Todo) -> None:
    """The riposte of a defender who survives, didn't move and is supported (TF-1.11); against a flyer always (T-99)."""
    state, (source, place) = run.state, todo.hexes
    defender, attacker = todo.foe, todo.unit
    if not (state.standing(defender) and state.standing(attacker)):
        return
    if state.at(defender) != place or state.at(attacker) != source or defender in todo.who:
        return
    if under(state, defender, REBOUND) is not None:
        return
    skyward = flies(state, attacker) and not flies(state, defender)
    if not skyward and not backed(state, defender):
        return
    heroes = tuple(one for one in heroes_with(state, defender) if one not in todo.who)
    open_throw(run, AimedBlow(defender, attacker, RIPOSTE, place, source, heroes=heroes), opens=False)


# Pursuit


def pursuit(run: Run, todo: Todo) -> None:
    """Ask whether cavalry, chariots or elephants enter the hex a melee emptied and fight once more (T-4, T-74)."""
    unit, (source, place) = todo.unit, todo.hexes
    if not may_pursue(run.state, unit, source, place):
        return
    options = tuple(foe.id for foe in pursuit_targets(run.state, unit, place))
    if options:
        pause(run, PURSUE, run.state.side_of(unit), todo, options)


def may_pursue(state: FantasyState, unit: str, source: str, place: str) -> bool:
    """Whether a unit may enter `place`, emptied by its melee, and fight again from there."""
    if unit not in state.units or not state.standing(unit) or state.at(unit) != source:
        return False
    own = state.units[unit]
    if not KINDS[own.own.kind].pursues or own.doing.pursued or own.turner or state.field.at(place):
        return False
    if is_undead(state, unit) and not within_leash(state, unit, place, LEASH):
        return False
    return place not in closed_hexes(state, state.side_of(unit), flies(state, unit)) and may_enter(
        state, unit, source, place
    )


def pursuit_targets(state: FantasyState, unit: str, place: str) -> tuple[Token, ...]:
    return tuple(melee_targets(state, unit, place))


def pursue(run: Run, unit: str, target: str | None) -> None:
    """Execute a pursuit, or decline it with None. Raises a refusal if it isn't possible."""
    waiting = run.state.fight
    if waiting and waiting.asks == PURSUE:
        demand(
            waiting.todo[0].unit == unit,
            _("It isn’t this unit’s turn to pursue. Decide for the other unit first."),
            field="/unit",
        )
        fits = target is None or target in waiting.options
        told = ", ".join(waiting.options)
        demand(fits, _("Choose one of: {choices}."), field="/target", choices=told)
    _fight, todo = resumed(run, PURSUE)
    if target is None:
        return
    source, place = todo.hexes
    run.emit(e.Pursued(unit, (source, place)))
    after_shift(run, unit)
    if run.state.standing(unit) and run.state.standing(target):
        strike_at(run, unit, target, PURSUIT)


FURTHER.update({
    "strike": strike, "duel": duel, "duel-riposte": duel_riposte, "riposte": riposte, "pursuit": pursuit,
})  # fmt: skip
