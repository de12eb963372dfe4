"""Figures of units and bodies, by the rulings and the document's worked examples (BP-2, BP-9)."""

from dataclasses import replace
from fractions import Fraction

from rules.breaking_point.figures import (
    Terms,
    armour_to_beat,
    body_figures,
    contact_power,
    dismounted,
    fire_power,
    mobility_of,
    test_combat,
    unit_breaking,
    unit_defense,
    unit_force,
    unit_mobility,
    unit_range,
)
from rules.breaking_point.spec import Machine, TroopType, Unit, Weapon

INFANTRY = TroopType("infantry", "infantry", 5)
CAVALRY = TroopType("cavalry", "cavalry", 12, charge=2, mounted=True)
TROLLS = TroopType("trolls", "trolls", 15, charge=3, anywhere=True)
ARTILLERY = TroopType("artillery", "artillery", 5)

SWORD = Weapon("sword", "sword", 4)
SPEAR = Weapon("spear", "spear", 5)
GLADIUS = Weapon("gladius", "gladius", 3)
PILUM = Weapon("pilum", "pilum", 3, thrown=True)
LONGBOW = Weapon("longbow", "longbow", 4, Fraction(1, 2), "long")
SHORT_BOW = Weapon("short-bow", "short bow", 3, Fraction(1, 2), "medium")
MUSKET = Weapon("musket", "musket", 12, Fraction(1, 4), "medium", firearm=True)
RIFLE = Weapon("rifle", "rifle", 8, Fraction(1), "long", firearm=True, accuracy=1)
MG = Weapon("mg-42", "MG-42", 5, Fraction(4), "long", bursts=True, firearm=True)
CATAPULT = Weapon("catapult", "catapult", 50, Fraction(1, 4), "long", siege=True)
HEAVY_GUN = Weapon("heavy", "0.50", 8, Fraction(3), "long", bursts=True, firearm=True)
CANNON = Weapon("cannon", "cannon", 50, Fraction(4), "long", bursts=True, number=2)
MISSILE = Weapon("missile", "missile", 1500, Fraction(1), "very-long", secondary=True)
BOMB = Weapon("bomb", "bomb", 250, Fraction(1), "short")


def men(strength=100, *weapons, kind=INFANTRY, combat=5, armour=0, group="contact", **more):
    return Unit("men", kind, strength, combat, armour, group, more.pop("toughness", kind.toughness), weapons, **more)


def machines(strength, machine, combat=5):
    return Unit("m", TroopType("machines", "machines", 0), strength, combat, machine.armour, "shooting",
                machine.toughness, machine.weapons, machine=machine)  # fmt: skip


class TestPowerAtContact:
    """BP-2.2."""

    def test_strength_by_damage(self):
        assert contact_power(men(120, SWORD)) == 480

    def test_what_is_thrown_besides_adds_half_its_damage_down(self):
        assert contact_power(men(100, GLADIUS, PILUM)) == 400
        assert contact_power(men(100, PILUM, GLADIUS)) == 400

    def test_thrown_weapons_alone_are_halved_exactly(self):
        assert contact_power(men(3, PILUM)) == Fraction(9, 2)

    def test_a_charge_multiplies_where_the_ground_lets_it(self):
        riders = men(100, SPEAR, kind=CAVALRY)
        assert contact_power(riders) == 1000
        assert contact_power(riders, Terms(charging=False)) == 500

    def test_trolls_have_theirs_on_any_ground(self):
        assert contact_power(men(10, SPEAR, kind=TROLLS), Terms(charging=False)) == 150

    def test_who_bears_no_weapon_of_contact_has_none_b_8(self):
        assert contact_power(men(10, RIFLE)) == 0

    def test_of_two_arms_the_first_counts_b_9(self):
        assert contact_power(men(10, SWORD, SPEAR)) == 40
        assert contact_power(men(10, replace(SWORD, secondary=True), SPEAR)) == 50

    def test_the_gms_addition_for_a_secondary_weapon_b_9(self):
        assert contact_power(men(10, SWORD, MUSKET, extra=6)) == 100
        assert fire_power(men(10, SWORD, MUSKET, extra=6)) == 15
        assert fire_power(men(10, LONGBOW, SWORD, extra=2, group="shooting")) == 30


class TestDismounting:
    """B-7."""

    def test_riders_dismount_in_an_assault_and_beasts_do_not(self):
        elephants = TroopType("elephants", "elephants", 100, charge=20, mounted=True, beasts=True)
        found = [unit_force(dismounted(men(10, kind=kind, armour=3))) for kind in (CAVALRY, elephants, INFANTRY)]
        assert found == [80, 1030, 80]


