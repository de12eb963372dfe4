"""Casting (TF-5.3, TF-6, T-12, T-13, T-33, T-36, T-62, T-75, T-78, T-80,
T-91), phantoms, groves and allied nature (T-15, T-16, T-31, T-59, T-70, T-76).
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from tests.rules.hexes.second_reading.ground import Land, Place, apart, place
from tests.rules.hexes.second_reading.sides import from_home, place_in
from tests.rules.thucidide_fantasy.second_reading import combat, gods, turning
from tests.rules.thucidide_fantasy.second_reading.host import (
    FOR_A_TURN,
    Piece,
    Situation,
    alone,
    belled,
    demand,
    ground_for,
    groves,
    has,
    here,
    hides,
    in_grove,
    leave,
    letter,
    menaced,
    on_table,
    people_at,
    show_false,
    spells_on,
    stilled,
    uncover,
    undead,
    under,
    unit_at,
)

WHILE = 10**6
NEXT, TWO = 2, 3  # ends of the caster's spell phases, this one's among them (T-36)
LASTING = {  # spell: (on, ends of spell phases)
    "armour": ("friend", NEXT), "blessing": ("friend", NEXT), "bell": ("friend", NEXT), "elite": ("friend", NEXT),
    "enthusiasm": ("friend", NEXT), "fanaticism": ("friend", NEXT), "immunity": ("friend", NEXT),
    "speed": ("friend", NEXT), "hatred": ("enemy", NEXT), "slowness": ("enemy", NEXT), "stop": ("enemy", NEXT),
    "rebound": ("friend", NEXT), "volley": ("friend", NEXT), "repulsion": ("enemy", TWO), "shackles": ("hex", NEXT),
    "darkness": ("hex", TWO),
}  # fmt: skip
HEALING = {"major-healing": (2, "flag advantage"), "minor-healing": (2, "flag"), "total-healing": (4, "flag advantage")}
BLOWS = {"fear": 2, "terror": 4}
SHOTS = {  # dice, times, fire
    "magic-arrows": (3, 1, False), "word-of-power": (3, 1, False), "rain-of-fire": (2, 2, True),
    "fire-storm": (3, 3, True),
}  # fmt: skip
RAISED = {"dust-warriors": (1, 2), "army-of-the-dead": (4, 3)}
READ = {
    *LASTING,
    *HEALING,
    *BLOWS,
    *SHOTS,
    *RAISED,
    "vade-retro",
    "farewell",
    "counterspell",
    "animate-dead",
    "divine-appeal",
    "phantom-troop",
    "grove",
    "allied-nature",
    "turn",
}
PRICES = {  # TF-6.3, in points; all others 1
    "divine-appeal": 3, "farewell": 3, "blessing": 2, "magic-arrows": 2, "word-of-power": 2, "allied-nature": 2,
    "darkness": 2, "rain-of-fire": 3, "rebound": 3, "total-healing": 2, "fire-storm": 5, "terror": 2,
    "animate-dead": 2, "dust-warriors": 2, "army-of-the-dead": 6, "turn": 2,
}  # fmt: skip
RUNNING = {*LASTING, "grove", "allied-nature"}
MOST_FAR = 5  # of an element one hex only has to be near (T-76)
ELEMENTS, MOST_OF_ELEMENT = set("owhtmksn|~A^"), 7
SKELETONS = {
    "character": False, "gone": "", "move": 1, "calm": 2, "weight": 4, "melee": 2, "shot": 0, "range": 0,
    "traits": {"undead"}, "hero": False, "summoned": True, "rank": "", "points": 0, "purse": 0, "fire": False,
    "dice": 0,
    "temper": "", "fixed": False, "assault": 2, "cards": [], "type": "skeletons", "kind": "infantry", "stands": 4,
    "start_stands": 4, "likes": {"skeletons"}, "false": False, "turned": "", "start": None,
}  # fmt: skip


def caster_of(now: Situation, caster: str) -> Piece:
    demand(now["phase"] == "spells", "only in the spell phase")
    piece = now["pieces"].get(caster)
    demand(piece and on_table(piece) and piece["side"] == now["side"], "not yours")
    demand(piece["announced"] and not piece["cast"], "has not announced")
    return piece


def decline(now: Situation, caster: str) -> None:
    caster_of(now, caster)["cast"] = True


def near(piece: Piece, at: Place, far: int) -> None:
    demand(apart(piece["at"], at) <= far, "too far")


def named(now: Situation, piece: Piece, targets: list[str], wanted: str, people: bool = False) -> Piece:
    """T-78: of the enemy's characters heroes, and others alone."""
    demand(len(targets) == 1, "one target")
    at = now["pieces"].get(targets[0])
    demand(at and on_table(at), "not on the table")
    demand(wanted == "unit" or (at["side"] == piece["side"]) == (wanted == "friend"), "the wrong side")
    fit = wanted == "friend" or at["hero"] or alone(now, at)
    demand(not at["character"] or (people and fit), "not on a character")
    demand(at["side"] == piece["side"] or not in_grove(now, at), "looks like a wood")
    demand(not belled(now, at["at"]), "under the god’s bell")
    near(piece, at["at"], 3)
    return at


