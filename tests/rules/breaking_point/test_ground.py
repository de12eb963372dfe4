"""Ground and weather (BP-5, B-42, B-43, B-46)."""

from fractions import Fraction

import pytest

from rules.breaking_point.ground import GROUNDS, MARKS, WEATHER, can_charge, effects_of
from rules.breaking_point.spec import TroopType, Unit

CAVALRY = TroopType("cavalry", "cavalry", 12, charge=2, mounted=True)
CHARIOTS = TroopType("chariots", "chariots", 15, charge=3, mounted=True, chariots=True)
TROLLS = TroopType("trolls", "trolls", 15, charge=3, anywhere=True)


def charging(kind, *marks):
    return can_charge(Unit("u", kind, 10, 5, 0, "contact", kind.toughness), effects_of(marks))


def test_the_marks_are_those_of_the_ruling_b_43():
    assert set(WEATHER) == {"visibility", "night", "gale", "blind", "heat", "cold", "harsh"}
    assert set(GROUNDS) == {"open", "forest", "rough", "very-rough", "swamp", "mud", "town"}


@pytest.mark.parametrize("slug", MARKS)
def test_every_mark_says_what_it_does(slug):
    assert MARKS[slug].name
    assert MARKS[slug].summary
    assert slug == "open" or effects_of([slug]) != effects_of([])


def test_open_ground_changes_nothing():
    assert effects_of(["open"]) == effects_of([])


@pytest.mark.parametrize(
    "mark, cavalry, chariots",
    [
        ("open", True, True),
        ("forest", False, False),
        ("rough", True, False),
        ("very-rough", False, False),
        ("swamp", False, False),
        ("mud", False, False),
        ("town", True, True),
    ],
)
def test_who_charges_where_bp_5(mark, cavalry, chariots):
    assert (charging(CAVALRY, mark), charging(CHARIOTS, mark), charging(TROLLS, mark)) == (cavalry, chariots, True)


def test_forest_covers_from_shots_alone():
    forest = effects_of(["forest"])
    assert (forest.cover, forest.shelter) == (5, 0)


def test_mud_halves_power_at_contact_and_defense_against_shots():
    mud = effects_of(["mud"])
    assert (mud.contact, mud.shot, mud.exposures) == (Fraction(1, 2), 1, 1)


def test_a_town_halves_all_power_shelters_and_is_near():
    town = effects_of(["town"])
    assert (town.contact, town.shot, town.shelter, town.near, town.rubble) == (
        Fraction(1, 2),
        Fraction(1, 2),
        5,
        True,
        10,
    )


def test_grounds_add_b_42():
    both = effects_of(["forest", "mud", "town"])
    assert (both.cover, both.shelter, both.contact, both.shot) == (5, 5, Fraction(1, 4), Fraction(1, 2))
    assert effects_of(["mud", "mud"]) == effects_of(["mud"])


def test_radio_lifts_bad_visibility_from_the_command_test_alone_b_43():
    assert (effects_of(["visibility"]).command, effects_of(["visibility"], radio=True).command) == (-2, 0)
    assert effects_of(["visibility"], radio=True).combat == -2


def test_night_and_gale_count_once_heat_and_cold_too_b_43():
    assert effects_of(["night", "gale"]).aim == -4
    assert effects_of(["heat", "cold"]).combat == -2
    assert effects_of(["heat", "cold", "visibility"]).combat == -4


def test_blind_shots_have_half_their_power_b_43():
    assert effects_of(["blind"]).shot == Fraction(1, 2)


def test_harsh_weather_makes_losses_greater_by_a_tenth_b_46():
    assert effects_of(["harsh"]).losses == Fraction(11, 10)


def test_an_unknown_mark_is_none():
    with pytest.raises(KeyError):
        effects_of(["lava"])
