"""Shapes of the module's actors, by the data models of its source (version of June 2026).

`TypeDataModel`s of `pf1-kingdom-sheet`: army, kingdom; items: tactic, special, boon. What they derive (maximum hp, OM,
DV, Consumption, a kingdom's Economy…) is in no file. What is ours alone stands under `flags.warhost`.

What comes in is read strictly (`at`). What goes out is written over whatever is kept, of whatever type it is (`put`,
`seen`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import deepcopy
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.utils.text import slugify

from core.clean_input import parse_uuid
from rules.core.errors import InvalidInput, demand
from rules.core.text import Term, _, say

MODULE = "pf1-kingdom-sheet"
ARMY, KINGDOM = f"{MODULE}.army", f"{MODULE}.kingdom"
TACTIC, SPECIAL = f"{MODULE}.tactic", f"{MODULE}.special"
FLAG = "warhost"
OURS = f"flags/{FLAG}"
VERSION = 1
ALIGNMENTS = {"lg": "LG", "ng": "NG", "cg": "CG", "ln": "LN", "tn": "N", "cn": "CN", "le": "LE", "ne": "NE", "ce": "CE"}
HIT_DICE = ("d6", "d8", "d10", "d12")
RESOURCES = {
    "potions": "healing-potions", "impArmor": "improved-armor", "magArmor": "magic-armor",
    "impWeapons": "improved-weapons", "magWeapons": "magic-weapons", "mounts": "mounts", "ranged": "ranged-weapons",
}  # fmt: skip
ENGINES, ENGINES_HELD = "seCount", "siege-engines"
TERRAIN = ("cavern", "coast", "desert", "forest", "hills", "jungle", "marsh", "mountains", "plains", "water")
SPELT = {"challange": "challenge", "judgement": "judgment", "ability-drain": "ability-damage"}
"""What the module's own items are called where we call it otherwise."""
ITEMS_MOST = 1_000

Actor = dict[str, Any]

_THEIRS = _("This is not what the module keeps here.")
_OURS = _("This is not what Warhost writes here.")


# reading


def read_at(actor: Mapping[str, Any], path: str, kind: Callable[[Any], bool], otherwise: Any = None) -> Any:
    """What stands at this path ("system/hp/current"), `otherwise` where nothing does. Raises `InvalidInput`."""
    found: Any = actor
    for name in path.split("/"):
        if found is None:
            return otherwise
        if not isinstance(found, Mapping):
            raise InvalidInput(_not_kept(path), f"/{path}")
        found = found.get(name)
    if found is None:
        return otherwise
    if not kind(found):
        raise InvalidInput(_not_kept(path), f"/{path}")
    return found


def _not_kept(path: str) -> Term:
    return _OURS if path.startswith(OURS) else _THEIRS


def read_whole_number(actor: Mapping[str, Any], path: str, least: int, most: int) -> int | None:
    """The whole number at this path, None where nothing stands. Raises `InvalidInput`."""
    found: int | None = read_at(actor, path, is_whole)
    if found is not None and not least <= found <= most:
        raise InvalidInput(say(_("From {least} to {most}, please."), least=least, most=most), f"/{path}")
    return found


def peek_at(actor: Any, path: str) -> Any:
    """What stands at this path, None where nothing can. Never raises."""
    for name in path.split("/"):
        actor = actor.get(name) if isinstance(actor, Mapping) else None
    return actor


def is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_text(value: Any) -> bool:
    return isinstance(value, str)


def flag(value: Any) -> bool:
    return isinstance(value, bool)


def is_mapping(value: Any) -> bool:
    return isinstance(value, Mapping)


def listing(value: Any) -> bool:
    return isinstance(value, list)


def read_own_flags(actor: Mapping[str, Any]) -> Mapping[str, Any]:
    """What we wrote beside it. Raises `InvalidInput` where a later version of us did."""
    found: Mapping[str, Any] = read_at(actor, OURS, is_mapping, {})
    if read_at(actor, f"{OURS}/version", is_whole, VERSION) != VERSION:
        raise InvalidInput(_("Another version of Warhost wrote this: it cannot be read here."), f"/{OURS}/version")
    read_mark(actor)
    return found


def read_mark(actor: Mapping[str, Any]) -> UUID | None:
    """The id we wrote beside it. Raises `InvalidInput`."""
    told = read_at(actor, f"{OURS}/id", is_text)
    demand(told is None or parse_uuid(told), _("This is no id: leave it out."), field=f"/{OURS}/id")
    return parse_uuid(told)


# writing


def put(actor: Actor, path: str, value: Any) -> None:
    """Write there, and leave everything beside it as it is; what cannot hold it gives way."""
    *way, last = path.split("/")
    here = actor
    for name in way:
        if not isinstance(here.get(name), dict):
            here[name] = {}
        here = here[name]
    here[last] = value


def drop(actor: Actor, path: str) -> None:
    """Nothing stands there any more."""
    way, _slash, last = path.rpartition("/")
    here = peek_at(actor, way) if way else actor
    if isinstance(here, dict):
        here.pop(last, None)


def remainder(actor: Mapping[str, Any], owned: Iterable[str]) -> Actor:
    """What of it is not ours: without what we write ourselves, and without what is empty then."""
    rest: Actor = deepcopy(dict(actor))
    paths = ("name", "type", OURS, *owned)
    for path in paths:
        drop(rest, path)
    holders = {path.rpartition("/")[0] for path in paths if "/" in path} | {"items", "effects"}
    for holder in sorted({*holders, "system"}, key=lambda path: -path.count("/")):
        if not peek_at(rest, holder):
            drop(rest, holder)
    return rest


# items


def items_of(actor: Mapping[str, Any], kind: str) -> Iterator[Mapping[str, Any]]:
    """The items of this kind. Raises `InvalidInput`."""
    items = read_at(actor, "items", listing, [])
    demand(len(items) <= ITEMS_MOST, _("At most {most} items, please."), field="/items", most=ITEMS_MOST)
    for place, item in enumerate(items):
        if not isinstance(item, Mapping):
            raise InvalidInput(_THEIRS, f"/items/{place}")
        if item.get("type") == kind:
            yield item


def read_name(item: Mapping[str, Any]) -> str:
    found = item.get("name")
    return found if isinstance(found, str) else ""


def find_slug(name: str, catalogue: Mapping[str, Any]) -> str:
    """What this catalogue of ours calls it: its slug may be another than its name has ("Bombs" is `bomb`)."""
    named = slugify(name)
    slug = SPELT.get(named, named)
    if slug in catalogue:
        return slug
    return next((key for key, entry in catalogue.items() if _slugged(str(entry.name)) == slug), slug)


_slugged = lru_cache(maxsize=4096)(slugify)
