"""Parser of map documents: it collects all faults with JSON pointers, naming rows and columns (HX-7.3)."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import pairwise
from typing import Any

from rules.core.errors import (
    UNFIT_IN_LINE,
    UNSHOWN,
    InvalidInput,
    demand,
    demand_object_file,
    demand_shallow,
    fit,
    fit_within,
    unfit_within,
)
from rules.core.text import Said, Term, _, say
from rules.hexes.geometry import Edge, Hex, column_letters, edge, hex_at, label_of, place_of, touch

MAP_MOST_BYTES = 256 * 1024
TOO_LONG = _("A map file can be at most 256 KB.")
MOST_FAULTS = 20
SHOWN = 30
NO_MAP_FILE = _("This isn’t a map file. Choose a .json file of a map, as “Export map” writes it.")


def loaded(text: str | bytes) -> object:
    """The JSON value in a file. Raises `InvalidInput` if it is too long or isn't JSON in UTF-8."""
    raw = text.encode() if isinstance(text, str) else text
    demand(len(raw) <= MAP_MOST_BYTES, TOO_LONG)
    demand_object_file(raw, NO_MAP_FILE)
    try:
        document = json.loads(raw.decode("utf-8-sig"), parse_constant=_no_number)
    except UnicodeDecodeError as fault:
        raise InvalidInput(_("This file isn’t in UTF-8. Save it as UTF-8.")) from fault
    except (ValueError, RecursionError) as fault:
        raise InvalidInput(_("This file isn’t valid JSON.")) from fault
    demand_shallow(document)
    return document


def _no_number(text: str) -> object:
    raise ValueError(text)


