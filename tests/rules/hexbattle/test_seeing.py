"""What sides see, are told and know the names of (H-5, H-6, H-7, HX-10.5)."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from rules.core.viewers import OMNISCIENT, Viewer
from rules.hexbattle.common import Destroyed, Hidden, Moved, Placed, Revealed, name_of
from rules.hexbattle.field import Grave
from rules.hexbattle.seeing import seen_from, sides_of, unseen
from rules.hexbattle.setup import Ready, Start
from rules.hexbattle.timers import Timer
from tests.everyday import at_most
from tests.rules.hexbattle.conftest import NOBODY, NORTH, SOUTH, A, B, begun, do, opening, placed, units
from tests.rules.hexbattle.patrol import PATROL, March, Pass

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


def test_placements_are_secret_until_both_sides_are_ready():
    state = placed(PATROL.open(opening(*ALL)), **FAR)
    assert {token.at for token in field(SOUTH, state).of_side(1)} == {""}
    assert {token.at for token in field(NOBODY, state).tokens.values()} == {""}
    assert PATROL.witnessed(state, Placed(LEVY.id, "A1"), SOUTH) is None
    assert PATROL.witnessed(state, Placed(LEVY.id, "A1"), NORTH)
    state, _events = do(do(state, Ready(0))[0], Ready(1))
    assert field(SOUTH, state).tokens[LEVY.id].at == "A1"


def test_h_6_an_event_says_itself_who_saw_it_and_what_was_told_stays_told():
    state, _ids = begun({**FAR, "Foot": "J4"}, *ALL)
    state, events = do(do(state, Pass())[0], March(SPY.id, ("J2", "I2", "H2")))
    assert events[0] == Moved(SPY.id, ("J1", "J2", "I2", "H2"), (1, 0)) or events[0].seen[1] == 0
    moved = Moved(SPY.id, ("J1", "J2", "I2"), (1, 0))
    assert PATROL.witnessed(state, moved, SOUTH) == moved._replace(path=("J2", "I2"))
    assert PATROL.witnessed(state, moved, NORTH) == PATROL.witnessed(state, moved, OMNISCIENT) == moved
    assert PATROL.witnessed(state, moved, NOBODY).path == ("J2", "I2")
    unnoticed = moved._replace(seen=(None, 0))
    assert [PATROL.witnessed(state, unnoticed, viewer) for viewer in (SOUTH, NOBODY)] == [None, None]
    later, _events = do(state, Pass())
    out = PATROL.fold(later, [Revealed(SPY.id, "H2", (True, True), out=True)])
    assert PATROL.witnessed(PATROL.seen(out, SOUTH), unnoticed, SOUTH) is None, "a later reveal rewrites no line"
    gone = PATROL.fold(out, [Hidden(SPY.id, (False, True)), Moved(SPY.id, ("H2", "A1"), (None, 0))])
    assert PATROL.witnessed(PATROL.seen(gone, SOUTH), moved, SOUTH).path == ("J2", "I2")


def test_h_6_a_path_is_seen_from_where_it_is_seen_to_its_end():
    assert seen_from([True, True, True]) == 0
    assert seen_from([True, False, True, True]) == 2
    assert seen_from([True, True, False]) is None
    assert seen_from([]) is None


def test_h_7_a_side_knows_a_name_once_it_has_seen_the_unit_for_good():
    state, _ids = begun(FAR, *ALL)
    assert str(name_of(field(SOUTH, state), SPY.id)) == "somebody"
    state = PATROL.fold(state, [Revealed(SPY.id, "J1", (True, True))])
    assert state.field.met == (frozenset({SPY.id}), frozenset())
    assert SPY.id not in field(SOUTH, state).tokens, "seen once, not now"
    assert name_of(field(SOUTH, state), SPY.id) == "Spy"
    assert str(name_of(field(NOBODY, state), SPY.id)) == "somebody"
    assert field(NORTH, state).met == (frozenset(), frozenset()), "whom the enemy has met is not told"


def test_h_7_who_hides_before_the_enemys_eyes_keeps_its_name():
    state, _ids = begun(FAR, *ALL)
    hidden = PATROL.fold(state, [Hidden(LEVY.id, (True, True))])
    assert name_of(field(SOUTH, hidden), LEVY.id) == "Levy"


def test_h_7_the_story_of_a_unit_never_met_is_told_of_somebody():
    state, _ids = begun(FAR, *ALL)
    fell = Destroyed(SPY.id, "J1")
    state = PATROL.fold(state, [fell])
    assert story(state, [fell], SOUTH) == ["Spy is destroyed on J1."]
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
    assert events[0].path == ("F10", "F9", "F8"), "even the GM stumbles"
    assert Revealed(SPY.id, "F7") in events
    assert after.field.tokens[FOOT.id].at == "F8"


hexes = st.sampled_from([f"{column}{row}" for column in "ABCDEFGHIJ" for row in range(1, 11)])


@settings(max_examples=at_most(25, full=250), deadline=None)
@given(hexes, hexes, hexes, hexes, hexes)
def test_what_a_side_has_not_seen_changes_nothing_it_can_read(foot, scout, levy, spy, elsewhere):
    if len({foot, scout, levy, spy, elsewhere}) < 5:
        return
    places = {"Foot": foot, "Scout": scout, "Levy": levy}
    one, _ids = begun({**places, "Spy": spy}, *ALL)
    other, _ids = begun({**places, "Spy": elsewhere}, *ALL)
    if not (SPY.id in unseen(one.field, 0) and SPY.id in unseen(other.field, 0)):
        return
    a, b = PATROL.seen(one, SOUTH), PATROL.seen(other, SOUTH)
    assert a.field == b.field
    assert PATROL.legal(a, SOUTH) == PATROL.legal(b, SOUTH)
    for unit in (FOOT.id, SCOUT.id):
        assert PATROL.legal(a, SOUTH, (unit,)) == PATROL.legal(b, SOUTH, (unit,))
