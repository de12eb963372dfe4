"""A battle that advances by itself: what is repeated, what it stops for, and what it says of troops that broke."""

from __future__ import annotations

from rules.breaking_point.battle.orders.commands import Resolve
from rules.breaking_point.battle.state.battle_state import BodyOrder, Side
from rules.law import OMNISCIENT
from tests.rules.breaking_point.battle.fights import BOW, Fight, archers, foot, with_losses

ATTACK_B = ("attack", "b:contact")
FREE = BodyOrder("hold", "", riposte=False)


def field(*armies, **given):
    return Fight(*armies, **given).command()


def halts(fight, **dice):
    before = fight.state
    fight.play(Resolve(), **dice)
    found = fight.law.halts(before, fight.events, fight.state, OMNISCIENT)
    return [str(halt.text) for halt in found if halt.kind in ("army", "over")]


def test_b38_troops_that_break_and_rally_are_told_with_how_it_ended():
    fight = with_losses(field(foot(), foot()), b_contact=600).order("a", contact=ATTACK_B)
    assert halts(fight, a_contact__contact=(9,), b__rally=(9,)) == ["B: broken, but rallied."]
    assert fight.body("b:contact").status == "fighting"


def test_an_army_that_breaks_and_is_gone_is_told_once():
    fight = with_losses(field(foot(), foot(), sides=SIDES), b_contact=600).order("a", contact=ATTACK_B)
    told = halts(fight, a_contact__contact=(9,), b__rally=(2,))
    assert [one for one in told if one.startswith("B")] == ["B: fled."]


def test_a_group_that_breaks_while_its_army_fights_on_is_told_by_its_name():
    fight = with_losses(field(foot(), (foot(), archers(weapon=BOW))), b_contact=600).order("a", contact=ATTACK_B)
    assert halts(fight, a_contact__contact=(9,), b__rally=(2,)) == ["B, contact group: broken, fled."]


SIDES = (Side("One", ("a",)), Side("Two", ("b",)))


def test_b22_a_group_whose_enemy_is_gone_holds_while_the_other_goes_on():
    fight = field((foot(), archers()), foot(), foot())
    fight.order("a", contact=ATTACK_B, shooting=("shoot", "c:contact"))
    before = fight.state
    fight.resolve(a_contact__contact=(1, 1), a_shooting__shot=(1, 1)).override("c:contact", "status", "withdrawn")
    (again,) = fight.law.repeated(before, fight.state)
    assert {key: (one.do, one.target) for key, one in again.order.bodies.items()} == {
        "contact": ATTACK_B,
        "shooting": ("hold", ""),
    }


def test_b22_an_army_with_a_new_order_does_not_repeat_its_last():
    fight = field(foot(), foot()).order("a", contact=ATTACK_B)
    before = fight.state
    fight.resolve(a_contact__contact=(1, 1)).order("a", contact=FREE)
    assert fight.law.repeated(before, fight.state) == ()


def test_b45_it_waits_before_a_second_quiet_round_unless_somebody_acts():
    fight = field(foot(), foot())
    assert fight.law.why_wait(fight.state) is None
    fight.resolve()
    assert "No group has an order to attack" in str(fight.law.why_wait(fight.state))
    assert fight.law.why_wait(fight.order("a", contact=FREE).state) is not None
    assert fight.law.why_wait(fight.order("a", contact=ATTACK_B).state) is None
    fight = field(foot(), foot()).resolve()
    assert fight.law.why_wait(fight.order("a", withdraw=True).state) is None
