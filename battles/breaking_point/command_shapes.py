"""Commands and openings of breaking points in the API's format."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

from core.shapes.serializers import ApiShapes
from rules.breaking_point.battle.orders.commands import (
    ChangeCondition,
    End,
    GiveOrder,
    Next,
    Override,
    Resolve,
    ShareLosses,
)
from rules.breaking_point.battle.state.battle_state import (
    FIELD,
    KINDS,
    REASON_MOST,
    BodyOrder,
    Character,
    FieldMark,
    Order,
)
from rules.breaking_point.spec import FORTIFICATIONS, LAND, MEDIA, Place
from rules.core.shapes import (
    ArmyId,
    DeclaredShape,
    InApi,
    NeededIf,
    OneOf,
    SideNumber,
    Slug,
    Text,
    WholeNumber,
    Wrong,
    shape_of,
)
from rules.core.text import _

# Opening of a battle.

HEADS_MOST, ARMOUR_MOST, UNITS_MOST, NAME_MOST = 10_000_000, 100, 60, 200
ONE_OF = _("Choose one of: {known}.")


class StormedPlace(NamedTuple):
    """The place that is assaulted."""

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
    """Members of an opening besides its sides."""

    kind: Annotated[str, OneOf(KINDS, ONE_OF)] = FIELD
    medium: Annotated[str, OneOf(MEDIA, ONE_OF)] = LAND
    distance: Slug = ""
    conditions: tuple[FieldMark, ...] = ()
    place: Annotated[StormedPlace | None, InApi("of an assault")] = None
    defender: Annotated[SideNumber, InApi("the side that holds the place")] = 1
    support: tuple[ArmyId, ...] = ()
    characters: tuple[CharacterAsked, ...] = ()


def condition_to_json(condition: FieldMark, sides: tuple[str, ...]) -> dict[str, Any]:
    """Return a condition as the API shows it, without empty members."""
    told: dict[str, Any] = {"condition": condition.kind}
    if condition.value is not None:
        told["value"] = condition.value
    if condition.side is not None:
        told["side"] = sides[condition.side]
    words = {name: text for name in ("body", "reason") if (text := getattr(condition, name))}
    return {**told, **words}


# Commands.


class SetByHand(NamedTuple):
    """Set a figure of a body, or with `side` the score of a side, by hand (GM)."""

    body: Annotated[Slug, NeededIf(lambda sent: sent.get("side") is None)] = ""
    side: Annotated[SideNumber | None, InApi(nullable=False)] = None
    field: Annotated[Slug, NeededIf(lambda _sent: True), InApi(required=True)] = ""
    value: int | str | None = None
    reason: Annotated[str, Text(REASON_MOST), NeededIf(lambda _sent: True), InApi(required=True)] = ""

    def judged(self, wrong: Wrong) -> Override:
        subject = self.body if self.side is None else f"side-{self.side}"
        return Override(subject, self.field, self.value, self.reason)


COMMANDS: Mapping[str, DeclaredShape] = {
    "order": shape_of(GiveOrder),
    "next": shape_of(Next),
    "resolve": shape_of(Resolve),
    "condition": shape_of(ChangeCondition),
    "override": shape_of(SetByHand),
    "share": shape_of(ShareLosses),
    "end": shape_of(End),
}
API_SHAPES = ApiShapes(
    "BreakingPoint",
    called={BodyOrder: "BodyOrderInput", FieldMark: "FieldMarkInput", StormedPlace: "StormedPlaceInput",
            CharacterAsked: "CharacterInput", Order: "BreakingPointOrderMembers", OpeningAsked: "FightOpening"},
    words={
        GiveOrder: "Order an army. Orders stay secret until the round is resolved.",
        Next: "End the setup.",
        Resolve: "Resolve the phase. The server rolls the dice that are missing.",
        ChangeCondition: "Set a condition of the field, or lift it.",
        ShareLosses: "Share what a body has lost among its units, once the battle is over.",
        End: "End the battle (GM).",
        BodyOrder: "What a body does: attack, shoot or hold.",
        FieldMark: "A condition of the field, of a side or of a body.",
        Order: "",
        OpeningAsked: "",
    },
)  # fmt: skip


def order_to_json(order: Order) -> dict[str, Any]:
    """Return an order as its own commander may read it."""
    bodies = {key: body._asdict() for key, body in order.bodies.items()}
    return {
        "army": order.army, "bodies": bodies, "withdraw": order.withdraw, "commit": order.commit,
        "rally": order.rally, "distance": order.distance,
    }  # fmt: skip
