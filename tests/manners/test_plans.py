"""Lists over all of a reader's campaigns read his rows, not the table: seen in what PostgreSQL says it did."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import pytest
from django.db import connection
from psycopg.sql import SQL, Literal

from armies.pathfinder.models import KingdomStock, PathfinderArmy, PathfinderCommander
from battles.models import Battle
from kingdom.models import Campaign, Kingdom, Settlement
from kingdom.prepared import is_planned_once
from tests.battles.conftest import make_table, open_ford
from tests.kingdom.conftest import api_of, make_user
from tests.manners.doors import furnish

STRANGERS = 20_000  # rows of each kind in a campaign that is not the reader's
READ_MOST = 200
LISTS = {"campaigns": Campaign, "kingdoms": Kingdom, "settlements": Settlement, "armies": PathfinderArmy,
         "commanders": PathfinderCommander, "stores": KingdomStock, "battles": Battle}  # fmt: skip


def multiply(model: type[Any], size: int) -> None:
    """Copies of the model's rows, made before everything else as their ids tell; in each table it is kept in."""
    parents = list(model._meta.parents)
    for parent in parents:
        multiply(parent, size)
    table = model._meta.db_table
    columns = [field.column for field in model._meta.local_concrete_fields if not field.primary_key]
    known = ", ".join(f'"{column}"' for column in columns)
    values = ", ".join("NULL" if column == "commander_id" else f't."{column}"' for column in columns)
    key = model._meta.pk.column
    made = "('01800000' || substr(gen_random_uuid()::text, 9))::uuid"
    rows = f"SELECT {made}, {values} FROM {table} t, generate_series(1, %s)"
    if parents:  # a row for each new one of the other table
        source = parents[0]._meta.db_table
        rows = f"""SELECT p.id, {values} FROM {source} p, (SELECT * FROM {table} LIMIT 1) t
            WHERE NOT EXISTS (SELECT FROM {table} o WHERE o.{key} = p.id)"""
    with connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO {table} ({key}, {known}) {rows}", [] if parents else [size])
        cursor.execute(f"ANALYZE {table}")


@pytest.fixture
def crowd(db) -> Any:
    """A campaign of strangers with very many rows, and then one with a few, whose GM asks."""
    strangers = furnish(make_table(make_user("stranger")))
    open_ford(strangers)
    for model in LISTS.values():
        multiply(model, STRANGERS // model.objects.count() if model is not Battle else STRANGERS // 10)
    table = furnish(make_table(make_user("gm")))
    open_ford(table)
    return table


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for inner in plan.get("Plans", ()):
        yield from nodes(inner)


class Asked(NamedTuple):
    """A query, and whether the database may plan it for whatever it is asked, because it is asked often."""

    sql: str
    params: Sequence[Any]
    once: bool

    def plan(self) -> list[dict[str, Any]]:
        ask = "EXPLAIN (ANALYZE, FORMAT JSON) "
        with connection.cursor() as cursor:
            if self.once:
                first, *others = self.sql.split("%s")
                numbered = "".join([first, *(f"${number}{part}" for number, part in enumerate(others, 1))])
                cursor.execute("SET LOCAL plan_cache_mode = force_generic_plan")
                cursor.execute(f"PREPARE asked AS {numbered.replace('%%', '%')}")
                values = SQL(", ").join(Literal(value) for value in self.params)
                cursor.execute(SQL(ask + "EXECUTE asked ({})").format(values))
            else:
                cursor.execute(ask + self.sql, self.params)
            found = cursor.fetchone()[0]
            if self.once:
                cursor.execute("DEALLOCATE asked")
        return list(nodes((json.loads(found) if isinstance(found, str) else found)[0]["Plan"]))


@contextmanager
def listened() -> Iterator[list[Asked]]:
    found: list[Asked] = []

    def note(execute: Any, sql: Any, params: Any, many: bool, context: Any) -> Any:
        if str(sql).startswith("SELECT"):
            found.append(Asked(str(sql), tuple(params or ()), is_planned_once(context["cursor"])))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield found


def read_by(node: dict[str, Any]) -> float:
    """Rows of a table this node looked at."""
    if "Relation Name" not in node:
        return 0
    lost = node.get("Rows Removed by Filter", 0) + node.get("Rows Removed by Index Recheck", 0)
    return (node["Actual Rows"] + lost) * node["Actual Loops"]


def test_no_list_reads_the_rows_of_strangers(crowd):
    client, wasteful, often = api_of(crowd.gm), [], 0
    wanted = [(name, "") for name in LISTS] + [(name, f"?campaign={crowd.campaign.pk}") for name in list(LISTS)[1:]]
    for name, query in wanted:
        model = LISTS[name]
        with listened() as asked:
            answer = client.get(f"/api/v1/{name}/{query}")
        own = {"pk" if model is Campaign else "campaign": crowd.campaign.pk}
        assert len(answer.json()["results"]) == model.objects.filter(**own).count() > 0
        read = [(one, sum(read_by(node) for node in one.plan())) for one in asked]
        wasteful += [(name, rows, one.sql[:150]) for one, rows in read if rows > READ_MOST]
        often += sum(one.once for one in asked)
    assert often
    assert wasteful == []
