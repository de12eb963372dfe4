"""Pages that list what grows: a page at a time, searched by name, no dearer for twice as many."""

from __future__ import annotations

import re
from collections.abc import Sequence

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from armies.forces.slots import LISTED
from armies.pathfinder.weeks import forms
from armies.pathfinder.weeks.forms import list_offers
from kingdom.access.queries import get_campaign_for
from kingdom.campaign.queries import load_board
from kingdom.campaign.views import REALMS
from kingdom.models import Campaign, Kingdom
from kingdom.models.base import uuid7
from kingdom.realms.services import found_kingdom
from tests.armies.conftest import multiplied, raised
from tests.everyday import at_most
from tests.rulesets.browsing import Reader
from tests.worlds import built_once

PAGES = {
    "campaign": lambda war: reverse("kingdom:campaign", args=[war.campaign.pk]),
    "kingdom": lambda war: reverse("kingdom:kingdom", args=[war.crown.pk]),
    "people": lambda war: reverse("kingdom:people", args=[war.crown.pk]),
    "outlook": lambda war: reverse("kingdom:outlook", args=[war.crown.pk]),
    "units": lambda war: reverse("armies:unit_types", args=[war.campaign.pk]),
    "time": lambda war: reverse("armies:time", args=[war.campaign.pk]),
    "chronicle": lambda war: reverse("kingdom:chronicle", args=[war.campaign.pk]),
    "set-up": lambda war: reverse("battles:battle_new", args=[war.campaign.pk]),
}
WIDE = 40  # more kingdoms than a page holds


@built_once
def crowd(war):
    """Levy and thirty like it, each with a captain of their own."""
    multiplied(war.levy, 30)
    return war


@built_once
def host(war):
    """More armies than any page holds."""
    multiplied(war.levy, at_most(60, full=230))
    return war


def asked(reader: Reader, url: str, *, again: bool = True) -> tuple[int, int]:
    """How many queries a page takes, and how long it is. `again`: the second time it is asked for."""
    if again:
        reader.markup(url)
    with CaptureQueriesContext(connection) as queries:
        markup = reader.markup(url)
    return len(queries), len(markup)


def rows_of(reader: Reader, url: str) -> list[str]:
    return re.findall(r'<a href="/(?:armies|commanders)/[0-9a-f-]{36}/">([^<]*)</a>', reader.markup(url))


def test_every_page_is_the_same_for_many_armies_and_for_half_as_many_again(host, monkeypatch):
    monkeypatch.setattr(forms, "MOST_OFFERED", at_most(50, full=forms.MOST_OFFERED))
    reader = Reader(host.gm)
    few = {page: asked(reader, address(host)) for page, address in PAGES.items()}
    multiplied(host.levy, at_most(30, full=110))
    for number, (page, address) in enumerate(PAGES.items()):  # the first puts together what is kept for all
        queries, length = asked(reader, address(host), again=number == 0)
        assert queries == few[page][0], page
        assert length <= few[page][1] * 1.05, page


LONGER = {"campaign": 20, "units": 120, "time": 900}  # for each kingdom more: names to choose among


def test_a_page_is_the_same_for_forty_kingdoms_and_for_eighty(war):
    reader = Reader(war.gm)
    founded(war.campaign, WIDE)
    few = {page: asked(reader, PAGES[page](war)) for page in LONGER}
    founded(war.campaign, WIDE)
    for page, most in LONGER.items():
        queries, length = asked(reader, PAGES[page](war))
        assert queries == few[page][0], page
        assert length <= few[page][1] + WIDE * most, page


def founded(campaign: Campaign, count: int) -> list[Kingdom]:
    rows = [Kingdom(id=uuid7(), campaign=campaign, name=f"Realm {n}", treasury=9) for n in range(1, count + 1)]
    return Kingdom.objects.bulk_create(rows)


def test_armies_stand_a_page_at_a_time_as_people_count(crowd):
    url = PAGES["kingdom"](crowd)
    first, second = rows_of(Reader(crowd.gm), url), rows_of(Reader(crowd.gm), f"{url}?page=2")
    assert (first[:4], len(first), len(second)) == (["Levy", "Levy 0", "Levy 1", "Levy 2"], LISTED, 31 - LISTED)
    assert (second[0], second[-1]) == ("Levy 19", "Levy 29")


def test_an_army_is_found_by_its_name_or_its_commanders(crowd):
    url, reader = PAGES["kingdom"](crowd), Reader(crowd.ana)
    assert rows_of(reader, f"{url}?q=levy+27") == ["Levy 27"]
    assert rows_of(reader, f"{url}?q=VELL+12") == ["Levy 12"]
    assert rows_of(reader, f"{url}?q=100%25") == []
    assert "No matching army." in reader.read(f"{url}?q=nobody")
    assert "Aucune armée ne correspond." in Reader(crowd.ana, "fr").read(f"{url}?q=nobody")


def test_a_commander_is_found_by_his_name_or_his_armys(crowd):
    url, reader = PAGES["people"](crowd), Reader(crowd.ana)
    assert len(set(rows_of(reader, url))) >= LISTED
    assert rows_of(reader, f"{url}?q=vell+27") == ["Ser Vell 27", "Levy 27"]
    assert "No matching commander." in reader.read(f"{url}?q=nobody")


