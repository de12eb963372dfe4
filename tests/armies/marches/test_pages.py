"""Marches on the map's page: the way and its days before anything is ordered, one form that says what will happen."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.urls import reverse

from armies.marches.services import march_along
from armies.ruleset_ui import get_army_ui
from kingdom.map.services import configure_map
from tests.armies.marches.conftest import WAY, fresh, pass_days, where
from tests.everyday import at_most
from tests.kingdom.conftest import client_of

pytestmark = pytest.mark.django_db


def map_of(table, **query) -> str:
    return reverse("armies:map", args=[table.campaign.pk], query=query)


def text(answer) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())))


def posted(answer) -> dict[str, str]:
    """What the form that sets out sends."""
    form = re.search(
        r'<form class="form march-go" method="post" action="[^"]*/way/">.*?</form>', answer.content.decode(), re.S
    )
    assert form, "no march is offered"
    return dict(re.findall(r'name="([^"]+)" value="([^"]*)"', form[0])) | {"do": "go"}


def test_an_army_and_a_hex_are_picked_by_links_and_one_button_says_what_will_happen(marches):
    ana = client_of(marches.ana)
    page = ana.get(map_of(marches, army=marches.watch.pk))
    assert "Select the destination hex." in text(page)
    links = unescape(page.content.decode())
    assert f'href="?army={str(marches.watch.pk)[-8:]}&hex=G7"' in links
    page = ana.get(map_of(marches, army=marches.watch.pk, hex="G7"))
    assert "March to G7: 3 days, arriving on day 3" in text(page)
    for stop in ("day 1: C7", "day 3: G7", "cost: 6 hexes, at 2 a day"):
        assert stop in text(page)
    assert page.content.decode().count('class="stop"') == 3
    answer = ana.post(reverse("armies:army_way", args=[marches.watch.pk]), posted(page))
    assert answer.status_code == 302
    assert fresh(marches.watch).way.stops == ("A7", "C7", "E7", "G7")
    pass_days(marches, 1)
    page = ana.get(answer.url)
    assert "On its way to G7, arriving on day 3." in text(page)
    ana.post(reverse("armies:army_way", args=[marches.watch.pk]), {"do": "halt"})
    pass_days(marches, 3)
    assert where(marches.watch) == ["C7"]


def test_the_law_is_asked_once_about_the_army_however_much_of_its_march_is_drawn(marches, monkeypatch):
    ui, asked = get_army_ui(marches.campaign), []
    known = type(ui).traveller
    monkeypatch.setattr(type(ui), "traveller", lambda self, army: asked.append(army) or known(self, army))
    page = client_of(marches.ana).get(map_of(marches, army=marches.watch.pk, hex="G7"))
    assert 'class="near"' in page.content.decode()
    assert "within reach in a day" in page.content.decode()
    assert [army.pk for army in asked] == [marches.watch.pk]


def test_a_way_of_ones_own_is_picked_hex_by_hex_and_taken_back_step_by_step(marches):
    ana = client_of(marches.ana)
    page = ana.get(map_of(marches, army=marches.watch.pk, own=1, via="B7,B6", hex="C5"))
    assert posted(page)["path"] == "B7,B6,C5"
    assert "own=1" in unescape(page.content.decode())
    before, back, _after = page.content.decode().partition("Undo last step")
    assert back
    address = unescape(re.findall(r'<a href="([^"]+)"', before)[-1])
    assert posted(ana.get(map_of(marches).partition("?")[0] + address))["path"] == "B7,B6"
    page = text(ana.get(map_of(marches, army=marches.watch.pk, own=1, via="B7", hex="F4")))
    assert "No path leads to F4. Choose another hex." in page


def test_a_march_that_is_being_drawn_stays_whatever_is_shown_of_the_map(marches):
    """Its way, its manner and its target, from every switch of the map; what is picked no more takes them along."""
    ana = client_of(marches.ana)
    for turn, (asked, path) in enumerate((
        ({"own": 1, "via": "B7,B6", "hex": "C5"}, "B7,B6,C5"), ({"hex": "C5", "manner": "forced"}, ""),
    )):  # fmt: skip
        page = ana.get(map_of(marches, army=marches.watch.pk, **asked))
        drawn = posted(page)
        assert path in ("", drawn["path"])
        tools = page.content.decode().partition('<div class="map-tools">')[2].partition("</div>")[0]
        switches = [unescape(found) for found in re.findall(r'<a href="([^"]+)"', tools)]
        assert len(switches) > 6
        for switch in at_most(switches[turn::2], full=switches):
            again = posted(ana.get(map_of(marches).partition("?")[0] + switch))
            assert (again["path"], again["manner"]) == (drawn["path"], drawn["manner"])
    (away,) = re.findall(r'<a href="([^"]+)">Clear selection', page.content.decode())
    assert away == "?"


def test_a_march_that_is_refused_leaves_what_was_drawn(marches):
    ana = client_of(marches.ana)
    page = ana.get(map_of(marches, army=marches.watch.pk, own=1, via="B7,B6", hex="C5", zoom=150))
    sent = posted(page)
    assert (sent["at-via"], sent["at-own"], sent["at-zoom"]) == ("B7,B6,C5", "1", "150")
    way = reverse("armies:army_way", args=[marches.watch.pk])
    refused = ana.post(way, sent | {"path": "B7,F4", "do": "go"})
    assert refused.status_code == 422
    assert posted(refused)["path"] == "B7,B6,C5"
    assert ana.post(way, sent | {"do": "go"}).url.endswith(f"/map/?zoom=150&army={marches.watch.pk}")


def test_what_is_refused_stands_beside_the_march_and_nothing_is_done(marches):
    ana = client_of(marches.ana)
    assert "No path leads to F4. Choose another hex." in text(ana.get(map_of(marches, army=marches.watch.pk, hex="F4")))
    sent = {"do": "go", "path": "B7,F4", "at-army": str(marches.watch.pk)}
    answer = ana.post(reverse("armies:army_way", args=[marches.watch.pk]), sent)
    assert answer.status_code == 422
    assert "B7 and F4 aren’t neighbors" in text(answer)
    assert fresh(marches.watch).route is None


def test_others_are_offered_no_march_and_learn_of_none(marches):
    march_along(by=marches.ana, army=fresh(marches.watch), path=WAY)
    type(marches.watch).objects.filter(pk=marches.watch.pk).update(revealed=True)
    for who in (marches.bo, marches.viewer):
        page = client_of(who).get(map_of(marches, army=marches.watch.pk, hex="G7"))
        assert page.status_code == 200
        assert "On its way to" not in text(page)
        assert 'class="march"' not in page.content.decode()
        sheet = client_of(who).get(reverse("armies:army", args=[marches.watch.pk]))
        assert not re.search(r"\bG7\b", text(sheet)) or who == marches.viewer
        way = reverse("armies:army_way", args=[marches.watch.pk])
        assert client_of(who).post(way, {"do": "halt"}).status_code == 403
    assert fresh(marches.watch).marching


def test_under_fog_no_way_is_drawn_through_what_nobody_of_theirs_has_seen(marches):
    """Canary: neither terrain nor cost of a hex unseen is in the page."""
    configure_map(by=marches.gm, campaign=marches.campaign, fog=True, sight=1)
    page = client_of(marches.ana).get(map_of(marches, army=marches.watch.pk, hex="K2"))
    assert "You don’t know a path to K2. Choose another hex." in text(page)
    assert "Canary" not in page.content.decode()


def test_an_army_says_once_where_it_stands_and_on_its_way_offers_one_halt(marches):
    army = reverse("armies:army", args=[marches.watch.pk])
    assert text(client_of(marches.gm).get(army)).count("Located in A7") == 1
    assert "on A7 of the map" not in text(client_of(marches.gm).get(army))
    march_along(by=marches.gm, army=fresh(marches.watch), path=WAY[:3])
    told = text(client_of(marches.gm).get(army))
    assert "In A7, on its way to D7" in told
    assert told.count("Halt") == 1
    listed = text(client_of(marches.gm).get(reverse("armies:list", args=[marches.campaign.pk])))
    assert "A7 on its way to D7, arriving on day" in listed


def test_a_preview_of_days_on_the_march_does_not_say_that_nothing_changes(marches):
    march_along(by=marches.ana, army=fresh(marches.watch), path=WAY)
    sent = {"span": "day", "do": "preview"}
    shown = text(client_of(marches.gm).post(reverse("armies:time", args=[marches.campaign.pk]), sent))
    name = fresh(marches.watch).name
    assert f"{name} will be in C7" in shown
    assert "Only the date changes" not in shown
    assert name not in shown.partition("No change ")[2].partition("Checks and notes")[0]
