"""Battles fought together against each of them fought alone: every single one of them has to end alike."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.breaking_point.battle.state.battle_state import BodyOrder, FieldMark, Heart, Order
from rules.breaking_point.forecast import simulate
from rules.breaking_point.forecast.many.fights import Multitude
from rules.breaking_point.forecast.many.sheets import fits, sheets_of
from rules.breaking_point.forecast.simulate import MOST_ROUNDS, compared, decided, fought, shape_of, together
from rules.breaking_point.forecast.tally import odds_of, winning_of
from rules.breaking_point.ruleset import BreakingPoint
from rules.core.odds import AboutOdds, Retreat
from tests.everyday import at_most, everyday
from tests.rules.breaking_point.forecast.fields import LAW, before, field, host, squadron
from tests.rules.breaking_point.forecast.test_many import EVERYTHING, somewhere

COUNT = 12
LEAVES = AboutOdds(retreats={"b": Retreat(health=900), "a": Retreat(after=3)})
LOOKED = AboutOdds(until={"b": 800}, phases=5)


def armies(heads=300, foes=400, *, one="legionaries", two="orcs", other="b", shots="longbowmen", **more):
    return field(host("a", (one, heads), (shots, 100)), host(other, (two, foes), ("crossbowmen", 80)), **more)


def ordered(battle, army="a", **bodies):
    """With one order changed: what each body of the army does."""
    told = {key: BodyOrder(*given) for key, given in bodies.items()}
    return battle.changed(orders={**battle.orders, army: Order(army, told)})


def marked(battle, place="b:contact", **marks):
    return battle.changed(bodies={**battle.bodies, place: replace(battle.bodies[place], **marks)})


CLASH = armies()
SHIPS = field(
    squadron("a", ("frigate", 2)), squadron("b", ("frigate", 1), ("destroyer", 2)), kind="fleet", medium="sea"
)
FLAGSHIP = SHIPS.of_army("a")[0].key
AT_FOOT = ("attack", "b:contact")
ALIKE = {
    "itself": CLASH,
    "other heads": armies(150, 520),
    "other troops": armies(one="peasants", two="knights"),
    "who can shoot": armies(one="riflemen"),
    "who never breaks": armies(two="zombies"),
    "another enemy": armies(other="c"),
    "worn": marked(CLASH, losses=700, rallied=True),
    "broken off": marked(marked(CLASH, losses=300), "a:shooting", status="withdrawn"),
    "at rest": marked(CLASH, rests=2),
    "heartened": marked(CLASH, hearts=(Heart("a:contact", 3, 1),)),
    "in a melee": CLASH.changed(melees=(("a:contact", "b:contact"),)),
    "first": CLASH.changed(scores=(9, 5)),
    "second": CLASH.changed(scores=(5, 9)),
    "surprised": CLASH.changed(surprised=frozenset({1})),
    "quiet": CLASH.changed(quiet=2),
    "in the mud": armies(marks=("mud",)),
    "other ranges": armies(shots="slingers"),
}
"""Those of one shape, however they differ."""

UNLIKE = {
    "a command test": before(CLASH),
    "another round": CLASH.changed(phase=CLASH.phase._replace(number=4)),
    "a test that is due": CLASH.changed(due=frozenset({"weather"})),
    "narrow ground": armies(marks=("narrow",)),
    "harsh ground": armies(marks=("harsh",)),
    "no surprise": armies(marks=("no-surprise",)),
    "dusk": CLASH.changed(conditions=(FieldMark("dusk", 2),)),
    "a plain die": armies(law=BreakingPoint(replace(LAW.house, plain_die=True)).battle),
    "lasting surprise": armies(law=BreakingPoint(replace(LAW.house, surprise_for_battle=True)).battle),
    "who holds": ordered(CLASH, contact=("hold",)),
    "another target": ordered(CLASH, contact=AT_FOOT),
    "a third target": ordered(CLASH, contact=("attack", "b:shooting")),
    "who shoots at it": ordered(CLASH, contact=("shoot", "b:contact")),
    "who pursues": ordered(CLASH, contact=(*AT_FOOT, True)),
    "no riposte": ordered(CLASH, contact=(*AT_FOOT, False, False)),
    "who leaves": CLASH.changed(orders={"b": Order("b", withdraw=True)}),
    "who is rallied": CLASH.changed(orders={"a": Order("a", rally="shooting")}),
    "a failed withdrawal": marked(CLASH, penalty=-2),
    "fewer bodies": field(host("a", ("legionaries", 300)), host("b", ("orcs", 400), ("crossbowmen", 80))),
    "other groups": field(host("a", ("legionaries", 300), ("longbowmen", 100)), host("b", ("crossbowmen", 400))),
    "foot alone": field(host("a", ("legionaries", 300), ("longbowmen", 100)), host("b", ("orcs", 400))),
    "at sea until dusk": CLASH.changed(
        conditions=(FieldMark("dusk", 2),), opening=replace(CLASH.opening, kind="fleet")
    ),
    "ships": SHIPS,
    "a ship that leaves": ordered(SHIPS, **{FLAGSHIP: ("withdraw",)}),
}
APART = {
    "over": CLASH.changed(phase=CLASH.phase._replace(kind="aftermath")),
    "a reserve": CLASH.changed(orders={"a": Order("a", commit=True)}),
    "an assault": CLASH.changed(opening=replace(CLASH.opening, kind="assault")),
    "a duel": field(host("a", ("legionaries", 300)), host("b", ("orcs", 280))),
}
"""What is not to be foretold, what the engine plays, and what may be reckoned."""

ALL = {**ALIKE, **UNLIKE}
MIXED = list(ALL.values())
for number, apart in enumerate(APART.values()):
    MIXED.insert(9 * number, apart)
MIXED = MIXED[:: at_most(3, full=1)]


def ends(battles, about, count=COUNT):
    """Of each battle fought together: winner, rounds, what is left of each body and how each fared."""
    fights = Multitude(battles, [sheets_of(battle) for battle in battles], count, 5)
    fights.fight(about, MOST_ROUNDS if about.phases is None else about.phases)
    return [[fights.winner[at].tolist(), fights.rounds[at].tolist(), fights.left[:, at].tolist(),
             fights.fates[:, at].tolist()] for at in range(len(battles))]  # fmt: skip


def winning(battle, about, count=COUNT):
    return odds_of(battle, fought(battle, about, count, 5, MOST_ROUNDS)).winning


def groups(battles, about=EVERYTHING, count=COUNT):
    drawn = [(at, battle, sheets_of(battle)) for at, battle in enumerate(battles)]
    return [[at for at, _battle, _sheets in alike] for alike in together(drawn, about, count)]


@pytest.mark.parametrize("about", [EVERYTHING, LEAVES, LOOKED])
def test_each_of_those_fought_together_goes_as_it_goes_alone(about):
    battles = [battle for battle in ALIKE.values() if shape_of(battle, about) == shape_of(CLASH, about)]
    assert len(battles) >= len(ALIKE) - 1
    battles = battles[:: 1 if about is EVERYTHING else at_most(3, full=1)]
    assert ends(battles, about) == [ends([battle], about)[0] for battle in battles]


TOLD = {
    "before the command test": before,
    "told to leave": lambda battle: battle.changed(orders={army: Order(army, withdraw=army == "b") for army in "ab"}),
    "in pursuit": lambda battle: ordered(ordered(battle, contact=(*AT_FOOT, True)), "b", contact=("attack", "", True)),
    "to shoot if they can": lambda battle: ordered(battle, contact=("shoot",)),
    "at the shooters": lambda battle: ordered(battle, contact=("hold",), shooting=("shoot", "b:shooting")),
}


@pytest.mark.parametrize("what", everyday([*TOLD], first=3))
def test_so_do_those_that_begin_or_are_told_otherwise(what):
    battles = [TOLD[what](battle) for battle in [*ALIKE.values()][:: at_most(3, full=1)] if "b" in battle.armies]
    assert groups(battles) == [list(range(len(battles)))]
    alone = [ends([battle], EVERYTHING)[0] for battle in battles]
    assert ends(battles, EVERYTHING) == alone
    assert ends(battles[::-1], EVERYTHING) == alone[::-1]


def test_so_do_fleets():
    fleets = [marked(SHIPS, list(SHIPS.bodies)[at], losses=40 * at) for at in range(3)]
    for battles in (fleets, [ordered(battle, **{FLAGSHIP: ("withdraw",)}) for battle in fleets]):
        assert groups(battles) == [[0, 1, 2]]
        assert ends(battles, EVERYTHING) == [ends([battle], EVERYTHING)[0] for battle in battles]


def test_figures_and_marks_of_bodies_make_no_other_shape_nor_do_names():
    assert {shape_of(battle, EVERYTHING) for battle in ALIKE.values()} == {shape_of(CLASH, EVERYTHING)}
    for about in (LEAVES, LOOKED):  # but those that are asked about
        assert shape_of(armies(other="c"), about) != shape_of(CLASH, about)


@pytest.mark.parametrize("name", UNLIKE)
def test_what_is_the_same_for_all_of_them_makes_another(name):
    others = [CLASH, *(battle for other, battle in UNLIKE.items() if other != name)]
    assert shape_of(UNLIKE[name], EVERYTHING) not in [shape_of(battle, EVERYTHING) for battle in others]


@pytest.mark.parametrize("about", everyday([EVERYTHING, LEAVES], first=1))
def test_answers_come_in_the_order_of_the_questions_and_are_those_of_each_alone(about):
    about = replace(about, battles=COUNT, seed=5)
    found = compared(MIXED, about)
    assert found == [compared([battle], about)[0] for battle in MIXED]
    assert [one is None for one in found] == [battle is APART["over"] for battle in MIXED]
    assert len(set(found)) > len(MIXED) / 2


def test_many_are_taken_in_parts_with_the_same_answers(monkeypatch):
    battles = list(ALIKE.values())
    whole = decided(battles, EVERYTHING, COUNT, 5, MOST_ROUNDS)
    monkeypatch.setattr(simulate, "CELLS", 4 * COUNT * 4**2)
    assert [len(part) for part in groups(battles)] == [4, 4, 4, 4, 1]
    assert decided(battles, EVERYTHING, COUNT, 5, MOST_ROUNDS) == whole
    monkeypatch.setattr(simulate, "CELLS", 1)
    assert groups(battles) == [[at] for at in range(len(battles))]


def test_who_wins_and_when_is_what_the_whole_of_the_odds_says_too():
    for battle in [*ALL.values()][:: at_most(8, full=1)]:
        (found,) = decided([battle], EVERYTHING, COUNT, 5, MOST_ROUNDS)
        assert winning_of(battle, found) == winning(battle, EVERYTHING)


@pytest.mark.parametrize("first", everyday(range(0, 80, 8), first=1))
def test_moments_of_any_battles_may_be_asked_about_together(first):
    """Each beside the same with others' losses."""
    battles = [battle for seed in range(first, first + 8) if (battle := somewhere(seed)) is not None]
    worn = [_worn(battle, share) for battle in battles for share in (0, 3, 5)]
    found = decided([battle for battle in worn if fits(battle)], EVERYTHING, COUNT, 5, MOST_ROUNDS)
    alone = [decided([battle], EVERYTHING, COUNT, 5, MOST_ROUNDS)[0] for battle in worn if fits(battle)]
    assert found == alone


