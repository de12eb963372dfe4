"""Armies stay with the law that wrote their sheets: a campaign with any changes to no law of another family."""

from __future__ import annotations

import pytest

from armies.forces.services import raise_army, remove_army, remove_commander
from armies.pathfinder.commanders.services import appoint_commander as appoint_by_mass_combat
from kingdom.campaign.services import create_campaign, update_campaign
from kingdom.chronicle.services import undo_entry
from kingdom.models import Campaign, ChronicleEntry
from kingdom.realms.services import found_kingdom
from rules.core.errors import IllegalCommand
from tests.kingdom.conftest import api_of, make_user
from tests.rulesets.browsing import Reader, beside
from tests.worlds import built_once

ENGLISH = "This campaign’s armies use Heads or tails. Delete them and their commanders before you switch to The road."


@built_once
def gm(db):
    return make_user("gm")


@built_once
def campaign(gm):
    return create_campaign(by=gm, name="Marches", ruleset="coin")


@built_once
def crown(gm, campaign):
    return found_kingdom(by=gm, campaign=campaign, name="Crown")


@built_once
def watch(gm, crown):
    return raise_army(by=gm, kingdom=crown, name="Watch", sheet={"men": 3})


def ruleset_now(campaign) -> str:
    return Campaign.objects.get(pk=campaign.pk).ruleset


def test_a_campaign_without_armies_takes_any_law(gm, campaign, crown):
    update_campaign(by=gm, campaign=campaign, ruleset="turns")
    assert ruleset_now(campaign) == "turns"


def test_an_army_keeps_its_campaign_to_its_law(gm, campaign, watch):
    for other in ("turns", "combat-de-masse"):
        with pytest.raises(IllegalCommand) as refused:
            update_campaign(by=gm, campaign=Campaign.objects.get(pk=campaign.pk), ruleset=other)
        assert refused.value.field == "/ruleset"
        assert ruleset_now(campaign) == "coin"
    remove_army(by=gm, army=watch)
    update_campaign(by=gm, campaign=campaign, ruleset="turns")


def test_a_commander_without_an_army_keeps_it_too(gm):
    campaign = create_campaign(by=gm, name="Restov", ruleset="combat-de-masse")
    crown = found_kingdom(by=gm, campaign=campaign, name="Crown")
    vell = appoint_by_mass_combat(by=gm, kingdom=crown, name="Vell", level=3)
    with pytest.raises(IllegalCommand):
        update_campaign(by=gm, campaign=Campaign.objects.get(pk=campaign.pk), ruleset="coin")
    update_campaign(by=gm, campaign=campaign, ruleset="ultimate-campaign")
    assert ruleset_now(campaign) == "ultimate-campaign", "a variant is of the same family"
    remove_commander(by=gm, commander=vell)
    update_campaign(by=gm, campaign=campaign, ruleset="coin")


def test_a_change_of_law_is_not_undone_under_the_armies_of_the_new_one(gm, campaign, crown):
    update_campaign(by=gm, campaign=campaign, ruleset="turns")
    crown.refresh_from_db()
    crown.campaign.refresh_from_db()
    watch = raise_army(by=gm, kingdom=crown, name="Watch", sheet={"men": 3})
    entry = ChronicleEntry.objects.get(changes__contains=[{"field": "ruleset"}])
    with pytest.raises(IllegalCommand, match="Delete them"):
        undo_entry(by=gm, entry=entry)
    assert ruleset_now(campaign) == "turns"
    remove_army(by=gm, army=watch)
    undo_entry(by=gm, entry=entry)
    assert ruleset_now(campaign) == "coin"


@pytest.mark.parametrize(
    "language, told",
    [
        ("en", ENGLISH),
        (
            "fr",
            "Les armées de cette campagne utilisent Heads or tails. Supprimez-les, avec leurs commandants, avant "
            "de passer à The road.",
        ),
    ],
)
def test_the_page_says_so_beside_the_ruleset(gm, campaign, watch, language, told):
    page = f"/c/{campaign.pk}/edit/"
    assert beside(Reader(gm, language).refused(page, page, ruleset="turns"), "ruleset") == told


def test_the_api_points_at_the_ruleset(gm, campaign, watch):
    url = f"/api/v1/campaigns/{campaign.pk}/"
    answer = api_of(gm).patch(url, {"ruleset": "turns"}, format="json")
    assert answer.status_code == 409, answer.content
    assert answer.json()["detail"] == ENGLISH
    assert [error["pointer"] for error in answer.json()["errors"]] == ["/ruleset"]