def by_turns(cases: Sequence[str], where: str, among: Sequence[str]) -> Sequence[str]:
    """Of what is sent to one page after the other, every day each to another one: `kingdom/rendering.py` reads it for
    all of them. In the full run all to all.
    """
    return at_most(cases[among.index(where) :: len(among)], full=cases)


PAGED = ["campaign", "kingdom", "people", "outlook", "units", "time", "chronicle"]
# Every day “”, which any page takes, to the first, for it is sent another one as well.
WRONG = ("", "x", "-1", "0", "2.5", "%00", "99999999999999999999", "1e9", "²")


def test_a_wrong_number_gives_the_nearest_page(crowd):
    for where in PAGED:
        reader, url = Reader(crowd.gm), PAGES[where](crowd)
        for page in by_turns(WRONG, where, PAGED):
            assert reader.status(f"{url}?page={page}") == 200, page


SEARCHED = ["campaign", "kingdom", "people", "units", "time"]
ODD = ("%00", "%F0%9F%8F%B0", "x" * 5_000, "%25", "_", "\\", "'")


def test_anything_may_be_searched_for(crowd):
    for where in SEARCHED:
        reader, url = Reader(crowd.gm), PAGES[where](crowd)
        for query in ('"<b>', *by_turns(ODD, where, SEARCHED)):
            page = reader.markup(f"{url}?q={query}")
            assert "<b>" not in page.split('name="q"')[-1].split(">")[0], query


def test_the_pager_keeps_what_was_searched_for(crowd):
    page = Reader(crowd.gm).markup(f"{PAGES['kingdom'](crowd)}?q=levy")
    assert '?q=levy&amp;page=2#kingdom-armies"' in page
    assert 'value="levy"' in page
    assert "Page 1 sur 2" in " ".join(Reader(crowd.gm, "fr").read(PAGES["kingdom"](crowd)).split())


def test_who_knows_a_kingdom_by_name_only_finds_nobody_in_it(crowd):
    for page in ("kingdom", "people", "outlook"):
        url = reverse(f"kingdom:{page}", args=[crowd.crown.pk])
        assert "Vell" not in Reader(crowd.bo).read(f"{url}?q=vell")


def test_kingdoms_stand_a_page_at_a_time_and_are_found_by_name_and_player(crowd):
    founded(crowd.campaign, WIDE)
    url, reader = PAGES["campaign"](crowd), Reader(crowd.gm)
    assert reader.markup(url).count("<article") == REALMS
    assert "Page 1 of 6" in reader.read(url)
    found = reader.markup(f"{url}?q=realm+17")
    assert (found.count("<article"), "Realm 17" in found) == (1, True)
    assert crowd.crown.name in reader.read(f"{url}?q=ana")
    assert "No matching kingdom" in reader.read(f"{url}?q=atlantis")
    last = reader.markup(f"{url}?page=6")
    assert "Realm 40" in last


def test_what_falls_due_is_found_by_kingdom(crowd):
    founded(crowd.campaign, WIDE)
    url, reader = PAGES["time"](crowd), Reader(crowd.gm)
    lines = reader.markup(f"{url}?q=realm+17").split('id="due"')[1]
    assert "<b>Realm 17</b>" in lines
    assert "<b>Realm 16</b>" not in lines
    assert "No matching kingdom has anything due." in reader.read(f"{url}?q=atlantis")


def test_units_are_raised_for_the_kingdom_chosen(crowd):
    url, reader = PAGES["units"](crowd), Reader(crowd.gm)
    page = reader.markup(f"{url}?q=troll&for={crowd.horde.pk}")
    assert f"/kingdoms/{crowd.horde.pk}/armies/new/?unit=trolls" in page
    assert f"/kingdoms/{crowd.crown.pk}/armies/new/" not in page
    assert f'value="{crowd.horde.pk}" selected' in page
    foreign = reader.markup(f"{url}?q=troll&for={uuid7()}")
    assert f"/kingdoms/{crowd.crown.pk}/armies/new/?unit=trolls" in foreign


def test_the_campaigns_page_tells_of_trouble_first(crowd):
    """PF-7.2: of many kingdoms that pay armies those that cannot come before the others."""
    for number, kingdom in enumerate(founded(crowd.campaign, 9)):
        (army,) = multiplied(crowd.levy, 1)
        type(army).objects.filter(pk=army.pk).update(kingdom=kingdom, upkeep=2)
        Kingdom.objects.filter(pk=kingdom.pk).update(treasury=0 if number == 8 else 500)
    due = Reader(crowd.gm).read(PAGES["campaign"](crowd)).split("ends in")[1]
    assert due.index("Realm 9 pays") < due.index("Crown of Restov pays")
    assert "and 5 more kingdoms" in due


def test_armies_of_a_kingdom_founded_while_the_page_is_drawn_are_offered_the_next_time(war):
    campaign = get_campaign_for(war.gm, war.campaign.pk)
    load_board(campaign)
    late = found_kingdom(by=war.gm, campaign=war.campaign, name="Late", treasury=200)
    raised(war.gm, late, "Latecomers")
    assert "Latecomers" not in str(list_offers(campaign))
    assert "Latecomers" in str(list_offers(get_campaign_for(war.gm, war.campaign.pk)))
