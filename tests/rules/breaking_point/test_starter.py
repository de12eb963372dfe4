"""The starter data, row by row as the rulings print it (BP-2, BP-9)."""

from fractions import Fraction

import pytest

from rules.breaking_point.figures import contact_power, fire_power, test_combat, unit_breaking, unit_defense, unit_force
from rules.breaking_point.spec import Unit
from rules.breaking_point.starter import (
    ARMOURS,
    MACHINES_BY_SLUG,
    QUALITIES,
    STARTERS,
    TROOP_TYPES,
    WEAPONS,
    quality_of,
)

# unit: power at contact, fire power and force a head, breaking point in per cent
UNITS = {
    "legionaries": ("4", "0", 9, 70), "dwarves": ("5", "0", 11, 80),
    "hoplites": ("5", "0", 9, 110), "orcs": ("4", "0", 8, 50),
    "velites": ("1", "0", 5, 40), "trolls": ("15", "0", 17, 60),
    "slingers": ("0", "1.5", 5, 40), "zombies": ("6", "0", 10, None),
    "horse-archers": ("8", "0.75", 12, 60), "dinosaurs": ("150", "0", 80, 40),
    "light-horse": ("10", "0", 13, 50), "dragons": ("300", "0", 270, 110),
    "war-elephants": ("120", "0", 105, 50), "musketeers": ("3", "1.5", 5, 60),
    "war-chariots": ("15", "0", 17, 60), "grenadiers": ("3", "1.5", 5, 90),
    "knights": ("10", "0", 17, 90), "cuirassiers": ("8", "0", 16, 80),
    "feudal-horse": ("10", "0", 15, 70), "field-guns": ("0", "5", 6, 70),
    "men-at-arms": ("4", "0", 8, 60), "riflemen": ("3", "8", 6, 60),
    "lancers": ("5", "0", 9, 90), "conscripts": ("3", "8", 6, 30),
    "longbowmen": ("0", "2", 5, 60), "commandos": ("0", "18", 7, 110),
    "crossbowmen": ("0", "1.5", 6, 50), "machine-guns": ("0", "20", 6, 60),
    "militia": ("5", "0", 5, 50), "anti-tank-team": ("0", "9.375", 6, 70),
    "peasants": ("2", "0", 5, 10), "howitzers": ("0", "12", 6, 60),
    "pikemen": ("5", "0", 7, 70), "exo-commandos": ("10", "24", 25, 110),
    "sappers": ("5", "0", 6, 50), "colonial-troops": ("0", "24", 11, 60),
    "catapults": ("0", "2.5", 5, 50), "war-robots": ("0", "24", 25, None),
    "berserkers": ("10", "0", 7, 80), "alien-swarm": ("6", "0", 8, None),
}  # fmt: skip


def test_every_unit_of_the_table_is_there_and_no_other():
    assert STARTERS.keys() == UNITS.keys()


def test_a_units_figures_a_head_are_those_printed():
    for slug, (power, fire, force, breaking) in UNITS.items():
        starter = STARTERS[slug]
        heads = 100 * (starter.crew or 1)
        unit = starter.unit(heads)
        assert contact_power(unit) / heads == Fraction(power), slug
        assert fire_power(unit) / heads == Fraction(fire), slug
        assert Fraction(unit_force(unit), heads) == force, slug
        assert unit_breaking(unit) == breaking, slug


# weapon: damage, rate, range, letters of the table
ARMS = """
sword 4 - - | sling 3 1 m | howitzer 60 1/2 v S A2
gladius 3 - - | short-bow 3 1/2 m | rocket-launcher 150 1/4 s F
spear 5 - - | longbow 4 1/2 l | tank-gun 200 1 l
pike 5 - - | crossbow 6 1/4 l | naval-gun 800 1/2 v
axe 5 - - | catapult 50 1/4 l S | torpedo 900 1/4 l sec
two-handed-blade 6 - - | musket 12 1/4 m F | bomb 250 1 s sec
tools 2 - - | rifle 8 1 l F +1 | laser-rifle 12 2 l F +2
bayonet 3 - - | assault-rifle 6 3 m R F | energy-blade 10 - -
claws 6 - - | mg-42 5 4 l R F | magnetic-cannon 50 4 l R
pilum 3 - - thrown | heavy-machine-gun 8 3 l R F | heavy-missile 1500 1 v sec
javelin 2 - - thrown | 8-pounder 80 1/4 l S | lance 5 - -
"""
ROWS = [row.split() for line in ARMS.strip().splitlines() for row in line.split("|")]
RANGE_LETTERS = {"": "-", "short": "s", "medium": "m", "long": "l", "very-long": "v"}


def letters(weapon):
    known = {
        "R": weapon.bursts,
        "S": weapon.siege,
        "F": weapon.firearm,
        "sec": weapon.secondary,
        "thrown": weapon.thrown,
        f"A{weapon.area}": weapon.area > 1,
        f"+{weapon.accuracy}": weapon.accuracy,
    }
    return {letter for letter, holds in known.items() if holds}


def test_every_weapon_of_the_table_is_there_and_no_other():
    assert WEAPONS.keys() == {row[0] for row in ROWS}


