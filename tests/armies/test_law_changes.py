"""House rules reach the figures armies keep of their sheets (PF-HOUSE), told and taken back like any change."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from armies.pathfinder.marching import may_live_off_the_land
from armies.pathfinder.models import PathfinderArmy
from armies.pathfinder.services.command import assign_commander
from armies.pathfinder.services.purchase import buy_resource
from armies.pathfinder.services.raising import correct_army
from armies.pathfinder.services.recovery import rest_army
from armies.pathfinder.spec import army_spec
from armies.pathfinder.time.choices import eats_corpses
from armies.time import services as time
from kingdom.models import Campaign, ChronicleEntry
from kingdom.selectors import ruleset_of
from kingdom.services.campaigns import update_campaign
from kingdom.services.undoing import undo_last
from rules.errors import IllegalCommand
from tests.armies.conftest import appointed, orc, raised
from tests.worlds import built_once


def fresh(row: Any) -> Any:
    return type(row).objects.get(pk=row.pk)


def rule(war: Any, **rules: Any) -> Campaign:
    return update_campaign(by=war.gm, campaign=fresh(war.campaign), house_rules=rules)


def overlay(kind: str, slug: str, **values: Any) -> dict[str, Any]:
    return {"overlay": {kind: {slug: values}}}


@built_once
def armed(war):
    """The levy (huge: × 4) has improved armor, at 1 BP a week."""
    buy_resource(by=war.gm, army=war.levy, resource="improved-armor")
    return war


def test_another_consumption_is_paid_from_the_next_week_on(armed):
    assert fresh(armed.levy).consumption == 1 + 4
    rule(armed, **overlay("resources", "improved-armor", consumption=3))
    levy = fresh(armed.levy)
    assert levy.consumption == ruleset_of(levy.campaign).sheet(army_spec(levy)).consumption.total == 1 + 12
    before = fresh(armed.crown).treasury
    time.confirm_time(by=armed.gm, campaign=fresh(armed.campaign), days=7)
    assert fresh(armed.crown).treasury == before - 13


def test_the_chronicle_tells_the_rule_and_what_followed_and_takes_both_back(armed):
    rule(armed, **overlay("resources", "improved-armor", off=True))
    entry = ChronicleEntry.objects.latest("seq")
    lines = [(line["subject"], line["field"], line["before"], line["after"]) for line in entry.changes]
    assert lines[0][1:] == ("house_rules", {}, overlay("resources", "improved-armor", off=True))
    assert lines[1:] == [("Levy", "consumption", 5, 1)]
    undo_last(by=armed.gm, campaign=fresh(armed.campaign))
    assert (fresh(armed.campaign).house_rules, fresh(armed.levy).consumption) == ({}, 5)


def test_the_page_names_what_changed(armed):
    rule(armed, recovery_cap="half", **overlay("resources", "improved-armor", price=9))
    client = Client()
    client.force_login(armed.ana)
    page = client.get(reverse("kingdom:chronicle", args=[armed.campaign.pk])).content.decode()
    assert "The rules of the campaign changed." in page
    assert "Rest heals up to half the hit points, Improved armor: price in BP 9" in page


def test_the_same_rules_again_change_nothing(armed):
    rule(armed, recovery_cap="half")
    entries = ChronicleEntry.objects.count()
    rule(armed, recovery_cap="half")
    assert ChronicleEntry.objects.count() == entries


def test_what_grew_back_by_itself_stops_when_it_is_switched_off(war):
    trolls = raised(war.gm, war.crown, "Trolls", unit=orc(abilities=[{"ability": "regeneration", "value": 2}]))
    assert trolls.regrowth == 24
    rule(war, **overlay("abilities", "regeneration", off=True))
    assert fresh(trolls).regrowth == 0
    correct_army(by=war.gm, army=fresh(trolls), hp=1)
    assert rest_army(by=war.gm, army=fresh(trolls)).breakdown.total == trolls.acr


def test_food_that_is_switched_off_is_offered_to_nobody(war):
    ghouls = raised(war.gm, war.crown, "Ghouls", unit=orc(abilities=[{"ability": "cannibalize"}]))
    ranger = appointed(war.gm, war.crown, "Ada", boons=[{"boon": "live-off-the-land"}])
    assign_commander(by=war.gm, army=ghouls, commander=ranger)
    ghouls = fresh(ghouls)
    assert (eats_corpses(ghouls), may_live_off_the_land(ghouls)) == (True, True)
    off = {"abilities": {"cannibalize": {"off": True}}, "boons": {"live-off-the-land": {"off": True}}}
    rule(war, overlay=off)
    ghouls = fresh(ghouls)
    assert (eats_corpses(ghouls), may_live_off_the_land(ghouls)) == (False, False)


def test_an_army_in_battle_keeps_its_body_and_pays_by_the_new_rule(war, busy):
    buy_resource(by=war.gm, army=war.levy, resource="mounts", mount={"name": "wyvern", "cr": "6"})
    before = fresh(war.levy)
    busy.add(war.levy.pk)
    rule(war, **overlay("resources", "mounts", consumption=9))
    after = fresh(war.levy)
    assert (after.hp_max, after.acr) == (before.hp_max, before.acr)
    assert after.consumption == before.consumption + 4 * 8


def test_rules_by_which_an_army_would_be_none_are_refused(war, monkeypatch):
    from armies.pathfinder import law_changes
    from rules.errors import InvalidInput
    from rules.text import _

    buy_resource(by=war.gm, army=war.levy, resource="improved-armor")

    def none(army: PathfinderArmy) -> None:
        raise InvalidInput(_("Add troops."), "/count")

    monkeypatch.setattr(law_changes, "set_figures", none)
    with pytest.raises(IllegalCommand, match="By these rules Levy would be no army any more: Add troops"):
        rule(war, **overlay("resources", "improved-armor", off=True))
    assert fresh(war.campaign).house_rules == {}
