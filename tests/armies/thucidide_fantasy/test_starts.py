"""What THUCIDIDE fantasy has ready: templates with the sample hosts of TF-8, armies for the first steps."""

from __future__ import annotations

import pytest

from armies.models import Army, Commander
from armies.onboarding.steps import FirstArmies, FirstCommanders
from kingdom.campaign.services import create_campaign
from kingdom.onboarding.checklist import list_templates
from kingdom.realms.services import found_kingdom
from rules.registry import ruleset
from tests.kingdom.conftest import make_user
from tests.rulesets.browsing import Reader

pytestmark = pytest.mark.django_db
LAW = "thucidide-fantasy"
TEMPLATES = ["realm-and-dark-host", "two-realms", "besieged-town", "four-realms"]


def test_its_own_template_comes_first():
    assert list(list_templates(LAW)) == TEMPLATES


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_campaign_begins_with_each(template):
    campaign = create_campaign(by=make_user("gm"), name="Marches", ruleset=LAW, template=template)
    law = ruleset(LAW).armies
    armies = list(Army.objects.filter(campaign=campaign))
    assert len(armies) >= 2
    for army in armies:
        assert law.value_of(army.sheet).units, army.name
        assert army.health == army.health_max == law.measure(army.sheet).health
    for leader in Commander.objects.filter(campaign=campaign):
        assert law.commander_of(leader.sheet).rank == "general"


def test_realm_and_dark_host_are_the_sample_hosts():
    """TF-8: units of 42 and of 39 points, a caster of 6 each."""
    campaign = create_campaign(by=make_user("gm"), name="Marches", ruleset=LAW, template="realm-and-dark-host")
    api = Reader(campaign.memberships.get().user).client
    points = {
        army.kingdom.name: api.get(f"/api/v1/armies/{army.pk}/").json()["sheet"]["points"]
        for army in Army.objects.filter(campaign=campaign).select_related("kingdom")
    }
    assert points == {"The Realm": 48, "The Dark host": 45}
    assert all(army.commander for army in Army.objects.filter(campaign=campaign))


def test_besiegers_stand_before_the_town():
    campaign = create_campaign(by=make_user("gm"), name="Marches", ruleset=LAW, template="besieged-town")
    places = dict(Army.objects.filter(campaign=campaign).values_list("name", "place"))
    assert places["Garrison of Castelmar"] == "Castelmar"
    assert places["Lines before Castelmar"] == "outside Castelmar"


def test_first_steps_raise_armies_and_appoint_leaders():
    gm = make_user("gm")
    campaign = create_campaign(by=gm, name="Marches", ruleset=LAW)
    found_kingdom(by=gm, campaign=campaign, name="Crown")
    for step in (FirstCommanders(), FirstArmies()):
        given = {name: field.initial for name, field in step.fields(campaign)}
        step.do(gm, campaign, given)
    army = Army.objects.get(campaign=campaign)
    assert ruleset(LAW).armies.value_of(army.sheet).units
    assert army.commander.sheet["rank"] == "general"
