"""Test vectors of the law: WC-T 1 to 9."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rules.hexbattle.chances import lots
from rules.wing_command.battle.combat import Setting, chances, sum_of
from rules.wing_command.battle.command import (
    command_test,
    distance,
    order_cost,
    points_of,
    reduced_ability,
    why_not_order,
)
from rules.wing_command.battle.demoralisation import modifiers, morale_chance
from rules.wing_command.battle.record import commands as c
from rules.wing_command.battle.record.state import EXHAUSTED, ROUTED, SHAKEN, WINDED
from rules.wing_command.battle.run import Loss
from rules.wing_command.wing import WingCharacter
from tests.rules.wing_command.fights import Table, army, open_ground

ENEMY = army("b", 1, "foot:Foe", "trolls:Ogres")
FAR = {"Foe": "P1", "Ogres": "O1", "Chief b": "P1"}


def table(*troops, at=None, phase="command", **commander):
    own = army("a", 0, *(troops or ("foot:Reds",)), **commander)
    return Table(own, ENEMY, places={"Reds": "A14", "Chief a": "A14", **FAR, **(at or {})}, phase=phase)


def chance_of(now):
    return command_test(now.state, now.ids["Chief a"], now.state.wings["a"])


def test_wc_t_1_command_tests():
    """WC-3.1."""
    now = table(ability="C", profile="irregular", at={"Reds": "J14"}).set("Chief a", morale=SHAKEN)
    test = chance_of(now)
    assert (test.sum.total, test.threshold, test.chance) == (4, 8, Fraction(6, 36))
    assert chance_of(table(ability="B").set("Chief a", fatigue=WINDED)).chance == Fraction(26, 36)
    assert chance_of(table(ability="A")).chance == Fraction(33, 36)
    far = table(ability="E", at={"Reds": "P1", "Foe": "P3", "Chief b": "P3", "Ogres": "P4"})
    far.set("Chief a", morale=SHAKEN, fatigue=WINDED, posture="infiltrating")
    assert chance_of(far).sum.total >= 9
    assert chance_of(far).chance == Fraction(1, 36), "a natural 2 always succeeds"


def test_wc_t_1_a_natural_12_always_fails():
    best = chance_of(table(ability="A"))
    assert not best.succeeds(12)
    assert best.succeeds(10)
    assert not best.succeeds(11)


def test_wc_t_2_order_points():
    now = table(ability="A", profile="irregular").set("Chief a", morale=SHAKEN)
    assert reduced_ability(now.state, now.ids["Chief a"]) == "C"
    assert {points_of("C", face) for face in range(1, 7)} == {3, 6, 9}
    below = table(ability="D", profile="irregular").set("Chief a", morale=SHAKEN)
    assert reduced_ability(below.state, below.ids["Chief a"]) == ""
    below.do(c.Distribute(below.ids["Chief a"]))
    assert below.state.distribution.points == 1
    assert below.dice.rolled == []
    last = table(ability="E").set("Chief a", fatigue=EXHAUSTED)
    assert reduced_ability(last.state, last.ids["Chief a"]) == ""


def test_wc_t_3_the_price_of_orders():
    """WC-4.3, WC-2.2: each full 4 of the distance costs 1."""

    def price(at, *, kind="foot", **states):
        now = table(f"{kind}:Reds", at={"Reds": at}).set("Reds", **states)
        return order_cost(now.state, now.ids["Chief a"], now.ids["Reds"]).points

    assert price("D14") == 1
    assert price("E14") == 2
    assert price("I14", kind="levy", morale=ROUTED) == 6
    assert price("M14", morale=SHAKEN, fatigue=WINDED, posture="infiltrating") == 8


def corridor(letters, **commander):
    """The corridors of HX-T 3 and 4 between mountains, from A4 on."""
    wall = "A" * 16
    rows = [wall, wall, wall, letters, wall, wall, wall, wall]
    ground = open_ground(terrain=rows)
    own = army("a", 0, "foot:Reds", **commander)
    return Table(own, ENEMY, places={"Reds": "A4", "Chief a": "A4", **FAR}, phase="command", map_=ground)


def far(now, at, **states):
    now.put("Reds", at).set("Reds", **states)
    return distance(now.state, now.ids["Chief a"], now.ids["Reds"])


def test_wc_t_4_command_distance_in_corridors():
    """WC-2.1, WC-2.2. HX-T 3: c c d c c d d c c c; HX-T 4: c c d c i i c c x c."""
    first = corridor("..w..ww...AAAAAA")
    assert (far(first, "J4").cost, far(first, "J4").tranches) == (12, 3)
    flying = corridor("..w..ww...AAAAAA", fly=True)
    assert (far(flying, "J4").cost, far(flying, "J4").tranches) == (9, 2)
    high = corridor("..w..ww...AAAAAA")
    found = far(high, "J4", posture="high_flight")
    assert (found.cost, found.tranches, found.orders) == (18, 4, False)
    assert why_not_order(high.state, high.ids["Chief a"], high.ids["Reds"]) is not None
    second = corridor("..w.tt..~.AAAAAA")
    found = far(second, "H4", posture="infiltrating")
    assert (found.cost, found.tranches) == (10, 2)
    test = chance_of(second)
    assert [line.value for line in test.sum.lines] == [2, 2], "N 2, and the unit infiltrates"


def test_wc_t_4_without_a_way_a_test_counts_twice_the_distance_and_no_order_is_given():
    """WC-2.3."""
    now = corridor("..w.tt..~.AAAAAA")
    found = far(now, "G4")
    assert (found.cost, found.orders) == (12, False)
    assert why_not_order(now.state, now.ids["Chief a"], now.ids["Reds"]) is not None


@pytest.mark.parametrize(
    ("morale", "extra", "good"),
    [(8, 0, 26), (8, 1, 21), (8, 2, 15), (8, 3, 10), (4, 0, 6), (4, 1, 3), (4, 2, 1), (4, 3, 0), (12, 0, 36),
     (12, 1, 35), (12, 2, 33), (12, 3, 30)],
)  # fmt: skip
def test_wc_t_5_morale(morale, extra, good):
    assert morale_chance(morale, extra) == Fraction(good, 36)


def test_wc_t_5_a_lost_leader_counts_1_the_army_leader_2_both_3():
    """WC-5.2."""
    now = table()
    wing = now.state.wings["a"]
    assert modifiers(wing, Loss("u", "a", 0, "", False)).total == 0
    assert modifiers(wing, Loss("u", "a", 0, "a", False)).total == 1
    assert modifiers(wing, Loss("u", "x", 0, "x", True)).total == 2
    assert modifiers(wing, Loss("u", "a", 0, "a", True)).total == 3


@pytest.mark.parametrize(
    ("how", "total", "cases"),
    [
        ("melee", 0, (6, 9, 11, 7, 3, 0)), ("melee", -2, (15, 11, 7, 3, 0, 0)), ("melee", 1, (3, 7, 11, 9, 5, 1)),
        ("melee", 2, (1, 5, 9, 11, 7, 3)), ("melee", 3, (0, 3, 7, 11, 9, 6)), ("missile", 0, (21, 9, 5, 1, 0)),
        ("missile", -2, (30, 5, 1, 0, 0)), ("missile", 2, (10, 11, 9, 5, 1)),
    ],
)  # fmt: skip
def test_wc_t_6_the_columns_of_combat(how, total, cases):
    assert tuple(int(36 * chance) for chance in chances(how, total)) == cases


def test_wc_t_7_initiative():
    assert [int(36 * chance) for chance in lots(4, 3)] == [21, 5, 10]
    assert [int(36 * chance) for chance in lots(5, 1)] == [33, 2, 1]


def test_wc_t_8_foot_with_its_leader_charges_shaken_foot_beside_one_friend():
    own = army("a", 0, "foot:Reds", "foot:Blues")
    places = {"Reds": "C8", "Chief a": "C8", "Blues": "D7", "Foe": "C7", "Ogres": "P1", "Chief b": "P1"}
    now = Table(own, ENEMY, places=places).set("Foe", morale=SHAKEN)
    found = sum_of(now.state, now.ids["Reds"], now.ids["Foe"], "melee", Setting("C8", charged=True))
    modifiers_ = [line.value for line in found.lines if abs(line.value) == 1]
    assert modifiers_ == [1, 1, 1, 1]
    assert found.total == 4


# WC-T 9: refused


def test_wc_t_9_changing_retreat_is_refused():
    now = table(ability="A").wing("a", order="retreat")
    now.refused(c.ChangeOrder(now.ids["Chief a"], "hold"), "can’t replace an order to retreat")


def test_wc_t_9_an_order_by_a_chaotic_character_or_to_a_chaotic_troop_is_refused():
    """WC-4.5."""
    chaotic = table(profile="chaotic")
    chaotic.refused(c.Distribute(chaotic.ids["Chief a"]), "Chaotic characters can’t give orders")
    now = table("beasts:Reds")
    now.do(c.Distribute(now.ids["Chief a"]))
    now.refused(c.GiveOrder(now.ids["Reds"]), "Chaotic units can’t take special orders")


def mage(at, enemy="P1", **more):
    own = army("a", 0, "foot:Reds", characters=(WingCharacter("Ash", "mage", art="fire", level=3),), **more)
    places = {"Reds": "A14", "Chief a": "A14", "Ash": at, "Foe": enemy, "Ogres": "O1", "Chief b": "P1"}
    return Table(own, ENEMY, places=places, phase="command")


def test_wc_t_9_a_spell_beside_an_enemy_or_in_a_stack_is_refused():
    beside = mage("C8", enemy="C7")
    beside.refused(c.ChooseSpell(beside.ids["Ash"], "firebolt"), "An enemy is next to the caster")
    stacked = mage("A14")
    stacked.refused(c.ChooseSpell(stacked.ids["Ash"], "firebolt"), "alone in the hex")


def test_wc_t_9_casting_before_choosing_and_a_second_deed_are_refused():
    now = mage("C8")
    now.refused(c.CastSpell(now.ids["Ash"]), "Choose a spell first")
    now.do(c.ChooseSpell(now.ids["Ash"], "firebolt"))
    now.refused(c.CastSpell(now.ids["Ash"]), "already acted this turn")


def duellists(target_troop="foot:Foe", own_troop="foot:Reds", **places):
    own = army("a", 0, own_troop, "foot:Blues", characters=(WingCharacter("Kai", "archer-captain"),))
    enemy = army("b", 1, target_troop, characters=(WingCharacter("Bo"),))
    at = {
        "Reds": "C8",
        "Chief a": "C8",
        "Kai": "F8",
        "Blues": "A14",
        "Foe": "C7",
        "Bo": "C7",
        "Chief b": "P1",
        **places,
    }
    return Table(own, enemy, places=at)


def test_wc_t_9_a_duel_by_a_shaken_character_or_small_on_small_is_refused():
    """WC-8.7."""
    now = duellists(own_troop="trolls:Reds").set("Chief a", morale=SHAKEN)
    now.refused(c.FightDuel(now.ids["Chief a"], now.ids["Bo"]), "Shaken and routed characters can’t fight duels")
    small = duellists()
    small.refused(
        c.FightDuel(small.ids["Chief a"], small.ids["Bo"]), "One of the two duelists has to be with a large unit"
    )


def test_wc_t_9_a_unit_bound_by_hold_moving_2_is_refused():
    now = table(at={"Foe": "A2"}, phase="action").wing("a", order="hold")
    now.refused(now.act("Reds", "C14"), "can't reach|at most 1 hex")
    now.refused(c.UnitAct(now.ids["Reds"], path=("B14", "C14")), "at most 1 hex")
    assert "Moved" in now.do(now.act("Reds", "B14"))


def test_wc_t_9_shooting_while_engaged_is_refused():
    now = table("archers:Reds", at={"Reds": "C8", "Foe": "C7"}, phase="action").engage("Reds", "Foe")
    now.refused(now.act("Reds", target="Foe", how="missile"), "Engaged units can’t shoot")


def test_wc_t_9_a_charge_when_exhausted_is_refused():
    now = table("riders:Reds", at={"Reds": "C11", "Foe": "C7"}, phase="action").set("Reds", fatigue=EXHAUSTED)
    now.refused(now.act("Reds", "C8", "Foe", charge=True), "can’t charge")


def test_wc_t_9_a_missile_duel_by_a_character_alone_at_a_small_one_on_trolls_is_accepted():
    now = duellists(target_troop="trolls:Foe")
    assert "DuelFought" in now.do(c.FightDuel(now.ids["Kai"], now.ids["Bo"], "missile"))
