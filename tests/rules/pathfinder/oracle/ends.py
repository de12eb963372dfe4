"""Steps 9 to 11: defeat, rout, parting shots, the end of the battle (PF-3.9, R-50 to R-55)."""

from __future__ import annotations

from dataclasses import replace

from tests.rules.pathfinder.oracle import tables as t
from tests.rules.pathfinder.oracle.armies import Army, army_from, boon, has, living, works
from tests.rules.pathfinder.oracle.basics import acting, barred, fixed_check, heal, on_field, out_of_reach
from tests.rules.pathfinder.oracle.field import Battle, met
from tests.rules.pathfinder.oracle.orders import may_stay_away


def leave_field(a: Army) -> None:
    """With a bard go their songs (R-25)."""
    a["inspires"] = None


def leave(b: Battle, a: Army, status: str) -> None:
    a["status"] = status
    leave_field(a)
    b["log"].append(("left", a["id"], status))
    if status == "defeated":
        spawn(b, a)


def fall(b: Battle, a: Army, status: str) -> None:
    """Defeated or routed, unless ferocity holds it for one more melee phase (R-52)."""
    enemies = any(e["side"] != a["side"] for e in on_field(b))
    if has(a, "ferocity") and a["fate"] is None and enemies:
        a["fate"] = status
        b["log"].append(("stand", a["id"], status))
    else:
        leave(b, a, status)


def spawn(b: Battle, dead: Army) -> None:
    """R-54."""
    if dead["felled_by"] is None or not living(dead):
        return
    a = b["armies"][dead["felled_by"]]
    if a["status"] != "fighting" or a["hp"] == 0 or not works(a, "create-spawn", dead) or dead["size"] < a["size"]:
        return
    order = a["phase"].get("order")
    new = spawned(b, a) if order is not None and order.spawn == "army" else None
    b["log"].append(("spawn", a["id"], dead["id"]))
    if new is None:
        heal(b, a, 2 * a["acr"])
    else:
        b["armies"][new["id"]] = new
        b["order"][new["side"]].append(new["id"])
        met(b, "an army rises")


def spawned(b: Battle, a: Army) -> Army | None:
    """An army of its type two sizes smaller, if that is an army at all."""
    size = a["size"] - 2
    if size < 0:
        met(b, "nothing can rise: nothing is smaller")
        return None
    number = 1 + sum(1 for army in b["armies"] if army.startswith(f"{a['id']}~"))
    spec = replace(
        a["spec"], id=f"{a['id']}~{number}", count=t.SIZES[size][1], mount=None, commander=None, resources={},
        tactics=(), hp=None, morale=0, arrears=False, disease=0, drain=0,
    )  # fmt: skip
    try:
        new = army_from(spec, a["side"], b["house"])
    except ValueError:
        met(b, "nothing can rise: it would be no army")
        return None
    new["joined"], new["phase"] = b["tick"], {"order": None}
    return new


def close_phase(b: Battle) -> None:
    routed = defeats_and_routs(b)
    parting_shots(b, routed)
    for a in routed:
        leave(b, a, "routed" if a["hp"] > 0 else "defeated")
    regenerators(b)
    for a in on_field(b):
        if a["phase"].get("surrenders"):
            surrender(b, a)
        elif a["phase"].get("leaves_later"):
            leave_late(b, a)
        elif "undermines" in a["phase"]:
            a["dug"].add(a["phase"]["undermines"])
    for a in on_field(b):
        if b["kind"] == "melee" and a["joined"] != b["tick"]:
            a["melees"] += 1
        a["fresh"] = False
    lone_stands(b)
    end(b, "ranged" if far_apart(b) else "melee")


def surrender(b: Battle, a: Army) -> None:
    """R-88; a last stand does not leave the field (R-62)."""
    if a["fate"] is not None:
        met(b, "a last stand begins as the army surrenders")
        return
    met(b, "an army surrenders")
    a["surrendered"] = True
    leave(b, a, "captured")


def far_apart(b: Battle) -> bool:
    """R-89: each side has an army that can shoot, and all of them were ordered to keep their distance."""
    here = on_field(b)
    able = [a for a in here if a["joined"] != b["tick"] and may_stay_away(b, a, b["kind"], b["number"])]
    stay = [a for a in able if a["phase"]["order"] is not None and a["phase"]["order"].stay_at_range]
    if stay and (len(stay) < len(able) or {a["side"] for a in able} != {a["side"] for a in here}):
        met(b, "some stay at range in vain")
    return stay == able and {a["side"] for a in able} == {a["side"] for a in here}


def leave_late(b: Battle, a: Army) -> None:
    """What regeneration did not keep from falling goes, but no last stand (R-62)."""
    if a["fate"] is not None:
        met(b, "a last stand begins as the army was to leave late")
    else:
        met(b, "leaves late")
        leave(b, a, "withdrawn")


