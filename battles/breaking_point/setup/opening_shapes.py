"""Opening of a battle of breaking point in the shape of the API."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from rules.breaking_point.battle.state.battle_state import FIELD, KINDS, Character, FieldMark
from rules.breaking_point.spec import FORTIFICATIONS, LAND, MEDIA, Place
from rules.core.shapes import ArmyId, InApi, OneOf, SideNumber, Slug, Text, WholeNumber, Wrong
from rules.core.text import _

HEADS_MOST, ARMOUR_MOST, UNITS_MOST, NAME_MOST = 10_000_000, 100, 60, 200
ONE_OF = _("One of: {known}.")


class StormedPlace(NamedTuple):
    """The place an assault is made on."""

    kind: Annotated[str, OneOf(FORTIFICATIONS, ONE_OF), InApi(plain=True)]
    garrison: Annotated[int, WholeNumber(1, HEADS_MOST)]
    name: Annotated[str, Text(NAME_MOST), InApi(blank=True)] = ""

    def judged(self, wrong: Wrong) -> Place:
        return Place("", self.name or "–", FORTIFICATIONS[self.kind], self.garrison)


class CharacterAsked(NamedTuple):
    """A character who fights in a unit of an army (its number from 0)."""

    name: Annotated[str, Text(NAME_MOST)]
    army: ArmyId
    unit: Annotated[int, WholeNumber(0, UNITS_MOST)]
    armour: Annotated[int, WholeNumber(0, ARMOUR_MOST)] = 0

    def judged(self, wrong: Wrong) -> Character:
        return Character(self.name, self.name, self.army, self.unit, self.armour)


class OpeningAsked(NamedTuple):
    """What an opening says besides its sides."""

    kind: Annotated[str, OneOf(KINDS, ONE_OF)] = FIELD
    medium: Annotated[str, OneOf(MEDIA, ONE_OF)] = LAND
    distance: Slug = ""
    conditions: tuple[FieldMark, ...] = ()
    place: Annotated[StormedPlace | None, InApi("of an assault")] = None
    defender: Annotated[SideNumber, InApi("the side that holds the place")] = 1
    support: tuple[ArmyId, ...] = ()
    characters: tuple[CharacterAsked, ...] = ()


def condition_to_json(condition: FieldMark, sides: tuple[str, ...]) -> dict[str, Any]:
    """A condition as the API shows it; what is not given is left out."""
    told: dict[str, Any] = {"condition": condition.kind}
    if condition.value is not None:
        told["value"] = condition.value
    if condition.side is not None:
        told["side"] = sides[condition.side]
    words = {name: text for name in ("body", "reason") if (text := getattr(condition, name))}
    return {**told, **words}
