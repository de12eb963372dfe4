"""What the battle leaves behind: PF-6, PF-2.8, R-44, R-55, R-56. Figures are a dict by (kind, id, name)."""

from __future__ import annotations

from typing import Any

from tests.rules.pathfinder.oracle import tables as t
from tests.rules.pathfinder.oracle.armies import Army, commander, has
from tests.rules.pathfinder.oracle.field import Battle, met
from tests.rules.pathfinder.oracle.house import is_off, potion_price
from tests.rules.pathfinder.oracle.lessons import boons_open, tactics_open

GONE = ("defeated", "captured")


def reckon(b: Battle, figures: dict[Any, Any], choose: Any, dice: Any) -> dict[str, Any]:
    """Changes `figures` in place; `choose(key, options, default)` answers questions. Returns what else is told."""
    r = {"b": b, "figures": figures, "choose": choose, "dice": dice, "raised": {}}
    armies = list(b["armies"].values())
    for a in [a for a in armies if not won(b, a)] + [a for a in armies if won(b, a)]:  # losses come before checks
        if ("army", a["id"], "hp") in figures:
            lasting(r, a)
            fate(r, a)
        elif a["status"] not in GONE and raised(b, a) is not None:
            r["raised"][a["id"]] = raised(b, a)
    for a in armies:
        if has(a, "mercy") and a["status"] not in GONE:
            mercy(r, a)
    return {"raised": r["raised"], "xp": sorted(experience(b))}


def won(b: Battle, a: Army) -> bool:
    """Only it and its allies remain."""
    return b["winner"] is not None and a["side"] == b["winner"] and a["status"] == "fighting"


def lasting(r: dict[str, Any], a: Army) -> None:
    """Drain, disease, engines, potions to pay for, and the Morale the GM set."""
    f, key = r["figures"], a["id"]
    f["army", key, "drain"] += a["drain"] - a["spec"].drain
    f["army", key, "ill"] = f["army", key, "ill"] or a["ill"]
    idle = is_off(r["b"]["house"], "resources", "siege-engines")
    if not idle and a["engines"] < f["army", key, "resources"].get("siege-engines", 0):
        f["army", key, "resources"] = {**f["army", key, "resources"], "siege-engines": a["engines"]}
        if a["engines"] == 0:
            del f["army", key, "resources"]["siege-engines"]
    drunk = a["drunk_before"] + a["spent"].get("healing-potions", 0)
    price = potion_price(r["b"]["house"])
    if price:  # what the campaign gives for nothing costs nothing
        f["army", key, "surcharge"] += drunk * max(1, int(t.PRICE_FACTOR[a["size"]] * price))
    f["army", key, "morale"] = a["morale"]


def fate(r: dict[str, Any], a: Army) -> None:
    f, key = r["figures"], a["id"]
    f["army", key, "hp"] = a["hp"]
    if a["status"] == "defeated":
        defeated(r, a)
    elif a["status"] == "captured":
        f["army", key, "status"] = "captured"
        if a["surrendered"]:
            kingdom_loses(r, a)
        if there(r, a):
            commander_taken(r, a, "captured")
    elif a["status"] == "routed":
        f["army", key, "hp"] = rallied(r["b"], a)
        f["army", key, "status"] = "routed"
        set_morale(r, a, a["morale"] - 1)
    elif won(r["b"], a):
        victorious(r, a)


def rallied(b: Battle, a: Army) -> int:
    """Hp raised to the ACR if lower, at least to 1 (PF-6.2, PF-6.3, R-2)."""
    if a["hp"] == 0 and a["acr"] == 0:
        met(b, "an army of ACR below 1 rallies from 0 hp")
    return int(max(a["hp"], a["acr"], 1))


def set_morale(r: dict[str, Any], a: Army, value: int) -> None:
    """PF-1.9: at −5 it disbands; arrears weigh 2 (PF-7.2)."""
    r["figures"]["army", a["id"], "morale"] = max(-4, min(4, value))
    if r["figures"]["army", a["id"], "arrears"]:
        value -= 2
    if value <= -5:
        r["figures"]["army", a["id"], "status"] = "disbanded"


def defeated(r: dict[str, Any], a: Army) -> None:
    f = r["figures"]
    f["army", a["id"], "hp"], f["army", a["id"], "status"] = 0, "defeated"
    kingdom_loses(r, a)
    if not there(r, a):
        return
    if commander(a).player_character:
        what = r["choose"](f"fate:{a['id']}", {"captured", "escapes"}, "captured")
    else:
        die = r["dice"].face(a["id"], "commander-fate", 100)
        what = "killed" if die <= 20 else "captured" if die <= 70 else "escapes"
    commander_taken(r, a, what)


def kingdom_loses(r: dict[str, Any], a: Army) -> None:
    """PF-6.1."""
    f = r["figures"]
    kingdom = f["army", a["id"], "kingdom"]
    for name, loss in zip(("economy", "loyalty", "stability"), t.DEFEAT[a["size"]], strict=True):
        if ("kingdom", kingdom, name) in f:
            f["kingdom", kingdom, name] -= loss


