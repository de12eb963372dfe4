"""Restoring of deleted objects. `DeletedRow` stores an object's columns, the rows deleted with it, and the rows that
referred to it.

A kind that can be restored has `build_existence` for its field `exists`. Its loader returns unsaved rows for ids it
does not find (`find_or_build`). Stored data is never shown: it may say more than a reader may know. It may come from an
imported document, so it is validated before it is restored.
"""

from __future__ import annotations

import logging
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import DatabaseError, models, transaction
from django.db.models import Field, ForeignObjectRel, QuerySet

from kingdom.archive.import_checks import list_carried_tables
from kingdom.chronicle.field_change import (
    FAULTS,
    UNREADABLE,
    BlockedByDeletion,
    FieldAccess,
    Occasion,
    RowsById,
    find_deleted_row,
    get_kind,
    make_plain,
    read_lines,
)
from kingdom.contributions import contributed
from kingdom.models import Campaign, ChronicleEntry, Kingdom, Membership, User
from rules.core.errors import IllegalCommand, Refusal, require
from rules.core.text import _, say
from rules.registry import family_of

if TYPE_CHECKING:
    from kingdom.chronicle.transaction import Recording

COLUMNS, LEANT, HUNG, FAMILY, DAY = "columns", "leant", "hung", "family", "day"
"""Keys of the stored data: columns, rows that referred to it, rows deleted with it, family of rulesets, day."""
KeptColumns = Mapping[str, Any]
Guard = Callable[[Any, KeptColumns, Occasion], None]
Demand = Callable[[Any, models.Model], None]
PartingHook = Callable[["Recording", Sequence[Any]], None]

GONE = _("This was deleted for good and can’t be restored.")
WORD = re.compile("[a-z][a-z_-]*")
logger = logging.getLogger(__name__)


class Detachment(NamedTuple):
    """`leave(told, rows)` is called before rows of this kind are deleted. It detaches or deletes what refers to them,
    each with a line of its own. A higher order is deleted later and restored sooner.
    """

    kind: str
    leave: PartingHook
    order: int = 0


def build_existence(strike: Callable[[Any], object], guard: Guard) -> FieldAccess:
    """Return the access to a field that says whether an object exists.

    `strike(row)` deletes it. `guard(row, kept, occasion)` adjusts the row before it is restored, or refuses that by
    raising.
    """

    def write(row: models.Model, told: object, occasion: Occasion) -> None:
        if told is None or told is False:
            strike(row)
        else:
            require(isinstance(told, Mapping), GONE)
            _bring_back(row, told, guard, occasion)  # type: ignore[arg-type]

    return FieldAccess(is_there, write)


def was_told_before(access: FieldAccess) -> FieldAccess:
    """Return the access for old lines of `created`, which hold the columns themselves."""

    def write(row: models.Model, told: Any, occasion: Occasion) -> None:
        columns = isinstance(told, Mapping)
        access.write(row, {COLUMNS: told, LEANT: told.get(LEANT, {})} if columns else told, occasion)

    return FieldAccess(lambda row: is_there(row) or None, write)


def is_there(row: models.Model) -> bool:
    return not row._state.adding


def detach_rows(kind: str, told: Recording, rows: Sequence[Any]) -> None:
    for detachment in contributed().detachments if rows else ():
        if detachment.kind == kind:
            detachment.leave(told, rows)


def read_whole_row(rows: Sequence[Any]) -> list[dict[str, Any]]:
    """Return what restores each of these rows of one model, as JSON. One query for each table that refers to them."""
    if not rows:
        return []
    campaign: Campaign = rows[0].campaign
    return [{**kept, FAMILY: family_of(campaign.ruleset), DAY: campaign.day} for kept in _kept(rows)]


def find_or_build(model: type[models.Model], campaign: Campaign, ids: set[str], found: RowsById) -> RowsById:
    """Return the found rows, and an unsaved row for each missing id."""
    return {**{pk: model(pk=UUID(pk), campaign=campaign) for pk in sorted(ids - found.keys())}, **found}


def require_same_kingdom(row: Any) -> None:
    """For guards: raise `BlockedByDeletion` if the row's kingdom no longer exists."""
    if not Kingdom.objects.filter(campaign=row.campaign_id, pk=row.kingdom_id).exists():
        why = say(_("The kingdom {name} belonged to no longer exists."), name=row.name)
        raise BlockedByDeletion(why, row.campaign_id, row.kingdom_id)


def require_same_law(row: Any, kept: KeptColumns) -> None:
    """For guards: raise `IllegalCommand` if the row belongs to another family of rulesets."""
    own = kept.get(FAMILY) in (None, family_of(row.campaign.ruleset))
    require(own, _("This belongs to a ruleset the campaign no longer uses."))


