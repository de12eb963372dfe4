"""Every list of armies says which of them fight, where, and how they fare there: under every law."""

from __future__ import annotations

import re

import pytest

from armies.forces.busy import find_in_battle
from armies.models import Army
from core.text import render
from kingdom.map.services import make_map
from rules.core.viewers import band_of
from tests.battles.frame.conftest import play
from tests.everyday import everyday
from tests.kingdom.map.conftest import drawing
from tests.rulesets.browsing import Reader, plain


def places(table):
    return {
        "campaign": f"/c/{table.campaign.pk}/",
        "kingdom": f"/kingdoms/{table.crown.pk}/",
        "army": f"/armies/{table.watch.pk}/",
    }


def test_an_army_in_battle_leads_there(gm, table):
    ana = Reader(table.ana)
    for place, address in places(table).items():
        markup = ana.markup(address)
        assert f'href="/battles/{gm.battle.pk}/"' in markup, place
        assert "In battle: The ford" in plain(markup), place


@pytest.mark.parametrize("language", everyday(["fr", "en"], first=1))
def test_who_may_not_change_it_is_told_why_and_offered_no_form(gm, table, language):
    raiders = next(army for army in gm.battle.state["sides"][1]["armies"] if army["name"] == "Raiders")
    raiders["status"], raiders["hp"] = "routed", 0
    gm.battle.save(update_fields=["state"])
    edit = f'href="/armies/{table.raiders.pk}/edit/"'
    for user in (table.gm, table.bo):
        markup = Reader(user, language).markup(f"/armies/{table.raiders.pk}/")
        assert edit not in markup
        told = plain(markup)
        why = {"en": "This army can’t be changed until that is over.",
               "fr": "Cette armée ne peut pas être modifiée avant la fin."}[language]  # fmt: skip
        assert re.search(rf"\. \w[^.]*\. {why}", told), "what became of it is a sentence of its own"


def test_once_it_is_settled_it_may_be_changed(over, table, driver):
    reader, edit = Reader(table.gm), f'href="/armies/{table.raiders.pk}/edit/"'
    assert edit not in reader.markup(f"/armies/{table.raiders.pk}/")
    over.ok(type="aftermath", confirm=True, dice=driver.aftermath_dice(table))
    assert edit in reader.markup(f"/armies/{table.raiders.pk}/")


@pytest.mark.parametrize("place", everyday(["kingdom", "campaign", "army"], first=1))
def test_in_french_too(gm, table, place):
    assert "Au combat : The ford" in Reader(table.ana, "fr").read(places(table)[place])


def test_its_health_is_that_of_the_field(gm, table):
    raiders = next(army for army in gm.battle.state["sides"][1]["armies"] if army["name"] == "Raiders")
    raiders["hp"], most = 1, raiders["hp_max"]
    gm.battle.save(update_fields=["state"])
    assert find_in_battle(table.campaign)[table.raiders.pk][2:5] == (1, most, None)
    shares = raiders.get("share")
    left, told = ("1%", "1% left") if shares else (f"1/{most}", f"1 of {most} left")
    assert left in Reader(table.bo).read(f"/kingdoms/{table.horde.pk}/").replace(" / ", "/")
    assert told in Reader(table.bo).read(f"/armies/{table.raiders.pk}/")


def test_the_map_tells_what_the_lists_tell(gm, table):
    make_map(by=table.gm, campaign=table.campaign, document=drawing())
    Army.objects.filter(pk=table.raiders.pk).update(hex="M10")
    address = f"/c/{table.campaign.pk}/map/?army={table.raiders.pk}"
    raiders = next(army for army in gm.battle.state["sides"][1]["armies"] if army["name"] == "Raiders")
    raiders["hp"], most = 1, raiders["hp_max"]
    gm.battle.save(update_fields=["state"])
    left = "1%" if raiders.get("share") else f"1/{most}"
    markup = Reader(table.bo).markup(address)
    own = plain(markup).replace(" / ", "/")
    assert f"In battle: The ford, {left}" in own, "among the armies"
    assert f"Health {left}" in own, "on its card"
    assert f'href="/battles/{gm.battle.pk}/"' in markup
    told = Reader(table.ana).read(address)
    assert f"In battle: The ford, {render(band_of(1, most).word)}" in told, "to who may not read its sheet, in words"
    assert left not in told.replace(" / ", "/")


def test_who_has_left_the_field_is_said_so(gm, table, driver):
    play(gm, driver.until_over(table))
    word = find_in_battle(table.campaign)[table.raiders.pk].word
    assert word is None or render(word) in Reader(table.bo).read(f"/kingdoms/{table.horde.pk}/")


def test_who_is_in_no_battle_is_told_of_none(gm, table):
    assert table.spare.pk not in find_in_battle(table.campaign)
    assert "In battle" not in Reader(table.bo).read(f"/armies/{table.spare.pk}/")


def test_a_settled_battle_holds_nobody(over, table, driver):
    over.ok(type="aftermath", confirm=True, dice=driver.aftermath_dice(table))
    assert find_in_battle(table.campaign) == {}
    assert "In battle" not in Reader(table.ana).read(places(table)["kingdom"])
