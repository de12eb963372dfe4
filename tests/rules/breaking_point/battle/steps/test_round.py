"""A round in the field: attacks, losses, states, leaving, pursuit, rally, the end (B-19 to B-46)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.breaking_point.battle.orders import commands as c
from rules.breaking_point.battle.state import events as e
from rules.breaking_point.battle.state.battle_state import BodyOrder, Side, state_of
from rules.breaking_point.battle.steps.strike import astray
from rules.breaking_point.battle.telling.narrate import described
from rules.breaking_point.dice import percent_lost, ratio_bonus
from rules.breaking_point.spec import Host
from rules.core.dice import DiceNeeded, Typed, TypedDie
from rules.core.errors import IllegalCommand, InvalidInput
from rules.law import OMNISCIENT, Weight
from tests.rules.breaking_point.battle.fights import (
    BOW,
    CHARIOTS,
    GRIFFINS,
    LED,
    RIFLE,
    SLING,
    TROLLS,
    Fight,
    archers,
    dead,
    foot,
    general,
    guns,
    horse,
    hulls,
    with_losses,
)

ATTACK_B = ("attack", "b:contact")
SHOOT_B = ("shoot", "b:contact")


def field(*armies, **given):
    """After a command test in which nobody is ahead."""
    return Fight(*(armies or (foot(), foot())), **given).command()


def struck(fight, key="a:contact"):
    return next(attack for attack in fight.of(e.Attacked) if attack.body == key)


def refused(fight, army="a", kind=IllegalCommand, **order):
    with pytest.raises(kind) as refusal:
        fight.order(army, **order)
    return refusal.value.field


# orders


def test_b22_what_is_not_ordered_holds():
    fight = field().resolve()
    assert fight.of(e.Attacked) == []
    assert fight.state.phase == ("round", 2)


def test_orders_for_what_is_not_there_are_refused_with_pointers():
    fight = field((foot(), archers()), (foot(), archers()))
    assert refused(fight, "z", InvalidInput) == "/army"
    assert refused(fight, kind=InvalidInput, rear=ATTACK_B) == "/bodies/rear"
    assert refused(fight, kind=InvalidInput, contact=("attack", "b:rear")) == "/bodies/contact/target"
    assert refused(fight, kind=InvalidInput, contact=("dance", "b:contact")) == "/bodies/contact/do"
    assert refused(fight, kind=InvalidInput, contact=("hold", "b:contact")) == "/bodies/contact/target"
    assert refused(fight, kind=InvalidInput, rally="rear") == "/rally"
    assert refused(fight, kind=InvalidInput, distance="sideways") == "/distance"
    assert refused(fight, distance="close") == "/distance"
    assert refused(fight, contact=("attack", "a:shooting")) == "/bodies/contact/target"
    assert refused(fight, shooting=("attack", "b:contact")) == "/bodies/shooting/do"
    assert refused(fight, contact=SHOOT_B) == "/bodies/contact/do"
    assert refused(fight, contact=("withdraw",)) == "/bodies/contact/do"
    assert refused(fight, commit=True) == "/commit"
    assert refused(fight, withdraw=True, contact=ATTACK_B) == "/bodies/contact/do"
    assert refused(fight, shooting=BodyOrder("hold", "", True)) == "/bodies/shooting/pursue"
    assert fight.state.orders == {}


def test_no_orders_before_the_command_test_but_standing_answers():
    fight = Fight(foot(), foot()).play(c.Next())
    assert refused(fight, contact=ATTACK_B) == "/bodies/contact/do"
    fight.order("a", contact=BodyOrder("hold", "", True))
    with pytest.raises(IllegalCommand):
        Fight(foot(), foot()).order("a")


def test_a_routed_body_takes_no_orders():
    fight = field().override("a:contact", "status", "routed")
    assert refused(fight, contact=ATTACK_B) == "/bodies/contact"
    fight.override("a:contact", "status", "fled")
    assert refused(fight, contact=ATTACK_B) == "/army"


# a combat test


def test_bp4_6_losses_are_the_power_by_the_margin():
    """Combat 6 and a 4 against defense 6: margin 4, 30 % of 1000."""
    fight = field().order("a", contact=ATTACK_B).resolve(a_contact__contact=(4,))
    attack = struck(fight)
    assert (attack.score, attack.against, attack.percent, attack.loss) == (10, 6, 30, 300)
    assert fight.body("b:contact").losses == 300
    assert [percent_lost(margin) for margin in (0, 1, 2, 9)] == [10, 10, 20, 50]


def test_bp4_6_the_documents_shot():
    """Combat 9 against defense 8, die 7: difficulty 14, margin 2, 20 % of 1800."""
    shooters = archers(900, 9)
    fight = field((foot(), shooters), foot(combat=8)).order("a", shooting=SHOOT_B).resolve(a_shooting__shot=(7,))
    attack = struck(fight, "a:shooting")
    assert (attack.against, attack.percent, attack.loss) == (14, 20, 360)


def test_bp2_2_a_power_opens_into_units_and_of_a_single_unit_into_weapons():
    fight = field(horse(), (foot(), horse(50), archers()))

    def lines(army, figure):
        found = fight.law.figures(fight.state)[army][figure]
        return [(str(line.label), line.value) for line in found.lines]

    assert lines("a", "power:contact") == [("100 × Sword, damage 10", 1000), ("Cavalry: × 2", 1000)]
    assert lines("b", "power:contact") == [("100 × Foot", 1000), ("50 × Horse", 1000)]
    assert lines("b", "fire-power:shooting") == [("100 × Longbow: damage 4, rate 1/2, area 1", 200)]
    fight.override("a:contact", "losses", 700)
    assert lines("a", "power:contact")[2:] == [("Battered (halved)", -1000)]


def test_bp4_5_numbers_are_a_ratio_of_power():
    assert [ratio_bonus(mine, 100) for mine in (149, 150, 200, 300, 400, 500, 5000)] == [0, 1, 2, 3, 4, 5, 5]
    assert ratio_bonus(1, 0) == 5
    fight = field(foot(200), foot(100)).order("a", contact=ATTACK_B).resolve(a_contact__contact=(2,))
    assert struck(fight).score == 6 + 2 + 2
    fight = field(foot(200), foot(100), marks=("narrow",)).order("a", contact=ATTACK_B).resolve(a_contact__contact=(4,))
    assert struck(fight).score == 6 + 4


def test_b29_all_of_a_side_on_a_target_count_and_who_attacks_me_beside_it():
    sides = (Side("One", ("a", "b")), Side("Two", ("c", "d")))
    fight = field(foot(), foot(), foot(), foot(), sides=sides)
    fight.order("a", contact=("attack", "c:contact")).order("b", contact=("attack", "c:contact"))
    fight.resolve(a_contact__contact=(1, 1), b_contact__contact=(1, 1))
    assert [attack.score for attack in fight.of(e.Attacked)] == [8, 8]
    fight.order("a", contact=("attack", "c:contact")).order("b", contact=("attack", "c:contact"))
    fight.order("d", contact=("attack", "a:contact"))
    fight.resolve(a_contact__contact=(1, 1), b_contact__contact=(1, 1), d_contact__contact=(1, 1))
    lines = [[line.value for line in attack.lines if str(line.label) == "Numbers"] for attack in fight.of(e.Attacked)]
    assert lines == [[], [2], []]  # 2000 : 1000 + 1000, 2000 : 1000, 1000 : 1000


def test_b6_a_charge_holds_for_every_contact_attack_while_the_ground_allows_it():
    fight = field(horse(), foot(300))
    for _round in range(2):
        fight.order("a", contact=ATTACK_B).resolve(a_contact__contact=(5,))
        assert struck(fight).power == 2000
    fight.mark("forest").order("a", contact=ATTACK_B).resolve(a_contact__contact=(5,))
    assert struck(fight).power == 1000


@pytest.mark.parametrize(
    "ground, cavalry, chariots",
    [("rough", 2000, 1000), ("very-rough", 1000, 1000), ("swamp", 1000, 1000), ("forest", 1000, 1000),
     ("mud", 500, 500), ("town", 1000, 1500)],
)  # fmt: skip
def test_bp5_what_the_ground_leaves_of_a_charge(ground, cavalry, chariots):
    for unit, power in ((horse(), cavalry), (foot_as(CHARIOTS), chariots)):
        fight = field(unit, foot(500), marks=(ground,)).order("a", contact=ATTACK_B).resolve(a_contact__contact=(9,))
        assert struck(fight).power == power


def foot_as(kind):
    return replace(foot(), type=kind)


def test_bp2_2_on_any_ground_trolls_keep_their_factor():
    fight = field(foot_as(TROLLS), foot(500), marks=("forest",)).order("a", contact=ATTACK_B)
    assert struck(fight.resolve(a_contact__contact=(9,))).power == 3000


def test_b27_halvings_come_first_and_are_dropped_once_then_covers_add():
    """Defense 7, shot at and in mud: 1; forest 5 and cover 5."""
    fight = field((foot(), archers()), foot(combat=7), marks=("mud", "forest")).mark("cover", body="b:contact")
    fight.order("a", shooting=SHOOT_B).resolve(a_shooting__shot=(9,))
    assert struck(fight, "a:shooting").against == 10 + 1 + 5 + 5


@pytest.mark.parametrize("distance, against", [("short", 8), ("medium", 13), ("long", 18), ("very-long", 23)])
def test_b26_the_distance_is_the_difficulty_a_shot_begins_with(distance, against):
    fight = field((foot(), archers()), foot(), distance=distance).order("a", shooting=SHOOT_B)
    assert struck(fight.resolve(a_shooting__shot=(5,)), "a:shooting").against == against


def test_b43_weather_weighs_on_combat_once_for_its_kind():
    both = ("visibility", "heat", "cold", "night", "gale")
    fight = field((foot(), archers()), foot(), marks=both)
    fight.order("a", contact=ATTACK_B, shooting=SHOOT_B).resolve(a_contact__contact=(9,), a_shooting__shot=(9,))
    assert [attack.score for attack in fight.of(e.Attacked)] == [6 + 9 - 2 - 2 - 4, 6 + 9 - 2 - 2]


def test_b43_blind_shooters_have_half_their_power():
    fight = field((foot(), archers()), foot(), marks=("blind",)).order("a", shooting=SHOOT_B)
    assert struck(fight.resolve(a_shooting__shot=(9,)), "a:shooting").power == 100


def test_b46_harsh_weather_adds_a_tenth_of_the_losses():
    fight = field(marks=("harsh",)).order("a", contact=ATTACK_B).resolve(a_contact__contact=(4,))
    assert struck(fight).loss == 330


def test_b28_no_power_no_test():
    fight = field((foot(), foot()), hulls(armour=90)).order("a", contact=("attack", "b:shooting"))
    assert fight.resolve(b_shooting__shot=(1, 1)).one(e.OrderLost).why == "no-power"


def test_b64_weapons_that_cannot_hurt_do_not_count_where_most_heads_are_machines():
    """Swords of 10 against armour 20 count, against 21 they do not."""
    for armour, attacks in ((20, 1), (21, 0)):
        fight = field(foot(), hulls(armour=armour)).order("a", contact=("attack", "b:shooting"))
        dice = {"a_contact__contact": (2,)} if attacks else {}
        fight.resolve(b_shooting__shot=(1, 1), **dice)
        assert len([one for one in fight.of(e.Attacked) if one.body == "a:contact"]) == attacks


# failure


def failing_at_b():
    """a fails by four."""
    fight = field(foot(), foot(combat=12), marks=("no-surprise",)).order("a", contact=ATTACK_B)
    return fight.resolve(a_contact__contact=(2,))


def test_b30_a_failed_attack_helps_its_target_against_that_attacker_and_lapses():
    fight = (
        field(foot(), foot(combat=12), marks=("no-surprise",))
        .order("a", contact=ATTACK_B)
        .resolve(a_contact__contact=(2,))
    )
    assert fight.one(e.Heartened) == ("b:contact", "a:contact", 2, 2, "BP-4.7")
    fight.order("b", contact=("attack", "a:contact")).resolve(b_contact__contact=(2,))
    assert struck(fight, "b:contact").score == 12 + 2 + 2
    assert fight.body("b:contact").hearts == ()


def test_b30_unused_it_lapses_after_the_next_round_and_a_second_failure_replaces_the_first():
    fight = (
        field(foot(), foot(combat=12), marks=("no-surprise",))
        .order("a", contact=ATTACK_B)
        .resolve(a_contact__contact=(2,))
    )
    fight.order("a", contact=ATTACK_B).resolve(a_contact__contact=(5,))
    assert [heart.amount for heart in fight.body("b:contact").hearts] == []
    fight = (
        field(foot(), foot(combat=12), marks=("no-surprise",))
        .order("a", contact=ATTACK_B)
        .resolve(a_contact__contact=(2,))
    )
    assert fight.resolve().resolve().body("b:contact").hearts == ()


def test_b31_a_shot_into_a_melee_of_last_round_that_misses_falls_on_ones_own():
    fight = field((foot(), archers()), foot(300)).order("a", contact=ATTACK_B).resolve(a_contact__contact=(4,))
    fight.order("a", shooting=SHOOT_B).resolve(a_shooting__shot=(2,))
    attack = struck(fight, "a:shooting")
    assert (attack.friend, attack.percent, attack.loss) == ("a:contact", 20, 40)
    assert fight.body("a:contact").losses == 40
    fight.resolve().order("a", shooting=SHOOT_B).resolve(a_shooting__shot=(2,))
    assert struck(fight, "a:shooting").friend == ""
    assert [astray(margin) for margin in (-1, -2, -5)] == [0, 10, 20]


# steps


def test_b21_losses_of_an_earlier_step_weigh_in_the_later_one():
    fight = Fight(foot(), foot()).command(5, 7)
    fight.order("a", contact=ATTACK_B).order("b", contact=("attack", "a:contact"))
    fight.resolve(b_contact__contact=(8,), a_contact__contact=(8,))
    first, second = fight.of(e.Attacked)
    assert (first.body, first.power, first.loss) == ("b:contact", 1000, 500)
    assert (second.power, second.score) == (500, 6 + 8 - 2)


def test_b21_within_a_step_all_is_reckoned_from_its_start():
    fight = field().order("a", contact=ATTACK_B).order("b", contact=("attack", "a:contact"))
    fight.resolve(b_contact__contact=(8,), a_contact__contact=(8,))
    assert [attack.power for attack in fight.of(e.Attacked)] == [1000, 1000]


def test_b23_an_order_made_impossible_is_lost_without_a_die():
    fight = Fight(foot(), foot()).command(7, 5)
    fight.order("a", contact=ATTACK_B).order("b", contact=("attack", "a:contact"))
    fight.resolve(a_contact__contact=(10, 8), b__rally=(2,))
    assert (fight.one(e.OrderLost).body, fight.one(e.OrderLost).why) == ("b:contact", "broken")
    assert len(fight.of(e.Attacked)) == 1


def test_b25_a_covered_shooting_group_is_out_of_reach_at_contact_and_beyond_range():
    fight = field((foot(), archers(weapon=SLING)), (foot(), archers(weapon=BOW)))
    assert refused(fight, contact=("attack", "b:shooting")) == "/bodies/contact/target"
    assert refused(fight, shooting=("shoot", "b:shooting")) == "/bodies/shooting/target"
    fight.order("b", shooting=("shoot", "a:shooting")).resolve(b_shooting__shot=(9,))


def test_b25_exposed_shooters_shoot_at_their_first_assailant_and_their_other_order_is_void():
    sides = (Side("One", ("a", "b")), Side("Two", ("c",)))
    fight = field(foot(), foot(), archers(), sides=sides)
    fight.order("c", shooting=("shoot", "b:contact"))
    fight.order("a", contact=("attack", "c:shooting")).order("b", contact=("attack", "c:shooting"))
    fight.resolve(c_shooting__shot=(9,), a_contact__contact=(1, 1), b_contact__contact=(1, 1), c__rally=(2,))
    close = fight.of(e.Attacked)[0]
    assert (close.mode, close.target, close.power, close.against) == ("close", "a:contact", 100, 5 + 3)
    assert [lost.why for lost in fight.of(e.OrderLost)] == ["assailed"]


def test_bp4_9_firearms_keep_their_power_at_contact_and_siege_pieces_have_none():
    for unit, power in ((archers(weapon=RIFLE), 800), (guns(), 0)):
        fight = field(foot(500), unit).order("a", contact=("attack", "b:shooting"))
        dice = {"b_shooting__shot": (9,)} if power else {}
        fight.resolve(**dice, a_contact__contact=(1, 1), b__rally=(2,))
        assert sum(one.power for one in fight.of(e.Attacked) if one.body == "b:shooting") == power


# losses


def test_b33_what_falls_in_one_step_is_one_assault_capped_once():
    """Breaking value 700: two hits of 700 cost 700, and break."""
    sides = (Side("One", ("a", "b")), Side("Two", ("c",)))
    fight = field(foot(), foot(), foot(), sides=sides)
    fight.order("a", contact=("attack", "c:contact")).order("b", contact=("attack", "c:contact"))
    fight.resolve(a_contact__contact=(10, 2), b_contact__contact=(10, 2), c__rally=(2,))
    assert [(hit.fallen, hit.lost, hit.capped) for hit in fight.of(e.Suffered)] == [(1600, 700, True)]
    assert fight.body("c:contact").status == "fled"


def test_b34_exactly_the_breaking_value_does_not_break():
    fight = with_losses(field(), b_contact=400).order("a", contact=ATTACK_B).resolve(a_contact__contact=(4,))
    assert (fight.body("b:contact").losses, fight.body("b:contact").status) == (700, "fighting")
    fight.order("a", contact=ATTACK_B).resolve(a_contact__contact=(1, 1), b__rally=(2,))
    assert fight.body("b:contact").status == "fled" or fight.body("b:contact").losses == 700


def test_b11_who_never_breaks_has_no_cap_and_fights_on_to_annihilation():
    fight = with_losses(field(foot(500), dead(50)), b_contact=400).order("a", contact=ATTACK_B)
    fight.resolve(a_contact__contact=(9,))
    assert fight.body("b:contact").status == "annihilated"
    assert fight.body("b:contact").losses == 1000
    assert fight.of(e.Broke) == []


@pytest.mark.parametrize(
    "losses, state",
    [(0, "fresh"), (1, "engaged"), (499, "engaged"), (500, "battered"), (1000, "decimated"), (2000, "annihilated")],
)
def test_bp4_8_states_by_damage_and_force(losses, state):
    assert state_of(losses, 1000) == state


def test_bp4_8_the_documents_250_of_800_is_engaged():
    assert state_of(250, 800) == "engaged"


@pytest.mark.parametrize("losses, combat, power", [(100, -1, 1000), (500, -2, 500), (1000, -5, 500)])
def test_b32_the_worst_state_counts_alone(losses, combat, power):
    fight = with_losses(field(foot(combat=15), foot(900)), a_contact=losses).order("a", contact=ATTACK_B)
    attack = struck(fight.resolve(a_contact__contact=(5,)))
    assert (attack.score, attack.power) == (15 + combat + 5, power)


def test_b37_who_is_surrounded_is_not_capped_may_not_withdraw_and_surrenders():
    fight = field(foot(300), foot()).mark("surrounded", body="b:contact")
    assert refused(fight, "b", withdraw=True) == "/withdraw"
    fight.order("a", contact=ATTACK_B).resolve(a_contact__contact=(7,), b__rally=(2,))
    assert (fight.body("b:contact").losses, fight.body("b:contact").status) == (1800, "surrendered")
    assert fight.state.conditions == ()


# leaving


def leaving(own, theirs, **given):
    fight = (
        field((foot(), guns()), foot(), **given).order("a", withdraw=True).order("b", contact=("attack", "a:contact"))
    )
    return fight.resolve(a__withdraw=(own,), side_1__withdraw=(theirs,))


def test_b35_attacked_by_nobody_it_leaves_freely_with_all_it_has():
    fight = field((foot(), guns()), foot()).order("a", withdraw=True).resolve()
    assert fight.one(e.WithdrawalTested).outcome == "free"
    assert [left.saved for left in fight.of(e.BodyLeft)] == [True, True]


def test_b36_by_two_away_by_five_with_guns_and_baggage():
    assert [left.saved for left in leaving(7, 5).of(e.BodyLeft)] == [False, False]
    assert [left.saved for left in leaving(9, 4).of(e.BodyLeft)] == [True, True]
    assert leaving(7, 5).of(e.OrderLost)[0].why == "gone"


def test_b36_who_stays_has_minus_two_and_behind_minus_four_the_worst_stands():
    fight = leaving_and_held(5, 5)
    assert fight.body("a:contact").penalty == -2
    fight = leaving_and_held(5, 6)
    assert fight.body("a:contact").penalty == -4
    fight.order("a", withdraw=True).order("b", contact=("attack", "a:contact"))
    fight.resolve(a__withdraw=(5,), side_1__withdraw=(5,), b_contact__contact=(1, 1))
    assert fight.body("a:contact").penalty == -4


def leaving_and_held(own, theirs):
    fight = field().order("a", withdraw=True).order("b", contact=("attack", "a:contact"))
    return fight.resolve(a__withdraw=(own,), side_1__withdraw=(theirs,), b_contact__contact=(1, 1))


def test_b36_by_five_it_is_routed_and_who_never_breaks_stays_at_minus_four():
    fight = field().order("a", withdraw=True).order("b", contact=("attack", "a:contact"))
    fight.resolve(a__withdraw=(2,), side_1__withdraw=(7,), b_contact__contact=(1, 1), a__rally=(2,))
    assert fight.one(e.Broke).by == "withdrawal"
    fight = field(dead(), foot()).order("a", withdraw=True).order("b", contact=("attack", "a:contact"))
    fight.resolve(a__withdraw=(2,), side_1__withdraw=(5,), b_contact__contact=(1, 1))
    assert fight.body("a:contact").penalty == -4


# pursuit and rally


def broken(pursue=True, riposte=True, **dice):
    """b breaks by an attack of a's, who pursues."""
    fight = field(foot(200), foot()).order("a", contact=("attack", "b:contact", pursue))
    fight.order("b", contact=BodyOrder("hold", "", False, riposte))
    return fight.resolve(a_contact__contact=(9,), **dice)


