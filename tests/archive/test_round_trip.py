"""A campaign that travels is the same campaign: as a document, in its battles, in what can be undone."""

from __future__ import annotations

from random import Random

import pytest
from django.test import Client

from armies.models import Army
from battles.models import Battle, BattleRecord
from battles.selectors.log import replay_of
from kingdom import demo
from kingdom.models import Campaign, ChronicleEntry, Membership, Note, Petition, Settlement
from kingdom.services.settlements import found_settlement, raze_settlement
from kingdom.services.undoing import undo_last
from tests.archive.journeys import ID, bring_in, but_for_ids, differences, live, taken_along
from tests.everyday import at_most
from tests.kingdom.conftest import make_user
from tests.worlds import built_once

pytestmark = [pytest.mark.django_db, pytest.mark.parametrize("law", ("combat-de-masse", "breaking-point"))]


@built_once
def lived(db, law):
    """A demo campaign that somebody has played on for some weeks, with its GM."""
    gm = make_user("gm")
    return gm, live(gm, demo.make(owner=gm, law=law), at_most(3, full=10), Random(law))


def test_taken_along_and_brought_in_it_is_the_same_but_for_ids(lived):
    gm, campaign = lived
    before = taken_along(campaign)
    arrival = bring_in(gm, before)
    assert arrival.warnings == ()
    after = taken_along(arrival.campaign)
    assert differences(but_for_ids(after), but_for_ids(before)) == []
    assert differences(but_for_ids(taken_along(campaign)), but_for_ids(before)) == []
    tables = before["tables"]
    assert all(tables[name] for name in ("kingdoms", "armies", "commanders", "chronicle", "ledger", "notes",
                                         "note_versions", "battles", "battle_records", "time_steps"))  # fmt: skip


def test_no_id_of_the_old_campaign_stands_in_the_new_one(lived):
    gm, campaign = lived
    before = taken_along(campaign)
    after = taken_along(bring_in(gm, before).campaign)
    assert set(ID.findall(str(after))) & set(ID.findall(str(before))) == set()


def test_battles_replay_and_their_pages_open(lived):
    gm, campaign = lived
    there = bring_in(gm, taken_along(campaign)).campaign
    client = Client()
    client.force_login(gm)
    battles = list(Battle.objects.filter(campaign=there))
    assert len(battles) == Battle.objects.filter(campaign=campaign).count() > 0
    for battle in battles:
        assert replay_of(battle).identical
        assert client.get(f"/battles/{battle.pk}/").status_code == 200
    for army in Army.objects.filter(campaign=there):
        assert client.get(f"/armies/{army.pk}/").status_code == 200
    for page in ("", "chronicle/", "map/", "members/", "edit/"):
        assert client.get(f"/c/{there.pk}/{page}", follow=True).status_code == 200


def test_the_last_entry_of_its_chronicle_can_be_undone(lived):
    gm, campaign = lived
    there = bring_in(gm, taken_along(campaign)).campaign
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


def test_what_was_taken_out_of_the_world_is_brought_back_in_both(lived):
    gm, campaign = lived
    town = found_settlement(by=gm, kingdom=campaign.kingdoms.order_by("pk")[0], name="Razed", districts=2)
    raze_settlement(by=gm, settlement=town)
    there = bring_in(gm, taken_along(campaign)).campaign
    for one in (campaign, there):
        undo_last(by=gm, campaign=Campaign.objects.get(pk=one.pk))
    first, second = Settlement.objects.filter(name="Razed").order_by("pk")
    assert (first.pk, first.campaign_id, second.campaign_id) == (town.pk, campaign.pk, there.pk)
    assert (second.kingdom.campaign_id, second.districts) == (there.pk, 2)


def test_whoever_brings_it_in_is_its_gm_and_nobody_else_sits_there(lived):
    _gm, campaign = lived
    stranger = make_user("stranger")
    there = bring_in(stranger, taken_along(campaign, named=True)).campaign
    assert [(one.user, one.role) for one in Membership.objects.filter(campaign=there)] == [(stranger, "gm")]
    assert there.created_by == stranger
    assert not ChronicleEntry.objects.filter(campaign=there).exclude(by=None).exists()
    assert not BattleRecord.objects.filter(campaign=there).exclude(by=None).exists()
    assert not Note.objects.filter(campaign=there).exclude(by=None).exists()
    assert not Petition.objects.filter(campaign=there, status="waiting").exists()
