"""Lists over all of a reader's campaigns read their rows, not the table: seen in what PostgreSQL says it did."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from typing import Any, NamedTuple

import pytest
from django.db import connection

from armies.pathfinder.models import KingdomStock, PathfinderArmy, PathfinderCommander
from battles.models import Battle
from kingdom.models import Campaign, Kingdom, Settlement
from kingdom.realms.services import assign_player
from tests.battles.conftest import make_table, open_ford
from tests.kingdom.conftest import api_of, client_of, make_user, seat
from tests.manners.doors import furnish

pytestmark = pytest.mark.slow
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
    table.ana = seat(table.gm, table.campaign, make_user("ana"), "player")
    assign_player(by=table.gm, kingdom=table.crown, player=table.ana)
    table.battle = open_ford(table)
    return table


SPREAD = """
UPDATE {table} t SET {column} = p.id
FROM (SELECT id, row_number() OVER (ORDER BY id) n FROM {table} WHERE campaign_id <> %(own)s) own,
     (SELECT id, row_number() OVER (ORDER BY id) n FROM {parent} WHERE {parents} <> %(own)s) p
WHERE own.id = t.id AND own.n = p.n"""


@pytest.fixture
def spread(crowd) -> Any:
    """The strangers' armies and towns are not of three kingdoms but of as many as there are, and their battles of as
    many campaigns: the database takes each to have as many as all have in the mean, wherever it plans for any of them.
    """
    kingdom = {"column": "kingdom_id", "parent": "kingdom_kingdom", "parents": "campaign_id"}
    campaign = {"column": "campaign_id", "parent": "kingdom_campaign", "parents": "id"}
    with connection.cursor() as cursor:
        for table, by in (("armies_army", kingdom), ("kingdom_settlement", kingdom),
                          ("kingdom_kingdom", campaign), ("battles_battle", campaign)):  # fmt: skip
            cursor.execute(SPREAD.format(table=table, **by), {"own": crowd.campaign.pk})
            cursor.execute(f"ANALYZE {table}")
    return crowd


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for inner in plan.get("Plans", ()):
        yield from nodes(inner)


class Asked(NamedTuple):
    """A query."""

    sql: str
    params: Sequence[Any]

    def plan(self) -> list[dict[str, Any]]:
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {self.sql}", self.params)
            found = cursor.fetchone()[0]
        return list(nodes((json.loads(found) if isinstance(found, str) else found)[0]["Plan"]))


@contextmanager
def listened() -> Iterator[list[Asked]]:
    found: list[Asked] = []

    def note(execute: Any, sql: Any, params: Any, many: bool, context: Any) -> Any:
        if str(sql).startswith("SELECT"):
            found.append(Asked(str(sql), tuple(params or ())))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield found


def read_by(node: dict[str, Any]) -> float:
    """Rows of a table this node looked at."""
    if "Relation Name" not in node:
        return 0
    lost = node.get("Rows Removed by Filter", 0) + node.get("Rows Removed by Index Recheck", 0)
    return (node["Actual Rows"] + lost) * node["Actual Loops"]


def wasteful(asked: Sequence[Asked]) -> list[tuple[float, str]]:
    """Queries that looked at more rows than a reader of few needs."""
    read = [(sum(read_by(node) for node in one.plan()), one.sql) for one in asked]
    return [one for one in read if one[0] > READ_MOST]


def pages(table: Any) -> list[str]:
    campaign, army = f"/c/{table.campaign.pk}/", table.watch
    return [
        campaign, f"{campaign}armies/", f"{campaign}chronicle/", f"{campaign}story/", f"{campaign}battles/",
        f"{campaign}members/", f"/kingdoms/{table.crown.pk}/", f"/armies/{army.pk}/",
        f"/commanders/{army.commander_id}/", f"/battles/{table.battle.pk}/",
    ]  # fmt: skip


def test_no_page_reads_the_rows_of_strangers(spread):
    found = []
    for reader, page in product((spread.gm, spread.ana), pages(spread)):
        with listened() as asked:
            assert client_of(reader).get(page).status_code == 200, page
        found += [(page, *one) for one in wasteful(asked)]
    assert not found, "\n".join(map(str, found))


def test_no_list_reads_the_rows_of_strangers(crowd):
    client, found = api_of(crowd.gm), []
    wanted = [(name, "") for name in LISTS] + [(name, f"?campaign={crowd.campaign.pk}") for name in list(LISTS)[1:]]
    for name, query in wanted:
        model = LISTS[name]
        with listened() as asked:
            answer = client.get(f"/api/v1/{name}/{query}")
        own = {"pk" if model is Campaign else "campaign": crowd.campaign.pk}
        assert len(answer.json()["results"]) == model.objects.filter(**own).count() > 0
        found += [(name, *one) for one in wasteful(asked)]
    assert not found, "\n".join(map(str, found))
