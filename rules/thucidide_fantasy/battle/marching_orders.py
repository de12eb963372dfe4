"""Move commands (TF-1.4): a unit with its characters, a character alone, or a flyer carrying infantry; and constraints
on where a move may end.
"""

from __future__ import annotations

from itertools import pairwise

from rules.core.errors import demand, require
from rules.core.text import Said, _
from rules.hexbattle.common import EffectEnded, Moved, Revealed
from rules.hexbattle.ground import apart
from rules.hexbattle.moving import Way, walked
from rules.thucidide_fantasy.battle.combat.engagement import ONLY_TURNED
from rules.thucidide_fantasy.battle.combat.retreat import is_fanatic
from rules.thucidide_fantasy.battle.paces import (
    BY_ROAD,
    REPULSION,
    STOP,
    footing_ground,
    gait_of,
    goes_far,
    is_by_road,
    may_stand,
    mover_of,
    pace_of,
    reach_of,
    rough_hexes,
    to_enemies,
    way_to,
)
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.commands import CarryLoad, MovePiece
from rules.thucidide_fantasy.battle.record.state import MOVING, FantasyState
from rules.thucidide_fantasy.battle.run import Run, after_shift, finds_room, forbid
from rules.thucidide_fantasy.battle.situation import (
    DIVINE_BELL,
    GROVE,
    PARALYSED,
    flies,
    foes_beside,
    hidden_from,
    is_undead,
    under,
    within_leash,
)
from rules.thucidide_fantasy.grimoire import LEASH
from rules.thucidide_fantasy.spec import INFANTRY

# Constraints on where a move may end: fanatics, stop, repulsion, and undead too far from their master (T-6, T-92).

NEARER = _("A fanatic unit has to move closer to the enemy.")
STAYS_TOUCHING = _("A fanatic unit next to an enemy has to stay next to one.")
HOMEWARD = _("This unit can only move toward its own edge.")
AWAY = _("This unit has to move away from the caster.")
TO_MASTER = _("Undead too far from their master can only move closer.")


def binds(state: FantasyState, unit: str) -> bool:
    """Whether any constraint may apply to a unit's move (`why_not_end`)."""
    return is_fanatic(state, unit) or bool(state.field.timers) or is_undead(state, unit)


def why_not_end(state: FantasyState, piece: str, at: str, cost: int) -> Said | None:
    """Why a unit or character may not end its move on a hex in reach; None if it may.

    `cost`: the points of the way there. Walking away and back counts as a move.
    """
    if piece not in state.units or not cost:
        return None
    token = state.token(piece)
    if is_fanatic(state, piece) and (why := _fanatic(state, piece, at)):
        return why
    if state.field.timers and (why := _spells(state, piece, at, cost)):
        return why
    if is_undead(state, piece) and not within_leash(state, piece, token.at, LEASH):
        master = state.field.tokens.get(state.units[piece].master)
        if master and master.standing and apart(at, master.at) >= apart(token.at, master.at):
            return TO_MASTER
    return None


def _fanatic(state: FantasyState, unit: str, at: str) -> Said | None:
    token = state.token(unit)
    if foes_beside(state, token.at, token.side):
        return None if foes_beside(state, at, token.side) else STAYS_TOUCHING
    return None if to_enemies(state, unit, at) < to_enemies(state, unit, token.at) else NEARER


def _spells(state: FantasyState, unit: str, at: str, cost: int) -> Said | None:
    token, ground = state.token(unit), state.field.ground
    if under(state, unit, STOP):
        near = ground.from_home(token.side, token.at) - ground.from_home(token.side, at)
        if near < cost:
            return HOMEWARD
    timer = under(state, unit, REPULSION)
    if timer is not None:
        caster = state.field.tokens.get(timer.by)
        if caster and caster.standing and apart(at, caster.at) <= apart(token.at, caster.at):
            return AWAY
    return None


# Moves that are forced before the phase can end (T-29)


def must_move(state: FantasyState, unit: str) -> bool:
    """Whether a unit must still move: an activated fanatic that can get nearer and isn't beside an enemy, or an
    activated unit under repulsion that can get away.
    """
    doing, token = state.doing(unit), state.token(unit)
    if state.phase != MOVING or not doing.activated or doing.done or not token.standing or token.side != state.side:
        return False
    if under(state, token.at, DIVINE_BELL):
        return False
    repelled = repels(state, unit)
    zealous = is_fanatic(state, unit) and not foes_beside(state, token.at, token.side)
    if not (repelled or zealous):
        return False
    return any(
        at != token.at and why_not_end(state, unit, at, cost) is None for at, cost in reach_of(state, unit).items()
    )