class TestPowerOfShots:
    """BP-2.3."""

    def test_english_archers(self):
        assert fire_power(men(50, LONGBOW)) == 100

    def test_bursts_count_twice(self):
        assert fire_power(men(1, MG)) == 40

    def test_medium_range_halves_exactly(self):
        assert fire_power(men(3, MUSKET)) == Fraction(9, 2)

    def test_pieces_are_counted_not_their_crews(self):
        assert fire_power(men(20, CATAPULT, kind=ARTILLERY, pieces=4)) == 50

    def test_area(self):
        assert fire_power(men(1, replace(CATAPULT, area=2))) == 25

    def test_a_charge_is_none_of_it(self):
        assert fire_power(men(4, SHORT_BOW, kind=CAVALRY)) == 3

    def test_at_contact_bows_are_halved_firearms_whole_and_siege_pieces_silent_bp_4_9(self):
        at_contact = Terms(short=True)
        assert fire_power(men(50, LONGBOW), at_contact) == 50
        assert fire_power(men(4, MUSKET), at_contact) == 6
        assert fire_power(men(20, CATAPULT, pieces=4), at_contact) == 0


class TestForceAndBreakingPoint:
    """BP-2.4, BP-2.5."""

    def test_a_gun_with_its_crew(self):
        assert unit_force(men(4, armour=1)) == 24
        assert unit_force(men(4, armour=5)) == 40

    def test_lancers(self):
        lancers = men(50, SPEAR, combat=8, armour=4)
        assert (contact_power(lancers), unit_force(lancers), unit_defense(lancers)) == (250, 450, 8)
        assert unit_breaking(lancers) == 90  # the document's own formula; its example says 50

    def test_peasants_break_beyond_a_tenth(self):
        assert body_figures([men(50, combat=0)]).breaking_value == 25

    def test_regulars_of_five_break_at_sixty_per_cent(self):
        assert body_figures([men(50, combat=5)]).breaking_value == 150  # the document's example says 130

    def test_a_tenth_at_least(self):
        assert unit_breaking(men(combat=-3)) == 10
        assert unit_defense(men(combat=-3)) == 0

    def test_the_gms_figure_replaces_the_formula_b_11(self):
        assert unit_breaking(men(breaking=120)) == 120

    def test_who_never_breaks(self):
        body = body_figures([men(never=True)])
        assert (body.breaking, body.breaking_value) == (None, None)


class TestBodies:
    """BP-2.7."""

    def test_the_documents_army(self):
        body = body_figures([men(150, combat=8, breaking=50), men(250, combat=2, breaking=30)])
        assert (body.combat, body.breaking, body.defense) == (4, 35, 4)

    def test_who_never_breaks_counts_two_hundred_among_others_b_11(self):
        assert body_figures([men(100, never=True), men(100, combat=5)]).breaking == 130

    def test_only_several_units_are_rounded_to_five_b_11(self):
        assert body_figures([men(breaking=73)]).breaking == 73
        assert body_figures([men(breaking=73), men(breaking=73)]).breaking == 70

    def test_means_drop_below_zero_too_b_2(self):
        assert body_figures([men(1, combat=-1), men(1, combat=0)]).combat == -1

    def test_powers_are_added_before_the_fraction_is_dropped_b_2(self):
        assert body_figures([men(1, MUSKET), men(1, MUSKET)]).fire_power == 3

    def test_feudal_horse_and_men_at_arms(self):
        body = body_figures([men(100, SPEAR, kind=CAVALRY, armour=3), men(300, SWORD, armour=3)])
        assert (body.strength, body.power, body.force) == (400, 2200, 3900)  # the document adds up to 2700

    def test_crossbows_and_catapults(self):
        crossbow = Weapon("crossbow", "crossbow", 6, Fraction(1, 4), "long")
        body = body_figures([men(50, crossbow, armour=1), men(20, CATAPULT, kind=ARTILLERY, pieces=4)])
        assert (body.strength, body.fire_power, body.force) == (70, 125, 400)

    def test_a_fortification_raises_force_and_breaking_value_bp_8(self):
        body = body_figures([men(10, armour=1, combat=4)], factor=2)
        assert (body.force, body.breaking_value) == (120, 60)

    def test_accuracy_is_for_tests_alone_b_10(self):
        body = body_figures([men(10, SWORD, RIFLE)])
        assert (body.combat, body.defense, body.contact_combat, body.shot_combat) == (5, 5, 5, 6)

    def test_siege_pieces_have_no_defense_at_contact_bp_4_9(self):
        body = body_figures([men(10, LONGBOW, combat=6), men(10, CATAPULT, combat=6, pieces=2)])
        assert (body.defense, body.contact_defense) == (6, 3)

    def test_nobody_is_nothing(self):
        assert body_figures([])[:6] == (0, 0, 0, 0, 0, 0)


