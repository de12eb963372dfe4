"""Commands of breaking point in the shape of the API."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from battles.breaking_point.setup.opening_shapes import NUMBER_MOST, read_condition
from battles.codec.members import Members, read_slug, read_whole
from battles.codec.requests import read_ending, read_side
from rules.breaking_point.battle.battle_state import BodyOrder, Order
from rules.breaking_point.battle.commands import (
    ChangeCondition,
    Command,
    End,
    GiveOrder,
    Next,
    Override,
    Resolve,
    ShareLosses,
)
from rules.core.errors import demand
from rules.core.text import _


def _order(members: Members, _sides: tuple[str, ...]) -> GiveOrder:
    return GiveOrder(
        Order(
            army=members.army("army"),
            bodies=_bodies(members),
            withdraw=members.flag("withdraw"),
            commit=members.flag("commit"),
            rally=members.slug_or("rally", ""),
            distance=members.slug_or("distance", ""),
        )
    )


def _bodies(members: Members) -> dict[str, BodyOrder]:
    given, at = members.raw("bodies", {}), members.pointer("bodies")
    demand(isinstance(given, Mapping), _("Give an object with named fields."), field=at)
    return {read_slug(key, at): _body(order, f"{at}/{key}") for key, order in given.items()}


def _body(data: object, at: str) -> BodyOrder:
    members = Members(data, at)
    order = BodyOrder(
        do=members.slug("do"),
        target=members.slug_or("target", ""),
        pursue=members.flag("pursue"),
        riposte=members.flag("riposte") if members.has("riposte") else True,
    )
    members.raw("riposte")
    members.done()
    return order


def _next(_members: Members, _sides: tuple[str, ...]) -> Next:
    return Next()


def _resolve(_members: Members, _sides: tuple[str, ...]) -> Resolve:
    return Resolve()


def _condition(members: Members, sides: tuple[str, ...]) -> ChangeCondition:
    return ChangeCondition(read_condition(members, sides), members.flag("lift"))


def _override(members: Members, sides: tuple[str, ...]) -> Override:
    """Of a body, by `body`; or of a side's score, by `side`."""
    subject = f"side-{read_side(members, 'side', sides)}" if members.has("side") else members.slug("body")
    return Override(subject, members.slug("field"), members.slug_or_whole("value", NUMBER_MOST), members.text("reason"))


def _share(members: Members, _sides: tuple[str, ...]) -> ShareLosses:
    """`units`: points by the number of the unit in its army."""
    given, at = members.raw("units", {}), members.pointer("units")
    demand(isinstance(given, Mapping) and given, _("Give an object with named fields."), field=at)
    units = {
        _number(key, f"{at}/{key}"): read_whole(points, 0, POINTS_MOST, f"{at}/{key}") for key, points in given.items()
    }
    return ShareLosses(members.army("army"), members.slug("body"), units)


def _number(key: object, at: str) -> int:
    """Of a unit, as JSON has it for a key."""
    said = str(key)
    demand(said.isascii() and said.isdigit() and len(said) < 4, _("Unit not found in this body."), field=at)
    return int(said)


def _end(members: Members, sides: tuple[str, ...]) -> End:
    return End(*read_ending(members, sides))


POINTS_MOST = 10**9
READERS: Mapping[str, Callable[[Members, tuple[str, ...]], Command]] = {
    "order": _order,
    "next": _next,
    "resolve": _resolve,
    "condition": _condition,
    "override": _override,
    "share": _share,
    "end": _end,
}


def order_to_json(order: Order) -> dict[str, Any]:
    """An order as its own commander may read it back."""
    bodies = {key: body._asdict() for key, body in order.bodies.items()}
    return {
        "army": order.army, "bodies": bodies, "withdraw": order.withdraw, "commit": order.commit,
        "rally": order.rally, "distance": order.distance,
    }  # fmt: skip
