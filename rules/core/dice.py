"""Dice: sources of rolls, requests for dice that people type, and dice already rolled."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from os import urandom
from typing import NamedTuple, Protocol, runtime_checkable

from rules.core.errors import InvalidInput, require
from rules.core.text import Said, Term, _, say


class Roll(NamedTuple):
    """Roll of one die: whose, for what, its sides, its face and its source.

    `source` is "rolled", "typed" (`by` whom) or "asked": still to be typed, with a placeholder as its face.
    """

    army: str
    name: str
    die: int
    value: int
    source: str = "rolled"
    by: str = ""

    @property
    def known(self) -> bool:
        """Whether the face is real. Dice that depend on it can then be rolled."""
        return self.source != "asked"


class DieSide(NamedTuple):
    """Side of a die without numbers: its slug, its name, and the slug of its drawing, if any."""

    slug: str
    name: Term
    glyph: str = ""


class Ask(NamedTuple):
    """Request for one die that a person types. `need`: its target in words, if the law knows it."""

    army: str
    name: str
    die: int
    need: Said | None = None


class TypedDie(NamedTuple):
    """Typed values for one army and one kind of roll, in the order in which they are needed. None: roll this one.

    `at` is the JSON pointer to the values where they came as a list; `first` is the index of the first of them there.
    """

    army: str
    name: str
    values: tuple[int | None, ...]
    at: str = ""
    first: int = 0

    def place(self, number: int) -> str:
        """Return the JSON pointer to the value of this index."""
        return f"{self.at}/{self.first + number}" if self.at else "/dice"


class DiceNeeded(Exception):
    """Raised when dice must be typed before the command can be decided. Nothing has changed.

    `follows`: a sentence on further dice that may be needed afterwards, if the law knows them.
    """

    def __init__(self, asks: tuple[Ask, ...], follows: Said | None = None):
        super().__init__(asks)
        self.asks, self.follows = asks, follows

    def explained(self, needs: Iterable[tuple[Roll, Said | None]], follows: Said | None = None) -> DiceNeeded:
        """Return a copy in which each die has its need. `needs` are in the order in which the dice were asked for."""
        told: dict[tuple[str, str], list[Said | None]] = {}
        for roll, need in needs:
            if not roll.known:
                told.setdefault((roll.army, roll.name), []).append(need)
        queues = ((ask, told.get((ask.army, ask.name))) for ask in self.asks)
        return DiceNeeded(tuple(ask._replace(need=queue.pop(0)) if queue else ask for ask, queue in queues), follows)


class Dice(Protocol):
    def roll(self, army: str, name: str, die: int) -> Roll: ...

    def checkpoint(self) -> None: ...

    def finish(self) -> None: ...


@runtime_checkable
class RunningOn(Protocol):
    """Protocol of a source that treats further faces of one exploding die specially."""

    def again(self, before: Roll) -> Roll: ...


def further(dice: Dice, before: Roll) -> Roll:
    """Roll another face of an exploding die. If the server rolled its first face, the server also rolls this one."""
    if isinstance(dice, RunningOn):
        return dice.again(before)
    return dice.roll(before.army, before.name, before.die)


class Rolled:
    """Random dice of the server, as secure as `secrets`. It reads the system's randomness for many dice at once."""

    __slots__ = ("_bytes",)

    def __init__(self) -> None:
        self._bytes: Iterator[int] = iter(b"")

    def roll(self, army: str, name: str, die: int) -> Roll:
        limit = 256 - 256 % die  # a byte beyond the last full run would favour the low faces
        while True:
            for byte in self._bytes:
                if byte < limit:
                    return Roll(army, name, die, byte % die + 1)
            self._bytes = iter(urandom(64))

    def checkpoint(self) -> None: ...

    def finish(self) -> None: ...


class Pinned:
    """Server's dice that are repeatable, from one step to the next and from a preview to its confirmation.

    One secret gives one face for each (army, roll, turn). The faces are as unpredictable as the secret, which nobody
    sees.
    """

    def __init__(self, secret: str):
        self._key = bytes.fromhex(secret)
        self._turns: Counter[tuple[str, str]] = Counter()

    def roll(self, army: str, name: str, die: int) -> Roll:
        self._turns[army, name] += 1
        return Roll(army, name, die, self._face(f"{army}|{name}|{die}|{self._turns[army, name]}", die))

    def _face(self, what: str, die: int) -> int:
        limit, attempt = 256 - 256 % die, 0
        while True:
            byte = hmac.digest(self._key, f"{what}|{attempt}".encode(), hashlib.sha256)[0]
            if byte < limit:  # a byte beyond the last full run would favour the low faces
                return byte % die + 1
            attempt += 1

    def checkpoint(self) -> None: ...

    def finish(self) -> None: ...


