"""What was settled by the third comparison: B-70 to B-77, B-79, B-81, B-82."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.breaking_point.battle.aftermath.proposal import DECISIVE, VICTORY, lessons_of, share_lost
from rules.breaking_point.battle.orders.commands import GiveOrder, Next
from rules.breaking_point.battle.state import events as e
from rules.breaking_point.battle.state.battle_state import ROUND, Order, Phase, Result, Side
from rules.breaking_point.battle.state.field_figures import CONTACT_USE, SHOT_USE, charges, power_lines, side_command
from rules.breaking_point.battle.steps.command import leaving_lines, opposing_lines
from rules.breaking_point.figures import armour_to_beat, body_figures
from rules.breaking_point.siege.siege_battles import (
    FoughtBody,
    after_bodies,
    for_field,
    losses_in_assault,
    losses_in_field,
)
from rules.breaking_point.siege.siege_ends import ratio_of
from rules.breaking_point.siege.siege_state import ASSAULT, SORTIE, reinforced, to_json, with_state
from rules.core.errors import IllegalCommand, InvalidInput
from tests.rules.breaking_point.battle.fights import (
    HORSE,
    RIFLE,
    SWORD,
    Fight,
    archers,
    assault,
    dead,
    fleets,
    foot,
    general,
    guns,
    horse,
    hulls,
    with_losses,
)
from tests.rules.breaking_point.siege import sieges

BOTH = (Side("One", ("a", "b")), Side("Two", ("c",)))


def two_against_one(*armies, **given):
    return Fight(*armies, sides=BOTH, **given).command()


# B-70


def test_b70_two_shooting_groups_do_not_cover_each_other():
    fight = two_against_one(archers(), archers(), foot())
    fight.order("c", contact=("attack", "a:shooting"))
    fight.resolve(a_shooting__shot=(2,), c_contact__contact=(5,), a__rally=(2,))
    assert [attack.mode for attack in fight.of(e.Attacked)] == ["close", "contact"]


def test_b70_a_body_that_is_no_shooting_group_covers_those_of_its_whole_side():
    fight = two_against_one(archers(), foot(), foot())
    with pytest.raises(IllegalCommand, match="covered"):
        fight.order("c", contact=("attack", "a:shooting"))


def test_b70_who_has_routed_covers_nobody():
    fight = two_against_one(archers(), foot(), foot())
    fight.override("b:contact", "status", "routed")
    fight.order("c", contact=("attack", "a:shooting"))


def test_b70_a_reserve_not_committed_covers_nobody():
    fight = Fight((archers(), foot(100, reserve=True)), foot()).command()
    fight.order("b", contact=("attack", "a:shooting"))


def test_b70_in_an_assault_the_besiegers_shooters_stand_open_once_his_main_body_has_routed():
    fight = assault((foot(300), archers(100)), foot(100)).command()
    with pytest.raises(IllegalCommand, match="covered"):
        fight.order("b", garrison=("attack", "a:shooting"))
    fight.override("a:contact", "status", "routed")
    fight.order("b", garrison=("attack", "a:shooting"))


def test_b70_both_shoot_at_contact_in_attack_order():
    """B-21, B-25: the dice fall side by side, army by army, whoever of the assailants was set up first."""
    fight = Fight((archers(), ), (archers(), ), (foot(),), (foot(),),
                  sides=(Side("One", ("a", "b")), Side("Two", ("c", "d")))).command()  # fmt: skip
    fight.order("c", contact=("attack", "b:shooting"))
    fight.order("d", contact=("attack", "a:shooting"))
    fight.resolve(a_shooting__shot=(2,), b_shooting__shot=(2,), c_contact__contact=(2,), d_contact__contact=(2,),
                  a__rally=(2,), b__rally=(2,))  # fmt: skip
    assert [attack.body for attack in fight.of(e.Attacked) if attack.mode == "close"] == ["a:shooting", "b:shooting"]


# B-71


def riders(strength=100, combat=6):
    return replace(horse(strength, combat), armour=1)


def test_b71_cavalry_counts_as_foot_in_the_figures_of_a_siege_from_its_first_day():
    begun = sieges.siege((riders(),), (sieges.foot(300),))
    assert begun.garrison.force == 100 * (5 + 1) * 2  # the place doubles it
    assert begun.garrison.figures.power == 100 * 10  # no charge


def test_b71_the_power_that_terms_weigh_is_that_of_men_on_foot():
    assert ratio_of(sieges.siege((sieges.foot(100),), (riders(200),))) == 5
    equal = (replace(foot(100), weapons=(SWORD,)),)
    assert ratio_of(sieges.siege(equal, (horse(150),))) == 1  # riding they would be three to one


def test_b71_elephants_keep_their_toughness_and_have_no_charge():
    beasts = replace(HORSE, slug="elephants", beasts=True, charge=20)
    elephants = replace(horse(10), type=beasts, toughness=100)
    troops = sieges.siege((elephants,), (sieges.foot(300),)).garrison
    assert (troops.force, troops.figures.power) == (10 * 100 * 2, 10 * 10)


def test_b71_who_reinforces_a_siege_counts_as_foot_too():
    begun = reinforced(
        sieges.siege((sieges.foot(100),), (sieges.foot(100),)), "besieger", sieges.army("more", riders())
    )
    assert begun.contact.force == 100 * 5 + 100 * 6


def test_b71_into_an_assault_losses_go_as_they_stand():
    begun = replace(sieges.siege((riders(),), (sieges.foot(300),)), status=ASSAULT)
    worn = replace(begun, garrison=begun.garrison.losing(120))  # ten men
    assert losses_in_assault(worn)["in:0"] == 120
    fight = assault(foot(300), riders(), losses={"b:0": 120})
    assert fight.body("b:garrison").force == worn.garrison.force


def test_b71_in_a_sortie_they_ride_and_as_many_men_are_out():
    begun = replace(sieges.siege((riders(),), (sieges.foot(300),)), status=SORTIE)
    worn = replace(begun, garrison=begun.garrison.losing(120))
    assert worn.garrison.out == (10,)
    assert losses_in_field(worn)["in:0"] == 10 * 13
    (garrison,) = (one for one in for_field(worn) if one.body.startswith("in:"))
    assert (garrison.losses, garrison.units[0].a_head) == (10 * 13, 13)
    fight = Fight(riders(), foot(300)).command()
    assert charges(fight.state, riders())


def test_b71_what_they_lose_riding_is_as_many_men_in_the_siege():
    begun = replace(sieges.siege((riders(),), (sieges.foot(300),)), status=SORTIE)
    after = after_bodies(begun, [FoughtBody((("in", 0),), 1, 0, 20 * 13, "fighting")])
    assert after.garrison.out == (20,)


def test_b71_a_siege_of_before_has_as_many_men_out_as_it_had():
    begun = sieges.siege((riders(), sieges.foot(100)), (sieges.foot(500),), garrison=200)
    old = {**to_json(begun), "garrison": {"damage": 2 * (10 * 13 + 4 * 5)}}  # shared by 1300 and 500
    parts = (2 * 150 * 1300 // 1800 // 26, 2 * 150 * 500 // 1800 // 10)
    assert with_state(begun, old).garrison.out == parts
    kept = to_json(with_state(begun, old))
    assert with_state(begun, kept).garrison.out == parts
    assert to_json(with_state(begun, kept)) == kept


def test_b71_a_siege_without_cavalry_is_kept_as_before():
    assert to_json(sieges.siege())["garrison"] == {"damage": 0}


# B-72


def ended(**losses):
    fight = with_losses(Fight(dead(), foot()), **losses)
    return fight.state.changed(result=Result(1, "over"), phases=(Phase(ROUND, 1),))


def test_b72_a_share_of_force_lost_is_at_most_all_of_it():
    battle = ended(a_contact=2000, b_contact=400)
    assert share_lost(battle, 0) == 1
    assert lessons_of(battle)[1] is VICTORY  # 100 % against 40 %, not 200 %
    assert lessons_of(ended(a_contact=2000, b_contact=333))[1] is DECISIVE


# B-73


def melee(**given):
    """Round 2: "a" was at contact with "c" in round 1, and the archers beside it shoot at "c"."""
    fight = Fight((foot(1000), archers(1000)), foot(1000), **given).command()
    fight.order("a", contact=("attack", "b:contact"))
    fight.resolve(a_contact__contact=(2,))
    return fight.order("a", shooting=("shoot", "b:contact"))


def test_b73_a_shot_that_misses_falls_on_who_stands_in_the_melee():
    fight = melee().resolve(a_shooting__shot=(2,))
    assert fight.one(e.Attacked).friend == "a:contact"


def test_b73_who_has_routed_before_the_shot_is_in_no_melee():
    fight = melee()
    fight.override("a:contact", "status", "routed")
    fight.resolve(a_shooting__shot=(2,), a__rally=(5,))
    assert (fight.one(e.Attacked).friend, fight.one(e.Attacked).loss) == ("", 0)


def test_b73_who_routs_in_an_earlier_step_of_the_round_counts_no_more():
    gunners = guns(500)
    fight = Fight((foot(100), archers(100)), (foot(1000), gunners)).command(2, 6)
    fight.order("a", contact=("attack", "b:contact"))
    fight.resolve(a_contact__contact=(2,))
    fight.order("a", shooting=("shoot", "b:contact"))
    fight.order("b", shooting=("shoot", "a:contact"))
    fight.resolve(b_shooting__shot=(9,), a_shooting__shot=(2,), a__rally=(2,))
    assert [event.body for event in fight.of(e.Broke)] == ["a:contact"]
    assert [attack.friend for attack in fight.of(e.Attacked)] == ["", ""]


# B-74


def test_b74_the_garrisons_shooters_are_all_units_with_fire_power():
    musketeers = replace(foot(100), weapons=(SWORD, RIFLE))
    fight = assault(foot(300), (musketeers, archers(50)), garrison=150)
    body = fight.body("b:garrison")
    assert power_lines(fight.state, body, SHOT_USE).total == 100 * 8 + 50 * 2
    assert power_lines(fight.state, body, CONTACT_USE).total == 100 * 10 + 100 * 8 + 50 * 2


def test_b74_a_garrison_without_fire_power_is_refused_a_shot():
    fight = assault(foot(300), foot(100)).command()
    with pytest.raises(IllegalCommand, match=r"No weapon of .* can shoot"):
        fight.order("b", garrison=("shoot", "a:contact"))


# B-75


def test_b75_shooters_whose_assailant_has_broken_before_their_shot_shoot_at_nobody():
    """Their own order is void, too: that shot was their attack."""
    sides = (Side("One", ("a", "b")), Side("Two", ("c", "d")))
    fight = Fight(archers(), guns(500), foot(100), foot(100), sides=sides).command(6, 2)
    fight.order("a", shooting=("shoot", "d:contact"))
    fight.order("b", shooting=("shoot", "c:contact"))
    fight.order("c", contact=("attack", "a:shooting"))
    fight.resolve(b_shooting__shot=(9,), c__rally=(2,))
    assert [(attack.body, attack.target) for attack in fight.of(e.Attacked)] == [("b:shooting", "c:contact")]
    assert "assailed" in [lost.why for lost in fight.of(e.OrderLost) if lost.body == "a:shooting"]


def test_b75_they_shoot_at_the_first_who_still_comes_on():
    sides = (Side("One", ("a", "b")), Side("Two", ("c", "d")))
    fight = Fight(archers(), guns(500), foot(100), foot(100), sides=sides).command(6, 2)
    fight.order("b", shooting=("shoot", "c:contact"))
    fight.order("c", contact=("attack", "a:shooting"))
    fight.order("d", contact=("attack", "a:shooting"))
    fight.resolve(b_shooting__shot=(9,), a_shooting__shot=(2,), d_contact__contact=(2,), a__rally=(2,), c__rally=(2,))
    assert [attack.target for attack in fight.of(e.Attacked) if attack.mode == "close"] == ["d:contact"]


# B-76


def test_b76_a_routed_body_is_struck_in_the_later_steps_of_its_round_and_in_pursuit():
    fight = Fight(guns(500), foot(100), foot(1000), sides=(Side("A", ("a",)), Side("B", ("b",)), Side("C", ("c",))))
    fight.command(9, 2, 5)
    fight.order("a", shooting=("shoot", "b:contact"))
    fight.order("c", contact=("attack", "b:contact", True))
    fight.resolve(a_shooting__shot=(9,), c_contact__contact=(5,), c_contact__pursuit=(5,), b_contact__riposte=(2,))
    struck = [(attack.body, attack.mode) for attack in fight.of(e.Attacked)]
    assert struck[:3] == [("a:shooting", "shot"), ("c:contact", "contact"), ("c:contact", "pursuit")]


def test_b76_the_routed_take_no_orders_themselves():
    fight = Fight(foot(), foot()).command()
    fight.override("a:contact", "status", "routed")
    with pytest.raises(IllegalCommand, match="routed"):
        fight.order("a", contact=("attack", "b:contact"))


# B-77 and B-82


def leaves(fight, army="a", sides=(1,)):
    own = [body for body in fight.state.of_army(army) if body.on_field]
    return leaving_lines(fight.state, army, own, sides)


def test_b77_the_armys_own_mobility_counts_not_its_sides():
    """Heavy foot beside it would hold it back."""
    fight = two_against_one(horse(), replace(foot(1000), shield=True), foot())
    assert [(line.rule, line.value) for line in leaves(fight).lines if line.rule == "BP-4.2"] == [("BP-4.2", 2)]


def test_b77_the_gms_circumstances_enter_the_test_on_either_side():
    sides = (Side("One", ("a",), circumstances=3), Side("Two", ("b",), circumstances=-2))
    fight = Fight(foot(), foot(), sides=sides, led={"a": general(), "b": general()}).command()
    assert leaves(fight).total == 10 + 3
    assert opposing_lines(fight.state, 1).total == 10 - 2
    fight.order("a", withdraw=True)
    fight.order("b", contact=("attack", "a:contact"))
    fight.resolve(a__withdraw=(5,), side_1__withdraw=(7,))
    tested = fight.one(e.WithdrawalTested)
    assert (tested.score, tested.opposed[0].score, tested.outcome) == (18, 15, "away")


def test_b77_the_reserve_goes_with_the_army():
    fight = Fight((foot(), foot(50, reserve=True)), foot()).command()
    fight.order("a", withdraw=True).resolve()
    assert [left.body for left in fight.of(e.BodyLeft)] == ["a:contact", "a:reserve-contact"]


def test_b82_what_the_gm_gives_a_retreat_enters_its_test_and_is_told_with_its_reason():
    fight = Fight(foot(), foot()).command()
    fight.mark("retreat", 4, side=0, reason="Smoke and decoys")
    assert (leaves(fight).lines[-1].value, leaves(fight).lines[-1].rule) == (4, "B-82")
    assert "B-82" not in [line.rule for line in opposing_lines(fight.state, 0).lines]
    told = str(fight.law.describe(fight.state, fight.one(e.ConditionSet)).text)
    assert "Smoke and decoys" in told
    assert "4" in told
    fight.mark("retreat", side=0, lift=True)
    assert "B-82" not in [line.rule for line in leaves(fight).lines]


def test_b82_it_enters_a_withdrawal_before_battle():
    fight = Fight(foot(), foot(), marks=())
    fight.mark("retreat", -3, side=0, reason="They have scouts everywhere")
    fight.play(Next()).play(GiveOrder(Order("a", withdraw=True)))
    fight.resolve(side_0__command=(5,), side_1__command=(5,))
    ours, theirs = fight.of(e.CommandTested)
    assert [line.rule for line in ours.lines] == ["B-15", "B-82"]
    assert [line.rule for line in theirs.lines] == ["B-15"]
    assert ours.score == theirs.score - 3


@pytest.mark.parametrize(
    ("value", "side", "reason", "field"),
    [(6, 0, "x", "/value"), (-6, 0, "x", "/value"), (2, 0, "", "/reason"), (2, 0, "  ", "/reason"),
     (2, None, "x", "/side"), (None, 0, "x", "/value"), (2, 0, "x" * 201, "/reason")],
)  # fmt: skip
def test_b82_it_is_from_minus_five_to_five_with_its_side_and_its_reason(value, side, reason, field):
    fight = Fight(foot(), foot()).command()
    with pytest.raises(InvalidInput) as refused:
        fight.mark("retreat", value, side=side, reason=reason)
    assert refused.value.field == field


def test_b82_no_other_condition_takes_a_reason():
    with pytest.raises(InvalidInput, match="Leave the reason empty for this condition"):
        Fight(foot(), foot()).mark("forest", reason="trees")


# B-79


def test_b79_modifiers_of_machines_are_dropped_once_a_body():
    """Two units of five at +½ and one of ten at +½ more: a mean of 6.5 is 6, not 6 and 6 dropped each."""
    one, other = hulls(10, 6), hulls(10, 7)
    half = replace(one, machine=replace(one.machine, control=1, attack=0))
    both = replace(other, machine=replace(other.machine, control=1, attack=0))
    assert body_figures((half, both)).shot_combat == 7  # (6½ + 7½) / 2, where 6 and 7 would make 6


def test_b79_the_mean_combat_of_a_field_leaves_the_reserve_out():
    fight = Fight((foot(100, 4), foot(100, 10, reserve=True)), foot()).command()
    assert side_command(fight.state, 0)[1].total == 4


def test_b79_of_equally_common_machines_the_better_armour_is_to_beat():
    assert armour_to_beat((hulls(5, armour=20), hulls(5, armour=40))) == 40
    assert armour_to_beat((hulls(5, armour=40), hulls(5, armour=20))) == 40
    assert armour_to_beat((hulls(6, armour=20), hulls(5, armour=40))) == 20


# B-81


def test_b81_without_a_command_test_nobody_has_the_initiative():
    fight = Fight(foot(), foot(), led={"a": general()}, marks=("untested",))
    fight.play(Next()).resolve()
    settled = fight.one(e.InitiativeSettled)
    assert not fight.of(e.CommandTested)
    assert (settled.scores, settled.steps, settled.surprised) == ((None, None), ((0, 1),), ())
    assert "No command test" in str(fight.law.describe(fight.state, settled).text)
    fight.order("a", contact=("attack", "b:contact")).order("b", contact=("attack", "a:contact"))
    fight.resolve(a_contact__contact=(10, 9), b_contact__contact=(10, 9), a__rally=(2,), b__rally=(2,))
    assert [attack.mode for attack in fight.of(e.Attacked)] == ["contact", "contact"]
    assert {event.body for event in fight.of(e.Broke)} == {"a:contact", "b:contact"}


def test_b81_it_holds_for_the_tests_that_follow_until_the_gm_lifts_it():
    fight = Fight(foot(), foot(), marks=("untested",))
    fight.play(Next()).resolve()
    fight.mark("night").resolve()
    assert fight.one(e.InitiativeSettled).rule == "B-81"
    fight.mark("night", lift=True).mark("untested", lift=True)
    fight.resolve(side_0__command=(5,), side_1__command=(5,))
    assert len(fight.of(e.CommandTested)) == 2


def test_b81_in_the_battle_a_withdrawal_is_tested_all_the_same():
    """B-35, B-82: the general's 10 and +5 against their 10; what the other side's retreats get counts for nothing."""
    fight = Fight(foot(), foot(), led={"a": general(), "b": general()}, marks=("untested",)).play(Next()).resolve()
    fight.mark("retreat", 5, side=0, reason="Fog").mark("retreat", -5, side=1, reason="Scouts")
    fight.order("a", withdraw=True).order("b", contact=("attack", "a:contact"))
    fight.resolve(a__withdraw=(2,), side_1__withdraw=(5,))
    tested = fight.one(e.WithdrawalTested)
    assert (tested.score, tested.opposed[0].score, tested.outcome, tested.saved) == (17, 15, "away", False)


@pytest.mark.parametrize("kind", ["fleet", "assault"])
def test_b81_only_a_battle_in_the_field_is_fought_without_it(kind):
    begin = {"fleet": lambda: fleets(hulls(), hulls(), marks=("untested",)),
             "assault": lambda: assault(foot(), foot(), marks=("untested",))}[kind]  # fmt: skip
    with pytest.raises(InvalidInput, match="a field battle"):
        begin()


def test_b81_nobody_withdraws_before_a_battle_without_its_test():
    fight = Fight(foot(), foot(), marks=("untested",)).play(Next())
    with pytest.raises(IllegalCommand, match="no command test"):
        fight.play(GiveOrder(Order("a", withdraw=True)))
    declared = Fight(foot(), foot()).play(Next()).play(GiveOrder(Order("a", withdraw=True)))
    with pytest.raises(InvalidInput, match="A side is withdrawing before battle"):
        declared.mark("untested")
