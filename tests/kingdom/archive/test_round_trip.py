"""A campaign that travels is the same campaign: as a document, in its battles, in what can be undone."""

from __future__ import annotations

import json
from contextlib import suppress
from random import Random
from typing import Any
from unittest.mock import ANY

import pytest
from django.db import transaction
from django.test import Client

from armies.breaking_point.models import FortifiedPlace, Stationed
from armies.breaking_point.sieges.place_services import fortify, raze_place
from armies.forces import services
from armies.forces import services as forces_services
from armies.forces.services import remove_army
from armies.models import Army, Insight, Sighting
from armies.pathfinder.armies import services as pathfinder_raising
from armies.pathfinder.armies.resource_services import refresh
from armies.pathfinder.commanders import services as pathfinder_commanders
from armies.pathfinder.models import ArmyResource, ArmyTactic, FoundryActor, PathfinderArmy, UnitType
from armies.pathfinder.unit_types.services import remove_unit_type
from armies.ruleset_ui import get_army_ui
from battles.log.queries import check_replay
from battles.models import Battle, BattleRecord
from kingdom.campaign.services import update_campaign
from kingdom.chronicle.services import undo_last
from kingdom.map.services import claim_hexes
from kingdom.models import ApprovalRequest, Campaign, CampaignMap, ChronicleEntry, Kingdom, Membership, Note, Settlement
from kingdom.onboarding import checklist
from kingdom.realms.services import assign_player, dissolve_kingdom, found_kingdom, found_settlement, raze_settlement
from rules.core.errors import Refusal
from tests.everyday import at_most, by_turns
from tests.kingdom.archive.journeys import ID, bring_in, but_for_ids, differences, live, taken_along
from tests.kingdom.conftest import make_user, seat
from tests.worlds import built_once

pytestmark = pytest.mark.django_db

HEX_LAWS = ("wing-command", "thucidide-fantasy")
LAWS = ("combat-de-masse", "breaking-point", *HEX_LAWS)
EACH = (*LAWS[:2], *by_turns("travels", HEX_LAWS))
"""The hex laws keep their armies alike: every day one of them."""
SEEDS = {"thucidide-fantasy": "thucidide-fantasy, with notes"}
"""Of weeks in which everything is done that a document tells of."""
KINDS = {
    "combat-de-masse": {"kingdom", "army", "commander", "settlement"},
    "breaking-point": {"kingdom", "army", "commander", "settlement", "place"},
    **{law: {"kingdom", "army", "commander", "settlement"} for law in HEX_LAWS},
}


@built_once
def lived(db, law):
    """A demo campaign that somebody has played on for some weeks, with its GM."""
    gm = make_user("gm")
    return gm, live(gm, checklist.make(owner=gm, law=law), at_most(2, full=10), Random(SEEDS.get(law, law)))


@built_once
def arrived(lived):
    """Beside it, its document and what came of bringing it in. All ask for it, so that the campaign is lived once."""
    gm, campaign = lived
    document = taken_along(campaign)
    return document, bring_in(gm, document)


@pytest.mark.parametrize("law", EACH)
def test_taken_along_and_brought_in_it_is_the_same_but_for_ids(lived, arrived):
    _gm, campaign = lived
    before, arrival = arrived
    assert arrival.warnings == ()
    after = taken_along(arrival.campaign)
    assert set(ID.findall(str(after))) & set(ID.findall(str(before))) == set()
    assert differences(but_for_ids(after), but_for_ids(before)) == []
    assert differences(but_for_ids(taken_along(campaign)), but_for_ids(before)) == []
    tables = before["tables"]
    assert all(tables[name] for name in ("kingdoms", "armies", "commanders", "chronicle", "ledger", "notes",
                                         "note_versions", "battles", "battle_records", "time_steps"))  # fmt: skip


@pytest.mark.parametrize("law", by_turns("pages", EACH))
def test_battles_replay_and_their_pages_open(lived, arrived):
    gm, campaign = lived
    there = arrived[1].campaign
    client = Client()
    client.force_login(gm)
    battles = list(Battle.objects.filter(campaign=there))
    assert len(battles) == Battle.objects.filter(campaign=campaign).count() > 0
    for battle in battles:
        assert check_replay(battle).identical
        assert client.get(f"/battles/{battle.pk}/").status_code == 200
    for army in Army.objects.filter(campaign=there).order_by("pk")[: at_most(3, full=None)]:
        assert client.get(f"/armies/{army.pk}/").status_code == 200
    for page in ("", "chronicle/", "map/", "members/", "edit/"):
        assert client.get(f"/c/{there.pk}/{page}", follow=True).status_code == 200


