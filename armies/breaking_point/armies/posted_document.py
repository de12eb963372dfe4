"""Mapping between the builder's fields and the document: `units-0-weapons-1-damage` is `/units/0/weapons/1/damage`.

Both ways without judgement: what was typed and is no number stays text, for the law to refuse beside its field. What
was left empty is not in the document. A unit without fields stands whole in `units-0-kept`, as JSON; of one that has
fields `units-0-rest` holds what none of them shows.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any

from django.http import QueryDict

from armies.forces.typed_values import read_typed_whole
from core.strict_json import read_json
from rules.breaking_point.reading import Json
from rules.core.errors import InvalidInput

OWN = "own"  # a weapon or machine of their own, whose figures are typed
UNIT = re.compile(r"units-(\d{1,3})-(?:type|kept)")
HUNGER = {"yes": True, "no": False}
WHOLE = ("strength", "combat", "armour", "toughness", "breaking", "mobility", "pieces", "extra", "wounded",
         "experience")  # fmt: skip
TEXTS = ("name", "type", "group")
FLAGS = ("reserve", "shield", "never", "engineers")
MACHINE = ("toughness", "armour", "mobility", "control", "attack", "defense")
SHOWN = (*TEXTS, *WHOLE, *FLAGS, "starves", "weapons", "machine")
WEAPON_WHOLE = ("damage", "area", "number", "accuracy")
WEAPON_TEXTS = ("name", "rate", "range")
WEAPON_FLAGS = ("bursts", "thrown", "secondary", "firearm", "siege")


def read_posted_units(data: QueryDict) -> list[Json]:
    """The units that were sent, in the order of their numbers."""
    return [_unit(data, f"units-{place}-") for place in list_posted_places(data)]


def list_posted_places(data: QueryDict) -> list[int]:
    """The numbers under which units were sent."""
    return sorted({int(found[1]) for name in data if (found := UNIT.fullmatch(name))})


def has_fields(data: QueryDict, place: int) -> bool:
    """Whether this unit was sent field by field."""
    return f"units-{place}-type" in data


def _unit(data: QueryDict, at: str) -> Json:
    if f"{at}type" not in data:
        return _folded(data.get(f"{at}kept", ""))
    unit = _folded(data.get(f"{at}rest", "")) | collect_members(data, at, TEXTS, WHOLE, FLAGS)
    if (hunger := data.get(f"{at}starves")) in HUNGER:
        unit["starves"] = HUNGER[hunger]
    if weapons := list(read_weapons(data, at)):
        unit["weapons"] = weapons
    if machine := data.get(f"{at}machine", ""):
        unit["machine"] = collect_members(data, f"{at}machine-", ("name",), MACHINE, ()) if machine == OWN else machine
    return unit


def _folded(text: str) -> Json:
    """A unit, or some of its members, as JSON; nothing of what is none."""
    if not text:
        return {}
    try:
        unit = read_json(text)
    except InvalidInput:
        return {}
    if not isinstance(unit, dict):
        return {}
    arms = unit.get("weapons")
    well = isinstance(arms, list) and all(isinstance(arm, str | dict) for arm in arms)
    return unit if arms is None or well else {name: value for name, value in unit.items() if name != "weapons"}


def read_kept_unit(unit: Mapping[str, Any]) -> str:
    """What `units-0-kept` says of it."""
    return json.dumps(unit, ensure_ascii=False, separators=(",", ":"))


def rest_of(unit: Mapping[str, Any]) -> Json:
    """What no field shows of it; that a machine bears nothing at all, too."""
    return {name: value for name, value in unit.items() if name not in SHOWN or (name == "weapons" and not value)}


def collect_members(data: QueryDict, at: str, texts: Any, wholes: Any, flags: Any) -> Json:
    """What was typed or ticked of these; what was left empty is not there."""
    found: Json = {name: text for name in texts if (text := data.get(at + name, "").strip())}
    numbers = {name: read_typed_whole(data.get(at + name, "")) for name in wholes}
    found |= {name: number for name, number in numbers.items() if number is not None}
    return found | {name: True for name in flags if at + name in data}


def read_weapons(data: QueryDict, at: str) -> Iterator[Any]:
    """Each as the law reads it: a slug, a slug with how many of it, or one of their own. Rows left empty are none."""
    rows = re.compile(re.escape(at) + r"weapons-(\d{1,2})-slug")
    for place in sorted(int(found[1]) for name in data if (found := rows.fullmatch(name))):
        row = f"{at}weapons-{place}-"
        slug = data.get(f"{row}slug", "")
        if slug == OWN:
            yield read_own_weapon(data, row)
        elif slug:
            borne = collect_members(data, row, (), ("number",), ("secondary",))
            borne = {name: value for name, value in borne.items() if value != 1 or name == "secondary"}
            yield {"slug": slug, **borne} if borne else slug


def read_own_weapon(data: QueryDict, at: str) -> Json:
    """A weapon that is typed out."""
    typed = collect_members(data, at, WEAPON_TEXTS, WEAPON_WHOLE, WEAPON_FLAGS)
    kinds = [read_typed_whole(part) for part in data.get(f"{at}munitions", "").split(",") if part.strip()]
    return {**typed, "munitions": kinds} if kinds else typed


def flat_units(units: Sequence[Json], with_fields: Container[int]) -> Json:
    """What the fields show of these units, those of them that have any."""
    shown: Json = {}
    for place, unit in enumerate(units):
        at = f"units-{place}-"
        if place not in with_fields:
            shown[f"{at}kept"] = read_kept_unit(unit)
            continue
        shown |= _flat_unit(at, unit)
        if rest := rest_of(unit):
            shown[f"{at}rest"] = read_kept_unit(rest)
    return shown


def _flat_unit(at: str, unit: Mapping[str, Any]) -> Json:
    shown = {at + name: unit[name] for name in (*TEXTS, *WHOLE, *FLAGS) if unit.get(name) is not None}
    if "starves" in unit:
        shown[f"{at}starves"] = "yes" if unit["starves"] else "no"
    for place, weapon in enumerate(unit.get("weapons", ())):
        shown |= flatten_weapon(f"{at}weapons-{place}-", weapon)
    machine = unit.get("machine")
    if isinstance(machine, Mapping):
        shown |= {f"{at}machine": OWN, **{f"{at}machine-{name}": value for name, value in machine.items()}}
    elif machine:
        shown[f"{at}machine"] = machine
    return shown


def flatten_weapon(at: str, weapon: Any) -> Json:
    if not isinstance(weapon, Mapping):
        return {f"{at}slug": weapon}
    shown = {at + name: value for name, value in weapon.items()}
    if kinds := weapon.get("munitions"):
        shown[f"{at}munitions"] = ", ".join(map(str, kinds))
    return {**shown, f"{at}slug": weapon.get("slug") or OWN}
