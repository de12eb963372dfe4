"""What an actor of the module looks like, by the data models of its source (version of June 2026).

`TypeDataModel`s of `pf1-kingdom-sheet`: army, kingdom; items: tactic, special, boon. What they derive (maximum hp, OM,
DV, Consumption, a kingdom's Economy…) is in no file. What is ours alone stands under `flags.warhost`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.utils.text import slugify

from rules.errors import InvalidInput
from rules.text import _

MODULE = "pf1-kingdom-sheet"
ARMY, KINGDOM = f"{MODULE}.army", f"{MODULE}.kingdom"
TACTIC, SPECIAL = f"{MODULE}.tactic", f"{MODULE}.special"
FLAG = "warhost"
ALIGNMENTS = {"lg": "LG", "ng": "NG", "cg": "CG", "ln": "LN", "tn": "N", "cn": "CN", "le": "LE", "ne": "NE", "ce": "CE"}
HIT_DICE = ("d6", "d8", "d10", "d12")
RESOURCES = {
    "potions": "healing-potions", "impArmor": "improved-armor", "magArmor": "magic-armor",
    "impWeapons": "improved-weapons", "magWeapons": "magic-weapons", "mounts": "mounts", "ranged": "ranged-weapons",
}  # fmt: skip
ENGINES, ENGINES_HELD = "seCount", "siege-engines"
TERRAIN = ("cavern", "coast", "desert", "forest", "hills", "jungle", "marsh", "mountains", "plains", "water")
SPELT = {"challange": "challenge", "judgement": "judgment"}  # as the module's own items spell them

Actor = dict[str, Any]


def at(actor: Mapping[str, Any], path: str, kind: Callable[[Any], bool], otherwise: Any = None) -> Any:
    """What stands at this path ("system/hp/current"), `otherwise` where nothing does. Raises `InvalidInput`."""
    found: Any = actor
    for name in path.split("/"):
        if found is None:
            return otherwise
        if not isinstance(found, Mapping):
            raise InvalidInput(_("This is not what the module keeps here."), f"/{path}")
        found = found.get(name)
    if found is None:
        return otherwise
    if not kind(found):
        raise InvalidInput(_("This is not what the module keeps here."), f"/{path}")
    return found


def whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def text(value: Any) -> bool:
    return isinstance(value, str)


def flag(value: Any) -> bool:
    return isinstance(value, bool)


def mapping(value: Any) -> bool:
    return isinstance(value, Mapping)


def listing(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, Mapping) for item in value)


def put(actor: Actor, path: str, value: Any) -> None:
    """Write there, and leave everything beside it as it is."""
    *way, last = path.split("/")
    here = actor
    for name in way:
        here = here.setdefault(name, {})
    here[last] = value


def items_of(actor: Mapping[str, Any], kind: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The items of this kind, each with its place."""
    for place, item in enumerate(at(actor, "items", listing, [])):
        if item.get("type") == kind:
            yield place, item


def slug_of_item(item: Mapping[str, Any], catalogue: Mapping[str, Any]) -> str:
    """What this catalogue of ours calls it: its slug may be another than its name has ("Bombs" is `bomb`)."""
    named = slugify(str(item.get("name", "")))
    slug = SPELT.get(named, named)
    if slug in catalogue:
        return slug
    return next((key for key, entry in catalogue.items() if slugify(str(entry.name)) == slug), slug)


def ours(actor: Mapping[str, Any]) -> Mapping[str, Any]:
    """What we wrote beside it."""
    found: Mapping[str, Any] = at(actor, f"flags/{FLAG}", mapping, {})
    return found
