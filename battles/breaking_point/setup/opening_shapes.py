"""Opening of a battle of breaking point in the shape of the API."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from battles.breaking_point.siege_battles import add_siege
from battles.codec.members import Members
from battles.codec.requests import read_side
from core.clean_input import clean_text
from rules.breaking_point.battle.battle_state import FIELD, KINDS, Character, FieldMark, Opening, Side
from rules.breaking_point.places import FORTIFICATIONS
from rules.breaking_point.spec import LAND, MEDIA, Host, Place
from rules.core.errors import demand
from rules.core.text import _
from rules.law import Team

NUMBER_MOST, HEADS_MOST, ARMOUR_MOST, UNITS_MOST = 1_000_000, 10_000_000, 100, 60


class BreakingPointOpeningRequest(NamedTuple):
    """An opening as asked for: complete but for the armies themselves, which are in the database."""

    opening: Opening

    @property
    def sides(self) -> tuple[Team, ...]:
        return tuple(Team(side.name, side.armies) for side in self.opening.sides)

    def with_armies(self, documents: Mapping[str, Host]) -> Opening:
        wanted = dict.fromkeys(army for side in self.opening.sides for army in side.armies)
        return add_siege(replace(self.opening, armies=tuple(documents[army] for army in wanted)))


def opening_from_json(data: object) -> BreakingPointOpeningRequest:
    """Sides, kind, ground and the rest of POST battles/. Raises `InvalidInput` with pointers."""
    members = Members(data)
    sides = members.each("sides", _side)
    names = tuple(side.name for side in sides)
    kind, medium = _word(members, "kind", KINDS, FIELD), _word(members, "medium", MEDIA, LAND)
    opening = Opening(
        sides=sides,
        armies=(),
        kind=kind,
        medium=medium,
        distance=members.slug_or("distance", ""),
        conditions=members.each("conditions", lambda item, at: condition_from_json(item, names, at)),
        place=_place(members),
        defender=read_side(members, "defender", names) if members.has("defender") else 1,
        support=members.armies("support"),
        characters=members.each("characters", _character),
    )
    members.done()
    return BreakingPointOpeningRequest(opening)


def _word(members: Members, name: str, known: tuple[str, ...], usual: str) -> str:
    word = members.slug_or(name, usual)
    demand(word in known, _("One of: {known}."), field=members.pointer(name), known=", ".join(known))
    return str(word)


def _side(data: object, at: str) -> Side:
    members = Members(data, at)
    side = Side(
        clean_text(members.raw("name"), field=f"{at}/name"),
        members.armies("armies"),
        chief="" if members.raw("chief") is None else members.army("chief"),
        circumstances=members.whole("circumstances", -NUMBER_MOST, NUMBER_MOST, 0),
        radio=members.flag("radio"),
    )
    members.done()
    return side


def _place(members: Members) -> Place | None:
    if members.raw("place") is None:
        return None
    at = members.pointer("place")
    place = Members(members.raw("place"), at)
    kind = place.slug("kind")
    known = ", ".join(FORTIFICATIONS)
    demand(kind in FORTIFICATIONS, _("One of: {known}."), field=place.pointer("kind"), known=known)
    found = Place("", place.text("name", "–"), FORTIFICATIONS[kind], place.whole("garrison", 1, HEADS_MOST))
    place.done()
    return found


def _character(data: object, at: str) -> Character:
    members = Members(data, at)
    name, army = members.text("name"), members.army("army")
    found = Character(
        name, name, army, members.whole("unit", 0, UNITS_MOST), members.whole("armour", 0, ARMOUR_MOST, 0)
    )
    members.done()
    return found


def condition_from_json(data: object, sides: tuple[str, ...], at: str = "") -> FieldMark:
    """`{condition, value?, side?, body?, reason?}`. Whether they go together the law says."""
    members = Members(data, at)
    condition = read_condition(members, sides)
    members.done()
    return condition


def read_condition(members: Members, sides: tuple[str, ...]) -> FieldMark:
    return FieldMark(
        kind=members.slug("condition"),
        value=members.slug_or_whole("value", NUMBER_MOST),
        side=None if members.raw("side") is None else read_side(members, "side", sides),
        body=members.slug_or("body", ""),
        reason=members.text("reason", ""),
    )


def condition_to_json(condition: FieldMark, sides: tuple[str, ...]) -> dict[str, Any]:
    """A condition as the API shows it; what is not given is left out."""
    told: dict[str, Any] = {"condition": condition.kind}
    if condition.value is not None:
        told["value"] = condition.value
    if condition.side is not None:
        told["side"] = sides[condition.side]
    words = {name: text for name in ("body", "reason") if (text := getattr(condition, name))}
    return {**told, **words}
