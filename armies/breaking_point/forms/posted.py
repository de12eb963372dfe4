"""The builder's fields and the law's document: `units-0-weapons-1-damage` stands at `/units/0/weapons/1/damage`.

Both ways without judgement: what was typed and is no number stays text, for the law to refuse beside its field. What
was left empty is not in the document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from django.http import QueryDict

from kingdom.inputs import whole_in

type Json = dict[str, Any]

OWN = "own"  # a weapon or machine of their own, whose figures are typed
UNIT = re.compile(r"units-(\d{1,3})-type")
WHOLE = ("strength", "combat", "armour", "toughness", "breaking", "mobility", "pieces", "extra", "wounded",
         "experience")  # fmt: skip
TEXTS = ("name", "type", "group")
FLAGS = ("reserve", "shield", "never", "engineers")
MACHINE = ("toughness", "armour", "mobility", "control", "attack", "defense")
WEAPON_WHOLE = ("damage", "area", "number", "accuracy")
WEAPON_TEXTS = ("name", "rate", "range")
WEAPON_FLAGS = ("bursts", "thrown", "secondary", "firearm", "siege")


def typed_whole(text: str) -> Any:
    """A typed whole number as a number, nothing as None, anything else as it is."""
    text = text.strip().replace("−", "-")
    number = whole_in(text.removeprefix("-").removeprefix("+"))
    return text or None if number is None else -number if text.startswith("-") else number


def posted_units(data: QueryDict) -> list[Json]:
    """The units that were sent, in the order of their numbers."""
    places = sorted(int(found[1]) for name in data if (found := UNIT.fullmatch(name)))
    return [_unit(data, f"units-{place}-") for place in places]


def _unit(data: QueryDict, at: str) -> Json:
    unit = members(data, at, TEXTS, WHOLE, FLAGS)
    if weapons := list(borne_weapons(data, at)):
        unit["weapons"] = weapons
    if machine := data.get(f"{at}machine", ""):
        unit["machine"] = members(data, f"{at}machine-", ("name",), MACHINE, ()) if machine == OWN else machine
    return unit


def members(data: QueryDict, at: str, texts: Any, wholes: Any, flags: Any) -> Json:
    """What was typed or ticked of these; what was left empty is not there."""
    found: Json = {name: text for name in texts if (text := data.get(at + name, "").strip())}
    numbers = {name: typed_whole(data.get(at + name, "")) for name in wholes}
    found |= {name: number for name, number in numbers.items() if number is not None}
    return found | {name: True for name in flags if at + name in data}


def borne_weapons(data: QueryDict, at: str) -> Iterator[Any]:
    """Each as the law reads it: a slug, a slug with how many of it, or one of their own. Rows left empty are none."""
    rows = re.compile(re.escape(at) + r"weapons-(\d{1,2})-slug")
    for place in sorted(int(found[1]) for name in data if (found := rows.fullmatch(name))):
        row = f"{at}weapons-{place}-"
        slug = data.get(f"{row}slug", "")
        if slug == OWN:
            yield own_weapon(data, row)
        elif slug:
            borne = members(data, row, (), ("number",), ("secondary",))
            borne = {name: value for name, value in borne.items() if value != 1 or name == "secondary"}
            yield {"slug": slug, **borne} if borne else slug


def own_weapon(data: QueryDict, at: str) -> Json:
    """A weapon that is typed out."""
    typed = members(data, at, WEAPON_TEXTS, WEAPON_WHOLE, WEAPON_FLAGS)
    kinds = [typed_whole(part) for part in data.get(f"{at}munitions", "").split(",") if part.strip()]
    return {**typed, "munitions": kinds} if kinds else typed


def flat_units(units: Any) -> Json:
    """What the fields show of these units."""
    shown: Json = {}
    for place, unit in enumerate(units):
        shown |= _flat_unit(f"units-{place}-", unit)
    return shown


def _flat_unit(at: str, unit: Mapping[str, Any]) -> Json:
    shown = {at + name: unit[name] for name in (*TEXTS, *WHOLE, *FLAGS) if unit.get(name) is not None}
    for place, weapon in enumerate(unit.get("weapons", ())):
        shown |= flat_weapon(f"{at}weapons-{place}-", weapon)
    machine = unit.get("machine")
    if isinstance(machine, Mapping):
        shown |= {f"{at}machine": OWN, **{f"{at}machine-{name}": value for name, value in machine.items()}}
    elif machine:
        shown[f"{at}machine"] = machine
    return shown


def flat_weapon(at: str, weapon: Any) -> Json:
    if not isinstance(weapon, Mapping):
        return {f"{at}slug": weapon}
    shown = {at + name: value for name, value in weapon.items()}
    if kinds := weapon.get("munitions"):
        shown[f"{at}munitions"] = ", ".join(map(str, kinds))
    return {**shown, f"{at}slug": weapon.get("slug") or OWN}
