"""The kinds of things the world is made of: what of them may change, how it is read, written and said.

Apps make their tables known with `register`; kingdoms do not know armies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from django.db import models

from kingdom.models import Campaign, User
from rules.text import Said, Term

Rows = dict[str, models.Model]


class Occasion(NamedTuple):
    """On what occasion a value is written: for hooks that keep a record of their own."""

    campaign: Campaign
    by: User
    text: Said
    source: str
    day: int


@dataclass(frozen=True, slots=True)
class FieldAccess:
    """How to read and write what is not a plain column. `write` saves by itself."""

    read: Callable[[Any], Any]
    write: Callable[[Any, Any, Occasion], None]


Loader = Callable[[Campaign, set[str]], Rows]
Visible = Callable[[User, Campaign, set[str]], set[str]]
Listed = Callable[[User, Campaign], Iterable[tuple[UUID, str]]]
Shown = Callable[[Campaign, str, Any], Any]


@dataclass(frozen=True, slots=True)
class SubjectKind:
    """What is known of a kind of thing. `words`: its fields in words, those that are compared (`kingdom.recording`)."""

    loader: Loader
    fields: Mapping[str, FieldAccess]
    visible: Visible | None
    after: Callable[[Any, set[str]], None] | None
    words: Mapping[str, Said]
    names: Mapping[str, Said]
    shown: Shown | None
    kingdom: Callable[[Any], UUID | None]
    listed: Listed | None


_kinds: dict[str, SubjectKind] = {}


def register(
    kind: str,
    loader: Loader,
    *,
    fields: Mapping[str, FieldAccess] | None = None,
    visible: Visible | None = None,
    after: Callable[[Any, set[str]], None] | None = None,
    words: Mapping[str, Said] | None = None,
    names: Mapping[str, Said] | None = None,
    shown: Shown | None = None,
    kingdom: Callable[[Any], UUID | None] = lambda row: None,
    listed: Listed | None = None,
) -> None:
    """Make a kind of thing changeable. `loader` answers rows by str(id), locked, of that campaign only.

    Other columns are read and set as attributes and saved together; `after(row, changed)` runs then.
    `visible` says whose lines a player may read in the chronicle (nobody's without it). `words` names the
    fields, `names` those deeds do not compare, `shown(campaign, field, value)` puts a value into words,
    `kingdom(row)` says whose it is, `listed(user, campaign)` what a reader may look for in the chronicle.
    """
    _kinds[kind] = SubjectKind(loader, fields or {}, visible, after, words or {}, names or {}, shown, kingdom, listed)


def kind_of(name: str) -> SubjectKind:
    return _kinds[name]


def visible_ids(kind: str, user: User, campaign: Campaign, ids: set[str]) -> set[str]:
    visible = _kinds[kind].visible if kind in _kinds else None
    return visible(user, campaign, ids) if visible else set()


def word_of(kind: str, field: str) -> Said:
    """What a field is called."""
    known = _kinds.get(kind)
    return {**known.names, **known.words}.get(field, Term(field)) if known else Term(field)


def shown_value(campaign: Campaign, kind: str, field: str, value: Any) -> Any:
    """One side of a change in words, where its kind has any for it."""
    known = _kinds.get(kind)
    return known.shown(campaign, field, value) if known and known.shown else value


def listed(user: User, campaign: Campaign) -> dict[str, list[tuple[UUID, str]]]:
    """What the reader may look for in the chronicle, by kind."""
    return {name: list(kind.listed(user, campaign)) for name, kind in _kinds.items() if kind.listed}


def kingdom_of(kind: str, row: models.Model) -> UUID | None:
    """Whose it is."""
    return _kinds[kind].kingdom(row)


def figures(kind: str, campaign: Campaign, ids: set[str]) -> dict[str, tuple[models.Model, dict[str, Any]]]:
    """The rows, locked, and every field that has a word, as JSON: what deeds compare. Missing ones are left out."""
    known = _kinds[kind]
    found = known.loader(campaign, ids)
    return {
        key: (row, {name: value_of(known, name, row) for name in known.words})
        for key, row in found.items()
        if not row._state.adding
    }


def value_of(kind: SubjectKind, field: str, row: Any) -> Any:
    special = kind.fields.get(field)
    return plain(special.read(row) if special else getattr(row, field))


def plain(value: Any) -> Any:
    """A value as JSON holds it, so that what was stored compares with what is."""
    match value:
        case UUID():
            return str(value)
        case Mapping():
            return {str(key): plain(item) for key, item in value.items()}
        case list() | tuple():
            return [plain(item) for item in value]
        case _:
            return value
