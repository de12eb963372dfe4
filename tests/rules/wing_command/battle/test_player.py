"""The engine player: it plays whole battles by legal commands and its side's knowledge; the statistics of W-40."""

from __future__ import annotations

import pickle
from random import Random

import pytest

from rules.core.viewers import OMNISCIENT, Viewer
from rules.wing_command.battle.player import next_command
from rules.wing_command.battle.record import commands as c
from rules.wing_command.battle.record.state import ROUTED
from rules.wing_command.wing import WingTroop
from tests.everyday import everyday
from tests.rules.wing_command.fights import LAW, Table, army, begun, crown, horde, played, side_viewer, starter
from tests.rules.wing_command.random_fights import start
from tests.rules.wing_command.statistics import deep_meadows, passing, plain, series

BATTLES = 60
SLACK = 10
"""A bound is broken by more than 10 points: one standard deviation is 6."""


def next_of(now, side=0):
    viewer = side_viewer(now.state, side)
    return next_command(LAW.seen(now.state, viewer), viewer, Random("x"))


@pytest.mark.parametrize("map_", everyday(["the-ford", "meadows", "the-pass"], first=1))
def test_a_battle_of_the_sample_hosts_is_played_to_its_end(map_):
    state, commands, _events = played(begun(*crown(0), *horde(1), map_=starter(map_)), map_)
    assert state.field.ended is not None
    assert 40 < len(commands) < 900


@pytest.mark.parametrize("seed", everyday(range(3), first=1))
def test_it_plays_hosts_with_everything_the_law_knows(seed):
    state, _commands, _events = played(start(seed), str(seed))
    assert state.field.ended is not None


def test_the_same_seed_makes_the_same_battle():
    one = played(begun(*crown(0), *horde(1)), "same", most=60)
    other = played(begun(*crown(0), *horde(1)), "same", most=60)
    assert one[1] == other[1]


def test_it_does_nothing_for_whoever_commands_nothing_now():
    state = begun(*crown(0), *horde(1))
    state, _commands, _events = played(state, "x", most=3)
    stranger = Viewer(armies=frozenset({"z"}))
    assert next_command(LAW.seen(state, stranger), stranger, Random("x")) is None


def test_it_charges_from_two_hexes_and_orders_a_rout_to_rally():
    own, foe = army("a", 0, "riders:Reds", "foot:Blues"), army("b", 1, "foot:Foe")
    places = {"Reds": "C10", "Blues": "P14", "Foe": "C7", "Chief a": "A14", "Chief b": "P1"}
    now = Table(own, foe, places=places)
    command = next_of(now)
    assert command.attack == c.Strike(now.ids["Foe"], "melee")
    now.do(command)
    assert now.events[1].charged
    routed = Table(own, foe, places=places | {"Reds": "C14"}, phase="command").set("Reds", morale=ROUTED)
    assert next_of(routed) == c.Distribute(routed.ids["Chief a"])
    routed.do(next_of(routed), points=(6,))
    assert next_of(routed) == c.GiveOrder(routed.ids["Reds"])


def test_a_leader_keeps_near_the_troops():
    own, foe = army("a", 0, "foot:Reds"), army("b", 1, WingTroop("foot", "Foe"))
    now = Table(own, foe, places={"Reds": "C10", "Foe": "C3", "Chief a": "E12", "Chief b": "P1"})
    now.do(next_of(now))
    now.do(next_of(now))
    assert now.at("Chief a") == now.at("Reds")


def test_wc_t_10_two_hosts_that_hold_and_pass_never_meet_and_draw_at_the_limit():
    hosts = (*crown(0, order="hold"), *crown(1, order="hold"))
    state, _commands, events = played(begun(*hosts), "still", choosers=(standing, standing))
    assert (state.field.ended.winner, state.turn) == (None, 12)
    assert not [event for event in events if type(event).__name__ == "Attacked"]


def standing(state, viewer, random):
    """Passes, and lets every wing stand."""
    if state.phase == "action":
        return c.EndWing() if state.wing else next_command(state, viewer, random)
    return passing(state, viewer, random)


# W-40


def within(value: float, least: float, most: float) -> bool:
    return least - SLACK <= value <= most + SLACK


@pytest.mark.slow
def test_w_40_mirrored_hosts_on_open_ground():
    found = series(plain(), plain(), BATTLES, "mirrored")
    assert within(found.wins, 40, 60)
    assert 4 <= found.turns <= 8
    assert found.within >= 0.9
    assert within(found.lost, 40, 65)
    assert 35 <= found.melees <= 70
    assert 9 <= found.tests <= 15
    assert 0.2 <= found.failed <= 0.45, "a third of them failed"


@pytest.mark.slow
def test_w_40_the_ford_favors_neither_side():
    assert within(series(plain(), plain(), BATTLES, "ford", map_=starter("the-ford")).south, 40, 60)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "one", "other", "least", "most", "more"),
    [
        ("commands", {}, {}, 45, 75, {"choosers": (next_command, passing)}),
        ("morale", {"morale": 9}, {"morale": 7}, 45, 80, {}),
        ("melee", {"melee": 1}, {}, 65, 95, {}),
        ("abilities", {"abilities": "A", "order": "advance"}, {"abilities": "E", "order": "advance"}, 60, 95, {}),
        ("hold", {"order": "hold"}, {}, 3, 40, {}),
        ("deep", {"order": "hold"}, {}, 20, 75, {"map_": deep_meadows()}),
    ],
)
def test_w_40_what_makes_a_host_better(name, one, other, least, most, more):
    found = series(plain(**one), plain(**other), BATTLES, name, **more)
    assert within(found.wins, least, most), found.wins
    assert found.turns <= 12


@pytest.mark.slow
def test_w_40_crown_against_horde_on_meadows():
    assert within(series(crown, horde, BATTLES, "hosts", map_=starter("meadows")).wins, 45, 80)


def test_a_state_goes_to_another_process_with_what_was_worked_out_left_behind():
    """The engine weighs its moves in processes of their own."""
    state, _commands, _events = played(begun(*crown(0), *horde(1)), "away", most=8)
    next_command(state, side_viewer(state, state.side), Random("seed"))
    LAW.legal(state, OMNISCIENT)
    LAW.summary(state)
    assert state.memo
    assert state.field.memo
    there = pickle.loads(pickle.dumps(state))
    assert there == state
    assert not there.memo
    assert not there.field.memo


def test_w_32_it_brings_the_characters_of_a_new_wing_onto_the_map():
    """W-32: troops first; its commander joins a friend's hex within reach."""
    now = Table(army("a", 0, "foot:Reds"), army("b", 1, "foot:Foe"), places={"Reds": "C14", "Foe": "C1"})
    now.do(c.Reinforce(army("r", 0, "foot:Late", order="advance"), 0))
    now.ids |= {str(token.name): unit for unit, token in now.state.field.tokens.items()}
    now.state = now.state.but(wing="r")
    now.do(next_of(now))
    now.do(next_of(now))
    assert now.at("Late")
    assert now.at("Chief r") in {now.at("Late"), "C14"}
