"""PF-2: commanders, their boons and their offices."""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.errors import InvalidInput
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.catalogue.traits import LIVES_OFF_THE_LAND
from rules.pathfinder.figures import compile_profile
from rules.pathfinder.leadership import CommanderSheet, learnable_boons, soldiering
from rules.pathfinder.ruleset import COMBAT_DE_MASSE as LAW
from rules.pathfinder.spec import BoonChoice, CommanderSpec
from tests.rules.pathfinder.shown import shows
from tests.scenario import boss, hold, order, scenario, spec, use


def sheet(*boons: str, **figures: Any) -> CommanderSheet:
    return LAW.commander_sheet(boss(*boons, **figures))


# office: its boons (PF-2.6), and one effect of the first on an army of ACR 9 led at leadership 20
OFFICES = {
    "ruler": ("bloodied-but-unbroken", "loyalty"),
    "consort": ("loyalty",),
    "councilor": ("loyalty",),
    "heir": ("loyalty",),
    "treasurer": ("loyalty",),
    "viceroy": ("loyalty",),
    "general": ("bonus-tactic", "flexible-tactics", "merciless", "sharpshooter"),
    "grand-diplomat": ("defensive-tactics", "merciless"),
    "high-priest": ("hold-the-line", "live-off-the-land", "triage"),
    "marshal": ("live-off-the-land", "hit-and-run", "sharpshooter", "triage"),
    "royal-enforcer": ("bloodied-but-unbroken", "loyalty"),
    "spymaster": ("hit-and-run", "merciless", "sharpshooter"),
    "warden": ("defensive-tactics", "hold-the-line", "loyalty"),
    "magister": ("flexible-tactics", "loyalty"),
}


@pytest.mark.parametrize(
    "ranks, level, office, points",
    [(4, 20, None, 0), (5, 1, None, 1), (14, 1, None, 2), (0, 1, "heir", 1), (0, 13, "heir", 2), (15, 13, "heir", 3)],
)
def test_soldiering(ranks: int, level: int, office: str | None, points: int) -> None:
    """PF-2.1: floor(ranks/5); for an office holder max(floor(ranks/5), floor(level/6), 1)."""
    assert soldiering(CommanderSpec("c", "c", level=level, soldier_ranks=ranks, office=office)) == points


def test_leadership_is_level_and_charisma_and_the_feat() -> None:
    """PF-2.2."""
    assert sheet(level=7, charisma=2).leadership.total == 9
    assert sheet(level=7, charisma=2, leadership_feat=True).leadership.total == 12
    assert sheet(level=7, charisma=-1).leadership.total == 6


def test_morale_bonus_is_charisma_and_soldiering() -> None:
    """PF-2.3, and the army's morale checks have it."""
    assert sheet(charisma=2, soldier_ranks=10).morale_bonus.total == 4
    s = scenario().army("A", morale=1, commander=boss(charisma=2, soldier_ranks=10)).army("B")
    assert s.morale("A", "rout") == 1 + 4


def test_boons_known_are_one_and_soldiering() -> None:
    """PF-2.4: the office boon is extra; one too many is refused."""
    two = boss("merciless", "hold-the-line", level=6, soldier_ranks=5, office="heir", office_boon="loyalty")
    LAW.check_commander(two)
    assert LAW.commander_sheet(two).boons_max == 2
    with pytest.raises(InvalidInput) as refused:
        LAW.check_commander(boss("merciless", "hold-the-line"))
    assert refused.value.field == "/boons"


def test_an_office_boon_ignores_prerequisites() -> None:
    """PF-2.4: loyalty needs leadership 6, an heir of 1 has it."""
    s = scenario().army("A", commander=boss(level=1, office="heir", office_boon="loyalty")).army("B")
    assert s.morale("A") == 1 + 2  # soldiering 1 of an office holder, loyalty 2
    with pytest.raises(InvalidInput, match="needs leadership 6"):
        LAW.check_boon_learned(boss(level=1), "loyalty")


