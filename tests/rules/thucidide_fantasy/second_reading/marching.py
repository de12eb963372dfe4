"""The movement phase (TF-1.4, 1.5, 2.5, T-2, T-6, T-25, T-50 to T-54, T-89, T-92)."""

from __future__ import annotations

from collections import deque
from itertools import pairwise

from tests.rules.hexes.second_reading import moves
from tests.rules.hexes.second_reading.ground import Land, Place, apart, name, place
from tests.rules.hexes.second_reading.sides import from_home
from tests.rules.thucidide_fantasy.second_reading.host import (
    Piece,
    Situation,
    belled,
    beside,
    demand,
    everybody,
    fanatic,
    flies,
    ground_for,
    has,
    here,
    hides,
    in_grove,
    menaced,
    on_table,
    people_at,
    show_false,
    stilled,
    threatening,
    uncover,
    undead,
    under,
    unit_of,
)

LEASH = 4
EASY = {"clear": 1, "difficult": 1, "infiltration_only": 1}
UNHALTED = moves.Gait(EASY)
ON_ROADS = moves.Gait({"clear": 1, "difficult": 1, "infiltration_only": 1}, road=True)


def paces(now: Situation, piece: Piece) -> tuple[int, int]:
    """Hexes if it fights this turn, and if it does not (T-25, T-52)."""
    more = 2 if has(now, piece, "very-rapid") else 1 if has(now, piece, "rapid") else 0
    more += piece["bonus"] - under(now, piece["id"], "slowness")
    if piece["fixed"]:
        more = -under(now, piece["id"], "slowness")
    return max(0, piece["move"] + more), max(0, piece["calm"] + more)


def flying(now: Situation, piece: Piece) -> bool:
    """T-47: a hero flies by trait 4; who walks away from a flyer walks."""
    return "flyer" in piece["traits"]


def light(piece: Piece) -> bool:
    return piece["weight"] <= 2


def mover(now: Situation, piece: Piece, points: int, gait: moves.Gait | None = None) -> moves.Unit:
    """Whom it may not enter, whom it may pass (TF-1.4, T-48, T-53)."""
    up = flying(now, piece)
    if gait is None:
        gait = moves.FLYING if up else UNHALTED if piece["character"] else moves.HALTED
    closed, held = set(), set()
    master = master_of(now, piece) if undead(piece) and not piece["character"] else None
    if master and apart(piece["at"], master["at"]) <= LEASH:
        closed = {at for at in now["land"].letters if apart(at, master["at"]) > LEASH}
    for other in everybody(now):
        if other is piece:
            continue
        at = other["at"]
        same_height = flies(now, other) == up
        if other["side"] != piece["side"]:
            if in_grove(now, other):
                continue
            if up and not same_height:
                held.add(at)
            else:
                closed.add(at)
        elif not piece["character"] and not other["character"]:
            held.add(at)
            if not (light(piece) or light(other) or (up and not same_height)):
                closed.add(at)
    closed |= {at for timer in now["timers"] if timer["effect"] == "divine-bell" for at in timer["on"]}
    return moves.Unit(gait, points, closed, held, ())


def may_stand(now: Situation, piece: Piece, at: Place) -> bool:
    """Free for it, and passable (T-12, T-24)."""
    land = ground_for(now, piece["side"])
    if at not in land or belled(now, at):
        return False
    if not flying(now, piece) and land.lies_as(at) == "impassable":
        return False
    for other in here(now, at):
        if other is not piece and (other["side"] != piece["side"] or not (piece["character"] or other["character"])):
            return False
    return True