def hex_named(now: Situation, piece: Piece, label: str, far: int) -> Place:
    try:
        at = place(label)
    except AssertionError:
        demand(False, "no hex")
        raise
    demand(at in now["land"], "off the map")
    demand(far > MOST_FAR or not belled(now, at), "under the god’s bell")
    near(piece, at, far)
    return at


def empty(now: Situation, at: Place, side: int, who: Piece | None = None) -> bool:
    """To this side's eyes: a grove of the enemy is a wood (T-70). T-12: passable for whom it is; for flyers all is."""
    if belled(now, at):
        return False
    there = [] if hides(now, side, at) else here(now, at)
    up = who is not None and "flyer" in who["traits"]
    return not there and (up or ground_for(now, who["side"] if who else side).lies_as(at) != "impassable")


def cast(now: Situation, dice: Any, caster: str, spell: str, targets: list[str], ids: list[str]) -> None:
    piece = caster_of(now, caster)
    demand(not menaced(now, piece), "an enemy is beside")
    demand(not piece["stirred"] and not piece["fought"], "has moved or fought")
    demand(spell in known(now, piece), "has no such card, or it is too dear")
    demand(not stilled(now, piece), "may do nothing")
    work = _aimed(now, dice, piece, spell, targets, ids)
    if now["options"]["supply"] == "points":
        piece["purse"] -= PRICES.get(spell, 1)
    else:
        piece["cards"].remove(spell)
    piece["cast"] = True
    if turned(now, piece, spell, targets):
        turn_back(now, dice, piece, spell)
    else:
        work()


def known(now: Situation, piece: Piece) -> set[str]:
    """TF-6.2: each spell a card, or for its price in points."""
    if now["options"]["supply"] == "points":
        return {spell for spell in READ if PRICES.get(spell, 1) <= piece["purse"]}
    return READ.intersection(piece["cards"])


def turned(now: Situation, piece: Piece, spell: str, targets: list[str]) -> bool:
    """T-32: volley turns any spell of an enemy that names its bearer, rebound a shot."""
    at = now["pieces"].get(targets[0]) if targets else None
    if at is None or at["side"] == piece["side"]:
        return False
    return under(now, at["id"], "volley") or (spell in SHOTS and under(now, at["id"], "rebound"))


def turn_back(now: Situation, dice: Any, piece: Piece, spell: str) -> None:
    """T-32: at the unit its caster is with; alone, a shot strikes the caster; else it is lost."""
    struck = unit_at(now, piece["at"])
    if spell in ("repulsion", "counterspell", "grove", "turn"):
        return
    if spell in SHOTS:
        follow(now, dice, piece, spell, struck or piece)
    elif struck is None:
        return
    elif spell in LASTING:
        lay(now, piece, spell, struck["id"], LASTING[spell][1])
    elif spell in BLOWS:
        frighten(now, dice, spell, struck)
    elif spell == "vade-retro":
        vade_retro(now, struck)
    elif spell == "farewell":
        home = home_hex(now, struck, piece["side"])
        if home is not None:
            go_home(now, struck, home, piece["side"])


