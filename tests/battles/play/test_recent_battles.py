"""What battles tell time: who fights, who fought today, who won (PF-7.1, PF-7.2)."""

from __future__ import annotations

import pytest

from armies.forces.busy import FightsOfLate, load_recent_battles
from battles.aftermath.services import confirm_aftermath
from battles.models import Battle
from battles.play import services as play_services
from battles.play.services import undo
from kingdom.models import Campaign
from rules.pathfinder.battle.orders.commands import Command, End, Next, Resolve

pytestmark = pytest.mark.django_db


def play(table, battle: Battle, *commands: Command) -> Battle:
    for command in commands:
        battle = play_services.play(by=table.gm, battle_id=battle.pk, version=battle.version, command=command).battle
    return battle


def confirm(table, battle: Battle) -> Battle:
    return confirm_aftermath(by=table.gm, battle_id=battle.pk, version=battle.version).battle


def at_day(table, day: int) -> Campaign:
    Campaign.objects.filter(pk=table.campaign.pk).update(day=day)
    return Campaign.objects.get(pk=table.campaign.pk)


@pytest.fixture
def both(table) -> frozenset[str]:
    return frozenset({str(table.watch.pk), str(table.raiders.pk)})


def test_a_battle_being_set_up_keeps_nobody_from_rest(table, battle):
    assert load_recent_battles(table.campaign, 0) == FightsOfLate()


def test_a_running_battle_counts_however_long_it_runs(table, battle, both):
    play(table, battle, Next())
    assert load_recent_battles(at_day(table, 9), 7).fighting == both


def test_a_battle_whose_aftermath_is_not_settled_holds_its_armies_like_one_that_runs(table, battle, both):
    """What they recover meanwhile the aftermath would take away again."""
    battle = play(table, battle, Next(), Resolve(), End("dusk", 0))
    assert load_recent_battles(at_day(table, 9), 7).fighting == both
    confirm(table, battle)
    assert load_recent_battles(at_day(table, 9), 7).fighting == frozenset()


def test_who_fought_today_and_who_won(table, battle, both):
    battle = confirm(table, play(table, battle, Next(), Resolve(), End("dusk", 0)))
    told = load_recent_battles(table.campaign, 0)
    assert (told.fighting, told.fought, told.won) == (frozenset(), both, frozenset({str(table.watch.pk)}))
    tomorrow = load_recent_battles(at_day(table, 1), 0)
    assert (tomorrow.fought, tomorrow.won) == (frozenset(), frozenset({str(table.watch.pk)}))
    assert load_recent_battles(at_day(table, 8), 7) == FightsOfLate()


def test_a_battle_over_midnight_was_fought_on_the_day_its_aftermath_is_confirmed(table, battle, both):
    battle = play(table, battle, Next(), Resolve())
    campaign = at_day(table, 8)
    battle = confirm(table, play(table, battle, End("dawn", 1)))
    told = load_recent_battles(campaign, 7)
    assert (told.fought, told.won) == (both, frozenset({str(table.raiders.pk)}))
    undo(by=table.gm, battle_id=battle.pk, version=battle.version)
    assert load_recent_battles(campaign, 7).fought == frozenset()
