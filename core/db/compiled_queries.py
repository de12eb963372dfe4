"""Queries compiled to SQL once in a process: putting one together costs several times what running it does."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import count
from threading import Lock
from typing import Any, NamedTuple, cast
from uuid import UUID

from django.contrib.auth import get_user_model
from django.contrib.postgres.expressions import ArraySubquery
from django.contrib.postgres.fields import ArrayField
from django.db import DEFAULT_DB_ALIAS, connection
from django.db.backends.postgresql.base import ServerBindingCursor
from django.db.backends.utils import CursorWrapper
from django.db.models import (
    BooleanField,
    Expression,
    F,
    JSONField,
    Lookup,
    Model,
    Q,
    QuerySet,
    UUIDField,
    prefetch_related_objects,
)
from django.db.models.query import ModelIterable, _get_from_db, get_related_populators  # type: ignore[attr-defined]
from django.db.transaction import TransactionManagementError

SAMPLES: dict[type, Callable[[int], Any]] = {
    UUID: lambda place: UUID(int=(0xA5 << 120) + place),
    str: lambda place: f"\ue000{place}",
    int: lambda place: 2_000_000_000 + place,
    datetime: lambda place: datetime(1, 1, 1, tzinfo=UTC) + timedelta(place),
    list: lambda place: [UUID(int=(0xA6 << 120) + place)],
}


@UUIDField.register_lookup
class InArray(Lookup):
    """`id__among=ids`: one of these, in one parameter however many they are."""

    lookup_name, prepare_rhs = "among", False

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, Any]:
        sql, params = self.process_lhs(compiler, connection)
        return f"{sql} = ANY(%s)", [*params, list(self.rhs)]


@JSONField.register_lookup
class ContainsRef(Lookup):
    """`mentions__naming=ref`: a list in which an object has this `ref`."""

    lookup_name, prepare_rhs = "naming", False

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, Any]:
        sql, params = self.process_lhs(compiler, connection)
        return f"{sql} @> jsonb_build_array(jsonb_build_object('ref', %s::text))", [*params, self.rhs]


class _Statement(NamedTuple):
    """`slots`: which parameter (by place) is which of what is asked. `instance`: makes one of a row; None: the row is
    what was wanted."""

    sql: str
    params: Sequence[Any]
    slots: list[tuple[int, int]]
    compiler: Any
    converters: Any
    instance: Callable[[Sequence[Any]], Any] | None
    prefetched: Sequence[Any]


def planned_once() -> CursorWrapper:
    """A cursor that keeps question and answers apart, so that the driver lets the database plan what is often asked
    once in a connection: of what a reader may know, planning costs several times what answering does.
    """
    connection.close_if_health_check_failed()
    connection.ensure_connection()
    with connection.wrap_database_errors:
        return connection._prepare_cursor(ServerBindingCursor(connection.connection))  # type: ignore[attr-defined, call-arg]


def is_planned_once(cursor: CursorWrapper) -> bool:
    return isinstance(cursor.cursor, ServerBindingCursor)


class CompiledQuery:
    """The rows of a query as its queryset gives them, instances or values, each time it is called with what is asked;
    what it prefetches by the name of a relation is asked for by such a query, too.

    `build` makes the queryset of samples of these kinds. Each must come back unchanged among its parameters
    (`ValueError`), and nothing else of the query may depend on them: they are never None.
    """

    def __init__(self, build: Callable[..., QuerySet[Any, Any]], *kinds: type):
        self._build, self._kinds = build, kinds
        self._statement: _Statement | None = None
        self._lock = Lock()

    def __call__(self, *asked: Any) -> list[Any]:
        _sql, _params, _slots, compiler, converters, instance, prefetched = self._put_together()
        if compiler.query.select_for_update and connection.get_autocommit():
            raise TransactionManagementError("select_for_update cannot be used outside of a transaction.")
        with planned_once() as cursor:
            cursor.execute(*self.sql(asked))
            rows = cursor.fetchall()
        read = compiler.apply_converters(rows, converters) if converters else rows
        found = list(map(instance, read) if instance else read)
        if found and prefetched:
            _fetch_below(found, prefetched)
        return found

    def first(self, *asked: Any) -> Any | None:
        """The only row there can be, or None."""
        return next(iter(self(*asked)), None)

    def count(self, *asked: Any) -> int:
        sql, params = self.sql(asked)
        with planned_once() as cursor:
            cursor.execute(f"SELECT count(*) FROM ({sql}) counted", params)
            return int(cursor.fetchone()[0])

    def sql(self, asked: Sequence[Any]) -> tuple[str, list[Any]]:
        """What is sent to the database."""
        statement = self._put_together()
        given = list(statement.params)
        for at, which in statement.slots:
            given[at] = asked[which]
        return statement.sql, given

    def _put_together(self) -> _Statement:
        with self._lock:
            if self._statement is None:
                samples = [SAMPLES[kind](place) for place, kind in enumerate(self._kinds)]
                self._statement = _statement(self._build(*samples), samples)
            return self._statement


def prefetch_below(row: Any, name: str, found: list[Any]) -> None:
    """From now on these are the rows below it, as `prefetch_related` has it."""
    rows = getattr(row, name).all()
    rows._result_cache, rows._prefetch_done = found, True
    row.__dict__.setdefault("_prefetched_objects_cache", {})[name] = rows


def _fetch_below(rows: list[Any], lookups: Sequence[Any]) -> None:
    """What `prefetch_related` would read."""
    model: Any = type(rows[0])
    below = [_below(model, name) if isinstance(name, str) else None for name in lookups]
    if None in below:
        prefetch_related_objects(rows, *lookups)
        return
    above = {row.pk: row for row in rows}
    for name, (foreign, ask) in zip(lookups, cast(list[tuple[Any, CompiledQuery]], below), strict=True):
        found: dict[Any, list[Any]] = {key: [] for key in above}
        for one in ask(list(above)):
            key = getattr(one, foreign.attname)
            setattr(one, foreign.name, above[key])
            found[key].append(one)
        for row in rows:
            prefetch_below(row, name, found[row.pk])


@cache
def _below(model: Any, name: str) -> tuple[Any, CompiledQuery] | None:
    """The foreign key by which rows of another table point at this one's key, and the question for them; None where the
    name leads anywhere else.
    """
    relation = next((one for one in model._meta.related_objects if one.get_accessor_name() == name), None)
    if relation is None or not relation.one_to_many or not relation.field.target_field.primary_key:
        return None
    foreign, rows = relation.field, relation.related_model._default_manager
    return foreign, CompiledQuery(lambda keys: rows.filter(InArray(F(foreign.attname), keys)), list)


class CompiledQueryForUser:
    """The same for a reader: `build` makes the queryset of a user and of samples of these kinds. What a reader may know
    is a long question, and nothing but who asks differs in it.

    Nobody in particular, who reads by a token of one campaign or in a role on somebody else's seat, is asked for as
    ever.
    """

    def __init__(self, build: Callable[..., QuerySet[Any, Any]], *kinds: type):
        self._build = build
        self._prepared = CompiledQuery(lambda key, *asked: build(get_user_model()(pk=key), *asked), UUID, *kinds)

    def __call__(self, user: Any, *asked: Any) -> list[Any]:
        return self._prepared(user.pk, *asked) if _is_himself(user) else list(self._build(user, *asked))

    def first(self, user: Any, *asked: Any) -> Any | None:
        """The only row there can be, or None."""
        return next(iter(self(user, *asked)), None)

    def count(self, user: Any, *asked: Any) -> int:
        """How many rows there are."""
        if _is_himself(user):
            return self._prepared.count(user.pk, *asked)
        return self._build(user, *asked).count()

    def ids(self, user: Any, *asked: Any) -> Expression | QuerySet[Any, Any]:
        """The ids that it finds, for `__in` in another query. One that asks for many such is put together several times
        sooner than of querysets, each of which is taken apart again wherever the others go.
        """
        if _is_himself(user):
            return _Rows(self._prepared, (user.pk, *asked))
        return self._build(user, *asked)

    def array(self, user: Any, *asked: Any) -> Expression | ArraySubquery:
        """The same as an array."""
        if _is_himself(user):
            return _Found(self._prepared, (user.pk, *asked))
        return ArraySubquery(self._build(user, *asked))


def _is_himself(user: Any) -> bool:
    return user.is_authenticated and not (user.bound_to or user.sits_as)


class LazyPage(Sequence[Any]):
    """The beginning of a list, for a paginator: what fills a page, and one more. Its length is the whole list's."""

    def __init__(self, lines: list[Any], count: Callable[[], int]):
        self.lines, self._count = lines, count

    def __getitem__(self, part: Any) -> Any:
        return self.lines[part]

    def __len__(self) -> int:
        return self._count()


