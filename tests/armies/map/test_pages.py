"""The map's page: what each sees, as drawing and as tables, and what the GM does there."""

from __future__ import annotations

import json
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from armies.intel.services import hide_army
from armies.map.visibility import load_seen_map
from armies.marches.services import put_army
from armies.models import Army
from kingdom.access.impersonation_queries import reader_in
from kingdom.campaign.services import update_campaign
from kingdom.map.queries import load_map_state
from kingdom.map.services import claim_hexes, configure_map, put_settlement
from kingdom.models import Campaign, CampaignMap, Kingdom, Knowledge, Settlement
from kingdom.realms.services import found_settlement
from kingdom.search.search_registry import find
from rules.hexes.geometry import label_of
from tests.armies.conftest import raised
from tests.kingdom.conftest import api_of, make_user, seat
from tests.kingdom.map.conftest import drawing


def page_of(user, campaign, query="") -> str:
    client = Client()
    client.force_login(user)
    response = client.get(f"/c/{campaign.pk}/map/{query}")
    assert response.status_code == 200
    return response.content.decode()


def json_of(user, campaign) -> str:
    return json.dumps(api_of(user).get(f"/api/v1/campaigns/{campaign.pk}/map/").json())


def test_a_map_is_drawn_with_its_hexes_lines_names_towns_and_armies(marches):
    text = page_of(marches.gm, marches.campaign)
    assert text.count('" tabindex="-1"><use href="#t') == 16 * 12
    for what in ('class="road"', 'class="river"', "Tuskwater", "Restov", "Levy", "Raiders", "t-lake", "claim one"):
        assert what in text
    assert "A1" in page_of(marches.gm, marches.campaign, "?layers=coordinates")
    for query in ("", "?hex=C3"):
        assert 'id="map-rules"' in page_of(marches.gm, marches.campaign, query)
        assert 'id="map-rules"' not in page_of(marches.ana, marches.campaign, query)
    assert '<g class="coordinates">' not in text


def test_what_is_picked_stands_in_the_address_and_beside_the_map(marches):
    short = str(marches.levy.pk)[-8:]
    text = page_of(marches.ana, marches.campaign, f"?army={marches.levy.pk}")
    assert f'<a href="?army={short}&amp;hex=A1" tabindex="-1">' in text
    assert 'id="picked-army"' in text
    text = page_of(marches.ana, marches.campaign, "?hex=c3&zoom=150")
    assert 'id="picked-hex"' in text
    assert 'href="?zoom=150&amp;hex=D3"' in text.replace("&amp;amp;", "&amp;")
    assert 'id="picked-hex"' not in page_of(marches.ana, marches.campaign, "?hex=Z99&army=nonsense&zoom=x&layers=none")


@pytest.mark.parametrize(("asked", "told"), [("Z99", "Z99 isn’t on the map."), ("Ω", "“Ω” isn’t a hex")])
def test_a_hex_that_is_not_there_is_told_and_the_map_looks_as_it_did(marches, asked, told):
    text = page_of(marches.ana, marches.campaign, f"?hex={asked}&zoom=150&layers=letters")
    assert told in text
    form = text.partition('<form class="form" method="get">')[2].partition("</form>")[0]
    for kept in ('name="zoom" value="150"', 'name="layers" value="letters"'):
        assert kept in form
    assert "off the map" not in page_of(marches.ana, marches.campaign, f"?army={marches.levy.pk}")


def test_the_map_is_shown_as_it_was_after_an_order(marches, gm_client):
    sent = {"army": marches.levy.pk, "hex": "A2", "at-hex": "A2", "at-zoom": "150", "at-layers": "letters"}
    answer = gm_client.post(f"/c/{marches.campaign.pk}/map/army/", sent)
    assert answer.url == f"/c/{marches.campaign.pk}/map/?zoom=150&layers=letters&hex=A2"
    page = gm_client.get(answer.url).content.decode()
    for name, value in (("hex", "A2"), ("zoom", "150"), ("layers", "letters")):
        assert f'<input type="hidden" name="at-{name}" value="{value}">' in page


