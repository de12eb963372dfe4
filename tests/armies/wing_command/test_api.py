"""API of wings and their commanders: the bodies of C-2, and what follows as `sheet`."""

from __future__ import annotations

from typing import Any

from armies.models import Army
from tests.armies.wing_command.conftest import HORDE, SHEET, kept
from tests.kingdom.conftest import api_of

ARMIES, COMMANDERS = "/api/v1/armies/", "/api/v1/commanders/"


def test_a_wing_is_raised_and_read_back(table):
    api = api_of(table.ana)
    made = api.post(ARMIES, {"kingdom": str(table.crown.pk), "name": "Levy", **SHEET}, format="json")
    assert made.status_code == 201, made.content
    told = api.get(f"{ARMIES}{made.data['id']}/").data
    assert {name: told[name] for name in SHEET} == SHEET
    assert (told["health"], told["health_max"], told["upkeep"]) == (3, 3, 4)


def test_the_sheet_says_what_follows_and_why(table):
    sheet = api_of(table.ana).get(f"{ARMIES}{table.watch.pk}/").data["sheet"]
    assert (sheet["points"], sheet["upkeep"], sheet["health"]) == (16, 4, 3)
    guard, archers, _griffins = sheet["troops"]
    assert guard["figures"] == {"move": 3, "melee": 4, "guard": 4}
    assert guard["points"] == 5
    assert [(line["label"], line["value"], line["rule"]) for line in guard["breakdown"]["melee"]] == [
        ("Foot", 3, "WC-10"), ("Better in melee", 1, "WC-10"),
    ]  # fmt: skip
    assert archers["figures"]["shot"] == 6
    (mage,) = sheet["characters"]
    assert [(one["spell"], one["aptitude"], one["limit"]) for one in mage["spells"]] == [
        ("firebolt", 3, 8), ("fire-wall", 1, 6),
    ]  # fmt: skip
    for row in (sheet, *sheet["troops"]):
        figures = {**row.get("figures", row), "points": row["points"]}
        for name, found in row["breakdown"].items():
            assert sum(line["value"] for line in found) == figures[name], name


def test_what_was_read_may_come_back(table):
    api, one = api_of(table.ana), f"{ARMIES}{table.watch.pk}/"
    read = api.get(one).json()
    assert api.patch(one, {**read, "name": "Iron"}, format="json").status_code == 200
    assert kept(table.watch) == kept(Army.objects.get(name="Iron"))
    other = {**read["sheet"], "points": 1}
    refused = api.patch(one, {"sheet": other}, format="json")
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (400, "/sheet")


def test_a_change_keeps_what_it_does_not_name(table):
    api, one = api_of(table.ana), f"{ARMIES}{table.watch.pk}/"
    assert api.patch(one, {"order": "attack"}, format="json").status_code == 200
    assert kept(table.watch) == {**kept(table.watch), "troops": SHEET["troops"], "order": "attack", "morale": 9}


def test_refusals_point_into_the_body(table):
    api = api_of(table.ana)
    body: dict[str, Any] = {"kingdom": str(table.crown.pk), "name": "Levy", **HORDE}
    for wrong, pointer in (
        ({"troops": []}, "/troops"),
        ({"troops": [{"type": "levy"}] * 9}, "/troops"),
        ({"troops": [{"type": "dragons"}]}, "/troops/0/type"),
        ({"troops": [{"type": "levy", "melee": 3}]}, "/troops/0/melee"),
        ({"troops": [{"type": "levy", "speed": 3}]}, "/troops/0/speed"),
        ({"characters": [{"name": "Mo"}] * 5}, "/characters"),
        ({"characters": [{"kind": "mage"}]}, "/characters/0/name"),
        ({"characters": [{"name": "Mo", "art": "fire"}]}, "/characters/0/level"),
        ({"order": "retreat"}, "/order"),
        ({"morale": 3}, "/morale"),
        ({"morale": "8"}, "/morale"),
    ):
        refused = api.post(ARMIES, {**body, **wrong}, format="json")
        assert refused.status_code == 400, wrong
        assert [error["pointer"] for error in refused.json()["errors"]] == [pointer], wrong
    assert not Army.objects.filter(name="Levy").exists()


def test_more_like_it_are_raised(table):
    made = api_of(table.ana).post(f"{ARMIES}{table.watch.pk}/duplicate/", {"copies": 2}, format="json")
    assert made.status_code == 201, made.content
    assert [kept(Army.objects.get(pk=one["id"]))["troops"] for one in made.json()] == [SHEET["troops"]] * 2


def test_a_commander_is_read_with_what_follows(table):
    told = api_of(table.ana).get(f"{COMMANDERS}{table.leader.pk}/").json()
    assert (told["ability"], told["profile"], told["army"]) == ("B", "regular", str(table.watch.pk))
    assert told["sheet"] == {
        "command_test": 9, "order_points": "1D3 × 4", "initiative": 4, "spells": [],
        "breakdown": {"command_test": [{"label": "Command ability B", "value": 9, "rule": "WC-1.4"}]},
    }  # fmt: skip


def test_a_commander_is_appointed_and_changed(table):
    api = api_of(table.ana)
    made = api.post(COMMANDERS, {"kingdom": str(table.crown.pk), "name": "Mo", "ability": "A"}, format="json")
    assert made.status_code == 201, made.content
    one = f"{COMMANDERS}{made.json()['id']}/"
    assert api.patch(one, {"profile": "irregular"}, format="json").status_code == 200
    assert api.patch(one, api.get(one).json(), format="json").status_code == 200
    told = api.get(one).json()
    assert (told["ability"], told["profile"], told["sheet"]["command_test"]) == ("A", "irregular", 9)
    refused = api.patch(one, {"ability": "F"}, format="json")
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (400, "/ability")