def defeats_and_routs(b: Battle) -> list[Army]:
    """Step 9."""
    for a in on_field(b):
        if a["hp"] > 0:
            continue
        if a["phase"].get("stands"):
            leave(b, a, "defeated")
        elif a["fate"] is None and not has(a, "regeneration"):
            fall(b, a, "defeated")
    routed = []
    for a in [a for a in on_field(b) if breaks(b, a)]:
        ferocious = has(a, "ferocity") and a["fate"] is None
        if ferocious and any(e["side"] != a["side"] for e in on_field(b)):
            fall(b, a, "routed")
        elif a["id"] in b["opening"].cannot_leave:
            if a["phase"].get("stands"):
                met(b, "a last stand ends in captivity")
            leave(b, a, "captured")
        else:
            if a["phase"].get("leaves_later") and a["phase"].get("broken"):
                met(b, "one that was to leave late is doomed by fear")
            a["status"] = "leaving"
            routed.append(a)
    return routed


def breaks(b: Battle, a: Army) -> bool:
    """It routs: its last stand is over, it failed a check while afraid, or it fails its rout check."""
    if a["phase"].get("stands"):
        return True
    if a["fate"] is not None or a["hp"] == 0:
        return False
    return bool(a["phase"].get("broken")) or fails_rout_check(b, a)


def fails_rout_check(b: Battle, a: Army) -> bool:
    """PF-3.9; Hold the Line rerolls, but not for the raging nor for the afraid (PF-9, R-45)."""
    if a["id"] not in b["lost_hp"] or not 0 < a["hp"] <= a["acr"]:
        return False
    if has(a, "mindless") or has(a, "aura-of-courage"):
        b["log"].append(("rout", a["id"], True, (), 0))
        return False
    success, die, total = fixed_check(b, a, "rout", "rout", 15)
    dice = [die]
    order = a["phase"]["order"]
    may = boon(a, "hold-the-line") and not a["rage"] and b["tick"] not in a["afraid"]
    if not success and may and order is not None and order.hold_the_line:
        success, die, total = fixed_check(b, a, "rout", "rout-reroll", 15)
        dice.append(die)
    b["log"].append(("rout", a["id"], success, tuple(dice), total))
    return not success


def parting_shots(b: Battle, routed: list[Army]) -> None:
    """Step 10, with the figures of step 6 (R-51)."""
    from tests.rules.pathfinder.oracle.strike import afflict, apply, blow

    hits = []
    for a in routed:
        for e in on_field(b):
            if e["side"] == a["side"] and b["house"].get("parting_shots") != "all":
                continue
            if e["hp"] == 0 or barred(b, e) or e["phase"].get("digs") or not acting(b, e):
                continue
            if e["joined"] == b["tick"] or not b["figures"][e["id"], a["id"]]["able"]:
                continue
            away = out_of_reach(b, e, a)
            if away is not None:
                met(b, f"a routed army is {away}")
                continue
            hits.append((e, a, blow(b, e, a, "parting")))
    for e, a, hit in hits:
        apply(b, e, a, hit, "parting")
        if hit["damage"] > 0:
            afflict(b, e, a, hit["mode"])


def regenerators(b: Battle) -> None:
    """Step 11: no hit points and an enemy left standing (R-53)."""
    for a in on_field(b):
        if a["hp"] > 0 or a["fate"] is not None or not has(a, "regeneration"):
            continue
        if any(e["side"] != a["side"] and e["hp"] > 0 for e in on_field(b)):
            if a["phase"].get("leaves_later"):
                met(b, "regeneration fails one that was to leave late")
            fall(b, a, "defeated")
        else:
            met(b, "regeneration keeps an army on its feet at 0 hp")


def lone_stands(b: Battle) -> None:
    """A fate without an enemy on the field falls at once (R-52)."""
    for a in on_field(b):
        if a["fate"] is not None and all(e["side"] == a["side"] for e in on_field(b)):
            status = "defeated" if a["hp"] == 0 else "routed"
            if status == "routed" and a["id"] in b["opening"].cannot_leave:
                status = "captured"
            met(b, f"a last stand without enemies: {status}")
            leave(b, a, status)


def end(b: Battle, then: str) -> None:
    """One side left, or none; otherwise the next phase comes."""
    b["next"] = then
    sides = {a["side"] for a in on_field(b)}
    if len(sides) <= 1:
        b["next"] = "over"
        b["winner"] = sides.pop() if sides else None
        b["log"].append(("end", b["winner"]))
    elif b["kind"] == then == "ranged":
        met(b, "all stay at range")
        b["log"].append(("apart",))