def way_of(now: Situation, piece: Piece, path: list[str], to: str) -> list[Place]:
    """The way it goes, its start first. `to`: the cheapest one."""
    land = ground_for(now, piece["side"])
    _fight, calm = paces(now, piece)
    usual = mover(now, piece, calm)
    road = None if piece["fixed"] or flying(now, piece) or piece["character"] else mover(now, piece, calm + 1, ON_ROADS)
    if not path and (not to or _place_of(to) == piece["at"]):
        return [piece["at"]]
    if path:
        hexes = [piece["at"], *map(_place_of, path)]
        if len(path) > 1 and hexes[1] == hexes[0]:
            del hexes[0]
        demand(all(at in land for at in hexes), "off the map")
        sound = moves.walked(land, usual, hexes) is not None
        sound = sound or (road is not None and moves.walked(land, halting(piece, road), hexes) is not None)
        sound = sound or woodsman(land, piece, usual, hexes)
        demand(sound, "no way")
        return hexes
    target = _place_of(to)
    demand(target in land, "off the map")
    if piece["woodsman"]:
        usual = usual._replace(gait=UNHALTED) if not flying(now, piece) else usual
    ways = [
        moves.route(land, how, piece["at"], target) for how in (usual, halting(piece, road) if road else None) if how
    ]
    found = [way for way in ways if way]
    demand(found, "no way")
    hexes = min(reversed(found), key=lambda way: way[0])[1]
    if piece["woodsman"] and not flying(now, piece):
        demand(woodsman(land, piece, mover(now, piece, calm + 1), hexes), "too many woods")
    return hexes


def halting(piece: Piece, road: moves.Unit) -> moves.Unit:
    """Difficult ground on a road's line halts no less where the step is not made clear (H-1)."""
    halts = () if piece["character"] else ("difficult", "infiltration_only")
    return road._replace(gait=road.gait._replace(halts=halts))


def woodsman(land: Land, piece: Piece, usual: moves.Unit, hexes: list[Place]) -> bool:
    """TF-1.13: so many difficult hexes as open."""
    if not piece["woodsman"]:
        return False
    spent = 0
    for number, (start, target) in enumerate(pairwise(hexes)):
        last = number == len(hexes) - 2
        taken = moves.step(land, usual, start, target) if apart(start, target) == 1 else None
        if taken is None:
            return False
        spent += not taken.goes_on and not last
    free = hexes[-1] not in usual.held
    return free and spent <= piece["woodsman"] and len(hexes) - 1 <= usual.points


def _place_of(label: str) -> Place:
    try:
        return place(label)
    except AssertionError:
        demand(False, "no hex")
        raise


def by_road(land: Land, hexes: list[Place]) -> bool:
    return len(hexes) > 1 and all(land.by_road(a, b) for a, b in pairwise(hexes))


def master_of(now: Situation, piece: Piece) -> Piece | None:
    master = now["pieces"].get(piece["master"])
    return master if master and on_table(master) else None


def leash_holds(now: Situation, piece: Piece, start: Place, end: Place) -> bool:
    """TF-5.1, T-92: within 4 of the master; who is beyond may only come nearer."""
    if not undead(piece) or piece["character"] or piece["turned"]:
        return True
    master = master_of(now, piece)
    if master is None or apart(end, master["at"]) <= LEASH:
        return True
    before = apart(start, master["at"])
    return before > LEASH and apart(end, master["at"]) < before


def hexes_to_foe(now: Situation, piece: Piece, start: Place) -> int | None:
    """T-54: hexes over ground it may enter, troops between not counted, to the nearest enemy."""
    land = ground_for(now, piece["side"])
    foes = {one["at"] for one in threatening(now, piece["side"])}
    if flying(now, piece):
        return min((apart(start, at) for at in foes), default=None)
    how = moves.Unit(UNHALTED, 99, (), (), ())
    far, queue = {start: 0}, deque([start])
    while queue:
        at = queue.popleft()
        if at in foes:
            return far[at]
        for near in land.around(at):
            over = near in foes and land.obstacles.get(frozenset((at, near))) != "wall"  # whatever lies below the enemy
            if near not in far and (over or moves.step(land, how, at, near)):
                far[near] = far[at] + 1
                queue.append(near)
    return None