@pytest.mark.parametrize("law", by_turns("undone", EACH))
def test_the_last_entry_of_its_chronicle_can_be_undone(lived, arrived):
    gm, campaign = lived
    there = arrived[1].campaign
    undone = undo_last(by=gm, campaign=there)
    assert undone.campaign_id == there.pk
    here = undo_last(by=gm, campaign=campaign)
    assert here.seq == undone.seq
    both = [taken_along(Campaign.objects.get(pk=one.pk)) for one in (campaign, there)]
    for document in both:
        for entry in document["tables"]["chronicle"]:
            entry["undone_at"] = bool(entry["undone_at"])
        for table in ("ledger", "notes"):
            for row in document["tables"][table]:
                row["at"] = None
    assert differences(but_for_ids(both[1]), but_for_ids(both[0])) == []


def short_lived(gm, campaign) -> Kingdom:
    """A kingdom that no battle remembers, with somebody who plays it and with land, if there is any."""
    kingdom = found_kingdom(by=gm, campaign=campaign, name="Short-lived", treasury=500)
    assign_player(by=gm, kingdom=kingdom, player=seat(gm, campaign, make_user("player"), "player"))
    if CampaignMap.objects.filter(campaign=campaign, put_away=False).exists():
        claim_hexes(by=gm, campaign=campaign, kingdom=kingdom, hexes=["A1", "B1", "D1"])
    return kingdom


def raised(gm, campaign, kingdom) -> Army:
    """One that no battle remembers, with a leader and with all that can hang on an army."""
    like = get_army_ui(campaign).army.objects.filter(campaign=campaign).order_by("pk")[0]
    other = campaign.kingdoms.exclude(pk=kingdom.pk)[0]
    if isinstance(like, PathfinderArmy):
        leader = pathfinder_commanders.appoint_commander(by=gm, kingdom=kingdom, name="Odo", level=3)
        army = pathfinder_raising.raise_army(
            by=gm, kingdom=kingdom, name="New", unit=like.unit, count=like.count, commander=leader, revealed=True
        )
        ArmyTactic.objects.create(campaign=campaign, army=army, tactic="taunt", granted=True)
        ArmyResource.objects.create(campaign=campaign, army=army, resource="improved-armor")
        FoundryActor.objects.create(campaign=campaign, army=army, actor={"name": "New"})
        refresh(PathfinderArmy.objects.get(pk=army.pk))
    else:
        leader = services.appoint_commander(by=gm, kingdom=kingdom, name="Odo")
        army = forces_services.raise_army(by=gm, kingdom=kingdom, name="New", sheet=like.sheet, commander=leader)
        if campaign.ruleset == "breaking-point":
            place = fortify(by=gm, kingdom=kingdom, name="Hold", kind="fortress", garrison=500)
            Stationed.objects.create(campaign=campaign, army=army, place=place)
    Sighting.objects.create(campaign=campaign, kingdom=other, army=army, hex="C7", day=1)
    Insight.objects.create(campaign=campaign, kingdom=other, army=army, level=1)
    return army


def strike_all(gm, campaign) -> list[str]:
    """Whatever a GM can strike and nothing holds; the kinds of what was struck, in turn."""
    law = get_army_ui(campaign)
    deeds = [
        ("kingdom", Kingdom, lambda row: dissolve_kingdom(by=gm, kingdom=row)),
        ("army", law.army, lambda row: remove_army(by=gm, army=row)),
        ("commander", law.commander, lambda row: commanders_of(law).remove_commander(by=gm, commander=row)),
        ("settlement", Settlement, lambda row: raze_settlement(by=gm, settlement=row)),
        ("place", FortifiedPlace, lambda row: raze_place(by=gm, place=row)),
        ("unit_type", UnitType, lambda row: remove_unit_type(by=gm, unit_type=row)),
    ]
    struck = []
    for kind, model, strike in deeds:
        for row in model.objects.filter(campaign=campaign).order_by("pk"):
            with suppress(Refusal), transaction.atomic():
                strike(row)
                struck.append(kind)
    return struck