def _aimed(now: Situation, dice: Any, piece: Piece, spell: str, targets: list[str], ids: list[str]) -> Any:
    """The target is looked at before anything is paid."""
    if spell in LASTING:
        wanted, left = LASTING[spell]
        if wanted == "hex":
            demand(len(targets) == 1, "one hex")
            on: Any = hex_named(now, piece, targets[0], 5 if spell == "darkness" else 3)
        else:
            on = named(now, piece, targets, wanted, people=spell in ("rebound", "volley"))["id"]
        return lambda: lay(now, piece, spell, on, left)
    if spell in HEALING:
        friend = named(now, piece, targets, "friend")
        return lambda: heal(now, dice, spell, friend)
    if spell in BLOWS:
        unit = named(now, piece, targets, "unit")
        return lambda: frighten(now, dice, spell, unit)
    if spell in SHOTS:
        return _aimed_shot(now, dice, piece, spell, targets)
    if spell in RAISED:
        count, far = RAISED[spell]
        demand(len(targets) == len(set(targets)) == count, "so many hexes")
        hexes = [hex_named(now, piece, label, far) for label in targets]
        demand(all(empty(now, at, piece["side"]) for at in hexes), "not empty")
        demand(all(apart(one, other) == 1 for one, other in pairwise(hexes)), "no chain")
        return lambda: rise(now, piece, hexes, ids)
    if spell == "animate-dead":
        demand(len(targets) == 2, "a hex and who fell there")
        grave = hex_named(now, piece, targets[0], 2)
        demand(empty(now, grave, piece["side"]), "not empty")
        demand((grave, targets[1]) in now["graves"] and targets[1] not in now["used"], "no grave")
        return lambda: animate(now, piece, grave, targets[1], ids)
    if spell == "vade-retro":
        enemy = named(now, piece, targets, "enemy")
        return lambda: vade_retro(now, enemy)
    if spell == "farewell":
        unit = named(now, piece, targets, "unit")
        home = home_hex(now, unit, piece["side"])
        demand(home is not None, "no room")
        return lambda: go_home(now, unit, home, piece["side"])
    if spell == "divine-appeal":
        demand(not targets, "no target")
        demand(now["consents"][1 - piece["side"]] and now["options"]["appeals"] != "never", "no consent")
        return lambda: gods.appeal(now, dice, piece, ids)
    if spell == "grove":
        hidden = named(now, piece, targets, "unit")
        return lambda: lay(now, piece, spell, hidden["id"], WHILE)
    if spell == "turn":
        dead = named(now, piece, targets[:1], "enemy")
        demand(undead(dead) and len(targets) <= 2, "no undead")
        demand(len(targets) == 1 or targets[1] in turning.preys_if(now, dead, piece), "no prey")
        return lambda: turning.turn(now, dice, piece, dead, targets[-1])
    if spell == "allied-nature":
        element = element_of(now, piece, targets)
        return lambda: befriend(now, piece, element)
    if spell == "phantom-troop":
        demand(len(targets) == 2, "a hex and a type")
        at = hex_named(now, piece, targets[0], 3)
        like = types_of(now, piece).get(targets[1])
        demand(like, "no such type")
        demand(empty(now, at, piece["side"], like | {"side": piece["side"]}), "not empty")
        return lambda: pretend(now, piece, at, targets[1], ids)
    return _aimed_counterspell(now, piece, targets)


def _aimed_counterspell(now: Situation, piece: Piece, targets: list[str]) -> Any:
    demand(len(targets) == 2, "a piece or hex, and its spell")
    what: Any = targets[0]
    if what in now["pieces"]:
        unit = now["pieces"][what]
        demand(on_table(unit), "not on the table")
        demand(unit["side"] == piece["side"] or not in_grove(now, unit), "looks like a wood")
        near(piece, unit["at"], 3)
        if targets[1] == "turn":
            demand(not unit["character"] and unit["turned"], "not turned")
            return lambda: turning.turn_home(now, unit)
    else:
        what = hex_named(now, piece, what, 3)
    running = [one for one in spells_on(now, what) if one["effect"] == targets[1] and one["effect"] in RUNNING]
    demand(running, "no such spell there")
    return lambda: end(now, running[0])


def end(now: Situation, timer: dict[str, Any]) -> None:
    now["timers"] = [one for one in now["timers"] if one is not timer]


def lay(now: Situation, piece: Piece, spell: str, on: Any, left: int) -> None:
    """T-13: the same spell twice does not add."""
    if spell != "darkness":
        for old in spells_on(now, on):
            if old["effect"] == spell:
                end(now, old)
    now["timers"].append({"effect": spell, "on": [on], "by": piece["id"], "side": piece["side"], "left": left})


