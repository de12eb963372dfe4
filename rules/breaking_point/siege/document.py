"""Document of a siege: what changes of it, as JSON and back. Units, place and people are stored beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules.breaking_point.figures import unit_force
from rules.breaking_point.losses import shared
from rules.breaking_point.siege.siege_state import Siege
from rules.breaking_point.siege.troops import Troops

COUNTED = ("weeks", "age", "thin", "heard", "status", "bombards", "answers", "hears")
BODIES = ("garrison", "contact", "shooting")
FOOT = "foot"
"""Tells that points are those of cavalry on foot (B-71); without it they are of the force it has when it rides."""


def to_json(siege: Siege) -> dict[str, Any]:
    """Plain values: what two moments of a siege differ in."""
    counted = {name: getattr(siege, name) for name in COUNTED}
    return {**counted, **{name: _body(getattr(siege, name)) for name in BODIES}}


def _body(troops: Troops) -> dict[str, Any]:
    borne = [member.borne for member in troops.members]
    rides = {FOOT: True} if _rides(troops) else {}
    return {"damage": troops.damage, **({"borne": borne} if any(borne) else {}), **rides}


def _rides(troops: Troops) -> bool:
    return any(member.unit.a_head != foot.a_head for member, foot in zip(troops.members, troops.units, strict=True))


def with_state(siege: Siege, kept: Mapping[str, Any]) -> Siege:
    """The siege of the same people as it stood then."""
    bodies: dict[str, Any] = {name: _filled(getattr(siege, name), kept[name]) for name in BODIES}
    return replace(siege, **{name: kept[name] for name in COUNTED}, **bodies)


def _filled(troops: Troops, kept: Mapping[str, Any]) -> Troops:
    """Where its units are others than they were, all that was lost is shared anew."""
    borne = kept.get("borne", [0] * len(troops.members))
    if len(borne) != len(troops.members):
        return replace(troops, damage=kept["damage"] + sum(borne))
    if FOOT not in kept and _rides(troops):
        return _dismounted(troops, kept["damage"], borne)
    members = tuple(member._replace(borne=points) for member, points in zip(troops.members, borne, strict=True))
    return replace(troops, members=members, damage=kept["damage"])


def _dismounted(troops: Troops, damage: int, borne: Sequence[int]) -> Troops:
    """Of a siege of before, in whose figures cavalry rode: as many men out."""
    parts = shared(damage, [unit_force(member.unit) for member in troops.members])
    rows = zip(troops.members, troops.units, borne, parts, strict=True)
    members = (m._replace(borne=(own + part) * foot.a_head // m.unit.a_head) for m, foot, own, part in rows)
    return replace(troops, members=tuple(members), damage=0)
