"""A campaign's page shows the first armies of each kingdom, and leads to the others."""

from __future__ import annotations

from armies.forces.access import GLANCE, count_shown_armies, list_first_armies
from armies.forces.services import raise_army
from armies.models import Army
from armies.pathfinder.commanders.services import appoint_commander
from armies.pathfinder.models import PathfinderArmy
from kingdom.campaign.services import create_campaign
from kingdom.models import Kingdom
from kingdom.realms.services import found_kingdom
from tests.armies.conftest import multiplied, raised
from tests.kingdom.conftest import client_of
from tests.rulesets.browsing import Reader
from tests.worlds import built_once


@built_once
def crowded(war):
    """Thirteen armies of the crown, the first by name fallen."""
    led = raised(war.gm, war.crown, "Aa", commander=appoint_commander(by=war.gm, kingdom=war.crown, name="Vell"))
    multiplied(led, 11)
    Army.objects.filter(pk=led.pk).update(status="disbanded")
    war.fallen = led
    return war


def glanced(war, kind=Army) -> list[Army]:
    """What the campaign's page shows the GM of the crown's armies."""
    kingdoms = [kingdom.pk for kingdom in war.campaign.kingdoms.all()]
    shown = list_first_armies(war.gm, kingdoms, count_shown_armies(len(kingdoms)), kind)
    return [army for army in shown if army.kingdom_id == war.crown.pk]


def test_each_kingdom_shows_its_first_standing_armies(crowded):
    shown = glanced(crowded, PathfinderArmy)
    assert len(shown) == GLANCE
    assert crowded.fallen not in shown
    assert {army.among for army in shown} == {13}
    assert [army.name for army in shown][:3] == ["Aa 0", "Aa 1", "Aa 2"]


def test_the_page_leads_to_the_others(crowded):
    markup = Reader(crowded.gm).markup(f"/c/{crowded.campaign.pk}/")
    assert "and 3 more armies" in " ".join(markup.split())
    assert "et 3 autres armées" in " ".join(Reader(crowded.gm, "fr").markup(f"/c/{crowded.campaign.pk}/").split())
    assert "more arm" not in Reader(crowded.gm).markup(f"/kingdoms/{crowded.crown.pk}/")
    assert Reader(crowded.gm).read(f"/kingdoms/{crowded.crown.pk}/").count("Aa") >= 12


def test_many_kingdoms_show_fewer_of_each(crowded):
    Kingdom.objects.bulk_create(Kingdom(campaign=crowded.campaign, name=f"Realm {number}") for number in range(40))
    shown = glanced(crowded)
    assert len(shown) == 3


def test_former_armies_are_a_closed_group_of_their_own_under_every_kind_of_ruleset(war):
    gm = war.gm
    other = create_campaign(by=gm, name="Wings", ruleset="wing-command")
    wings = found_kingdom(by=gm, campaign=other, name="Crown", treasury=0)
    troops = {"troops": [{"type": "foot"}]}
    raised(gm, war.crown, "Gone")
    raise_army(by=gm, kingdom=wings, name="Stays", sheet=troops)
    raise_army(by=gm, kingdom=wings, name="Gone", sheet=troops)
    stays = {war.crown.pk: war.levy.name, wings.pk: "Stays"}
    Army.objects.filter(name="Gone").update(status="disbanded")
    for key, name in stays.items():
        page = client_of(gm).get(f"/kingdoms/{key}/").content.decode()
        standing, former = page.split(f'<details class="more former" id="former-{key}">')
        assert ">Gone</a>" in former
        assert "Former armies (1)" in former
        assert (f">{name}</a>" in standing, ">Gone</a>" in standing) == (True, False)
        sought = client_of(gm).get(f"/kingdoms/{key}/?q=gone").content.decode()
        assert f'id="former-{key}" open' in sought, "what was looked for is shown"