class Typed:
    """Dice typed by people. A missing die is rolled by `server` (`ask=False`) or asked for (`ask=True`).

    Raises `InvalidInput` for a face that the die does not have, and at `finish` for dice that were not needed.
    """

    def __init__(self, typed: Iterable[TypedDie], *, by: str = "", ask: bool = False, server: Dice | None = None):
        self._queues: dict[tuple[str, str], list[tuple[int | None, str]]] = {}
        for die in typed:
            faces = [(value, die.place(number)) for number, value in enumerate(die.values)]
            self._queues.setdefault((die.army, die.name), []).extend(faces)
        self._by = by
        self._ask = ask
        self._missing: list[Ask] = []
        self._server = server or Rolled()

    def roll(self, army: str, name: str, die: int) -> Roll:
        queue = self._queues.get((army, name))
        if queue:
            return self._taken(army, name, die, *queue.pop(0))
        if not self._ask:
            return self._server.roll(army, name, die)
        self._missing.append(Ask(army, name, die))
        return Roll(army, name, die, die // 2, "asked")  # a placeholder: checkpoint() discards the result

    def again(self, before: Roll) -> Roll:
        """Roll again with the next typed value, or with the server if it rolled the first face."""
        if before.source == "rolled":
            return self._server.roll(before.army, before.name, before.die)
        return self.roll(before.army, before.name, before.die)

    def _taken(self, army: str, name: str, die: int, value: int | None, at: str) -> Roll:
        if value is None:
            return self._server.roll(army, name, die)
        if not 1 <= value <= die:
            raise InvalidInput(say(_("A d{die} shows 1 to {die}, not {value}."), die=die, value=value), at)
        return Roll(army, name, die, value, "typed", self._by)

    def checkpoint(self) -> None:
        if self._missing:
            raise DiceNeeded(tuple(self._missing))

    def finish(self) -> None:
        self.checkpoint()
        for (_army, name), queue in self._queues.items():
            if spare := [(value, at) for value, at in queue if value is not None]:
                values, places = zip(*spare, strict=True)
                raise InvalidInput(
                    say(_("This die isn’t needed: {name} {values}. Remove it."), name=name, values=[*values]),
                    places[0],
                )


class Replayed:
    """Dice from a record, in their order. Raises `LookupError` if the record does not match the rolls asked for."""

    def __init__(self, rolls: Iterable[Roll]):
        self._rolls = list(rolls)
        self._next = 0

    def roll(self, army: str, name: str, die: int) -> Roll:
        if self._next >= len(self._rolls):
            raise LookupError(f"no die recorded for {army} {name}")
        found = self._rolls[self._next]
        if (found.army, found.name, found.die) != (army, name, die):
            raise LookupError(f"recorded {found}, asked for {army} {name} d{die}")
        self._next += 1
        return found

    def checkpoint(self) -> None: ...

    def finish(self) -> None:
        if self._next != len(self._rolls):
            raise LookupError("the record holds dice nobody asked for")


# Needs of dice that are still to be typed are read from the events that they decide. Such an event was worked out with
# placeholder faces: its bonus and target number are right, its result is not. So a step reports its events before it
# asks for dice (`Dice.checkpoint`).


type Following = Sequence[tuple[Set[str], Said]]
"""Names of rolls by the step in which they are made, with what may follow from them; last step first."""


def foretold[Event](
    needed: DiceNeeded,
    happened: Iterable[Event],
    rolls_of: Callable[[Event], Iterable[Roll]],
    need: Callable[[Event, Roll], Said | None],
    following: Following = (),
) -> DiceNeeded:
    """Return requests for the dice needed, each with its target (if its event knows it), and a note on further dice
    that may follow.
    """
    told = ((roll, need(event, roll)) for event in happened for roll in rolls_of(event) if not roll.known)
    return needed.explained(told, _follows({ask.name for ask in needed.asks}, following))


def _follows(rolls: Set[str], following: Following) -> Said | None:
    """Return the sentence for the earliest step among these rolls, from which the most may follow."""
    return next((told for names, told in reversed(following) if names & rolls), None)


# Stored dice show the same faces when they are asked for again. After an undo, a new decision uses the dice on the
# table first. Those it does not need stay aside; another source rolls only what was never rolled.


type Whose = tuple[str, str]  # (army, name of the roll)


def by_name(rolls: Iterable[Roll]) -> dict[Whose, list[Roll]]:
    """Group rolls by army and name, in the order in which they were rolled."""
    found: dict[Whose, list[Roll]] = {}
    for roll in rolls:
        found.setdefault((roll.army, roll.name), []).append(roll)
    return found


class StoredDice:
    """Dice source that returns stored rolls first, then those of `then`. `taken` are the stored
    rolls that were used.
    """

    def __init__(self, lying: Iterable[Roll], then: Dice):
        self._lying = by_name(lying)
        self._then = then
        self.taken: list[Roll] = []

    def roll(self, army: str, name: str, die: int) -> Roll:
        return self._lie(army, name) or self._then.roll(army, name, die)

    def again(self, before: Roll) -> Roll:
        return self._lie(before.army, before.name) or further(self._then, before)

    def _lie(self, army: str, name: str) -> Roll | None:
        if not (lying := self._lying.get((army, name))):
            return None
        self.taken.append(lying.pop(0))
        return self.taken[-1]

    def checkpoint(self) -> None:
        self._then.checkpoint()

    def finish(self) -> None:
        self._then.finish()


def still_to_fall(typed: Iterable[TypedDie], lying: Iterable[Roll]) -> tuple[TypedDie, ...]:
    """Return the typed dice that are not yet on the table. Raises `IllegalCommand` for a value that differs from the
    stored face.
    """
    left = by_name(lying)
    found = []
    for die in typed:
        queue = left.get((die.army, die.name), [])
        for number, (value, roll) in enumerate(zip(die.values, queue, strict=False)):
            require(
                value in (None, roll.value),
                _("This die was already rolled and shows {value}. Keep it, or roll the dice of the aftermath again."),
                field=die.place(number),
                value=roll.value,
            )
        left[die.army, die.name] = queue[len(die.values) :]
        lie = min(len(queue), len(die.values))
        found.append(die._replace(values=die.values[lie:], first=die.first + lie if die.at else 0))
    return tuple(die for die in found if die.values)