def test_only_an_active_commander_counts() -> None:
    """PF-2.5: no morale bonus, no boons, no tactics of an absent one."""
    away = boss("defensive-tactics", "bonus-tactic:taunt", charisma=3, soldier_ranks=5, active=False)
    s = scenario().army("A", commander=away).army("B")
    assert (s.dv("A"), s.morale("A")) == (19, 0)
    assert "taunt" not in LAW.tactics_of(s.specs["A"])


@shows(*(f"office:{slug}" for slug in OFFICES))
@pytest.mark.parametrize("office", OFFICES)
def test_an_office_gives_one_of_its_boons(office: str) -> None:
    """PF-2.6: those listed may be chosen and are then in force at any leadership; others are refused."""
    assert LAW.offices[office].boons == OFFICES[office]
    for boon in OFFICES[office]:
        holder = boss(
            level=1, office=office, office_boon=boon, office_tactic="taunt" if boon == "bonus-tactic" else None
        )
        LAW.check_commander(holder)
        active = {state.boon.slug for state in LAW.commander_sheet(holder).boons if state.active}
        assert active == {boon}
    foreign = next(boon for boon in LAW.boons if boon not in OFFICES[office])
    with pytest.raises(InvalidInput) as refused:
        LAW.check_commander(boss(level=1, office=office, office_boon=foreign))
    assert refused.value.field == "/office_boon"


def test_an_office_boon_must_be_chosen_and_only_by_its_holder() -> None:
    """PF-2.6: the refusals."""
    for wrong, field in (
        (boss(office="heir"), "/office_boon"),
        (boss(office_boon="loyalty"), "/office_boon"),
        (boss(office="king"), "/office"),
        (boss(office="general", office_boon="bonus-tactic"), "/office_tactic"),
    ):
        with pytest.raises(InvalidInput) as refused:
            LAW.check_commander(wrong)
        assert refused.value.field == field


def test_a_general_teaches_one_tactic() -> None:
    """PF-2.6, PF-2.9: bonus tactic by office."""
    general = boss(level=1, office="general", office_boon="bonus-tactic", office_tactic="taunt")
    assert "taunt" in LAW.tactics_of(spec("A", commander=general))


@shows("boon:bloodied-but-unbroken")
def test_bloodied_but_unbroken_at_half_its_hit_points() -> None:
    """PF-2.9: OM +1 while hp ≤ half, +2 at leadership 10."""
    for level, hp, om in ((4, 21, 9), (4, 20, 10), (10, 20, 11)):
        s = scenario().army("A", hp=hp, commander=boss("bloodied-but-unbroken", level=level)).army("B")
        assert s.om("A") == om


@shows("boon:bonus-tactic")
def test_bonus_tactic_lets_the_army_use_it_and_may_be_taken_twice() -> None:
    """PF-2.9."""
    s = (
        scenario()
        .army("A", commander=boss("bonus-tactic:taunt", "bonus-tactic:full-defense", soldier_ranks=5))
        .army("B")
    )
    LAW.check_commander(s.specs["A"].commander)
    s.tactics(A="full-defense")
    assert s.dv("A") == 23
    with pytest.raises(InvalidInput, match="listed twice"):
        LAW.check_commander(boss("bonus-tactic:taunt", "bonus-tactic:taunt", soldier_ranks=5))


@shows("boon:defensive-tactics")
def test_defensive_tactics() -> None:
    """PF-2.9: DV +2, from leadership 5."""
    assert scenario().army("A", commander=boss("defensive-tactics", level=5)).army("B").dv("A") == 21


@shows("boon:flexible-tactics")
def test_flexible_tactics_only_to_change_tactics() -> None:
    """PF-2.9: +5, or +10 at leadership 12."""
    s = scenario().army("A", commander=boss("flexible-tactics", level=6)).army("B", commander=boss("flexible-tactics"))
    assert (s.morale("A", "tactic"), s.morale("A", "strategy"), s.morale("B", "tactic")) == (5, 0, 10)


