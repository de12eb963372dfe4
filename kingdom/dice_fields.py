"""Form fields for dice that users type, step by step, on any page that asks for dice.

A die has the key "subject|roll|sides". A die with symbols has a radio button for each side, named `side-<n>`, where n
is the die's index among those sent; it overrides the field `face`. Dice of earlier steps are sent along in hidden
`face` fields, before those of this step; `settled` is their number. So the server stores nothing between steps.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.clean_input import parse_whole
from core.text import render
from rules.core.dice import DiceNeeded, TypedDie
from rules.core.text import Term
from rules.law import DieSide

ROLLED, ASKED = "rolled", "asked"  # treatment of empty dice
LEFT = "-"  # in place of a face: this die is left to the server, though others are asked for
BETWEEN = re.compile(r"[\s,;]+")
LONGEST_SHOWN, LONGEST_NEED = 20, 300
SIDE = "side-"
FIELDS = frozenset({"die", "face", "need", "settled", "left", "follows"})


def is_dice_field(name: str) -> bool:
    """Return whether a field of this name holds typed dice."""
    return name in FIELDS or name.startswith(SIDE)


@dataclass(frozen=True)
class DieSideButton:
    """One side of a die with symbols as a button. `number` is its value; `chosen`: whether it was selected."""

    side: DieSide
    number: int
    chosen: bool


@dataclass
class DieField:
    """One die on the page: its owner and purpose, the target to reach, and the typed value.

    `number` counts the dice of one roll: a 10 that is rolled again is followed by die 2.
    """

    subject: str
    roll: str
    die: int
    name: Term
    typed: str = ""
    who: str = ""
    error: str = ""
    sides: tuple[DieSide, ...] = ()
    need: str = ""
    colour: str = ""
    number: int = 1
    place: int = 0
    """Its index among the dice that are sent."""

    @property
    def key(self) -> str:
        return f"{self.subject}|{self.roll}|{self.die}"

    @property
    def label(self) -> str:
        name = render(self.name)
        return name if self.number == 1 else _("%(roll)s, die %(number)s") % {"roll": name, "number": self.number}

    @property
    def left(self) -> bool:
        return self.typed == LEFT

    @property
    def face(self) -> str:
        """The value of its field."""
        return "" if self.left else self.typed

    @property
    def empty(self) -> bool:
        return not self.typed

    @property
    def side_buttons(self) -> list[DieSideButton]:
        """The buttons of a die with symbols, one for each side."""
        typed = self._side_typed()
        return [DieSideButton(side, number, number == typed) for number, side in enumerate(self.sides, start=1)]

    @property
    def shown(self) -> str:
        """The typed value in words."""
        typed = self._side_typed()
        return render(self.sides[typed - 1].name) if typed else self.face

    def read(self) -> int | None:
        """Return the typed face, or None if the server rolls the die. Sets `error` for an impossible face."""
        if self.error or self.empty or self.left:
            return None
        if self.sides:
            return self._read_side()
        if face := parse_whole(self.typed, self.die):
            return face
        told = {"die": self.die, "typed": self.typed[:LONGEST_SHOWN]}
        self.error = _("A d%(die)s rolls 1 to %(die)s. You entered %(typed)s.") % told
        return None

    def want(self) -> None:
        """Set `error` if nothing was typed."""
        if self.empty:
            self.error = _("Enter a result here.")

    def _read_side(self) -> int | None:
        if face := self._side_typed():
            return face
        self.error = _("Choose one of its sides.")
        return None

    def _side_typed(self) -> int | None:
        """Return the number of the chosen side, found by slug or by number; None if there is none."""
        for face, side in enumerate(self.sides, start=1):
            if self.typed == side.slug:
                return face
        return parse_whole(self.typed, len(self.sides)) if self.sides else None


def spread(rows: list[DieField]) -> None:
    """Distribute several faces typed in one field over the empty fields after it. If they do not all fit, none
    moves.
    """
    for place, row in enumerate(rows):
        faces = [face for face in BETWEEN.split(row.typed) if face]
        if row.sides or len(faces) < 2:
            continue
        room = [row, *(later for later in rows[place + 1 :] if later.empty and not later.sides)]
        if len(faces) > len(room):
            told = {"count": len(faces), "room": len(room)}
            row.error = (
                _("You entered %(count)s dice, but only %(room)s fit: this one and the empty ones below.") % told
            )
            continue
        for filled, face in zip(room, faces, strict=False):
            filled.typed = face


def _say_wrong(missing: int, wrong: int) -> Iterator[str]:
    """Yield how many of the wrong dice have an impossible face, and how many have none yet."""
    if invalid := wrong - missing:
        yield ngettext("One die isn’t valid.", "%(count)s dice aren’t valid.", invalid) % {"count": invalid}
    if missing:
        yield ngettext("One die is missing.", "%(count)s dice are missing.", missing) % {"count": missing}


class DiceFields:
    """Mixin for a form: `dice` holds the dice of earlier steps, `asked` those it asks for now.

    - `rolls`: names of all rolls. `die_sides`: sides of the dice with symbols.
    - `by_hand`: whether users type dice at all. `settled_by`: the field that says what happens to empty dice.
    """

    rolls: Mapping[str, Term] = {}
    die_sides: Mapping[str, tuple[DieSide, ...]] = {}
    most_dice = 400
    follows = ""
    """A sentence about further dice that these may require; "" if unknown."""
    by_hand: Any = False
    settled_by: Any = "how"
    data: Any
    add_error: Any

    @property
    def how(self) -> str:
        """Treatment of empty dice: `asked` (the user types them) unless the user leaves them to the server, else
        `rolled`.
        """
        return ASKED if self.by_hand and self.data.get(self.settled_by) != ROLLED else ROLLED

    @property
    def ask(self) -> bool:
        """Whether no die may stay empty."""
        return self.how == ASKED

    def take_dice(self, data: QueryDict | None) -> None:
        self.asked: list[DieField] = []
        self.dice = [] if data is None else self._sent(data)
        self.follows = data.get("follows", "")[:LONGEST_NEED] if data is not None else ""
        self._settled = min(parse_whole(data.get("settled")) or 0, len(self.dice)) if data is not None else 0
        spread(self.dice[self._settled :])
        for place in data.getlist("left") if data is not None else ():
            if (at := parse_whole(place)) is not None and at < len(self.dice) and self.dice[at].empty:
                self.dice[at].typed = LEFT

    def check_faces(self) -> None:
        """Ask for all dice of this step again if one of them is invalid; the others keep what was typed."""
        for die in self.dice:
            die.read()
        for die in self.dice[self._settled :] if self.ask else ():
            die.want()
        if wrong := [die for die in self.dice if die.error]:
            self.resume()
            self.add_error(None, " ".join(_say_wrong(sum(die.empty for die in wrong), len(wrong))))

    def resume(self) -> None:
        """Ask for the dice of this step again."""
        if any(die.error for die in self.dice[: self._settled]):
            self._settled = 0
        self.asked, self.dice = self.dice[self._settled :], self.dice[: self._settled]
        self._count()

    def settle(self) -> None:
        """Accept the dice of this step."""
        self._settled = len(self.dice)
        self.dice, self.asked = [*self.dice, *self.asked], []

    def reopen(self) -> bool:
        """Ask for the dice of the last step again, and return whether there are any."""
        self.resume()
        return bool(self.asked)

    def typed(self) -> tuple[TypedDie, ...]:
        """Return the dice known so far, in the order they were asked for."""
        return tuple(TypedDie(die.subject, die.roll, (die.read(),)) for die in self.dice)

    def ask_for(self, needed: DiceNeeded) -> None:
        self.asked = [replace(self._die(ask.army, ask.name, ask.die), need=render(ask.need)) for ask in needed.asks]
        self.follows = render(needed.follows)
        self._count()

    def _count(self) -> None:
        thrown: Counter[tuple[str, str]] = Counter()
        for place, die in enumerate((*self.dice, *self.asked)):
            thrown[die.subject, die.roll] += 1
            die.number = thrown[die.subject, die.roll]
            die.place = place

    def introduce(self, names: Mapping[str, str], colours: Mapping[str, str] | None = None) -> None:
        """Set the name of each die's army and the colour of its side."""
        for die in (*self.dice, *self.asked):
            die.who, die.colour = names.get(die.subject, ""), (colours or {}).get(die.subject, "")

    @property
    def wrong(self) -> list[DieField]:
        return [die for die in self.asked if die.error]

    @property
    def counts(self) -> dict[str, int]:
        """Number of the dice asked for that are typed correctly, wrong and empty."""
        empty = sum(not die.face for die in self.asked)
        wrong = sum(bool(die.error and die.face) for die in self.asked)
        return {"typed": len(self.asked) - wrong - empty, "wrong": wrong, "empty": empty}

    def kept(self) -> dict[str, list[str]]:
        """Return the dice as form data, by field name."""
        every = [*self.dice, *self.asked]
        return {
            "die": [die.key for die in every],
            "face": [die.typed for die in every],
            "need": [die.need for die in every],
            "settled": [str(len(self.dice))],
            "follows": [self.follows],
        }

    def _sent(self, data: QueryDict) -> list[DieField]:
        keys = data.getlist("die")[: self.most_dice]
        faces, needs = data.getlist("face"), data.getlist("need")
        needs += [""] * (len(keys) - len(needs))
        faces = [data.get(f"{SIDE}{place}", face).strip() for place, face in enumerate(faces)]
        found = [self._die_of(key, face, need) for key, face, need in zip(keys, faces, needs, strict=False)]
        return [die for die in found if die is not None]

    def _die_of(self, key: str, face: str, need: str) -> DieField | None:
        subject, roll, sides = (*key.split("|"), "", "")[:3]
        die = parse_whole(sides, most=999)
        if not die or roll not in self.rolls:
            return None
        return replace(self._die(subject, roll, die), typed=face, need=need[:LONGEST_NEED])

    def _die(self, subject: str, roll: str, die: int) -> DieField:
        return DieField(subject, roll, die, self._name(roll), sides=self.die_sides.get(roll, ()))

    def _name(self, roll: str) -> Term:
        return self.rolls.get(roll, Term(roll))
