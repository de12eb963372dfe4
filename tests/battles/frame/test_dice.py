"""Dice from the table: whose they are, who typed them, and what is asked for."""

from __future__ import annotations

import pytest

from battles.models import Battle
from tests.battles.frame.conftest import play


@pytest.fixture
def ready(gm, table, driver):
    play(gm, driver.before_dice(table))
    return gm


def fallen(answer, roll):
    return next(found for event in answer["events"] for found in event["rolls"] if found["roll"] == roll)


def test_a_typed_die_says_who_typed_it(ready, table, driver):
    die = driver.die(table)
    found = fallen(ready.ok(**driver.thrown(table), dice=[die]), die["roll"])
    assert (found["army"], found["die"]) == (die["army"], driver.size)
    assert (found["source"], found["by"]) == ("typed", "gm")
    assert found.get("sides", found["values"]) == die["values"]


def test_a_die_nobody_typed_is_rolled(ready, table, driver):
    found = fallen(ready.ok(**driver.thrown(table)), driver.die(table)["roll"])
    assert (found["source"], found["by"]) == ("rolled", "")


def test_dice_may_be_asked_for_and_nothing_has_happened(ready, table, driver):
    before, die = ready.read(), driver.die(table)
    refused = ready.send(**driver.thrown(table), ask=True)
    assert (refused.status_code, refused.json()["type"]) == (409, "urn:warhost:problem:dice-needed")
    asked = [{name: ask[name] for name in ("army", "roll", "die")} for ask in refused.json()["asks"]]
    assert asked == [{"army": die["army"], "roll": die["roll"], "die": driver.size}]
    assert ready.read() == before
    left = left_to_the_server(ready, driver.thrown(table), die)
    assert left.status_code == 200, "also where it runs on: what is left to the server is left to it"


def left_to_the_server(ready, command, die):
    """What the server throws may need more dice: those are asked for, and left to it as well."""
    values = {(die["army"], die["roll"]): [None]}
    for _further in range(4):
        dice = [{"army": army, "roll": roll, "values": given} for (army, roll), given in values.items()]
        answer = ready.send(**command, ask=True, dice=dice)
        if answer.status_code != 409:
            break
        for ask in answer.json()["asks"]:
            values.setdefault((ask["army"], ask["roll"]), []).append(None)
    return answer


def test_a_face_the_die_does_not_have_is_refused(ready, table, driver):
    for face in (0, 21, "edge", 1.5, True):
        refused = ready.send(**driver.thrown(table), dice=[{**driver.die(table), "values": [face]}])
        assert refused.status_code == 400, face
        assert refused.json()["errors"][0]["pointer"].startswith("/dice"), face


def test_a_die_nobody_needs_is_refused(ready, table, driver):
    die = driver.die(table)
    spare = {**die, "values": [*die["values"], *die["values"]]}
    assert ready.send(**driver.thrown(table), dice=[spare]).status_code == 400
    assert Battle.objects.get(pk=ready.battle.pk).version == ready.read()["version"]
