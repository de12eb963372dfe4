"""Inserts and updates compiled to SQL once in a process, as `core.db.compiled_queries` does for queries."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection
from django.db.models import Model


def insert(row: Model) -> None:
    """Write a new row, as `save` does of one that has no parents and whose values are all known."""
    fields = row._meta.concrete_fields
    with connection.cursor() as cursor:
        cursor.execute(_insert_sql(type(row)), [_stored(row, field, new=True) for field in fields])
    row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS


def update(row: Model, *names: str) -> None:
    """Write these fields of a row that is there. Raises `DatabaseError` where it is not."""
    fields = [row._meta.get_field(name) for name in names]
    with connection.cursor() as cursor:
        cursor.execute(_update_sql(type(row), names), [*(_stored(row, field) for field in fields), row.pk])
        if cursor.rowcount != 1:
            raise DatabaseError(f"There is no such row: {row._meta.label} {row.pk}.")


def _stored(row: Model, field: Any, *, new: bool = False) -> Any:
    return field.get_db_prep_save(field.pre_save(row, new), connection)


@cache
def _insert_sql(model: type[Model]) -> str:
    columns = [field.column for field in model._meta.concrete_fields]
    names, values = ", ".join(map(_quoted, columns)), ", ".join(["%s"] * len(columns))
    return f"INSERT INTO {_quoted(model._meta.db_table)} ({names}) VALUES ({values})"


@cache
def _update_sql(model: type[Model], names: tuple[str, ...]) -> str:
    fields: Any = [model._meta.get_field(name) for name in names]
    told = ", ".join(f"{_quoted(field.column)} = %s" for field in fields)
    key: Any = model._meta.pk
    return f"UPDATE {_quoted(model._meta.db_table)} SET {told} WHERE {_quoted(key.column)} = %s"


def _quoted(name: str | None) -> str:
    return connection.ops.quote_name(name or "")