def touching(now: Situation, piece: Piece, at: Place) -> bool:
    return bool(beside(now, piece["side"], at))


def zeal_allows(now: Situation, piece: Piece, end: Place) -> bool:
    """T-6, T-54."""
    start = piece["at"]
    if touching(now, piece, start):
        return touching(now, piece, end)
    before, after = hexes_to_foe(now, piece, start), hexes_to_foe(now, piece, end)
    return before is not None and after is not None and after < before


def spells_allow(now: Situation, piece: Piece, hexes: list[Place]) -> bool:
    """*Stop* and *repulsion* (TF-6.3)."""
    land: Land = now["land"]
    if under(now, piece["id"], "stop"):
        far = [from_home(land, piece["side"], at) for at in hexes]
        if not all(b < a for a, b in pairwise(far)):
            return False
    return all(apart(hexes[-1], one["at"]) > apart(hexes[0], one["at"]) for one in repulsed_by(now, piece))


def repulsed_by(now: Situation, piece: Piece) -> list[Piece]:
    found = [now["pieces"][one["by"]] for one in now["timers"]
             if one["effect"] == "repulsion" and piece["id"] in one["on"]]  # fmt: skip
    return [one for one in found if on_table(one)]


def ends_for(now: Situation, piece: Piece) -> list[Place]:
    """Where it could end a move by its legs alone."""
    land = ground_for(now, piece["side"])
    _fight, calm = paces(now, piece)
    legs = UNHALTED if piece["woodsman"] and not flying(now, piece) else None
    ends = set(moves.reach(land, mover(now, piece, calm, legs), piece["at"]))
    if not (piece["fixed"] or flying(now, piece) or piece["character"]):
        ends |= set(moves.reach(land, halting(piece, mover(now, piece, calm + 1, ON_ROADS)), piece["at"]))
    return sorted(ends - {piece["at"]})


def has_to_move(now: Situation, piece: Piece) -> bool:
    """T-29: an activated fanatic that can come nearer; an activated unit under repulsion."""
    if not piece["activated"] or piece["moved"] or piece["character"] or belled(now, piece["at"]):
        return False
    if repulsed_by(now, piece):
        return any(_could(now, piece, end) for end in ends_for(now, piece))
    if not fanatic(now, piece) or touching(now, piece, piece["at"]):
        return False
    return any(_could(now, piece, end) for end in ends_for(now, piece))


def _could(now: Situation, piece: Piece, end: Place) -> bool:
    try:
        hexes = way_of(now, piece, [], name(end))
        may_go(now, piece, hexes)
    except Exception:
        return False
    return True


def may_go(now: Situation, piece: Piece, hexes: list[Place]) -> None:
    if hexes[-1] == piece["at"]:
        demand(not has_to_move(now, piece), "has to move")
    if len(hexes) == 1:
        return
    demand(leash_holds(now, piece, hexes[0], hexes[-1]), "the leash")
    master = None if piece["character"] or not undead(piece) else master_of(now, piece)
    if master and apart(hexes[0], master["at"]) <= LEASH:  # never more than 4, on its way neither
        demand(all(apart(at, master["at"]) <= LEASH for at in hexes), "the leash")
    demand(spells_allow(now, piece, hexes), "a spell forbids it")
    if fanatic(now, piece):
        demand(zeal_allows(now, piece, hexes[-1]), "a fanatic goes nearer")