def why_not_stay(state: FantasyState, piece: str) -> Said | None:
    """Why a move may not end where it began: units that must move can't stay (T-29). None if it may."""
    if piece not in state.units or not must_move(state, piece):
        return None
    return AWAY if repels(state, piece) else NEARER


def repels(state: FantasyState, unit: str) -> bool:
    """Whether repulsion affects a unit; its caster must be on the map (T-36)."""
    timer = under(state, unit, REPULSION)
    caster = state.field.tokens.get(timer.by) if timer else None
    return caster is not None and caster.standing


# Move commands (TF-1.4): a unit with its characters, a character alone, or a flyer carrying infantry.

NOT_NOW = _("You can only move in the movement phase.")
NOT_YOURS = _("It isn’t this unit’s turn.")
NOT_ACTIVATED = _("This unit isn’t activated this turn.")
HAS_MOVED = _("This unit has already moved this turn.")
ANNOUNCED = _("A caster who announced a spell doesn’t move.")
HELD = _("A god keeps this character in place.")


def why_not_move(state: FantasyState, piece: str) -> Said | None:
    """Why a unit or character can't move now, wherever to; None if it can."""
    if state.phase != MOVING:
        return NOT_NOW
    token, doing = state.token(piece), state.doing(piece)
    if token.side != state.side or not token.standing:
        return NOT_YOURS
    if doing.announced:
        return ANNOUNCED
    if not doing.activated:
        return NOT_ACTIVATED
    if doing.done:
        return HAS_MOVED
    return HELD if under(state, piece, PARALYSED) or under(state, token.at, DIVINE_BELL) else None


def move(run: Run, command: MovePiece) -> None:
    """Move a unit with its characters, or a character alone, who may leave their unit.

    Raises a refusal if the move isn't allowed.
    """
    state, piece = run.state, command.unit
    demand(piece in state.units or piece in state.people, _("This unit isn’t in the battle."), field="/unit")
    forbid(why_not_move(state, piece), "/unit")
    way = way_of(state, piece, command)
    forbid(why_not_end(state, piece, way.end, way.cost), "/to" if command.to else "/path")
    if way.end == state.at(piece):
        forbid(why_not_stay(state, piece), "/to")
    riders = _riders(state, piece, command.stay)
    if command.carry:
        _check_load(state, piece, command.carry, way.end)
    hidden = _hidden_on(state, piece, way)
    if hidden:
        way = _short_of(state, piece, way, hidden[0])
    far = goes_far(state, piece, way)
    if way.cost:
        _walk(run, piece, riders, way)
    for unit in hidden:
        _found(run, unit)
    run.emit(e.MoveEnded(piece, far))
    if command.carry:
        _set_down(run, piece, command.carry, way.end)
    if way.cost:
        after_shift(run, piece)


# Paths

LEASHED = _("Undead have to stay within {count} hexes of their master.")


def way_of(state: FantasyState, piece: str, command: MovePiece) -> Way:
    """The checked path of a command, or the cheapest one to its target (H-10). Raises a refusal if there is none."""
    ground, at = footing_ground(state, state.side_of(piece)), state.at(piece)
    if not command.path:
        if not command.to or command.to == at:
            return Way((at,), (0,))
        target = ground.require_hex(command.to, field="/to")
        found = way_to(state, piece, target)
        leashed = is_undead(state, piece) and within_leash(state, piece, at, LEASH)
        beyond = leashed and not within_leash(state, piece, target, LEASH)
        require(not beyond, LEASHED, field="/to", count=LEASH)
        fits = found is not None and _within_woods(state, piece, found)
        require(fits, _("The unit can’t reach {hex} this turn."), field="/to", hex=target)
        assert found is not None
        return found
    pace, way = pace_of(state, piece), None
    hexes = tuple(ground.require_hex(one, field=f"/path/{place}") for place, one in enumerate(command.path))
    whole = hexes if hexes[0] == at else (at, *hexes)
    jumps = any(after not in ground.around(before) for before, after in pairwise(whole))
    if not jumps and pace.road and piece in state.units and is_by_road(state, piece, whole):
        way = walked(ground, mover_of(state, piece, pace.calm + pace.road, BY_ROAD), at, hexes)
    way = way or walked(ground, mover_of(state, piece, pace.calm), at, hexes)
    require(_within_woods(state, piece, way), _("The unit can cross {count} difficult hexes this turn."), field="/path",
            count=state.doing(piece).woodsman)  # fmt: skip
    return way


def _within_woods(state: FantasyState, piece: str, way: Way) -> bool:
    woods = state.doing(piece).woodsman
    return not woods or gait_of(state, piece).air or rough_hexes(state, piece, way.hexes) <= woods


