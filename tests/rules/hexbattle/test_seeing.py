"""What sides see, are told and know the names of (H-5, H-6, H-7, HX-10.5)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rules.core.errors import IllegalCommand, InvalidInput
from rules.core.viewers import OMNISCIENT, Viewer
from rules.hexbattle.choosing import march
from rules.hexbattle.common import Destroyed, Hid, Moved, Placed, Revealed, Stumbled, name_of
from rules.hexbattle.field import Grave, distinct_army_names
from rules.hexbattle.ground import Timer
from rules.hexbattle.moving import way_of
from rules.hexbattle.seeing import check_named, seen_from, sides_of, unseen
from rules.hexbattle.setup import SetReady, Start
from rules.pending import AnswerCommand
from tests.everyday import at_most
from tests.rules.hexbattle.conftest import NOBODY, NORTH, SOUTH, A, B, begun, do, opening, placed, units
from tests.rules.hexbattle.patrol import PATROL, March, Pass, TurnPassed

FOOT, SCOUT = units(A, 0, "Foot", "Scout", hidden=("Scout",))
LEVY, SPY = units(B, 1, "Levy", "Spy", hidden=("Spy",))
ALL = (FOOT, SCOUT, LEVY, SPY)
FAR = {"Foot": "A10", "Scout": "J10", "Levy": "A1", "Spy": "J1"}


def field(viewer, state):
    return PATROL.seen(state, viewer).field


def names(viewer, state):
    return sorted(token.name for token in field(viewer, state).tokens.values())


def story(state, events, viewer):
    seen = PATROL.seen(state, viewer)
    told = [PATROL.witnessed(seen, event, viewer) for event in events]
    return [str(PATROL.describe(seen, event).text) for event in told if event is not None]


def test_hx_10_5_an_unseen_unit_is_not_in_what_the_enemy_is_shown():
    state, _ids = begun(FAR, *ALL)
    assert names(SOUTH, state) == ["Foot", "Levy", "Scout"]
    assert names(NORTH, state) == ["Foot", "Levy", "Spy"]
    assert names(NOBODY, state) == ["Foot", "Levy"]
    assert (
        names(OMNISCIENT, state) == names(Viewer(armies=frozenset({A, B})), state) == ["Foot", "Levy", "Scout", "Spy"]
    )
    assert names(Viewer(user="u1"), state) == ["Foot", "Levy"]


@pytest.mark.parametrize(
    "told", [lambda unit: {"spy": unit}, lambda unit: {"of": ({"more": (unit,)},)}, lambda unit: {unit: 1}],
    ids=["plain", "deep", "key"],
)  # fmt: skip
def test_hx_10_5_who_names_an_unseen_unit_hears_what_is_said_of_nobody(told):
    """Wherever in the command; the GM and its own side may name it."""
    state, _ids = begun(FAR, *ALL)

    def check(viewer, unit):
        command = AnswerCommand("x", answers=told(unit))
        check_named(state.field, command, viewer, lambda: field(viewer, state))

    for unit in (SPY.id, f"{B}:000000"):
        with pytest.raises(InvalidInput, match="isn’t in the battle"):
            check(SOUTH, unit)
    for viewer, unit in ((OMNISCIENT, SPY.id), (NORTH, SPY.id), (SOUTH, LEVY.id), (SOUTH, "c:000000")):
        check(viewer, unit)


def test_a_hidden_unit_is_seen_from_near_whatever_lies_between():
    near, _ids = begun({**FAR, "Foot": "J3"}, *ALL)
    assert unseen(near.field, 0) == frozenset()
    far, _ids = begun({**FAR, "Foot": "J4"}, *ALL)
    assert unseen(far.field, 0) == {SPY.id}
    assert unseen(far.field, 0, within=3) == frozenset()


def test_who_owns_one_unit_sees_with_its_side():
    owned = FOOT._replace(owner="u7")
    state, _ids = begun(FAR, owned, SCOUT, LEVY, SPY)
    assert sides_of(state.field, Viewer(user="u7")) == {0}
    assert names(Viewer(user="u7"), state) == ["Foot", "Levy", "Scout"]


def test_a_unit_that_fights_for_the_enemy_shows_its_owner_nothing():
    state, _ids = begun(FAR, *ALL)
    turned = state.field.put(FOOT.id, side=1)
    assert sides_of(turned, SOUTH) == {0}


def test_placements_are_secret_until_both_sides_are_ready():
    state = placed(PATROL.open(opening(*ALL)), **FAR)
    assert {token.at for token in field(SOUTH, state).of_side(1)} == {""}
    assert {token.at for token in field(NOBODY, state).tokens.values()} == {""}
    assert PATROL.witnessed(state, Placed(LEVY.id, "A1"), SOUTH) is None
    assert PATROL.witnessed(state, Placed(LEVY.id, "A1"), NORTH)
    state, _events = do(do(state, SetReady(0))[0], SetReady(1))
    assert field(SOUTH, state).tokens[LEVY.id].at == "A1"


def test_h_6_an_event_says_itself_who_saw_it_and_what_was_told_stays_told():
    state, _ids = begun({**FAR, "Foot": "J4"}, *ALL)
    moved = Moved(SPY.id, ("J1", "J2", "I2"), (1, 0))
    assert PATROL.witnessed(state, moved, SOUTH) == moved._replace(path=("J2", "I2"))
    assert PATROL.witnessed(state, moved, NORTH) == PATROL.witnessed(state, moved, OMNISCIENT) == moved
    assert PATROL.witnessed(state, moved, NOBODY).path == ("J2", "I2")
    unnoticed = moved._replace(seen=(None, 0))
    assert [PATROL.witnessed(state, unnoticed, viewer) for viewer in (SOUTH, NOBODY)] == [None, None]
    later, _events = do(state, Pass())
    out = PATROL.fold(later, [Revealed(SPY.id, "H2", (True, True), out=True)])
    assert PATROL.witnessed(PATROL.seen(out, SOUTH), unnoticed, SOUTH) is None, "a later reveal rewrites no line"
    gone = PATROL.fold(out, [Hid(SPY.id, (False, True)), Moved(SPY.id, ("H2", "A1"), (None, 0))])
    assert PATROL.witnessed(PATROL.seen(gone, SOUTH), moved, SOUTH).path == ("J2", "I2")


def test_h_6_a_move_is_seen_from_where_it_comes_into_sight():
    state, _ids = begun({**FAR, "Foot": "J4"}, *ALL)
    state, events = do(do(state, Pass())[0], March(SPY.id, ("I1", "I2", "J2")))
    assert events == (Moved(SPY.id, ("J1", "I1", "I2", "J2"), (2, 0)), TurnPassed(0))
    assert story(state, events[:1], SOUTH) == ["Spy: move from I2 to J2."]
    assert story(state, events[:1], NORTH) == ["Spy: move from J1 to J2."]
    state, events = do(do(state, Pass())[0], March(SPY.id, ("J1",)))
    assert events[0].seen == (None, 0), "out of sight again"
    assert state.field.met[0] == {SPY.id}
    unhidden, _ids = begun(FAR, *ALL)
    assert do(unhidden, March(FOOT.id, ("A9",)))[1][0].seen == (0, 0)


def test_h_7_who_is_found_on_the_way_is_met_though_out_of_sight_at_its_end():
    state, _ids = begun({**FAR, "Foot": "F7", "Spy": "C7"}, *ALL)
    state, events = do(state, March(FOOT.id, ("E7", "E6")))
    assert [event for event in events if isinstance(event, Revealed)] == [Revealed(SPY.id, "C7")]
    assert SPY.id not in field(SOUTH, state).tokens
    assert name_of(field(SOUTH, state), SPY.id) == "Spy"


def test_h_7_whoever_sees_a_move_has_met_the_unit():
    state, _ids = begun(FAR, *ALL)
    seen = PATROL.fold(state, [Moved(SPY.id, ("J1", "I1"), (1, 0))])
    unnoticed = PATROL.fold(state, [Moved(SPY.id, ("J1", "I1"), (None, 0))])
    assert [now.field.met[0] for now in (seen, unnoticed)] == [{SPY.id}, frozenset()]


def test_h_6_a_path_is_seen_from_where_it_is_seen_to_its_end():
    assert seen_from([True, True, True]) == 0
    assert seen_from([True, False, True, True]) == 2
    assert seen_from([True, True, False]) is None
    assert seen_from([]) is None


def test_h_7_a_side_knows_a_name_once_it_has_seen_the_unit_for_good():
    state, _ids = begun(FAR, *ALL)
    assert str(name_of(field(SOUTH, state), SPY.id)) == "an unseen unit"
    state = PATROL.fold(state, [Revealed(SPY.id, "J1", (True, True))])
    assert state.field.met == (frozenset({SPY.id}), frozenset())
    assert SPY.id not in field(SOUTH, state).tokens, "seen once, not now"
    assert name_of(field(SOUTH, state), SPY.id) == "Spy"
    assert name_of(field(NOBODY, state), SPY.id) == "Spy", "who is on no side knows what all sides know"
    assert field(NORTH, state).met == (frozenset(), frozenset()), "whom the enemy has met is not told"


def test_units_of_one_name_are_told_with_their_army_where_the_reader_knows_both():
    state, _ids = begun(FAR, *ALL)
    named = state.field.put(SCOUT.id, name="Spy").but(army_names={A: "Host", B: "Horde"})
    state = replace(state, field=named)
    assert name_of(state.field, SCOUT.id) == "Spy (Host)"
    assert name_of(state.field, SPY.id) == "Spy (Horde)"
    assert name_of(state.field, FOOT.id) == "Foot"
    assert name_of(state.field, SPY.id, in_side=True) == "Spy", "no army of its side has another"
    assert name_of(field(SOUTH, state), SCOUT.id) == "Spy", "nothing tells of an enemy that was never met"
    state = PATROL.fold(state, [Revealed(SPY.id, "J1", (True, True))])
    south = field(SOUTH, state)
    assert SPY.id not in south.tokens, "seen once, not now"
    assert [name_of(south, one.id) for one in (SCOUT, SPY)] == ["Spy (Host)", "Spy (Horde)"]


def test_armies_of_one_name_are_told_with_their_side():
    armies = [("a", "First host", 0), ("b", "First host", 1), ("c", "Second host", 1), ("d", "Second host", 1)]
    assert distinct_army_names(armies, ("Realm", "Horde")) == {
        "a": "First host, Realm", "b": "First host, Horde", "c": "Second host", "d": "Second host",
    }  # fmt: skip


def test_h_7_who_hides_before_the_enemys_eyes_keeps_its_name():
    state, _ids = begun(FAR, *ALL)
    hidden = PATROL.fold(state, [Hid(LEVY.id, (True, True))])
    assert name_of(field(SOUTH, hidden), LEVY.id) == "Levy"


def test_h_7_the_story_of_a_unit_never_met_is_told_of_somebody():
    state, _ids = begun(FAR, *ALL)
    fell = Destroyed(SPY.id, "J1")
    state = PATROL.fold(state, [fell])
    assert story(state, [fell], SOUTH) == ["Spy: destroyed on J1."]
    other, _ids = begun(FAR, *ALL)
    unnoticed = Destroyed(SPY.id, "J1", (False, True))
    other = PATROL.fold(other, [unnoticed])
    assert story(other, [unnoticed], SOUTH) == []
    assert names(SOUTH, other) == ["Foot", "Levy", "Scout"]
    assert field(SOUTH, other).graves == ()
    assert field(NORTH, other).graves == (Grave("J1", SPY.id, (False, True)),)


def test_effects_on_units_that_are_not_seen_are_not_told():
    state, _ids = begun(FAR, *ALL)
    timers = (Timer("ward", (SPY.id,), "", 1, "end"), Timer("mire", ("C5",), "", 1, "end", 1, (("C5", "marsh"),)))
    state = replace(state, field=state.field.timed(timers))
    assert field(SOUTH, state).timers == timers[1:]
    assert field(NORTH, state).timers == timers


def test_hidden_units_that_are_near_at_the_start_are_spotted():
    zones = [["C5", "J10"], ["E5", "A1"]]
    state = placed(PATROL.open(opening(*ALL, zones=zones)), Foot="C5", Scout="J10", Levy="A1", Spy="E5")
    state, events = do(state, Start())
    assert [event.unit for event in events if isinstance(event, Revealed)] == [SPY.id]
    assert state.field.met == (frozenset({SPY.id}), frozenset())


def test_h_5_who_gives_the_command_changes_nothing():
    """A GM who moves a unit moves it with what its side knows."""
    state, _ids = begun({**FAR, "Foot": "F10", "Spy": "F7"}, *ALL)
    command = March(FOOT.id, to="F6")
    assert do(state, command, OMNISCIENT)[1] == do(state, command, SOUTH)[1]
    after, events = do(state, March(FOOT.id, ("F9", "F8", "F7")), OMNISCIENT)
    assert events == (
        Moved(FOOT.id, ("F10", "F9", "F8"), (0, 0)), Revealed(SPY.id, "F7"), Stumbled(FOOT.id, 2, 2, (True, False)),
    ), "even the GM stumbles"  # fmt: skip
    assert after.field.tokens[FOOT.id].at == "F8"


def test_h_9_who_stumbled_goes_on_before_any_other_with_the_points_it_has_left():
    state, _ids = begun({**FAR, "Foot": "F10", "Spy": "F7"}, *ALL)
    state, _events = do(state, March(FOOT.id, ("F9", "F8", "F7")))
    assert state.turn == 0
    with pytest.raises(IllegalCommand, match="Foot met a hidden enemy and must finish moving first"):
        do(state, March(SCOUT.id, ("J9",)))
    assert PATROL.legal(PATROL.seen(state, SOUTH), SOUTH).able == (FOOT.id,)
    assert field(NORTH, state).stumbled is None, "what is left is its side's to know"
    with pytest.raises(IllegalCommand, match="costs 3 points; the unit has 2"):
        do(state, March(FOOT.id, ("F9", "F10", "E10")))
    on, events = do(state, March(FOOT.id, ("F9", "F10")))
    assert (on.field.stumbled, on.turn, len(events)) == (None, 1, 2)
    stays, _events = do(state, Pass())
    assert (stays.field.stumbled, stays.turn) == (None, 1)


def test_h_9_a_hidden_unit_that_stumbles_is_revealed_too():
    state, _ids = begun({**FAR, "Scout": "F10", "Spy": "F7"}, *ALL)
    state, events = do(state, March(SCOUT.id, ("F9", "F8", "F7")))
    assert {event.unit for event in events if isinstance(event, Revealed)} == {SPY.id, SCOUT.id}
    assert state.field.met == (frozenset({SPY.id}), frozenset({SCOUT.id}))


hexes = st.sampled_from([f"{column}{row}" for column in "ABCDEFGHIJ" for row in range(1, 11)])


@settings(max_examples=at_most(25, full=250), deadline=None)
@given(hexes, hexes, hexes, hexes, hexes)
def test_what_a_side_has_not_seen_changes_nothing_it_can_read(foot, scout, levy, spy, elsewhere):
    assume(len({foot, scout, levy, spy, elsewhere}) == 5)
    places = {"Foot": foot, "Scout": scout, "Levy": levy}
    one, _ids = begun({**places, "Spy": spy}, *ALL)
    other, _ids = begun({**places, "Spy": elsewhere}, *ALL)
    assume(all(SPY.id in unseen(state.field, 0) for state in (one, other)))
    a, b = PATROL.seen(one, SOUTH), PATROL.seen(other, SOUTH)
    assert a.field == b.field
    assert PATROL.legal(a, SOUTH) == PATROL.legal(b, SOUTH)
    for unit in (FOOT.id, SCOUT.id):
        assert PATROL.legal(a, SOUTH, (unit,)) == PATROL.legal(b, SOUTH, (unit,))


def crowded():
    """Units of both sides in two rows, near enough to meet; every second one lies hidden."""
    tokens, places = [], {}
    for army, side, row in ((A, 0, 8), (B, 1, 3)):
        names = [f"{army.upper()}{number}" for number in range(5)]
        tokens += units(army, side, *names, hidden=names[::2])
        places |= {name: f"{'BDFHJ'[number]}{row}" for number, name in enumerate(names)}
    return begun(places, *tokens)[0]


def test_h_9_both_are_revealed_where_one_stumbles_even_if_neither_would_be_seen():
    state, _ids = begun({**FAR, "Scout": "F10", "Spy": "F7"}, *ALL)

    def nobody_sees(now, side):
        return frozenset({SPY.id} if side == 0 else {SCOUT.id})

    mover = PATROL.mover(state.field, state.field.tokens[SCOUT.id])
    way = way_of(state.field.ground, mover, "F10", path=("F9", "F8", "F7"))
    done = march(state.field, SCOUT.id, mover, way, nobody_sees)
    assert {event.unit for event in done.events if isinstance(event, Revealed)} == {SPY.id, SCOUT.id}
    assert done.field.met == (frozenset({SPY.id}), frozenset({SCOUT.id}))
    over = march(state.field, SCOUT.id, mover, way, nobody_sees, blocks=lambda enemy: False)
    assert (over.walk.way.end, over.walk.stumbled) == ("F7", False), "who flies over it is not stopped"


def any_act(state, viewer, random):
    """A legal move of one unit that may act, picked as a player picks it."""
    seen = PATROL.seen(state, viewer)
    unit = random.choice(PATROL.legal(seen, viewer).able)
    hex_ = random.choice(PATROL.legal(seen, viewer, (unit,)).steps).hex
    return PATROL.legal(seen, viewer, (unit, hex_)).confirm.command


@settings(max_examples=at_most(8, full=80), deadline=None)
@given(st.randoms(use_true_random=False))
def test_h_6_h_7_what_was_told_stays_told_and_names_only_whom_the_reader_has_met(random):
    state, events = crowded(), []
    told = {viewer: [] for viewer in (SOUTH, NORTH, NOBODY, OMNISCIENT)}
    for _step in range(25):
        own = (SOUTH, NORTH)[state.turn]
        command = any_act(state, own, random)
        state, new = do(state, command, own)
        events += new
        for viewer, lines in told.items():
            lines += story(state, new, viewer)
    for viewer, lines in told.items():
        assert story(state, events, viewer) == lines
        assert not any("omebody" in line for line in lines), "whoever is told of a unit has met it"
