"""What wing command has ready: templates of campaigns with the sample hosts of WC-10, armies for the first steps."""

from __future__ import annotations

import pytest

from armies.documents.weeks import upkeep_of
from armies.models import Army, Commander
from armies.onboarding.steps import FirstArmies, FirstCommanders
from armies.weeks.services import propose_time
from kingdom.campaign.services import create_campaign
from kingdom.models import Campaign
from kingdom.onboarding.checklist import list_templates
from kingdom.realms.services import found_kingdom
from rules.registry import ruleset
from tests.kingdom.conftest import make_user
from tests.rulesets.browsing import Reader

pytestmark = pytest.mark.django_db
LAW = "wing-command"


def test_its_own_template_comes_first():
    assert list(list_templates(LAW)) == ["crown-and-horde", "two-realms", "besieged-town", "four-realms"]


@pytest.mark.parametrize("template", ["crown-and-horde", "two-realms", "besieged-town", "four-realms"])
def test_a_campaign_begins_with_each(template):
    campaign = create_campaign(by=make_user("gm"), name="Marches", ruleset=LAW, template=template)
    law = ruleset(LAW).armies
    armies = list(Army.objects.filter(campaign=campaign))
    assert len(armies) >= 4
    for army in armies:
        assert law.value_of(army.sheet).troops, army.name
        assert army.health == army.health_max == len(army.sheet["troops"])
    for leader in Commander.objects.filter(campaign=campaign):
        assert law.commander_of(leader.sheet).ability in "BCD"


@pytest.mark.parametrize("law", [LAW, "thucidide-fantasy"])
def test_c5_the_first_four_weeks_are_paid(law):
    gm = make_user("gm")
    campaign = create_campaign(by=gm, name="Marches", ruleset=law, template="two-realms")
    owed = upkeep_of(campaign)
    held = {str(kingdom.pk): kingdom.treasury for kingdom in campaign.kingdoms.all()}
    assert held == {kingdom: 4 * upkeep for kingdom, upkeep in owed.items()}
    assert all(owed.values())
    assert propose_time(by=gm, campaign=campaign, days=28).warnings == ()
    assert propose_time(by=gm, campaign=campaign, days=35).warnings


def test_its_template_brings_the_ruleset_along_whichever_was_ticked():
    reader = Reader(make_user("gm"))
    given = {"name": "Marches", "ruleset": "combat-de-masse", "template": "crown-and-horde"}
    answer = reader.client.post("/campaigns/begin/", given)
    assert answer.status_code == 302
    assert Campaign.objects.get().ruleset == LAW
    told = "Ruleset: Wing command, as this starting point requires."
    assert told in reader.client.get(answer.url).content.decode()
    nowhere = reader.client.post("/campaigns/begin/", {**given, "template": "nowhere"})
    assert nowhere.status_code == 422
    assert "Choose a starting point for the campaign." in nowhere.content.decode()
    assert Campaign.objects.count() == 1


def test_a_template_of_the_ruleset_that_was_ticked_tells_nothing_of_rulesets():
    reader = Reader(make_user("gm"))
    answer = reader.client.post("/campaigns/begin/", {"name": "Marches", "ruleset": LAW, "template": "crown-and-horde"})
    assert "as this starting point requires" not in reader.client.get(answer.url).content.decode()


def test_crown_and_horde_are_the_sample_hosts():
    campaign = create_campaign(by=make_user("gm"), name="Marches", ruleset=LAW, template="crown-and-horde")
    api = Reader(campaign.memberships.get().user).client
    points = {}
    for army in Army.objects.filter(campaign=campaign).select_related("kingdom", "commander"):
        found = api.get(f"/api/v1/armies/{army.pk}/").json()["sheet"]["points"]
        points[army.kingdom.name] = points.get(army.kingdom.name, 0) + found
        assert army.commander.sheet["ability"] == ("B" if army.name == "Center of the Crown" else "D")
    assert points == {"The Crown": 40, "The Horde": 37}


def test_besiegers_stand_before_the_town():
    campaign = create_campaign(by=make_user("gm"), name="Marches", ruleset=LAW, template="besieged-town")
    places = dict(Army.objects.filter(campaign=campaign).values_list("name", "place"))
    assert places["Garrison of Castelmar"] == "Castelmar"
    assert places["Lines before Castelmar"] == "outside Castelmar"


def test_first_steps_raise_wings_and_appoint_leaders():
    gm = make_user("gm")
    campaign = create_campaign(by=gm, name="Marches", ruleset=LAW)
    found_kingdom(by=gm, campaign=campaign, name="Crown")
    for step, label in ((FirstCommanders(), "Commander of Crown"), (FirstArmies(), "Army of Crown")):
        assert str(next(field.label for _name, field in step.fields(campaign))) == label
        given = {name: field.initial for name, field in step.fields(campaign)}
        step.do(gm, campaign, given)
    army = Army.objects.get(campaign=campaign)
    assert ruleset(LAW).armies.value_of(army.sheet).troops
    assert army.commander.sheet["ability"] == "C"
