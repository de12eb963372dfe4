"""Assaults on places, and mixed armies (BP-8, B-52 to B-56, B-65)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.breaking_point.battle.orders import commands as c
from rules.breaking_point.battle.orders.legal import host_choices
from rules.breaking_point.battle.state import events as e
from rules.breaking_point.battle.state.battle_state import ASSAULT, Side
from rules.core.errors import IllegalCommand
from tests.rules.breaking_point.battle.fights import (
    GRIFFINS,
    LED,
    Fight,
    archers,
    assault,
    foot,
    guns,
    horse,
    hulls,
    place,
    with_losses,
)

AT_THEM = ("attack", "b:garrison")


def storming(outside=None, inside=None, **given):
    return assault(outside or foot(), inside or foot(60), marks=given.pop("marks", ("equipped",)), **given).command()


def struck(fight, key="a:contact"):
    return next(attack for attack in fight.of(e.Attacked) if attack.body == key)


def test_bp8_the_documents_garrison_of_ten_in_a_bunker():
    garrison = assault(foot(100), replace(foot(10), toughness=6, armour=0), garrison=10).body("b:garrison")
    assert garrison.force == 120


def test_b11_the_breaking_point_is_reckoned_on_the_raised_force():
    garrison = storming().body("b:garrison")
    assert (garrison.force, garrison.value) == (1200, 840)


@pytest.mark.parametrize("kind, contact, shot", [("entrenchment", 6, 13), ("fort", 11, 13), ("fortress", 16, 18)])
def test_b55_the_place_adds_to_the_defense_after_all_halvings(kind, contact, shot):
    fight = storming((foot(), archers()), kind=kind)
    fight.order("a", contact=AT_THEM, shooting=("shoot", "b:garrison"))
    fight.resolve(a_contact__contact=(1, 1), a_shooting__shot=(1, 1))
    assert [struck(fight).against, struck(fight, "a:shooting").against] == [contact, shot]


def test_bp8_in_an_assault_artillery_shoots_at_its_own_range_and_all_else_short():
    for unit, against in ((archers(), 5 + 3 + 5), (guns(), 15 + 3 + 5)):
        fight = storming((foot(), unit)).order("a", shooting=("shoot", "b:garrison"))
        assert struck(fight.resolve(a_shooting__shot=(1, 1)), "a:shooting").against == against


def test_b54_a_garrison_attacks_with_its_shooters_added_or_shoots_with_them_alone():
    fight = storming(foot(), (foot(60), archers(60)), garrison=120).order("b", garrison=("attack", "a:contact"))
    assert struck(fight.resolve(b_garrison__contact=(1, 1)), "b:garrison").power == 600 + 120
    fight.order("b", garrison=("shoot", "a:contact"))
    assert struck(fight.resolve(b_garrison__shot=(1, 1)), "b:garrison").power == 120
    fight = storming()
    with pytest.raises(IllegalCommand):
        fight.order("b", garrison=("shoot", "a:contact"))


def test_b7_cavalry_fights_as_foot_in_an_assault():
    fight = storming(horse()).order("a", contact=AT_THEM).resolve(a_contact__contact=(1, 1))
    assert struck(fight).power == 1000


@pytest.mark.parametrize("times", [2, 3])
def test_bp8_the_gm_multiplies_the_power_of_those_who_fly_over_walls(times):
    flying = replace(foot(), type=GRIFFINS)
    fight = storming(flying, replace(foot(60), type=GRIFFINS)).mark("flyers", times)
    fight.order("a", contact=AT_THEM).order("b", garrison=("attack", "a:contact"))
    fight.resolve(a_contact__contact=(1, 1), b_garrison__contact=(1, 1))
    assert (struck(fight).power, struck(fight, "b:garrison").power) == (1000 * times, 600)


def test_bp8_an_inaccessible_site_cancels_the_numbers():
    for marks, score in ((("equipped",), 6 + 5 + 0), (("equipped", "site"), 6 + 0)):
        fight = storming(foot(400), foot(60), marks=(*marks, "no-surprise")).order("a", contact=AT_THEM)
        assert struck(fight.resolve(a_contact__contact=(1, 1))).score == score


def broken_garrison(**given):
    fight = storming(foot(900), **given).order("a", contact=AT_THEM)
    return fight.resolve(a_contact__contact=(10, 1), b__rally=(2,))


def test_b55_a_garrison_that_breaks_has_lost_its_walls_and_its_points_are_its_mens():
    """840 of 1200 in the fort are 420 of 600 without."""
    lost = broken_garrison().one(e.ShelterLost)
    assert (lost.force, lost.value, lost.losses) == (600, 420, 420)


def test_b56_a_broken_garrison_surrenders_where_the_place_is_invested_and_flees_where_not():
    assert broken_garrison().body("b:garrison").status == "fled"
    assert broken_garrison(marks=("equipped", "invested")).body("b:garrison").status == "surrendered"


def test_b55_losses_of_a_siege_are_brought_along():
    fight = assault(foot(), foot(60), losses={"b:0": 300})
    assert (fight.body("b:garrison").losses, fight.body("b:garrison").state) == (300, "engaged")
    fight = Fight((foot(), foot(), archers()), foot(), losses={"a:1": 100, "a:2": 33})
    assert [fight.body("a:contact").losses, fight.body("a:shooting").losses] == [100, 33]


def test_b56_nothing_leads_out_of_a_place_that_is_invested():
    """Nor is it offered, before the command test or after."""
    shut = assault(foot(900), foot(60), marks=("equipped", "invested")).play(c.Next())
    for fight in (shut, storming(foot(900), marks=("equipped", "invested"))):
        with pytest.raises(IllegalCommand, match="can’t withdraw from an invested place"):
            fight.order("b", withdraw=True)
        assert not host_choices(fight.state, "b").may_withdraw
        fight.order("a", withdraw=True)


def test_b55_a_garrison_leaves_a_place_that_nobody_shuts_in():
    fight = storming(foot(900))
    assert host_choices(fight.state, "b").may_withdraw
    assert fight.order("b", withdraw=True).resolve().body("b:garrison").status == "withdrawn"
    fight = storming(foot(900)).order("b", withdraw=True).mark("invested").resolve()  # said once it was ordered
    assert (fight.one(e.OrderLost).why, fight.body("b:garrison").status) == ("invested", "fighting")


def test_b55_losses_of_a_garrison_that_lost_its_walls_are_its_mens_and_so_is_what_it_brought():
    """300 of 1200 before, 840 more in the fort: 570 of 600 without it."""
    body = broken_garrison(losses={"b:0": 300}).body("b:garrison")
    assert (body.factor, body.brought, body.losses, body.force) == (1, 150, 570, 600)
    assert (storming(losses={"b:0": 300}).body("b:garrison").brought) == 300


def test_b55_walls_do_not_shelter_a_garrison_that_the_gm_routs():
    fight = with_losses(assault(foot(), foot(60)), b_garrison=400).command().override("b:garrison", "status", "routed")
    body = fight.body("b:garrison")
    assert (body.sheltered, body.force, body.losses, body.value) == (False, 600, 200, 420)


def test_b53_who_is_not_its_sides_chief_orders_nothing_in_an_assault():
    sides = (Side("Out", ("a", "b"), chief="b"), Side("In", ("c",)))
    fight = Fight(foot(), foot(), foot(60), sides=sides, kind=ASSAULT, place=place(), led={"a": LED}).command()
    with pytest.raises(IllegalCommand):
        fight.order("a")
    fight.order("b", contact=("attack", "c:garrison")).resolve(b_contact__contact=(1, 1))
    assert struck(fight, "b:contact").power == 2000


# army and machines together


def test_b65_with_an_army_machines_shoot_as_a_group_under_the_rules_of_the_field():
    fight = Fight((foot(), hulls()), foot()).command().order("a", shooting=("shoot", "b:contact"))
    fight.resolve(a_shooting__shot=(5,))
    assert struck(fight, "a:shooting").against == 10 + 3


def test_b65_support_from_above_is_out_of_everybodys_reach_and_holds_no_field():
    sides = (Side("One", ("a",)), Side("Two", ("b", "c")))
    fight = Fight((foot(), archers()), hulls(), foot(), sides=sides, support=("b",)).command()
    with pytest.raises(IllegalCommand):
        fight.order("a", shooting=("shoot", "b:shooting"))
    fight.order("b", shooting=("shoot", "a:contact")).resolve(b_shooting__shot=(5,))
    fight.override("c:contact", "status", "fled").resolve()
    assert fight.state.result == (0, "field")


def test_b64_powers_depend_on_the_armour_to_beat():
    """Bows of 4 do nothing against an armour of 20, guns of 80 do."""
    for unit, power in ((archers(), 0), (guns(), 200)):
        fight = Fight((foot(), unit), hulls(500)).command().order("a", shooting=("shoot", "b:shooting"))
        dice = {"a_shooting__shot": (1, 1)} if power else {}
        fight.resolve(**dice)
        assert sum(attack.power for attack in fight.of(e.Attacked)) == power


def test_a_garrison_that_was_hurt_holds_its_place_the_less():
    fight = with_losses(assault(foot(), foot(60)), b_garrison=400).command(5, 5)
    assert fight.one(e.InitiativeSettled).scores == (9, 11)  # 20 of 60 are out: 40 of 100
