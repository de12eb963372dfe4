"""`armies/` and `commanders/` in the shapes of this law."""

from __future__ import annotations

from tests.armies.breaking_point.conftest import ARCHERS, LEGION, TANKS
from tests.kingdom.conftest import api_of

ARMIES, COMMANDERS = "/api/v1/armies/", "/api/v1/commanders/"


def body(marches, *units, **more):
    return {"kingdom": str(marches.crown.pk), "name": "Levy", "units": list(units), **more}


def test_an_army_is_raised_and_reads_back_its_sheet(marches):
    answer = api_of(marches.ana).post(ARMIES, body(marches, LEGION, ARCHERS), format="json")
    assert answer.status_code == 201, answer.data
    sheet = answer.data["sheet"]
    assert (sheet["strength"], sheet["power"], sheet["fire_power"], sheet["force"]) == (680, 1920, 400, 5320)
    assert (sheet["combat"], sheet["defense"], sheet["breaking_point"], sheet["breaking_value"]) == (5, 5, 65, 3458)
    assert sheet["thresholds"] == {"battered": 2660, "decimated": 5320, "annihilated": 10640}
    assert sheet["groups"]["contact"]["power"] == 1920
    assert sheet["groups"]["shooting"]["thresholds"]["decimated"] == 1000
    assert sum(line["value"] for line in sheet["breakdown"]["power"]) == 1920
    first = answer.data["units"][0]
    assert first["weapons"] == ["gladius", "pilum"]
    assert (first["sheet"]["force"], first["sheet"]["breaking_point"]) == (4320, 70)
    assert (answer.data["health"], answer.data["health_max"]) == (680, 680)


def test_what_was_read_can_be_sent_back(marches):
    api = api_of(marches.ana)
    read = api.get(f"{ARMIES}{marches.watch.pk}/").data
    answer = api.patch(f"{ARMIES}{marches.watch.pk}/", read, format="json")
    assert answer.status_code == 200, answer.data
    assert answer.data["units"] == read["units"]


def test_units_are_changed_whole(marches):
    api = api_of(marches.ana)
    answer = api.patch(f"{ARMIES}{marches.watch.pk}/", {"units": [{**LEGION, "combat": 7}]}, format="json")
    assert answer.data["sheet"]["combat"] == 7
    assert len(answer.data["units"]) == 1


def test_what_is_wrong_is_pointed_at(marches):
    api = api_of(marches.ana)
    for unit, pointer in (
        ({**LEGION, "strength": 0}, "/units/0/strength"),
        ({**LEGION, "strength": 10**9}, "/units/0/strength"),
        ({**LEGION, "weapons": ["doom"]}, "/units/0/weapons/0"),
        ({**LEGION, "height": 3}, "/units/0/height"),
        ({**LEGION, "type": "unicorns"}, "/units/0/type"),
        ({**TANKS, "machine": "zeppelin"}, "/units/0/machine"),
    ):
        answer = api.post(ARMIES, body(marches, unit), format="json")
        assert answer.status_code == 400, unit
        assert [error["pointer"] for error in answer.data["errors"]] == [pointer]
        assert (
            api.post(ARMIES, body(marches, unit), format="json")
            .headers["Content-Type"]
            .startswith("application/problem+json")
        )
    for empty in ([], "legion", None, 3):
        answer = api.post(ARMIES, {**body(marches), "units": empty}, format="json")
        assert answer.status_code == 400
        assert answer.data["errors"][0]["pointer"].startswith("/units")


def test_a_refusal_is_said_in_french(marches):
    api = api_of(marches.ana)
    english = api.post(ARMIES, body(marches, {**LEGION, "strength": 0}), format="json").data["detail"]
    french = api.post(
        ARMIES, body(marches, {**LEGION, "strength": 0}), format="json", headers={"Accept-Language": "fr"}
    ).data["detail"]
    assert english != french


def test_who_may_not_read_an_army_finds_none(marches):
    for user in (marches.bo, marches.stranger):
        assert api_of(user).get(f"{ARMIES}{marches.watch.pk}/").status_code == 404
    listed = api_of(marches.bo).get(f"{ARMIES}?campaign={marches.campaign.pk}").data["results"]
    assert [army["name"] for army in listed] == ["Steel"]
    assert api_of(marches.viewer).get(f"{ARMIES}{marches.watch.pk}/").status_code == 200
    assert api_of(marches.viewer).patch(f"{ARMIES}{marches.watch.pk}/", {"name": "x"}, format="json").status_code == 403


def test_a_commander_with_his_sums(marches):
    api = api_of(marches.ana)
    figures = {"mental": 8, "presence": 7, "combat": 5, "art_of_war": 5, "diplomacy": 2}
    answer = api.post(COMMANDERS, {"kingdom": str(marches.crown.pk), "name": "Vell", **figures}, format="json")
    assert answer.status_code == 201, answer.data
    sums = answer.data["sums"]
    assert (sums["command"], sums["rally"], sums["terms"]) == (13, 12, 9)
    assert sum(line["value"] for line in sums["breakdown"]["command"]) == 13
    url = f"{COMMANDERS}{answer.data['id']}/"
    assert api.patch(url, {"art_of_war": 6}, format="json").data["sums"]["command"] == 14
    refused = api.patch(url, {"mental": 99}, format="json")
    assert refused.status_code == 400
    assert refused.data["errors"][0]["pointer"] == "/mental"
    assert api.get(url).data["mental"] == 8


def test_every_problem_of_an_army_is_told_at_once(marches):
    wrong = body(marches, {**LEGION, "strength": 0}, {**ARCHERS, "type": "unicorns", "combat": 99})
    answer = api_of(marches.ana).post(ARMIES, wrong, format="json")
    pointers = [error["pointer"] for error in answer.data["errors"]]
    assert pointers == ["/units/0/strength", "/units/1/type", "/units/1/combat"]
