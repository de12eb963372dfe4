"""Kanka's campaign export: a ZIP archive with one JSON file an entity, read as organisations, characters and notes.

`pack` turns the archive into one JSON text with only the data that the import uses; the preview's form carries that
text to the confirmation. A file has the columns of its entity; columns that all kinds have in common are in its member
`entity`, more of them in newer exports.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from core.clean_input import NAME_MAX, make_readable, read_json
from rules.core.errors import InvalidInput, demand, demand_fit
from rules.core.text import _, say

ORGANISATIONS, CHARACTERS, NOTES = "organisations", "characters", "notes"
KINDS = (ORGANISATIONS, CHARACTERS, NOTES)
OTHERS = "others"
CHARACTERS_MOST = 2_000_000
FILES_MOST, FILE_BYTES, ALL_BYTES = 5_000, 1_000_000, 20_000_000
ZIP = b"PK\x03\x04"
NO_EXPORT = _("This isn’t a Kanka export. Choose the ZIP file that Kanka sends you, or the JSON of its entities.")
TOO_LARGE = _("This export is too large. Export fewer kinds of entries and try again.")
OWN = ("id", "name", "entry", "type", "title", "is_private", "is_dead", "status_id", "organisation_id")
OF_ENTITY = ("id", "entry", "type", "is_private")
OF_POST = ("name", "entry", "is_private", "visibility_id")
SEEN_BY_ALL = (None, 1, 5)
"""Values of `visibility_id` for posts that all members read."""
DEAD = 1
MENTION = re.compile(r"\[(\w+):(\d{1,18})(?:\|([^\]]{0,200}))?\]")


@dataclass(frozen=True, slots=True)
class Post:
    name: str
    text: str
    private: bool


@dataclass(frozen=True, slots=True)
class KankaEntry:
    """An entity of the export. `groups`: ids of the organisations a character belongs to; `line`: its place."""

    line: int
    kind: str
    key: int
    name: str
    text: str
    private: bool
    dead: bool = False
    parent: bool = False
    groups: tuple[int, ...] = ()
    posts: tuple[Post, ...] = ()


@dataclass(frozen=True, slots=True)
class KankaExport:
    """`others`: how many entries of other kinds it has."""

    entries: tuple[KankaEntry, ...]
    others: Mapping[str, int] = field(default_factory=dict)


# The archive.


def pack(sent: bytes, *, field: str) -> str:
    """Convert an archive to one JSON text; a JSON file is returned unchanged. Raises `InvalidInput`."""
    if not sent.startswith(ZIP):
        try:
            return sent.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise InvalidInput(NO_EXPORT, field) from None
    found: dict[str, Any] = {kind: [] for kind in KINDS}
    others: Counter[str] = Counter()
    for kind, text in _files(sent, field):
        if kind in KINDS:
            found[kind].append(_trimmed(_parsed(text, field)))
        elif kind:
            others[kind] += 1
    demand(any(found.values()), NO_EXPORT, field=field)
    packed = json.dumps({**found, OTHERS: others}, ensure_ascii=False)
    demand(len(packed) <= CHARACTERS_MOST, TOO_LARGE, field=field)
    return packed


def _files(sent: bytes, field: str) -> Iterator[tuple[str, bytes]]:
    """Yield kind and content of each JSON file; content only of kinds that are read. Nothing is unpacked to disk."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(sent))
        names = sorted(archive.infolist(), key=lambda info: info.filename)
        demand(len(names) <= FILES_MOST, TOO_LARGE, field=field)
        total = 0
        for info in names:
            kind = _kind(info.filename)
            content = b""
            if kind in KINDS:
                with archive.open(info) as file:
                    content = file.read(FILE_BYTES + 1)
                total += len(content)
                demand(len(content) <= FILE_BYTES and total <= ALL_BYTES, TOO_LARGE, field=field)
            yield kind, content
    except (zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, RuntimeError, EOFError, OSError):
        raise InvalidInput(_("This archive is damaged or locked. Download it from Kanka again."), field) from None


def _kind(name: str) -> str:
    """The folder of a JSON file; "" for other files."""
    parts = name.split("/")
    known = len(parts) > 1 and name.endswith(".json") and not parts[-1].startswith(".")
    return parts[-2][:NAME_MAX] if known else ""


def _parsed(text: bytes, field: str) -> Any:
    try:
        return make_readable(json.loads(text))
    except (ValueError, RecursionError):
        raise InvalidInput(NO_EXPORT, field) from None


def _trimmed(thing: Any) -> Any:
    """The members that are read."""
    if not isinstance(thing, Mapping):
        return {}
    found = {name: thing[name] for name in OWN if name in thing}
    groups = _rows(thing.get("organisationMemberships"))
    found["organisationMemberships"] = [
        {name: one.get(name) for name in ("organisation_id", "is_private")} for one in groups
    ]
    entity = thing.get("entity")
    if isinstance(entity, Mapping):
        found["entity"] = {name: entity[name] for name in OF_ENTITY if name in entity}
        posts = _rows(entity.get("posts"))
        found["entity"]["posts"] = [{name: post.get(name) for name in OF_POST} for post in posts]
    return found


