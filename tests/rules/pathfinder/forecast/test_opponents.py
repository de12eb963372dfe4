"""The engine at the head of a side (PF-3.5): legal orders from what the side may know, the same for the same seed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from core.text import render
from rules.core.dice import Rolled
from rules.core.odds import AboutOdds
from rules.law import Viewer
from rules.odds.opponents import LEANINGS, proposals_of
from rules.odds.viewer_forecast import FieldNow
from rules.pathfinder.battle.decide import decide
from rules.pathfinder.battle.orders.commands import GiveOrder, Resolve
from rules.pathfinder.battle.state.battle_state import MELEE, Order, changed
from rules.pathfinder.forecast.choices import carried_out
from tests.everyday import FEW
from tests.scenario import Scenario, order, scenario

GM = Viewer(gm=True)
ENGINE = Viewer(armies=frozenset("B"), reads=frozenset("B"))


@pytest.fixture
def few(monkeypatch):
    """Few battles thrown: enough where what is proposed is not what is asked about."""
    for (room, name), count in FEW.items():
        monkeypatch.setattr(room, name, count)


def duel(phase: str = "melee", **foe: Any) -> Scenario:
    return scenario().army("A").army("B", **foe).until(phase)


def proposed(s: Scenario, leaning: str = "balanced", viewer: Viewer = ENGINE, seed: str = "seed") -> Any:
    state = s.state
    law = state.law.battle
    now = FieldNow(state.law.slug, {}, state.opening, law.freeze(state))
    return proposals_of(now, 1, leaning, viewer, seed)  # type: ignore[arg-type]


@pytest.mark.parametrize("leaning", LEANINGS)
@pytest.mark.parametrize("phase", ["tactics", "melee"])
def test_every_order_it_proposes_may_be_given(leaning, phase):
    s = duel(phase)
    (found,) = proposed(s, leaning)
    assert found.army == "B"
    assert render(found.why)
    assert decide(s.state, found.command, Rolled(), GM)
    named = found.command.order
    assert (named.tactic if phase == "tactics" else named.strategy) is not None


def test_an_army_that_has_its_order_keeps_it():
    s = duel()
    given = changed(s.state, orders={"B": Order("B", strategy="aggressive")})
    assert tuple(given.law.battle.forecast.proposals(given, 1, "bold", ENGINE, "seed")) == ()
    assert [found.army for found in given.law.battle.forecast.proposals(given, 0, "bold", GM, "seed")] == ["A"]


@pytest.mark.usefixtures("few")
def test_it_never_uses_the_secret_orders_of_others():
    """Two worlds that differ in nothing but what the other has ordered in secret: the same proposals, in words too."""
    s = duel()
    found = set()
    for strategy in (None, "reckless"):
        secret = {"A": Order("A", strategy=strategy, hold_the_line=True)} if strategy else {}
        world = changed(s.state, orders=secret)
        law = world.law.battle
        now = FieldNow(world.law.slug, {}, world.opening, law.freeze(world))
        for leaning in LEANINGS:
            (proposal,) = proposals_of(now, 1, leaning, ENGINE, "seed")
            found.add((leaning, proposal.command, render(proposal.why)))
    assert len(found) == len(LEANINGS)


def test_it_never_uses_hidden_figures_of_others():
    """Of an army whose sheet it does not read its morale is hidden: two that look alike are answered alike."""
    worlds = [scenario().army("A", morale=morale).army("B").until("melee") for morale in (0, 4)]
    assert proposed(worlds[0], "cautious") == proposed(worlds[1], "cautious")


def test_the_same_seed_draws_the_same():
    s = duel()
    assert proposed(s, seed="one") == proposed(s, seed="one")


@pytest.mark.usefixtures("few")
def test_of_several_enemies_it_turns_on_the_one_against_whom_its_side_wins_most():
    s = scenario().army("A1").army("A2").army("B").until("melee")
    s.override("A2", "hp", 8)
    viewer = Viewer(armies=frozenset("B"), reads=frozenset(("A1", "A2", "B")))
    (found,) = proposed(s, "bold", viewer)
    worth = {}
    for foe in ("A1", "A2"):
        asked = AboutOdds(commands=(GiveOrder(Order("B", target=foe)),), battles=300)
        worth[foe] = s.state.law.battle.forecast.odds(s.state, asked, viewer).sides[1].win
    assert found.command.order.target == max(worth, key=worth.__getitem__)
    assert f"targets {found.command.order.target} (side’s chance to win" in render(found.why)


@pytest.mark.usefixtures("few")
def test_a_side_of_several_gets_an_order_each():
    s = scenario().army("A").army("B1").army("B2").until("melee")
    viewer = Viewer(armies=frozenset(("B1", "B2")), reads=frozenset(("B1", "B2")))
    assert [found.army for found in proposed(s, "cautious", viewer)] == ["B1", "B2"]


def test_orders_are_carried_out_by_resolving():
    law = duel().state.law.battle.forecast
    assert law.carries_out(Resolve())
    assert not law.carries_out(GiveOrder(Order("A")))


def test_what_others_were_ordered_shows_when_the_phase_is_resolved():
    """PF-3.5: what they choose is told to everybody; their own orders they know themselves."""
    s = duel()
    before = s.state
    s.melee(A=order(strategy="aggressive"), B=order(strategy="cautious"), dice={"A attack": 2, "B attack": 2})
    told = {command.order.army: command.order for command in carried_out(before, s.events, ENGINE)}
    assert set(told) == {"A"}
    assert told["A"].strategy == "aggressive"
    assert before.phase.kind == MELEE
    assert replace(told["A"], strategy=None, target=Order("A").target) == Order("A")
