"""The engine player: whole battles by legal commands and its side's knowledge; how fast; statistics of T-42, T-43."""

from __future__ import annotations

from random import Random
from statistics import median
from time import process_time

import pytest

from rules.core.viewers import Viewer
from rules.thucidide_fantasy.battle.player import next_command
from rules.thucidide_fantasy.battle.record import commands as c
from rules.thucidide_fantasy.battle.record.state import FantasyState
from rules.thucidide_fantasy.contingent import REALM, ContingentCharacter, ContingentUnit
from tests.everyday import everyday
from tests.rules.thucidide_fantasy.fights import (
    LAW,
    Loaded,
    Table,
    army,
    begun,
    dark_host,
    host,
    played,
    realm,
    side_viewer,
    starter,
)
from tests.rules.thucidide_fantasy.random_fights import start

BATTLES = 100
SLACK = 10
"""A bound is broken by more than 10 points: one standard deviation is 5."""


@pytest.mark.parametrize("map_", everyday(["the-ford", "meadows", "the-pass"], first=1))
def test_a_battle_of_the_sample_hosts_is_played_to_its_end(map_):
    state, commands, _events = played(begun(realm(0), dark_host(1), map_=starter(map_)), map_)
    assert state.field.ended is not None
    assert 40 < len(commands) < 500


@pytest.mark.parametrize("seed", everyday(range(4), first=2))
def test_it_plays_hosts_with_everything_the_law_knows(seed):
    state, _commands, _events = played(start(seed), str(seed))
    assert state.field.ended is not None


def test_t_7_it_orders_no_reconnaissance_after_a_character_has_been_activated():
    """TF-1.13: two characters are activated for free, but reconnaissance comes first."""
    state = begun(realm(0), dark_host(1))
    viewer = side_viewer(state, 0)
    order = c.GiveOrder("reconnaissance")
    assert next_command(LAW.seen(state, viewer), viewer, Random(1)) == order
    mage = next(one for one, own in state.people.items() if own.own.casts and state.side_of(one) == 0)
    state = LAW.fold(state, LAW.decide(state, c.ActivateUnits(None, (), (mage,)), Loaded(), viewer))
    found = next_command(LAW.seen(state, viewer), viewer, Random(1))
    assert found != order
    LAW.decide(state, found, Loaded(), viewer)


def test_the_same_seed_makes_the_same_battle():
    one = played(begun(realm(0), dark_host(1)), "same", most=60)
    other = played(begun(realm(0), dark_host(1)), "same", most=60)
    assert one[1] == other[1]


@pytest.mark.parametrize("seed", everyday(range(2), first=1))
def test_what_is_remembered_is_what_would_be_worked_out_anew(seed, monkeypatch):
    before = start(seed)
    _state, commands, events = played(before, "memory", most=70)
    monkeypatch.setattr(FantasyState, "memo", property(lambda _state: {}))
    _state, again, told = played(before, "memory", most=70)
    assert again == commands
    assert told == events


def test_it_does_nothing_for_whoever_commands_nothing_now():
    state = begun(realm(0), dark_host(1))
    stranger = Viewer(armies=frozenset({"z"}))
    assert next_command(LAW.seen(state, stranger), stranger, Random("x")) is None


def test_it_answers_what_is_asked_of_its_side():
    mage = ContingentCharacter("Mage", "caster")
    now = Table(army("a", 0, "pike:Own"), army("b", 1, "pike:Foe", people=(mage,)),
                places={"Own": "E6", "Foe": "M9", "Mage": "E5", "Chief a": "A11", "Chief b": "M1"})  # fmt: skip
    now.attack("Own", "Mage")
    viewer = side_viewer(now.state, 1)
    command = next_command(LAW.seen(now.state, viewer), viewer, Random("x"))
    assert command == c.FleeTo(now.id("Mage"), now.state.fight.options[0])


