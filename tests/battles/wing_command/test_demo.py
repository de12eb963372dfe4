"""The demonstration campaign: two hosts at the ford in their third turn, and a raid that is settled."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import translation

from armies.models import Army
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.wing_command.demo import load_demo
from kingdom.models import ChronicleEntry
from kingdom.onboarding import checklist
from tests.kingdom.conftest import make_user
from tests.rulesets.browsing import Reader
from tests.worlds import built_once


@built_once
def shown(db) -> SimpleNamespace:
    gm = make_user("gm")
    return SimpleNamespace(gm=gm, campaign=load_demo(owner=gm))


def battle_of(shown: Any, name: str) -> Battle:
    return Battle.objects.get(campaign=shown.campaign, name=name)


def test_neither_realm_begins_in_arrears(shown):
    assert all(kingdom.treasury for kingdom in shown.campaign.kingdoms.all())
    assert "the treasury has only" not in Reader(shown.gm).read(f"/c/{shown.campaign.pk}/")


def test_two_hosts_have_fought_two_turns_at_the_ford(shown):
    battle = battle_of(shown, "The ford")
    state = play_battle_state.load_state(battle)
    assert battle.status == "running"
    assert (state.turn, state.phase, state.field.ground.land.name) == (3, "action", "The ford")
    assert [len(state.wings_of(side)) for side in (0, 1)] == [3, 3]
    assert state.opening.sides == ("The Crown", "The Horde")
    assert Reader(shown.gm).status(f"/battles/{battle.pk}/") == 200


def test_a_raid_is_over_and_settled(shown):
    battle = battle_of(shown, "A raid in the meadows")
    assert battle.status == "closed"
    assert ChronicleEntry.objects.filter(campaign=shown.campaign, kind="battle", battle_id=battle.pk).exists()
    raiders = Army.objects.get(campaign=shown.campaign, name="Raiding party")
    watch = Army.objects.get(campaign=shown.campaign, name="Watch of the meadows")
    assert raiders.health + watch.health < 6, "it has cost somebody something"


def test_it_is_offered_among_the_demonstrations():
    assert "wing-command" in [slug for slug, _name in checklist.list_demos()]


@pytest.mark.slow  # every day that of THUCIDIDE fantasy, which is made and translated alike
def test_it_speaks_french(db):
    with translation.override("fr"):
        campaign = checklist.make(owner=make_user("lea"), law="wing-command")
    names = set(Army.objects.filter(campaign=campaign).values_list("name", flat=True))
    assert "Raiding party" not in names
    assert not Battle.objects.filter(campaign=campaign, name="The ford").exists()


@pytest.mark.parametrize("page", ["", "battles/", "chronicle/"])
def test_its_pages_open(shown, page):
    assert Reader(shown.gm).status(f"/c/{shown.campaign.pk}/{page}") == 200
