"""Movement of units and characters (TF-1.4, 2.5): how far, over what ground, and what is in the way."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple

from rules.core.frozen_copy import remembered
from rules.hexbattle.choosing import LaidWay, lay
from rules.hexbattle.ground import BattleGround
from rules.hexbattle.law import has_room
from rules.hexbattle.moving import Gait, Mover, Way, reach, route, steps_of
from rules.hexes.terrain import Footing
from rules.thucidide_fantasy.battle.record.state import FantasyState
from rules.thucidide_fantasy.battle.situation import (
    ALLIED_NATURE,
    DIVINE_BELL,
    bears,
    flies,
    flies_itself,
    foes,
    gaps,
    ground_known,
    hidden_from,
    is_undead,
    under,
    within_leash,
)
from rules.thucidide_fantasy.grimoire import LEASH
from rules.thucidide_fantasy.spec import LIGHT
from rules.thucidide_fantasy.starter import WEIGHTS

DIFFICULT = frozenset({"difficult", "infiltration_only"})
ON_FOOT = Gait(1, 1, 1, halts=DIFFICULT)
FREE_FOOT = Gait(1, 1, 1)
"""The gait that ignores difficult ground: for characters alone (T-51), and for distances on foot."""
IN_THE_AIR = Gait(air=True)
BY_ROAD = Gait(1, 1, 1, road=True)
HILL, OPEN = "hill", "open"
RAPID, VERY_RAPID, SLOWNESS, FANATIC = "rapid", "very-rapid", "slowness", "fanatic"
STOP, REPULSION = "stop", "repulsion"
LIGHT_MOST = WEIGHTS[LIGHT].level
FAR = 1 << 20
NOWHERE: frozenset[str] = frozenset()


class Pace(NamedTuple):
    """The move of a unit this turn in hexes: with combat, without combat, and the bonus along a road."""

    fighting: int
    calm: int
    road: int = 1


# The ground in this law


def footing_ground(state: FantasyState, side: int) -> BattleGround:
    """The ground for movement on foot.

    Hills are open (HX-2.1), as is allied nature for its own side (TF-6.3); a side's own groves are no woods.
    """
    ground = ground_known(state, side)
    natures = (timer.on for timer in state.field.timers if timer.effect == ALLIED_NATURE and timer.side == side)
    nature = frozenset[str]().union(*natures) if state.field.timers else NOWHERE
    return ground.kept("footing", nature, lambda: _footing(ground, nature), 8)


def _footing(ground: BattleGround, nature: frozenset[str]) -> BattleGround:
    hills = {at for at in ground.labels if ground.terrain(at).slug == HILL}
    return ground.laid({**dict.fromkeys(hills | nature, OPEN), **ground.overlays})


@remembered
def closed_hexes(state: FantasyState, side: int, high: bool) -> frozenset[str]:
    """The hexes closed to a side: by a god's bell to all, by the enemy's allied nature to units on the ground."""
    found: set[str] = set()
    for timer in state.field.timers:
        if timer.effect == DIVINE_BELL or (timer.effect == ALLIED_NATURE and timer.side != side and not high):
            found.update(timer.on)
    return frozenset(found)


def is_passable(state: FantasyState, side: int, at: str, high: bool) -> bool:
    """Whether a unit of a side can enter a hex; flyers can enter all except those under a god's bell (T-12, T-50)."""
    if at in closed_hexes(state, side, high):
        return False
    return high or footing_ground(state, side).terrain(at).footing is not Footing.IMPASSABLE


def may_stand(state: FantasyState, piece: str, at: str) -> bool:
    """Whether a unit or character may be placed on a hex, as far as their side knows: it can bear them and has room
    (HX-6.1).

    Used for setup, reinforcements and the loads of flyers. A thicket bears units on foot too.
    """
    token = state.token(piece)
    passable = is_passable(state, token.side, at, flies_itself(state, piece))
    return passable and has_room(state.field, token, at, hidden_from(state, token.side))


@remembered
def in_the_way(state: FantasyState, side: int, high: bool, light: bool) -> tuple[frozenset[str], frozenset[str]]:
    """The hexes blocked by other units, and those that can only be passed through (TF-1.4, T-53).

    `high`: the unit flies. `light`: it is light enough to pass friends.
    """
    closed, held = set(closed_hexes(state, side, high)), set[str]()
    hidden = hidden_from(state, side)
    for token in state.field.tokens.values():
        if not token.standing or token.id in hidden:
            continue
        if token.side != side:
            passes = high and not flies(state, token.id)
            (held if passes else closed).add(token.at)
        elif not token.character:
            (held if _crosses(state, token.id, high, light) else closed).add(token.at)
    return frozenset(closed), frozenset(held)


