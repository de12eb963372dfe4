"""Which orders the law allows (PF-3.4, PF-3.5, PF-3.7, R-20 to R-28)."""

from __future__ import annotations

from typing import Any

from tests.rules.pathfinder.oracle import tables as t
from tests.rules.pathfinder.oracle.armies import (
    Army,
    boon,
    can_shoot,
    evil,
    has,
    mounted,
    option,
    tactic,
    tactics_usable,
    undead,
)
from tests.rules.pathfinder.oracle.field import Battle, shot_possible
from tests.rules.pathfinder.oracle.forts import forts_of, standing
from tests.rules.pathfinder.oracle.house import is_off

KEEP = "\0keep"
TARGETED = {"burrow", "earth-glide", "challenge", "smite-evil", "false-retreat"}
FRIENDLY = {"hunters-bond", "inspire-courage"}
OPTIONS = {
    "combat-style": ("ranged", "melee"),
    "weapon-specialization": ("ranged", "melee"),
    "judgment": ("damage", "defense", "heal", "magic"),
    "wild-shape": ("aquatic", "amphibious", "climb", "darkvision", "flight", "low-light-vision", "scent"),
}
EACH_PHASE = {"burrow", "earth-glide", "inspire-courage", "judgment", "channel-positive-energy", "lay-on-hands",
              "channel-negative-energy"}  # fmt: skip
ONCE = {"alchemy", "challenge", "combat-style", "create-sandstorm", "hex", "hunters-bond", "rage", "smite-evil",
        "weapon-specialization", "wild-shape"}  # fmt: skip
HEALS = {"alchemy", "hex", "channel-positive-energy", "lay-on-hands", "channel-negative-energy", "healing-potions",
         "triage"}  # fmt: skip


def lawful(b: Battle, order: Any, kind: str, tick: int) -> bool:
    """Whether the law takes this order in the coming phase (`kind`, `tick`)."""
    a = b["armies"][order.army]
    if a["status"] != "fighting" or (a["fate"] is not None and kind != "melee"):
        return False
    if kind == "tactics":
        plain = order.strategy is None and order.target == KEEP and not order.use
        if a["id"] in b["ambushed"] or not plain:
            return False
    if order.tactic is not None and not may_adopt(b, a, order.tactic):
        return False
    if order.strategy is not None and not may_take(a, order.strategy, kind):
        return False
    if order.hold_the_line and not boon(a, "hold-the-line"):
        return False
    if order.target not in (None, KEEP) and not enemy(b, a, order.target):
        return False
    if order.surrender and (kind != "melee" or a["fate"] is not None):
        return False
    if order.stay_at_range and not may_stay_away(b, a, kind, b["numbers"]["ranged"] + 1):
        return False
    used = [(use.kind, use.slug) for use in order.use]
    drinks = sum(1 for use in used if use in t.DRINKS)
    if len(set(used)) < len(used) or drinks > 1:
        return False
    return all(may_use(b, a, use, order, kind, tick) for use in order.use)


def may_adopt(b: Battle, a: Army, slug: str) -> bool:
    if slug not in tactics_usable(a) or (a["rage"] and slug in t.RAGE_TACTICS):
        return False
    if slug == "cavalry-experts":
        return mounted(a)
    if slug == "sniper-support":
        return can_shoot(b, a)
    return True


def may_take(a: Army, slug: str, kind: str) -> bool:
    if kind != "melee" or (has(a, "mindless") and slug != "standard"):
        return False
    return not (a["rage"] and slug in t.RAGE_STRATEGIES)


def may_stay_away(b: Battle, a: Army, kind: str, number: int) -> bool:
    """R-89: in a ranged phase who can shoot, while there is ammunition for one more."""
    ammunition = b["opening"].ammunition
    enough = ammunition is None or number < ammunition
    return kind == "ranged" and enough and a["fate"] is None and shot_possible(b, a)


def enemy(b: Battle, a: Army, target: str) -> bool:
    return target in b["armies"] and b["armies"][target]["side"] != a["side"] and on_the_field(b, target)


def on_the_field(b: Battle, army: str) -> bool:
    return army in b["armies"] and b["armies"][army]["status"] == "fighting"


def may_use(b: Battle, a: Army, use: Any, order: Any, kind: str, tick: int) -> bool:
    slug = use.slug
    if not provided(a, use, order):
        return False
    if slug in ("smite-evil", "dirty-fighters") and kind != "melee":
        return False
    if slug in HEALS and a["fate"] is not None:
        return False
    if slug == "judgment" and tick in a["afraid"]:
        return False
    if slug == "channel-negative-energy" and not undead(a):
        return False
    if slug == "create-sandstorm" and is_off(b["house"], "conditions", "sandstorm"):
        return False
    if slug == "create-sandstorm" and any(c.condition == "sandstorm" and not c.armies for c in b["conditions"]):
        return False
    return spare(a, use) and aimed(b, a, use)


def provided(a: Army, use: Any, order: Any) -> bool:
    """By an ability, a resource, a boon or the tactic in use."""
    slug = use.slug
    if use.kind == "resource":
        return slug == "healing-potions" and a["resources"].get(slug, 0) > 0
    if use.kind == "boon":
        return slug == "triage" and boon(a, slug)
    if use.kind == "tactic":
        in_use = slug == (order.tactic or tactic(a)) and not is_off(a["house"], "tactics", slug)
        return in_use and slug in ("dirty-fighters", "false-retreat")
    if slug not in EACH_PHASE | ONCE or not has(a, slug):
        return False
    if slug == "hex":
        return option(a, "hex", "choice") == "healing"
    if slug == "hunters-bond":
        return option(a, "hunters-bond", "choice") == "companions"
    healers = [name for name in a["abilities"] if name in ("channel-positive-energy", "lay-on-hands") and has(a, name)]
    return slug not in healers or slug == healers[0]  # one mechanic under its first name


def spare(a: Army, use: Any) -> bool:
    """Uses left, and an option where one is to be chosen."""
    if use.slug == "wild-shape" and a["wild"] is not None:
        return bool(use.option == "end")
    if use.slug in OPTIONS and use.option not in OPTIONS[use.slug]:
        return False
    if use.slug not in OPTIONS and use.option:
        return False
    return use.slug in EACH_PHASE or a["spent"].get(use.slug, 0) < (2 if use.slug == "healing-potions" else 1)


def aimed(b: Battle, a: Army, use: Any) -> bool:
    """At an enemy, at its own side, or at nobody."""
    slug, target = use.slug, use.target
    if slug in FRIENDLY:
        return on_the_field(b, target) and bool(b["armies"][target]["side"] == a["side"])
    if slug not in TARGETED:
        return not target
    if not enemy(b, a, target):
        return False
    if slug == "smite-evil":
        return evil(b["armies"][target])
    if slug in ("burrow", "earth-glide"):
        forts = forts_of(b, b["armies"][target])
        return any(f["number"] not in a["dug"] and standing(f) > 0 for f in forts)
    return True
