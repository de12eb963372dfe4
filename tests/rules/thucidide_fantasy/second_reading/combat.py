"""Combats (TF-1.7 to 1.15, 2.5, 3, 4.3 to 4.5; T-23, T-24, T-27, T-28, T-38, T-39, T-46, T-54 to T-59, T-63 to T-74).

A combat stops where somebody has to answer: `Waits` says for what. The referee then begins it anew with the answer.
"""

from __future__ import annotations

from typing import Any

from tests.rules.hexes.second_reading.ground import Land, Place, apart, sees
from tests.rules.hexes.second_reading.sides import homeward
from tests.rules.hexes.second_reading.ways import costs_from
from tests.rules.thucidide_fantasy.second_reading.host import (
    ANIMALS,
    BAD_FOOTING,
    MOUNTED,
    SHELTER,
    Piece,
    Situation,
    alone,
    base_line,
    belled,
    beside,
    close,
    demand,
    everybody,
    fanatic,
    flies,
    ground_for,
    groves,
    has,
    heartened,
    here,
    heroes_with,
    in_grove,
    leave,
    letter,
    menaced,
    on_table,
    people_at,
    show_false,
    spells_on,
    supported,
    tempted,
    uncover,
    undead,
    under,
    unit_at,
    unit_of,
)
from tests.rules.thucidide_fantasy.second_reading.marching import (
    LEASH,
    leash_holds,
    master_of,
    may_stand,
)

FACES = {1: "green", 2: "blue", 3: "red", 4: "flag", 5: "letter", 6: "advantage"}
COLOURS = ("red", "blue", "green")
CONFIRMS = {5: 3, 6: 2, 7: 1}
FLAMMABLE = set("wht")


# Throws


def thrown(now: Situation, dice: Any, label: str, n: int, by: int, letters: bool = False) -> list[str]:
    """T-65: `letters` of a combat give the side that threw them counters; of confirming dice and spells none."""
    faces = [FACES[die] for die in rolled(now, dice, label, n, by)]
    if letters:
        now["counters"][by] += faces.count("letter")
    return faces


def rolled(now: Situation, dice: Any, label: str, n: int, by: int) -> list[int]:
    """A throw, and who holds a reroll is asked about it, the thrower first (T-34)."""
    found = [dice.one(label) for _die in range(n)]
    if not n:
        return found
    for side in (by, 1 - by):
        held = [one for one in now["rerolls"] if one["side"] == side]
        which = dice.answer("reroll", side, label, [None, *range(n)]) if held else None
        if which is not None:
            found[which] = dice.one(label)
            now["rerolls"].remove(held[0])
    return found


def level_of(now: Situation, by: Piece | None, at: Piece, how: str) -> int:
    """TF-1.7, 3.1, 3.3, T-55."""
    if by and how != "shot" and "foul-touch" in by["traits"] and not by["character"]:
        return 6 - at["weight"]
    level = max(1, at["weight"])
    level += 2 if has(now, at, "great-armour") else 1 if has(now, at, "armour") else 0
    return level + (how == "shot" and has(now, at, "blur"))


def losses_of(
    now: Situation,
    dice: Any,
    faces: list[str],
    by: Piece | None,
    at: Piece,
    how: str,
    bonus: bool,
    fire: bool = False,
    magic: bool = False,
) -> int:
    """TF-1.7, T-45, T-46."""
    level = level_of(now, by, at, how)
    hitting = set(COLOURS[: max(1, min(3, 5 - level))]) | ({"advantage"} if level == 1 or bonus else set())
    losses = sum(face in hitting for face in faces)
    stages = [CONFIRMS[min(level, 7)]] if level >= 5 else []
    stages += [3] if has(now, at, "invulnerable") else []
    stages += [3] if fire and has(now, at, "fire-proof") else []
    thrower = now["side"] if magic else by["side"]
    for colours in stages:
        losses = sum(face in COLOURS[:colours] for face in thrown(now, dice, "confirm", losses, thrower))
    return losses