@shows("boon:hit-and-run")
def test_hit_and_run_after_an_attack() -> None:
    """PF-2.9: +2 to withdraw once it has attacked, +4 at leadership 10; not before."""
    for level, bonus in ((5, 2), (10, 4)):
        s = scenario().army("A", commander=boss("hit-and-run", level=level)).army("B")
        assert s.morale("A", "withdraw") == 0
        s.melee(A=order(), dice={"A attack": 2})
        assert (s.morale("A", "withdraw"), s.morale("A", "rout")) == (bonus, 0)


@shows("boon:hold-the-line")
def test_hold_the_line_rerolls_once_and_the_second_stands() -> None:
    """PF-2.9, PF-3.9."""
    for second, fate in ((15, "fighting"), (14, "routed")):
        s = scenario().army("A", hp=10, commander=boss("hold-the-line")).army("B")
        dice = {"B attack": 12, "A rout": 3, "A rout-reroll": second} | ({"B parting": 2} if fate == "routed" else {})
        s.melee(A=hold(hold_the_line=True), B=order(), dice=dice)
        assert (s.last(e.RoutChecked, "A").check, s.status("A")) == (second, fate)
    s = scenario().army("A", hp=10).army("B").until("melee")
    assert s.refusal(A=hold(hold_the_line=True)).field == "/hold_the_line"


@shows("boon:live-off-the-land")
def test_live_off_the_land_is_known_to_those_who_pay_the_week() -> None:
    """PF-2.9: the army carries the permission the week's reckoning asks for, and loses it without the boon."""
    for boons, may in ((("live-off-the-land",), True), ((), False)):
        army = spec("A", commander=boss(*boons))
        assert (LIVES_OFF_THE_LAND in compile_profile(LAW, army, ()).traits) is may


@shows("boon:loyalty")
def test_loyalty_on_all_morale_checks() -> None:
    """PF-2.9: +2, or +4 at leadership 12."""
    s = scenario().army("A", commander=boss("loyalty", level=6)).army("B", commander=boss("loyalty", level=12))
    assert {s.morale("A", why) for why in ("rout", "tactic", "fear", "withdraw", "stop")} == {2}
    assert s.morale("B", "rout") == 4


@shows("boon:merciless")
def test_merciless_stops_withdrawals_and_strikes_those_who_leave() -> None:
    """PF-2.9, R-34: +1 to stop, +1 on parting shots and on attacks against an army on withdraw."""
    s = scenario().army("A", commander=boss("merciless")).army("B")
    assert (s.morale("A", "stop"), s.morale("A", "rout")) == (1, 0)
    assert (s.om("A", "B", "melee", deed="parting"), s.om("A", "B", "melee", deed="attack")) == (10, 9)
    s.melee(A=order(), B=hold(tactic="withdraw"), dice={"A attack": 2, "A withdraw": 20, "B withdraw": 1})
    assert s.om("A", "B", "melee", deed="attack") == 10


@shows("boon:sharpshooter")
def test_sharpshooter_against_walls_for_those_who_can_shoot() -> None:
    """PF-2.9: OM +2; needs a ranged attack and a target behind a fortification."""
    for ranged, om in ((True, 11), (False, 9)):
        s = scenario().army("A", ranged=ranged, commander=boss("sharpshooter")).army("B").army("B2")
        s.condition("fortification", "B", value=4)
        assert (s.om("A", "B", "shot"), s.om("A", "B2", "shot")) == (om, 9)


@shows("boon:triage")
def test_triage_heals_half_the_rating_at_minus_four() -> None:
    """PF-2.9: once per battle OM −4 for one phase; the second is refused."""
    s = scenario().army("A", hp=20, commander=boss("triage")).army("B")
    s.melee(A=order("B", use("triage", kind="boon")), dice={"A attack": 13})
    assert (s.hp("A"), s.last(e.Attacked, "A").check) == (24, 13 + 9 - 4)
    assert s.om("A") == 9
    assert "already" in str(s.refusal(A=order("B", use("triage", kind="boon"))))