def test_b39_pursuit_and_riposte_fall_together_and_only_the_pursuit_is_uncapped():
    """b has lost 700 of 1000. Pursuit: 6 + 4 (numbers) + 5 against 3: 70 % of 2000; riposte: 6 − 5 + 5 against 6."""
    fight = broken(a_contact__pursuit=(5,), b_contact__riposte=(5,))
    pursuit, riposte = fight.of(e.Attacked)[1:]
    assert (pursuit.against, pursuit.percent, pursuit.loss) == (3, 70, 1400)
    assert (riposte.score, riposte.against, riposte.power) == (6, 6, 500)
    assert fight.body("b:contact").status == "annihilated"
    assert fight.body("a:contact").losses == 50


def test_b39_who_pursued_makes_no_attack_in_the_next_round():
    sides = (Side("One", ("a",)), Side("Two", ("b", "c")))
    fight = field(foot(200), foot(), foot(), sides=sides).order("a", contact=("attack", "b:contact", True))
    fight.resolve(a_contact__contact=(9,), a_contact__pursuit=(1, 1), b_contact__riposte=(1, 1), b__rally=(2,))
    assert refused(fight, contact=("attack", "c:contact")) == "/bodies/contact/do"
    fight.resolve().order("a", contact=("attack", "c:contact"))