# How many dice


def hindered(now: Situation, by: Piece, at: Piece) -> bool:
    """TF-3.2, T-22, T-44, T-57: of two hindrances one counts; a hero bears it too (TF-3)."""
    if by["character"]:
        return False
    animals = by["kind"] in ANIMALS or "animals" in by["traits"] or now["options"]["hindrance"] == "all"
    immune = under(now, by["id"], "immunity")
    mild = has(now, at, "hindrance") and animals and by["type"] not in at["likes"] and not has(now, by, "unaffected")
    dread = undead(at) and not undead(by) and not immune
    return bool(mild or dread)


def ground_dice(now: Situation, by: Piece, at: Piece, how: str) -> int:
    """TF-1.5, 2.5, T-59: shelter of who is struck, bad footing of who strikes; a flyer's ground never counts."""
    loss = 0
    if how != "shot" and not flies(now, at) and letter(now, at["at"]) in SHELTER and not allied(now, by, at["at"]):
        loss += 1
    if not flies(now, by) and letter(now, by["at"]) in BAD_FOOTING and not allied(now, by, by["at"]):
        loss += 1
    return loss


def allied(now: Situation, piece: Piece, at: Place) -> bool:
    """T-59: in and into allied nature the caster's side fights without these losses."""
    return any(one["effect"] == "allied-nature" and one["side"] == piece["side"] for one in spells_on(now, at))


def dice_of(now: Situation, by: Piece, at: Piece, how: str, factor: int, heroes: list[Piece]) -> int:
    """TF-1.8"""
    n = factor + sum(one["shot" if how == "shot" else "melee"] for one in heroes)
    n += by["dice"] - ground_dice(now, by, at, how)
    if how != "shot":
        n -= hindered(now, by, at)
    n += under(now, by["id"], "elite") - under(now, by["id"], "slowness")
    return capped(now, by, at, how, n)


def capped(now: Situation, by: Piece, at: Piece, how: str, n: int) -> int:
    """Spells of the hexes, the bell, and at least one die (T-60, T-73)."""
    n -= any(under(now, one["at"], "darkness") for one in (by, at))
    if not flies(now, by) and any(under(now, one["at"], "shackles") for one in (by, at)):
        n = min(n, 2)
    if how == "shot" and has(now, at, "bell"):
        n = min(n, 1)
    return max(1, n)


# Losses and flags


def take(now: Situation, dice: Any, piece: Piece, losses: int, why: str = "combat") -> int:
    """Stands off; what is over is answered. Who has none left is destroyed."""
    taken = min(losses, piece["stands"])
    piece["stands"] -= taken
    if piece["stands"] == 0:
        leave(now, piece, "vanished" if piece["false"] else "destroyed")
    return losses - taken


def ignored(now: Situation, piece: Piece, support: bool) -> int:
    """TF-1.10"""
    found = support + (piece["temper"] == "tenacious") + heartened(now, piece)
    return found + 2 * any(timer["effect"] == "enthusiasm" for timer in spells_on(now, piece["id"]))


def flags_left(now: Situation, piece: Piece, flags: int, support: bool) -> int:
    if not flags or piece["character"] or fanatic(now, piece) or undead(piece):
        return 0
    omens = {(one["effect"], one["side"]) for one in now["omens"] if one["begun"]}
    if ("no-flags", piece["side"]) in omens:
        return 0
    flags *= 2 if ("double-flags", 1 - piece["side"]) in omens else 1
    return max(0, flags + tempted(now, piece) - ignored(now, piece, support))


def back_hex(now: Situation, piece: Piece) -> Place | None:
    """T-24"""
    land: Land = now["land"]
    open_ = [
        near for near in homeward(land, piece["side"], piece["at"])
        if may_enter(now, piece, near) and leash_holds(now, piece, near, near)
    ]  # fmt: skip
    return min(open_, key=lambda at: len(beside(now, piece["side"], at)), default=None)