def test_what_a_player_may_not_know_is_nowhere(marches):
    """Canaries: another kingdom's hidden army and its town; under fog a name, a claim and the ground as well."""
    gm, campaign = marches.gm, marches.campaign
    lair = found_settlement(by=gm, kingdom=marches.horde, name="Canary Lair")
    put_settlement(by=gm, settlement=lair, hex="L10")
    Army.objects.filter(pk=marches.raiders.pk).update(name="Canary Raiders")

    def sent(user) -> str:
        picked = "?hex=M10&army=" + str(marches.raiders.pk)
        return page_of(user, campaign) + page_of(user, campaign, picked) + json_of(user, campaign)

    for everything in (page_of(gm, campaign), page_of(marches.viewer, campaign), json_of(gm, campaign)):
        assert "Canary Lair" in everything
        assert "Canary Raiders" in everything
    told = sent(marches.ana)
    assert "Canary Lair" not in told
    assert "Canary Raiders" not in told
    assert "Canary Barrow" in told
    assert "claim two" in told

    configure_map(by=gm, campaign=campaign, fog=True, sight=1)
    put_settlement(by=gm, settlement=lair, hex="L10", revealed=True)
    Army.objects.filter(pk=marches.raiders.pk).update(revealed=True)
    told = sent(marches.ana)
    for canary in ("Canary", "claim two", "t-lake", "t-mountains"):
        assert canary not in told, canary
    assert "Canary Lair" in page_of(gm, campaign)
    assert "Canary Lair" in page_of(marches.bo, campaign)


def test_an_army_that_is_seen_no_more_is_dashed_where_it_was_last_seen(marches):
    gm, campaign = marches.gm, marches.campaign
    Army.objects.filter(pk=marches.raiders.pk).update(revealed=True)
    configure_map(by=gm, campaign=campaign, fog=True, sight=2)
    put_army(by=gm, army=marches.raiders, hex="E4")
    assert "counter two" in page_of(marches.ana, campaign)
    put_army(by=gm, army=marches.raiders, hex="M12")
    text = page_of(marches.ana, campaign)
    assert "counter two last-seen" in text
    assert "Raiders, Greenbelt horde, E4, last seen on day 0" in text
    assert "army where it was last seen" in text
    assert "army not ready" not in text
    assert "M12" not in json_of(marches.ana, campaign)
    Army.objects.filter(pk=marches.raiders.pk).update(revealed=False)
    assert "Raiders" in page_of(marches.ana, campaign)  # met, as the campaign says
    Army.objects.filter(pk=marches.raiders.pk).update(hidden=True)
    assert "Raiders" not in page_of(marches.ana, campaign)


def test_strangers_find_no_map_and_members_without_one_are_told(marches, war):
    client = Client()
    client.force_login(marches.stranger)
    assert client.get(f"/c/{marches.campaign.pk}/map/").status_code == 404
    CampaignMap.objects.all().delete()
    assert "No map yet" in page_of(marches.ana, marches.campaign)
    assert "Create map" not in page_of(marches.ana, marches.campaign)
    assert "Create map" in page_of(marches.gm, marches.campaign)


@pytest.fixture
def gm_client(marches) -> Client:
    client = Client()
    client.force_login(marches.gm)
    return client


def test_the_gm_makes_a_map_and_puts_it_away(war):
    client = Client()
    client.force_login(war.gm)
    base = f"/c/{war.campaign.pk}/map/"
    refused = client.post(f"{base}make/", {"name": "Marches", "columns": 5, "rows": 12})
    assert refused.status_code == 422
    assert client.post(f"{base}make/", {"name": "Marches", "columns": 20, "rows": 12}).status_code == 302
    drawn = CampaignMap.objects.get()
    assert (drawn.columns, drawn.rows) == (20, 12)
    assert client.post(f"{base}away/", {"away": "1"}).status_code == 302
    assert "map is archived" in page_of(war.gm, war.campaign)
    assert client.post(f"{base}away/", {"away": "0"}).status_code == 302
    assert 'id="map-frame"' in page_of(war.gm, war.campaign)
    client.force_login(war.ana)
    assert client.post(f"{base}make/", {"name": "Mine", "columns": 20, "rows": 12}).status_code == 403


def test_the_gm_orders_armies_towns_borders_and_rules_on_the_map(marches, gm_client):
    base = f"/c/{marches.campaign.pk}/map/"
    sent = {"army": marches.levy.pk, "hex": "F7", "at-hex": "F7"}
    done = gm_client.post(f"{base}army/", sent)
    assert (done.status_code, done.url) == (302, f"{base}?hex=F7")
    assert Army.objects.get(pk=marches.levy.pk).hex == "F7"
    refused = gm_client.post(f"{base}army/", {**sent, "hex": "Z99"})
    assert refused.status_code == 422
    page = refused.content.decode()
    assert "isn’t on the map" in page
    ids = re.findall(r' id="([^"]+)"', page)
    assert {"stand_hex", "town_hex", "stand_hex_helptext", "town_hex_helptext"} <= {*ids}
    assert sorted({*ids}) == sorted(ids)
    gm_client.post(f"{base}settlement/", {"town": marches.town.pk, "hex": "B2", "revealed": "on"})
    assert Settlement.objects.get(pk=marches.town.pk).revealed
    gm_client.post(f"{base}claim/", {"kingdom": marches.horde.pk, "hexes": "A1:C1, d2"})
    gm_client.post(f"{base}rules/", {"sight": 3, "sizes": "on", "fog": "on"})
    assert CampaignMap.objects.filter(campaign=marches.campaign, fog=True, sight=3).exists()
    assert Kingdom.objects.get(pk=marches.horde.pk).size == 6
    assert gm_client.post(f"{base}claim/", {"kingdom": "", "hexes": "nowhere"}).status_code == 422