class Reading:
    """A document being parsed. `wrong` collects faults; `settle` raises them all.

    `kept`: the document was stored before today's rules for texts, so faulty texts are repaired instead of refused.
    """

    def __init__(self, document: object, *, kept: bool = False):
        self.problems: list[tuple[str, Said]] = []
        self.columns = self.rows = 0
        demand(isinstance(document, Mapping), _("A map has to be a JSON object."))
        self.kept = kept
        body = dict(document) if isinstance(document, Mapping) else {}
        self.body: Mapping[str, Any] = fit_within(body) if kept else body  # type: ignore[assignment]
        self._asked: set[str] = set()
        for at, fault in unfit_within(self.body):
            self._unfit(at.removeprefix("/"), fault)

    def given(self, name: str, default: Any = None) -> Any:
        """A member of the document, unchecked."""
        self._asked.add(name)
        return self.body.get(name, default)

    def close(self, *also: str) -> None:
        """Settle, and also refuse members that nothing has read. `also`: members that another parser reads."""
        for name in self.body.keys() - self._asked - set(also):
            self.wrong(name, _("Unknown field “{name}”. Remove it."), name=str(name)[:SHOWN])
        self.settle()

    def wrong(self, at: str, template: Term, **params: object) -> None:
        self.note(at, say(template, **params) if params else template)

    def note(self, at: str, fault: Said) -> None:
        if len(self.problems) < MOST_FAULTS:
            self.problems.append((f"/{at}", fault))

    def wrong_choice(self, at: str, allowed: Collection[str]) -> None:
        self.wrong(at, _("Choose one of: {choices}."), choices=", ".join(allowed))

    def settle(self) -> None:
        """Raise `InvalidInput` with every fault collected; the first one is its message."""
        if self.problems:
            raise InvalidInput(self.problems[0][1], self.problems[0][0], tuple(self.problems))

    def sized(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows

    # Members of the document

    def exactly(self, name: str, value: object) -> None:
        if self.given(name) != value:
            self.wrong(name, _("A map file needs “{name}”: {value}."), name=name, value=json.dumps(value))

    def whole(self, name: str, low: int, high: int) -> int:
        value = self.given(name)
        if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
            return value
        self.wrong(name, _("Enter a whole number from {low} to {high}."), low=low, high=high)
        return low

    def text(self, name: str, most: int, least: int = 0, *, lines: bool = False) -> str:
        """A text member. `lines`: whether it may have several lines."""
        value = self.given(name, "")
        least = 0 if self.kept else least
        if isinstance(value, str) and least <= len(value.strip()) and len(value) <= most:
            return value if lines else self._line(name, value)
        self.wrong(name, _("Enter a text of {least} to {most} characters."), least=least, most=most)
        return ""

    def _unfit(self, at: str, fault: Said) -> None:
        if not self.kept:
            self.note(at, fault)

    def unless_kept(self, name: str, fault: Said) -> None:
        """Note a fault, unless the document was stored before the rule existed."""
        self._unfit(name, fault)

    def _line(self, at: str, text: str) -> str:
        """The text if it fits on one line. For a stored document an unfit text is cleaned up instead."""
        if not UNFIT_IN_LINE.search(text):
            return text
        self._unfit(at, UNSHOWN)
        return " ".join(fit(text).split())

    def text_or_none(self, name: str, most: int) -> str | None:
        """A text member; None if missing or blank."""
        return self.text(name, most).strip() or None if self.has(name) else None

    def has(self, name: str) -> bool:
        return self.given(name) is not None

    def flag(self, name: str, *, default: bool) -> bool:
        value = self.given(name, default)
        if isinstance(value, bool):
            return value
        self.wrong(name, _("Use true or false."))
        return default

    def one_of(self, name: str, allowed: Collection[str], default: str) -> str:
        value = self.given(name, default)
        if isinstance(value, str) and value in allowed:
            return str(value)
        self.wrong_choice(name, allowed)
        return default

    def choices(self, name: str, allowed: Collection[str]) -> tuple[str, ...]:
        chosen = self._list(name)
        for place, one in enumerate(chosen):
            if one not in allowed:
                self.wrong_choice(f"{name}/{place}", allowed)
        return tuple(chosen)

    def _list(self, name: str) -> list[Any]:
        value = self.given(name, [])
        if isinstance(value, list | tuple):
            return list(value)
        self.wrong(name, _("Must be a list."))
        return []

    def _object(self, name: str) -> Mapping[str, Any]:
        value = self.given(name, {})
        if isinstance(value, Mapping):
            return value
        self.wrong(name, _("Enter a JSON object."))
        return {}

    def objects(self, name: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
        for place, one in enumerate(self._list(name)):
            if isinstance(one, Mapping):
                yield f"{name}/{place}", one
            else:
                self.wrong(f"{name}/{place}", _("Enter a JSON object."))

    # Terrain

    def legend(self, slugs: Collection[str]) -> Iterator[tuple[str, str]]:
        """The letters a file declares in addition to the catalogue's, each with its terrain (HX-7.2)."""
        for letter, slug in self._object("legend").items():
            if len(letter) != 1:
                self.wrong("legend", _("“{letter}” has to be a single letter."), letter=letter[:SHOWN])
            elif not isinstance(slug, str) or slug not in slugs:
                self.wrong(f"legend/{letter}", _("Unknown terrain: “{slug}”."), slug=str(slug)[:SHOWN])
            else:
                yield letter, slug

    def lines(self, name: str, letters: Collection[str]) -> Iterator[str]:
        """The terrain rows, each checked for its length and letters."""
        rows = self._list(name)
        if len(rows) != self.rows:
            self.wrong(name, _("The map needs {rows} rows; the file has {given}."), rows=self.rows, given=len(rows))
            return
        for number, row in enumerate(rows):
            if self._row_stands(f"{name}/{number}", number + 1, row, letters):
                yield row

    def _row_stands(self, at: str, number: int, row: object, letters: Collection[str]) -> bool:
        if not isinstance(row, str) or len(row) != self.columns:
            given = len(row) if isinstance(row, str) else 0
            wanted = {"row": number, "columns": self.columns, "given": given}
            self.wrong(at, _("Row {row} has {given} letters; the map needs {columns}."), **wanted)
            return False
        for column, letter in enumerate(row):
            if letter not in letters:
                where = {"row": number, "column": column_letters(column), "letter": letter}
                self.wrong(at, _("Row {row}, column {column}: unknown terrain “{letter}”."), **where)
                return False
        return True

    # Hexes

    def hex(self, at: str, label: object) -> Hex | None:
        """The hex with a label; None, with a fault noted, if it isn't on the map."""
        try:
            named = hex_at(label)  # type: ignore[arg-type]  # it raises for other types
        except InvalidInput as fault:
            self.note(at, fault.message)
            return None
        column, row = place_of(named)
        if column < self.columns and row < self.rows:
            return named
        where = {"row": row + 1, "column": column_letters(column)}
        self.wrong(at, _("Row {row}, column {column} is off the map."), **where)
        return None

    def hexes(self, name: str) -> Iterator[Hex]:
        """A list of at least one hex on the map."""
        labels = self._list(name)
        if not labels:
            self.wrong(name, _("Enter at least one hex."))
        for place, label in enumerate(labels):
            found = self.hex(f"{name}/{place}", label)
            if found is not None:
                yield found

    def pair(self, at: str, labels: object) -> Edge | None:
        """The edge between two adjacent hexes; None, with a fault noted, if they aren't adjacent."""
        if not isinstance(labels, list | tuple) or len(labels) != 2:
            self.wrong(at, _("Enter two neighboring hexes."))
            return None
        first, second = (self.hex(f"{at}/{place}", label) for place, label in enumerate(labels))
        if first is None or second is None:
            return None
        if touch(first, second):
            return edge(first, second)
        if first == second:
            self.wrong(at, _("Choose another hex next to {start}."), start=label_of(first))
            return None
        named = {"first": label_of(first), "second": label_of(second)}
        self.wrong(at, _("{first} and {second} aren’t neighbors."), **named)
        return None

    def steps(self, name: str, *, most: int) -> Iterator[Edge]:
        """The edges along lines of adjacent hexes. `most`: the longest line, in hexes."""
        for place, line in enumerate(self._list(name)):
            at = f"{name}/{place}"
            if not isinstance(line, list | tuple) or not 2 <= len(line) <= most:
                self.wrong(at, _("Enter two neighboring hexes."))
                continue
            for step in pairwise(line):
                found = self.pair(at, step)
                if found is not None:
                    yield found

    def by_hex[Value](self, name: str, value: Callable[[str, Any], Value | None]) -> Iterator[tuple[Hex, Value]]:
        """An object with hexes as keys. `value`: parses one value or notes a fault and returns None."""
        for label, given in self._object(name).items():
            at = self.hex(f"{name}/{label[:SHOWN]}", label)
            said = value(f"{name}/{label[:SHOWN]}", given)
            if at is not None and said is not None:
                yield at, said

    def height(self, highest: int) -> Callable[[str, Any], int | None]:
        def read(at: str, value: Any) -> int | None:
            if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= highest:
                return value
            self.wrong(at, _("Enter a height from 0 to {highest}."), highest=highest)
            return None

        return read

    def label(self, most: int) -> Callable[[str, Any], str | None]:
        def read(at: str, value: Any) -> str | None:
            if isinstance(value, str) and value.strip() and len(value) <= most:
                return self._line(at, value)
            if self.kept and value == "":
                return None
            self.wrong(at, _("Enter a text of {least} to {most} characters."), least=1, most=most)
            return None

        return read

    def zones(self) -> Iterator[frozenset[Hex]]:
        """A set of hexes for each side; no hex may belong to both (HX-7.3)."""
        taken: set[Hex] = set()
        for side, labels in enumerate(self._list("zones")):
            at = f"zones/{side}"
            if not isinstance(labels, list | tuple):
                self.wrong(at, _("Must be a list."))
                continue
            zone = {found for place, label in enumerate(labels) if (found := self.hex(f"{at}/{place}", label))}
            for shared in sorted(zone & taken):
                self.wrong(at, _("{hex} is in both zones. Remove it from one."), hex=label_of(shared))
            taken |= zone
            yield frozenset(zone)