def may_enter(now: Situation, piece: Piece, near: Place) -> bool:
    """A step of retreat or pursuit."""
    land = ground_for(now, piece["side"])
    if not may_stand(now, piece, near):
        return False
    return "flyer" in piece["traits"] or land.footing(piece["at"], near) != "impassable"


def carry_to(now: Situation, piece: Piece, at: Place) -> None:
    """T-5: characters go with their unit."""
    uncover(now, piece)
    for one in [piece, *([] if piece["character"] else people_at(now, piece["at"]))]:
        one["at"], one["stirred"] = at, True
    show_false(now)


def retreat(now: Situation, dice: Any, piece: Piece, flags: int) -> bool:
    """TF-1.10, T-5, T-63. Answers whether it moved."""
    return walk_back(now, dice, piece, flags, 2 if piece["kind"] in MOUNTED else 1)


def walk_back(now: Situation, dice: Any, piece: Piece, flags: int, pace: int) -> bool:
    moved = False
    mates = people_at(now, piece["at"])  # those it passes on its way stay where they are
    for _flag in range(flags):
        if on_table(piece) and base_line(now, piece["side"], piece["at"]):
            take(now, dice, piece, 1, "retreat")
            continue
        for _hex in range(pace):
            if not on_table(piece):
                return moved
            to = back_hex(now, piece)
            if to is None:
                take(now, dice, piece, 1, "retreat")
            else:
                uncover(now, piece)
                for one in (piece, *mates):
                    one["at"], one["stirred"] = to, True
                moved = True
    if moved:
        show_false(now)
    return moved


# Whose unit died


def bereaved(now: Situation, dice: Any) -> None:
    """TF-4.5: characters whose unit has died flee as if attacked; heroes stay (T-28)."""
    while now["bereaved"]:
        one = now["pieces"][now["bereaved"].pop(0)]
        if on_table(one):
            flight(now, dice, one)


def flight_reach(now: Situation, piece: Piece) -> list[Place]:
    """T-39"""
    land = ground_for(now, piece["side"])
    closed = {one["at"] for one in everybody(now) if one["side"] != piece["side"]}
    closed |= {at for timer in now["timers"] if timer["effect"] == "divine-bell" for at in timer["on"]}

    def cost(start: Place, target: Place) -> int | None:
        if target in closed:
            return None
        return None if land.footing(start, target) == "impassable" else 1

    far = costs_from(land, piece["at"], cost)
    pace = 1 if piece["kind"] == "useful" else 2
    return [at for at, spent in far.items() if spent <= pace and at not in closed]


def flight(now: Situation, dice: Any, piece: Piece, driven: bool = False) -> None:
    """TF-4.5, T-9, T-39; `driven` from the hex of a unit that was turned (T-94)."""
    if not driven and not alone(now, piece):
        return
    options = flight_reach(now, piece)
    if not options:
        leave(now, piece, "captured")
        tidy(now, dice)
        return
    to = options[0] if len(options) == 1 else dice.answer("flee", piece["side"], piece["id"], options)
    piece["stirred"] = piece["stirred"] or to != piece["at"]
    piece["at"] = to
    settle_flight(now, piece)
    tidy(now, dice)


def settle_flight(now: Situation, piece: Piece) -> None:
    unit = unit_of(now, piece)
    if (unit is None) and menaced(now, piece):
        leave(now, piece, "captured")


def tidy(now: Situation, dice: Any) -> None:
    """T-10: undead whose master is gone vanish."""
    while now["orphans"]:
        unit = now["pieces"][now["orphans"].pop(0)]
        if on_table(unit):
            leave(now, unit, "vanished")


# Fire