class _Rows(Expression):
    """The one column of a prepared query."""

    template = "({})"
    column: Any = UUIDField()

    def __init__(self, prepared: CompiledQuery, asked: tuple[Any, ...]):
        super().__init__(output_field=self.column)
        self._prepared, self._asked = prepared, asked

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, Any]:
        sql, params = self._prepared.sql(self._asked)
        return self.template.format(sql), params


class _Found(_Rows):
    """The same as an array."""

    template = "ARRAY({})"
    column = ArrayField(UUIDField())


class CompiledCondition:
    """A condition on rows of a model that is a long question and the same for all readers but for who asks: put
    together once, wherever such rows are asked for.

    `build(user)` tells it by columns of the rows, and of what a foreign key of theirs leads to. Rows of the same table
    are asked for by a queryset, never by a prepared query (`ValueError`).
    """

    def __init__(self, model: type[Model], build: Callable[[Any], Q]):
        self._model, self._build = model, build
        self._template: _Template | None = None
        self._lock = Lock()

    def __call__(self, user: Any) -> Q:
        return Q(_Asked(self, user.pk)) if _is_himself(user) else self._build(user)

    def template(self) -> _Template:
        with self._lock:
            if self._template is None:
                who = SAMPLES[UUID](0)
                self._template = _template(self._model, self._build(get_user_model()(pk=who)), who)
            return self._template


