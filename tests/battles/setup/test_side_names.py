"""Names of sides that are given none, under any law and at any door."""

from __future__ import annotations

from typing import Any

import pytest

from battles.models import Battle
from battles.setup.side_names import name_sides
from tests.battles.conftest import Client


def names(table: Any, *sides: Any) -> list[Any]:
    return [side["name"] for side in name_sides(table.campaign, list(sides))]


def side(*armies: Any, **more: Any) -> dict[str, Any]:
    return {"armies": [str(army.pk) for army in armies], **more}


def test_a_side_takes_the_name_of_its_kingdom(table):
    assert names(table, side(table.watch), side(table.raiders, table.spare, name=None)) == ["Crown", "Horde"]


def test_where_two_would_take_the_same_they_are_named_by_their_armies(table):
    assert names(table, side(table.raiders), side(table.spare), side(table.watch)) == ["Raiders", "Spare", "Crown"]


def test_a_side_of_several_kingdoms_has_its_number(table):
    assert names(table, side(table.watch, table.raiders), side(table.spare)) == ["Side 1", "Horde"]


def test_a_name_that_is_taken_gets_a_number(table):
    assert names(table, side(table.raiders, name="Spare"), side(table.spare), side(table.spare, name="Horde")) == [
        "Spare", "Spare 2", "Horde",
    ]  # fmt: skip


@pytest.mark.parametrize("sides", [None, 3, "x", ["x"], [{"armies": 4, "name": "A"}], [{"name": "A"}, None]])
def test_what_are_no_sides_is_left_to_whoever_reads_it(table, sides):
    assert name_sides(table.campaign, sides) is sides


def test_the_api_names_them_as_the_page_does(table):
    body = {"campaign": str(table.campaign.pk), "name": "A quarrel", "sides": [side(table.raiders), side(table.spare)]}
    response = Client(table.gm).api.post("/api/v1/battles/", body)
    assert response.status_code == 201, response.content
    assert [found["name"] for found in response.json()["sides"]] == ["Raiders", "Spare"]
    same = [side(table.watch, name="Reds"), side(table.watch, name="Reds")]
    refused = Client(table.gm).api.post("/api/v1/battles/", {**body, "sides": same})
    assert refused.status_code == 400
    assert Battle.objects.count() == 1