def test_a_weapons_figures_are_those_printed():
    for slug, damage, rate, reach, *marks in ROWS:
        weapon = WEAPONS[slug]
        assert weapon.damage == int(damage), slug
        assert weapon.rate == (None if rate == "-" else Fraction(rate)), slug
        assert RANGE_LETTERS[weapon.range] == reach, slug
        assert letters(weapon) == set(marks), slug


# machine: toughness, armour, control, attack, defense, mobility, weapons
ENGINES = {
    "heavy-tank": (350, 150, 0, 0, 0, 3, "1 tank-gun, 1 mg-42 sec"),
    "tiger": (350, 150, -2, None, -5, 2, "1 tank-gun, 1 mg-42 sec"),
    "medium-tank": (200, 80, 0, 0, 1, 4, "1 tank-gun"),
    "armoured-car": (60, 15, 1, 0, 2, 5, "1 heavy-machine-gun"),
    "battle-robot": (80, 40, 0, 1, 0, 3, "1 magnetic-cannon"),
    "hellcat": (60, 5, 1, 0, 3, 8, "6 heavy-machine-gun, 2 bomb sec"),
    "dive-bomber": (80, 5, 0, 1, 0, 7, "2 bomb sec, 1 heavy-machine-gun sec"),
    "destroyer": (3000, 60, 1, 0, 2, 5, "4 torpedo sec, 2 tank-gun"),
    "cruiser": (8000, 200, 0, 0, 0, 4, "6 naval-gun"),
    "battleship": (20000, 400, -1, 1, -3, 3, "9 naval-gun"),
    "interceptor": (200, 50, 2, 0, 3, 9, "2 magnetic-cannon, 1 heavy-missile sec"),
    "frigate": (4000, 90, 0, 0, 0, 6, "12 magnetic-cannon, 2 heavy-missile sec"),
    "star-cruiser": (15000, 100, -1, 1, -3, 4, "40 magnetic-cannon, 8 heavy-missile sec"),
    "assault-shuttle": (400, 60, 0, 0, 1, 7, "2 magnetic-cannon"),
}


def test_every_machine_of_the_table_is_there_and_no_other():
    assert MACHINES_BY_SLUG.keys() == ENGINES.keys()


def test_a_machines_figures_are_those_printed():
    for slug, (*figures, arms) in ENGINES.items():
        machine = MACHINES_BY_SLUG[slug]
        held = [machine.toughness, machine.armour, machine.control, machine.attack, machine.defense, machine.mobility]
        assert held == figures, slug
        borne = [f"{arm.number} {arm.slug}" + " sec" * arm.secondary for arm in machine.weapons]
        assert ", ".join(borne) == arms, slug


def crew_of(slug, strength, combat):
    machine = MACHINES_BY_SLUG[slug]
    return Unit(slug, TROOP_TYPES["machines"], strength, combat, machine.armour, "shooting", machine.toughness,
                machine.weapons, machine=machine)  # fmt: skip


class TestTheDocumentsMachines:
    """BP-9: worked examples."""

    def test_twenty_heavy_tanks(self):
        assert unit_force(crew_of("heavy-tank", 20, 5)) == 10000

    def test_veterans_in_a_tiger(self):
        crew = crew_of("tiger", 1, 8)
        assert (test_combat(crew, shooting=True), unit_defense(crew)) == (6, 3)

    def test_ten_interceptors(self):
        assert fire_power(crew_of("interceptor", 10, 5)) == 15500  # 1550 each, where the document says 950


# armour: full, as worn in ancient and medieval worlds
WORN = {
    "leather": (1, 1), "helmet": (1, 1), "padded": (2, 1), "scale": (4, 2), "mail": (5, 2), "cuirass": (4, 4),
    "plate": (8, 4), "flak-vest": (2, 2), "combat-armour": (6, 6), "powered-armour": (20, 20), "shield": (0, 0),
}  # fmt: skip


def test_armours_are_those_printed_b_12():
    assert {slug: (armour.full, armour.worn) for slug, armour in ARMOURS.items()} == WORN


def test_toughness_and_charge_of_every_type_bp_2():
    assert {slug: (kind.toughness, kind.charge, kind.anywhere) for slug, kind in TROOP_TYPES.items()} == {
        "infantry": (5, 1, False), "archers": (5, 1, False), "artillery": (5, 1, False), "machines": (0, 1, False),
        "cavalry": (12, 2, False), "chariots": (15, 3, False), "elephants": (100, 20, False),
        "berserkers": (7, 2, True), "dwarves": (7, 1, False), "orcs": (6, 1, False), "trolls": (15, 3, True),
        "zombies": (10, 1, False), "dinosaurs": (75, 25, True), "dragons": (250, 50, True),
    }  # fmt: skip


@pytest.mark.parametrize(
    "combat, word",
    [(-2, "poor"), (0, "poor"), (1, "green"), (3, "green"), (4, "regular"), (6, "regular"), (7, "veteran"),
     (9, "veteran"), (10, "elite"), (14, "elite")],
)  # fmt: skip
def test_the_word_for_a_quality_bp_2_5(combat, word):
    assert quality_of(combat).slug == word


def test_what_a_word_stands_for_has_that_word():
    assert [quality_of(quality.usual).slug for quality in QUALITIES] == [quality.slug for quality in QUALITIES]