def test_b22_nobody_pursues_unless_ordered_and_a_riposte_may_be_forgone():
    assert len(broken(pursue=False, b__rally=(2,)).of(e.Attacked)) == 1
    assert len(broken(riposte=False, a_contact__pursuit=(1, 1), b__rally=(2,)).of(e.Attacked)) == 2


def test_b39_the_first_who_aimed_at_it_or_attacked_nobody_pursues():
    sides = (Side("One", ("a", "b", "c")), Side("Two", ("d", "e")))
    fight = field(foot(), foot(), foot(200), foot(), foot(), sides=sides)
    fight.order("a", contact=("attack", "e:contact", True)).order("b", contact=BodyOrder("hold", "", True))
    fight.order("c", contact=("attack", "d:contact", True))
    fight.resolve(a_contact__contact=(1, 1), c_contact__contact=(9,), b_contact__pursuit=(1, 1),
                  d_contact__riposte=(1, 1), d__rally=(2,))  # fmt: skip
    assert [one.body for one in fight.of(e.Attacked) if one.mode == "pursuit"] == ["b:contact"]


def test_bp4_10_more_mobile_fugitives_lose_half():
    fight = field(foot(200), horse(50)).order("a", contact=("attack", "b:contact", True))
    fight.resolve(a_contact__contact=(8,), a_contact__pursuit=(1, 1), b_contact__riposte=(1, 1), b__rally=(2,))
    pursuit = fight.of(e.Attacked)[1]
    assert pursuit.halved
    assert pursuit.loss == pursuit.power * pursuit.percent // 100 // 2