def there(r: dict[str, Any], a: Army) -> bool:
    """Its commander was on the field (PF-2.5)."""
    who = commander(a)
    return who is not None and ("commander", who.id, "status") in r["figures"]


def commander_taken(r: dict[str, Any], a: Army, what: str) -> None:
    """PF-2.8."""
    f, who, b = r["figures"], commander(a).id, r["b"]
    victors = [v for v in b["armies"].values() if won(b, v)]
    if what == "captured" and victors and all(has(v, "mindless") for v in victors):
        what = "killed"
    if what == "killed":
        f["commander", who, "status"] = "killed"
    if what != "captured":
        return
    f["commander", who, "status"] = "captured"
    f["commander", who, "captures"] += 1
    f["commander", who, "ransom"] = f["army", a["id"], "consumption"]
    if f["commander", who, "captures"] >= 2 and not f["commander", who, "notorious"]:
        f["commander", who, "notorious"] = r["choose"](f"notorious:{who}", {"yes", "no"}, "yes") == "yes"


def victorious(r: dict[str, Any], a: Army) -> None:
    """PF-6.3, R-56: hp first; two checks, each rolled whether or not there is room."""
    f = r["figures"]
    f["army", a["id"], "hp"] = rallied(r["b"], a)
    kingdom = f["army", a["id"], "kingdom"]
    if ("kingdom", kingdom, "loyalty") not in f:
        return
    if own_losses(r, kingdom):
        met(r["b"], "a victor checks Loyalty after losses of its own kingdom")
    first = loyal(r, a, kingdom, "loyalty-tactic")
    if first:
        set_morale(r, a, min(4, a["morale"] + 1))
        tactics = tactics_open(a, r["b"]["house"])
        learned = r["choose"](f"tactic:{a['id']}", {"", *tactics}, "") if tactics else ""
        if learned:
            f["army", a["id"], "tactics"] = [*f["army", a["id"], "tactics"], {"tactic": learned, "granted": False}]
    if not first and r["b"]["house"].get("second_loyalty_check") == "after-first":
        met(r["b"], "no second check after the first has failed")
        return
    if loyal(r, a, kingdom, "loyalty-boon") and there(r, a):
        who = commander(a)
        boons = boons_open(who, r["b"]["house"])
        learned = r["choose"](f"boon:{who.id}", {"", *boons}, "") if boons else ""
        if learned:
            boon, _, tactic = learned.partition(":")
            known = f["commander", who.id, "boons"]
            f["commander", who.id, "boons"] = [*known, {"boon": boon, "tactic": tactic or None}]


def own_losses(r: dict[str, Any], kingdom: str) -> bool:
    """Whether an army of this kingdom fell in the same battle."""
    figures = r["figures"]
    fallen = [a["id"] for a in r["b"]["armies"].values() if a["status"] == "defeated"]
    return any(figures.get(("army", army, "kingdom")) == kingdom for army in fallen)


def loyal(r: dict[str, Any], a: Army, kingdom: str, name: str) -> bool:
    """A Loyalty check against the control DC; in anarchy it counts as 0 (PF-3.1, PF-8.4)."""
    f = r["figures"]
    die = r["dice"].face(a["id"], name, 20)
    dc, unrest = f["kingdom", kingdom, "control_dc"], f["kingdom", kingdom, "unrest"]
    if unrest >= 20:
        return bool(dc <= 0)
    if die in (1, 20):
        return bool(die == 20)
    return bool(die + f["kingdom", kingdom, "loyalty"] - unrest >= dc)


def mercy(r: dict[str, Any], a: Army) -> None:
    """It cures one army of its side, itself perhaps (PF-9)."""
    f = r["figures"]
    ill = [ally["id"] for ally in r["b"]["armies"].values() if ally["side"] == a["side"] and
           f.get(("army", ally["id"], "ill"))]  # fmt: skip
    if ill:
        cured = r["choose"](f"mercy:{a['id']}", {"", *ill}, ill[0])
        if cured:
            f["army", cured, "ill"] = False


def raised(b: Battle, a: Army) -> tuple[Any, ...] | None:
    """An army that rose in the battle, as it joins its maker's kingdom (R-54, PF-1.9, PF-6.2, PF-6.3)."""
    hp, morale, status = a["hp"], a["morale"], "ready"
    if a["status"] == "routed":
        met(b, "a risen army has routed")
        morale -= 1
        status = "routed"
    if a["status"] == "routed" or won(b, a):
        hp = rallied(b, a)
    return (a["spec"].kingdom, a["spec"].count, hp, morale, status) if morale >= -4 else None


def experience(b: Battle) -> list[tuple[str, int]]:
    """For each beaten army of another side (PF-1.6, PF-6.4, R-56)."""
    beaten = [a for a in b["armies"].values() if a["side"] != b["winner"] and a["status"] in (*GONE, "routed")]
    return [(a["id"], t.xp(a["index"])) for a in beaten] if b["winner"] is not None else []
