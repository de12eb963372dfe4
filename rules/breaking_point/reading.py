"""Reader of JSON objects, member by member: all faults are noted, each with a pointer."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Any

from rules.core.characters import UNSHOWN, unfit_in
from rules.core.errors import InvalidInput
from rules.core.text import Said, Term, _, say

type Problems = list[tuple[str, Said]]
type Json = dict[str, Any]

NAME_MOST = 120
SHOWN = 60
RATE_MOST = 100
FRACTION = re.compile(r"[0-9]{1,4}/[0-9]{1,4}|[0-9]{0,4}\.[0-9]{1,17}|[0-9]{1,4}\.?")


def refuse_all(problems: Problems) -> None:
    """Raises `InvalidInput` with every problem, the first one foremost."""
    if problems:
        raise InvalidInput(problems[0][1], problems[0][0], tuple(problems))


class Fields:
    """The members of one object. `known`: all it may have."""

    def __init__(self, data: object, at: str, problems: Problems, known: Collection[str]):
        self.at, self.problems = at, problems
        self.body: Mapping[str, Any] = data if isinstance(data, Mapping) else {}
        if not isinstance(data, Mapping):
            self.wrong("", _("Give an object with named fields."))
        for name in self.body:
            if name not in known:
                self.wrong(name, _("“{name}” is not a field here."), name=str(name)[:SHOWN])

    def wrong(self, member: str, template: Term, /, **params: object) -> None:
        part = str(member).replace("~", "~0").replace("/", "~1")
        pointer = f"{self.at}/{part}" if member else self.at
        self.problems.append((pointer, say(template, **params) if params else template))

    def has(self, name: str) -> bool:
        return self.body.get(name) is not None

    def whole(self, name: str, low: int, high: int, default: int | None = None) -> int:
        """A whole number; where none is given the default, or a problem if there is none."""
        value = self.body.get(name)
        if value is None and default is not None:
            return default
        if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
            return value
        self.wrong(name, _("Give a whole number from {low} to {high}."), low=low, high=high)
        return low

    def flag(self, name: str) -> bool:
        value = self.body.get(name)
        if value is not None and not isinstance(value, bool):
            self.wrong(name, _("Answer yes or no."))
        return value is True

    def text(self, name: str) -> str:
        value = self.body.get(name)
        text = " ".join(value.split()) if isinstance(value, str) else ""  # of one line, as every form has it
        if not 1 <= len(text) <= NAME_MOST:
            self.wrong(name, _("Give a name of 1 to 120 characters."))
        elif unfit_in(str(value)):
            self.wrong(name, UNSHOWN)
        return text

    def one_of(self, name: str, allowed: Collection[str], default: str = "", names: Mapping[str, Term] = {}) -> str:
        """One of these slugs, refused with the `names` of those that people know by name alone."""
        value = self.body.get(name)
        if value is None and default:
            return default
        if isinstance(value, str) and value in allowed:
            return value
        named = [say(_("{name} ({slug})"), name=word, slug=slug) for slug, word in names.items() if slug in allowed]
        self.wrong(name, _("Choose one of: {choices}."), choices=named or ", ".join(allowed))
        return default or next(iter(allowed))

    def rate(self, name: str) -> Fraction | None:
        """Shots a round: 2, 0.5 or "1/4"; None where none is given."""
        value = self.body.get(name)
        if value is None:
            return None
        rate = _fraction(value)
        if rate is not None and 0 < rate <= RATE_MOST and rate.denominator <= RATE_MOST:
            return rate
        self.wrong(name, _("Give a rate of fire above 0 and at most 100: 2, 1/4."))
        return Fraction(1)

    def wholes(self, name: str, low: int, high: int, most: int) -> tuple[int, ...]:
        """A list of at most so many whole numbers; none where none is given."""
        value = self.body.get(name)
        if value is None:
            return ()
        if not isinstance(value, list | tuple) or not 1 <= len(value) <= most:
            self.wrong(name, _("Give a list of 1 to {most} numbers."), most=most)
            return ()
        inner = Fields({str(place): one for place, one in enumerate(value)}, f"{self.at}/{name}", self.problems,
                       [str(place) for place in range(most)])  # fmt: skip
        return tuple(inner.whole(place, low, high) for place in inner.body)


def _fraction(value: object) -> Fraction | None:
    """Exponents are not read: "1e-9999999" would be reckoned for hours."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    text = str(value).strip()
    try:
        return Fraction(text) if FRACTION.fullmatch(text) else None
    except ZeroDivisionError:
        return None
