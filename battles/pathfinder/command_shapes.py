"""Commands of mass combat in the shape of the API."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from battles.codec.members import ABSENT, Members
from battles.codec.requests import read_ending
from battles.pathfinder.setup.opening_shapes import parse_condition, read_condition
from rules.core.errors import demand
from rules.core.text import _
from rules.pathfinder.battle.orders.commands import (
    ChangeCondition,
    Command,
    End,
    GiveOrder,
    Interrupt,
    Next,
    Override,
    Resolve,
)
from rules.pathfinder.battle.state.battle_state import KEEP, Order, SetCondition, UseOrder

USE_KINDS = ("ability", "resource", "boon", "tactic")
NUMBER_MOST = 1_000_000


def _order(members: Members, _sides: tuple[str, ...]) -> GiveOrder:
    return GiveOrder(
        Order(
            army=members.army("army"),
            tactic=members.slug_or("tactic", None),
            strategy=members.slug_or("strategy", None),
            target=_target(members),
            use=members.each("use", _use),
            withdraw=members.slug_or("withdraw", "leave"),
            let_go=members.flag("let_go"),
            hold_the_line=members.flag("hold_the_line"),
            spawn=members.slug_or("spawn", "heal"),
            surrender=members.flag("surrender"),
            stay_at_range=members.flag("stay_at_range"),
        )
    )


def _target(members: Members) -> str | None:
    """Missing: not given. Null: hold."""
    value = members.raw("target", ABSENT)
    if value is ABSENT:
        return KEEP
    return None if value is None else members.army("target")


def _use(data: object, at: str) -> UseOrder:
    members = Members(data, at)
    kinds = [kind for kind in USE_KINDS if members.has(kind)]
    demand(
        len(kinds) == 1,
        _("Name one thing to use: {kinds}."),
        field=at,
        kinds=", ".join(USE_KINDS),
    )
    use = UseOrder(kinds[0], members.slug(kinds[0]), members.slug_or("option", ""), _use_target(members))
    members.done()
    return use


def _use_target(members: Members) -> str:
    return "" if members.raw("target") is None else members.army("target")


def _resolve(_members: Members, _sides: tuple[str, ...]) -> Resolve:
    return Resolve()


def _next(members: Members, _sides: tuple[str, ...]) -> Next:
    return Next(members.slug_or("kind", None))


def _condition(members: Members, _sides: tuple[str, ...]) -> ChangeCondition:
    return ChangeCondition(_set_condition(members), members.flag("lift"))


def _set_condition(members: Members) -> SetCondition:
    """Spelled out beside "type", or nested as it is in the opening: {"condition": {"condition": …}}."""
    nested = members.raw("condition")
    if isinstance(nested, Mapping):
        return parse_condition(nested, "/condition")
    return read_condition(members)


def _override(members: Members, _sides: tuple[str, ...]) -> Override:
    return Override(
        members.army("army"), members.slug("field"), members.slug_or_whole("value", NUMBER_MOST), members.text("reason")
    )


def _interrupt(members: Members, _sides: tuple[str, ...]) -> Interrupt:
    return Interrupt(members.text("reason", ""))


def _end(members: Members, sides: tuple[str, ...]) -> End:
    return End(*read_ending(members, sides))


READERS: Mapping[str, Callable[[Members, tuple[str, ...]], Command]] = {
    "order": _order,
    "resolve": _resolve,
    "next": _next,
    "condition": _condition,
    "override": _override,
    "interrupt": _interrupt,
    "end": _end,
}


def order_to_json(order: Order) -> dict[str, Any]:
    """An order as its own commander may read it back."""
    told: dict[str, Any] = {"army": order.army, "tactic": order.tactic, "strategy": order.strategy}
    if order.target != KEEP:
        told["target"] = order.target
    uses = [{use.kind: use.slug, "option": use.option or None, "target": use.target or None} for use in order.use]
    flags = {"withdraw": order.withdraw, "let_go": order.let_go, "hold_the_line": order.hold_the_line}
    more = {"surrender": order.surrender, "stay_at_range": order.stay_at_range}
    return {**told, "use": uses, **flags, "spawn": order.spawn, **more}