def _worn(battle, share):
    bodies = {place: replace(body, losses=max(body.losses, body.force * share // 10)) if body.on_field else body
              for place, body in battle.bodies.items()}  # fmt: skip
    return battle.changed(bodies=bodies)


TROOPS = st.tuples(st.sampled_from(["legionaries", "orcs", "peasants", "knights"]), st.integers(20, 600))
SHOTS = st.none() | st.tuples(st.sampled_from(["longbowmen", "slingers", "riflemen"]), st.integers(10, 200))


@st.composite
def openings(draw):
    one, two = ([unit for unit in (draw(TROOPS), draw(SHOTS)) if unit] for _side in "ab")
    begun = field(host("a", *one), host(draw(st.sampled_from("bc")), *two), marks=draw(st.sampled_from([(), ("mud",)])))
    return draw(st.sampled_from([begun, before(begun), ordered(begun, contact=("hold",))]))


@settings(max_examples=at_most(3, full=150))
@given(st.lists(openings(), min_size=2, max_size=6), st.sampled_from([EVERYTHING, LEAVES, LOOKED]))
def test_whatever_is_asked_about_together_is_answered_as_each_alone(battles, about):
    about = replace(about, battles=6)
    assert compared(battles, about) == [compared([battle], about)[0] for battle in battles]


def test_the_same_dice_fall_in_all_of_them():
    fights = Multitude([CLASH, CLASH], [sheets_of(CLASH)] * 2, COUNT, 5)
    one, two = fights.thrown("contact", 1).reshape(2, COUNT)
    assert np.array_equal(one, two)
    assert len(set(one.tolist())) > 3