def move(
    now: Situation, unit: str, path: list[str], to: str, stay: list[str], load: tuple[str, str] | None = None
) -> None:
    demand(now["phase"] == "movement", "only in the movement phase")
    piece = now["pieces"].get(unit)
    demand(piece and on_table(piece) and piece["side"] == now["side"], "not a piece of yours")
    demand(piece["activated"], "not activated")
    demand(not piece["moved"], "has moved")
    demand(not piece["announced"], "has announced a spell")
    demand(not stilled(now, piece), "may do nothing")
    hexes = way_of(now, piece, path, to)
    may_go(now, piece, hexes)
    mates = [] if piece["character"] else people_at(now, piece["at"])
    demand(set(stay) <= {one["id"] for one in mates}, "not with it")
    carried = loaded(now, piece, hexes[-1], *load) if load else None
    hexes = met(now, piece, hexes)
    fight, _calm = paces(now, piece)
    if by_road(now["land"], hexes) and not (piece["fixed"] or flying(now, piece) or piece["character"]):
        fight += 1
    piece.update(moved=True, far=len(hexes) - 1 > fight)
    for one in [
        piece,
        *(mate for mate in mates if mate["id"] not in stay and not mate["announced"] and not stilled(now, mate)),
    ]:
        if len(hexes) > 1:
            one["start"] = one["start"] or hexes[0]
            one["at"], one["stirred"] = hexes[-1], True
    if len(hexes) > 1:
        uncover(now, piece)
    if carried and load and sets_down(now, piece, place(load[1])):
        uncover(now, carried)
        piece["carried"] = carried["carried"] = piece["stirred"] = carried["moved"] = True
        for one in [carried, *people_at(now, carried["at"])]:
            one["start"] = one["start"] or one["at"]
            one["at"], one["stirred"] = place(load[1]), True
    show_false(now)


def met(now: Situation, piece: Piece, hexes: list[Place]) -> list[Place]:
    """T-70: who would enter the hex of a grove ends the move before it, and the grove ends."""
    for number, at in enumerate(hexes[1:], 1):
        grove = hides(now, piece["side"], at)
        over = flying(now, piece) and grove and not flies(now, grove) and at != hexes[-1]
        if grove and not over:
            uncover(now, grove)
            way = hexes[:number]
            while len(way) > 1 and not may_stand(now, piece, way[-1]):
                way.pop()
            return way
    return hexes


def loaded(now: Situation, piece: Piece, end: Place, unit: str, down: str) -> Piece:
    """T-89: foot beside its start that has not moved, set down beside its end on a free hex, within its leash."""
    load = now["pieces"].get(unit)
    demand(load and on_table(load) and load["side"] == piece["side"] and not load["character"], "not yours")
    demand(not piece["character"] and flying(now, piece), "only a flyer carries")
    demand(load["kind"] == "infantry" and not flying(now, load) and not load["stirred"], "foot that has not moved")
    demand(apart(load["at"], piece["at"]) == 1, "beside its start")
    demand(not load["turned"], "it stands")  # T-33
    to, start = _place_of(down), piece["at"]
    piece["at"] = end  # where it was is free
    fits = to in now["land"] and apart(to, end) == 1 and (hides(now, piece["side"], to) or may_stand(now, load, to))
    piece["at"] = start
    demand(fits, "a free hex beside its end")
    demand(leash_holds(now, load, to, to), "the leash")
    return load


def sets_down(now: Situation, piece: Piece, to: Place) -> bool:
    """T-70: not on a grove, which ends; not far from where a grove has stopped it."""
    grove = hides(now, piece["side"], to)
    if apart(to, piece["at"]) == 1 and grove:
        uncover(now, grove)
    return apart(to, piece["at"]) == 1 and not grove


def announce(now: Situation, caster: str) -> None:
    """TF-6.1, T-90, T-91."""
    demand(now["phase"] == "movement", "only in the movement phase")
    piece = now["pieces"].get(caster)
    demand(piece and on_table(piece) and piece["side"] == now["side"] and piece["character"], "not yours")
    demand(piece["points"] > 0, "does not cast")
    demand(not stilled(now, piece), "may do nothing")
    unit = unit_of(now, piece)
    demand(piece["activated"] or (unit and unit["activated"]), "not activated")
    demand(not piece["announced"], "has announced")
    demand(not piece["stirred"] and not piece["moved"], "has moved")
    demand(not menaced(now, piece), "an enemy is beside")
    demand(all(who != caster or not units for who, units in now["activations"]), "has led units")
    piece["announced"] = True
