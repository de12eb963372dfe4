"""JSON scanner that reads a document piece by piece, with one value in memory and limits on its size.

ijson parses it. Wrong shapes, depths and sizes are refused as they come. A gzip file is unpacked while it is read.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from typing import Any, BinaryIO, NoReturn, Protocol

import ijson

from core.clean_input import DEPTH_MAX, NAME_SHOWN, demand_usable
from rules.core.errors import InvalidInput, pointer
from rules.core.text import Said, _, say

CHUNK = 65_536  # bytes
VALUE_MAX = 16_777_216  # bytes of one value in the file
BETWEEN_MAX = 1_048_576  # bytes of a name, or of white space between two values
MEMBERS_MAX = 1_000  # members of a gzip file
EXACT = 1_024  # bytes of a text or number within which a fault is located exactly
PARTS_MAX = 500_000  # JSON values in one value
WHOLE_PARTS = 8_000_000  # in a document with a limited size
GZIP, MARK = b"\x1f\x8b", b"\xef\xbb\xbf"
FOLLOWING = bytes(range(0x80, 0xC0))  # continuation bytes of UTF-8
TOO_LARGE, TOO_LONG = _("This number is too large."), _("This is too long.")
STARTS, ENDS = frozenset({"start_map", "start_array"}), frozenset({"end_map", "end_array"})

type JsonEvent = tuple[str, Any]


class Readable(Protocol):
    """A binary file that can be read from its beginning, several times."""

    def read(self, size: int, /) -> bytes: ...
    def seek(self, to: int, /) -> object: ...


class UnpackedFile:
    """The unpacked content of a gzip file. Raises `zlib.error`, or `EOFError` if it is incomplete."""

    def __init__(self, file: BinaryIO):
        self._file = file
        self.seek(0)

    def seek(self, to: int, /) -> None:
        """Return to the beginning."""
        self._file.seek(to)
        self._members = 0
        self._packed = b""
        self._begin()

    def read(self, size: int, /) -> bytes:
        parts: list[bytes] = []
        while size > 0 and (part := self._some(size)):
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def _some(self, size: int) -> bytes:
        while True:
            packed = self._packed or self._file.read(CHUNK)
            self._packed = b""
            if self._member.eof:
                self._packed = packed.lstrip(b"\0") if self._members else packed  # some tools pad the file with zeros
                if not packed:
                    return b""
                if self._packed:
                    self._begin()
                continue
            found = self._member.decompress(packed, size)
            self._packed = self._member.unconsumed_tail or self._member.unused_data
            if found:
                return found
            if not packed and not self._member.eof:
                raise EOFError

    def _begin(self) -> None:
        self._members += 1
        if self._members > MEMBERS_MAX:
            raise zlib.error
        self._member = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)


class DocumentFile:
    """The bytes of a document, unpacked if it is a gzip file. `most`: most bytes; None for any number."""

    def __init__(self, file: BinaryIO, most: int | None = None):
        file.seek(0)
        packed = file.read(len(GZIP)) == GZIP
        file.seek(0)
        self._file: Readable = UnpackedFile(file) if packed else file
        self._most, self.is_bounded = most, most is not None
        self.size = 0  # bytes read so far
        self.rewind()

    def rewind(self) -> None:
        self._file.seek(0)
        self.taken = 0
        self.last = 0  # bytes of the last piece
        self.most_now: int | None = None  # position up to which the present value may extend

    def read(self, size: int = CHUNK) -> bytes:
        """Return the next bytes. Raises `InvalidInput` if they cannot be unpacked or are too many."""
        if self.most_now is not None:
            size = min(size, self.most_now + 1 - self.taken)
        piece = self._unpacked(size)
        if not self.taken:
            piece = piece.removeprefix(MARK)
        self.last = len(piece)
        self.taken += len(piece)
        self.size = max(self.size, self.taken)
        if self._most is not None and self.taken > self._most:
            raise InvalidInput(
                say(_("This file is too large. It can have {most} bytes uncompressed at most."), most=self._most)
            )
        if self.most_now is not None and self.taken > self.most_now:
            raise InvalidInput(TOO_LONG)
        return piece

    def _unpacked(self, size: int) -> bytes:
        try:
            return self._file.read(size)
        except (EOFError, zlib.error):
            raise InvalidInput(_("This compressed file is incomplete. Compress it with gzip again.")) from None


class Scanner:
    """Walks the outer objects and lists of a document. The caller takes each value or walks into it, in order."""

    def __init__(self, source: DocumentFile):
        source.rewind()
        self._source = source
        self._events = _events_of(source)
        self._ahead: JsonEvent | None = None
        self.parts = self._total = 0  # JSON values in the last value, and in all

    def members(self, at: str) -> Iterator[str]:
        """Yield the names of an object, each before its value."""
        self._open("start_map", at, _("Enter a JSON object."))
        known: set[str] = set()
        while (found := self._next(at))[0] == "map_key":
            name = found[1]
            if name in known:
                raise InvalidInput(_("This appears twice."), f"{at}/{name}"[:200])
            known.add(name)
            yield name

    def items(self, at: str) -> Iterator[int]:
        """Yield the indices of a list, each before its value."""
        self._open("start_array", at, _("Use a list."))
        place = 0
        while (found := self._next(f"{at}/{place}"))[0] != "end_array":
            self._ahead = found
            yield place
            place += 1

    def value(self, at: str) -> Any:
        """Return the whole next value. Raises `InvalidInput` with its pointer."""
        tree = Tree(at)
        self._source.most_now = self._source.taken + VALUE_MAX
        with self._reading(tree):
            tree.grow(chain([self._ahead], self._events) if self._ahead else self._events)
        self._source.most_now = self._ahead = None
        self.parts = tree.parts
        self._total += tree.parts
        if self._source.is_bounded and self._total > WHOLE_PARTS:
            raise InvalidInput(TOO_LONG, at)
        demand_usable(tree.root, at)
        return tree.root

    def end(self) -> None:
        """Raise `InvalidInput` if anything follows."""
        with self._reading(Tree("")):
            for _more in self._events:
                self._refuse("")

    def _open(self, start: str, at: str, said: Said) -> None:
        if self._next(at)[0] != start:
            raise InvalidInput(said, at)

    def _next(self, at: str) -> JsonEvent:
        if self._ahead:
            found, self._ahead = self._ahead, None
            return found
        self._source.most_now = self._source.taken + BETWEEN_MAX
        with self._reading(Tree(at)):
            found = next(self._events)
        self._source.most_now = None
        return found

    @contextmanager
    def _reading(self, tree: Tree) -> Iterator[None]:
        """Context that turns errors of ijson into `InvalidInput` at the pointer of the tree."""
        try:
            yield
        except UnicodeDecodeError:  # half a surrogate pair, escaped
            raise InvalidInput(
                _("This text contains characters that can’t be saved. Remove them."), tree.place
            ) from None
        except InvalidInput as refusal:
            raise (refusal if refusal.field else refusal.below(tree.at)) from None
        except ijson.JSONError as error:
            self._refuse(tree.place, str(error))

    def _refuse(self, at: str, told: str = "") -> NoReturn:
        if "overflow" in told:
            raise InvalidInput(TOO_LARGE, at)
        if "UTF8" in told:
            raise InvalidInput(_("This isn’t UTF-8 text. Send it as UTF-8."), at)
        line, column = _place_of_fault(self._source)
        raise InvalidInput(say(_("Invalid JSON at line {line}, column {column}."), line=line, column=column), at)


class Tree:
    """Builder of one JSON value from ijson's events. `at`: JSON pointer to the value."""

    def __init__(self, at: str):
        self.at, self.parts = at, 0
        self._open: list[Any] = [[]]  # open lists and objects, outermost first; the first holds the value

    @property
    def root(self) -> Any:
        return self._open[0][0]

    @property
    def place(self) -> str:
        """JSON pointer to the innermost list or object that is not complete yet."""
        return self.at + "".join(_last_of(one) for one in self._open[1:-1])

    def grow(self, events: Iterator[JsonEvent]) -> None:
        """Read events until the value is complete. Raises `InvalidInput`."""
        name, here, is_list, parts = "", self._open[0], True, 0
        for event, value in events:
            if event == "map_key":
                if value in here:
                    raise InvalidInput(say(_("“{name}” appears twice."), name=value[:NAME_SHOWN]), self.place)
                name = value
                continue
            if event in ENDS:
                self._open.pop()
                here = self._open[-1]
                is_list = type(here) is list
            else:
                parts += 1
                if parts > PARTS_MAX:
                    raise InvalidInput(TOO_LONG, self.at)
                if event in STARTS:
                    value = {} if event == "start_map" else []
                if is_list:
                    here.append(value)
                else:
                    here[name] = value
                if event in STARTS:
                    self._deepen(value)
                    here, is_list = value, event == "start_array"
            if len(self._open) == 1:
                break
        self.parts = parts

    def _deepen(self, inner: Any) -> None:
        self._open.append(inner)
        if len(self._open) > DEPTH_MAX + 2:
            raise InvalidInput(_("This data is nested too deeply."), self.place)


