"""The field of a hex battle: stacks, ids, folding, freezing, storing (H-4, H-8, H-11)."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from battles.codec.storage import get_keeper
from rules.core.dice import Rolled
from rules.core.frozen_copy import remembered
from rules.core.text import Term, say
from rules.core.viewers import OMNISCIENT
from rules.hexbattle.board import Counter
from rules.hexbattle.common import (
    ALL,
    Arrived,
    Destroyed,
    EffectBegan,
    EffectEnded,
    Hid,
    MapChanged,
    Moved,
    PhaseEnded,
    Placed,
    Revealed,
    SideReady,
    Silence,
    Started,
    WentOn,
    Withdrawn,
)
from rules.hexbattle.ending import End
from rules.hexbattle.field import Ended, Stumbled, Token, by_name, unit_id, unit_ids
from rules.hexbattle.ground import BOTH, Timer, by_hex, ending, on
from rules.hexbattle.law import COMMANDS, EVENTS
from rules.hexbattle.player import choices
from rules.hexbattle.seeing import board_of
from rules.hexbattle.setup import ChangeMap, Place, SetReady, Start
from rules.hexes.battlefields import STARTERS
from rules.hexes.mapfile import document
from tests.everyday import at_most
from tests.rules.hexbattle.conftest import NORTH, A, B, begun, do, opening, units
from tests.rules.hexbattle.patrol import PATROL, Opening, Pass

FOOT, HERO, SCOUT = units(A, 0, "Foot", "Hero", "Scout", hidden=("Scout",), characters=("Hero",))
LEVY = units(B, 1, "Levy")[0]
ALL_UNITS = (FOOT, HERO, SCOUT, LEVY)
FAR = {"Foot": "C9", "Hero": "C9", "Scout": "J10", "Levy": "C1"}
KEEPER = get_keeper(PATROL)


def stored(value):
    """As the database keeps it."""
    return json.loads(json.dumps(value))


def thawed(state):
    """The state after it was frozen, written, read and thawed, in a process that knows the opening only."""
    frozen = stored(KEEPER.dump_frozen(PATROL.freeze(state)))
    fresh = KEEPER.load_opening(stored(KEEPER.dump_opening(state.opening)))
    return PATROL.thaw(fresh, KEEPER.load_frozen(frozen))


def test_a_hex_holds_a_troop_and_characters():
    state, _ids = begun(FAR, *ALL_UNITS)
    field = state.field
    assert [token.name for token in field.at("C9")] == ["Foot", "Hero"]
    assert field.troop("C9").name == "Foot"
    assert [token.name for token in field.characters("C9")] == ["Hero"]
    assert [token.name for token in field.stack(HERO.id)] == ["Foot", "Hero"]
    assert field.at("A1") == ()
    assert field.troop("A1") is None
    beside = field.beside("C8", field.of_side(0))
    assert [token.name for token in beside] == ["Foot", "Hero"]


def test_h_8_ids_tell_neither_order_nor_number():
    ids = unit_ids("army", "salt", 40)
    assert len(set(ids)) == 40
    assert list(ids) != sorted(ids)
    assert all(id_.startswith("army:") and len(id_) == len("army:") + 6 for id_ in ids)
    assert unit_id("army", "salt", 3) == unit_id("army", "salt", 3) != unit_id("army", "pepper", 3)
    assert unit_ids("army", "salt", 2, 3) == unit_ids("army", "salt", 5)[3:]


def test_h_11_units_are_sorted_by_army_and_name_as_people_count_never_by_id():
    names = ["Foot 10", "foot 2", "Archers", "Foot 1"]
    tokens = units(A, 0, *names)
    assert [token.name for token in by_name(tokens)] == ["Archers", "Foot 1", "foot 2", "Foot 10"]


def test_h_4_a_frozen_field_holds_neither_the_map_nor_what_has_not_changed():
    state, _ids = begun(FAR, *ALL_UNITS)
    frozen = stored(KEEPER.dump_frozen(PATROL.freeze(state)))
    assert frozen["field"]["map"] == {}
    assert frozen["field"]["tokens"] == {}
    moved, _events = do(state, Pass())
    moved = PATROL.fold(moved, [Moved(FOOT.id, ("C9", "C8"), (0, 0))])
    frozen = stored(KEEPER.dump_frozen(PATROL.freeze(moved)))
    assert list(frozen["field"]["tokens"]) == [FOOT.id]
    assert thawed(moved) == moved


def test_h_4_a_painted_map_is_frozen_as_what_differs_from_the_opening():
    state = PATROL.open(opening(*ALL_UNITS))
    state, _events = do(state, ChangeMap({"command": "paint", "hexes": ["C5"], "terrain": "wood"}))
    frozen = stored(KEEPER.dump_frozen(PATROL.freeze(state)))
    assert frozen["field"]["map"] == {"terrain": {"4": "..w......."}}
    assert thawed(state) == state
    state, _events = do(state, ChangeMap({"command": "load_map", "map": document(STARTERS["the-ford"])}))
    assert thawed(state) == state
    assert thawed(state).field.ground.land == state.field.ground.land


def test_figures_stay_empty():
    state, _ids = begun(FAR, *ALL_UNITS)
    assert PATROL.figures(state) == {}


MIRE = Timer("mire", ("C5",), FOOT.id, 1, "end", 2, (("C5", "marsh"),))
EVENTS_TOLD = [
    Moved(FOOT.id, ("", "C8"), (0, None)), Arrived(LEVY, (True, False)), Destroyed(LEVY.id, "C1"),
    Withdrawn(HERO.id, "C9", how="fled"), EffectBegan(MIRE), EffectEnded(MIRE), PhaseEnded(BOTH, "end"),
    Hid(FOOT.id, ALL), Silence(),
    Revealed(SCOUT.id, "J10", (True, False), out=True), Stumbled(FOOT.id, 2, 1, ALL), WentOn(FOOT.id), Started(),
    Placed(FOOT.id, "C9"), Placed(FOOT.id, ""), SideReady(0, True), SideReady(1, False), Ended(None, "late"),
    Ended(1, "Late", by_gm=True), MapChanged("resize", {"columns": 9, "terrain": ["........."] * 9}, ()),
    MapChanged("paint", {"terrain": {"4": "|........."}}, ("A5",), (FOOT.id,), "Burnt.", ("bridge", "road"), "river"),
]  # fmt: skip
COMMANDS_GIVEN = [
    ChangeMap({"command": "paint", "at": "C5", "size": "3", "terrain": "wood"}), Place(FOOT.id, "C9"),
    Place(HERO.id, "C9"), Place(SCOUT.id, "J10"), Place(LEVY.id, "C1"), SetReady(0), Start(), End(0, "Late"),
]  # fmt: skip


def test_every_event_is_stored_read_back_and_told():
    assert {type(event) for event in EVENTS_TOLD} == set(get_args(EVENTS))
    read = KEEPER.load_events(stored(KEEPER.dump_events(EVENTS_TOLD)))
    assert repr(list(read)) == repr(EVENTS_TOLD)
    state, _ids = begun(FAR, *ALL_UNITS)
    told = [str(PATROL.describe(state, event).text) for event in EVENTS_TOLD]
    assert all(told)
    assert told[-1] == "A5: Bridge and Road becomes River. Burnt."
    assert told[0] == "Foot: onto the map and to C8."


def test_every_command_is_stored_and_read_back():
    assert {type(command) for command in COMMANDS_GIVEN} == set(get_args(COMMANDS))
    state = PATROL.open(opening(*ALL_UNITS))
    for command in COMMANDS_GIVEN:
        assert repr(KEEPER.load_command(stored(KEEPER.dump_command(command)))) == repr(command)
        state, _events = do(state, command)
    assert thawed(state) == state


def test_effects_lay_terrain_and_end_with_their_phase():
    state, _ids = begun(FAR, *ALL_UNITS)
    mire = MIRE
    fire = Timer("fire", ("C5",), "", 0, "end", 1, (("C5", "lake"),))
    state = PATROL.fold(state, [EffectBegan(mire), EffectBegan(fire)])
    assert state.field.ground.terrain("C5").slug == "lake"
    assert thawed(state) == state
    assert on(state.field.timers, "C5") == (mire, fire) == by_hex(state.field.timers)["C5"]
    state = PATROL.fold(state, [PhaseEnded(1, "move"), PhaseEnded(0, "end")])
    assert state.field.ground.terrain("C5").slug == "marsh", "what lay below is there again"
    state = PATROL.fold(state, [PhaseEnded(1, "end")])
    assert [timer.left for timer in state.field.timers] == [1]
    assert ending(state.field.timers, 1, "end") == state.field.timers
    assert PATROL.fold(state, [PhaseEnded(1, "end")]).field.ground.overlays == {}
    assert PATROL.fold(state, [EffectEnded(mire)]).field.timers == ()


def test_an_effect_ends_with_the_unit_it_is_on():
    state, _ids = begun(FAR, *ALL_UNITS)
    both = Timer("ward", (FOOT.id, HERO.id), "", 1, "end")
    alone = Timer("ward", (FOOT.id,), "", 1, "end")
    state = PATROL.fold(state, [EffectBegan(both), EffectBegan(alone), Destroyed(FOOT.id, "C9")])
    assert state.field.timers == (both._replace(on=(HERO.id,)),)
    assert [grave.at for grave in state.field.graves] == ["C9"]
    assert (state.field.tokens[FOOT.id].gone, state.field.at("C9")) == ("destroyed", (state.field.tokens[HERO.id],))


def test_who_joins_later_is_thawed_with_its_army():
    state, _ids = begun(FAR, *ALL_UNITS)
    state = PATROL.fold(state, [Arrived(Token("c:000001", "c", 1, "Late"))])
    assert state.field.armies == {A: 0, B: 1, "c": 1}
    assert thawed(state) == state


@settings(max_examples=at_most(8, full=60), deadline=None)
@given(st.randoms(use_true_random=False))
def test_every_legal_command_is_accepted_and_the_state_is_the_fold_of_its_events(random):
    state, _ids = begun(FAR, *ALL_UNITS)
    first, told = state, []
    for _step in range(6):
        found = choices(PATROL, state, OMNISCIENT, lambda seen, command, viewer: 0.0)
        state, events = do(state, random.choice(found).command)
        told += events
    assert PATROL.fold(first, KEEPER.load_events(stored(KEEPER.dump_events(told)))) == state
    assert thawed(state) == state


def test_dice_that_nobody_needs_are_refused():
    """`decide` finishes the dice of every command, of setup too."""

    class Finished(Rolled):
        done = False

        def finish(self):
            self.done = True

    dice = Finished()
    PATROL.decide(PATROL.open(Opening(opening().map, {A: 0, B: 1}, ())), Start(), dice, OMNISCIENT)
    assert dice.done


def test_a_field_is_a_value():
    state, _ids = begun(FAR, *ALL_UNITS)
    assert replace(state.field) == state.field
    assert state.field.put(FOOT.id, at="C8") != state.field
    assert state.field.tokens[FOOT.id].at == "C9"


def test_a_field_is_shown_as_a_board_of_what_its_reader_sees():
    state, _ids = begun(FAR, *ALL_UNITS)
    ward = Timer("ward", (FOOT.id,), "", 0, "end")
    state = PATROL.fold(state, [EffectBegan(MIRE), EffectBegan(ward), Destroyed(HERO.id, "C9")])
    seen = PATROL.seen(state, NORTH).field

    def counter(token):
        return Counter(token.id, token.army, token.side, token.name, token.at, "foot")

    board = board_of(seen, counter, lambda timer: say(Term(timer.effect)), last=("C9", "C8"))
    assert [(one.name, one.at) for one in board.counters] == [("Foot", "C9"), ("Levy", "C1")]
    assert [(one.hex, one.slug, one.left) for one in board.effects] == [("C5", "mire", 2), ("C9", "ward", 1)]
    assert (board.overlays, board.losses, board.last) == ({"C5": "marsh"}, (("C9", "Hero"),), ("C9", "C8"))


def test_what_follows_from_where_units_stand_is_forgotten_when_they_move():
    asked: list[int] = []

    @remembered
    def hexes(field, side):
        asked.append(side)
        return {token.at for token in field.of_side(side)}

    state, named = begun({"Reds": "C5", "Foe": "C2"}, *units(A, 0, "Reds"), *units(B, 1, "Foe"))
    field, one = state.field, state.field.tokens[named["Reds"]]
    before = hexes(field, 0)
    assert hexes(field.but(closed=True), 0) is before, "it doesn't go by anything else"
    moved = field.put(one.id, at="H1")
    assert hexes(moved, 0) == before - {one.at} | {"H1"}
    assert moved.troop("H1").id == one.id
    assert hexes(field, 1) != before
    assert asked == [0, 0, 1]
