"""Tracked models: what of them may change, how it is read, written and worded. Apps contribute theirs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple
from uuid import UUID

from django.core.exceptions import ObjectDoesNotExist, ValidationError
from django.db import models
from django.db.models import QuerySet

from kingdom.contributions import Contribution, contributed
from kingdom.models import Campaign, User
from rules.core.text import Said, Term, _
from rules.registry import family_of

RowsById = dict[str, models.Model]
FAULTS = (
    ArithmeticError, AssertionError, AttributeError, LookupError, ObjectDoesNotExist, TypeError, ValueError,
    ValidationError,
)  # fmt: skip
"""What a document that somebody else wrote can provoke."""
UNREADABLE = _("This value can’t be read.")


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


Loader = Callable[[Campaign, set[str]], RowsById]
Visible = Callable[[User, Campaign, set[str]], set[str]]
Listed = Callable[[User, Campaign], QuerySet[Any, tuple[UUID, str]]]
ShowValue = Callable[[Campaign, str, Any], Any]


@dataclass(frozen=True, slots=True)
class TrackedModel:
    """A kind of thing that may change. `loader` answers rows by str(id), locked, of that campaign only.

    Columns without a `FieldAccess` are read and set as attributes and saved together; `after(row, changed)` runs then.
    `visible` says whose lines a player may read in the chronicle (nobody's without it). `words` names the fields that
    are compared (`kingdom.chronicle.transaction`), `names` those that are not, `shown(campaign, field, value)` puts a
    value into words, `kingdom(row)` says whose it is, `listed(user, campaign)` what a reader may look for in the
    chronicle. `stored`: the column an attribute is kept in, where it has another name. `told`: what programs are told
    of a field whose value holds more than who may read its lines may know. `ids` raises for a text that is no id of
    this kind. `family`: it is so for laws of this family alone.
    """

    kind: str
    loader: Loader
    fields: Mapping[str, FieldAccess] = field(default_factory=dict)
    visible: Visible | None = None
    after: Callable[[Any, set[str]], None] | None = None
    words: Mapping[str, Said] = field(default_factory=dict)
    names: Mapping[str, Said] = field(default_factory=dict)
    shown: ShowValue | None = None
    kingdom: Callable[[Any], UUID | None] = lambda row: None
    listed: Listed | None = None
    stored: Mapping[str, str] = field(default_factory=dict)
    told: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)
    ids: Callable[[str], object] = UUID
    family: str = ""

    def may_change(self, row: Any, field: str) -> bool:
        """Whether this is a figure of it, and not whose it is, where it belongs or what it is known by."""
        if field in self.fields or field in self.words:
            return True
        if not isinstance(row, models.Model) or isinstance(row, Campaign):
            return False
        name = self.stored.get(field, field)
        return any(one.name == name for one in row._meta.concrete_fields if not (one.is_relation or one.primary_key))


def _variants(name: str) -> Mapping[str, TrackedModel]:
    """The kind of this name by the family of laws, "" for every other law."""
    return _by_kind(contributed()).get(name, {})


@lru_cache(maxsize=1)
def _by_kind(contribution: Contribution) -> dict[str, dict[str, TrackedModel]]:
    found: dict[str, dict[str, TrackedModel]] = {}
    for one in contribution.tracked_models:
        found.setdefault(one.kind, {})[one.family] = one
    return found


def get_kind(name: str, campaign: Campaign) -> TrackedModel:
    """The kind as the campaign's law has it."""
    variants = _variants(name)
    return variants.get(family_of(campaign.ruleset)) or variants[""]


def _known(name: str, campaign: Campaign) -> TrackedModel | None:
    return get_kind(name, campaign) if _variants(name) else None


def visible_ids(kind: str, user: User, campaign: Campaign, ids: set[str]) -> set[str]:
    known = _known(kind, campaign)
    return known.visible(user, campaign, ids) if known and known.visible else set()


def word_of(kind: str, field: str) -> Said:
    """What a field is called."""
    for known in _variants(kind).values():
        if word := {**known.names, **known.words}.get(field):
            return word
    return Term(field)


def format_value(campaign: Campaign, kind: str, field: str, value: Any) -> Any:
    """One side of a change in words, where its kind has any for it."""
    known = _known(kind, campaign)
    try:
        return known.shown(campaign, field, value) if known and known.shown else value
    except FAULTS:  # it is told as it stands
        return value


def serialize_value(kind: str, field: str, value: Any) -> Any:
    """One side of a change as programs are told it, whoever may read its line."""
    for known in _variants(kind).values():
        if tell := known.told.get(field):
            return None if value is None else tell(value)
    return value


def list_things(user: User, campaign: Campaign, kind: str) -> QuerySet[Any, tuple[UUID, str]] | None:
    """What of this kind the reader may look for in the chronicle: ids and names, by name. None where nothing is."""
    known = _known(kind, campaign)
    return known.listed(user, campaign) if known and known.listed else None


def kingdom_of(kind: str, row: models.Model) -> UUID | None:
    """Whose it is."""
    return next(iter(_variants(kind).values())).kingdom(row)


def figures_of(kind: str, campaign: Campaign, row: models.Model) -> dict[str, Any]:
    """Every field of a row in hand that has a word, as JSON."""
    known = get_kind(kind, campaign)
    return {name: value_of(known, name, row) for name in known.words}


def figure_of(kind: str, campaign: Campaign, row: models.Model, field: str) -> Any:
    """One field of a row in hand, as JSON."""
    return value_of(get_kind(kind, campaign), field, row)


def figures(kind: str, campaign: Campaign, ids: set[str]) -> dict[str, tuple[models.Model, dict[str, Any]]]:
    """The rows, locked, and every field that has a word, as JSON: what deeds compare. Missing ones are left out."""
    found = get_kind(kind, campaign).loader(campaign, ids)
    return {key: (row, figures_of(kind, campaign, row)) for key, row in found.items() if not row._state.adding}


def value_of(kind: TrackedModel, field: str, row: Any) -> Any:
    special = kind.fields.get(field)
    return make_plain(special.read(row) if special else getattr(row, field))


def make_plain(value: Any) -> Any:
    """A value as JSON holds it, so that what was stored compares with what is."""
    match value:
        case UUID():
            return str(value)
        case Mapping():
            return {str(key): make_plain(item) for key, item in value.items()}
        case list() | tuple():
            return [make_plain(item) for item in value]
        case _:
            return value
