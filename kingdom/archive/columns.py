"""Columns of a document: how each is written and read.

The model's field determines the column, so that none can be forgotten.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, lru_cache
from string import Formatter
from typing import Any
from uuid import UUID, uuid4, uuid5

from django.apps import apps
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db import models
from django.utils import timezone

from core.clean_input import TOTAL_MAX, WHOLE_MAX
from core.text import dump_said as words
from kingdom.models.base import uuid7
from rules.core.errors import InvalidInput, demand, demand_fit
from rules.core.text import Term, _

type AnyField = models.Field[Any, Any]

SOMEBODY = words(_("unseen unit"))
TOO_LARGE = _("This number is too large.")
YEARS = range(1970, 2201)
SPECIFIED = re.compile(r"[+,]?0?[0-9]?d?")  # allowed formats of a number in a sentence
PEOPLE_NAMED = ("player", "gm")  # parameters of sentences that name people


@dataclass(frozen=True, slots=True)
class Column:
    """A plain column: text, number or boolean."""

    field: AnyField

    @property
    def name(self) -> str:
        return self.field.name

    def shown(self, value: Any, *, named: bool) -> Any:
        """Return the value for the document. `named`: people appear by name."""
        return value

    def read(self, value: Any, ids: Ids) -> Any:
        """Return the value for the database. Raises `InvalidInput`."""
        demand(value is None or type(value) is self._kind, _("Wrong type of value."))
        if isinstance(value, str):
            demand_fit(value, line=isinstance(self.field, models.CharField))
        if type(value) is int:
            most = TOTAL_MAX if isinstance(self.field, models.BigIntegerField) else WHOLE_MAX
            demand(-most <= value <= most, TOO_LARGE)
        return self._clean(ids.prose(value) if isinstance(value, str) else value)

    @property
    def _kind(self) -> type:
        match self.field:
            case models.BooleanField():
                return bool
            case models.IntegerField():
                return int
        return str

    def _clean(self, value: Any) -> Any:
        try:
            return self.field.clean(value, None)
        except ValidationError as error:
            raise InvalidInput(Term(" ".join(error.messages))) from None


class JsonColumn(Column):
    """A column with a JSON value."""

    __slots__ = ()

    def shown(self, value: Any, *, named: bool) -> Any:
        return value if named else remove_people(value)

    def read(self, value: Any, ids: Ids) -> Any:
        demand(value is not None or self.field.null, _("This field is missing. Add it."))
        demand_harmless(value)
        return ids.inside(value)


class MomentColumn(Column):
    __slots__ = ()

    def shown(self, value: Any, *, named: bool) -> Any:
        return value and value.isoformat().replace("+00:00", "Z")

    def read(self, value: Any, ids: Ids) -> Any:
        try:
            found = value and datetime.fromisoformat(value)
        except (TypeError, ValueError):
            raise InvalidInput(_("Use a date and time such as 2026-11-23T02:10:00Z.")) from None
        demand(
            not found or found.year in YEARS, _("Use a number from {least} to {most}."), least=YEARS[0], most=YEARS[-1]
        )
        if found and timezone.is_aware(found):
            found = found.astimezone(UTC)  # PostgreSQL takes no zone more than 16 hours away
        return self._clean(timezone.make_aware(found) if found and timezone.is_naive(found) else found)


class BytesColumn(Column):
    __slots__ = ()

    def shown(self, value: Any, *, named: bool) -> Any:
        return base64.b64encode(bytes(value)).decode()

    def read(self, value: Any, ids: Ids) -> Any:
        try:
            return base64.b64decode(value, validate=True)
        except (TypeError, ValueError, binascii.Error):
            raise InvalidInput(_("This isn’t valid base64.")) from None


class LooseId(Column):
    """The id of an object that may not exist, or null."""

    __slots__ = ()

    def shown(self, value: Any, *, named: bool) -> Any:
        return None if value is None else str(value)

    def read(self, value: Any, ids: Ids) -> Any:
        demand(value is not None or self.field.null, _("This field is missing. Add it."))
        return None if value is None else ids.any(clean_id(value))


class ListColumn(Column):
    """A list of texts or ids."""

    __slots__ = ()

    def shown(self, value: Any, *, named: bool) -> Any:
        return [str(item) for item in value]

    def read(self, value: Any, ids: Ids) -> Any:
        demand(isinstance(value, list) and all(isinstance(item, str) for item in value), _("Use a list of strings."))
        if isinstance(self.field.base_field, models.UUIDField):  # type: ignore[attr-defined]
            return [ids.any(clean_id(item)) for item in value]
        return self._clean(value)


class OwnId(LooseId):
    """The row's own id."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class RowReference(Column):
    """Reference to another row of the document, by its id."""

    table: str

    def shown(self, value: Any, *, named: bool) -> Any:
        return None if value is None else str(value)

    def read(self, value: Any, ids: Ids) -> Any:
        demand(value is not None or self.field.null, _("This field is missing. Add it."))
        if value is None:
            return None
        found = ids.row(self.table, clean_id(value))
        demand(found, _("This row doesn’t exist in “{table}”."), table=self.table)
        return found


class PersonColumn(Column):
    """A user: an account here, if the document names people and this one is known."""

    __slots__ = ()

    def shown(self, value: Any, *, named: bool) -> Any:
        return str(value) if value and named else None

    def read(self, value: Any, ids: Ids) -> Any:
        return None if value is None else ids.people.get(clean_id(value))


