"""The engine player and threats."""

from __future__ import annotations

from fractions import Fraction

from rules.core.dice import Rolled
from rules.core.text import _
from rules.hexbattle.board import Piece, Threat
from rules.hexbattle.choosing import threats
from rules.hexbattle.ground import apart
from rules.hexbattle.player import accepted, acts, choices, chosen, play
from tests.rules.hexbattle.conftest import SOUTH, A, B, begun, units
from tests.rules.hexbattle.patrol import PATROL, March, Pass

FOOT, HERO = units(A, 0, "Foot", "Hero", characters=("Hero",))
LEVY, SPY = units(B, 1, "Levy", "Spy", hidden=("Spy",))
ALL = (FOOT, HERO, LEVY, SPY)
PLACES = {"Foot": "C9", "Hero": "C9", "Levy": "C1", "Spy": "J1"}


def nearer(seen, command, viewer):
    """Nearer the levy is better; passing is worst."""
    return -100.0 if isinstance(command, Pass) else -float(apart(command.path[-1], "C1"))


def test_every_act_of_a_unit_that_legal_offers_is_accepted():
    state, _ids = begun(PLACES, *ALL)
    found = list(acts(PATROL, PATROL.seen(state, SOUTH), SOUTH, FOOT.id))
    assert len(found) > 20
    assert all(accepted(PATROL, state, SOUTH, command, Rolled()) for command in found)
    assert not accepted(PATROL, state, SOUTH, March(LEVY.id, ("C1", "C2")), Rolled())
    assert list(acts(PATROL, PATROL.seen(state, SOUTH), SOUTH, LEVY.id)) == []


def test_what_legal_offers_a_side_is_accepted_whatever_it_does_not_see():
    """An unseen enemy in the way makes no command refused: the unit stumbles."""
    state, _ids = begun({**PLACES, "Spy": "C6"}, *ALL)
    assert SPY.id not in PATROL.seen(state, SOUTH).field.tokens
    found = [one.command for one in choices(PATROL, state, SOUTH, nearer)]
    assert any("C6" in getattr(command, "path", ()) for command in found)
    assert all(accepted(PATROL, state, SOUTH, command, Rolled()) for command in found)


def test_the_best_command_is_chosen_and_among_equals_by_the_seed():
    state, _ids = begun(PLACES, *ALL)
    found = choices(PATROL, state, SOUTH, nearer)
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    best = chosen(PATROL, state, SOUTH, nearer, "seed")
    assert nearer(None, best, SOUTH) == found[0].score
    assert chosen(PATROL, state, SOUTH, nearer, "seed") == best
    level = {repr(chosen(PATROL, state, SOUTH, lambda *_all: 0.0, f"{seed}")) for seed in range(12)}
    assert len(level) > 3


def test_a_side_is_played_until_nothing_is_its_to_do():
    state, _ids = begun(PLACES, *ALL)
    done = play(PATROL, state, SOUTH, nearer, Rolled, "seed", until=lambda now: False)
    assert len(done.commands) == 1
    assert done.state.turn == 1
    assert PATROL.fold(state, done.events) == done.state
    again = play(PATROL, state, SOUTH, nearer, Rolled, "seed", until=lambda now: False)
    assert again.commands == done.commands
    assert play(PATROL, state, SOUTH, nearer, Rolled, "x", until=lambda now: True).commands == ()


def test_threats_are_the_worst_attack_of_each_enemy_from_where_it_can_come():
    state, _ids = begun(PLACES, *ALL)
    seen = PATROL.seen(state, SOUTH).field

    def blow(enemy, source):
        if apart(source, "C5") != 1:
            return None
        hit = Fraction(1, 2) if source == "C4" else Fraction(1, 6)
        pieces = (Piece("none", _("No effect"), 1 - hit), Piece("hit", _("Hit"), hit))
        return Threat(enemy.id, enemy.name, source, "2D6", pieces)

    (threat,) = threats(seen, seen.enemies(0), lambda enemy: PATROL.mover(seen, enemy), blow)
    assert (threat.unit, threat.note) == (LEVY.id, "C4")
    assert threats(seen, seen.enemies(0), lambda enemy: None, blow) == (), "who can't move, from its hex only"
