"""Forecast request in the shape of the API."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from battles.codec.requests import Members, read_army, read_whole
from battles.forecast.queries import Wondered
from battles.ruleset_ui import get_battle_ui
from rules.core.errors import demand
from rules.core.odds import AboutOdds, Retreat
from rules.core.text import Term, _
from rules.law import Law
from rules.odds.viewer_forecast import WhichTable

PHASES_MOST, HEALTH_MOST = 200, 1_000_000
UNKNOWN = ("average", "worst")
WONDER = ("orders", "until", "withdraw", "unknown", "matrix", "table")


def parse_forecast_request(data: object, law: Law, sides: tuple[str, ...], usual: Callable[[], WhichTable]) -> Wondered:
    """The body of POST forecast/. `usual`: the table that is meant where only `matrix` is said. Raises `InvalidInput`
    with pointers.
    """
    members = Members(data)
    unknown = members.slug_or("unknown", "average")
    demand(unknown in UNKNOWN, _("One of: {known}."), field="/unknown", known=", ".join(UNKNOWN))
    phases, until = _until(members)
    about = AboutOdds(
        commands=_orders(members, law, sides),
        phases=phases,
        until=until,
        retreats=_by_army(members, "withdraw", partial(_retreat, span=get_battle_ui(law).span)),
        unknown=unknown,
    )
    wants, table = members.flag("matrix"), members.raw("table")
    members.done()
    if table is None:
        return Wondered(about, usual() if wants else None)
    return Wondered(about, _table(table))


def _orders(members: Members, law: Law, sides: tuple[str, ...]) -> tuple[Any, ...]:
    reader = get_battle_ui(law).readers.get("order")
    given = _by_army(members, "orders", lambda body, _at: body)
    demand(reader or not given, _("In this ruleset no orders are given army by army."), field="/orders")
    return tuple(_order(reader, army, body, sides) for army, body in given.items())


def _order(reader: Any, army: str, body: object, sides: tuple[str, ...]) -> Any:
    at = f"/orders/{army}"
    demand(isinstance(body, Mapping), _("Give an object with named fields."), field=at)
    members = Members({**body, "type": "order", "army": army}, at)  # type: ignore[dict-item]
    members.slug("type")
    order = reader(members, sides)
    members.done()
    return order


def _until(members: Members) -> tuple[int | None, Mapping[str, int]]:
    told = members.raw("until")
    if told is None:
        return None, {}
    own = Members(told, "/until")
    phases = own.whole("phases", 1, PHASES_MOST) if own.has("phases") else None
    found = _by_army(own, "hp", _health)
    own.done()
    return phases, found


def _health(value: object, at: str) -> int:
    return read_whole(value, 0, HEALTH_MOST, at)


def _retreat(data: object, at: str, *, span: Term) -> Retreat:
    own = Members(data, at)
    after = own.whole("after", 0, PHASES_MOST) if own.has("after") else None
    health = own.whole("hp", 0, HEALTH_MOST) if own.has("hp") else None
    own.done()
    demand(
        after is not None or health is not None, _("Say after how many {span}, or at what health."), field=at, span=span
    )
    return Retreat(after, health)


def _by_army[Item](members: Members, name: str, read: Callable[[object, str], Item]) -> dict[str, Item]:
    value, at = members.raw(name), members.pointer(name)
    if value is None:
        return {}
    demand(isinstance(value, Mapping), _("Give an object with named fields."), field=at)
    return {read_army(army, at): read(item, f"{at}/{army}") for army, item in value.items()}


def _table(data: object) -> WhichTable:
    own = Members(data, "/table")
    table = WhichTable(own.slug("kind"), own.army("row"), own.army("column"))
    own.done()
    return table
