"""Lines of figures: they add up to the figure, always (BP-2, BP-3, BP-9)."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.breaking_point.figures import Terms, body_figures, contact_power, fire_power
from rules.breaking_point.lines import (
    body_lines,
    command_lines,
    contact_lines,
    fire_lines,
    rally_lines,
    terms_lines,
    unit_lines,
)
from rules.breaking_point.spec import General, Machine, TroopType
from tests.everyday import at_most
from tests.rules.breaking_point.test_figures import (
    ARTILLERY,
    BOMB,
    CANNON,
    CATAPULT,
    CAVALRY,
    GLADIUS,
    LONGBOW,
    MG,
    MISSILE,
    MUSKET,
    PILUM,
    RIFLE,
    TROLLS,
    machines,
    men,
)

HANNIBAL = General("h", "Hannibal", mental=8, presence=9, combat=5, art_of_war=5, diplomacy=2)
WEAPONS = (GLADIUS, PILUM, LONGBOW, MUSKET, RIFLE, MG, CATAPULT)


def said(lines):
    return [(str(line.label), line.value, line.rule) for line in lines.lines]


def test_a_legionarys_power_line_by_line():
    assert said(contact_lines(men(101, GLADIUS, PILUM))) == [
        ("101 × gladius, damage 3", 303, "BP-2.2"),
        ("pilum, thrown: half damage", 101, "BP-2.2"),
    ]


def test_a_charge_has_its_line():
    assert said(contact_lines(men(10, GLADIUS, kind=CAVALRY)))[-1] == ("cavalry: × 2", 30, "BP-2.2")
    assert len(contact_lines(men(10, GLADIUS, kind=CAVALRY), Terms(charging=False)).lines) == 1


def test_a_halved_fraction_is_dropped_once_at_the_end():
    lines = fire_lines(men(3, MUSKET))
    assert said(lines) == [
        ("3 × musket: damage 12, rate 1/4, area 1", 9, "BP-2.3"),
        ("musket: halved by its range", -5, "BP-2.3"),
    ]
    assert lines.total == 4


def test_arms_too_weak_for_an_armour_say_so():
    interceptor = Machine("interceptor", "interceptor", 200, 50, 9, weapons=(CANNON, MISSILE))
    lines = fire_lines(machines(1, interceptor), Terms(armour=150))
    assert ("cannon: too weak for this armor", -400, "BP-9") in said(lines)
    assert lines.total == 750


def test_a_breaking_point_raised_to_a_tenth_says_so():
    assert said(unit_lines(men(combat=-2))["breaking_point"]) == [
        ("Base value", 10, "BP-2.5"),
        ("10 × combat -2", -20, "BP-2.5"),
        ("At least 10%", 20, "BP-2.5"),
    ]
    assert unit_lines(men(never=True))["breaking_point"].lines == ()


def test_the_documents_mean_unit_by_unit():
    lines = body_lines([men(150, combat=8, breaking=50), men(250, combat=2, breaking=30)])
    assert said(lines["combat"]) == [
        ("men: 8, for 150 of 400", 3, "BP-2.7"),
        ("men: 2, for 250 of 400", 1, "BP-2.7"),
    ]
    assert said(lines["breaking_point"])[-1] == ("Rounded down to a multiple of 5", -2, "BP-2.7")


unit_strategy = st.builds(
    lambda strength, combat, armour, weapons, kind, extra, pieces, never, breaking: men(
        strength, *weapons, kind=kind, combat=combat, armour=armour, extra=extra, pieces=pieces, never=never,
        breaking=breaking,
    ),
    st.integers(1, 5000), st.integers(-5, 12), st.integers(0, 9), st.lists(st.sampled_from(WEAPONS), max_size=3),
    st.sampled_from((TroopType("infantry", "infantry", 5), CAVALRY, TROLLS, ARTILLERY)), st.integers(0, 3),
    st.none() | st.integers(1, 9), st.booleans(), st.none() | st.integers(10, 200),
)  # fmt: skip
machine_strategy = st.builds(
    lambda strength, combat, control, attack, defense, weapons: machines(
        strength, Machine("m", "m", 80, 15, 5, control, attack, defense, tuple(weapons)), combat
    ),
    st.integers(1, 300), st.integers(-2, 10), st.none() | st.integers(-5, 5), st.none() | st.integers(-5, 5),
    st.none() | st.integers(-5, 5), st.lists(st.sampled_from((BOMB, CANNON, MISSILE, MUSKET)), max_size=3),
)  # fmt: skip


@settings(max_examples=at_most(40, full=150), deadline=None)
@given(st.lists(unit_strategy | machine_strategy, min_size=1, max_size=4))
def test_every_figure_is_the_sum_of_its_lines(units):
    figures = body_figures(units)
    lines = body_lines(units)
    for name in ("strength", "power", "fire_power", "force", "combat", "contact_combat", "shot_combat", "defense"):
        assert lines[name].total == getattr(figures, name), name
    assert lines["breaking_point"].total == (figures.breaking or 0)


@settings(max_examples=at_most(30, full=100), deadline=None)
@given(unit_strategy | machine_strategy, st.booleans(), st.booleans(), st.integers(0, 500))
def test_powers_under_all_terms_are_the_sum_of_their_lines(unit, charging, short, armour):
    terms = Terms(charging, short, armour)
    assert contact_lines(unit, terms).total == int(contact_power(unit, terms))
    assert fire_lines(unit, terms).total == int(fire_power(unit, terms))


class TestCommand:
    """BP-3, B-14, B-15."""

    def test_hannibal(self):
        assert command_lines(HANNIBAL, []).total == 13
        assert said(command_lines(HANNIBAL, []))[0] == ("MENTAL 8", 3, "B-14")

    def test_nobody_named_the_troops_mean_combat_down(self):
        assert command_lines(None, [men(150, combat=8), men(250, combat=2)]).total == 4

    def test_rally_by_presence_and_art_of_war_bp_4_11(self):
        assert rally_lines(HANNIBAL, []).total == 4 + 5 + 5

    def test_rally_without_commander_is_combat_alone_b_38(self):
        assert rally_lines(None, [men(combat=4)]).total == 4

    def test_terms_by_presence_and_diplomacy_bp_8(self):
        assert terms_lines(HANNIBAL, []).total == 4 + 5 + 2

    @pytest.mark.parametrize("mental, modifier", [(5, 0), (3, -2), (8, 3)])
    def test_a_characteristics_modifier_is_five_less_b_14(self, mental, modifier):
        led = replace(HANNIBAL, mental=mental)
        assert command_lines(led, []).total == modifier + 10


def test_a_fraction_of_a_mean_modifier_is_dropped_b_63():
    odd = Machine("m", "m", 1, 1, 1, control=-2, attack=1)
    lines = unit_lines(machines(1, odd))
    assert lines["shot_combat"].total == 4
    assert lines["combat"].total == 5