def light(now: Situation, dice: Any, at: Place) -> None:
    """TF-1.14, T-19, T-46, T-68: impassable for two turns of who lit it; who stands there burns and leaves."""
    now["timers"].append(
        {"effect": "lit", "on": [at], "by": "", "side": now["side"], "left": 2 + 1}
    )  # T-36: not this turn's phase
    now["land"].overlays[at] = "fire"
    burn(now, dice, at)


def burn(now: Situation, dice: Any, at: Place) -> None:
    unit = unit_at(now, at)
    if unit and not flies(now, unit):
        if spared(now, dice, unit) == 0:
            take(now, dice, unit, 1, "fire")
        if on_table(unit):
            to = exit_of(now, unit)
            if to is not None:
                carry_to(now, unit, to)
            elif spared(now, dice, unit) == 0:
                leave(now, unit, "destroyed")
    if unit is None or not on_table(unit):
        for one in [one for one in people_at(now, at) if not flies(now, one)]:
            if one["hero"] and spared(now, dice, one) == 0:
                take(now, dice, one, 1, "fire")
            to = exit_of(now, one) if on_table(one) else None
            if to is not None:
                one["at"], one["stirred"] = to, True


def spared(now: Situation, dice: Any, piece: Piece) -> int:
    """A fire-proof one throws a die itself: the loss stays if it is confirmed."""
    if not has(now, piece, "fire-proof"):
        return 0
    return int(thrown(now, dice, "fire", 1, piece["side"])[0] not in COLOURS)


def exit_of(now: Situation, piece: Piece) -> Place | None:
    """A free adjacent hex, homeward first (T-19)."""
    land: Land = now["land"]
    home = homeward(land, piece["side"], piece["at"])
    around = sorted(land.around(piece["at"]), key=lambda at: at not in home)
    return next(
        (at for at in around if may_enter(now, piece, at) and leash_holds(now, piece, at, at)), None
    )  # fmt: skip


# A blow and what follows from it (T-23)


def strike(
    now: Situation,
    dice: Any,
    by: Piece,
    at: Piece,
    how: str,
    n: int,
    *,
    bonus: bool,
    label: str,
    fire: bool = False,
    magic: bool = False,
    flagged: bool = False,
) -> bool:
    """Dice, losses, surplus, flags, retreat, fire, flights. Answers whether the target moved."""
    if under(now, at["id"], "rebound") and not magic:  # T-32: its own roll strikes the attacker
        at, by = by, by | {"traits": by["traits"] - {"foul-touch"}}
    stood = at["at"]
    struck_up = flies(now, at)
    if now["options"]["combat"] == "table" and not magic:
        return told(now, dice, by, at, n)
    faces = thrown(now, dice, label, n, now["side"] if magic else by["side"], not magic)
    lit = fire and "advantage" in faces
    if flagged:  # the word of power: advantages are flags
        faces = ["flag" if face == "advantage" else face for face in faces]
    losses = losses_of(now, dice, faces, by, at, how, bonus, fire, magic)
    over = take(now, dice, at, losses)
    moved = False
    if not on_table(at):
        heroes = [one for one in people_at(now, stood) if one["hero"]]
        if over and heroes and not at["character"]:
            surplus(now, dice, by, heroes[0], how, over, bonus, fire, magic)
    else:
        support = supported(now, at, attacked=True)
        flags = flags_left(now, at, faces.count("flag"), support)
        moved = retreat(now, dice, at, flags)
    if lit and letter(now, stood) in FLAMMABLE and not struck_up and not burning(now, stood):
        light(now, dice, stood)
        moved = moved or (on_table(at) and at["at"] != stood)
    if not on_table(at):
        bereaved(now, dice)
        tidy(now, dice)
    return moved


def told(now: Situation, dice: Any, by: Piece, at: Piece, n: int) -> bool:
    """TF-1.17, T-40, T-67: what came of a throw on the table; no surplus, no fire."""
    said = dice.answer("report", -1, at["id"], [n])
    now["counters"][by["side"]] += said["counters"]
    take(now, dice, at, said["stands"])
    moved = on_table(at) and not at["character"] and walk_back(now, dice, at, said["hexes"], 1)
    if not on_table(at):
        bereaved(now, dice)
        tidy(now, dice)
    return moved