def test_bp4_11_the_documents_rally():
    """Initial combat 10: difficulty 10; score 15 recovers 20 % of the losses."""
    fight = field(foot(200), foot(combat=10), led={"b": general(presence=6, combat=4, art_of_war=5)})
    with_losses(fight, b_contact=300).order("a", contact=ATTACK_B)
    fight.resolve(a_contact__contact=(10, 9), b__rally=(5,))
    rally = fight.one(e.Rallied)
    assert (rally.score, rally.against, rally.percent) == (15, 10, 20)
    assert fight.body("b:contact").status == "fighting"
    lost = fight.of(e.Suffered)[-1].losses
    assert fight.body("b:contact").losses == lost - lost * 20 // 100


def test_a_rally_weighs_as_much_as_the_rout_it_undoes():
    """BP-4.11: the page tells what turned a battle before the rest of its phase, so both stand in their order."""
    rallied, failed = broken(pursue=False, b__rally=(8,)), broken(pursue=False, b__rally=(7,))
    for fight, weight in ((rallied, Weight.TURNING), (failed, Weight.TELLING)):
        told = {type(event): described(fight.state, event).weight for event in fight.events}
        assert (told[e.Broke], told[e.Rallied]) == (Weight.TURNING, weight)


def test_b38_margin_nought_rallies_and_recovers_nothing_and_once_is_all():
    fight = broken(pursue=False, b__rally=(8,))
    assert (fight.one(e.Rallied).success, fight.one(e.Rallied).recovered) == (True, 0)
    assert fight.body("b:contact").losses == 700
    assert refused(fight, "b", rally="contact") == "/rally"
    fight.order("a", contact=ATTACK_B).resolve(a_contact__contact=(4,))
    assert fight.body("b:contact").status == "fled"


