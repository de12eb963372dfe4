"""Change of one field of one object, the JSON an entry stores of it, and rows that were deleted."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, NamedTuple
from uuid import UUID

from django.core.exceptions import ObjectDoesNotExist, ValidationError
from django.db import models
from django.db.models import ProtectedError, QuerySet, RestrictedError
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html
from django.utils.translation import gettext

from core import text as words
from core.clean_input import parse_uuid
from core.text import render as say
from kingdom.contributions import Contribution, contributed
from kingdom.models import Campaign, ChronicleEntry, DeletedRow, Knowledge, User
from rules.core.errors import IllegalCommand, Refusal
from rules.core.text import Said, Term, _
from rules.registry import family_of

# Tracked models: which fields may change, and how they are read, written and worded. Apps contribute theirs.

RowsById = dict[str, models.Model]
FAULTS = (
    ArithmeticError, AssertionError, AttributeError, LookupError, ObjectDoesNotExist, TypeError, ValueError,
    ValidationError,
)  # fmt: skip
"""Errors that values from an imported document can cause."""
UNREADABLE = _("This value can’t be read.")


class Occasion(NamedTuple):
    """The context in which a value is written, for hooks that keep a record of their own. `undone`: the entry that is
    being undone.
    """

    campaign: Campaign
    by: User
    text: Said
    source: str
    day: int
    undone: ChronicleEntry | None = None


@dataclass(frozen=True, slots=True)
class FieldAccess:
    """Accessors of a field that is not a plain column. `write` saves by itself.

    `release` empties a field whose value only one row can have, before any is written: so two rows may swap them.
    """

    read: Callable[[Any], Any]
    write: Callable[[Any, Any, Occasion], None]
    release: Callable[[Any], None] | None = None


Loader = Callable[[Campaign, set[str]], RowsById]
Visible = Callable[[User, Campaign, set[str]], set[str]]
Listed = Callable[[User, Campaign], QuerySet[Any, tuple[UUID, str]]]
ShowValue = Callable[[Campaign, str, Any], Any]
ToldParts = Callable[[Collection[UUID]], Mapping[UUID, frozenset[str]]]
OPEN, WHERE, OWN = "", "where", "own"
"""Parts of a thing, by who is told of changes of their fields: whoever may read the thing; whoever may read where it
is; whoever reads its kingdom.
"""


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
    - `parts`: the part (`OPEN`, `WHERE`, `OWN`) of each field that isn't `OPEN`.
    - `told_parts(campaigns)`: returns by campaign the parts whose changes are told to users who may read the object,
      but not its kingdom; by default only `OPEN`.
    - `own`: returns the visible ids whose kingdom the user reads; without it all of them.
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
    parts: Mapping[str, str] = field(default_factory=dict)
    told_parts: ToldParts | None = None
    own: Visible | None = None
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


def list_parts(kind: str) -> dict[str, str]:
    """Return the `parts` of this kind (`TrackedModel`) under all rulesets together."""
    return {name: part for known in _variants(kind).values() for name, part in known.parts.items()}


def told_parts(kind: str, campaigns: Collection[UUID]) -> dict[UUID, frozenset[str]]:
    """Return by campaign the parts told to users who may read an object of this kind, but not its kingdom."""
    ask = next((known.told_parts for known in _variants(kind).values() if known.told_parts), None)
    return {**dict.fromkeys(campaigns, frozenset({OPEN})), **(ask(campaigns) if ask and campaigns else {})}


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


EXISTS = "exists"
BEGINNINGS = frozenset({"created", EXISTS})
"""Fields that say whether an object exists."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change of one field of one object: its values before and after (JSON), the rule id, and a label for readers.

    `subject` is the display name, stored so that the chronicle still reads when the object is deleted. `kept`: the
    proposer writes the value itself and restores it on undo (`UndoFollower`), as time does for thousands of rows.
    `whole`: what restores a deleted object (`kingdom.chronicle.undelete`); it is stored apart in `DeletedRow`.
    """

    subject_kind: str
    subject_id: str
    field: str
    before: Any
    after: Any
    rule: str
    label: Said
    subject: str = ""
    kept: bool = False
    whole: Any = None

    @property
    def place(self) -> tuple[str, str, str]:
        return self.subject_kind, self.subject_id, self.field

    def turned(self) -> Change:
        """Return the change that undoes this one."""
        return replace(self, before=self.after, after=self.before)


def begins(change: Change) -> bool:
    """Return whether the change creates an object."""
    return change.field in BEGINNINGS and change.after not in (None, False)


def ends(change: Change) -> bool:
    """Return whether the change deletes an object."""
    return change.field in BEGINNINGS and not begins(change)


def read_lines(kept: Iterable[Mapping[str, Any]]) -> list[Change]:
    """Return the changes stored with an entry or an approval request."""
    return [_from_json(data) for data in kept]


def dump_change(change: Change) -> dict[str, Any]:
    return {
        "subject_kind": change.subject_kind,
        "subject_id": change.subject_id,
        "subject": str(change.subject),
        "field": change.field,
        "before": make_plain(change.before),
        "after": make_plain(change.after),
        "rule": change.rule,
        "label": words.dump_said(change.label),
        **({"kept": True} if change.kept else {}),
    }


def _from_json(data: Mapping[str, Any]) -> Change:
    return Change(**{**data, "label": words.load_said(data["label"])})


# Deleted rows, stored with the entry that deleted them (`kingdom.chronicle.undelete`).


def keep_deleted_rows(entry: ChronicleEntry, struck: Sequence[Change]) -> None:
    dissolved = {change.subject_id for change in struck if change.subject_kind == "kingdom"}
    DeletedRow.objects.bulk_create(
        DeletedRow(
            campaign=entry.campaign,
            entry=entry,
            kind=one.subject_kind,
            thing=one.subject_id,
            whole=one.whole,
            kingdom_id=owner if (owner := one.whole["columns"].get("kingdom_id")) not in dissolved else None,
            hidden=_hidden(entry.campaign, one.whole["columns"]),
        )
        for one in struck
    )


def _hidden(campaign: Campaign, columns: Mapping[str, Any]) -> bool:
    """Return whether other players might not know of it: it is hidden, or not revealed where others' armies are
    unknown.
    """
    unknown = campaign.others_known < Knowledge.NAME and not columns.get("revealed", True)
    return unknown or bool(columns.get("hidden", False))


def find_deleted_row(campaign: UUID, thing: object) -> DeletedRow | None:
    """Return the stored row of a deleted object whose deletion has not been undone; None if there is none."""
    if (key := parse_uuid(thing)) is None:
        return None
    found = DeletedRow.objects.filter(campaign=campaign, thing=key, entry__undone_at=None)
    return found.select_related("entry").order_by("-entry__seq").first()


# Conflicts: what blocks an undo, with a link to it.


class Blocked(IllegalCommand):
    """Something must be undone, ended or changed first: an `entry` of the chronicle, a `battle` or an `army` (ids)."""

    def __init__(
        self,
        message: Said,
        field: str = "",
        errors: tuple[tuple[str, Said], ...] = (),
        *,
        entry: ChronicleEntry | None = None,
        battle: object = None,
        army: object = None,
    ):
        super().__init__(message, field, errors)
        self.entry, self.battle, self.army = entry, battle, army


class BlockedByDeletion(Blocked):
    """The object no longer exists. If an entry deleted it, that entry must be undone first."""

    def __init__(self, message: Said, campaign: UUID, thing: object):
        struck = find_deleted_row(campaign, thing)
        super().__init__(message, entry=struck.entry if struck else None)


@contextmanager
def unless_remembered(why: Term, held: Term | None = None) -> Iterator[None]:
    """Context that turns a protected deletion into `Blocked`: with `why` and the battle if a battle refers to the row,
    else with `held` (or `why`).
    """
    try:
        yield
    except (ProtectedError, RestrictedError) as error:
        kept = error.protected_objects if isinstance(error, ProtectedError) else error.restricted_objects
        battle = next((row.battle_id for row in kept if hasattr(row, "battle_id")), None)
        raise Blocked(why if battle else held or why, battle=battle) from None


def link_refusal(refusal: Refusal, message: Said | None = None) -> str:
    """Return the refusal as safe HTML, with a link to what must be undone first if it names that."""
    words = say(refusal.message if message is None else message)
    found = _place(refusal) if isinstance(refusal, Blocked) else None
    return format_html('{} <a href="{}">{}</a>', words, *found) if found else words


def _place(refusal: Blocked) -> tuple[str, str] | None:
    """Return the address of what must be undone first, and the text of the link; None if unknown."""
    if refusal.entry:
        there = reverse("kingdom:entry", args=[refusal.entry.campaign_id, refusal.entry.pk])
        return there, gettext("Go to this chronicle entry")
    try:
        if refusal.battle:
            return reverse("battles:battle", args=[refusal.battle]), gettext("Go to the battle")
        if refusal.army:
            return reverse("armies:army", args=[refusal.army]), gettext("Go to the army")
    except NoReverseMatch:  # the site has no such app
        return None
    return None