def burning(now: Situation, at: Place) -> bool:
    return under(now, at, "lit")


def surplus(
    now: Situation, dice: Any, by: Piece, hero: Piece, how: str, over: int, bonus: bool, fire: bool, magic: bool
) -> None:
    """TF-4.4, T-66."""
    faces = thrown(now, dice, "surplus", over, now["side"] if magic else by["side"], not magic)
    take(now, dice, hero, losses_of(now, dice, faces, by, hero, how, bonus, fire, magic))
    tidy(now, dice)


# Who may attack and shoot


def ready_to_fight(now: Situation, unit: str) -> Piece:
    demand(now["phase"] == "combat", "only in the combat phase")
    piece = now["pieces"].get(unit)
    demand(piece and on_table(piece) and piece["side"] == now["side"], "not a piece of yours")
    demand(piece["activated"], "not activated")
    demand(not piece["fought"], "has fought")
    demand(not piece["far"], "moved too far")
    demand(not piece["carried"], "was carried")
    demand(not belled(now, piece["at"]), "under the god’s bell")
    if piece["character"]:
        demand(piece["hero"] and alone(now, piece), "no fighter of its own")
    return piece


def foe(now: Situation, piece: Piece, target: str) -> Piece:
    at = now["pieces"].get(target)
    demand(at and on_table(at) and at["side"] != piece["side"], "no enemy on the table")
    demand(not at["character"] or alone(now, at), "is with a unit")
    demand(not in_grove(now, at), "looks like a wood")
    return at


def open_to(now: Situation, side: int) -> list[Piece]:
    """Whom this side could attack, wherever they stand."""
    return [
        one for one in everybody(now)
        if one["side"] != side and (not one["character"] or alone(now, one)) and not in_grove(now, one)
    ]  # fmt: skip


def can_reach(now: Situation, piece: Piece, at: Piece) -> bool:
    """Melee: TF-2.5, T-69, T-23."""
    land: Land = now["land"]
    if belled(now, piece["at"]) or belled(now, at["at"]):
        return False
    if not close(now, piece, at) or (piece["temper"] == "fleeing" and not fanatic(now, piece)):
        return False
    if flies(now, piece):
        return True
    wall = land.obstacles.get(frozenset((piece["at"], at["at"]))) == "wall"
    return not flies(now, at) and not wall


def prefers(now: Situation, piece: Piece, at: Piece) -> bool:
    """T-27: beside a hero, or a unit that has one, an isolated hero attacks nobody else."""
    if not piece["character"]:
        return True
    held = [
        one for one in everybody(now)
        if one["side"] != piece["side"] and one["hero"] and can_reach(now, piece, unit_of(now, one) or one)
        and not in_grove(now, one)
    ]  # fmt: skip
    return not held or bool(heroes_with(now, at))


def may_attack(now: Situation, piece: Piece, at: Piece) -> bool:
    return can_reach(now, piece, at) and prefers(now, piece, at)


def shot_range(now: Situation, piece: Piece, at: Piece, reach: int) -> int:
    """TF-1.5, 2.5, T-38."""
    land: Land = now["land"]
    up = [flies(now, one) for one in (piece, at)]
    if up[0] and up[1]:
        return reach
    if up[1]:
        return min(reach - 1, 2)
    if up[0]:
        return min(reach, 3)
    mine, theirs = land.ground(piece["at"]), land.ground(at["at"])
    return min(reach, 2) if theirs > mine else min(reach, 3) if theirs < mine else reach


def shoots(now: Situation, piece: Piece, at: Piece) -> bool:
    """Whether one who shoots, alone or in a unit, has the target in range."""
    reach = piece["range"] + has(now, piece, "fine-weapons")
    return piece["shot"] > 0 and apart(piece["at"], at["at"]) <= shot_range(now, piece, at, reach)


