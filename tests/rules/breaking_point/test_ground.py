"""Ground and weather in the codex are those that hold in battles (BP-5, B-43)."""

from rules.breaking_point.battle.conditions import CONDITIONS, GROUND
from rules.breaking_point.battle.conditions import WEATHER as OF_WEATHER
from rules.breaking_point.ground import GROUNDS, WEATHER


def of(family):
    return {slug: kind.name for slug, kind in CONDITIONS.items() if kind.family == family}


def test_every_ground_of_a_battle_is_explained_and_open_ground_is_none():
    assert {slug: item.name for slug, item in GROUNDS.items() if slug != "open"} == of(GROUND)


def test_every_weather_of_a_battle_is_explained_b_43():
    assert {slug: item.name for slug, item in WEATHER.items()} == of(OF_WEATHER)