def heal(now: Situation, dice: Any, spell: str, unit: Piece) -> None:
    n, good = HEALING[spell]
    faces = combat.thrown(now, dice, "spell", n, now["side"])
    back = sum(face in good.split() for face in faces)
    unit["stands"] = min(unit["start_stands"], unit["stands"] + back)


def frighten(now: Situation, dice: Any, spell: str, unit: Piece) -> None:
    """TF-6.4: blows to morale, which support does not ignore."""
    n = 1 if has(now, unit, "bell") else BLOWS[spell]
    faces = combat.thrown(now, dice, "spell", n, now["side"])
    flags = sum(face in ("flag", "advantage") for face in faces)
    combat.retreat(now, dice, unit, combat.flags_left(now, unit, flags, False))
    combat.bereaved(now, dice)


def vade_retro(now: Situation, unit: Piece) -> None:
    mates = people_at(now, unit["at"])
    for _hex in range(2):
        to = combat.back_hex(now, unit)
        if to is None:
            return
        uncover(now, unit)
        for one in (unit, *mates):
            one["at"], one["stirred"] = to, True
        if not on_table(unit):
            return
    show_false(now)


def go_home(now: Situation, unit: Piece, home: Place, side: int) -> None:
    if gods.appears(now, side, home):
        combat.carry_to(now, unit, home)


def home_hex(now: Situation, unit: Piece, side: int) -> Place | None:
    """T-75"""
    land: Land = now["land"]
    reading = sorted(land.letters, key=lambda at: (place_in(at)[1], place_in(at)[0]))
    free = [at for at in reading if empty(now, at, side, unit)]
    if "undead" in unit["traits"]:
        master = combat.master_of(now, unit)
        free = [at for at in free if master and apart(at, master["at"]) <= combat.LEASH]
        return min(free, key=lambda at: (from_home(land, unit["side"], at), apart(at, unit["at"])), default=None)
    line = [at for at in free if from_home(land, unit["side"], at) == 0]
    return min(line, key=lambda at: apart(at, unit["at"]), default=None)


def rise(now: Situation, piece: Piece, hexes: list[Place], ids: list[str]) -> None:
    """TF-5.3: skeletons, active from the caster’s next turn."""
    left = list(ids)
    for at in hexes:
        if not gods.appears(now, piece["side"], at):
            continue
        id_ = left.pop(0)
        risen = SKELETONS | FOR_A_TURN | {"id": id_, "side": piece["side"], "at": at, "master": piece["id"]}
        risen |= {"first_side": piece["side"], "army": piece["army"]}
        now["pieces"][id_] = risen | {"traits": {"undead"}, "likes": {"skeletons"}}


def animate(now: Situation, piece: Piece, at: Place, fallen: str, ids: list[str]) -> None:
    """TF-5.3, T-11, T-81: zombies with its weapons; of each grave once."""
    now["used"].append(fallen)
    if hides(now, piece["side"], at):
        gods.appears(now, piece["side"], at)
        return
    rise(now, piece, [at], ids[:1])
    dead, risen = now["pieces"][fallen], now["pieces"][ids[0]]
    risen.update({key: dead[key] for key in ("assault", "melee", "shot", "fire")}, range=gods.unadjusted(dead)["range"])
    risen.update(weight=3, type="zombies", likes={"zombies"}, traits={"undead", *({"foul-touch"} & dead["traits"])})


# Allied nature, phantoms


def element_of(now: Situation, piece: Piece, targets: list[str]) -> list[Place]:
    """T-16, T-76: any connected part of a terrain, at most 7, one hex of it within 3; no open ground or roads."""
    demand(1 <= len(targets) == len(set(targets)) <= MOST_OF_ELEMENT, "one to seven hexes")
    hexes = [hex_named(now, piece, label, 99) for label in targets]
    demand(any(apart(piece["at"], at) <= 3 for at in hexes), "too far")
    woods = {unit["at"] for unit in groves(now)}  # T-16: its hex is one
    kinds = {"^" if at in now["hills"] else "w" if at in woods else letter(now, at) for at in hexes}
    demand(len(kinds) == 1 and bool(kinds & ELEMENTS), "no element")
    joined, fresh = {hexes[0]}, [hexes[0]]
    while fresh:
        around = now["land"].around(fresh.pop())
        fresh += [at for at in around if at in hexes and at not in joined]
        joined.update(around_ for around_ in around if around_ in hexes)
    demand(joined == set(hexes), "not connected")
    return hexes


