"""Battles of patrols to try things on."""

from __future__ import annotations

from rules.core.dice import Rolled
from rules.core.viewers import OMNISCIENT, Viewer
from rules.hexbattle.common import Silence
from rules.hexbattle.field import Token, unit_ids
from rules.hexbattle.setup import Place, Start
from rules.hexes.mapfile import blank, document
from rules.hexes.terrain import MapKind
from tests.rules.hexbattle.patrol import PATROL, Opening

A, B = "a", "b"  # the armies of the first and the second side
SOUTH, NORTH, NOBODY = Viewer(armies=frozenset({A})), Viewer(armies=frozenset({B})), Viewer()


def field_map(rows=None, columns=10, **members):
    base = document(blank("Field", MapKind.BATTLE, columns, len(rows) if rows else 10))
    return base | ({"terrain": rows} if rows else {}) | members


def units(army, side, *names, hidden=(), characters=(), owner=""):
    ids = unit_ids(army, "salt", len(names))
    return tuple(
        Token(id_, army, side, name, hidden=name in hidden, character=name in characters, owner=owner)
        for id_, name in zip(ids, names, strict=True)
    )


def opening(*tokens, **map_members):
    return Opening(field_map(**map_members), {A: 0, B: 1}, tokens)


def do(state, command, viewer=OMNISCIENT):
    """The state after a command, and its events."""
    events = PATROL.decide(state, command, Rolled(), viewer)
    told = tuple(event for event in events if not isinstance(event, Silence))
    return PATROL.fold(state, events), told


def begun(places, *tokens, **map_members):
    """A battle that has begun, its units where they are told, by name, whatever the zones are."""
    named = {token.name: token.id for token in tokens}
    given = tuple(token._replace(at=places[token.name]) for token in tokens)
    state = PATROL.open(opening(*given, **map_members))
    state, _events = do(state, Start())
    return state, named


def placed(state, **places):
    for token in list(state.field.tokens.values()):
        if token.name in places:
            state, _events = do(state, Place(token.id, places[token.name]))
    return state
