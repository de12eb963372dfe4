"""Tracked models: which fields may change, and how they are read, written and worded. Apps contribute theirs."""

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
"""Errors that values from an imported document can cause."""
UNREADABLE = _("This value can’t be read.")


class Occasion(NamedTuple):
    """The context in which a value is written, for hooks that keep a record of their own."""

    campaign: Campaign
    by: User
    text: Said
    source: str
    day: int


@dataclass(frozen=True, slots=True)
class FieldAccess:
    """How to read and write a field that is not a plain column. `write` saves by itself."""

    read: Callable[[Any], Any]
    write: Callable[[Any, Any, Occasion], None]


Loader = Callable[[Campaign, set[str]], RowsById]
Visible = Callable[[User, Campaign, set[str]], set[str]]
Listed = Callable[[User, Campaign], QuerySet[Any, tuple[UUID, str]]]
ShowValue = Callable[[Campaign, str, Any], Any]


@dataclass(frozen=True, slots=True)
class TrackedModel:
    """A kind of object that may change. `loader` returns the campaign's rows by str(id), locked.

    Fields without a `FieldAccess` are attributes, saved together; then `after(row, changed)` runs.

    - `visible`: returns the ids whose lines a player may read in the chronicle; without it nobody may.
    - `words`: names of the fields that are compared (`kingdom.chronicle.transaction`); `names`: of all others.
    - `shown(campaign, field, value)`: returns a value in words.
    - `kingdom(row)`: returns the id of the kingdom it belongs to.
    - `listed(user, campaign)`: returns what a reader may look for in the chronicle.
    - `stored`: columns of attributes with another name.
    - `told`: functions that reduce a value to what every reader of its lines may know, for the API.
    - `ids`: raises for a text that is no id of this kind.
    - `family`: limits it to rulesets of this family.
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
        """Return whether the field is a value of the object, and not its owner, place or key."""
        if field in self.fields or field in self.words:
            return True
        if not isinstance(row, models.Model) or isinstance(row, Campaign):
            return False
        name = self.stored.get(field, field)
        return any(one.name == name for one in row._meta.concrete_fields if not (one.is_relation or one.primary_key))


def _variants(name: str) -> Mapping[str, TrackedModel]:
    """Return the tracked models of this kind by family of rulesets; "" is for all other families."""
    return _by_kind(contributed()).get(name, {})


@lru_cache(maxsize=1)
def _by_kind(contribution: Contribution) -> dict[str, dict[str, TrackedModel]]:
    found: dict[str, dict[str, TrackedModel]] = {}
    for one in contribution.tracked_models:
        found.setdefault(one.kind, {})[one.family] = one
    return found


def get_kind(name: str, campaign: Campaign) -> TrackedModel:
    """Return the tracked model of this kind for the campaign's ruleset."""
    variants = _variants(name)
    return variants.get(family_of(campaign.ruleset)) or variants[""]


def _known(name: str, campaign: Campaign) -> TrackedModel | None:
    return get_kind(name, campaign) if _variants(name) else None


def visible_ids(kind: str, user: User, campaign: Campaign, ids: set[str]) -> set[str]:
    known = _known(kind, campaign)
    return known.visible(user, campaign, ids) if known and known.visible else set()


def word_of(kind: str, field: str) -> Said:
    """Return the name of a field."""
    for known in _variants(kind).values():
        if word := {**known.names, **known.words}.get(field):
            return word
    return Term(field)


def format_value(campaign: Campaign, kind: str, field: str, value: Any) -> Any:
    """Return one side of a change in words, or the value itself if its kind has none."""
    known = _known(kind, campaign)
    try:
        return known.shown(campaign, field, value) if known and known.shown else value
    except FAULTS:  # the value is shown unchanged
        return value


def serialize_value(kind: str, field: str, value: Any) -> Any:
    """Return one side of a change for the API, reduced to what every reader of its line may know."""
    for known in _variants(kind).values():
        if tell := known.told.get(field):
            return None if value is None else tell(value)
    return value


def list_things(user: User, campaign: Campaign, kind: str) -> QuerySet[Any, tuple[UUID, str]] | None:
    """Return the ids and names of this kind that the reader may look for in the chronicle, by name; None if there is no
    such list.
    """
    known = _known(kind, campaign)
    return known.listed(user, campaign) if known and known.listed else None


def kingdom_of(kind: str, row: models.Model) -> UUID | None:
    """Return the id of the kingdom the row belongs to."""
    return next(iter(_variants(kind).values())).kingdom(row)


def figures_of(kind: str, campaign: Campaign, row: models.Model) -> dict[str, Any]:
    """Return every named field of a loaded row, as JSON."""
    known = get_kind(kind, campaign)
    return {name: value_of(known, name, row) for name in known.words}


def figure_of(kind: str, campaign: Campaign, row: models.Model, field: str) -> Any:
    """Return one field of a loaded row, as JSON."""
    return value_of(get_kind(kind, campaign), field, row)


def figures(kind: str, campaign: Campaign, ids: set[str]) -> dict[str, tuple[models.Model, dict[str, Any]]]:
    """Load and lock the rows, and return each with its named fields as JSON. Missing rows are left out."""
    found = get_kind(kind, campaign).loader(campaign, ids)
    return {key: (row, figures_of(kind, campaign, row)) for key, row in found.items() if not row._state.adding}


def value_of(kind: TrackedModel, field: str, row: Any) -> Any:
    special = kind.fields.get(field)
    return make_plain(special.read(row) if special else getattr(row, field))


def make_plain(value: Any) -> Any:
    """Return a value as JSON stores it, so that stored and present values compare."""
    match value:
        case UUID():
            return str(value)
        case Mapping():
            return {str(key): make_plain(item) for key, item in value.items()}
        case list() | tuple():
            return [make_plain(item) for item in value]
        case _:
            return value