def test_b38_without_a_commander_combat_alone_and_one_attempt_an_army():
    both = field(foot(900), (foot(), archers())).override("b:contact", "status", "routed")
    both.override("b:shooting", "status", "routed").resolve(b__rally=(9,))
    assert [one.body for one in both.of(e.Rallied)] == ["b:contact"]
    assert both.one(e.Rallied).score == 6 + 9
    assert both.body("b:shooting").status == "fled"


# reserve, reinforcements, weather


def test_b44_a_reserve_comes_on_whole_and_acts_in_that_round_after_a_new_test():
    fight = field((foot(), foot(50, reserve=True)), foot())
    assert refused(fight, "b", contact=("attack", "a:reserve-contact")) == "/bodies/contact/target"
    assert refused(fight, reserve_contact=ATTACK_B) == "/bodies/reserve-contact"
    fight.order("a", commit=True, reserve_contact=ATTACK_B)
    fight.resolve(side_0__command=(5,), side_1__command=(5,), a_reserve_contact__contact=(5,))
    assert struck(fight, "a:reserve-contact").success
    fight.order("b", contact=("attack", "a:reserve-contact"))


def test_b15_the_command_of_an_army_nobody_leads_is_that_of_its_troops_on_the_field():
    """What the sheet of the battle shows is what the test adds: a reserve counts from when it is there."""
    fight = Fight((foot(combat=6), foot(300, combat=2, reserve=True)), foot())
    shown = fight.law.figures(fight.state)["a"]["command"].total
    fight.command()
    tested = next(test for test in fight.of(e.CommandTested) if test.side == 0)
    assert shown == 6 == sum(line.value for line in tested.lines)
    fight.order("a", commit=True).resolve(side_0__command=(5,), side_1__command=(5,))
    tested = next(test for test in fight.of(e.CommandTested) if test.side == 0)
    assert fight.law.figures(fight.state)["a"]["command"].total == 3 == sum(line.value for line in tested.lines)


