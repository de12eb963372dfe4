"""Tactics known (PF-1.10) and a day of rest (PF-7.1)."""

from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied

from armies.pathfinder.armies.march_services import rest_army
from armies.pathfinder.armies.services import correct_army, forget_tactic, teach_tactic
from armies.pathfinder.models import PathfinderArmy
from kingdom.campaign.services import update_campaign
from kingdom.chronicle import changes
from kingdom.models import Campaign, ChronicleEntry
from rules.core.errors import IllegalCommand, InvalidInput
from tests.armies.conftest import fought_in, orc, raised


def known(army) -> list[str]:
    return sorted(row.tactic for row in army.tactics.all())


def test_half_the_acr_is_the_room(war):
    teach_tactic(by=war.gm, army=war.levy, tactic="taunt")
    with pytest.raises(IllegalCommand, match="room for 1"):
        teach_tactic(by=war.gm, army=war.levy, tactic="full-defense")
    teach_tactic(by=war.gm, army=war.levy, tactic="full-defense", granted=True)
    assert known(war.levy) == ["full-defense", "taunt"]


def test_only_the_gm_teaches(war):
    with pytest.raises(PermissionDenied):
        teach_tactic(by=war.ana, army=war.levy, tactic="taunt")


@pytest.mark.parametrize("tactic", ["standard", "withdraw"])
def test_what_every_army_knows_is_not_learned(war, tactic):
    with pytest.raises(IllegalCommand, match="no need to learn it"):
        teach_tactic(by=war.gm, army=war.levy, tactic=tactic)


def test_unknown_and_known_tactics_are_refused(war):
    with pytest.raises(InvalidInput):
        teach_tactic(by=war.gm, army=war.levy, tactic="dance")
    teach_tactic(by=war.gm, army=war.levy, tactic="taunt")
    with pytest.raises(IllegalCommand, match="knows"):
        teach_tactic(by=war.gm, army=war.levy, tactic="taunt", granted=True)


def test_players_forget_what_was_learned_not_what_was_granted(war):
    teach_tactic(by=war.gm, army=war.levy, tactic="taunt")
    teach_tactic(by=war.gm, army=war.levy, tactic="full-defense", granted=True)
    forget_tactic(by=war.ana, army=war.levy, tactic="taunt")
    with pytest.raises(PermissionDenied):
        forget_tactic(by=war.ana, army=war.levy, tactic="full-defense")
    with pytest.raises(IllegalCommand):
        forget_tactic(by=war.gm, army=war.levy, tactic="taunt")
    assert known(war.levy) == ["full-defense"]


def wounded(war, hp: int, **unit) -> PathfinderArmy:
    army = raised(war.gm, war.crown, "Wounded", unit=orc(**unit))
    return correct_army(by=war.gm, army=army, hp=hp)


def test_a_day_of_rest_heals_the_acr(war):
    army = wounded(war, 5)
    rested = rest_army(by=war.ana, army=army)
    army.refresh_from_db()
    assert (rested.healed, army.hp) == (3, 8)


def test_a_passed_loyalty_check_heals_it_again(war):
    army = wounded(war, 5)
    rested = rest_army(by=war.ana, army=army, rally=True, dice=[20])
    army.refresh_from_db()
    assert (rested.healed, army.hp, rested.check.success) == (6, 11, True)


def test_a_failed_one_heals_no_more(war):
    army = wounded(war, 5)
    assert rest_army(by=war.ana, army=army, rally=True, dice=[1]).healed == 3


def test_rest_is_once_a_day(war):
    army = wounded(war, 5)
    rest_army(by=war.ana, army=army)
    with pytest.raises(IllegalCommand, match="rested today"):
        rest_army(by=war.ana, army=army)
    Campaign.objects.update(day=1)
    assert rest_army(by=war.ana, army=PathfinderArmy.objects.get(pk=army.pk)).healed == 3


def test_nothing_heals_beyond_the_maximum(war):
    army = wounded(war, 15)
    assert rest_army(by=war.ana, army=army).healed == 1


def test_a_house_rule_caps_recovery_at_half(war):
    update_campaign(by=war.gm, campaign=war.campaign, house_rules={"recovery_cap": "half"})
    army = wounded(war, 7)
    assert rest_army(by=war.ana, army=PathfinderArmy.objects.get(pk=army.pk)).healed == 1


def test_fast_healing_works_every_hour(war):
    army = wounded(war, 1, abilities=[{"ability": "fast-healing", "value": 1}])
    rested = rest_army(by=war.ana, army=army)
    assert rested.breakdown.total == 27
    assert rested.healed == 15


def test_an_acr_below_one_still_heals_one(war):
    army = raised(war.gm, war.crown, "Band", count=50, unit=orc(cr="1"))
    correct_army(by=war.gm, army=army, hp=1)
    assert rest_army(by=war.ana, army=army).healed == min(1, army.hp_max - 1)


def test_a_typed_die_must_fit(war):
    army = wounded(war, 5)
    with pytest.raises(InvalidInput):
        rest_army(by=war.ana, army=army, rally=True, dice=[21])
    army.refresh_from_db()
    assert (army.hp, army.rested_on) == (5, None)


def test_rest_is_in_the_chronicle_and_can_be_undone(war):
    army = wounded(war, 5)
    rest_army(by=war.ana, army=army)
    entry = ChronicleEntry.objects.order_by("seq").last()
    changes.undo(campaign=war.campaign, entry=entry, by=war.gm)
    army.refresh_from_db()
    assert (army.hp, army.rested_on) == (5, None)


def test_the_day_of_a_battle_is_no_day_of_rest_by_hand_either(war, seats):
    """PF-7.1: no move, no battle."""
    army = wounded(war, 5)
    seats[:] = [fought_in(army, war.campaign.day)]
    with pytest.raises(IllegalCommand, match=r"Wounded fought today\. It can rest tomorrow"):
        rest_army(by=war.ana, army=army)
    army.refresh_from_db()
    assert (army.hp, army.rested_on) == (5, None)
    seats.clear()
    assert rest_army(by=war.ana, army=army).healed == 3
