"""Figures of units and bodies against a second reading of the law.

BP-2, BP-9, B-2, B-7, B-10 to B-13, B-26, B-63, B-64.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor
from random import Random

import pytest

from rules.breaking_point import figures
from tests.everyday import everyday
from tests.rules.breaking_point.second_reading import tables, translate, units
from tests.rules.breaking_point.second_reading.scenarios import AGES, engine_of, men

OPEN, CLOSED = units.Ground(), units.Ground(frozenset({"forest"}))


def test_the_second_reading_has_the_figures_of_the_starter_list() -> None:
    for slug, row in tables.ROWS.items():
        toughness = row.toughness or tables.KINDS[row.kind].toughness
        arms = tuple((1, tables.ARMS[arm]) for arm in row.arms)
        pieces = 40 // row.crew if row.crew else None
        troop = units.Troop(
            slug, row.kind, row.group, 40, row.combat, toughness, row.armour, arms, pieces, None, row.never
        )
        power, fire, force, breaking = row.says
        assert units.contact_power(troop, OPEN) == 40 * Fraction(power), slug
        assert units.fire_power(troop) == 40 * Fraction(fire), slug
        assert (units.force(troop, OPEN), units.percent(troop)) == (40 * force, breaking), slug


def drawn(seed: int) -> list[units.Troop]:
    rng = Random(f"figures {seed}")
    troops = men(rng, rng.choice(AGES), rng.choice((20, 300, 4000)), "A", rng.randint(1, 5))
    if rng.random() < 0.4:
        slugs = rng.sample(list(tables.ENGINES), rng.randint(1, 2))
        engines = [engine_of(slug, rng.randint(1, 400), rng, f"M{slug}", rng.choice(("land", "air"))) for slug in slugs]
        troops = engines + troops * rng.choice((0, 1))
    return troops


@pytest.mark.parametrize("seed", everyday(range(150), first=36))
def test_both_readings_have_the_same_figures_of_a_body(seed: int) -> None:
    troops = drawn(seed)
    theirs = [translate.unit(troop) for troop in troops]
    body = figures.body_figures(theirs, factor=seed % 3 + 1)
    armour = (0, 1, 5, 50, 150, 400)[seed % 6]
    for ground, charging in ((OPEN, True), (CLOSED, False)):
        terms = figures.Terms(charging, False, armour)
        for troop, unit in zip(troops, theirs, strict=True):
            assert figures.contact_power(unit, terms) == units.contact_power(troop, ground, armour), troop
            assert figures.fire_power(unit, terms) == units.fire_power(troop, armour), troop
            short = terms._replace(short=True)
            assert figures.fire_power(unit, short) == units.fire_power(troop, armour, contact=True), troop
            assert figures.unit_mobility(unit) == units.mobility(troop), troop
            assert figures.unit_breaking(unit) == units.percent(troop), troop
            assert figures.unit_force(unit) == units.force(troop, OPEN), troop
            for shooting in (False, True):
                assert figures.test_combat(unit, shooting) == units.test_rating(troop, shooting), troop
    percent, force = units.body_percent(troops), (seed % 3 + 1) * sum(units.force(troop, OPEN) for troop in troops)
    assert (body.force, body.breaking) == (force, percent)
    assert body.breaking_value == (None if percent is None else force * percent // 100)
    assert body.power == floor(sum(units.contact_power(troop, OPEN) for troop in troops))
    assert body.fire_power == floor(sum(units.fire_power(troop) for troop in troops))
    assert body.combat == units.body_combat(troops)
    assert body.contact_combat == units.body_test(troops, False)
    assert body.shot_combat == units.body_test(troops, True)
    assert body.defense == units.body_guard(troops, contact=False)
    assert body.contact_defense == units.body_guard(troops, contact=True)
    assert figures.armour_to_beat(theirs) == units.body_armour(troops)
    assert body.mobility == units.most_mobile(troops, without_pieces=False)
    assert body.range == units.strongest_arm(troops)[1]