def test_b44_where_nothing_else_stands_an_uncommitted_reserve_withdraws_unharmed():
    fight = field((foot(), foot(50, reserve=True)), foot()).override("a:contact", "status", "fled").resolve()
    left = fight.one(e.BodyLeft)
    assert (left.body, left.status, left.saved) == ("a:reserve-contact", "withdrawn", True)
    assert fight.state.result.winner == 1


def test_bp4_1_reinforcements_and_a_sharp_change_of_weather_call_for_a_new_test():
    fight = field().play(c.Reinforce(Host("n", "New", "k", (foot(),)), 0))
    fight.order("n", contact=ATTACK_B).resolve(side_0__command=(5,), side_1__command=(5,), n_contact__contact=(5,))
    assert fight.state.sides[0].armies == ("a", "n")
    fight.mark("night").resolve(side_0__command=(5,), side_1__command=(5,))
    fight.mark("forest").resolve()
    with pytest.raises(IllegalCommand):
        fight.play(c.Reinforce(fight.opening.armies[0], 0))


# the GM


def test_b41_the_gm_changes_figures_orders_targets_and_results_with_a_reason():
    fight = field().override("a:contact", "combat", 3).override("a:contact", "power", 500)
    fight.override("b:contact", "defense", -2).override("b:contact", "breaking", 200)
    fight.override("a:contact", "do", "attack").override("a:contact", "target", "b:contact")
    attack = struck(fight.resolve(a_contact__contact=(5,)))
    assert (attack.score, attack.power, attack.against) == (6 + 3 + 1 + 5, 1500, 4)
    assert fight.body("b:contact").value == 2000
    fight.override("b:contact", "losses", 0).override("b:contact", "status", "surrendered")
    assert fight.resolve().state.result.winner == 0


