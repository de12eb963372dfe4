"""Requests to a battle in the shape of the API: their members, the frame's own, and commands of its ruleset."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple, TypedDict

from battles.models import Battle
from battles.play.battle_state import get_law
from battles.ruleset_ui import get_battle_ui
from core.clean_input import clean_text
from rules.core.dice import Dice, TypedDie
from rules.core.errors import demand, pointer
from rules.core.shapes.value_kinds import (
    LIST_MOST,
    NUMBER_MOST,
    SLUG_MOST,
    ArmyKind,
    FlagKind,
    SideKind,
    SlugKind,
    WholeKind,
)
from rules.core.text import _
from rules.law import AnswerCommand, DieSide

ABSENT = object()


class Members:
    """The members of one JSON object. Each raises `InvalidInput` with its pointer when it does not fit."""

    def __init__(self, data: object, at: str = ""):
        demand(isinstance(data, Mapping), _("Enter a JSON object."), field=at)
        self._data: Mapping[str, Any] = data  # type: ignore[assignment]
        self._at = at
        self._asked: set[str] = set()

    @property
    def at(self) -> str:
        """Where the object stands."""
        return self._at

    def pointer(self, name: str) -> str:
        return pointer(self._at, name)

    def has(self, name: str) -> bool:
        return name in self._data

    def raw(self, name: str, default: Any = None) -> Any:
        self._asked.add(name)
        return self._data.get(name, default)

    def slug(self, name: str) -> str:
        """An id or slug that must be there. Whether it names something is for the rules to say."""
        return read_slug(self.raw(name), self.pointer(name))

    def slug_or(self, name: str, default: Any) -> Any:
        """The slug, or the default where it is missing or null."""
        return default if self.raw(name) is None else self.slug(name)

    def text(self, name: str, default: str | None = None) -> str:
        value = self.raw(name)
        if default is not None and value in (None, ""):
            return default
        return clean_text(value, field=self.pointer(name), most=200)

    def flag(self, name: str) -> bool:
        return bool(FlagKind().read_document(self.raw(name, False), self.pointer(name)))

    def whole(self, name: str, low: int, high: int, default: int | None = None) -> int:
        value = self.raw(name, default)
        return read_whole(value, low, high, self.pointer(name))

    def slug_or_whole(self, name: str, most: int) -> str | int | None:
        """A word, or a whole number of at most this size either way; None where nothing is given."""
        value, at = self.raw(name), self.pointer(name)
        if value is None:
            return None
        return read_slug(value, at) if isinstance(value, str) else read_whole(value, -most, most, at)

    def all_slugs(self) -> dict[str, str]:
        """Every member, where names are free and values are slugs."""
        return {
            read_slug(name, self._at): _answer(value, self.pointer(str(name))) for name, value in self._data.items()
        }

    def all_plain(self) -> dict[str, str | int | None]:
        """Every member, where names are free and values are words, whole numbers or null."""
        return {read_slug(name, self._at): _plain(value, self.pointer(str(name))) for name, value in self._data.items()}

    def army(self, name: str) -> str:
        return read_army(self.raw(name), self.pointer(name))

    def armies(self, name: str) -> tuple[str, ...]:
        return self.each(name, read_army)

    def each[Item](self, name: str, read: Callable[[object, str], Item]) -> tuple[Item, ...]:
        """A list, each item read by `read(item, pointer)`; missing or null is empty."""
        value = self.raw(name)
        at = self.pointer(name)
        if value is None:
            return ()
        demand(isinstance(value, list | tuple) and len(value) <= LIST_MOST, _("Give a list."), field=at)
        return tuple(read(item, f"{at}/{index}") for index, item in enumerate(value))

    def done(self) -> None:
        """Refuse members nobody asked for: a misspelt one must not be ignored."""
        for name in self._data:
            demand(
                name in self._asked,
                _("Unknown field “{name}”. Remove it."),
                field=self.pointer(str(name)[:SLUG_MOST]),
                name=str(name)[:SLUG_MOST],
            )


def read_slug(value: object, at: str) -> str:
    return str(SlugKind().read_document(value, at))


def _answer(value: object, at: str) -> str:
    """A slug, or "" where the answer is: nothing."""
    return "" if value in ("", None) else read_slug(value, at)


def _plain(value: object, at: str) -> str | int | None:
    if isinstance(value, str):
        return read_slug(value, at)
    whole = isinstance(value, int) and not isinstance(value, bool) and abs(value) <= NUMBER_MOST
    demand(whole or value is None, _("Give a word from the list, a whole number or null."), field=at)
    return value  # type: ignore[return-value]


def read_army(value: object, at: str) -> str:
    """An army's id in its one spelling; what a law calls otherwise as it is."""
    return str(ArmyKind().read_document(value, at))


def read_whole(value: object, low: int, high: int, at: str) -> int:
    return int(WholeKind(low, high).read_document(value, at))


DIE_MOST = 100


@dataclass(frozen=True, slots=True)
class AskReinforce:
    """An army of the campaign shall join this side: its sheet is in the database."""

    army: str
    side: int


@dataclass(frozen=True, slots=True)
class AskForward:
    """Carry out phase after phase until something happens."""


@dataclass(frozen=True, slots=True)
class AskUndo:
    """Undo the last command, or all that came after the command of the event `to` (0: the whole battle)."""

    to: int | None = None