def _crosses(state: FantasyState, friend: str, high: bool, light: bool) -> bool:
    """Whether a unit can pass a friendly one: if either is light, or if it flies over one on the ground."""
    if high and not flies(state, friend):
        return True
    return light or state.units[friend].own.weight <= LIGHT_MOST


# Movers


def pace_of(state: FantasyState, piece: str) -> Pace:
    """The move of a unit or character this turn (TF-1.4, T-25, T-52)."""
    if piece in state.units:
        own, fixed = state.units[piece].own, state.units[piece].own.fixed
        move, calm = own.move, own.calm
    else:
        person = state.people[piece].own
        move, calm, fixed = person.move, person.calm, False
    slow = bool(state.field.timers and under(state, piece, SLOWNESS))
    if fixed:
        return Pace(max(0, move - slow), max(0, calm - slow), 0)
    more = 2 if bears(state, piece, VERY_RAPID) else 1 if bears(state, piece, RAPID) else 0
    more += state.doing(piece).bonus - slow
    return Pace(max(0, move + more), max(0, calm + more), 0 if flies(state, piece) else 1)


def gait_of(state: FantasyState, piece: str) -> Gait:
    """The gait of a unit or character: in the air, over any ground (characters, woodsmen), or on foot."""
    if flies_itself(state, piece):
        return IN_THE_AIR
    if piece in state.people or state.doing(piece).woodsman:
        return FREE_FOOT
    return ON_FOOT


def mover_of(state: FantasyState, piece: str, points: int, gait: Gait | None = None) -> Mover:
    """The mover of a unit or character, from what their side knows."""
    token = state.token(piece)
    gait = gait or gait_of(state, piece)
    if piece in state.people:
        return Mover(gait, points, *_around_people(state, token.side, gait.air))
    light = state.units[piece].own.weight <= LIGHT_MOST
    closed, held = in_the_way(state, token.side, gait.air, light)
    if is_undead(state, piece) and within_leash(state, piece, token.at, LEASH):
        closed = closed | _beyond(state, piece)
    return Mover(gait, points, closed - {token.at}, held - {token.at})


@remembered
def _around_people(state: FantasyState, side: int, high: bool) -> tuple[frozenset[str], frozenset[str]]:
    """The hexes closed to a character, and those it can only pass.

    Characters pass and join friends. Enemies close their hexes; in the air only flyers do.
    """
    hidden = hidden_from(state, side)
    others = [token for token in state.field.tokens.values() if token.side != side and token.standing]
    others = [token for token in others if token.id not in hidden]
    closed = {token.at for token in others if not high or flies(state, token.id)}
    return frozenset(closed | closed_hexes(state, side, high)), frozenset(token.at for token in others)


def _beyond(state: FantasyState, unit: str) -> frozenset[str]:
    """The hexes outside the leash of an undead unit."""
    ground, at = state.field.ground, state.at(state.units[unit].master)
    return ground.kept("beyond", at, lambda: frozenset(ground.labels) - ground.within(at, LEASH), 64)


# Reach


def reach_of(state: FantasyState, piece: str) -> dict[str, int]:
    """Every hex where a unit or character can end its move, with the cost. Constraints of `binding` aren't applied."""
    pace, token = pace_of(state, piece), state.token(piece)
    ground = footing_ground(state, token.side)
    found = reach(ground, mover_of(state, piece, pace.calm), token.at)
    if pace.road and piece in state.units and on_road(ground, token.at):
        by_road = reach(ground, mover_of(state, piece, pace.calm + pace.road, BY_ROAD), token.at)
        found.update((at, cost) for at, cost in by_road.items() if cost < found.get(at, FAR))
    woods = state.doing(piece).woodsman
    if woods:
        found = {at: cost for at, cost in found.items() if _within_woods(state, piece, at, woods)}
    return found


def _within_woods(state: FantasyState, piece: str, at: str, woods: int) -> bool:
    way = way_to(state, piece, at)
    return way is not None and rough_hexes(state, piece, way.hexes) <= woods


