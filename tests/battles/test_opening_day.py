"""A battle bears the day on which it is opened, whatever day it was when somebody began to set it up."""

from __future__ import annotations

import pytest

from armies.time import services as time
from kingdom.models import Campaign
from tests.battles.conftest import open_ford

pytestmark = pytest.mark.django_db


def test_a_day_that_passes_while_a_battle_is_set_up_is_the_battle_s(table):
    """The page was read before; nobody fights on a day that is over, whose undo would forget the battle."""
    now = Campaign.objects.get(pk=table.campaign.pk)
    time.confirm_time(by=table.gm, campaign=now, days=3, day=now.day)
    battle = open_ford(table)
    assert battle.day == Campaign.objects.get(pk=table.campaign.pk).day == table.campaign.day
