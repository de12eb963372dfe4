"""Spells (WC-7, W-7, W-28, W-29, W-53)."""

from __future__ import annotations

from typing import Any

from tests.rules.hexes.second_reading.ground import apart, name, place, ring
from tests.rules.wing_command.second_reading import blows, host
from tests.rules.wing_command.second_reading.host import Situation, Unit, demand

SPELLS = {  # slug: (art, difficulty, how far)
    "firebolt": ("fire", 1, 6), "fire-wall": ("fire", 3, 4), "courage": ("spirit", 0, 4), "dread": ("spirit", 2, 5),
    "ward": ("spirit", 1, 4), "tailwind": ("nature", 1, 4), "mire": ("nature", 2, 5),
}  # fmt: skip
LIMITS = {-3: 2, -2: 3, -1: 4, 0: 5, 1: 6, 2: 7, 3: 8, 4: 9, 5: 10, 6: 10, 7: 11, 8: 11}
LASTS = {"fire-wall": 2, "ward": 2, "tailwind": 1, "mire": 2}


def difficulty(now: Situation, spell: str) -> int | None:
    """None where the campaign does not have the spell."""
    return now["options"]["difficulties"].get(spell)


def ready(now: Situation, unit: Unit) -> None:
    """WC-6: choose-spell and cast."""
    demand(not unit["activated"], "WC-1.7 activated")
    demand(unit["art"], "WC-6 no art")
    demand(unit["morale"] == 0, "WC-6 routed or shaken")
    demand(not host.beside(unit["at"], host.seen_foes(now, unit["side"])), "WC-6 enemy adjacent, W-7, W-53")
    demand(not host.with_him(now, unit), "WC-6 alone in the hex")


def may_choose(now: Situation, unit: Unit, spell: str | None) -> None:
    """`spell` is None for any at all."""
    ready(now, unit)
    known = [slug for slug in SPELLS if SPELLS[slug][0] == unit["art"] and difficulty(now, slug) is not None]
    demand(spell in known if spell is not None else known, "WC-6 a token of his art")


def may_cast(now: Situation, unit: Unit) -> None:
    ready(now, unit)
    demand(unit["spell"], "WC-6 a spell is chosen")
    demand(targets(now, unit, unit["spell"]), "WC-7.3 no legal target")


def targets(now: Situation, caster: Unit, spell: str) -> set[str]:
    """Ids of units or labels of hexes (WC-7.4, W-29)."""
    far = SPELLS[spell][2]
    side = caster["side"]
    if spell in ("fire-wall", "mire"):
        land = now["land"]
        near = [at for at in land.letters if apart(at, caster["at"]) <= far]
        if spell == "fire-wall":
            held = {unit["at"] for unit in host.everybody(now) if host.is_seen(now, unit, side)}
            near = [at for at in near if at not in held and land.lies_as(at) != "impassable"]
        return {name(at) for at in near}
    near_units = [unit for unit in host.everybody(now) if apart(unit["at"], caster["at"]) <= far]
    friends = [unit for unit in near_units if unit["side"] == side]
    enemies = [
        unit for unit in near_units
        if unit["side"] != side and host.is_seen(now, unit, side) and host.sight(now, caster, caster["at"], unit)
    ]  # fmt: skip
    found = {
        "firebolt": [unit for unit in enemies if not unit["character"] or not _known_troop(now, unit["at"], side)],
        "dread": [unit for unit in enemies if not unit["character"] and unit["morale"] < 2],
        "courage": [unit for unit in friends if unit["morale"] > 0],
        "ward": friends,
        "tailwind": friends,
    }[spell]
    return {unit["id"] for unit in found}


def _known_troop(now: Situation, at: Any, side: int) -> bool:
    """Whether a side knows of a troop on a hex: what it has seen decides whom it may name (H-5, W-14)."""
    troop = host.troop_here(now, at)
    return bool(troop) and host.is_seen(now, troop, side)


def caster_of(now: Situation, key: str) -> Unit:
    from tests.rules.wing_command.second_reading.command import acting  # they know each other

    return acting(now, key)


def choose_spell(now: Situation, dice: Any, character: str, spell: str) -> None:
    unit = caster_of(now, character)
    may_choose(now, unit, spell)
    unit["spell"] = spell
    unit["activated"] = True


def cast(now: Situation, dice: Any, character: str) -> None:
    """WC-7.1 to WC-7.3"""
    unit = caster_of(now, character)
    may_cast(now, unit)
    hard = difficulty(now, unit["spell"])
    assert hard is not None
    aptitude = unit["level"] - hard + unit["pentacle"] + now["options"]["aptitude_bonus"]  # WC-HOUSE
    two = dice.two("spell", character)
    unit["activated"] = True
    if two != 12 and (two == 2 or two <= LIMITS[max(-3, min(8, aptitude))]):
        now["aiming"] = {"character": character, "spell": unit["spell"]}


def aim(now: Situation, dice: Any, target: str) -> None:
    aiming = now["aiming"]
    demand(aiming, "WC-11 nothing to aim")
    caster, spell = now["units"][aiming["character"]], aiming["spell"]
    demand(target in targets(now, caster, spell), "W-28 legal targets")
    now["aiming"] = None
    caster["spell"] = ""
    if spell == "firebolt":
        blow = {"attacker": caster["id"], "target": target, "how": "missile", "bolt": True}
        blows.begin(now, dice, blow)
    elif spell == "courage":
        now["units"][target]["morale"] -= 1
    elif spell == "dread":
        blows.shake(now, now["units"][target])
    elif spell == "fire-wall":
        lay(now, spell, hexes=[place(target)])
    elif spell == "mire":
        hexes = [place(target), *(at for at in ring(place(target)) if at in now["land"])]
        lay(now, spell, hexes=hexes)
    else:
        lay(now, spell, unit=target)


def lay(now: Situation, effect: str, unit: str = "", hexes: Any = ()) -> None:
    now["timers"].append({"effect": effect, "unit": unit, "hexes": list(hexes), "left": LASTS[effect]})
    host.relay(now)