def commanders_of(law):
    return pathfinder_commanders if law.army is PathfinderArmy else services


def standing(campaign) -> dict[str, Any]:
    """The campaign's document without what tells of deeds, or how often its map was drawn."""
    document = taken_along(Campaign.objects.get(pk=campaign.pk))
    for drawn in document["tables"]["map"]:
        drawn["version"] = drawn["revision"] = None
    rows = {name: found for name, found in document["tables"].items() if name not in ("chronicle", "struck")}
    return {**document, "tables": {name: sorted(found, key=json.dumps) for name, found in rows.items()}}


def without_ids(document) -> dict[str, Any]:
    told = {name: [ID.sub("#", json.dumps(row)) for row in rows] for name, rows in document["tables"].items()}
    return {name: sorted(rows) for name, rows in told.items()}


@pytest.mark.usefixtures("arrived")
@pytest.mark.parametrize("law", EACH)
def test_what_was_taken_out_of_the_world_is_brought_back_in_both(lived):
    gm, campaign = lived
    for kingdom in (campaign.kingdoms.order_by("pk")[0], short_lived(gm, campaign)):
        town = found_settlement(by=gm, kingdom=kingdom, name="Razed", districts=2)
        if campaign.ruleset == "breaking-point":
            keep = fortify(by=gm, kingdom=kingdom, name="Keep", kind="fort", garrison=60, settlement=town)
            fortify(by=gm, kingdom=kingdom, name="Wall", kind="fort", garrison=60, outer=keep)
        raised(gm, campaign, kingdom)
    before, actors = standing(campaign), FoundryActor.objects.filter(campaign=campaign).count()
    struck = strike_all(gm, campaign)
    assert set(struck) >= KINDS[campaign.ruleset]
    there = bring_in(gm, taken_along(campaign)).campaign
    for one in (campaign, there):
        for _each in struck:
            undo_last(by=gm, campaign=Campaign.objects.get(pk=one.pk))
    assert FoundryActor.objects.filter(campaign=campaign).count() == actors
    assert differences(standing(campaign), {**before, "written_at": ANY}) == []
    assert differences(without_ids(standing(there)), without_ids(before)) == []


@pytest.mark.usefixtures("arrived")
@pytest.mark.parametrize("law", by_turns("strangers", EACH))
def test_whoever_brings_it_in_is_its_gm_and_nobody_else_sits_there(lived):
    _gm, campaign = lived
    stranger = make_user("stranger")
    there = bring_in(stranger, taken_along(campaign, named=True)).campaign
    assert [(one.user, one.role) for one in Membership.objects.filter(campaign=there)] == [(stranger, "gm")]
    assert there.created_by == stranger
    assert not ChronicleEntry.objects.filter(campaign=there).exclude(by=None).exists()
    assert not BattleRecord.objects.filter(campaign=there).exclude(by=None).exists()
    assert not Note.objects.filter(campaign=there).exclude(by=None).exists()
    assert not ApprovalRequest.objects.filter(campaign=there, status="waiting").exists()


def test_what_a_house_rule_switches_off_goes_along_and_comes_in():
    """An army keeps what it had before the rule; so does its document."""
    gm = make_user("gm")
    campaign = checklist.make(owner=gm, law="combat-de-masse")
    armies = PathfinderArmy.objects.filter(campaign=campaign)
    off = {
        "abilities": {one["ability"] for army in armies for one in army.unit.get("abilities", ())},
        "resources": set(ArmyResource.objects.filter(campaign=campaign).values_list("resource", flat=True)),
        "tactics": set(ArmyTactic.objects.filter(campaign=campaign).values_list("tactic", flat=True)) - {"standard"},
    }
    assert all(off.values())
    overlay = {kind: {slug: {"off": True} for slug in sorted(slugs)} for kind, slugs in off.items()}
    update_campaign(by=gm, campaign=campaign, house_rules={"overlay": overlay})
    assert bring_in(gm, taken_along(campaign)).campaign.house_rules["overlay"] == overlay
