"""What somebody asks of a battle in the shape of the API: the frame's own requests, and commands of its law."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from battles.codec.reading import Members, read_whole
from battles.faces import BattleFace
from rules.dice import TypedDie
from rules.errors import demand
from rules.text import _

DIE_MOST = 100


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


@dataclass(frozen=True, slots=True)
class Request:
    """What somebody wants (one of the above, or a command of the law), with the dice he typed.

    `ask`: missing dice are asked for, not rolled.
    """

    asked: Any
    typed: tuple[TypedDie, ...] = ()
    ask: bool = False


def request_from_json(data: object, face: BattleFace, sides: tuple[str, ...]) -> Request:
    """A command of POST commands/. `sides` are the names of the battle's. Raises `InvalidInput`."""
    members = Members(data)
    kind = members.slug("type")
    reader = READERS.get(kind) or face.readers.get(kind)
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
    die = TypedDie(members.army("army"), members.slug("roll"), members.each("values", _face))
    members.done()
    return die


def _face(value: object, at: str) -> int | None:
    return None if value is None else read_whole(value, 1, DIE_MOST, at)


def read_side(members: Members, name: str, sides: tuple[str, ...]) -> int:
    """A side by its name, or by its number from 0."""
    value, at = members.raw(name), members.pointer(name)
    if isinstance(value, str):
        demand(value in sides, _("There is no side “{name}”."), field=at, name=value[:60])
        return sides.index(value)
    return read_whole(value, 0, len(sides) - 1, at)


def _reinforce(members: Members, sides: tuple[str, ...]) -> AskReinforce:
    return AskReinforce(members.army("army"), read_side(members, "side", sides))


def _undo(_members: Members, _sides: tuple[str, ...]) -> AskUndo:
    return AskUndo()


def _aftermath(members: Members, _sides: tuple[str, ...]) -> AskAftermath:
    choices = Members(members.raw("choices") or {}, "/choices")
    return AskAftermath(members.flag("confirm"), choices.all_slugs(), members.flag("reroll"))


READERS: Mapping[str, Callable[[Members, tuple[str, ...]], Any]] = {
    "reinforce": _reinforce,
    "undo": _undo,
    "aftermath": _aftermath,
}
