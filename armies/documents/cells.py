"""Cells of CSV tables: members of a declared shape in one row, both ways.

An object is written `slug?number=2&secondary=yes`, or without a slug `?name=Blunderbuss&damage=9`; several are
separated by semicolons. `none` stands for an empty list, where a missing one would mean the default.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode

from armies.tables.tables import YES, parse_whole_number, parse_yes_or_no
from core.clean_input import read_typed_whole
from core.shapes.forms import JsonDocument
from rules.core.shapes import DeclaredShape, ShapeField
from rules.core.shapes.objects import UnionKind
from rules.core.shapes.value_kinds import (
    ChoiceKind,
    FlagKind,
    ListKind,
    WholeKind,
)

NONE = "none"


def cells_of(shape: DeclaredShape, data: Mapping[str, Any]) -> dict[str, Any]:
    """Cells of a document by its members, which are the columns."""
    return {key: _cell(one, data.get(key)) for key, one in shape.members.items()}


def document_of(shape: DeclaredShape, cells: Mapping[str, str]) -> JsonDocument:
    """The document that these cells describe, not validated by the shape. Raises `InvalidInput` with the column."""
    found = {key: _value(one, cells[key]) for key, one in shape.members.items() if cells.get(key)}
    return {key: value for key, value in found.items() if value is not None}


def _cell(one: ShapeField, value: Any) -> Any:
    match one.kind:
        case FlagKind():
            return ("" if value is None else "yes" if value else "no") if one.nullable else "yes" if value else ""
        case ListKind(item=UnionKind() | ChoiceKind() as item):
            first = _first(item)
            return (
                NONE if value == [] and one.nullable else "; ".join(_thing_cell(thing, first) for thing in value or ())
            )
        case ListKind():
            return ", ".join(map(str, value or ()))
        case UnionKind() as union if isinstance(value, Mapping):
            return _thing_cell(value, _first(union))
    return value


def _first(kind: Any) -> str:
    """Key of the member that a bare slug stands for."""
    return kind.listed.first.key if isinstance(kind, UnionKind) and kind.listed else "slug"


def _thing_cell(thing: Any, first: str) -> str:
    """A slug or an object as one cell."""
    if not isinstance(thing, Mapping):
        return str(thing)
    told = {name: _told(value) for name, value in thing.items()
            if name != first and value is not None and value is not False}  # fmt: skip
    slug = str(thing.get(first, ""))
    return f"{slug}?{urlencode(told, safe='/ ,')}" if told else slug


def _told(value: Any) -> str:
    if value is True:
        return "yes"
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _value(one: ShapeField, text: str) -> Any:
    match one.kind:
        case WholeKind():
            return parse_whole_number(text, field=f"/{one.key}")
        case FlagKind():
            said = parse_yes_or_no(text, field=f"/{one.key}")
            return said if said or one.nullable else None
        case ListKind(item=UnionKind() | ChoiceKind() as item):
            things = [_thing(part, item) for part in text.split(";") if part.strip()]
            return [] if things == [NONE] else things or None
        case ListKind():
            parts = [part.strip() for part in text.split(",") if part.strip()]
            return [read_typed_whole(part) for part in parts] if isinstance(one.kind.item, WholeKind) else parts
        case UnionKind() as union:
            return _thing(text, union)
    return text


def _thing(text: str, kind: Any) -> Any:
    slug, mark, tail = (part.strip() for part in text.strip().partition("?"))
    if not mark:
        return slug
    shapes = kind.shapes if isinstance(kind, UnionKind) else ()
    members = {key: one for shape in shapes for key, one in shape.members.items()}
    told = {name: _member(members.get(name), value) for name, value in parse_qsl(tail)}
    return {_first(kind): slug, **told} if slug else told


def _member(one: ShapeField | None, text: str) -> Any:
    if one is not None and isinstance(one.kind, ListKind):
        return [read_typed_whole(part) for part in text.split(",")]
    if one is not None and not isinstance(one.kind, WholeKind | FlagKind):
        return text
    return True if text.casefold() in YES and not text.isdigit() else read_typed_whole(text)