def _rows(value: Any) -> list[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []


# The text.


def read_export(text: str, *, field: str) -> KankaExport:
    """Read the packed text: an object with a list for each kind. Raises `InvalidInput`."""
    demand(len(text) <= CHARACTERS_MOST, TOO_LARGE, field=field)
    demand_fit(text, field=field)
    try:
        sent = read_json(text)
    except InvalidInput as refusal:
        raise refusal.repointed(lambda _pointer: field) from None
    demand(isinstance(sent, Mapping) and any(_rows(sent.get(kind)) for kind in KINDS), NO_EXPORT, field=field)
    names = _names(sent)
    entries: list[KankaEntry] = []
    for kind in KINDS:
        for thing in _rows(sent.get(kind)):
            entries.append(_entry(len(entries) + 1, kind, thing, names))
    told = sent.get(OTHERS)
    others = told if isinstance(told, Mapping) else {}
    known = {str(kind)[:NAME_MAX]: count for kind, count in others.items() if _is_whole(count)}
    return KankaExport(tuple(entries), known)


def _names(sent: Mapping[str, Any]) -> dict[int, str]:
    """Names by the id that mentions use, that of the entity. Private entries are named in no text."""
    rows = [thing for kind in KINDS for thing in _rows(sent.get(kind)) if not _is_private(thing)]
    found = ((_whole((thing.get("entity") or {}).get("id")), _text(thing.get("name"))) for thing in rows
             if isinstance(thing.get("entity"), Mapping))  # fmt: skip
    return {key: name for key, name in found if key and name}


def _entry(line: int, kind: str, thing: Mapping[str, Any], names: Mapping[int, str]) -> KankaEntry:
    entity = thing.get("entity") if isinstance(thing.get("entity"), Mapping) else {}
    assert isinstance(entity, Mapping)
    posts = tuple(
        Post(_text(one.get("name")), read_html(_text(one.get("entry")), names),
             bool(one.get("is_private")) or one.get("visibility_id") not in SEEN_BY_ALL)
        for one in _rows(entity.get("posts"))
    )  # fmt: skip
    groups = (_whole(one.get("organisation_id")) for one in _rows(thing.get("organisationMemberships"))
              if not one.get("is_private"))  # fmt: skip
    return KankaEntry(
        line=line,
        kind=kind,
        key=_whole(thing.get("id")),
        name=_text(thing.get("name")),
        text=read_html(_text(thing.get("entry")) or _text(entity.get("entry")), names),
        private=_is_private(thing),
        dead=bool(thing.get("is_dead")) or thing.get("status_id") == DEAD,
        parent=bool(thing.get("organisation_id")),
        groups=tuple(filter(None, groups)),
        posts=tuple(post for post in posts if post.text),
    )


def _is_private(thing: Mapping[str, Any]) -> bool:
    entity = thing.get("entity")
    return bool(thing.get("is_private") or (isinstance(entity, Mapping) and entity.get("is_private")))


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _whole(value: Any) -> int:
    return value if _is_whole(value) else 0


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""


# HTML as plain paragraphs.

BLOCKS = {"p", "div", "br", "ul", "ol", "table", "tr", "blockquote", "hr"}
HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
HIDDEN = {"script", "style", "iframe"}


class _Plain(HTMLParser):
    """Text of HTML: paragraphs, headings and lists."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.hidden = 0

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag in HIDDEN:
            self.hidden += 1
        elif tag in HEADINGS:
            self.parts.append("\n\n## ")
        elif tag == "li":
            self.parts.append("\n- ")
        elif tag in BLOCKS:
            self.parts.append("\n" if tag == "br" else "\n\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in HIDDEN:
            self.hidden = max(0, self.hidden - 1)
        elif tag in HEADINGS or tag in BLOCKS:
            self.parts.append("\n\n")

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.parts.append(data)


def read_html(html: str, names: Mapping[int, str]) -> str:
    """Paragraphs of an entry's HTML. Mentions of other entries become their names."""
    reader = _Plain()
    reader.feed(html)
    reader.close()
    plain = MENTION.sub(lambda one: one[3] or names.get(int(one[2]), ""), "".join(reader.parts))
    lines = (" ".join(line.split()) for line in plain.split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def split_text(text: str, most: int) -> Sequence[str]:
    """The text in parts of at most this many characters, parted at paragraphs where that is possible."""
    parts: list[str] = []
    while len(text) > most:
        end = text.rfind("\n\n", 1, most)
        end = end if end > 0 else most
        parts.append(text[:end].strip())
        text = text[end:].strip()
    return [*parts, text] if text else parts


def describe_others(others: Mapping[str, int]) -> Any:
    """One sentence on entries of other kinds in the export; None if there are none."""
    if not others:
        return None
    told = ", ".join(f"{kind} ({count})" for kind, count in sorted(others.items()))
    return say(_("Not imported: {kinds}."), kinds=told[:500])