class _Template(NamedTuple):
    """`columns`: paths of what stands in the gaps of `sql`. `slots`: which parameters are who asks."""

    sql: str
    columns: Sequence[str]
    params: Sequence[Any]
    slots: Sequence[int]


class _Asked(Expression):
    """A prepared condition, of the rows of the query it stands in."""

    def __init__(self, condition: CompiledCondition, user: UUID):
        super().__init__(output_field=BooleanField())
        self._template, self._user = condition.template(), user
        self._columns: list[Any] = [F(path) for path in self._template.columns]

    def get_source_expressions(self) -> list[Any]:
        return self._columns

    def set_source_expressions(self, exprs: Sequence[Any]) -> None:
        self._columns = list(exprs)

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, Any]:
        columns = [compiler.compile(column)[0] for column in self._columns]
        params = list(self._template.params)
        for at in self._template.slots:
            params[at] = self._user
        return self._template.sql.format(*columns), params


_templates = count()


def _template(model: type[Model], condition: Q, who: UUID) -> _Template:
    query = QuerySet(model).filter(condition).order_by().query
    compiler = query.get_compiler(DEFAULT_DB_ALIAS)
    compiler.pre_sql_setup()
    sql, params = compiler.compile(compiler.where)
    sql, columns = sql.replace("{", "{{").replace("}", "}}"), dict[str, int]()
    for alias, (path, of) in _paths(query, model).items():
        if re.search(rf'(FROM|JOIN) "{alias}"(?! "[A-Z]+\d)', sql):
            raise ValueError(f"“{alias}” is asked for by a prepared query within: {sql}")
        fields = {field.column: field.attname for field in of._meta.concrete_fields}
        for column in set(re.findall(rf'"{alias}"\."(\w+)"', sql)):
            gap = columns.setdefault(path + fields[column], len(columns))
            sql = sql.replace(f'"{alias}"."{column}"', f"{{{gap}}}")
    # What is asked within goes by names that no query around it gives.
    sql = re.sub(r'"([A-Z]+\d+)"', rf'"\1_{next(_templates)}"', sql)
    return _Template(f"({sql})", list(columns), params, [at for at, _which in _slots(params, [who])])


def _paths(query: Any, model: type[Model]) -> dict[str, tuple[str, type[Model]]]:
    """By the name of each table of the query: how its rows are led to, and their model."""
    found: dict[str, tuple[str, type[Model]]] = {}
    for alias, table in query.alias_map.items():
        if table.parent_alias is None:
            found[alias] = "", model
        else:
            found[alias] = f"{found[table.parent_alias][0]}{table.join_field.name}__", table.join_field.related_model
    return found


def _statement(queryset: QuerySet[Any, Any], samples: list[Any]) -> _Statement:
    compiler = queryset.query.get_compiler(DEFAULT_DB_ALIAS)
    sql, params = compiler.as_sql()
    slots = list(_slots(params, samples))
    if {which for _at, which in slots} != set(range(len(samples))):
        raise ValueError(f"Not everything that is asked is a parameter: {sql} {params}")
    converters = compiler.get_converters([column for column, *_ in compiler.select[: compiler.col_count]])
    instances = issubclass(queryset._iterable_class, ModelIterable)
    maker = _maker(queryset, compiler) if instances else None
    return _Statement(sql, params, slots, compiler, converters, maker, queryset._prefetch_related_lookups)  # type: ignore[attr-defined]


def _slots(params: Sequence[Any], samples: list[Any]) -> Iterator[tuple[int, int]]:
    for at, found in enumerate(params):
        if found in samples:
            yield at, samples.index(found)


def _maker(queryset: QuerySet[Any, Any], compiler: Any) -> Callable[[Sequence[Any]], Any]:
    """Makes an instance of a row, as `ModelIterable` does."""
    info, mode = compiler.klass_info, queryset._fetch_mode  # type: ignore[attr-defined]
    columns = slice(info["select_fields"][0], info["select_fields"][-1] + 1)
    names = [column.target.attname for column, *_ in compiler.select[columns]]
    make = _get_from_db(info["model"], mode)
    related = get_related_populators(info, compiler.select, DEFAULT_DB_ALIAS, mode)
    annotated = tuple(compiler.annotation_col_map.items())

    def instance(row: Sequence[Any]) -> Any:
        found = make(DEFAULT_DB_ALIAS, names, row[columns])
        for one in related:
            one.populate(row, found)
        for name, place in annotated:
            setattr(found, name, row[place])
        return found

    return instance
