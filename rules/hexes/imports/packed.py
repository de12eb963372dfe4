"""Bounded decompression, and a reader of XML without entities, since uploaded files are untrusted."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from xml.parsers import expat

from rules.core.errors import DEPTH_MOST, InvalidInput, demand
from rules.core.text import _

FIELD = "/file"
UNPACKED_MOST = 32 * 1024 * 1024  # bytes
ELEMENTS_MOST, KEPT_MOST = 500_000, 60_000
ANY_WRAPPER = 47  # zlib's `wbits` value for "gzip or zlib, whichever it is"
TOO_LARGE = _("This file is too large. Choose a smaller one.")
DAMAGED = _("This file is damaged. Save it again in the program it comes from.")
NO_XML = _("This file isn’t valid XML. Save it again in the program it comes from.")
UNSAFE = _("This file has a DOCTYPE, which isn’t allowed. Save it again with a newer version of its program.")
BYTE_ORDERS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16"), (b"\xff\xfe", "utf-16"),
               (b"\0<", "utf-16be"), (b"<\0", "utf-16le"))  # fmt: skip
"""First bytes of a text, with its encoding. What the XML declaration says is not always true."""


def inflate(raw: bytes, most: int = UNPACKED_MOST) -> bytes:
    """Decompress gzip or zlib. Raises `InvalidInput` if it is damaged or has more than `most` bytes."""
    decoder = zlib.decompressobj(ANY_WRAPPER)
    try:
        found = decoder.decompress(raw, most + 1)
    except zlib.error:
        raise InvalidInput(DAMAGED, FIELD) from None
    demand(len(found) <= most, TOO_LARGE, field=FIELD)
    demand(decoder.eof, DAMAGED, field=FIELD)
    return found


@dataclass(slots=True)
class Element:
    """An element of XML. `text`: what it says itself, without its children."""

    name: str
    attributes: dict[str, str]
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def all(self, name: str) -> list[Element]:
        return [child for child in self.children if child.name == name]

    def first(self, name: str) -> Element | None:
        return next(iter(self.all(name)), None)


@dataclass(frozen=True, slots=True)
class XmlFile:
    """`counts`: how many elements of each name the file has, including those that are not read."""

    root: Element
    counts: Counter[str]


def read_xml(raw: bytes, wanted: Collection[str]) -> XmlFile:
    """Read the elements with these names; others are left out with all that is in them.

    Raises `InvalidInput` if it is not XML, has a DOCTYPE (and so no entities), or too many elements.
    """
    reader = _Reader(wanted)
    encoding = next((name for begin, name in BYTE_ORDERS if raw.startswith(begin)), None)
    if encoding is None and b"utf-16" in raw[:80].lower():
        encoding = "utf-8"
    parser = expat.ParserCreate(encoding)
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = reader.begin, reader.end
    parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = reader.read_text, reader.refuse
    try:
        parser.Parse(raw, True)
    except (expat.ExpatError, LookupError, ValueError):  # the latter for an encoding that can't be read here
        raise InvalidInput(NO_XML, FIELD) from None
    demand(reader.root, NO_XML, field=FIELD)
    assert reader.root is not None
    return XmlFile(reader.root, reader.counts)


class _Reader:
    """Handlers of the parser. `_passed`: depth within an element that is not read."""

    def __init__(self, wanted: Collection[str]):
        self.root: Element | None = None
        self.counts: Counter[str] = Counter()
        self._wanted = wanted
        self._open: list[tuple[Element, list[str]]] = []
        self._passed = self._seen = self._kept = 0

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        self._seen += 1
        demand(self._seen <= ELEMENTS_MOST, TOO_LARGE, field=FIELD)
        demand(len(self._open) + self._passed < DEPTH_MOST, NO_XML, field=FIELD)
        if self._passed or (self._open and name not in self._wanted):
            self._passed += 1
            if self._passed <= 2:  # deeper elements belong to a counted one
                self.counts[name] += 1
            return
        self.counts[name] += 1
        self._kept += 1
        demand(self._kept <= KEPT_MOST, TOO_LARGE, field=FIELD)
        found = Element(name, attributes)
        if self._open:
            self._open[-1][0].children.append(found)
        self.root = self.root or found
        self._open.append((found, []))

    def end(self, _name: str) -> None:
        if self._passed:
            self._passed -= 1
            return
        element, texts = self._open.pop()
        element.text = "".join(texts)

    def read_text(self, text: str) -> None:
        if self._open and not self._passed:
            self._open[-1][1].append(text)

    def refuse(self, *_declared: object) -> None:
        raise InvalidInput(UNSAFE, FIELD)