def _kept(rows: Sequence[Any]) -> list[dict[str, Any]]:
    if not rows:
        return []
    model, campaign = type(rows[0]), rows[0].campaign_id
    found: dict[UUID, dict[str, Any]] = {row.pk: {COLUMNS: _told(row)} for row in rows}
    for name, link, others in _links(model, campaign, models.SET_NULL):
        for key, pk in others.filter(**{f"{link.name}__in": [*found]}).order_by("pk").values_list(link.attname, "pk"):
            found[key].setdefault(LEANT, {}).setdefault(name, []).append(str(pk))
    for name, link, others in _links(model, campaign, models.CASCADE):
        hung = list(others.filter(**{f"{link.name}__in": [*found]}).order_by("pk"))
        for one, kept in zip(hung, _kept(hung), strict=True):
            found[getattr(one, link.attname)].setdefault(HUNG, {}).setdefault(name, []).append(kept)
    return [found[row.pk] for row in rows]


def _told(row: models.Model) -> dict[str, Any]:
    return {column.attname: _in_json(column, row) for column in _columns(row)}


def _in_json(column: Any, row: models.Model) -> Any:
    value = getattr(row, column.attname)
    if value is not None and isinstance(column, models.BinaryField | models.DateField):
        return column.value_to_string(row)
    return make_plain(value)


def _columns(row: models.Model) -> Iterator[Any]:
    """Yield the columns of the row and its parents, without generated ones, parent links and the campaign."""
    for column in row._meta.concrete_fields:
        same = column.remote_field is not None and getattr(column.remote_field, "parent_link", False)
        if not (same or column.generated or column.name == "campaign"):
            yield column


def _bring_back(row: Any, kept: KeptColumns, guard: Guard, occasion: Occasion) -> None:
    try:
        back = _Return(row.campaign_id)
        back.fill(row, {**kept[COLUMNS], "id": str(row.pk)})
        row.validate_constraints(exclude=_linked(row))
        guard(row, kept, occasion)
        require(not back.missing(row), GONE)
        with transaction.atomic():
            row.save(force_insert=True)
            back.hang(row, kept)
            read_as_carried(back.written)
    except IllegalCommand:
        raise
    except (Refusal, DatabaseError, *FAULTS) as error:
        raise IllegalCommand(GONE) from error


class _Return:
    """The restoring of one row with the rows deleted with it. Rows found to exist are remembered."""

    def __init__(self, campaign: UUID):
        self._campaign = campaign
        self._there: set[tuple[type[models.Model], UUID]] = set()
        self.written: dict[type[models.Model], list[UUID]] = defaultdict(list)

    def fill(self, row: Any, columns: KeptColumns) -> None:
        """Set the row's columns that still exist. Users who are no longer members become None. Raises what Django
        raises for invalid values.
        """
        empty = set()
        for column in _columns(row):
            if column.attname in columns:
                value = columns[column.attname]
                if isinstance(column, models.UUIDField | models.ForeignKey) and not isinstance(value, str | None):
                    raise TypeError("an id is a text")
                value = column.to_python(value)
                if column.null and column.related_model is User and not self._is_there(column, value):
                    value = None
                setattr(row, column.attname, value)
                empty |= {column.name} if value in column.empty_values else set()
        row.clean_fields(exclude={*_linked(row), *empty, *(link.name for link in row._meta.parents.values() if link)})

    def missing(self, row: Any) -> list[Any]:
        """Return the columns that refer to rows that do not exist, or that belong to another campaign."""
        links = [column for column in _columns(row) if column.is_relation and getattr(row, column.attname)]
        return [column for column in links if not self._is_there(column, getattr(row, column.attname))]

    def _is_there(self, column: Any, pk: Any) -> bool:
        """Return whether the campaign has such a row; for a user, whether they are a member."""
        model = column.related_model
        if pk and (model, pk) not in self._there:
            seats = Membership.objects.filter(campaign=self._campaign, user=pk) if model is User else None
            rows = model._default_manager.filter(pk=pk, campaign=self._campaign) if seats is None else seats
            if not rows.exists():
                return False
            self._there.add((model, pk))
        return bool(pk)

    def hang(self, row: Any, kept: KeptColumns) -> None:
        """Restore the rows deleted with this row, and their own, and let the rows that referred to it do so again."""
        model, leant, hung = type(row), kept.get(LEANT, {}), kept.get(HUNG, {})
        self.written[model].append(row.pk)
        for name, link, rows in _links(model, self._campaign, models.SET_NULL):
            if ids := [UUID(pk) for pk in leant.get(name, ())]:
                rows.filter(**{f"{link.name}__isnull": True}, pk__in=ids).update(**{link.name: row})
        for name, _link, rows in _links(model, self._campaign, models.CASCADE):
            leaves = []
            for one in hung.get(name, ()):
                found = self._hung(row, rows.model(campaign_id=self._campaign), one)
                if found is None:
                    continue
                checked = rows.model in contributed().restore_demands
                if one.keys() == {COLUMNS} and not checked and not rows.model._meta.parents:
                    leaves.append(found)
                else:
                    found.save(force_insert=True)
                    self.hang(found, one)
            rows.model._default_manager.bulk_create(leaves)
            self.written[rows.model] += [leaf.pk for leaf in leaves]

    def _hung(self, on: models.Model, row: Any, kept: KeptColumns) -> Any | None:
        """Return a row deleted with another, ready to be saved. None if something else it refers to is missing, or if
        its place is taken.
        """
        self.fill(row, kept[COLUMNS])
        if on.pk not in [getattr(row, column.attname) for column in _columns(row) if column.is_relation]:
            raise ValueError("it hung on something else")
        if demand := contributed().restore_demands.get(type(row)):
            demand(row, on)
        if missing := self.missing(row):
            self._waits(row, kept, missing[0])
            return None
        if not contributed().restored_where.get(type(row), bool)(row):
            return None
        try:
            if any(column.unique and not column.primary_key for column in row._meta.concrete_fields):
                row.validate_unique(exclude=["id"])
        except ValidationError:
            return None
        return row

    def _waits(self, row: Any, kept: KeptColumns, column: Any) -> None:
        """Keep the row with a deleted object it refers to: restoring that object restores the row."""
        if struck := find_deleted_row(self._campaign, getattr(row, column.attname)):
            hung = struck.whole.setdefault(HUNG, {})
            hung.setdefault(f"{_stored_name(type(row))}.{column.name}", []).append(kept)
            struck.save(update_fields=["whole"])