def may_shoot(now: Situation, piece: Piece, at: Piece) -> bool:
    land: Land = now["land"]
    up = (flies(now, piece), flies(now, at))
    if belled(now, piece["at"]) or belled(now, at["at"]):
        return False
    if piece["kind"] == "artillery" and piece["stirred"]:
        return False
    if at["character"] and not at["hero"]:
        return False
    if close(now, piece, at) and up[0] == up[1]:
        return False
    if apart(piece["at"], at["at"]) > 1 and any(under(now, one["at"], "darkness") for one in (piece, at)):
        return False
    dark = {hex_ for timer in now["timers"] if timer["effect"] == "darkness" for hex_ in timer["on"]}
    dark |= {one["at"] for one in groves(now)}
    return shoots(now, piece, at) and sees(land, piece["at"], at["at"], up, dark)


# An attack


def attack(now: Situation, dice: Any, unit: str, target: str) -> None:
    piece = ready_to_fight(now, unit)
    at = foe(now, piece, target)
    demand(may_attack(now, piece, at), "cannot attack it")
    piece["fought"] = True
    if falsehood(now, piece, at):
        return
    uncover(now, piece)
    start = piece["start"] or piece["at"]  # of the whole turn, whoever moved it (TF-1.8)
    assault = start != piece["at"] and apart(start, at["at"]) > 1
    combat(now, dice, piece, at, assault)


def falsehood(now: Situation, piece: Piece, at: Piece) -> bool:
    """T-15: a false unit that is attacked, shot at, or would attack, is gone, and nothing else comes of it."""
    false = [one for one in (piece, at) if one["false"]]
    for one in false:
        leave(now, one, "vanished")
    return bool(false)


def combat(now: Situation, dice: Any, piece: Piece, at: Piece, assault: bool) -> None:
    """One melee with its riposte and pursuit."""
    if falsehood(now, piece, at):
        return
    stood = at["at"]
    if at["character"] and not at["hero"]:
        if under(now, at["id"], "angry"):
            leave(now, at, "captured")
            tidy(now, dice)
        else:
            flight(now, dice, at)
        return
    duelled = duels(now, dice, piece, at, assault)
    if not on_table(piece):
        return
    if piece["character"] and duelled:
        pass
    elif on_table(at):
        moved = melee(now, dice, piece, at, assault, duelled)
        if on_table(at) and not moved and on_table(piece) and at["id"] not in duelled:
            riposte(now, dice, piece, at, duelled)
    pursue(now, dice, piece, stood)


def melee(now: Situation, dice: Any, piece: Piece, at: Piece, assault: bool, duelled: list[str]) -> bool:
    heroes = [] if piece["character"] else [one for one in heroes_with(now, piece) if one["id"] not in duelled]
    for one in heroes:
        one["fought"] = True
    factor = piece["assault"] if assault and not piece["character"] else piece["melee"]
    n = dice_of(now, piece, at, "melee", factor, heroes)
    bonus = assault or supported(now, piece)
    return strike(now, dice, piece, at, "melee", n, bonus=bonus, label="attack")


def riposte(now: Situation, dice: Any, piece: Piece, at: Piece, duelled: list[str]) -> bool:
    """TF-1.11, T-95, T-99."""
    support = supported(now, at, attacked=True)
    if under(now, at["id"], "rebound"):
        return False
    if not support and not (flies(now, piece) and not flies(now, at)):
        return False
    heroes = [] if at["character"] else [one for one in heroes_with(now, at) if one["id"] not in duelled]
    n = dice_of(now, at, piece, "melee", at["melee"], heroes)
    return strike(now, dice, at, piece, "melee", n, bonus=support, label="riposte")


