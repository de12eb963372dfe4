"""Conversion of a kingdom to an actor of Foundry's module, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from armies.pathfinder.foundry.actor_shapes import (
    ALIGNMENTS,
    KINGDOM,
    OURS,
    TERRAIN,
    VERSION,
    Actor,
    is_mapping,
    is_text,
    is_whole,
    peek_at,
    put,
    read_at,
    read_own_flags,
    read_whole_number,
    remainder,
)
from core.clean_input import BP_MAX, clean_text, make_readable
from kingdom.models import Kingdom
from rules.core.errors import InvalidInput
from rules.core.text import Said, _, say
from rules.pathfinder.realm import SHEET, SIZE_MOST

SIDES = {ours: theirs for theirs, ours in ALIGNMENTS.items()}
BESIDE = (
    "economy", "loyalty", "stability", "districts", "control_dc_modifier", "control_dc_override", "consumption",
)  # fmt: skip
"""Figures that the module derives from buildings and leaders: files have them only in our flags."""
FIGURES = f"{OURS}/figures"
OWNED = ("system/alignment", "system/treasury", "system/unrest", *(f"system/terrain/{name}" for name in TERRAIN))
PLACES = {
    "/alignment": "/system/alignment", "/unrest": "/system/unrest", "/size": "/system/terrain",
    "/treasury": "/system/treasury", "/amount": "/system/treasury",
    **{f"/{name}": f"/{FIGURES}/{name}" for name in BESIDE},
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class KingdomFound:
    """A kingdom in an actor. `sheet`: arguments of the services. `treasury` in BP, None where it is missing."""

    name: str
    sheet: dict[str, Any]
    treasury: int | None
    warnings: tuple[Said, ...]

    def place(self, pointer: str) -> str:
        """The pointer into the actor for a pointer of the services."""
        return PLACES.get(pointer, pointer)


def build_kingdom_actor(kingdom: Kingdom, kept: Mapping[str, Any] | None) -> Actor:
    """The kingdom for Foundry's "Import Data". `kept`: the actor from which it was imported; its other data is exported
    again.
    """
    actor: Actor = make_readable(dict(kept or {}))
    actor |= {"name": kingdom.name, "type": KINGDOM}
    put(actor, "system/alignment", SIDES[kingdom.alignment])
    put(actor, "system/treasury", kingdom.treasury)
    put(actor, "system/unrest", kingdom.unrest)
    for name, hexes in _terrain(actor, kingdom.size).items():
        put(actor, f"system/terrain/{name}", hexes)
    for name in ("items", "effects"):
        if actor.get(name) is None:
            actor[name] = []
    figures = {name: getattr(kingdom, name) for name in ("size", *BESIDE)}
    put(actor, OURS, {"version": VERSION, "id": str(kingdom.pk), "figures": figures})
    return actor


def _terrain(actor: Mapping[str, Any], size: int) -> dict[str, int]:
    """Numbers of hexes by terrain, whose sum is the kingdom's size: the difference goes to plains first, then to other
    terrain.
    """
    told = {name: peek_at(actor, f"system/terrain/{name}") for name in TERRAIN}
    terrain: dict[str, int] = {name: max(0, hexes) if is_whole(hexes) else 0 for name, hexes in told.items()}
    terrain["plains"] += size - sum(terrain.values())
    for name in TERRAIN:
        if terrain["plains"] >= 0:
            break
        taken = min(terrain[name], -terrain["plains"]) if name != "plains" else 0
        terrain[name] -= taken
        terrain["plains"] += taken
    return terrain


def keep_kingdom_rest(actor: Mapping[str, Any]) -> Actor:
    """Data of the actor stored only for the export back to Foundry."""
    return remainder(actor, OWNED)


def read_kingdom(actor: Mapping[str, Any]) -> KingdomFound:
    """The kingdom in the actor; missing figures are left out. Raises `InvalidInput` with pointers into it."""
    read_own_flags(actor)
    name = clean_text(read_at(actor, "name", is_text, ""), field="/name")
    sheet: dict[str, Any] = {}
    if side := read_at(actor, "system/alignment", is_text, ""):
        if side not in ALIGNMENTS:
            raise InvalidInput(say(_("Choose one of: {choices}."), choices=", ".join(ALIGNMENTS)), "/system/alignment")
        sheet["alignment"] = ALIGNMENTS[side]
    if (unrest := _figure(actor, "system/unrest", "unrest")) is not None:
        sheet["unrest"] = unrest
    known = read_at(actor, FIGURES, is_mapping, {})
    sheet |= {slug: _figure(actor, f"{FIGURES}/{slug}", slug) for slug in BESIDE if slug in known}
    sheet = {slug: value for slug, value in sheet.items() if value is not None or SHEET[slug].optional}
    if (size := _size(actor)) is not None:
        sheet["size"] = size
    treasury = read_whole_number(actor, "system/treasury", -BP_MAX, BP_MAX)
    return KingdomFound(name, sheet, treasury, tuple(_not_taken(actor, derived=not known)))


def _figure(actor: Mapping[str, Any], path: str, slug: str) -> int | None:
    """A figure within the bounds of the kingdom's sheet. Raises `InvalidInput`."""
    return read_whole_number(actor, path, SHEET[slug].least, SHEET[slug].most)


def _size(actor: Mapping[str, Any]) -> int | None:
    """The sum of its terrain; None for the module's initial state without any hexes."""
    hexes = [read_whole_number(actor, f"system/terrain/{name}", 0, SIZE_MOST) or 0 for name in TERRAIN]
    own = _figure(actor, f"{FIGURES}/size", "size")
    return sum(hexes) if any(hexes) or own is not None else None


def _not_taken(actor: Mapping[str, Any], *, derived: bool) -> list[Said]:
    told: list[Said] = []
    if derived:
        told.append(_("In Foundry, Economy, Loyalty, Stability and Consumption "
                      "come from buildings and leaders. Set them "
                      "here."))  # fmt: skip
    for path, said in (
        ("system/settlementProxies", _("Settlements are separate actors and were not imported.")),
        ("system/armies", _("Armies are separate actors. Import their files, too.")),
        ("items", _("Buildings, events and improvements are kept for export to Foundry but not shown here.")),
    ):
        if peek_at(actor, path):
            told.append(said)
    return told
