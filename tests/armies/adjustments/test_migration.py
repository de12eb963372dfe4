"""Adjustments of mass combat move into the table of every army, and back."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from tests.config.postgres.test_squashed import built

BEFORE = [("armies", "0001_squashed_0015_plain_words_of_choices"), ("pathfinder", "0006_reserve")]
AFTER = [("armies", "0016_army_adjustments"), ("pathfinder", "0007_adjustments_of_every_law")]
BLESSED = [{"id": "1", "figure": "om", "amount": 2, "reason": "Blessed", "until": None}]


def migrated(targets: list[tuple[str, str]]) -> Any:
    executor = MigrationExecutor(connection)
    executor.migrate(targets)
    return MigrationExecutor(connection).loader.project_state(targets).apps


def adjustments(kind: Any) -> dict[str, Any]:
    return dict(kind.objects.values_list("name", "adjustments"))


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_adjustments_move_with_their_armies_and_back():
    with built(lambda: migrated(BEFORE)):
        old = migrated(BEFORE)
        owner = old.get_model("kingdom", "User").objects.create(username="gm")
        campaign = old.get_model("kingdom", "Campaign").objects.create(
            name="Marches", ruleset="combat-de-masse", created_by=owner, owner=owner
        )
        kingdom = old.get_model("kingdom", "Kingdom").objects.create(campaign=campaign, name="Crown")
        for name, given in (("Levy", BLESSED), ("Guard", [])):
            old.get_model("pathfinder", "PathfinderArmy").objects.create(
                campaign=campaign, kingdom=kingdom, name=name, health=1, health_max=1, adjustments=given
            )
        now = migrated(AFTER)
        assert adjustments(now.get_model("armies", "Army")) == {"Levy": BLESSED, "Guard": []}
        assert adjustments(now.get_model("pathfinder", "PathfinderArmy")) == {"Levy": BLESSED, "Guard": []}
        old = migrated(BEFORE)
        assert adjustments(old.get_model("pathfinder", "PathfinderArmy")) == {"Levy": BLESSED, "Guard": []}
