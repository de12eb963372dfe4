"""Requests to a battle in the shape of the API: members, the frame's own requests, and commands of its ruleset."""

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
    """Members of one JSON object. Each reader raises `InvalidInput` with the pointer of a member that does not fit."""

    def __init__(self, data: object, at: str = ""):
        demand(isinstance(data, Mapping), _("Enter a JSON object."), field=at)
        self._data: Mapping[str, Any] = data  # type: ignore[assignment]
        self._at = at
        self._asked: set[str] = set()

    @property
    def at(self) -> str:
        """Pointer of the object."""
        return self._at

    def pointer(self, name: str) -> str:
        return pointer(self._at, name)

    def has(self, name: str) -> bool:
        return name in self._data

    def raw(self, name: str, default: Any = None) -> Any:
        self._asked.add(name)
        return self._data.get(name, default)

    def slug(self, name: str) -> str:
        """A required id or slug. The rules check whether it names anything."""
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
        """A slug, or a whole number from -`most` to `most`; None where it is missing or null."""
        value, at = self.raw(name), self.pointer(name)
        if value is None:
            return None
        return read_slug(value, at) if isinstance(value, str) else read_whole(value, -most, most, at)

    def all_slugs(self) -> dict[str, str]:
        """All members of an object with free names and slugs as values."""
        return {
            read_slug(name, self._at): _answer(value, self.pointer(str(name))) for name, value in self._data.items()
        }

    def all_plain(self) -> dict[str, str | int | None]:
        """All members of an object with free names and words, whole numbers or null as values."""
        return {read_slug(name, self._at): _plain(value, self.pointer(str(name))) for name, value in self._data.items()}

    def army(self, name: str) -> str:
        return read_army(self.raw(name), self.pointer(name))

    def armies(self, name: str) -> tuple[str, ...]:
        return self.each(name, read_army)

    def each[Item](self, name: str, read: Callable[[object, str], Item]) -> tuple[Item, ...]:
        """A list whose items are read by `read(item, pointer)`; empty where it is missing or null."""
        value = self.raw(name)
        at = self.pointer(name)
        if value is None:
            return ()
        demand(isinstance(value, list | tuple) and len(value) <= LIST_MOST, _("Must be a list."), field=at)
        return tuple(read(item, f"{at}/{index}") for index, item in enumerate(value))

    def done(self) -> None:
        """Refuses members that were never read, since a misspelt one must not be ignored."""
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
    """A slug, or "" for "nothing"."""
    return "" if value in ("", None) else read_slug(value, at)


def _plain(value: object, at: str) -> str | int | None:
    if isinstance(value, str):
        return read_slug(value, at)
    whole = isinstance(value, int) and not isinstance(value, bool) and abs(value) <= NUMBER_MOST
    demand(whole or value is None, _("Must be a word from the list, a whole number or null."), field=at)
    return value  # type: ignore[return-value]


def read_army(value: object, at: str) -> str:
    """An army's id in canonical spelling; another word that a ruleset uses for an army unchanged."""
    return str(ArmyKind().read_document(value, at))


def read_whole(value: object, low: int, high: int, at: str) -> int:
    return int(WholeKind(low, high).read_document(value, at))


DIE_MOST = 100


@dataclass(frozen=True, slots=True)
class AskReinforce:
    """An army of the campaign joins this side. The frame reads it since its sheet is in the database."""

    army: str
    side: int


@dataclass(frozen=True, slots=True)
class AskForward:
    """Resolve phase after phase until something happens."""


@dataclass(frozen=True, slots=True)
class AskUndo:
    """Undo the last command, or all commands after that of the event `to` (0: the whole battle)."""

    to: int | None = None


@dataclass(frozen=True, slots=True)
class AskAftermath:
    """Propose the aftermath, or confirm it with these choices. `reroll`: reroll its dice instead."""

    confirm: bool = False
    choices: Mapping[str, str] = field(default_factory=dict)
    reroll: bool = False


@dataclass(frozen=True, slots=True)
class SentCommand:
    """A command of the ruleset as it was sent, with its dice. `parse_request` reads it once the battle is loaded."""

    data: object


class TableDice(TypedDict, total=False):
    """Dice of a request. `typed` ones are logged under the user's name. Missing ones are rolled by `server`, or with
    `ask` raise `DiceNeeded`.
    """

    typed: Iterable[TypedDie]
    ask: bool
    server: Dice | None


class Request(NamedTuple):
    """A request (one of the above, or a command of the ruleset), with the dice that were typed."""

    command: Any
    dice: TableDice


def parse_request(data: object, battle: Battle) -> Request:
    """Reads the body of POST commands/ for this battle. Raises `InvalidInput`."""
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
    """The command of this kind with these members, which forms and the API share. Raises `InvalidInput`."""
    members = Members(told)
    command = _read(kind, members, battle)
    members.done()
    return command


def _read(kind: str, members: Members, battle: Battle) -> Any:
    reader = READERS.get(kind) or get_battle_ui(get_law(battle)).readers.get(kind)
    demand(reader, _("Unknown command: “{type}”."), field="/type", type=kind)
    return reader(members, tuple(side["name"] for side in battle.state["sides"]))  # type: ignore[misc]


def die_from_json(data: object, at: str, sides: Mapping[str, tuple[DieSide, ...]]) -> TypedDie:
    """Reads `{army, roll, values}`: faces in the order of the dice; null leaves a die to the server.

    A die without numbers has `sides`, which are given by slug, or by number from 1.
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
        _("Use one of {known}, or the number of a die face, 1 to {most}."),
        field=at,
        known=known,
        most=len(sides),
    )
    return int(value)  # type: ignore[call-overload]


def read_side(members: Members, name: str, sides: tuple[str, ...]) -> int:
    """Index of a side that is given by its name, or by its number from 0."""
    return int(SideKind().read_document(members.raw(name), members.pointer(name), {"sides": sides}))


def read_ending(members: Members, sides: tuple[str, ...]) -> tuple[str, int | None]:
    """Reason for which a battle ends, and index of the winning side, None without one."""
    winner = None if members.raw("winner") is None else read_side(members, "winner", sides)
    return members.text("reason"), winner


def read_answer(members: Members, _sides: tuple[str, ...]) -> AnswerCommand:
    """The answer to a question (`{key, choice?, answers?}`). The ruleset checks whether it fits
    (`BattleLaw.answered`).
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
    """The request in the body of POST commands/. `find_battle` is called only for requests of the frame, which lock
    rows in their own order. A ruleset's command is read later, by `parse_request`.
    """
    of_the_frame = isinstance(data, Mapping) and data.get("type") in tuple(READERS)
    return parse_request(data, find_battle()) if of_the_frame else Request(SentCommand(data), {})