def test_it_attacks_where_that_does_most():
    now = Table(army("a", 0, "pike:Own"), army("b", 1, "foot-light:Weak", "mammoth:Strong"),
                places={"Own": "E6", "Weak": "E5", "Strong": "F5", "Chief a": "A11", "Chief b": "M1"})  # fmt: skip
    viewer = side_viewer(now.state, 0)
    command = next_command(LAW.seen(now.state, viewer), viewer, Random("x"))
    assert command == c.OpenMelee(now.id("Own"), now.id("Weak"))


@pytest.mark.slow
def test_a_battle_of_nine_a_side_takes_little_time():
    """20 ms on a quiet machine, measured against a loop of additions that takes 35 ms there."""
    state = begun(realm(0), dark_host(1))
    played(state, "warm")
    began = process_time()
    for seed in range(10):
        played(state, str(seed))
    mean = (process_time() - began) / 10
    began = process_time()
    total = 0
    for number in range(1_000_000):
        total += number
    assert total
    assert mean / (process_time() - began) < 2 * 20 / 35


# Statistics (T-42, T-43): wins of the first named, in percent


def wins(first, second, *, map_=None, battles=BATTLES, most_moves_first=None):
    """Battles with sides and the first turn changing places; a draw is half a win."""
    score, turns, draws = 0.0, [], 0
    for number in range(battles):
        side = number % 2
        armies = (first(side), second(1 - side))
        lot = ((6, 1), (1, 6))[number // 2 % 2]
        state = begun(*sorted(armies, key=lambda one: one.side), lot=lot, map_=map_)
        state, _commands, _events = played(state, str(number))
        winner = state.field.ended.winner
        score += 0.5 if winner is None else winner == side
        draws += winner is None
        turns.append(state.turn)
    return 100 * score / battles, median(turns), draws


def plain(side, **more):
    """The Realm without its caster."""
    return realm(side, casters=False, **more)


def changed(side, drop=0, add=(), people=()):
    """The plain Realm with other units or heroes."""
    units = (*REALM.sheet.units[drop:], *(ContingentUnit(slug) for slug in add))
    sheet = REALM.sheet._replace(units=units, characters=people)
    return host(REALM._replace(sheet=sheet), side)


def within(found, low, high):
    assert low - SLACK <= found <= high + SLACK


@pytest.mark.slow
def test_t_43_mirrored_battles_are_even():
    share, turns, draws = wins(plain, plain)
    within(share, 38, 62)
    assert 5 - 1 <= turns <= 8 + 1
    assert draws <= BATTLES / 10 + SLACK


@pytest.mark.slow
@pytest.mark.parametrize(("experience", "low", "high"), [("elite", 57, 83), ("guard", 78, 96), ("recruits", 5, 33)])
def test_t_43_experience(experience, low, high):
    within(wins(lambda side: plain(side, experience=experience), plain)[0], low, high)


@pytest.mark.slow
def test_t_43_a_caster_against_none_and_casters_on_both_sides():
    within(wins(realm, plain)[0], 53, 78)
    within(wins(realm, realm)[0], 38, 64)


@pytest.mark.slow
def test_t_43_a_hero_of_two_dice():
    hero = ContingentCharacter("Hero", "hero", "medium", melee=2, resistance=3)
    within(wins(lambda side: changed(side, people=(hero,)), plain)[0], 48, 80)


@pytest.mark.slow
def test_t_43_a_dragon_for_a_foot_medium():
    assert wins(lambda side: changed(side, 1, ("dragon",)), plain)[0] > 75 - SLACK


@pytest.mark.slow
def test_t_42_one_unit_more_and_the_next_bracket():
    within(wins(plain, lambda side: changed(side, 1))[0], 42, 72)
    within(wins(lambda side: changed(side, 0, ("foot-medium",)), plain)[0], 68, 92)


@pytest.mark.slow
def test_t_43_realm_against_dark_host():
    share, turns, _draws = wins(realm, dark_host)
    within(share, 27, 72)
    assert 4 - 1 <= turns <= 7 + 1
