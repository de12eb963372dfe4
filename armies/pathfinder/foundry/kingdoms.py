"""A kingdom as the module's actor, and back."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from armies.pathfinder.foundry.shapes import (
    ALIGNMENTS,
    FLAG,
    KINGDOM,
    TERRAIN,
    Actor,
    at,
    listing,
    ours,
    put,
    text,
    whole,
)
from kingdom.models import Kingdom
from rules.errors import InvalidInput
from rules.text import Said, _, say

SIDES = {ours: theirs for theirs, ours in ALIGNMENTS.items()}
BESIDE = ("economy", "loyalty", "stability", "districts", "control_dc_modifier", "consumption")
"""What the module derives of buildings and leaders: it is in no file but under our flag."""


@dataclass(frozen=True, slots=True)
class KingdomFound:
    """What an actor says of a kingdom. `sheet`: fields of the services; `treasury` in BP."""

    name: str
    sheet: dict[str, Any]
    treasury: int
    warnings: tuple[Said, ...]


def kingdom_actor(kingdom: Kingdom, kept: Mapping[str, Any] | None) -> Actor:
    """The kingdom for Foundry's "Import Data". `kept`: the actor it was brought in from, of which nothing is lost."""
    actor: Actor = deepcopy(dict(kept or {}))
    actor |= {"name": kingdom.name, "type": KINGDOM}
    put(actor, "system/alignment", SIDES[kingdom.alignment])
    put(actor, "system/treasury", kingdom.treasury)
    put(actor, "system/unrest", kingdom.unrest)
    for name, hexes in _terrain(actor, kingdom.size).items():
        put(actor, f"system/terrain/{name}", hexes)
    actor.setdefault("items", [])
    actor.setdefault("effects", [])
    figures = {name: getattr(kingdom, name) for name in BESIDE}
    put(actor, f"flags/{FLAG}", {"version": 1, "id": str(kingdom.pk), "figures": figures})
    return actor


def _terrain(actor: Mapping[str, Any], size: int) -> dict[str, int]:
    """The module's size is the sum of its terrain: what is more or less than that is plains, then whatever there is."""
    terrain: dict[str, int] = {name: at(actor, f"system/terrain/{name}", whole, 0) for name in TERRAIN}
    terrain["plains"] += size - sum(terrain.values())
    for name in TERRAIN:
        if terrain["plains"] >= 0:
            break
        taken = min(terrain[name], -terrain["plains"]) if name != "plains" else 0
        terrain[name] -= taken
        terrain["plains"] += taken
    return terrain


def kingdom_found(actor: Mapping[str, Any]) -> KingdomFound:
    """What the actor says. Raises `InvalidInput` with pointers into it."""
    name = at(actor, "name", text, "").strip()
    if not name:
        raise InvalidInput(_("An actor has a name."), "/name")
    side = at(actor, "system/alignment", text, "tn")
    if side not in ALIGNMENTS:
        raise InvalidInput(say(_("Choose one of: {choices}."), choices=", ".join(ALIGNMENTS)), "/system/alignment")
    sheet = {"alignment": ALIGNMENTS[side], "unrest": at(actor, "system/unrest", whole, 0)}
    if size := sum(at(actor, f"system/terrain/{terrain}", whole, 0) for terrain in TERRAIN):
        sheet["size"] = size
    beside = ours(actor).get("figures")
    known = beside if isinstance(beside, Mapping) else {}
    sheet |= {name: known[name] for name in BESIDE if whole(known.get(name))}
    treasury = at(actor, "system/treasury", whole, 0)
    return KingdomFound(name, sheet, treasury, tuple(_not_taken(actor, derived=not known)))


def _not_taken(actor: Mapping[str, Any], *, derived: bool) -> list[Said]:
    told: list[Said] = []
    if derived:
        told.append(_("Economy, Loyalty, Stability and Consumption follow there from buildings and leaders: "
                      "set them here."))  # fmt: skip
    for path, said in (
        ("system/settlementProxies", _("Its settlements are other actors: they are not brought in.")),
        ("system/armies", _("Its armies are other actors: bring in theirs, too.")),
        ("items", _("Its buildings, events and improvements are kept for Foundry and not shown here.")),
    ):
        if at(actor, path, listing, []):
            told.append(said)
    return told
