"""Commands of breaking point in the shape of the API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

from battles.breaking_point.setup.opening_shapes import CharacterAsked, OpeningAsked, StormedPlace
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
from rules.breaking_point.battle.state.battle_state import REASON_MOST, BodyOrder, FieldMark, Order
from rules.core.shapes import DeclaredShape, InApi, NeededIf, SideNumber, Slug, Text, Wrong, shape_of


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
    """An order as its own commander may read it back."""
    bodies = {key: body._asdict() for key, body in order.bodies.items()}
    return {
        "army": order.army, "bodies": bodies, "withdraw": order.withdraw, "commit": order.commit,
        "rally": order.rally, "distance": order.distance,
    }  # fmt: skip
