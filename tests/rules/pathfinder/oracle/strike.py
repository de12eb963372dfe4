"""Steps 6 and 7: attacks, their damage and its consequences (PF-3.6, R-40 to R-46)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tests.rules.pathfinder.oracle import tables as t
from tests.rules.pathfinder.oracle.armies import Army, any_works, boon, has, immune, mounted, of_animals, tactic, works
from tests.rules.pathfinder.oracle.basics import acting, barred, fixed_check, mode_of, on_field, strikes, why_lost
from tests.rules.pathfinder.oracle.damage import damage_bonus, extra_dice, factor
from tests.rules.pathfinder.oracle.field import Battle, met, on, shot_possible
from tests.rules.pathfinder.oracle.figures import dv, om


def strike(b: Battle) -> None:
    pairs = []
    for a in on_field(b):
        foe = strikes(b, a)
        if foe is not None:
            pairs.append((a, foe))
        elif acting(b, a) and not barred(b, a) and a["target"] is not None:
            b["log"].append(("lost", a["id"], a["target"], why_lost(b, a, b["armies"][a["target"]])))
    for a in on_field(b):
        a["phase"]["grabbed"] = a["phase"]["tripped"] = 0
    for a, foe in pairs:
        if mode_of(b, a, foe) == "melee" and a["id"] not in foe["invincible"]:
            foe["phase"]["grabbed"] += works(a, "grab", foe)
            foe["phase"]["tripped"] += works(a, "trip", foe)
    b["figures"] = {(a["id"], e["id"]): figures_now(b, a, e) for a in on_field(b) for e in on_field(b) if a is not e}
    hits = [(a, foe, blow(b, a, foe, "attack")) for a, foe in pairs]
    for a, foe, hit in hits:
        apply(b, a, foe, hit, "attack")
    for a, foe, hit in hits:
        if hit["damage"] > 0:
            afflict(b, a, foe, hit["mode"])
            siegebreaker(b, a, foe)
    for a, foe, hit in hits:
        if hit["damage"] > 0:
            frighten(b, a, foe)


def figures_now(b: Battle, a: Army, e: Army) -> dict[str, Any]:
    """Every figure of this pairing at this moment; parting shots use them too (R-51)."""
    mode = mode_of(b, a, e)
    return {
        "mode": mode,
        "able": mode == "melee" or shot_possible(b, a),
        "om": om(b, a, e, mode),
        "parting": om(b, a, e, mode, "parting"),
        "dv": dv(b, e, a, mode),
        "damage": damage_bonus(b, a, e, mode),
        "factor": Fraction(0) if a["id"] in e["invincible"] else factor(b, a, e),
        "extra": extra_dice(a, e, mode),
    }


def seen(b: Battle, a: Army, foe: Army) -> None:
    """Which abilities, tactics, strategies and resources a blow was struck with, and against which abilities."""
    if a["id"] in foe["invincible"]:
        met(b, "one strikes the invincible")
    for slug in a["abilities"]:
        met(b, f"{slug} strikes")
    for slug in foe["abilities"]:
        met(b, f"{slug} is struck")
    for slug, count in a["resources"].items():
        if count:
            met(b, f"{slug} strikes")
    for slug in {c.condition for c in b["conditions"]}:
        met(b, f"a blow in {slug}")
    met(b, f"tactic {tactic(a)}")
    met(b, f"strategy {a['strategy']}")


def blow(b: Battle, a: Army, foe: Army, name: str) -> dict[str, Any]:
    """One Offense check and the damage it computes."""
    seen(b, a, foe)
    f = b["figures"][a["id"], foe["id"]]
    die = b["dice"].face(a["id"], name, 20)
    check = die + (f["om"] if name == "attack" else f["parting"])
    extra = 0
    if check > f["dv"] and f["factor"] > 0:
        for source in f["extra"]:
            face = b["dice"].face(a["id"], "extra", 4)
            if source == "breath" and works(foe, "evasion", a):
                face = max(1, face // 2)
            extra += face
    if die == 1:
        a["barred"].add(b["tick"] + 1)
    a["attacked_in"].append((b["kind"], a["melees"] == 0, b["tick"]))
    damage = damage_of(b, die, check, f["dv"], f["damage"] + extra, f["factor"])
    return {"die": die, "check": check, "against": f["dv"], "damage": damage, "mode": f["mode"]}


def damage_of(b: Battle, die: int, check: int, against: int, bonus: int, times: Fraction) -> int:
    """PF-3.6, R-40."""
    if times == 0:
        return 0
    if check <= against:
        return 1 if die == 20 else 0
    base = check - against + bonus
    if base <= 0:
        return int(b["house"].get("minimum_damage", 1))
    return max(1, int(base * times))


def apply(b: Battle, a: Army, foe: Army, hit: dict[str, Any], kind: str) -> None:
    before = foe["hp"]
    foe["hp"] = max(0, before - hit["damage"])
    if foe["hp"] < before:
        b["lost_hp"].add(foe["id"])
        if foe["hp"] == 0:
            foe["felled_by"] = a["id"]
    b["log"].append(
        (kind, a["id"], foe["id"], hit["mode"], hit["die"], hit["check"], hit["against"], hit["damage"], before,
         foe["hp"])
    )  # fmt: skip


def afflict(b: Battle, a: Army, foe: Army, mode: str) -> None:
    """Paralysis, energy drain, disease, bleeding: of attacks and of parting shots."""
    for slug in t.PARALYSES:
        if works(a, slug, foe) and (slug != "vortex" or on(b, "on-water", foe)):
            foe["paralysed"] += 1
            break
    if works(a, "energy-drain", foe):
        foe["drain"] += 1
    if works(a, "disease", foe):
        foe["ill"] = True
    if mode == "melee":
        for slug in a["abilities"]:
            if slug in t.BLEEDS and works(a, slug, foe):
                foe["bleeds"].append(slug)
                break


def siegebreaker(b: Battle, a: Army, foe: Army) -> None:
    """The second check, against the same DV; a natural 1 bars too (R-46)."""
    if tactic(a) != "siegebreaker" or foe["engines"] == 0:
        return
    f = b["figures"][a["id"], foe["id"]]
    die = b["dice"].face(a["id"], "siegebreaker", 20)
    check = die + f["om"]
    if works(a, "trap-sense", foe):
        check += a["acr"] // 2
    if die == 1:
        a["barred"].add(b["tick"] + 1)
    success = check > f["dv"]
    if success:
        foe["engines"] -= 1
    b["log"].append(("engine", a["id"], foe["id"], die, check, f["dv"], success))


def frighten(b: Battle, a: Army, foe: Army) -> None:
    """Fear and unnatural aura: one check for each army that frightened it (R-45)."""
    if foe["hp"] == 0 or immune(foe, "fear"):
        return
    if works(a, "unnatural-aura", foe) and mounted(foe) and not of_animals(foe):
        met(b, "an unnatural aura before mounts that are no animals")
    aura = works(a, "unnatural-aura", foe) and of_animals(foe)
    if not aura and not works(a, "fear", foe):
        return
    dc = 10 + a["acr"]
    success, die, total = fixed_check(b, foe, "fear", "fear", dc)
    b["log"].append(("fear", foe["id"], a["id"], success, die, total, dc if die else 0))
    if not success and b["tick"] not in foe["afraid"]:
        foe["afraid"].add(b["tick"] + 1)


__all__ = ["any_works", "boon", "has", "strike"]