def test_a_boon_below_its_leadership_sleeps() -> None:
    """R-7: dormant, and it says what is missing."""
    s = scenario().army("A", commander=boss("defensive-tactics", level=4)).army("B")
    assert s.dv("A") == 19
    state = next(x for x in LAW.commander_sheet(boss("defensive-tactics", level=4)).boons if x.known)
    assert "needs leadership 5" in str(state.why)


def test_an_office_boon_still_needs_leadership_for_its_higher_tier() -> None:
    """R-7: 2 at leadership 11 by office, 4 only from 12."""
    for level, bonus in ((11, 2), (12, 4)):
        holder = boss(level=level, office="heir", office_boon="loyalty")
        s = scenario().army("A", commander=holder).army("B")
        assert s.morale("A") == soldiering(holder) + bonus


def test_learnable_boons_have_room_and_leadership() -> None:
    """PF-2.4, PF-2.9."""
    assert {boon.slug for boon in learnable_boons(LAW, boss(level=4))} == {
        "bloodied-but-unbroken", "bonus-tactic", "hold-the-line", "live-off-the-land", "merciless", "sharpshooter",
        "triage",
    }  # fmt: skip
    assert learnable_boons(LAW, boss("merciless", level=4)) == ()
    with pytest.raises(InvalidInput, match="no room"):
        LAW.check_boon_learned(boss("merciless"), "triage")


def test_a_boon_of_his_office_takes_no_room_and_is_not_learned_as_well() -> None:
    """PF-2.4, PF-2.6: Loyalty is an heir's by office; only Bonus Tactic is taken again for another tactic (PF-2.9)."""
    heir = boss(level=6, office="heir", office_boon="loyalty")
    assert "loyalty" not in {boon.slug for boon in learnable_boons(LAW, heir)}
    with pytest.raises(InvalidInput, match="already knows this"):
        LAW.check_boon_learned(heir, "loyalty")
    general = boss(level=12, office="general", office_boon="bonus-tactic", office_tactic="taunt")
    assert "bonus-tactic" in {boon.slug for boon in learnable_boons(LAW, general)}


def test_bonus_tactic_teaches_what_not_every_army_can_use_anyway() -> None:
    """PF-2.9, PF-1.10: standard and withdraw are always available."""
    for tactic in ("standard", "withdraw"):
        with pytest.raises(InvalidInput, match="All armies can use") as refused:
            LAW.check_boon_learned(boss(), "bonus-tactic", tactic)
        assert refused.value.field == "/tactic"
    LAW.check_boon_learned(boss(), "bonus-tactic", "taunt")


def test_impossible_commanders_are_refused_at_the_field() -> None:
    """PF-2.1, PF-2.9: every problem at once."""
    boons = (BoonChoice("no-such"), BoonChoice("bonus-tactic"), BoonChoice("triage", "taunt"))
    wrong = CommanderSpec("c", "c", level=0, charisma_modifier=31, soldier_ranks=-1, boons=boons)
    with pytest.raises(InvalidInput) as refused:
        LAW.check_commander(wrong)
    assert [field for field, _said in refused.value.errors] == [
        "/level", "/charisma_modifier", "/soldier_ranks", "/boons/0", "/boons/1", "/boons/2", "/boons"
    ]  # fmt: skip


def test_a_notorious_commander_costs_a_point_in_checks_only() -> None:
    """R-7, PF-2.8: never in the stored Morale."""
    s = scenario().army("A", morale=2, commander=boss(notorious=True)).army("B")
    assert (s.morale("A"), s.fighter("A").morale) == (1, 2)


def test_the_tactic_of_an_office_takes_no_room() -> None:
    """PF-2.4, PF-2.6: room for three; one boon learned, and another Bonus Tactic from the office."""
    general = {"office": "general", "office_boon": "bonus-tactic", "office_tactic": "taunt"}
    assert sheet("bonus-tactic:full-defense", level=12, **general).room == 2
