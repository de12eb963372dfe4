"""The record of weeks is read by its key, not searched, once the steps of several campaigns lie among each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest
from django.db import connection

from armies.pathfinder.models import ArmyWeek
from armies.pathfinder.weeks import bulk_sql
from kingdom.models import Campaign
from tests.databases import tried

CAMPAIGNS, STEPS, ARMIES = 6, 15, 60


@pytest.fixture
def interleaved(db):
    """Every campaign passes a week, then every campaign the next one."""
    campaigns = [Campaign.objects.create(name=str(place), ruleset="combat-de-masse") for place in range(CAMPAIGNS)]
    same = {"morale_before": 0, "morale_after": 0, "status_before": "ready", "status_after": "ready",
            "arrears_before": False, "arrears_after": False, "owed_before": 0, "owed_after": 0, "disease_before": 0,
            "disease_after": 0, "ill_before": False, "ill_after": False}  # fmt: skip
    for step in range(1, STEPS + 1):
        ArmyWeek.objects.bulk_create(
            ArmyWeek(campaign=campaign, day=7 * step, army_id=UUID(int=one), kingdom_id=UUID(int=1), hp_before=1,
                     hp_after=2, **same)
            for campaign in campaigns for one in range(ARMIES)
        )  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE armies_armyweek")
    return campaigns[CAMPAIGNS // 2]


def scans(statement: str, params: dict[str, Any]) -> list[dict[str, Any]]:
    """How the plan came to the rows of weeks, as it was carried out."""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {statement}", params)
        plan = cursor.fetchone()[0][0]["Plan"]
    return [
        node for node in nodes(plan) if node.get("Relation Name") == "armies_armyweek" and "Scan" in node["Node Type"]
    ]


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for below in plan.get("Plans", ()):
        yield from nodes(below)


STATEMENTS = [
    (bulk_sql.OVERTAKEN, {}),
    (bulk_sql.RESTORE, {}),
    (bulk_sql.FORGET, {}),
    (bulk_sql.RALLY, {"until": 56, "ids": [UUID(int=3)]}),
    (bulk_sql.touched("hp"), {"days": [56], "ids": [UUID(int=3)]}),
]


@pytest.mark.slow
def test_undo_and_rally_read_no_row_of_another_step(interleaved):
    for statement, more in STATEMENTS:
        with tried():
            found = scans(statement, {"campaign": interleaved.pk, "day": 56, **more})
        assert found, statement
        for scan in found:
            assert scan["Node Type"] != "Seq Scan", statement
            assert scan.get("Rows Removed by Index Recheck", 0) == 0, statement
            read = scan.get("Rows Removed by Filter", 0) + scan["Actual Rows"] * scan["Actual Loops"]
            assert read <= ARMIES, statement