@pytest.mark.parametrize("name, value", [("losses", 2000), ("force", 400)])
def test_b33_twice_the_force_by_the_gms_hand_ends_the_count_as_well(name, value):
    fight = with_losses(field(), a_contact=800).override("a:contact", name, value)
    assert fight.body("a:contact").status == "annihilated"
    assert fight.resolve().state.result.winner == 1


def test_b32_who_fights_on_after_his_annihilation_counts_as_decimated():
    fight = with_losses(field(foot(), foot(900)), a_contact=2000).order("a", contact=ATTACK_B)
    attack = struck(fight.resolve(a_contact__contact=(5,)))
    assert (attack.score, attack.power) == (6 - 5 + 5, 500)


@pytest.mark.parametrize(
    "subject, name, value, at",
    [("z", "losses", 1, "/subject"), ("a:contact", "luck", 1, "/field"), ("a:contact", "losses", -1, "/value"),
     ("a:contact", "losses", 2001, "/value"), ("a:contact", "losses", 10**12, "/value"),
     ("a:contact", "status", "asleep", "/value"), ("a:contact", "target", "a:contact", "/value"),
     ("side-9", "score", 3, "/subject"), ("a:contact", "combat", True, "/value")],
)  # fmt: skip
def test_b41_what_cannot_be_set_is_refused(subject, name, value, at):
    fight = field()
    with pytest.raises(InvalidInput) as refusal:
        fight.override(subject, name, value)
    assert refusal.value.field == at
    with pytest.raises(InvalidInput):
        fight.play(c.Override("a:contact", "losses", 1, "  "))


# the end


