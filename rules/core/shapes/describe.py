"""Builds the shape of a declared class from its annotations, once."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import MISSING as NO_DEFAULT
from dataclasses import fields as dataclass_fields
from dataclasses import is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeAliasType, Union, get_args, get_origin, get_type_hints

from rules.core.shapes.objects import Commands, DeclaredShape, ShapeField, UnionKind
from rules.core.shapes.value_kinds import (
    ARMY,
    CARRIED,
    FLAT,
    KEPT,
    MISSING,
    SIDE,
    UNSAID,
    AnyKind,
    ArmyKind,
    Called,
    ChoiceKind,
    Each,
    FieldKind,
    FlagKind,
    InApi,
    Label,
    ListKind,
    MappingKind,
    NeededIf,
    OneOf,
    SideKind,
    SlugKind,
    Spelled,
    SpelledKind,
    Text,
    TextKind,
    WholeKind,
    WholeNumber,
    WordOrNumberKind,
)
from rules.core.text import NO_WORDS

CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
MARKED: Mapping[Any, type[FieldKind]] = {ARMY: ArmyKind, SIDE: SideKind}
PLAIN: Mapping[Any, type[FieldKind]] = {
    int: WholeKind,
    bool: FlagKind,
    str: SlugKind,
    Any: AnyKind,
    object: AnyKind,
}


@cache
def shape_of(cls: Any, without: Collection[str] = ()) -> DeclaredShape:
    """Return the shape of a NamedTuple or dataclass. `without` names fields that the reader fills in. Raises
    `TypeError` for an annotation that no kind can read.
    """
    hints, defaults = get_type_hints(cls, include_extras=True), _defaults(cls)
    found = (_field(name, hints[name], default) for name, default in defaults.items() if name not in without)
    return DeclaredShape(cls, tuple(one for one in found if one is not None))


@cache
def options_of(cls: Any, *, everything: bool = False) -> DeclaredShape:
    """Return the shape of a class's marked fields (or, with `everything`, of all), read as a mapping."""
    if cls is None:
        return DeclaredShape(dict, ())
    hints, defaults = get_type_hints(cls, include_extras=True), _defaults(cls)
    marked = (name for name in defaults if everything or _is_marked(hints[name]))
    found = (_field(name, hints[name], defaults[name]) for name in marked)
    return DeclaredShape(dict, tuple(one for one in found if one is not None))


def commands_of(union: Any, called: Mapping[type, str] | None = None, without: Collection[Any] = ()) -> Commands:
    """Return the commands of a union by their `type`: the class's name in snake case, or its name in `called`."""
    names = {cls: (called or {}).get(cls) or slug_of(cls) for cls in members_of(union) if cls not in without}
    return Commands({name: shape_of(cls) for cls, name in names.items()})


def members_of(union: Any) -> tuple[Any, ...]:
    """Return the classes of a union, nested unions included. A single class is returned as it is."""
    plain = _named(union)
    if get_origin(plain) not in (Union, UnionType):
        return (union,)
    return tuple(one for option in get_args(plain) for one in members_of(option))


def slug_of(cls: Any) -> str:
    """Return a class's name in snake case."""
    return CAMEL.sub("_", cls.__name__).lower()


def _defaults(cls: Any) -> dict[str, Any]:
    """Return the defaults by field name, in order; `MISSING` where there is none."""
    if is_dataclass(cls):
        return {one.name: _default(one) for one in dataclass_fields(cls) if one.init}
    if not hasattr(cls, "_fields"):
        raise TypeError(f"{cls!r} is no NamedTuple and no dataclass")
    return {name: cls._field_defaults.get(name, MISSING) for name in cls._fields}


def _default(one: Any) -> Any:
    if one.default is not NO_DEFAULT:
        return one.default
    return MISSING if one.default_factory is NO_DEFAULT else one.default_factory()