def befriend(now: Situation, piece: Piece, hexes: list[Place]) -> None:
    now["timers"].append(
        {"effect": "allied-nature", "on": list(hexes), "by": piece["id"], "side": piece["side"], "left": TWO}
    )


STANDS = {"recruits": 3, "guard": 5, "ogres": 5, "tigers": 3, "engine": 3, "dragon": 5}  # TF-8; all others 4


def types_of(now: Situation, piece: Piece) -> dict[str, Piece]:
    """T-31: types of their army that neither shoot nor are undead, each with the unit it will look like."""
    found: dict[str, Piece] = {}
    for one in now["pieces"].values():
        fit = not one["character"] and one["army"] == piece["army"] and not one["summoned"]
        if fit and not one["shot"] and not undead(one):
            found[one["type"]] = one
    return found


def pretend(now: Situation, piece: Piece, at: Place, type_: str, ids: list[str]) -> None:
    """T-31: in all like a unit of the army, but for its stands, which are the type’s."""
    if not gods.appears(now, piece["side"], at):
        return
    model, stands = types_of(now, piece)[type_], STANDS.get(type_, 4)
    now["pieces"][ids[0]] = SKELETONS | model | FOR_A_TURN | {
        "id": ids[0], "side": piece["side"], "first_side": piece["side"], "army": piece["army"], "at": at, "gone": "",
        "master": "", "false": True, "summoned": True, "turned": "", "stands": stands, "start_stands": stands,
        "traits": set(model["traits"]), "likes": set(model["likes"]),
    }  # fmt: skip


# Shots


def _aimed_shot(now: Situation, dice: Any, piece: Piece, spell: str, targets: list[str]) -> Any:
    demand(len(targets) == 1, "one target")
    if SHOTS[spell][2] and targets[0] not in now["pieces"]:
        at = hex_named(now, piece, targets[0], 3)
        return lambda: fall(now, dice, piece, spell, at)
    target = named(now, piece, targets, "enemy", people=spell == "word-of-power")
    return lambda: follow(now, dice, piece, spell, target)


def follow(now: Situation, dice: Any, piece: Piece, spell: str, target: Piece) -> None:
    """T-80: the shots follow it; when it is destroyed the rest is lost."""
    if target["false"]:
        leave(now, target, "vanished")
    for _shot in range(SHOTS[spell][1]):
        if on_table(target):
            one_shot(now, dice, piece, spell, target)


def fall(now: Situation, dice: Any, piece: Piece, spell: str, at: Place) -> None:
    """T-80: at a hex, whoever stands there now; empty, for the lighting only."""
    n, times, _fire = SHOTS[spell]
    for _shot in range(times):
        heroes = [one for one in people_at(now, at) if one["hero"]]
        struck = unit_at(now, at) or (heroes[0] if heroes else None)
        if struck and struck["false"]:
            leave(now, struck, "vanished")
            continue
        if struck:
            one_shot(now, dice, piece, spell, struck)
            continue
        faces = combat.thrown(now, dice, "spell", n, now["side"])
        if "advantage" in faces and letter(now, at) in combat.FLAMMABLE and not combat.burning(now, at):
            combat.light(now, dice, at)
            combat.bereaved(now, dice)


def one_shot(now: Situation, dice: Any, piece: Piece, spell: str, target: Piece) -> None:
    """TF-6.4: magical shots ignore range and height, gain nothing from experience; no letters (T-65)."""
    n, _times, fire = SHOTS[spell]
    n = 1 if has(now, target, "bell") else n
    if target["character"] and not target["hero"]:
        faces = combat.thrown(now, dice, "spell", n, now["side"])
        faces = ["flag" if face == "advantage" else face for face in faces]
        if combat.losses_of(now, dice, faces, None, target, "shot", False, fire, True):
            combat.flight(now, dice, target)
        return
    combat.strike(
        now, dice, piece, target, "shot", n, bonus=False, label="spell", fire=fire, magic=True,
        flagged=spell == "word-of-power",
    )  # fmt: skip