def test_a_block_of_hexes_is_claimed_from_corner_to_corner(marches):
    client = Client()
    client.force_login(marches.gm)
    claims = f"/c/{marches.campaign.pk}/map/claim/"
    for typed, claimed in (("D2:C4", {"C2", "D2", "C3", "D3", "C4", "D4"}), ("H7", {"H7"})):
        for kingdom in ("", marches.horde.pk):
            assert client.post(claims, {"kingdom": kingdom, "hexes": typed}).status_code == 302
        land = load_map_state(CampaignMap.objects.get(campaign=marches.campaign))
        of_horde = {label_of(at) for at, whose in land.claims.items() if whose == marches.horde.pk}
        assert claimed <= of_horde, typed
    for typed in ("C2:ZZZ9999", "C2:D3:E4", "C2|D2", "C2:", ":C2"):
        assert client.post(claims, {"kingdom": "", "hexes": typed}).status_code == 422, typed


def test_a_kingdom_says_that_its_size_follows_the_map(marches):
    configure_map(by=marches.gm, campaign=marches.campaign, sizes=True)
    client = Client()
    client.force_login(marches.gm)
    text = client.get(f"/kingdoms/{marches.crown.pk}/").content.decode()
    assert "Claimed hexes on the map" in text
    form = client.get(f"/kingdoms/{marches.crown.pk}/edit/").content.decode()
    assert 'name="size"' not in form
    assert f'The size follows the kingdom’s hexes on <a href="/c/{marches.campaign.pk}/map/">the map</a>.' in form
    fields = {"name": "Crown of Restov", "alignment": "LN", "economy": 23, "loyalty": 18, "stability": 20, "unrest": 3}
    client.post(f"/kingdoms/{marches.crown.pk}/edit/", {**fields, "districts": 3, "size": 50})
    assert Kingdom.objects.get(pk=marches.crown.pk).size == 5


def test_other_pages_lead_to_the_map(marches):
    client = Client()
    client.force_login(marches.ana)
    address = f"/c/{marches.campaign.pk}/map/"
    for path in (f"/c/{marches.campaign.pk}/", f"/kingdoms/{marches.crown.pk}/"):
        assert address in client.get(path).content.decode(), path
    assert f"{address}?army=" in client.get(f"/armies/{marches.levy.pk}/").content.decode()
    assert f"{address}?hex=C3" in client.get(f"/kingdoms/{marches.crown.pk}/").content.decode()


def test_the_map_asks_thirteen_queries_at_most_however_many_armies(marches):
    gm, campaign = marches.gm, marches.campaign
    for number in range(3):
        put_army(by=gm, army=raised(gm, marches.horde, f"Band {number}"), hex="M10")
    configure_map(by=gm, campaign=campaign, fog=True)
    for user, query in ((gm, ""), (gm, "?hex=M10"), (marches.ana, "?hex=C3"), (marches.viewer, "")):
        client = Client()
        client.force_login(user)
        client.get(f"/c/{campaign.pk}/map/{query}")
        with CaptureQueriesContext(connection) as counted:
            text = client.get(f"/c/{campaign.pk}/map/{query}").content.decode()
        assert len(counted) <= 13, (user, query, [one["sql"][:200] for one in counted.captured_queries])
        if user == gm:
            assert 'class="crowd"' in text


def test_a_border_is_one_outline_with_its_holes(marches):
    ring = ["B6", "C6", "A7", "C7", "B8", "C8"]
    claim_hexes(by=marches.gm, campaign=marches.campaign, kingdom=marches.horde, hexes=ring)
    text = page_of(marches.gm, marches.campaign)
    drawn = re.search(r'class="claim two" fill-rule="evenodd" d="([^"]+)"', text)
    assert drawn
    assert drawn[1].count("z") == 3  # its old land, the ring and the hole in it


def test_a_page_that_looks_again_is_told_nothing_of_what_its_reader_cannot_see(marches):
    client, path = Client(), f"/c/{marches.campaign.pk}/map/"
    client.force_login(marches.ana)
    shown = re.search(r'data-seen="([^"]+)"', client.get(path).content.decode())
    assert shown
    again = {"Live-Seen": shown[1], "HX-Request": "true"}
    put_army(by=marches.gm, army=marches.raiders, hex="H8")
    assert client.get(path, headers=again).status_code == 204
    put_army(by=marches.gm, army=marches.levy, hex="H8")
    moved = client.get(path, headers=again)
    assert moved.status_code == 200
    assert "H8" in moved.content.decode()
    assert "Raiders" not in moved.content.decode()