class TestMobility:
    """B-13."""

    def test_by_arms_and_type(self):
        found = [
            unit_mobility(unit)
            for unit in (
                men(1, CATAPULT, kind=ARTILLERY, pieces=1),
                men(armour=3),
                men(shield=True),
                men(),
                men(kind=CAVALRY, armour=3),
                men(kind=CAVALRY),
                men(kind=TroopType("dragons", "dragons", 250, flies=True), armour=20),
                men(mobility=7),
            )
        ]
        assert found == [0, 1, 1, 2, 3, 4, 5, 7]

    def test_of_most_heads_and_of_equals_the_lower(self):
        assert mobility_of([men(100), men(101, kind=CAVALRY)]) == 4
        assert mobility_of([men(100), men(100, kind=CAVALRY)]) == 2

    def test_a_sides_pieces_are_left_out(self):
        guns = men(100, CATAPULT, kind=ARTILLERY, pieces=20)
        assert mobility_of([guns, men(50)]) == 0
        assert mobility_of([guns, men(50)], without_pieces=True) == 2


class TestRange:
    """B-26."""

    def test_of_the_weapon_that_adds_most(self):
        assert body_figures([men(100, MUSKET), men(10, LONGBOW)]).range == "medium"
        assert body_figures([men(10, MUSKET), men(100, LONGBOW)]).range == "long"

    def test_none_without_a_shot(self):
        assert unit_range(men(1, SWORD)) == ""


class TestMachines:
    """BP-9."""

    TIGER = Machine("tiger", "Tiger", 350, 150, 2, control=-2, attack=None, defense=-5)

    def test_twenty_heavy_tanks(self):
        assert unit_force(machines(20, self.TIGER)) == 10000

    def test_a_modifier_not_given_is_not_in_the_mean_b_63(self):
        crew = machines(1, self.TIGER, combat=8)
        assert (test_combat(crew, shooting=True), unit_defense(crew), unit_breaking(crew)) == (6, 3, 90)

    def test_a_mean_of_a_half_is_dropped_in_the_body_b_63(self):
        odd = replace(self.TIGER, control=-2, attack=1)
        assert test_combat(machines(1, odd), shooting=True) == Fraction(9, 2)
        assert body_figures([machines(1, odd)]).shot_combat == 4

    def test_six_guns_of_a_hellcat_with_bursts(self):
        hellcat = Machine("hellcat", "Hellcat", 60, 5, 8, weapons=(replace(HEAVY_GUN, number=6),))
        assert fire_power(machines(1, hellcat)) == 288  # the document says 144, without bursts

    def test_an_interceptor_with_a_secondary_missile(self):
        interceptor = Machine("interceptor", "interceptor", 200, 50, 9, weapons=(CANNON, MISSILE))
        assert fire_power(machines(1, interceptor)) == 1550  # the document says 950

    def test_short_range_halves_and_medium_does_not_b_67(self):
        bomber = Machine("bomber", "bomber", 80, 5, 7, weapons=(BOMB, replace(MUSKET, rate=Fraction(1))))
        assert fire_power(machines(1, bomber)) == 125 + 12

    def test_several_munitions_count_by_their_mean_b_67(self):
        tank = Machine("tank", "tank", 80, 5, 7, weapons=(replace(BOMB, range="long", munitions=(100, 201)),))
        assert fire_power(machines(2, tank)) == 301

    def test_only_what_can_hurt_counts_against_armour_b_64(self):
        interceptor = Machine("interceptor", "interceptor", 200, 50, 9, weapons=(CANNON, MISSILE))
        assert fire_power(machines(1, interceptor), Terms(armour=100)) == 1550
        assert fire_power(machines(1, interceptor), Terms(armour=101)) == 750
        assert contact_power(men(10, GLADIUS, PILUM), Terms(armour=6)) == 40
        assert contact_power(men(10, SPEAR, PILUM), Terms(armour=7)) == 50
        assert contact_power(men(10, SWORD, replace(PILUM, damage=5)), Terms(armour=9)) == 25

    def test_armour_to_beat_is_the_commonest_machines_b_64(self):
        light = machines(10, replace(self.TIGER, armour=15))
        assert armour_to_beat([light, machines(11, self.TIGER), men(20)]) == 150
        assert armour_to_beat([machines(11, self.TIGER), men(11)]) == 0

    def test_the_commonest_is_counted_by_machines_not_by_armour_b_64(self):
        """Two other kinds of machines may happen to bear the same armour."""
        others = [
            machines(3, replace(self.TIGER, slug=name, name=name, armour=80)) for name in ("halftrack", "carrier")
        ]
        assert armour_to_beat([*others, machines(4, self.TIGER)]) == 150
