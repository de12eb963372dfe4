"""What a campaign does without (PF-HOUSE): the form, the API's check, and the ruleset that follows."""

from __future__ import annotations

import pytest

from kingdom.campaign.house_rules import clean_house_rules
from kingdom.campaign.services import create_campaign
from kingdom.models import User
from kingdom.realms.figures import get_ruleset
from rules.core.errors import InvalidInput

pytestmark = pytest.mark.django_db
LAW = "combat-de-masse"


def test_the_settings_page_switches_items_off_and_on_again(client, django_user_model: type[User]):
    gm = django_user_model.objects.create_user("gm")
    campaign = create_campaign(by=gm, name="Marches", ruleset=LAW)
    client.force_login(gm)
    fields = {"name": "Marches", "ruleset": LAW, "minimum_damage": "1", "parting_shots": "enemies",
              "second_loyalty_check": "always", "reform": "True", "buildings_required": "True", "recovery_cap": "none",
              "empty_phases": "True"}  # fmt: skip
    url = f"/c/{campaign.pk}/edit/"
    assert client.post(url, {**fields, "off:tactics": ["taunt"], "off:abilities": ["fear"]}).status_code == 302
    campaign.refresh_from_db()
    law = get_ruleset(campaign)
    assert (law.tactics["taunt"].off, law.abilities["fear"].off, law.abilities["bleed"].off) == (True, True, False)
    page = client.get(url).content.decode()
    assert 'value="taunt"' in page
    assert client.post(url, fields).status_code == 302
    campaign.refresh_from_db()
    assert not get_ruleset(campaign).tactics["taunt"].off


@pytest.mark.parametrize(
    "overlay",
    [
        {"tactics": {"standard": {"off": True}}},
        {"tactics": {"taunt": {"off": "yes"}}},
        {"sizes": {"fine": {"off": True}}},
        {"abilities": {"nothing": {"off": True}}},
    ],
)
def test_what_cannot_be_switched_off_is_refused(overlay):
    with pytest.raises(InvalidInput):
        clean_house_rules({"overlay": overlay}, ruleset=LAW)


def test_switched_on_is_the_books_own_and_not_kept():
    assert clean_house_rules({"overlay": {"tactics": {"taunt": {"off": False}}}}, ruleset=LAW) == {}
