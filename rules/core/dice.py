"""Dice: who rolls them, how they are asked for, what they need, and those that lie as they fell."""

from __future__ import annotations

import hashlib
import hmac
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from typing import NamedTuple, Protocol, runtime_checkable

from rules.core.errors import InvalidInput, require
from rules.core.text import Said, Term, _, say


class Roll(NamedTuple):
    """One die: whose, for what, its size, its face, `rolled` or `typed`, and by whom when typed.

    `asked`: it is still to be typed, and its face stands in for one that nobody knows.
    """

    army: str
    name: str
    die: int
    value: int
    source: str = "rolled"
    by: str = ""

    @property
    def known(self) -> bool:
        """Whether a die that hinges on this one can be called for."""
        return self.source != "asked"


class DieSide(NamedTuple):
    """One side of a die that bears no numbers: its slug, its name for people, and the slug of its drawing, if any."""

    slug: str
    name: Term
    glyph: str = ""


class Ask(NamedTuple):
    """A die somebody has to type. `need`: what it is up against, where the law can say so beforehand."""

    army: str
    name: str
    die: int
    need: Said | None = None


class TypedDie(NamedTuple):
    """Dice typed for one army and one kind of roll, in the order they are asked for. None: roll this one.

    `at`: the pointer to their values, where they were sent as such; the first of them is number `first` there.
    """

    army: str
    name: str
    values: tuple[int | None, ...]
    at: str = ""
    first: int = 0

    def place(self, number: int) -> str:
        """The pointer to one of these values."""
        return f"{self.at}/{self.first + number}" if self.at else "/dice"


class DiceNeeded(Exception):
    """These dice must be typed before the command can be decided. Nothing has changed.

    `follows`: which dice these may call for, a sentence, where the law can say so beforehand.
    """

    def __init__(self, asks: tuple[Ask, ...], follows: Said | None = None):
        super().__init__(asks)
        self.asks, self.follows = asks, follows

    def explained(self, needs: Iterable[tuple[Roll, Said | None]], follows: Said | None = None) -> DiceNeeded:
        """The same, each die with what is told of it: both in the order in which they were asked for."""
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
    """A source that has its own way with the further faces of one die."""

    def again(self, before: Roll) -> Roll: ...


def further(dice: Dice, before: Roll) -> Roll:
    """One more face of a die that runs on: whose first face was left to the server, the server rolls on."""
    if isinstance(dice, RunningOn):
        return dice.again(before)
    return dice.roll(before.army, before.name, before.die)


class Rolled:
    """The server's dice: secrets-grade randomness, one read of the system's source for many dice."""

    __slots__ = ("_bytes",)

    def __init__(self) -> None:
        self._bytes: Iterator[int] = iter(b"")

    def roll(self, army: str, name: str, die: int) -> Roll:
        limit = 256 - 256 % die  # a byte beyond the last full run would favour the low faces
        while True:
            for byte in self._bytes:
                if byte < limit:
                    return Roll(army, name, die, byte % die + 1)
            self._bytes = iter(os.urandom(64))

    def checkpoint(self) -> None: ...

    def finish(self) -> None: ...


class Pinned:
    """The server's dice where they stay the same: from one step to the next, from a preview to its confirmation.

    One secret, one face for each (army, roll, turn). As unforeseeable as the secret, which nobody is shown.
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
    """Dice from the table. What is missing is rolled (`ask=False`) or asked for (`ask=True`); `server` rolls.

    Raises `InvalidInput` for a face the die does not have, and at `finish` for dice nobody needed.
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
        return Roll(army, name, die, die // 2, "asked")  # checkpoint() throws it away

    def again(self, before: Roll) -> Roll:
        """What is typed next is for the next die."""
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
    """Dice from a record, in the order they fell. Raises `LookupError` when the record does not fit."""

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


# Needs of dice that are still to be typed, read from the events they decide. An event whose dice are asked for was
# worked out with faces that stand in for them: its bonus and what it has to reach are right, its result is not. So
# a step tells what it worked out before it asks for dice (`Dice.checkpoint`).


type Following = Sequence[tuple[Set[str], Said]]
"""Names of rolls, by the step they fall in, with what may follow from them: the last step first."""


def foretold[Event](
    needed: DiceNeeded,
    happened: Iterable[Event],
    rolls_of: Callable[[Event], Iterable[Roll]],
    need: Callable[[Event, Roll], Said | None],
    following: Following = (),
) -> DiceNeeded:
    """The same dice, each with what it needs where the event it decides can tell, and what may follow from them."""
    told = ((roll, need(event, roll)) for event in happened for roll in rolls_of(event) if not roll.known)
    return needed.explained(told, _follows({ask.name for ask in needed.asks}, following))


def _follows(rolls: Set[str], following: Following) -> Said | None:
    """The earliest step among those asked for has the most to come."""
    return next((told for names, told in reversed(following) if names & rolls), None)


# Stored dice: rolled before, they show the same faces when they are asked for again. What is taken back and decided
# anew, with other choices, takes up the dice on the table first. Those it does not need stay aside; only for one
# that never fell is another source asked.


type Whose = tuple[str, str]  # army, roll


def by_name(rolls: Iterable[Roll]) -> dict[Whose, list[Roll]]:
    """Dice by whose they are and what for, in the order they fell."""
    found: dict[Whose, list[Roll]] = {}
    for roll in rolls:
        found.setdefault((roll.army, roll.name), []).append(roll)
    return found


class StoredDice:
    """A source of dice that gives out those that lie first. `taken`: which of them were needed."""

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
    """The typed dice that do not lie yet. Raises `IllegalCommand` for a face that differs from the one that lies."""
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
