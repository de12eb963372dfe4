"""The demo campaign: complete, playable, and the same each time."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command
from django.utils import translation

from armies.models import Army, Commander
from armies.pathfinder.models import PathfinderArmy, PathfinderCommander
from battles.log.queries import check_replay
from battles.models import Battle, BattleRecord
from battles.pathfinder.demo import inhabitants
from battles.play import battle_state as play_battle_state
from core.text import load_said
from kingdom.campaign.services import create_campaign
from kingdom.models import Campaign, ChronicleEntry, LedgerEntry, Settlement, User
from kingdom.onboarding import checklist
from tests.everyday import at_most, everyday
from tests.kingdom.conftest import make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign(demonstration):
    return demonstration.campaign


def running(campaign: Campaign) -> Battle:
    return Battle.objects.get(campaign=campaign, status="running")


def test_it_has_two_kingdoms_six_armies_and_their_commanders(campaign):
    assert campaign.day == inhabitants.TODAY
    assert [kingdom.name for kingdom in campaign.kingdoms.all()] == ["Crown of Restov", "Greenbelt horde"]
    assert PathfinderArmy.objects.filter(campaign=campaign, status="ready").count() == 6
    assert PathfinderCommander.objects.filter(campaign=campaign).count() == 5


def test_the_battle_at_the_ford_is_half_fought(campaign):
    state = play_battle_state.load_state(running(campaign))
    assert (state.phase.kind, state.phase.number) == ("melee", 3)
    assert len(state.on_field()) == 4
    assert len(state.orders) == 2
    assert any(army.hp < army.hp_max for army in state.on_field())


def test_the_night_battle_is_over_and_its_aftermath_in_the_chronicle(campaign):
    night = Battle.objects.get(campaign=campaign, status="closed")
    entry = ChronicleEntry.objects.get(campaign=campaign, kind="battle")
    assert entry.battle_id == night.pk
    assert "defensive-wall" in PathfinderArmy.objects.get(name="Silver Lances").tactics.values_list("tactic", flat=True)


def test_every_die_was_typed(campaign):
    rolls = [roll for record in BattleRecord.objects.filter(campaign=campaign) for roll in record.dice]
    assert rolls
    assert {(roll["source"], roll["by"]) for roll in rolls} == {("typed", "gm")}


PROPER = {"Dame Ysolde Marrec", "Baron Hannis Drelev", "Selgard Mernev", "Vesna Mernev", "Mivon", "Rushbank", "Drelev"}


@pytest.mark.parametrize("language", everyday(["fr", "en"], first=1))
def test_every_demo_is_the_same_but_for_its_names_in_the_language_of_its_reader(campaign, language):
    """The one the home page offers, too. Each name that means something is another in French than in English; those of
    people and places may be the same.
    """
    assert checklist.list_demos()
    owner = make_user("lea")
    with translation.override(language):
        again = checklist.load(owner=owner)
    assert again.created_by == owner
    assert hit_points(running(again)) == hit_points(running(campaign))
    told, said = names_of(again), names_of(campaign)
    assert len(told) == len(said) > 10
    assert told & said <= PROPER if language == "fr" else told == said
    battles = Battle.objects.order_by("-pk")
    assert all(check_replay(battle).identical for battle in battles[: at_most(1, full=9)])


def hit_points(battle: Battle) -> list[int]:
    return [army.hp for army in play_battle_state.load_state(battle).armies.values()]


def test_no_treasury_is_empty_and_every_balance_adds_up(campaign):
    for kingdom in campaign.kingdoms.all():
        entries = LedgerEntry.objects.filter(kingdom=kingdom)
        assert kingdom.treasury == sum(entry.amount for entry in entries) > 0
        assert entries.count() >= 4


def names_of(campaign: Campaign) -> set[str]:
    """Of everything in it, the sides of its battles and what was entered in its treasuries."""
    battles = Battle.objects.filter(campaign=campaign)
    entered = LedgerEntry.objects.filter(campaign=campaign, source="manual").values_list("reason", flat=True)
    rows = (campaign.kingdoms, Settlement.objects, Army.objects, Commander.objects, Battle.objects)
    return {
        campaign.name,
        *(name for found in rows for name in found.filter(campaign=campaign).values_list("name", flat=True)),
        *(side.name for battle in battles for side in play_battle_state.load_state(battle).sides),
        *(str(load_said(reason)) for reason in entered),
    }


def light(owner: User) -> Campaign:
    return create_campaign(by=owner, name="Demo", ruleset="combat-de-masse")


def test_once_means_once(contribute):
    """Whatever the demo is."""
    contribute(demos={"combat-de-masse": light})
    owner = make_user("gm")
    call_command("demo", once=True, verbosity=0)
    call_command("demo", once=True, verbosity=0)
    laws = [slug for slug, _name in checklist.list_demos()]
    assert list(Campaign.objects.order_by("created_at").values_list("ruleset", "created_by")) == [
        (slug, owner.pk) for slug in laws
    ]
    call_command("demo", owner="gm", law=laws[-1], verbosity=0)
    assert Campaign.objects.filter(ruleset=laws[-1]).count() == 2


def test_without_a_user_it_says_so():
    with pytest.raises(CommandError, match="no user"):
        call_command("demo")


def test_a_ruleset_without_a_demo_is_refused():
    make_user("gm")
    with pytest.raises(CommandError, match=r"no demo campaign of “chess”.*combat-de-masse"):
        call_command("demo", law="chess")
