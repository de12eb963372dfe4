"""Commands in the shape of the API."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from battles.codec.opening import condition_from_json, read_condition
from battles.codec.reading import ABSENT, Members, read_slug, read_whole
from rules.dice import TypedDie
from rules.errors import demand
from rules.pathfinder.battle.commands import (
    ChangeCondition,
    Command,
    End,
    GiveOrder,
    Interrupt,
    Next,
    Override,
    Resolve,
)
from rules.pathfinder.battle.state import KEEP, Order, SetCondition, UseOrder
from rules.text import _

USE_KINDS = ("ability", "resource", "boon", "tactic")
DIE_MOST = 100
NUMBER_MOST = 1_000_000


@dataclass(frozen=True, slots=True)
class AskReinforce:
    """An army of the campaign shall join this side: its sheet is in the database."""

    army: str
    side: int


@dataclass(frozen=True, slots=True)
class AskUndo:
    """Take back the last command."""


@dataclass(frozen=True, slots=True)
class AskAftermath:
    """What the battle does to the world: proposed, or confirmed with these choices. `reroll`: throw its dice again."""

    confirm: bool = False
    choices: Mapping[str, str] = field(default_factory=dict)
    reroll: bool = False


type Asked = Command | AskReinforce | AskUndo | AskAftermath


@dataclass(frozen=True, slots=True)
class Request:
    """What somebody wants, with the dice he typed. `ask`: missing dice are asked for, not rolled."""

    asked: Asked
    typed: tuple[TypedDie, ...] = ()
    ask: bool = False


def request_from_json(data: object, sides: tuple[str, ...]) -> Request:
    """A command of POST commands/. `sides` are the names of the battle's. Raises `InvalidInput`."""
    members = Members(data)
    kind = members.slug("type")
    reader = READERS.get(kind)
    demand(reader, _("There is no command “{type}”."), field="/type", type=kind)
    request = Request(
        asked=reader(members, sides),  # type: ignore[misc]
        typed=members.each("dice", die_from_json),
        ask=members.flag("ask"),
    )
    members.done()
    return request


def die_from_json(data: object, at: str) -> TypedDie:
    """`{army, roll, values}`: faces in the order they are asked for; null leaves that die to the server."""
    members = Members(data, at)
    die = TypedDie(
        members.army("army"),
        members.slug("roll"),
        members.each("values", _face),
    )
    members.done()
    return die


def _face(value: object, at: str) -> int | None:
    return None if value is None else read_whole(value, 1, DIE_MOST, at)


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
        return condition_from_json(nested, "/condition")
    return read_condition(members)


def _override(members: Members, _sides: tuple[str, ...]) -> Override:
    return Override(members.army("army"), members.slug("field"), _override_value(members), members.text("reason"))


def _override_value(members: Members) -> int | str | None:
    value = members.raw("value")
    at = members.pointer("value")
    if value is None or (isinstance(value, str) and read_slug(value, at)):
        return value
    return read_whole(value, -NUMBER_MOST, NUMBER_MOST, at)


def _reinforce(members: Members, sides: tuple[str, ...]) -> AskReinforce:
    return AskReinforce(members.army("army"), _side(members, "side", sides))


def _interrupt(members: Members, _sides: tuple[str, ...]) -> Interrupt:
    return Interrupt(members.text("reason", ""))


def _end(members: Members, sides: tuple[str, ...]) -> End:
    winner = None if members.raw("winner") is None else _side(members, "winner", sides)
    return End(members.text("reason"), winner)


def _side(members: Members, name: str, sides: tuple[str, ...]) -> int:
    """A side by its name, or by its number from 0."""
    value, at = members.raw(name), members.pointer(name)
    if isinstance(value, str):
        demand(value in sides, _("There is no side “{name}”."), field=at, name=value[:60])
        return sides.index(value)
    return read_whole(value, 0, len(sides) - 1, at)


def _undo(_members: Members, _sides: tuple[str, ...]) -> AskUndo:
    return AskUndo()


def _aftermath(members: Members, _sides: tuple[str, ...]) -> AskAftermath:
    choices = Members(members.raw("choices") or {}, "/choices")
    return AskAftermath(members.flag("confirm"), choices.all_slugs(), members.flag("reroll"))


READERS: Mapping[str, Callable[[Members, tuple[str, ...]], Asked]] = {
    "order": _order,
    "resolve": _resolve,
    "next": _next,
    "condition": _condition,
    "override": _override,
    "reinforce": _reinforce,
    "interrupt": _interrupt,
    "end": _end,
    "undo": _undo,
    "aftermath": _aftermath,
}


def order_to_json(order: Order) -> dict[str, Any]:
    """An order as its own commander may read it back."""
    told: dict[str, Any] = {"army": order.army, "tactic": order.tactic, "strategy": order.strategy}
    if order.target != KEEP:
        told["target"] = order.target
    uses = [{use.kind: use.slug, "option": use.option or None, "target": use.target or None} for use in order.use]
    flags = {"withdraw": order.withdraw, "let_go": order.let_go, "hold_the_line": order.hold_the_line}
    return {**told, "use": uses, **flags, "spawn": order.spawn}