def _field(name: str, hint: Any, default: Any) -> ShapeField | None:
    bare, marks = _unwrapped(hint)
    if UNSAID in marks:
        return None
    nullable = NoneType in members_of(bare)
    options = [one for one in members_of(bare) if one is not NoneType]
    if nullable and len(options) == 1:
        bare, inner = _unwrapped(options[0])
        marks = (*marks, *inner)
    return ShapeField(
        name,
        key=next((mark.name for mark in marks if isinstance(mark, Called)), name),
        kind=_kind(bare, marks),
        default=None if nullable and default is MISSING else default,
        nullable=nullable,
        named=_first(marks, Label) or Label(NO_WORDS),
        in_api=_first(marks, InApi) or InApi(),
        flat=FLAT in marks,
        kept=KEPT in marks,
        carried=CARRIED in marks,
        needed_if=next((mark.when for mark in marks if isinstance(mark, NeededIf)), None),
        marks=marks,
    )


def _unwrapped(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """Return the type without its markers, and the markers, outermost first."""
    marks: tuple[Any, ...] = ()
    hint = _named(hint)
    while get_origin(hint) is Annotated:
        inner, *own = get_args(hint)
        hint, marks = _named(inner), (*marks, *own)
    return hint, marks


def _is_marked(hint: Any) -> bool:
    return any(_unwrapped(one)[1] for one in members_of(_unwrapped(hint)[0])) or bool(_unwrapped(hint)[1])


def _named(hint: Any) -> Any:
    """Resolve type aliases."""
    while isinstance(hint, TypeAliasType):
        hint = hint.__value__
    return hint


def _first[M](marks: tuple[Any, ...], kind: type[M]) -> M | None:
    return next((mark for mark in marks if isinstance(mark, kind)), None)


def _kind(hint: Any, marks: tuple[Any, ...] = ()) -> FieldKind:
    hint, inner = _unwrapped(hint)
    marks = (*marks, *inner)
    if (spelled := _first(marks, Spelled)) is not None:
        return SpelledKind(*spelled)
    for mark, kind in MARKED.items():
        if mark in marks:
            return kind()
    options = [one for one in members_of(hint) if one is not NoneType]
    if len(options) > 1:
        return _union(options, marks)
    if options != [hint]:
        return _kind(options[0], marks)
    return _container(hint, marks) or _scalar(hint, marks)


def _container(hint: Any, marks: tuple[Any, ...]) -> FieldKind | None:
    origin, each = get_origin(hint), _first(marks, Each)
    if origin is tuple:
        item = _kind(get_args(hint)[0])
        return ListKind(item, *each) if each else ListKind(item)
    if origin is not None and isinstance(origin, type) and issubclass(origin, Mapping):
        key, item = map(_kind, get_args(hint))
        return MappingKind(key, item, each.least if each else 0)
    return None


def _scalar(hint: Any, marks: tuple[Any, ...]) -> FieldKind:
    if (whole := _first(marks, WholeNumber)) is not None:
        return WholeKind(*whole)
    if (text := _first(marks, Text)) is not None:
        return TextKind(*text)
    if (choice := _first(marks, OneOf)) is not None:
        return ChoiceKind(*choice)
    if get_origin(hint) is Literal:
        return ChoiceKind(get_args(hint))
    if hint in PLAIN:
        return PLAIN[hint]()
    return shape_of(hint)


def _union(options: list[Any], marks: tuple[Any, ...]) -> FieldKind:
    if set(options) == {int, str}:
        return WordOrNumberKind()
    kinds = [_kind(one, marks) for one in options]
    shapes = tuple(kind for kind in kinds if isinstance(kind, DeclaredShape))
    rest = [kind for kind in kinds if not isinstance(kind, DeclaredShape)]
    if not shapes or len(rest) > 1 or not all(isinstance(kind, ChoiceKind) for kind in rest):
        raise TypeError(f"a union is of shapes, and of one choice beside them: {options}")
    return UnionKind(shapes, next((kind for kind in rest if isinstance(kind, ChoiceKind)), None))