KINDS: Mapping[type[AnyField], type[Column]] = {
    models.JSONField: JsonColumn,
    models.DateTimeField: MomentColumn,
    models.BinaryField: BytesColumn,
    ArrayField: ListColumn,
    models.UUIDField: LooseId,
    models.TextField: Column,
    models.BooleanField: Column,
    models.IntegerField: Column,
    models.CharField: Column,
}
"""The first class that matches a field determines its column."""


def build_column(field: AnyField, tables: Mapping[type[models.Model], str]) -> Column:
    """Return the column for a field. `tables`: the names of carried tables. Raises `TypeError` for an unknown kind of
    field.
    """
    if field.primary_key and isinstance(field, models.UUIDField):
        return OwnId(field)
    if isinstance(field, models.ForeignKey):
        return _reference(field, tables)
    for kind, column in KINDS.items():
        if isinstance(field, kind):
            return column(field)
    raise TypeError(f"{field} travels in no way that is known")


def _reference(field: AnyField, tables: Mapping[type[models.Model], str]) -> Column:
    target: Any = field.related_model
    if target._meta.label == settings.AUTH_USER_MODEL:
        return PersonColumn(field)
    root = next((model for model in (*target._meta.all_parents, target) if model in tables), None)
    if root is None:
        raise TypeError(f"{field} names a row that is not carried")
    return RowReference(field, tables[root])


def clean_id(value: Any) -> str:
    demand(isinstance(value, str) and ID.fullmatch(value), _("This isn’t a valid id."))
    return str(UUID(value))


def remove_people(value: Any) -> Any:
    """Return JSON without people: who typed dice, who requested and who granted, and account ids in rows."""
    match value:
        case {"source": _source, "value": _value, "by": _by}:
            return {**value, "by": ""}
        case {"say": _template, "with": dict(params)}:
            hidden = {name: SOMEBODY for name in PEOPLE_NAMED if isinstance(params.get(name), str)}
            return {**value, "with": {name: remove_people(item) for name, item in {**params, **hidden}.items()}}
        case dict():
            return {name: None if name in _of_people() else remove_people(item) for name, item in value.items()}
        case list():
            return [remove_people(item) for item in value]
    return value


@cache
def _of_people() -> frozenset[str]:
    """Return the names of columns that refer to accounts."""
    columns = (column for model in apps.get_models() for column in model._meta.concrete_fields)
    people = apps.get_model(settings.AUTH_USER_MODEL)
    return frozenset(column.attname for column in columns if column.related_model is people)


def demand_harmless(value: Any) -> None:
    """Raise `InvalidInput` for templates that use more than their parameters: `str.format` will fill them in."""
    match value:
        case dict():
            if isinstance(said := value.get("say"), str) and not _harmless(said):
                raise InvalidInput(_("This text template isn’t supported."))
            for item in value.values():
                demand_harmless(item)
        case list():
            for item in value:
                demand_harmless(item)


@lru_cache(maxsize=4_096)
def _harmless(template: str) -> bool:
    try:
        fields = [(name, how or "") for _text, name, how, _as in Formatter().parse(template) if name is not None]
    except ValueError:
        return False
    return all(name.isidentifier() and SPECIFIED.fullmatch(how) for name, how in fields)


# Ids of a document: everything imported gets new ones. An id of a row becomes that row's new id wherever it stands, in
# columns and inside JSON; any other id becomes one that refers to nothing here. So a document cannot refer to anything
# outside it.


ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
REFERENCE = re.compile(rf"(?:[a-z_-]{{1,40}}:)?{ID.pattern}", re.IGNORECASE)
LENGTH = 36


class Ids:
    """Mapping of old ids to new ones. Rows of a table keep their order, since ids sort by creation. `people`: accounts
    here by the ids in the document.
    """

    def __init__(self, people: Mapping[str, UUID]):
        self.people = people
        self._carried: dict[str, tuple[str, UUID]] = {}
        self._strange = uuid4()  # namespace of ids outside the document, so that they need not be stored

    def carry(self, table: str, old: str) -> bool:
        """Register a row. Return False if its id is registered already."""
        if old in self._carried:
            return False
        self._carried[old] = table, uuid7()
        return True

    def row(self, table: str, old: str) -> UUID | None:
        """Return the new id of a row of this table; None if the document has no such row."""
        where, new = self._carried.get(old.lower(), ("", None))
        return new if where == table else None

    def any(self, old: str) -> UUID:
        """Return the new id for any id."""
        old = old.lower()
        found = self._carried.get(old)
        return found[1] if found else self.people.get(old) or uuid5(self._strange, old)

    def inside(self, value: Any) -> Any:
        """Return JSON with every id replaced, also in names of members."""
        match value:
            case dict():
                return {self.text(name): self.inside(item) for name, item in value.items()}
            case list():
                return [self.inside(item) for item in value]
            case str():
                return self.text(value)
        return value

    def text(self, text: str) -> str:
        """Return a text with its ids replaced: any in an id or reference ("army:…"), those of rows in prose."""
        if len(text) < LENGTH or "-" not in text:
            return text
        if REFERENCE.fullmatch(text):
            return text[:-LENGTH] + str(self.any(text[-LENGTH:]))
        return self.prose(text)

    def prose(self, text: str) -> str:
        """Return prose with the ids of the document's rows replaced, as in addresses."""
        return ID.sub(lambda found: self._known(found[0]), text) if len(text) >= LENGTH else text

    def _known(self, old: str) -> str:
        found = self._carried.get(old.lower())
        return str(found[1]) if found else old
