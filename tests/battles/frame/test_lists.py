"""Lists of battles, whatever their law: what they cost, how they are narrowed, what holds an army."""

from __future__ import annotations

import pytest
from django.utils import timezone

from armies.forces import busy
from armies.forces.services import remove_army
from battles.models import Battle
from battles.setup.queries import glance_at
from kingdom.chronicle.field_change import Blocked
from kingdom.members.services import GRACE, delete_campaign, remove_deleted
from kingdom.models import Campaign
from kingdom.realms.services import dissolve_kingdom
from tests.battles.conftest import Client
from tests.battles.setup.test_lists import copies, counted
from tests.everyday import at_most, everyday


@pytest.mark.parametrize("who", everyday(["ana", "gm", "viewer"], first=1))
def test_the_list_costs_the_same_for_one_battle_and_for_many(gm, table, who):
    reader = Client(getattr(table, who))
    one = counted(lambda: reader.api.get("/api/v1/battles/"))
    more = at_most(9, full=49)
    copies(gm.battle, more)
    assert len(reader.api.get("/api/v1/battles/").json()["results"]) == 1 + more
    assert counted(lambda: reader.api.get("/api/v1/battles/")) == one


def test_the_list_can_be_narrowed_and_comes_in_pages(gm, table):
    def found(query: str) -> int:
        return len(gm.api.get(f"/api/v1/battles/?{query}").json()["results"])

    army, other = f"army={table.watch.pk}", f"army={table.spare.pk}"
    asked = (f"campaign={table.campaign.pk}", f"status={gm.battle.status}", "status=closed", army, other)
    assert [found(query) for query in asked] == [1, 1, 0, 1, 0]
    copies(gm.battle, 4)
    page = gm.api.get("/api/v1/battles/?limit=3").json()
    rest = gm.api.get(page["next"]).json()
    assert (len(page["results"]), len(rest["results"]), rest["next"]) == (3, 2, None)


def test_an_army_is_busy_until_its_battle_is_closed_and_stays_in_its_memory(over, table, driver):
    """Who fought is not removed, nor their kingdom; both go with their campaign."""
    glance = glance_at(Battle.objects.get(), table.gm)
    assert (glance.winner, glance.over) == ("Crown", True)
    assert "“The ford”" in str(busy.explain_busy(table.watch))
    assert busy.explain_busy(table.spare) is None
    over.ok(type="aftermath", confirm=True, dice=driver.aftermath_dice(table))
    assert busy.explain_busy(table.watch) is None
    for strike, thing in ((remove_army, {"army": table.watch}), (dissolve_kingdom, {"kingdom": table.crown})):
        with pytest.raises(Blocked, match=r"took part in a battle.* Disband") as refused:
            strike(by=table.gm, **thing)
        assert refused.value.battle == Battle.objects.get().pk
    delete_campaign(by=table.gm, campaign=table.campaign)
    remove_deleted(timezone.now() + GRACE)
    assert not Battle.objects.exists()
    assert not Campaign.objects.filter(pk=table.campaign.pk).exists()
