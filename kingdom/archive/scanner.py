"""A JSON document read piece by piece: whatever its size, one value of it is in memory."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from gzip import BadGzipFile
from json import JSONDecodeError
from typing import Any, TextIO

from kingdom.strict_json import DECODER, demand_usable
from rules.errors import InvalidInput
from rules.text import Said, _, say

CHUNK = 65_536  # characters
VALUE_MAX = 67_108_864  # characters of one value
WHOLE_MAX = 4_294_967_296  # characters of a document: what is packed may be far larger than it looks
WHITE = re.compile(r"[ \t\n\r]*")
WHOLE_ONCE_READ = '{["'  # what begins so is not longer than it was read; a number may go on


class Scanner:
    """Walks the outer objects and lists of a document; whoever walks takes each value or walks into it in turn."""

    def __init__(self, text: TextIO):
        self._text = text
        self._held, self._at, self._read = "", 0, 0
        self._line, self._column = 1, 1  # where what is held begins
        self._wrong = 0  # how far behind `_at` a value could not be read on

    def members(self, at: str) -> Iterator[str]:
        """The names of an object, before the value of each."""
        self._take("{", at)
        if self._next(at) == "}":
            self._take("}", at)
            return
        known: set[str] = set()
        while True:
            if self._next(at) != '"':
                raise InvalidInput(self._not_json(), at)
            name = self.value(at)
            if name in known:
                raise InvalidInput(_("The same stands here twice."), f"{at}/{name}"[:200])
            known.add(name)
            self._take(":", at)
            yield name
            if self._take(",}", at) == "}":
                return

    def items(self, at: str) -> Iterator[int]:
        """The places of a list, before the value of each."""
        self._take("[", at)
        if self._next(at) == "]":
            self._take("]", at)
            return
        place = 0
        while True:
            yield place
            place += 1
            if self._take(",]", at) == "]":
                return

    def value(self, at: str) -> Any:
        """The next value whole. Raises `InvalidInput` with its pointer."""
        first, size = self._next(at), CHUNK
        while True:
            found = self._decoded(at)
            if found is not None and (found[1] < len(self._held) or first in WHOLE_ONCE_READ):
                self._at = found[1]
                demand_usable(found[0], at)
                return found[0]
            if len(self._held) - self._at > VALUE_MAX:
                raise InvalidInput(_("This is too long."), at)
            if not self._more(size):
                raise InvalidInput(self._not_json(self._wrong), at)
            size *= 2

    def end(self) -> None:
        """Demand that nothing follows."""
        try:
            self._next("")
        except InvalidInput:
            return
        raise InvalidInput(self._not_json())

    def _decoded(self, at: str) -> tuple[Any, int] | None:
        try:
            return DECODER.raw_decode(self._held, self._at)
        except JSONDecodeError as error:
            self._wrong = error.pos - self._at
            return None
        except RecursionError:
            raise InvalidInput(_("This is nested too deeply."), at) from None

    def _next(self, at: str) -> str:
        """The next character that says something; it stays."""
        while True:
            self._at = WHITE.match(self._held, self._at).end()  # type: ignore[union-attr]  # it matches nothing, too
            if self._at < len(self._held):
                return self._held[self._at]
            if not self._more(CHUNK):
                raise InvalidInput(self._not_json(), at)

    def _take(self, among: str, at: str) -> str:
        found = self._next(at)
        if found not in among:
            raise InvalidInput(self._not_json(), at)
        self._at += 1
        return found

    def _more(self, size: int) -> bool:
        try:
            chunk = self._text.read(size)
        except UnicodeDecodeError:
            raise InvalidInput(_("This is not UTF-8 text.")) from None
        except (BadGzipFile, EOFError, zlib.error):
            raise InvalidInput(_("This is packed, but not whole: pack it with gzip again.")) from None
        self._read += len(chunk)
        if self._read > WHOLE_MAX:
            raise InvalidInput(_("This is too long."))
        self._line, self._column = self._place(self._at)
        self._held, self._at = self._held[self._at :] + chunk, 0
        return bool(chunk)

    def _place(self, at: int) -> tuple[int, int]:
        """Line and column of a character that is held, as editors count them."""
        before = self._held[:at]
        if (lines := before.count("\n")) == 0:
            return self._line, self._column + at
        return self._line + lines, at - before.rfind("\n")

    def _not_json(self, further: int = 0) -> Said:
        """That it cannot be read on here, or so many characters further."""
        line, column = self._place(self._at + further)
        return say(_("This is not valid JSON: see line {line}, column {column}."), line=line, column=column)