def _last_of(one: Any) -> str:
    return f"/{len(one) - 1}" if isinstance(one, list) else pointer("", next(reversed(one))[:NAME_SHOWN])


class _Parser:
    """The ijson parser, fed piece by piece. `found`: events since it was emptied. `pending`: bytes of an unfinished
    token, which ijson reads again with the next piece; so pieces grow with it.
    """

    def __init__(self) -> None:
        self.found: list[JsonEvent] = ijson.sendable_list()
        self._parser = ijson.basic_parse_coro(self.found, use_float=True)  # otherwise it fails on huge numbers
        self.pending = 0

    def send(self, piece: bytes) -> None:
        """Parse a piece. Raises `ijson.JSONError`, `UnicodeDecodeError`."""
        self._parser.send(piece)
        self.pending = 0 if self.found else self.pending + len(piece)

    def close(self) -> None:
        self._parser.close()


def _events_of(source: DocumentFile) -> Iterator[JsonEvent]:
    parser = _Parser()
    while piece := source.read(max(CHUNK, parser.pending)):
        parser.send(piece)
        yield from parser.found
        parser.found.clear()
    parser.close()
    yield from parser.found


def _place_of_fault(source: DocumentFile) -> tuple[int, int]:
    """Return the line and column where JSON becomes invalid, as editors count them. The valid part is read again; the
    faulty piece byte by byte, or in growing steps within a long text.
    """
    well, lines, column = source.taken - source.last, 1, 1
    source.rewind()
    parser = _Parser()
    while piece := source.read(_step(parser.pending, well - source.taken)):
        try:
            parser.send(piece)
        except (ijson.JSONError, UnicodeDecodeError):
            break
        parser.found.clear()
        *above, last = piece.translate(None, FOLLOWING).split(b"\n")
        lines, column = lines + len(above), len(last) + (1 if above else column)
    return lines, column


def _step(pending: int, well: int) -> int:
    """Return the number of bytes to read next. `well`: bytes known to be valid."""
    if well > 0:
        return min(well, max(CHUNK, pending))
    return 1 + pending // EXACT * (EXACT // 16)