def test_b45_the_side_that_alone_is_left_wins_and_nobody_left_is_a_draw():
    fight = field().override("a:contact", "status", "fled").override("b:contact", "status", "fled").resolve()
    assert fight.state.result == (None, "nobody")


def test_b45_two_rounds_without_an_attack_end_it():
    assert field().resolve().resolve().state.result == (None, "quiet")


def test_b45_dusk_ends_it_after_the_twelfth_round_or_the_gms():
    fight = field(marks=())
    for _round in range(12):
        fight.order("a", contact=ATTACK_B).resolve(a_contact__contact=(1, 9))
    assert fight.state.result == (None, "dusk")
    fight = field().mark("dusk", 1).order("a", contact=ATTACK_B).resolve(a_contact__contact=(1, 9))
    assert fight.state.result == (None, "dusk")


def test_b41_the_gm_ends_it_with_a_reason():
    fight = field().play(c.End("The river rose", 0))
    assert fight.state.result == (0, "The river rose")
    for command in (c.Resolve(), c.End("again"), c.Next()):
        with pytest.raises(IllegalCommand):
            fight.play(command)
    with pytest.raises(InvalidInput):
        field().play(c.End(" "))


# dice asked for step by step


def test_a_battle_is_closed_when_its_aftermath_is_confirmed():
    fight = field().play(c.End("The river rose", 0))
    assert fight.play(fight.law.closing()).state.phase.kind == "closed"
    assert str(fight.law.describe(fight.state, fight.events[0]).begins) == "Aftermath"
    with pytest.raises(IllegalCommand):
        fight.play(fight.law.closing())
    with pytest.raises(IllegalCommand):
        field().play(fight.law.closing())


def test_dice_are_asked_for_a_step_at_a_time():
    fight = Fight((foot(), archers()), foot()).command(7, 5)
    fight.order("a", contact=ATTACK_B, shooting=SHOOT_B).order("b", contact=("attack", "a:contact"))
    asked, typed = [], {}
    for owner, name in (("a:shooting", "shot"), ("a:contact", "contact"), ("b:contact", "contact")):
        source = Typed([TypedDie(*key, faces) for key, faces in typed.items()], ask=True)
        with pytest.raises(DiceNeeded) as needed:
            fight.law.decide(fight.state, c.Resolve(), source, OMNISCIENT)
        asked.append([(ask.army, ask.name) for ask in needed.value.asks])
        typed[owner, name] = (2,)
    assert asked == [[("a:shooting", "shot")], [("a:contact", "contact")], [("b:contact", "contact")]]


def test_griffins_are_no_different_in_the_field():
    fight = field(foot_as(GRIFFINS), foot()).order("a", contact=ATTACK_B).resolve(a_contact__contact=(5,))
    assert struck(fight).power == 1000


def test_a_commander_counts_for_command_and_rally_alone():
    fight = field(foot(), foot(), led={"a": LED}).order("a", contact=ATTACK_B).resolve(a_contact__contact=(5,))
    assert struck(fight).score == 11


def test_what_follows_from_a_hand_is_in_its_event():
    """B-41, BP-4.8: and what records of before left to whoever folds them, comes to the same."""
    fight = field(foot(), foot())
    for name, value, breaks_at in (("force", 500, 350), ("breaking", 50, 250), ("breaking", None, None)):
        before = fight.state
        fight.override("a:contact", name, value)
        assert fight.events[0].breaks_at == fight.body("a:contact").value == breaks_at
        assert fight.law.fold(before, [fight.events[0]._replace(breaks_at=e.UNWRITTEN)]) == fight.state
    assert fight.override("a:contact", "losses", 5).events[0].breaks_at == e.UNWRITTEN


def test_why_a_command_test_is_due_is_in_the_event():
    """B-43, B-44."""
    fight = field((foot(), foot(reserve=True)), foot()).order("a", commit=True)
    before = fight.state
    fight.resolve(side_0__command=(5,), side_1__command=(5,))
    committed = fight.one(e.ReserveCommitted)
    assert committed.due == "reserve"
    assert fight.law.fold(before, [committed._replace(due="weather")]).due == {"weather"}
    assert fight.law.fold(before, [committed]).due == {"reserve"}


def test_who_stands_in_a_melee_an_attack_may_say():
    """B-31; one that does not is read by its mode, as records always were."""
    fight = field(foot(), foot()).order("a", contact=ATTACK_B)
    before = fight.state
    attack = struck(fight.resolve(a_contact__contact=(5,)))
    assert attack.meets is None
    for said, meets in ((attack, True), (attack._replace(meets=False), False), (attack._replace(mode="shot"), False)):
        assert (fight.law.fold(before, [said]).fought == (("a:contact", "b:contact"),)) is meets
    assert fight.law.fold(before, [attack._replace(mode="shot", meets=True)]).fought
