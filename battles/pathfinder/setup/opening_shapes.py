"""Opening of a battle of mass combat in the shape of the API."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from battles.codec.members import Members
from core.clean_input import clean_text
from rules.core.errors import demand
from rules.core.text import _
from rules.law import Team
from rules.pathfinder.battle.state.battle_state import Ambush, Opening, Part, SetCondition, Side
from rules.pathfinder.battle.state.opening import MOST_AMMUNITION
from rules.pathfinder.spec import ArmySpec

MOST = 1_000


class PathfinderOpeningRequest(NamedTuple):
    """An opening as asked for: complete but for the armies themselves, which are in the database."""

    opening: Opening

    @property
    def sides(self) -> tuple[Team, ...]:
        return tuple(Team(side.name, side.armies) for side in self.opening.sides)

    @property
    def army_ids(self) -> tuple[str, ...]:
        return tuple(army for side in self.opening.sides for army in side.armies)

    def with_armies(self, specs: Mapping[str, ArmySpec]) -> Opening:
        armies = tuple(specs[army] for army in dict.fromkeys(self.army_ids))
        return replace(self.opening, armies=armies)


def opening_from_json(data: object) -> PathfinderOpeningRequest:
    """Sides, conditions and the rest of POST battles/. Raises `InvalidInput` with pointers."""
    members = Members(data)
    opening = Opening(
        armies=(),
        sides=members.each("sides", side_from_json),
        conditions=members.each("conditions", parse_condition),
        overcomes=members.each("overcomes", _pair),
        sees_invisible=members.armies("sees_invisible"),
        cannot_leave=members.armies("cannot_leave"),
        engines_shoot=members.armies("engines_shoot"),
        magical=members.armies("magical"),
        ambushes=_ambushes(members),
        ammunition=None if members.raw("ammunition") is None else members.whole("ammunition", 1, MOST_AMMUNITION),
    )
    members.done()
    return PathfinderOpeningRequest(opening)


def side_from_json(data: object, at: str) -> Side:
    members = Members(data, at)
    side = Side(clean_text(members.raw("name"), field=f"{at}/name"), members.armies("armies"))
    members.done()
    return side


def parse_condition(data: object, at: str = "") -> SetCondition:
    """`{condition, value?, armies? | army?, except?, parts?}`."""
    members = Members(data, at)
    condition = read_condition(members)
    members.done()
    return condition


def read_condition(members: Members) -> SetCondition:
    armies = members.armies("armies")
    if members.has("army"):
        demand(not armies, _("Give “army” or “armies”, not both."), field=members.pointer("army"))
        armies = (members.army("army"),)
    return SetCondition(
        condition=members.slug("condition"),
        value=members.slug_or_whole("value", MOST),
        armies=armies,
        exempt=members.armies("except"),
        parts=members.each("parts", _part),
    )


def _part(data: object, at: str) -> Part:
    members = Members(data, at)
    part = Part(members.slug_or("kind", "other"), members.slug_or("material", "stone"), members.whole("value", 0, MOST))
    members.done()
    return part


def _pair(data: object, at: str) -> tuple[str, str]:
    members = Members(data, at)
    pair = members.army("attacker"), members.army("defender")
    members.done()
    return pair


def _ambushes(members: Members) -> tuple[Ambush, ...]:
    """One ambush, or a list of them (R-17: each ambusher, each target)."""
    value = members.raw("ambush")
    if value is None:
        return ()
    return members.each("ambush", _ambush) if isinstance(value, list | tuple) else (_ambush(value, "/ambush"),)


def _ambush(data: object, at: str) -> Ambush:
    members = Members(data, at)
    ambush = Ambush(members.army("by"), members.army("target"))
    members.done()
    return ambush


def condition_to_json(condition: SetCondition) -> dict[str, Any]:
    """A condition as the API shows it; what is not given is left out."""
    told = {
        "value": condition.value,
        "armies": list(condition.armies),
        "except": list(condition.exempt),
        "parts": [{"kind": part.kind, "material": part.material, "value": part.value} for part in condition.parts],
    }
    given = {name: value for name, value in told.items() if value not in (None, [])}
    return {"condition": condition.condition, **given}