def duels(now: Situation, dice: Any, piece: Piece, at: Piece, assault: bool) -> list[str]:
    """TF-4.3, T-27, T-72, T-73: who fought."""
    if piece["character"] and at["character"]:
        pairs = [(piece, at)]
    else:
        pairs = list(zip(heroes_with(now, piece), heroes_with(now, at), strict=False))
    fought: list[str] = []
    for one, other in pairs:
        fought += [one["id"], other["id"]]
        one["fought"] = True
        support = supported(now, unit_of(now, one) or one)
        duel_blow(now, dice, one, other, assault or support)
        if on_table(other) and on_table(one) and supported(now, unit_of(now, other) or other):
            duel_blow(now, dice, other, one, True)
        tidy(now, dice)
    return fought


def duel_blow(now: Situation, dice: Any, by: Piece, at: Piece, bonus: bool) -> None:
    n = by["melee"] - ground_dice(now, by, at, "melee")
    n = capped(now, by, at, "melee", n)
    if under(now, at["id"], "rebound"):
        at = by
    if now["options"]["combat"] == "table":
        told(now, dice, by, at, n)
        return
    faces = thrown(now, dice, "heroes", n, by["side"], True)
    take(now, dice, at, losses_of(now, dice, faces, by, at, "melee", bonus))


def pursue(now: Situation, dice: Any, piece: Piece, stood: Place) -> None:
    """TF-1.11, T-4, T-28, T-74."""
    if not on_table(piece) or piece["character"] or piece["kind"] not in ANIMALS or piece["pursued"] or piece["turned"]:
        return
    if here(now, stood) or apart(piece["at"], stood) != 1 or not may_enter(now, piece, stood):
        return
    if not leash_holds(now, piece, stood, stood):
        return
    was = piece["at"]
    piece["at"] = stood
    options = [one["id"] for one in open_to(now, piece["side"]) if can_reach(now, piece, one)]
    piece["at"] = was
    if not options:
        return
    target = dice.answer("pursue", piece["side"], piece["id"], options)
    if target is None:
        return
    carry_to(now, piece, stood)
    piece["pursued"] = True
    combat(now, dice, piece, now["pieces"][target], False)


def shoot(now: Situation, dice: Any, unit: str, target: str) -> None:
    piece = ready_to_fight(now, unit)
    at = foe(now, piece, target)
    demand(may_shoot(now, piece, at), "cannot shoot at it")
    piece["fought"] = True
    if falsehood(now, piece, at):
        return
    uncover(now, piece)
    heroes = [] if piece["character"] else [one for one in heroes_with(now, piece) if shoots(now, one, at)]
    for one in heroes:
        one["fought"] = True
    n = dice_of(now, piece, at, "shot", piece["shot"], heroes)
    strike(now, dice, piece, at, "shot", n, bonus=False, label="shot", fire=piece["fire"])


# What is forced


def has_to_attack(now: Situation, piece: Piece) -> bool:
    """T-29"""
    if piece["character"] or not piece["activated"] or piece["fought"] or piece["far"] or piece["carried"]:
        return False
    if not fanatic(now, piece):
        return False
    return any(
        may_attack(now, piece, one) or may_shoot(now, piece, one) for one in open_to(now, piece["side"])
    )  # fmt: skip


def zealous_choice(now: Situation, piece: Piece, shot: bool) -> bool:
    """T-29: a forced attack is with the blade if it can be."""
    if not shot or not fanatic(now, piece):
        return True
    return not any(may_attack(now, piece, one) for one in open_to(now, piece["side"]))


# Leash


def crumble(now: Situation, dice: Any, side: int) -> None:
    """T-92: still beyond 4 at the end of its own side's player turn."""
    for unit in units_beyond(now, side):
        leave(now, unit, "vanished")


def units_beyond(now: Situation, side: int) -> list[Piece]:
    found = []
    for unit in everybody(now):
        if unit["character"] or unit["side"] != side or not undead(unit) or unit["turned"]:
            continue
        master = master_of(now, unit)
        if master is None or apart(master["at"], unit["at"]) > LEASH:
            found.append(unit)
    return found
