"""Gifts of gods before the battle (TF-7): a dream of the enemy's list or deployment, a fog over a side's own."""

from __future__ import annotations

import pytest

from rules.core.errors import Refusal
from rules.core.viewers import ANYBODY, OMNISCIENT
from rules.hexbattle.common import ALL
from rules.hexbattle.setup import SetReady, Start
from rules.thucidide_fantasy.battle.record import commands as c
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.shown import board
from rules.thucidide_fantasy.contingent import ContingentCharacter
from tests.rules.thucidide_fantasy.fights import LAW, Loaded, army, deployed, do, opening, side_viewer

MAGE = ContingentCharacter("Mage", "caster", points=6, cards=("fear", "grove"))


def setup():
    """The second side has a caster; both are placed."""
    return deployed(LAW.open(opening(army("a", 0, "pike:Own"), army("b", 1, "pike:Foe", people=(MAGE,)))))


def piece(state, name):
    return next(token.id for token in state.field.tokens.values() if str(token.name) == name)


def seen(state, side):
    return LAW.seen(state, ANYBODY if side is None else side_viewer(state, side))


def sees_places(state, side):
    return bool(seen(state, side).at(piece(state, "Foe")))


def sees_cards(state, side):
    return bool(seen(state, side).people[piece(state, "Mage")].cards)


def ready(state):
    for side in (0, 1):
        state, _events = do(state, SetReady(side))
    return state


def hidden_zones(state, side):
    viewer = ANYBODY if side is None else side_viewer(state, side)
    return [one.side for one in board(seen(state, side), viewer).hidden]


def test_a_dream_shows_one_side_where_the_enemy_is_set_up():
    state = setup()
    assert not sees_places(state, 0)
    dreaming, _events = do(state, c.RevealEnemy(0, "deployment"))
    assert [sees_places(dreaming, side) for side in (0, 1, None)] == [True, True, False]
    assert not seen(dreaming, 1).at(piece(state, "Own")), "the other side dreams of nothing"
    assert [hidden_zones(dreaming, side) for side in (0, 1, None)] == [[], [0], [0, 1]]
    assert not sees_cards(dreaming, 0)
    assert not sees_places(do(dreaming, c.RevealEnemy(0, "deployment", on=False))[0], 0)


def test_a_dream_of_the_list_shows_cards_until_the_battle_begins_and_the_log_keeps_them():
    state, _events = do(setup(), c.RevealEnemy(0, "list"))
    assert [sees_cards(state, side) for side in (0, 1, None)] == [True, True, False]
    assert not sees_places(state, 0)
    state, _events = do(state, c.ChooseCards(piece(state, "Mage"), ("terror",)))
    assert seen(state, 0).people[piece(state, "Mage")].cards == ("terror",)
    begun, events = do(state, Start(), Loaded(lot=(6, 1)))
    assert [sees_cards(begun, side) for side in (0, 1, None)] == [False, True, False]
    (told,) = [event for event in events if isinstance(event, e.CardsDreamt)]
    assert told == e.CardsDreamt(piece(state, "Mage"), ("terror",), 6, (True, False))
    for side, knows in ((0, True), (1, False), (None, False)):
        viewer = ANYBODY if side is None else side_viewer(begun, side)
        assert (LAW.witnessed(seen(begun, side), told, viewer) is not None) is knows
    assert "Mage" in str(LAW.describe(begun, told).text)


def test_nobody_but_its_side_is_told_of_a_dream():
    state, (event, *_silence) = do(setup(), c.RevealEnemy(1, "list"))
    assert event == e.DreamSent(1, "list", True, (False, True))
    assert [seen(state, side).dreams for side in (0, 1, None)] == [((), ()), ((), ("list",)), ((), ())]
    assert LAW.witnessed(seen(state, 0), event, side_viewer(state, 0)) is None


def test_a_fog_hides_a_side_until_the_battle_begins_and_everybody_is_told_of_it():
    state, (event,) = do(setup(), c.SealDeployment(1))
    assert getattr(event, "seen", ALL) == ALL
    state = ready(state)
    assert [sees_places(state, side) for side in (0, 1, None)] == [False, True, False]
    assert seen(state, 1).at(piece(state, "Own")), "the other side is set up in the open"
    assert [hidden_zones(state, side) for side in (0, 1, None)] == [[1], [], [1]]
    assert sees_places(do(state, c.SealDeployment(1, on=False))[0], 0)
    begun, _events = do(state, Start(), Loaded(lot=(6, 1)))
    assert sees_places(begun, 0)


def test_a_dream_sees_through_a_fog():
    state, _events = do(setup(), c.SealDeployment(1))
    state, _events = do(ready(state), c.RevealEnemy(0, "deployment"))
    assert [sees_places(state, side) for side in (0, None)] == [True, False]


def test_gifts_given_twice_change_nothing_and_are_kept():
    state, _events = do(setup(), c.SealDeployment(1))
    state, _events = do(state, c.RevealEnemy(0, "list"))
    assert do(state, c.SealDeployment(1))[1] == do(state, c.RevealEnemy(0, "list"))[1] == ()
    thawed = LAW.thaw(state.opening, LAW.freeze(state))
    assert (thawed.sealed, thawed.dreams) == ((False, True), (("list",), ()))


@pytest.mark.parametrize("command", [c.RevealEnemy(0, "list"), c.SealDeployment(0)])
def test_gifts_are_the_gms_and_given_before_the_battle(command):
    state = setup()
    assert LAW.allows(state, command, OMNISCIENT)
    assert not LAW.allows(state, command, side_viewer(state, 0))
    assert {"reveal", "seal"} <= set(LAW.legal(state, OMNISCIENT).commands)
    assert not {"reveal", "seal"} & set(LAW.legal(seen(state, 0), side_viewer(state, 0)).commands)
    with pytest.raises(Refusal, match="Must be side 0 or 1"):
        do(state, command._replace(side=2))
    begun, _events = do(state, Start(), Loaded(lot=(6, 1)))
    with pytest.raises(Refusal, match="has begun already"):
        do(begun, command)


def test_a_dream_is_of_the_list_or_the_deployment():
    with pytest.raises(Refusal, match="Choose one of: list, deployment"):
        do(setup(), c.RevealEnemy(0, "purse"))
