"""What is taken out of the world is kept whole in its entry, so that it can be brought back as it was.

A kind of thing that can be brought back reads and writes a field `created`: all that is kept of it, or None where it is
not there (`access`); its loader answers rows that are not there yet for ids it does not find (`or_new`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import ForeignObjectRel

from kingdom.models import Campaign
from kingdom.subjects import FieldAccess, Occasion, Rows, plain
from rules.errors import IllegalCommand
from rules.text import _

LEANT = "leant"
"""Beside the fields: which rows pointed at it and no longer do, by their model and field."""
Guard = Callable[[Any], None]


def access(fields: Sequence[str], guard: Guard) -> FieldAccess:
    """`fields`: its columns. `guard(row)` refuses to have a row stand again, once it says what it was."""

    def read(row: models.Model) -> dict[str, Any] | None:
        return None if row._state.adding else _kept(row, fields)

    def write(row: models.Model, told: Mapping[str, Any] | None, _occasion: Occasion) -> None:
        if told is None:
            row.delete()
        else:
            _bring_back(row, told, fields, guard)

    return FieldAccess(read, write)


def _kept(row: models.Model, fields: Sequence[str]) -> dict[str, Any]:
    """All that is needed to bring it back, as JSON."""
    leant = {name: [str(pk) for pk in rows.order_by("pk").values_list("pk", flat=True)] for name, rows in _leaning(row)}
    return {**{name: plain(getattr(row, name)) for name in fields}, **({LEANT: leant} if any(leant.values()) else {})}


def or_new(model: type[models.Model], campaign: Campaign, ids: set[str], found: Rows) -> Rows:
    """The rows, and one that is not there yet for each other id."""
    new = (UUID(pk) for pk in sorted(ids - found.keys()))
    return {**{str(pk): model(pk=pk, campaign=campaign) for pk in new if str(pk) not in found}, **found}


def _bring_back(row: models.Model, told: Mapping[str, Any], fields: Sequence[str], guard: Guard) -> None:
    columns = {column.attname: column for column in row._meta.concrete_fields}
    try:
        for name in fields:
            setattr(row, name, columns[name].to_python(told[name]))
        elsewhere = {column.name for column in columns.values() if column.is_relation}
        row.clean_fields(exclude=elsewhere)
        row.validate_constraints(exclude=elsewhere)
        leant = {name: [UUID(pk) for pk in pks] for name, pks in told.get(LEANT, {}).items()}
    except (AttributeError, KeyError, TypeError, ValueError, ValidationError) as error:  # somebody else wrote that
        raise IllegalCommand(_("This is gone for good.")) from error
    guard(row)
    row.save(force_insert=True)
    for name, rows in _leaning(row, anew=leant):
        rows.update(**{name.partition(".")[2]: row})


def _leaning(
    row: models.Model, *, anew: Mapping[str, Sequence[UUID]] | None = None
) -> Iterator[tuple[str, models.QuerySet[Any]]]:
    """The rows of each table that point at it and forget it when it goes; `anew`: those named there that forgot it and
    point nowhere since.
    """
    for link in row._meta.get_fields(include_hidden=True):
        if isinstance(link, ForeignObjectRel) and link.on_delete is models.SET_NULL:
            name, column = f"{link.related_model._meta.model_name}.{link.field.name}", link.field.name
            rows = link.related_model._default_manager.filter(campaign=row.campaign_id)  # type: ignore[attr-defined]
            if anew is None:
                yield name, rows.filter(**{column: row.pk})
            elif name in anew:
                yield name, rows.filter(**{f"{column}__isnull": True}, pk__in=anew[name])
