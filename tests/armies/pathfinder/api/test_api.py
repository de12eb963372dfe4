"""The API of armies and commanders, in the shapes of docs/api."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from armies.pathfinder.armies.services import teach_tactic
from armies.pathfinder.armies.trade_services import buy_resource
from armies.pathfinder.commanders.services import appoint_commander
from armies.pathfinder.models import PathfinderArmy, PathfinderCommander
from kingdom.campaign.services import create_campaign
from kingdom.models import Kingdom
from kingdom.realms.services import found_kingdom
from tests.armies.conftest import api_of, multiplied, orc, raised
from tests.databases import tried
from tests.everyday import at_most, by_turns

API = "/api/v1"
UNIT = orc(abilities=[{"ability": "ferocity"}, {"ability": "spellcasting", "value": 3, "options": {"ranged": True}}])


@pytest.fixture
def ana(war):
    return api_of(war.ana)


@pytest.fixture
def gm_api(war):
    return api_of(war.gm)


def post(client, path, body, **headers):
    return client.post(f"{API}/{path}", body, format="json", **headers)


def of(army, what="") -> str:
    return f"armies/{army.pk}/{what}"


def pointers(response) -> list[str]:
    assert response["Content-Type"].startswith("application/problem+json")
    return [error["pointer"] for error in response.json().get("errors", [])]


# Shape


def test_an_army_reads_back_with_all_derived_figures(war, ana):
    body = {
        "kingdom": str(war.crown.pk),
        "name": "Orc levy",
        "unit": UNIT,
        "count": 500,
        "mount": None,
        "commander": None,
    }
    made = post(ana, "armies/", body)
    assert made.status_code == 201
    army = made.json()
    assert {key: army[key] for key in body} == body
    figures = (
        "size",
        "acr",
        "hp",
        "hp_max",
        "om",
        "dv",
        "morale",
        "consumption",
        "speed",
        "xp",
        "ranged",
        "tactics",
        "tactics_max",
        "resources",
        "status",
        "arrears",
        "conditions",
    )
    assert {key: army[key] for key in figures} == {
        "size": "huge", "acr": "3", "hp": 16, "hp_max": 16, "om": 6, "dv": 16, "morale": 0, "consumption": 1,
        "speed": 2, "xp": 800, "ranged": True, "tactics": [], "tactics_max": 1, "resources": [],
        "status": "ready", "arrears": False, "conditions": [],
    }  # fmt: skip
    for figure in ("om", "dv", "consumption"):
        lines = army["breakdown"][figure]
        assert sum(line["value"] for line in lines) == army[figure]
        assert all(set(line) == {"label", "value", "rule"} and line["rule"] for line in lines)
    assert "morale_check" in army["breakdown"]
    read = ana.get(f"{API}/armies/{army['id']}/")
    assert read.json() == army
    assert read["ETag"] == made["ETag"]


def test_labels_follow_the_language_slugs_do_not(war, ana):
    english = ana.get(f"{API}/{of(war.levy)}").json()
    french = ana.get(f"{API}/{of(war.levy)}", headers={"Accept-Language": "fr"}).json()
    assert (english["size"], english["breakdown"]["om"][0]["value"]) == (
        french["size"],
        french["breakdown"]["om"][0]["value"],
    )


def test_a_commander_reads_back_with_leadership_bonus_and_room(war, ana):
    body = {
        "kingdom": str(war.crown.pk), "name": "Ana", "character_class": "cavalier", "level": 9, "charisma_modifier": 3,
        "soldier_ranks": 5, "leadership_feat": True, "player_character": True, "office": "general",
        "office_boon": "bonus-tactic", "office_tactic": "taunt", "boons": [{"boon": "loyalty", "tactic": None}],
        "status": "free", "notorious": False,
    }  # fmt: skip
    made = post(ana, "commanders/", body)
    assert made.status_code == 201
    commander = made.json()
    assert {key: commander[key] for key in body} == body
    assert (commander["leadership"], commander["morale_bonus"], commander["boons_max"]) == (15, 4, 2)
    assert sum(line["value"] for line in commander["breakdown"]["leadership"]) == 15
    states = {state["boon"]: state for state in commander["boon_states"]}
    assert states["loyalty"]["active"]
    assert states["bonus-tactic"]["office"]


# Permission


READS = [("gm", 200, 200), ("ana", 200, 404), ("bo", 404, 200), ("viewer", 200, 200), ("stranger", 404, 404)]


def test_hidden_sheets_do_not_exist(war):
    for who, levy, raiders in READS:
        client = api_of(getattr(war, who))
        assert client.get(f"{API}/{of(war.levy)}").status_code == levy, who
        assert client.get(f"{API}/{of(war.raiders)}").status_code == raiders, who
        assert client.get(f"{API}/commanders/{war.vell.pk}/").status_code == levy, who
        seen = {army["name"] for army in client.get(f"{API}/armies/").json()["results"]}
        assert seen == {name for name, status in (("Levy", levy), ("Raiders", raiders)) if status == 200}, who


def test_revealed_sheets_are_read_by_the_table_and_changed_by_nobody_else(war, gm_api):
    assert gm_api.patch(f"{API}/{of(war.levy)}", {"revealed": True}, format="json").status_code == 200
    people = (("bo", 200, 403), ("viewer", 200, 403), ("stranger", 404, 404))
    for who, read, write in people:
        client = api_of(getattr(war, who))
        assert client.get(f"{API}/{of(war.levy)}").status_code == read
        assert client.get(f"{API}/commanders/{war.vell.pk}/").status_code == read
        assert client.patch(f"{API}/{of(war.levy)}", {"name": "Mine"}, format="json").status_code == write
        for what in ("resources/", "transfer/", "assign/", "promote/", "tactics/", "rest/", "disband/"):
            if (who, read, write) in by_turns(what, people):
                assert post(client, of(war.levy, what), {}).status_code == write
        assert client.patch(f"{API}/commanders/{war.vell.pk}/", {"level": 20}, format="json").status_code == write


def test_without_a_key_nothing(war):
    assert api_of(None).get(f"{API}/armies/").status_code == 401


STATES = [{"hp": 16}, {"morale": 4}, {"status": "ready"}, {"revealed": True}]


def test_state_is_the_gms_to_set(war, ana):
    for change in STATES:
        assert ana.patch(f"{API}/{of(war.levy)}", change, format="json").status_code == 403, change
        assert api_of(war.gm).patch(f"{API}/{of(war.levy)}", change, format="json").status_code == 200, change


def test_raising_for_others_is_forbidden(war):
    body = {"kingdom": str(war.crown.pk), "name": "x", "unit": orc(), "count": 500}
    assert [post(api_of(getattr(war, who)), "armies/", body).status_code for who in ("bo", "viewer", "stranger")] == [
        403,
        403,
        404,
    ]


# Bad input


WRONG: tuple[tuple[dict[str, Any], str], ...] = (
    ({"count": 0}, "/count"),
    ({"count": 10**9}, "/count"),
    ({"count": "500"}, "/count"),
    ({"count": 5.5}, "/count"),
    ({"count": True}, "/count"),
    ({"count": 10}, "/count"),
    ({"unit": orc(cr="0")}, "/unit/cr"),
    ({"unit": orc(cr="abc")}, "/unit/cr"),
    ({"unit": orc(cr=None)}, "/unit/cr"),
    ({"unit": orc(level=-1)}, "/unit/level"),
    ({"unit": orc(ranged="yes")}, "/unit/ranged"),
    ({"unit": orc(wings=2)}, "/unit/wings"),
    ({"unit": orc(abilities=[{"ability": "lasers"}])}, "/unit/abilities/0/ability"),
    ({"unit": orc(abilities=[{"ability": "ferocity"}, {"ability": "ferocity"}])}, "/unit/abilities/1/ability"),
    ({"unit": orc(abilities=[{"ability": "spellcasting", "value": "lots"}])}, "/unit/abilities/0/value"),
    (
        {"unit": orc(abilities=[{"ability": "hex", "options": {"choice": "boom"}}])},
        "/unit/abilities/0/options/choice",
    ),
    ({"unit": orc(abilities="ferocity")}, "/unit/abilities"),
    ({"unit": orc(name="O\0rc")}, "/unit/name"),
    ({"mount": {"name": "h\0rse"}}, "/mount/name"),
    ({"unit": "orc"}, "/unit"),
    ({"unit": None}, "/unit"),
    ({"name": ""}, "/name"),
    ({"name": 5}, "/name"),
    ({"mount": {"cr": "0"}}, "/mount/cr"),
    ({"mount": "horse"}, "/mount"),
    ({"kingdom": "crown"}, "/kingdom"),
    ({"commander": "vell"}, "/commander"),
)


def test_bad_input_is_400_with_its_pointer_and_changes_nothing(war, ana):
    before = PathfinderArmy.objects.count()
    for change, pointer in WRONG:
        body = {"kingdom": str(war.crown.pk), "name": "Bad", "unit": orc(), "count": 500, **change}
        response = post(ana, "armies/", body)
        assert response.status_code == 400, change
        assert pointer in pointers(response), change
        assert PathfinderArmy.objects.count() == before, change


HALVES = [
    '{"name":"\\ud800","cr":"1"}',
    '{"name":"o","cr":"\\ud800"}',
    '{"name":"o","cr":"1","\\ud800":1}',
    '{"name":"o","cr":"1","abilities":[{"ability":"\\ud800"}]}',
]


def test_half_characters_are_400_wherever_they_stand(war, ana):
    for unit in HALVES:
        body = f'{{"kingdom":"{war.crown.pk}","name":"x","count":500,"unit":{unit}}}'
        response = ana.generic("POST", f"{API}/armies/", body, content_type="application/json")
        assert response.status_code == 400, unit


def test_ids_of_another_campaign_are_not_found(war, gm_api):
    far = create_campaign(by=war.gm, name="Far", ruleset="combat-de-masse")
    realm = found_kingdom(by=war.gm, campaign=far, name="Far realm")
    other = raised(war.gm, realm, "Far levy")
    chief = appoint_commander(by=war.gm, kingdom=realm, name="Far chief")
    buy_resource(by=war.gm, army=war.levy, resource="ranged-weapons")
    answers = [
        post(gm_api, of(war.levy, "assign/"), {"commander": str(chief.pk)}),
        post(gm_api, of(war.levy, "transfer/"), {"resource": "ranged-weapons", "to": [{"army": str(other.pk)}]}),
        post(
            gm_api,
            "armies/",
            {"kingdom": str(war.crown.pk), "name": "x", "unit": orc(), "count": 500, "commander": str(chief.pk)},
        ),
    ]
    assert [answer.status_code for answer in answers] == [404, 404, 404]
    assert [pointers(answer) for answer in answers] == [["/commander"], ["/to/0/army"], ["/commander"]]
    war.levy.refresh_from_db()
    assert (war.levy.commander, war.levy.resources.count(), war.levy.morale) == (war.vell, 1, 0)


TOO_MANY = [([3], "/to/0/quantity"), ([None], "/to/0"), ([1, 2], "/to"), ([], "/to")]


def test_more_than_it_has_is_refused_where_it_was_asked_for(war, ana):
    """Of one army by its quantity, or where none was sent by its share; of several by all of them."""
    for quantities, pointer in TOO_MANY:
        with tried():
            takers = [raised(war.gm, war.crown, f"Taker {place}") for place in range(len(quantities))]
            if quantities != [None]:
                buy_resource(by=war.gm, army=war.levy, resource="siege-engines", quantity=2, waive_building=True)
            to = [
                {"army": str(taker.pk), **({"quantity": quantity} if quantity else {})}
                for taker, quantity in zip(takers, quantities, strict=True)
            ]
            refused = post(ana, of(war.levy, "transfer/"), {"resource": "siege-engines", "to": to})
            assert refused.status_code == (409 if to else 400), refused.content
            assert pointers(refused) == [pointer], quantities


def test_a_commander_in_two_armies_is_409(war, ana):
    body = {"kingdom": str(war.crown.pk), "name": "Second", "unit": orc(), "count": 500, "commander": str(war.vell.pk)}
    response = post(ana, "armies/", body)
    assert response.status_code == 409
    assert pointers(response) == ["/commander"]
    assert "already leads Levy" in response.json()["detail"]


NO_COMMANDERS = [
    ({"level": 0}, "/level"),
    ({"level": "8"}, "/level"),
    ({"name": ""}, "/name"),
    ({"office": "jester"}, "/office"),
    ({"office": "warden"}, "/office_boon"),
    ({"boons": [{"boon": "luck"}]}, "/boons/0/boon"),
    ({"boons": [5]}, "/boons/0"),
    ({"boons": [{"boon": "loyalty"}], "level": 1}, "/boons/0"),
    ({"status": "asleep"}, "/status"),
]


def test_bad_commanders_are_400(war, gm_api):
    for change, pointer in NO_COMMANDERS:
        response = post(gm_api, "commanders/", {"kingdom": str(war.crown.pk), "name": "Bad", "level": 3, **change})
        assert response.status_code == 400, change
        assert pointer in pointers(response), change
        assert not PathfinderCommander.objects.filter(name="Bad").exists(), change


UNKNOWN = [
    "armies/?colour=red",
    "armies/?status=asleep",
    "commanders/?colour=red",
    "stores/?colour=red",
    "stores/?resource=%00",
    "armies/?limit=0",
    "armies/?kingdom=x",
]


def test_unknown_filters_are_400(ana):
    for path in UNKNOWN:
        assert ana.get(f"{API}/{path}").status_code == 400, path


def test_filters_narrow(war, gm_api):
    def names(query):
        return [army["name"] for army in gm_api.get(f"{API}/armies/?{query}").json()["results"]]

    assert names(f"kingdom={war.horde.pk}") == ["Raiders"]
    assert names("status=routed") == []
    assert sorted(names(f"campaign={war.campaign.pk}&status=ready")) == ["Levy", "Raiders"]


# Orders


def test_buying_answers_with_the_army_and_names_what_is_missing(war, ana):
    bought = post(ana, of(war.levy, "resources/"), {"resource": "improved-armor"})
    assert bought.status_code == 201
    assert (bought.json()["resources"], bought.json()["consumption"]) == (
        [{"resource": "improved-armor", "quantity": 1}],
        5,
    )
    building = post(ana, of(war.levy, "resources/"), {"resource": "siege-engines", "quantity": 2})
    assert building.status_code == 409
    assert "Academy" in building.json()["detail"]
    poor = post(api_of(war.bo), of(war.raiders, "resources/"), {"resource": "ranged-weapons"})
    assert poor.status_code == 409
    assert "needs 6 BP more" in poor.json()["detail"]
    for body in (
        {},
        {"resource": "cannons"},
        {"resource": "siege-engines", "quantity": 0},
        {"resource": "siege-engines", "quantity": "1"},
    ):
        assert post(ana, of(war.levy, "resources/"), body).status_code == 400
    assert (
        post(ana, of(war.levy, "resources/"), {"resource": "siege-engines", "waive_building": True}).status_code == 403
    )
    assert Kingdom.objects.get(pk=war.crown.pk).treasury == 188


def test_the_market_lists_prices_and_what_is_missing(war, ana):
    offers = {offer["resource"]: offer for offer in ana.get(f"{API}/{of(war.levy, 'resources/')}").json()}
    assert (offers["improved-armor"]["price"], offers["improved-armor"]["open"]) == (12, True)
    assert offers["magic-weapons"]["missing_bp"] == 0
    assert "Academy" in offers["siege-engines"]["building"]


def test_the_same_key_buys_once(war, ana):
    headers = {"HTTP_IDEMPOTENCY_KEY": "one"}
    first = post(ana, of(war.levy, "resources/"), {"resource": "improved-armor"}, **headers)
    again = post(ana, of(war.levy, "resources/"), {"resource": "improved-armor"}, **headers)
    assert (first.status_code, again.status_code, first.json()) == (201, 201, again.json())
    assert Kingdom.objects.get(pk=war.crown.pk).treasury == 188
    assert post(ana, of(war.levy, "resources/"), {"resource": "mounts"}, **headers).status_code == 422


def test_a_stale_version_is_412(war, ana):
    seen = ana.get(f"{API}/{of(war.levy)}")["ETag"]
    post(ana, of(war.levy, "resources/"), {"resource": "improved-armor"})
    stale = ana.patch(f"{API}/{of(war.levy)}", {"name": "New"}, format="json", HTTP_IF_MATCH=seen)
    assert stale.status_code == 412
    fresh = ana.get(f"{API}/{of(war.levy)}")["ETag"]
    assert ana.patch(f"{API}/{of(war.levy)}", {"name": "New"}, format="json", HTTP_IF_MATCH=fresh).status_code == 200
    assert ana.get(f"{API}/{of(war.levy)}", HTTP_IF_NONE_MATCH="*").status_code == 304


def test_transfer_assign_promote_tactics_rest(war, ana, gm_api):
    guard = raised(war.gm, war.crown, "Guard", count=200)
    post(ana, of(war.levy, "resources/"), {"resource": "improved-armor"})
    moved = post(ana, of(war.levy, "transfer/"), {"resource": "improved-armor", "to": [{"army": str(guard.pk)}]})
    assert (moved.status_code, moved.json()["morale"], moved.json()["resources"]) == (200, -1, [])
    assert post(ana, of(war.levy, "assign/"), {"commander": None}).json()["commander"] is None
    assert post(ana, of(war.levy, "assign/"), {"commander": str(war.vell.pk)}).json()["commander"] == str(war.vell.pk)
    assert post(ana, of(war.levy, "assign/"), {}).status_code == 400
    assert post(ana, of(guard, "promote/"), {"name": "Grub"}).status_code == 201
    assert post(ana, of(war.levy, "tactics/"), {"tactic": "taunt", "granted": True}).status_code == 403
    taught = post(gm_api, of(war.levy, "tactics/"), {"tactic": "taunt", "granted": True})
    assert (taught.status_code, taught.json()["tactics"], taught.json()["tactics_granted"]) == (
        201,
        ["taunt"],
        ["taunt"],
    )
    assert gm_api.delete(f"{API}/{of(war.levy, 'tactics/taunt/')}").json()["tactics"] == []
    gm_api.patch(f"{API}/{of(war.levy)}", {"hp": 5}, format="json")
    rested = post(ana, of(war.levy, "rest/"), {"loyalty_check": True, "dice": 20}).json()
    assert (rested["healed"], rested["check"]["success"], rested["army"]["hp"]) == (6, True, 11)
    assert post(ana, of(war.levy, "rest/"), {}).status_code == 409


def test_disbanding_previews_then_does(war, ana):
    guard = raised(war.gm, war.crown, "Guard", count=200)
    for resource in ("improved-armor", "improved-weapons"):
        post(ana, of(war.levy, "resources/"), {"resource": resource})
    body = {
        "resources": [
            {"resource": "improved-armor", "choice": "give", "to": [{"army": str(guard.pk)}]},
            {"resource": "improved-weapons", "choice": "sell"},
        ]
    }
    preview = post(ana, of(war.levy, "disband/"), {**body, "confirm": False})
    assert (preview.status_code, preview.json()["bp"]) == (200, 6)
    assert PathfinderArmy.objects.get(pk=war.levy.pk).status == "ready"
    done = post(ana, of(war.levy, "disband/"), body)
    assert (done.status_code, done.json()["status"], done.json()["commander"]) == (200, "disbanded", None)
    assert post(ana, of(war.levy, "disband/"), {}).status_code == 409


def test_what_is_named_twice_in_a_disbanding_is_refused(war, ana):
    """PF-5.2: sold and stored at once, one of the two would be passed over in silence."""
    buy_resource(by=war.ana, army=war.levy, resource="improved-armor")
    twice = [{"resource": "improved-armor", "choice": choice} for choice in ("sell", "store")]
    answer = post(ana, of(war.levy, "disband/"), {"resources": twice})
    assert (answer.status_code, pointers(answer)) == (400, ["/resources/1/resource"])
    assert PathfinderArmy.objects.get(pk=war.levy.pk).status == "ready"


def test_stores_are_listed_and_issued(war, ana):
    post(ana, of(war.levy, "resources/"), {"resource": "improved-armor"})
    guard = raised(war.gm, war.crown, "Guard", count=200)
    post(ana, of(war.levy, "disband/"), {})
    stock = ana.get(f"{API}/stores/?kingdom={war.crown.pk}").json()["results"]
    assert [(row["resource"], row["size"], row["quantity"]) for row in stock] == [("improved-armor", "huge", 1)]
    assert api_of(war.bo).get(f"{API}/stores/").json()["results"] == []
    issued = post(ana, of(guard, "resources/"), {"stock": stock[0]["id"]})
    assert issued.json()["resources"] == [{"resource": "improved-armor", "quantity": 1}]


def test_boons_are_learned_over_the_api(war, ana):
    learned = post(ana, f"commanders/{war.vell.pk}/boons/", {"boon": "triage"})
    assert learned.status_code == 201
    assert learned.json()["boons"][-1] == {"boon": "triage", "tactic": None}
    assert post(ana, f"commanders/{war.vell.pk}/boons/", {"boon": "merciless"}).status_code == 409
    assert post(ana, f"commanders/{war.vell.pk}/boons/", {"boon": "luck"}).status_code == 400


def test_deleting_is_the_gms(war, ana, gm_api):
    for path in (of(war.levy), f"commanders/{war.vell.pk}/"):
        assert ana.delete(f"{API}/{path}").status_code == 403
        assert gm_api.delete(f"{API}/{path}").status_code == 204
        assert gm_api.get(f"{API}/{path}").status_code == 404


def test_a_patch_is_whole_or_nothing(war, gm_api):
    response = gm_api.patch(f"{API}/{of(war.levy)}", {"name": "New", "hp": 999}, format="json")
    assert response.status_code == 400
    assert PathfinderArmy.objects.get(pk=war.levy.pk).name == "Levy"


# Costs


def test_lists_ask_as_much_for_many_rows_as_for_one(war, gm_api):
    def asked(path: str) -> tuple[int, int]:
        gm_api.get(f"{API}/{path}")
        with CaptureQueriesContext(connection) as captured:
            rows = gm_api.get(f"{API}/{path}").json()["results"]
        return len(rows), len(captured)

    buy_resource(by=war.gm, army=war.levy, resource="improved-armor")
    buy_resource(by=war.gm, army=war.levy, resource="magic-armor")
    teach_tactic(by=war.gm, army=war.levy, tactic="taunt", granted=True)
    paths = ("armies/", "commanders/", "stores/")
    before = [asked(path) for path in paths]
    multiplied(war.levy, more := at_most(15, full=49))
    for _number in range(more):
        war.crown.stores.create(campaign=war.campaign, resource="mounts", size="huge")
    after = [asked(path) for path in paths]
    assert [queries for _rows, queries in after] == [queries for _rows, queries in before]
    assert max(rows for rows, _queries in before) < 5
    assert min(rows for rows, _queries in after) > more
