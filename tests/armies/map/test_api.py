"""The map for programs."""

from __future__ import annotations

from armies.models import Army
from kingdom.map.services import configure_map
from kingdom.models import CampaignMap, Settlement
from tests.kingdom.conftest import api_of, client_of
from tests.kingdom.map.conftest import drawing


def test_a_program_makes_reads_and_replaces_a_map(war):
    client, path = api_of(war.gm), f"/api/v1/campaigns/{war.campaign.pk}/map/"
    assert client.get(path).status_code == 404
    made = client.put(path, drawing(claims={str(war.crown.pk): ["A1", "B1"]}, house="own"), format="json")
    assert made.status_code == 200, made.content
    read = client.get(path)
    body = read.json()
    assert body["labels"]["G6"] == "Tuskwater"
    assert body["claims"] == {str(war.crown.pk): ["A1", "B1"]}
    assert body["house"] == "own"
    assert client.put(path, body, format="json").status_code == 428
    assert client.put(path, body, format="json", headers={"If-Match": '"old"'}).status_code == 412
    version = CampaignMap.objects.get().version
    again = client.put(path, body, format="json", headers={"If-Match": read["ETag"]})
    assert again.json() == {**body, "told": ""}
    assert CampaignMap.objects.get().version == version
    assert "house" not in api_of(war.ana).get(path).json()
    wrong = client.put(path, {**body, "rows": 5}, format="json", headers={"If-Match": read["ETag"]})
    assert (wrong.status_code, wrong.json()["errors"][0]["pointer"]) == (400, "/rows")
    twice = {**body, "claims": {str(war.crown.pk): ["A1"], str(war.horde.pk): ["A1"]}}
    wrong = client.put(path, twice, format="json", headers={"If-Match": read["ETag"]})
    assert wrong.json()["errors"][0]["pointer"] == f"/claims/{war.horde.pk}/0"
    assert api_of(war.ana).put(path, body, format="json").status_code == 403
    assert api_of(war.stranger).get(path).status_code == 404


def test_rules_claims_and_places_by_program(marches):
    gm, base = api_of(marches.gm), "/api/v1"
    path = f"{base}/campaigns/{marches.campaign.pk}/map/"
    assert gm.patch(path, {"fog": True, "sight": 3, "sizes": True}, format="json").json()["sight"] == 3
    claimed = gm.post(f"{path}claims/", {"kingdom": str(marches.horde.pk), "hexes": ["A1"]}, format="json")
    assert claimed.json()["claims"][str(marches.horde.pk)] == ["A1", "L10", "M10"]
    place = f"{base}/armies/{marches.levy.pk}/place/"
    assert gm.post(place, {"hex": "E5"}, format="json").json() == {"hex": "E5", "place": ""}
    assert api_of(marches.ana).get(place).json()["hex"] == "E5"
    assert api_of(marches.ana).post(place, {"hex": "E6"}, format="json").status_code == 403
    assert gm.post(place, {"hex": "Z99"}, format="json").status_code == 400
    town = f"{base}/settlements/{marches.town.pk}/place/"
    sent = {"hex": "B3", "revealed": True}
    assert api_of(marches.ana).post(town, sent, format="json").json() == sent
    assert Settlement.objects.get(pk=marches.town.pk).hex == "B3"
    assert gm.patch(path, {"put_away": True}, format="json").status_code == 204
    assert gm.get(path).status_code == 404
    assert gm.patch(path, {"put_away": False}, format="json").status_code == 200


def test_refused_rules_do_not_put_the_map_away(marches):
    path = f"/api/v1/campaigns/{marches.campaign.pk}/map/"
    api = api_of(marches.gm)
    assert api.patch(path, {"put_away": True, "sight": 2}, format="json").status_code == 409
    assert api.get(path).status_code == 200


def test_a_place_out_of_sight_is_told_to_nobody_who_cannot_see_it(marches):
    configure_map(by=marches.gm, campaign=marches.campaign, fog=True)
    place = f"/api/v1/armies/{marches.raiders.pk}/place/"
    assert api_of(marches.ana).get(place).status_code == 404
    Army.objects.filter(pk=marches.raiders.pk).update(revealed=True)
    Army.objects.filter(pk=marches.raiders.pk).update(place="Canary Mill", marching_until=9)
    assert api_of(marches.ana).get(place).json() == {"hex": "", "place": ""}
    read = api_of(marches.ana).get(f"/api/v1/armies/{marches.raiders.pk}/").json()
    assert (read["place"], read["marching_until"]) == ("", None)
    assert api_of(marches.viewer).get(f"/api/v1/armies/{marches.raiders.pk}/").json()["place"] == "Canary Mill"
    listed = f"/c/{marches.campaign.pk}/armies/?state=marching"
    shown = [marches.raiders.name in client_of(who).get(listed).content.decode() for who in (marches.ana, marches.bo)]
    assert shown == [False, True]
    assert api_of(marches.bo).get(place).json()["hex"] == "M10"
    assert api_of(marches.viewer).get(place).json()["hex"] == "M10"
    Army.objects.filter(pk=marches.raiders.pk).update(hex="Z40")  # where there is no hex, nobody looks
    assert api_of(marches.ana).get(place).json() == {"hex": "", "place": ""}
    assert api_of(marches.bo).get(place).json() == {"hex": "", "place": "Canary Mill"}