def _riders(state: FantasyState, piece: str, stay: tuple[str, ...]) -> tuple[str, ...]:
    """The characters who move with a unit: all on its hex, except those told to stay, casting or paralyzed."""
    if piece in state.people:
        return ()
    here = state.people_at(state.at(piece))
    for place, one in enumerate(stay):
        demand(one in here, _("This character isn’t with the unit."), field=f"/stay/{place}")
    return tuple(one for one in here if one not in stay and not state.doing(one).announced and _goes(state, one))


def _goes(state: FantasyState, person: str) -> bool:
    return not under(state, person, PARALYSED)


def _walk(run: Run, piece: str, riders: tuple[str, ...], way: Way) -> None:
    run.emit(Moved(piece, way.hexes, (0, 0)))
    for one in riders:
        run.emit(Moved(one, way.hexes, (0, 0)))


# Groves on the way (T-70)


def _hidden_on(state: FantasyState, piece: str, way: Way) -> tuple[str, ...]:
    """The ids of the enemies hidden in groves on the first such hex of the path that the mover would enter."""
    side = state.side_of(piece)
    if not hidden_from(state, side):
        return ()
    high = gait_of(state, piece).air
    for at in way.hexes[1:]:
        here = [token for token in state.field.at(at) if token.hidden and token.side != side]
        found = tuple(token.id for token in here if not high or at == way.end or flies(state, token.id))
        if found:
            return found
    return ()


def _short_of(state: FantasyState, piece: str, way: Way, hidden: str) -> Way:
    """The way up to the last hex before an unseen enemy where the mover may stand."""
    place = way.hexes.index(state.at(hidden)) - 1
    held = mover_of(state, piece, pace_of(state, piece).calm).held
    while place and way.hexes[place] in held:
        place -= 1
    return Way(way.hexes[: place + 1], way.costs[: place + 1])


def _found(run: Run, unit: str) -> None:
    timer = under(run.state, unit, GROVE)
    if timer is not None:
        run.emit(EffectEnded(timer))
    if run.state.standing(unit) and run.state.token(unit).hidden:
        run.emit(Revealed(unit, run.state.at(unit), out=True))


# Carrying (T-89)


def _check_load(state: FantasyState, flyer: str, carry: CarryLoad, end: str) -> None:
    load = state.field.tokens.get(carry.unit)
    own = state.units.get(carry.unit)
    fits = own is not None and load is not None and load.side == state.side_of(flyer) and load.standing
    demand(fits, _("Choose a unit of your side."), field="/carry/unit")
    assert own is not None
    assert load is not None
    require(flyer in state.units and flies(state, flyer), _("Only flyers can carry units."), field="/carry")
    foot = own.own.kind == INFANTRY and not flies(state, carry.unit)
    require(foot, _("Flyers can only carry infantry."), field="/carry/unit")
    require(not own.turner, ONLY_TURNED, field="/carry/unit")
    require(
        apart(load.at, state.at(flyer)) == 1, _("The carried unit has to start next to the flyer."), field="/carry/unit"
    )
    require(not own.doing.stirred, HAS_MOVED, field="/carry/unit")
    down = state.field.ground.require_hex(carry.down, field="/carry/down")
    require(apart(down, end) == 1, _("Unload next to the hex where the flyer ends its move."), field="/carry/down")
    fits = may_set_down(state, flyer, end, carry.unit, down)
    require(fits, _("{unit} can’t stand on {hex}."), field="/carry/down", unit=load.name, hex=down)


def may_set_down(state: FantasyState, flyer: str, end: str, load: str, down: str) -> bool:
    """Whether a flyer that ends its move on `end` may set its load down on `down`, as far as its side knows.

    The hex must bear the load, have room and be within its leash. The hex the flyer leaves counts as free.
    """
    leashed = is_undead(state, load) and not within_leash(state, load, down, LEASH)
    return not leashed and may_stand(state.but(field=state.field.put(flyer, at=end)), load, down)


def _set_down(run: Run, flyer: str, carry: CarryLoad, end: str) -> None:
    """Set the load down beside the flyer's end hex.

    The load stays where it was if a grove holds that hex, which ends the grove (T-70), or if the flyer was stopped too
    far from it.
    """
    load, down = carry.unit, carry.down
    if not run.state.standing(flyer) or not run.state.standing(load) or apart(down, end) != 1:
        return
    if finds_room(run, run.state.side_of(load), down):
        run.emit(e.Carried(flyer, load, (run.state.at(load), down)))
        after_shift(run, load)