def rough_hexes(state: FantasyState, piece: str, hexes: tuple[str, ...]) -> int:
    """The steps of a path, without the last, that would stop a unit on foot: not along roads, but across streams."""
    ground = footing_ground(state, state.side_of(piece))
    steps, numbers = steps_of(ground, ON_FOOT), ground.numbers
    return sum(steps.price(numbers[before], numbers[after]) < 0 for before, after in pairwise(hexes[:-1]))


def on_road(ground: BattleGround, at: str) -> bool:
    """Whether a road leads away from a hex."""
    return ground.numbers[at] in steps_of(ground, BY_ROAD).turned


def way_to(state: FantasyState, piece: str, at: str) -> Way | None:
    """The cheapest way to a hex, preferring a road of equal length; None if out of reach."""
    pace, token = pace_of(state, piece), state.token(piece)
    ground = footing_ground(state, token.side)
    found = route(ground, mover_of(state, piece, pace.calm), token.at, at)
    if not (pace.road and piece in state.units and on_road(ground, token.at)):
        return found
    road = route(ground, mover_of(state, piece, pace.calm + pace.road, BY_ROAD), token.at, at)
    return road if road is not None and (found is None or road.cost <= found.cost) else found


def laid_way(state: FantasyState, piece: str, hexes: tuple[str, ...]) -> LaidWay:
    """A path laid hex by hex, and where it may continue; along a road it may go one hex further."""
    pace, token = pace_of(state, piece), state.token(piece)
    ground = footing_ground(state, token.side)
    movers = [mover_of(state, piece, pace.calm)]
    if pace.road and piece in state.units and on_road(ground, token.at):
        movers.append(mover_of(state, piece, pace.calm + pace.road, BY_ROAD))
    return lay(ground, movers, token.at, hexes)


def is_by_road(state: FantasyState, piece: str, hexes: tuple[str, ...]) -> bool:
    """Whether the whole move goes along a road, start included (T-25)."""
    ground = footing_ground(state, state.side_of(piece))
    turned, numbers = steps_of(ground, BY_ROAD).turned, ground.numbers
    return all(numbers[after] in turned.get(numbers[before], {}) for before, after in pairwise(hexes))


def goes_far(state: FantasyState, piece: str, way: Way) -> bool:
    """Whether a move is too long to open combat this turn ("2c")."""
    pace = pace_of(state, piece)
    road = pace.road if pace.road and piece in state.units and is_by_road(state, piece, way.hexes) else 0
    return way.cost > pace.fighting + road


# Distance to the enemy


def to_enemies(state: FantasyState, piece: str, at: str) -> int:
    """The path length from a hex to the nearest enemy, ignoring units in between (T-6, T-54)."""
    return all_to_enemies(state, piece).get(at, FAR)


def all_to_enemies(state: FantasyState, piece: str) -> Mapping[str, int]:
    """The cost to the nearest enemy from every hex from which one can be reached."""
    find = gaps if gait_of(state, piece).air else _on_foot
    return find(state, state.side_of(piece))


@remembered
def _on_foot(state: FantasyState, side: int) -> Mapping[str, int]:
    """The distance on foot of every hex from the nearest threatening enemy."""
    ground, places = footing_ground(state, side), frozenset(foe.at for foe in foes(state, side))
    closed = closed_hexes(state, side, False)
    return ground.kept("on-foot", (places, closed), lambda: _spread_on_foot(ground, places, closed), 32)


def _spread_on_foot(ground: BattleGround, places: frozenset[str], closed: frozenset[str]) -> Mapping[str, int]:
    """The distance from each hex to the nearest of `places`, one point per hex; unreachable hexes are missing.

    Impassable hexes and those in `closed` can be left but not entered, whatever lies below an enemy.
    """
    shut = {ground.numbers[at] for at in closed}
    steps = steps_of(ground, FREE_FOOT)
    found = dict.fromkeys((ground.numbers[at] for at in places), 0)
    waiting, far = list(found), 0
    while waiting:
        far += 1
        ring: list[int] = []
        for here in waiting:
            for there, _price in steps.exits(here) if far == 1 else steps.entries(here):
                if there not in found:
                    found[there] = far
                    if there not in shut:
                        ring.append(there)
        waiting = ring
    return {ground.labels[at]: cost for at, cost in found.items()}
