"""Shapes of the actors of the Foundry module `pf1-kingdom-sheet` (its data models of June 2026).

Actors: army, kingdom; items: tactic, special, boon. Figures that the module derives (maximum hp, OM, DV, Consumption, a
kingdom's Economy …) are in no file. Data that only Warhost has is in `flags.warhost`. Imports are read strictly
(`read_at`); exports are written over a stored actor of whatever types (`put`, `peek_at`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import deepcopy
from fractions import Fraction
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.utils.text import slugify

from armies.adjustments.queries import holds_on
from armies.adjustments.services import MOST_ADJUSTMENTS, clean_adjustment
from core.clean_input import parse_uuid
from rules.adjustments import LastingAdjustment, adjusted_by
from rules.core.errors import InvalidInput, demand
from rules.core.text import Said, Term, _, say
from rules.pathfinder.documents import MOST_SPEED, mount_from_json, unit_from_json
from rules.pathfinder.monsters.vocabulary import fold
from rules.pathfinder.spec import (
    BY_RANK,
    HIGHEST_CR,
    LOW,
    Acr,
    ArmySpec,
    Size,
    army_rating,
    hexes_per_day,
    parse_cr,
    size_of,
)

MODULE = "pf1-kingdom-sheet"
ARMY, KINGDOM = f"{MODULE}.army", f"{MODULE}.kingdom"
TACTIC, SPECIAL = f"{MODULE}.tactic", f"{MODULE}.special"
type Lasting = tuple[LastingAdjustment, ...]

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
"""Names of the module's own items that differ from ours."""
ITEMS_MOST = 1_000

Actor = dict[str, Any]

_THEIRS = _("Unexpected value: the Foundry module doesn’t write it.")
_OURS = _("Unexpected value: Warhost doesn’t write it.")


# Reading.


def read_at(actor: Mapping[str, Any], path: str, kind: Callable[[Any], bool], otherwise: Any = None) -> Any:
    """The value at this path ("system/hp/current"), `otherwise` where it is missing. Raises `InvalidInput` where `kind`
    does not accept it.
    """
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
    """The whole number at this path, `least` to `most`; None where it is missing. Raises `InvalidInput`."""
    found: int | None = read_at(actor, path, is_whole)
    if found is not None and not least <= found <= most:
        raise InvalidInput(say(_("Use a number from {least} to {most}."), least=least, most=most), f"/{path}")
    return found


def peek_at(actor: Any, path: str) -> Any:
    """The value at this path; None where it is missing or malformed. Never raises."""
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
    """Our flags in the actor. Raises `InvalidInput` for flags of another version."""
    found: Mapping[str, Any] = read_at(actor, OURS, is_mapping, {})
    if read_at(actor, f"{OURS}/version", is_whole, VERSION) != VERSION:
        raise InvalidInput(_("Another version of Warhost wrote this. It can’t be read here."), f"/{OURS}/version")
    read_mark(actor)
    return found


def read_mark(actor: Mapping[str, Any]) -> UUID | None:
    """The id in our flags. Raises `InvalidInput`."""
    told = read_at(actor, f"{OURS}/id", is_text)
    demand(told is None or parse_uuid(told), _("This isn’t a valid id. Leave it out."), field=f"/{OURS}/id")
    return parse_uuid(told)


def read_own_adjustments(actor: Mapping[str, Any], law: Any, day: int) -> list[dict[str, Any]] | None:
    """The lasting adjustments in our flags that hold on this day; None where there are none said. Raises
    `InvalidInput`.
    """
    found = read_at(actor, f"{OURS}/adjustments", listing)
    if found is None:
        return None
    most = _("An army can have {most} adjustments at most.")
    demand(len(found) <= MOST_ADJUSTMENTS, most, field=f"/{OURS}/adjustments", most=MOST_ADJUSTMENTS)
    cleaned = []
    for place, one in enumerate(found):
        at = f"/{OURS}/adjustments/{place}"
        demand(is_mapping(one), _("Enter a JSON object."), field=at)
        try:
            cleaned.append(clean_adjustment(one, law.adjustable))
        except InvalidInput as refusal:
            raise refusal.below(at) from None
    return [one for one in cleaned if holds_on(one, day)]


# Writing.


def put(actor: Actor, path: str, value: Any) -> None:
    """Writes the value at this path and keeps everything beside it. Values in the way that are no objects are
    replaced.
    """
    *way, last = path.split("/")
    here = actor
    for name in way:
        if not isinstance(here.get(name), dict):
            here[name] = {}
        here = here[name]
    here[last] = value


def drop(actor: Actor, path: str) -> None:
    """Removes the value at this path."""
    way, _slash, last = path.rpartition("/")
    here = peek_at(actor, way) if way else actor
    if isinstance(here, dict):
        here.pop(last, None)


def remainder(actor: Mapping[str, Any], owned: Iterable[str]) -> Actor:
    """The rest of the actor that is not ours: without everything we write, and without objects left empty by that."""
    rest: Actor = deepcopy(dict(actor))
    paths = ("name", "type", OURS, *owned)
    for path in paths:
        drop(rest, path)
    holders = {path.rpartition("/")[0] for path in paths if "/" in path} | {"items", "effects"}
    for holder in sorted({*holders, "system"}, key=lambda path: -path.count("/")):
        if not peek_at(rest, holder):
            drop(rest, holder)
    return rest


# Items.


def items_of(actor: Mapping[str, Any], kind: str) -> Iterator[Mapping[str, Any]]:
    """Items of this kind. Raises `InvalidInput`."""
    items = read_at(actor, "items", listing, [])
    demand(len(items) <= ITEMS_MOST, _("Use {most} items at most."), field="/items", most=ITEMS_MOST)
    for place, item in enumerate(items):
        if not isinstance(item, Mapping):
            raise InvalidInput(_THEIRS, f"/items/{place}")
        if item.get("type") == kind:
            yield item


