"""House rules reach the figures armies keep of their sheets (PF-HOUSE), told and taken back like any change."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from armies.pathfinder.armies.march_services import rest_army
from armies.pathfinder.armies.page import held_lines
from armies.pathfinder.armies.queries import has_brewers
from armies.pathfinder.armies.services import correct_army, teach_tactic
from armies.pathfinder.armies.trade_services import buy_resource
from armies.pathfinder.commanders.command_services import assign_commander
from armies.pathfinder.commanders.page import commander_page
from armies.pathfinder.commanders.services import learn_boon, update_commander
from armies.pathfinder.forces.specs import build_army_spec, may_live_off_the_land
from armies.pathfinder.models import PathfinderArmy, PathfinderCommander
from armies.pathfinder.weeks.week_choices import eats_corpses
from armies.weeks import services as time
from kingdom.campaign.services import update_campaign
from kingdom.chronicle.services import undo_last
from kingdom.models import Campaign, ChronicleEntry
from kingdom.realms.figures import get_ruleset
from rules.core.errors import IllegalCommand, InvalidInput
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
    assert levy.consumption == get_ruleset(levy.campaign).sheet(build_army_spec(levy)).consumption.total == 1 + 12
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
    assert "The campaign’s rules changed." in page
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
    from armies.pathfinder import ui
    from rules.core.errors import InvalidInput
    from rules.core.text import _

    buy_resource(by=war.gm, army=war.levy, resource="improved-armor")

    def none(army: PathfinderArmy) -> None:
        raise InvalidInput(_("Add troops."), "/count")

    monkeypatch.setattr(ui, "set_figures", none)
    with pytest.raises(IllegalCommand, match="Under these rules, Levy would no longer be valid: Add troops"):
        rule(war, **overlay("resources", "improved-armor", off=True))
    assert fresh(war.campaign).house_rules == {}


def page_of(war: Any, name: str, thing: Any) -> str:
    client = Client()
    client.force_login(war.gm)
    return client.get(reverse(f"armies:{name}", args=[thing.pk])).content.decode()


def test_what_is_switched_off_is_told_so_on_the_sheet_and_costs_nothing_there(armed):
    """PF-HOUSE: as the sum of its Consumption has it."""
    teach_tactic(by=armed.gm, army=armed.levy, tactic="taunt")
    assert "switched off here" not in page_of(armed, "army", armed.levy)
    off: dict[str, Any] = {"resources": {"improved-armor": {"off": True}}, "tactics": {"taunt": {"off": True}},
           "abilities": {"ferocity": {"off": True}}}  # fmt: skip
    rule(armed, overlay=off)
    (held,) = held_lines(PathfinderArmy.objects.complete().get(pk=armed.levy.pk))
    assert (held.consumption, fresh(armed.levy).consumption) == (0, 1)
    assert page_of(armed, "army", armed.levy).count("switched off here") == 3


def test_no_tactic_is_offered_that_is_switched_off(war):
    """PF-HOUSE, PF-1.10, PF-2.9: the services refuse it, so no page offers it."""
    assert 'value="taunt"' in page_of(war, "army", war.levy)
    assert 'value="taunt"' in page_of(war, "commander", war.vell)
    rule(war, **overlay("tactics", "taunt", off=True))
    for name, thing in (("army", war.levy), ("commander", war.vell), ("commander_edit", war.vell)):
        assert 'value="taunt"' not in page_of(war, name, thing)


def test_a_boon_that_is_switched_off_is_no_boon_to_learn(war):
    """PF-HOUSE: not on their page, nor by their form, nor for one who is appointed; who knows it keeps it, asleep."""
    rule(war, **overlay("boons", "triage", off=True))
    vell = PathfinderCommander.objects.complete().get(pk=war.vell.pk)
    lines = {line.boon.slug: line for line in commander_page(war.gm, vell).boons}
    assert (lines["triage"].may_learn, lines["merciless"].may_learn) == (False, True)
    boons = [*vell.boons, {"boon": "triage"}]
    with pytest.raises(IllegalCommand, match="switched off"):
        learn_boon(by=war.gm, commander=vell, boon="triage")
    with pytest.raises(InvalidInput, match="switched off") as refused:
        update_commander(by=war.gm, commander=vell, boons=boons)
    assert refused.value.field == "/boons/1"
    rule(war)
    update_commander(by=war.gm, commander=fresh(war.vell), boons=boons)
    rule(war, **overlay("boons", "triage", off=True))
    update_commander(by=war.gm, commander=fresh(war.vell), level=9)
    assert [boon["boon"] for boon in fresh(war.vell).boons] == ["defensive-tactics", "triage"]


def test_a_witchs_cauldron_that_is_switched_off_brews_nothing(war):
    """PF-HOUSE, PF-9."""
    cauldron = [{"ability": "hex", "options": {"choice": "cauldron"}}]
    raised(war.gm, war.crown, "Witches", unit=orc(abilities=cauldron))
    levy = PathfinderArmy.objects.complete().get(pk=war.levy.pk)
    assert has_brewers(levy)
    rule(war, **overlay("abilities", "hex", off=True))
    assert not has_brewers(PathfinderArmy.objects.complete().get(pk=war.levy.pk))


def test_the_tactic_of_an_office_is_one_that_has_to_be_learned(war):
    """PF-2.6, PF-2.9; what was chosen before stays, though the campaign does without it by now."""
    general = {"office": "general", "office_boon": "bonus-tactic"}
    with pytest.raises(InvalidInput, match="All armies can use") as refused:
        update_commander(by=war.gm, commander=fresh(war.vell), **general, office_tactic="standard")
    assert refused.value.field == "/office_tactic"
    update_commander(by=war.gm, commander=fresh(war.vell), **general, office_tactic="taunt")
    rule(war, **overlay("tactics", "taunt", off=True))
    update_commander(by=war.gm, commander=fresh(war.vell), **general, office_tactic="taunt", level=9)
    assert fresh(war.vell).office_tactic == "taunt"