@pytest.mark.parametrize("role", ["player", "viewer"])
def test_who_is_nobody_sees_the_armies_a_new_member_would(marches, role):
    gm, campaign = marches.gm, marches.campaign
    CampaignMap.objects.filter(campaign=campaign).update(fog=False)
    update_campaign(by=gm, campaign=campaign, others_known=Knowledge.GLANCE)
    fresh, nobody = seat(gm, campaign, make_user("fresh"), role), reader_in(gm, campaign.pk, role)
    theirs, told = (
        [(army.name, army.known) for army in load_seen_map(user, Campaign.objects.get(pk=campaign.pk), drawn).armies]
        for user in (fresh, nobody)
        for drawn in CampaignMap.objects.filter(campaign=campaign)
    )
    assert told == theirs
    assert len(told) > 1


def test_the_search_finds_armies_the_map_shows_and_no_others(marches):
    """Of an army whose sheet is not told: where the map shows it, as it shows it, and nothing where it does not."""

    def found(user, query="raiders"):
        here = Campaign.objects.get(pk=marches.campaign.pk)
        return [(group.kind, one.name, one.url) for group in find(user, query, here) for one in group.found]

    on_map = CampaignMap.objects.filter(campaign=marches.campaign)
    on_map.update(fog=False)
    assert found(marches.ana) == [], "it is known by name only: the map shows it to nobody"
    update_campaign(by=marches.gm, campaign=marches.campaign, others_known=Knowledge.GLANCE)
    place = f"/c/{marches.campaign.pk}/map/?army={marches.raiders.pk}"
    assert found(marches.ana) == found(marches.ana, "greenbelt raiders") == [("glimpse", "Raiders", place)]
    client = Client()
    client.force_login(marches.ana)
    assert 'aria-current="true"' in client.get(place).content.decode()
    assert found(marches.gm) == found(marches.bo) == [("army", "Raiders", f"/armies/{marches.raiders.pk}/")]
    assert found(marches.stranger) == []
    on_map.update(fog=True)
    assert found(marches.ana) == [], "nobody of hers sees it"
    put_army(by=marches.gm, army=marches.raiders, hex="D3")
    assert found(marches.ana)[0][0] == "glimpse"
    on_map.update(put_away=True)
    assert found(marches.ana) == []
    on_map.update(put_away=False, fog=False)
    hide_army(by=marches.gm, army=Army.objects.get(pk=marches.raiders.pk), hidden=True)
    assert found(marches.ana) == []


NO_MAPS = [
    '{"own": NaN}', '{"own": 1e999}', '{"own": 12345678901234567890}', '{"own": "a\\u0000b"}', '{"own": "\\ud800"}',
    '{"a\\u0000": 1}', '{"own": 1, "own": 2}', '{"own": ' + "[" * 60 + "]" * 60 + "}", "[" * 5_000,
]  # fmt: skip


@pytest.mark.parametrize("more", NO_MAPS)
def test_a_file_of_a_map_that_could_not_be_kept_is_refused(marches, more):
    client = Client()
    client.force_login(marches.gm)
    text = json.dumps(drawing())[:-1] + "," + more[1:] if more.startswith("{") else more
    address = f"/c/{marches.campaign.pk}/map/sheet/file/"
    answer = client.post(address, {"file": SimpleUploadedFile("map.json", text.encode())})
    assert answer.status_code == 422
    assert '"own"' not in json_of(marches.gm, marches.campaign)


def test_what_nobody_knows_of_a_map_goes_out_and_comes_in_by_either_door(marches):
    client = Client()
    client.force_login(marches.gm)
    text = json.dumps(drawing(own={"x": [1, None, 0.5, 1e20]}, name="Other"))
    address = f"/c/{marches.campaign.pk}/map/sheet/file/"
    assert client.post(address, {"file": SimpleUploadedFile("map.json", text.encode())}).status_code == 302
    out = client.get(f"/c/{marches.campaign.pk}/map/map.json").content
    assert client.post(address, {"file": SimpleUploadedFile("map.json", out)}).status_code == 302
    api = f"/api/v1/campaigns/{marches.campaign.pk}/map/"
    kept = api_of(marches.gm).get(api)
    assert kept.json()["own"] == {"x": [1, None, 0.5, 1e20]}
    again = api_of(marches.gm).put(api, kept.json(), format="json", headers={"If-Match": kept["ETag"]})
    assert again.status_code == 200
    assert again.json()["own"] == kept.json()["own"]