def read_name(item: Mapping[str, Any]) -> str:
    found = item.get("name")
    return found if isinstance(found, str) else ""


def find_slug(name: str, catalogue: Mapping[str, Any]) -> str:
    """The slug of this name in our catalogue. A catalogue may have another slug than the name gives ("Bombs" is
    `bomb`).
    """
    named = _slugged(name)
    slug = SPELT.get(named, named)
    if slug in catalogue:
        return slug
    return next((key for key, entry in catalogue.items() if _slugged(str(entry.name)) == slug), slug)


@lru_cache(maxsize=4096)
def _slugged(name: str) -> str:
    """The name as a slug; its ligatures count as two letters, as people type them."""
    return slugify(fold(name))


# Head count, CR and speed by the module's figures: size, ACR, hexes a day.

NEAR = 0.02  # most rounding of a fraction: 0.33 is 1/3
HIGHEST_ACR = HIGHEST_CR + BY_RANK[-1].step
HEXES_MOST = hexes_per_day(Fraction(MOST_SPEED))
METRES = 4.5  # metres per round for each hex a day (PF-1.8)


def measure(actor: Mapping[str, Any], what: dict[str, Any], places: dict[str, str]) -> None:
    """Sets head count and CR by the module's size and ACR, and notes where in the actor they came from."""
    size, best = size_of(what["count"]), _best(what)
    now = _size(actor) or size
    acr = _acr(actor)
    if now is not size:
        what["count"], places["/count"] = now.units, "/system/size"
    if acr is None or (now is size and acr == army_rating(best, size)):
        return
    if acr.step < now.step:
        raise InvalidInput(_("This ACR is too low for an army of this size."), "/system/acr")
    wanted = Acr(acr.step - now.step)
    if wanted.exact > HIGHEST_CR:
        raise InvalidInput(_("This ACR is too high for an army of this size."), "/system/acr")
    if wanted != best:
        places["/unit/cr"] = "/system/acr"
        _set_best(what, wanted)


def _best(what: Mapping[str, Any]) -> Acr:
    """The higher CR of rider and mount, which counts (PF-1.3)."""
    unit, mount = what["unit"], what["mount"] or {}
    return max(parse_cr(cr) for cr in (unit["cr"], mount.get("cr")) if cr is not None)


def _set_best(what: Mapping[str, Any], wanted: Acr) -> None:
    """Sets the CR that counts, and lowers the other one to it at most."""
    best = _best(what)
    for part in (what["unit"], what["mount"] or {}):
        if part.get("cr") is not None and (parse_cr(part["cr"]) == best or parse_cr(part["cr"]) > wanted):
            part["cr"] = str(wanted)


def _size(actor: Mapping[str, Any]) -> Size | None:
    rank = read_at(actor, "system/size", is_text, "")
    known = {str(one.rank): one for one in BY_RANK}
    if rank and rank not in known:
        raise InvalidInput(_("Use a size from 0 to 8."), "/system/size")
    return known.get(rank)


def _acr(actor: Mapping[str, Any]) -> Acr | None:
    told = read_at(actor, "system/acr", is_number)
    acr = None if told is None else rated(told)
    if told is not None and acr is None:
        said = _("“{acr}” is not an ACR. Use 1/8, 1/6, 1/4, 1/3 or 1/2 as a number, or a whole number up to {most}.")
        raise InvalidInput(say(said, acr=str(told)[:20], most=HIGHEST_ACR), "/system/acr")
    return acr


def rated(told: float) -> Acr | None:
    """The ACR for this number; None where it is on no step of the ladder."""
    for place in range(len(LOW)):
        if abs(told - float(Acr(place).exact)) < NEAR:
            return Acr(place)
    whole_number = 1 <= told <= HIGHEST_ACR and float(told).is_integer()
    return Acr(int(told) + len(LOW) - 1) if whole_number else None


def format_acr(acr: Acr) -> float | int:
    return acr.floor if acr.exact.denominator == 1 else round(float(acr.exact), 4)


def pace(
    actor: Mapping[str, Any],
    what: dict[str, Any],
    base: Mapping[str, Any],
    law: Any,
    warnings: list[Said],
    given: Lasting = (),
) -> None:
    """Sets the speed by the module's hexes a day, adjustments (`given`) included. An unchanged number keeps the speed
    in metres.
    """
    told = read_at(actor, "system/speed/base", is_number)
    if told is None:
        return
    if not 0 <= told < HEXES_MOST + 1:
        raise InvalidInput(
            say(_("Use a number from {least} to {most}."), least=0, most=HEXES_MOST), "/system/speed/base"
        )
    hexes = hexes_of(told)
    if hexes != told:
        warnings.append(say(_("Speed changed from {told} to {speed}."), told=told, speed=hexes))
    if hexes in (_speed(base, law, given), _speed(what, law, given)):
        return
    bare = max(1, hexes - adjusted_by(given, "speed"))
    mover = what["mount"] if what["mount"] and what["mount"].get("speed_m") else what["unit"]
    for metres in (METRES * bare, METRES * bare + 1.5):  # the second value because armor training can add to it
        mover["speed_m"] = metres
        if _speed(what, law, given) == hexes:
            return


def hexes_of(told: float) -> int:
    return max(1, int(told)) if 0 <= told <= HEXES_MOST + 1 else 0


def _speed(what: Mapping[str, Any], law: Any, given: Lasting = ()) -> int:
    unit, mount = unit_from_json(what["unit"], law), mount_from_json(what["mount"], law)
    hexes: int = law.sheet(ArmySpec("", "", unit, what["count"], mount, adjustments=given)).speed.total
    return hexes