def read_as_carried(written: Mapping[type[models.Model], Sequence[UUID]]) -> None:
    """Check these rows as rows of an imported document. Raises whatever their checks raise."""
    for table in list_carried_tables():
        pks = [pk for model, many in written.items() if issubclass(model, table.model) for pk in many]
        if table.check and pks:
            for one in table.ready(table.model._default_manager.filter(pk__in=pks)):
                table.check(one)


def demand_readable(entry: ChronicleEntry, _by: User) -> None:
    """Check the texts and structures that an entry restored, as an import does: the entry may come from an imported
    document. Raises `IllegalCommand`.
    """
    touched: dict[str, set[str]] = defaultdict(set)
    for line in read_lines(entry.changes):
        special = line.field in get_kind(line.subject_kind, entry.campaign).fields
        if not (line.kept or special) and (_is_free(line.before) or _is_free(line.after)):
            touched[line.subject_kind].add(line.subject_id)
    written: dict[type[models.Model], list[UUID]] = defaultdict(list)
    for kind, ids in sorted(touched.items()):
        for row in get_kind(kind, entry.campaign).loader(entry.campaign, ids).values():
            if isinstance(row, models.Model) and is_there(row):
                written[type(row)].append(row.pk)
    try:
        read_as_carried(written)
    except (Refusal, *FAULTS) as error:
        logger.warning("What was given back cannot be read", exc_info=error)
        raise IllegalCommand(UNREADABLE) from error


def _is_free(value: object) -> bool:
    """Return whether the value is free text or a structure: no number, boolean or slug."""
    return isinstance(value, dict | list) or (isinstance(value, str) and not WORD.fullmatch(value))


def _linked(row: Any) -> set[str]:
    return {column.name for column in _columns(row) if column.is_relation} | {"campaign"}


def _links(model: type[models.Model], campaign: UUID, on_delete: Any) -> Iterator[tuple[str, Field, QuerySet[Any]]]:
    """Yield the tables whose rows refer to this model: the stored name, the field and the campaign's rows.

    `on_delete` selects those deleted with it (`CASCADE`) or set to null (`SET_NULL`). Parent links and tables restored
    by lines of their own are left out.
    """
    for link in model._meta.get_fields(include_hidden=True):
        if isinstance(link, ForeignObjectRel) and link.on_delete is on_delete and not _is_more_of_it(link):
            related: Any = link.related_model
            if on_delete is models.CASCADE and related in contributed().restored_by_own_lines:
                continue
            rows = related._default_manager.filter(campaign=campaign)
            yield f"{_stored_name(related)}.{link.field.name}", link.field, rows


def _stored_name(model: type[models.Model]) -> str:
    """Return the name under which a table is stored: the model's present name, or its former one (`stored_name`)."""
    return str(getattr(model, "stored_name", model._meta.model_name))


def _is_more_of_it(link: ForeignObjectRel) -> bool:
    return bool(getattr(link.field.remote_field, "parent_link", False))
