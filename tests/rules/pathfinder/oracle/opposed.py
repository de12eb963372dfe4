"""Step 5: taunts, withdrawals, siege engines against fortifications."""

from __future__ import annotations

from tests.rules.pathfinder.oracle import tables as t
from tests.rules.pathfinder.oracle.armies import Army, engines_at_work, has, tactic, works
from tests.rules.pathfinder.oracle.basics import acting, fixed_check, mode_of, on_field, strikes
from tests.rules.pathfinder.oracle.ends import leave
from tests.rules.pathfinder.oracle.field import Battle, met, sees
from tests.rules.pathfinder.oracle.forts import forts_of, wear, wearable
from tests.rules.pathfinder.oracle.morale import morale_bonus


def oppose(b: Battle) -> None:
    for a in on_field(b):
        if acting(b, a) and tactic(a) == "taunt":
            taunt(b, a)
    for a in on_field(b):
        if acting(b, a) and tactic(a) == "withdraw" and not a["phase"].get("surrenders"):
            withdraw(b, a)
    if b["kind"] == "melee":
        for a in on_field(b):
            besiege(b, a)


def taunt(b: Battle, a: Army) -> None:
    """R-33: the declared target, even if the taunter strikes nobody."""
    if a["target"] is None:
        return
    foe = b["armies"][a["target"]]
    if foe["status"] != "fighting" or foe["taunt_wins"] >= 2:
        return
    dc = 10 + a["acr"]
    success, die, total = fixed_check(b, foe, "taunt", "taunt", dc)
    b["log"].append(("taunt", foe["id"], a["id"], success, die, total, dc if die else 0))
    if success:
        foe["taunt_wins"] += 1
    else:
        a["phase"].setdefault("taunts", set()).add(foe["id"])
        foe["phase"].setdefault("taunted_by", set()).add(a["id"])


def may_leave(b: Battle, a: Army) -> bool:
    """Not where the GM shut the way, not in its last stand, not when doomed by fear (R-59, R-62)."""
    if a["fate"] is not None:
        met(b, "a last stand withdraws")
        return False
    if a["phase"].get("broken"):
        met(b, "one doomed by fear withdraws")
        return False
    return a["id"] not in b["opening"].cannot_leave


def withdraw(b: Battle, a: Army) -> None:
    """PF-3.10, R-30 to R-32; those count that can still attack it at this moment (R-61)."""
    opponents = [e for e in on_field(b) if strikes(b, e) is a]
    if any(e["target"] == a["id"] and mode_of(b, e, a) == "shot" for e in on_field(b)) and b["kind"] == "melee":
        met(b, "a withdrawer whose attacker keeps its distance already")
    order = a["phase"]["order"]
    leaves = (order is None or order.withdraw != "range") and may_leave(b, a)
    a["phase"]["withdrew"] = True
    grabs = [e for e in opponents if works(e, "grab", a) and mode_of(b, e, a) == "melee"]
    a["phase"]["grabbed"] = sum(1 for e in grabs if e["id"] not in a["invincible"])
    beaten = _beaten(b, a, opponents)
    if a["id"] in b["opening"].cannot_leave:
        met(b, "one that may not leave withdraws")
    if beaten == len(opponents):
        outcome = "leaves" if leaves else "range"
    elif beaten:
        outcome = "pursued"
        a["phase"]["leaves_later"] = leaves
    else:
        outcome = "stays"
    b["log"].append(("decided", a["id"], outcome))
    if outcome == "leaves":
        leave(b, a, "withdrawn")
    if outcome == "range" and b["kind"] == "melee":
        for e in opponents:
            b["range_pairs"].add(frozenset((a["id"], e["id"])))
        if opponents and strikes(b, a) is not None and b["armies"][a["target"]] not in opponents:
            met(b, "one that keeps its distance fights a third hand to hand")


def _beaten(b: Battle, a: Army, opponents: list[Army]) -> int:
    count, die = 0, None
    for e in opponents:
        sure = _sure(b, a, e)
        if sure is None:
            if die is None:
                die = b["dice"].face(a["id"], "withdraw", 20)
            sure = _pair(b, a, e, die)
        else:
            b["log"].append(("opposed", a["id"], e["id"], sure, (), 0, 0))
        if sure:
            count += 1
    return count


def _sure(b: Battle, a: Army, e: Army) -> bool | None:
    """Who wins without a roll, if anybody (R-32)."""
    for slug in ("incorporeal", "swarm", *t.TELEPORTS):
        if works(a, slug, e):
            return True
    if has(a, "invisibility") and not sees(b, e, a):
        return True
    order = e["phase"]["order"]
    if order is not None and order.let_go:
        return True
    if e["id"] in a["invincible"]:
        return True
    if has(e, "mindless"):
        return False
    return None


def _pair(b: Battle, a: Army, e: Army, die: int) -> bool:
    mine, theirs = morale_bonus(b, a, "withdraw"), morale_bonus(b, e, "stop", a)
    dice = [die, b["dice"].face(e["id"], "withdraw", 20)]
    while dice[-2] + mine == dice[-1] + theirs and mine == theirs:
        dice.append(b["dice"].face(a["id"], "withdraw", 20))
        dice.append(b["dice"].face(e["id"], "withdraw", 20))
    check, against = dice[-2] + mine, dice[-1] + theirs
    won = check > against or (check == against and mine > theirs)
    b["log"].append(("opposed", a["id"], e["id"], won, tuple(dice), check, against))
    return won


def besiege(b: Battle, a: Army) -> None:
    """R-15: 1d4 for every engine against what covers the army it strikes in melee; what is too much for one
    fortification wears the next (PF-5, R-14).
    """
    foe = strikes(b, a)
    if foe is None or engines_at_work(a) == 0 or mode_of(b, a, foe) != "melee":
        return
    forts = [fort for fort in forts_of(b, foe) if wearable(fort) > 0]
    if not forts:
        return
    dice = [b["dice"].face(a["id"], "siege", 4) for _ in range(engines_at_work(a))]
    done = 0
    for fort in forts:
        met(b, "siege wear goes on to the next fortification" if 0 < done < sum(dice) else "siege wear")
        done += wear(fort, sum(dice) - done)
    b["log"].append(("wear", a["id"], foe["id"], tuple(dice), done))
