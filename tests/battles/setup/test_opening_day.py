"""A battle bears the day on which it is opened, whatever day it was when somebody began to set it up."""

from __future__ import annotations

import pytest

from armies.weeks import services as time
from battles.models import Battle
from kingdom.chronicle.services import undo_entry
from kingdom.models import Campaign
from tests.battles.conftest import Client, open_ford

pytestmark = pytest.mark.django_db


def test_a_day_that_passes_while_a_battle_is_set_up_is_the_battle_s(table):
    """The page was read before; nobody fights on a day that is over, whose undo would forget the battle."""
    now = Campaign.objects.get(pk=table.campaign.pk)
    time.confirm_time(by=table.gm, campaign=now, days=3, day=now.day)
    battle = open_ford(table)
    assert battle.day == Campaign.objects.get(pk=table.campaign.pk).day == table.campaign.day


def test_a_battle_that_was_only_set_up_is_fought_on_the_day_it_is_begun(table):
    """Days may be taken back, or pass, below a battle in which nothing stands."""
    time.confirm_time(by=table.gm, campaign=table.campaign, days=7, day=table.campaign.day)
    battle = open_ford(table)
    entry = table.campaign.chronicle.filter(kind="week").order_by("-seq").first()
    undo_entry(by=table.gm, entry=entry)
    Client(table.gm, battle).ok(type="next")
    assert Battle.objects.get(pk=battle.pk).day == Campaign.objects.get(pk=table.campaign.pk).day == 0
