"""POST forecast/: a battle that is nowhere, from armies one may read and armies one describes."""

from __future__ import annotations

from typing import Any

import pytest

from battles.models import Battle, Job
from tests.battles.conftest import Client

URL = "/api/v1/forecast/"
SPEARS = {
    "name": "Spears", "count": 100, "unit": {"name": "Spearman", "cr": "5", "hit_die": "d10"},
    "commander": {"name": "Ysolde", "level": 6, "charisma_modifier": 3}, "tactics": ["taunt"],
    "resources": {"improved-weapons": 1},
}  # fmt: skip
AXES = {"name": "Axes", "count": 100, "unit": {"name": "Axeman", "cr": "5", "hit_die": "d10"}}


def body(one: Any = SPEARS, two: Any = AXES, **more: Any) -> dict[str, Any]:
    sides = [{"name": "Crown", "armies": [one]}, {"name": "Horde", "armies": [two]}]
    return {"ruleset": "combat-de-masse", "sides": sides, **more}


def ask(user: Any, asked: dict[str, Any]) -> Any:
    return Client(user).api.post(URL, asked, format="json")


def test_two_armies_that_are_nowhere(table):
    answer = ask(table.ana, body())
    assert answer.status_code == 200, answer.content
    told = answer.json()
    one, two = (side["win"] for side in told["sides"])
    assert one > two, "the better equipped wins more often"
    assert one + two + told["mutual"] + told["undecided"] == pytest.approx(1, abs=1e-6)
    assert {army["army"] for army in told["hp"]} == {"Spears", "Axes"}
    assert (Battle.objects.count(), Job.objects.count()) == (0, 0)


def test_the_same_armies_are_even(table):
    told = ask(table.ana, body({**AXES, "name": "Others"})).json()
    one, two = (side["win"] for side in told["sides"])
    assert one == pytest.approx(two, abs=max(2 * told["error"], 0.02))


def test_orders_and_choices_are_asked_as_in_a_battle(table):
    orders = {"Spears": {"tactic": "taunt"}}
    answer = ask(table.ana, body(orders=orders, matrix=True))
    assert answer.status_code == 200, answer.content
    assert answer.json()["matrix"]["row"] == "Spears"


def test_his_own_army_by_its_id_and_no_other(table):
    assert ask(table.ana, body(str(table.watch.pk))).status_code == 200
    hidden = ask(table.ana, body(str(table.watch.pk), str(table.raiders.pk)))
    assert (hidden.status_code, hidden.json()["errors"][0]["pointer"]) == (404, "/sides/1/armies/0")
    assert ask(table.gm, body(str(table.watch.pk), str(table.raiders.pk))).status_code == 200
    assert ask(table.stranger, body(str(table.watch.pk))).status_code == 404


def test_what_cannot_be_supposed_is_refused_with_its_pointer(table):
    ana = Client(table.ana).api
    for asked, pointer in (
        ({"ruleset": "chess"}, "/ruleset"),
        (body(house_rules={"nonsense": 1}), "/house_rules/nonsense"),
        (body({**AXES, "unit": {"name": "X", "cr": "many"}}), "/sides/0/armies/0/unit/cr"),
        (body({**AXES, "count": 0}), "/sides/0/armies/0/count"),
        (body({**AXES, "tactics": ["nap"]}), "/sides/0/armies/0/tactics/0"),
        (body({**AXES, "resources": {"gold": 1}}), "/sides/0/armies/0/resources/gold"),
        (body({**AXES, "commander": {"level": "high"}}), "/sides/0/armies/0/commander/level"),
        (body(AXES, AXES), "/sides/1/armies/0/name"),
        (body({**AXES, "colour": "red"}), "/sides/0/armies/0/colour"),
        (body(7), "/sides/0/armies/0"),
        ({**body(), "sides": {}}, "/sides"),
        ({**body(), "fog": True}, "/fog"),
    ):
        answer = ana.post(URL, asked, format="json")
        assert answer.status_code == 400, (pointer, answer.content)
        assert pointer in [error["pointer"] for error in answer.json()["errors"]], pointer


def test_what_a_die_decides_before_is_not_supposed(table):
    answer = ask(table.ana, body(ambush={"by": "Axes", "target": "Spears"}))
    assert answer.status_code == 409
    assert "die" in answer.json()["detail"]


def test_a_law_that_foretells_nothing_says_so(table):
    answer = ask(table.ana, {"ruleset": "turns", "sides": []})
    assert (answer.status_code, answer.json()["detail"]) == (409, "This ruleset has no forecasts.")


def test_a_law_of_plain_numbers(table):
    sides = [{"name": n, "armies": [{"name": f"{n}s", "sheet": {"men": m}}]} for n, m in (("One", 3), ("Two", 1))]
    told = ask(table.ana, {"ruleset": "coin", "sides": sides}).json()
    assert told["sides"][0]["win"] > told["sides"][1]["win"]
    wrong = [{"name": "One", "armies": [{"name": "x", "sheet": {"men": 0}}]}]
    refused = ask(table.ana, {"ruleset": "coin", "sides": wrong})
    assert refused.json()["errors"][0]["pointer"] == "/sides/0/armies/0/sheet/men"