@dataclass(frozen=True, slots=True)
class AskAftermath:
    """What the battle does to the world: proposed, or confirmed with these choices. `reroll`: throw its dice again."""

    confirm: bool = False
    choices: Mapping[str, str] = field(default_factory=dict)
    reroll: bool = False


@dataclass(frozen=True, slots=True)
class SentCommand:
    """A command of the law as it was sent, with its dice. It is read once the battle is in hand (`parse_request`)."""

    data: object


class TableDice(TypedDict, total=False):
    """Dice typed carry the name of whoever acts; missing ones are rolled (by `server`), or with `ask` asked for
    (`DiceNeeded`).
    """

    typed: Iterable[TypedDie]
    ask: bool
    server: Dice | None


class Request(NamedTuple):
    """What somebody wants (one of the above, or a command of the law), with the dice they typed."""

    command: Any
    dice: TableDice


def parse_request(data: object, battle: Battle) -> Request:
    """A command of POST commands/ for this battle. Raises `InvalidInput`."""
    members = Members(data)
    command = _read(members.slug("type"), members, battle)
    die_sides = get_law(battle).battle.die_sides
    dice = TableDice(
        typed=members.each("dice", partial(die_from_json, sides=die_sides)),
        ask=members.flag("ask"),
    )
    members.done()
    return Request(command, dice)


def read_command(kind: str, told: object, battle: Battle) -> Any:
    """The command of this kind with these members: those of the API are those of a form. Raises `InvalidInput`."""
    members = Members(told)
    command = _read(kind, members, battle)
    members.done()
    return command


def _read(kind: str, members: Members, battle: Battle) -> Any:
    reader = READERS.get(kind) or get_battle_ui(get_law(battle)).readers.get(kind)
    demand(reader, _("Unknown command: “{type}”."), field="/type", type=kind)
    return reader(members, tuple(side["name"] for side in battle.state["sides"]))  # type: ignore[misc]


def die_from_json(data: object, at: str, sides: Mapping[str, tuple[DieSide, ...]]) -> TypedDie:
    """`{army, roll, values}`: faces in the order they are asked for; null leaves that die to the server.

    A die without numbers has its `sides`, and they are given by their slugs, or by their numbers from 1.
    """
    members = Members(data, at)
    army, roll = members.army("army"), members.slug("roll")
    values = members.each("values", partial(_face, sides=sides.get(roll, ())))
    die = TypedDie(army, roll, values, at=members.pointer("values"))
    members.done()
    return die


def _face(value: object, at: str, sides: tuple[DieSide, ...]) -> int | None:
    if value is None:
        return None
    if not sides:
        return read_whole(value, 1, DIE_MOST, at)
    slugs = [side.slug for side in sides]
    if value in slugs:
        return slugs.index(str(value)) + 1
    by_number = isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= len(sides)
    known = ", ".join(slugs)
    demand(
        by_number,
        _("Use one of {known}, or the number of the side of the die, 1 to {most}."),
        field=at,
        known=known,
        most=len(sides),
    )
    return int(value)  # type: ignore[call-overload]


def read_side(members: Members, name: str, sides: tuple[str, ...]) -> int:
    """A side by its name, or by its number from 0."""
    return int(SideKind().read_document(members.raw(name), members.pointer(name), {"sides": sides}))


def read_ending(members: Members, sides: tuple[str, ...]) -> tuple[str, int | None]:
    """Why a battle ends, and the index of the side that carried the day, if one did."""
    winner = None if members.raw("winner") is None else read_side(members, "winner", sides)
    return members.text("reason"), winner


def read_answer(members: Members, _sides: tuple[str, ...]) -> AnswerCommand:
    """The answer to a question (`{key, choice?, answers?}`), for the `readers` of laws that ask. Whether it fits the
    law says (`BattleLaw.answered`).
    """
    key, choice = members.slug("key"), members.slug_or("choice", "")
    given = members.raw("answers")
    answers = Members({} if given is None else given, members.pointer("answers"))
    return AnswerCommand(key, choice, answers.all_plain())


def _reinforce(members: Members, sides: tuple[str, ...]) -> AskReinforce:
    return AskReinforce(members.army("army"), read_side(members, "side", sides))


def _forward(_members: Members, _sides: tuple[str, ...]) -> AskForward:
    return AskForward()


def _undo(members: Members, _sides: tuple[str, ...]) -> AskUndo:
    return AskUndo(None if members.raw("to") is None else members.whole("to", 0, NUMBER_MOST))


def _aftermath(members: Members, _sides: tuple[str, ...]) -> AskAftermath:
    given = members.raw("choices")
    choices = Members({} if given is None else given, "/choices")
    return AskAftermath(members.flag("confirm"), choices.all_slugs(), members.flag("reroll"))


READERS: Mapping[str, Callable[[Members, tuple[str, ...]], Any]] = {
    "reinforce": _reinforce,
    "forward": _forward,
    "undo": _undo,
    "aftermath": _aftermath,
}


def request_of(data: object, find_battle: Callable[[], Battle]) -> Request:
    """What a program asks for. What the frame itself is asked for locks in its own order, so it is read before."""
    of_the_frame = isinstance(data, Mapping) and data.get("type") in tuple(READERS)
    return parse_request(data, find_battle()) if of_the_frame else Request(SentCommand(data), {})
