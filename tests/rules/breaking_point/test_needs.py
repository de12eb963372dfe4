"""What dice of breaking points that are asked for need, said beforehand (B-1, BP-4.1, BP-4.4, BP-4.11, B-35, B-59)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.breaking_point.battle.orders import commands as c
from rules.breaking_point.battle.state import events as e
from rules.breaking_point.battle.state.battle_state import FieldMark, Side
from rules.breaking_point.dice import (
    ANY,
    DIE,
    FROM,
    MOST_FACES,
    NONE,
    ONE,
    TEN,
    TEN_OFF,
    UP_TO,
    enough,
    runs_on,
    value_of,
)
from rules.breaking_point.siege.siege_ends import terms
from rules.breaking_point.siege.week import week
from rules.breaking_point.spec import House
from rules.core.dice import DiceNeeded, Typed, TypedDie
from rules.core.errors import IllegalCommand
from rules.core.text import Message, Said
from rules.law import OMNISCIENT, Viewer
from tests.everyday import at_most
from tests.rules.breaking_point.battle import random_fights
from tests.rules.breaking_point.battle.fights import (
    LED,
    Fight,
    archers,
    assault,
    dead,
    fleets,
    foot,
    horse,
    hulls,
    with_losses,
)
from tests.rules.breaking_point.battle.test_properties import changing
from tests.rules.breaking_point.siege import sieges


def asked(fight: Fight, viewer: Viewer = OMNISCIENT, **dice: tuple[int, ...]) -> DiceNeeded:
    typed = [TypedDie(*owner(name), faces) for name, faces in dice.items()]
    with pytest.raises(DiceNeeded) as needed:
        fight.law.decide(fight.state, c.Resolve(), Typed(typed, ask=True), viewer)
    return needed.value


def owner(name: str) -> tuple[str, str]:
    subject, _mark, roll = name.partition("__")
    return (subject.replace("_", "-") if subject.startswith("side") else subject.replace("_", ":", 1)), roll


def needs(fight: Fight, **dice: tuple[int, ...]) -> dict[str, str]:
    return {f"{ask.army} {ask.name}": str(ask.need) for ask in asked(fight, **dice).asks}


def begun(*armies: Any, **given: Any) -> Fight:
    return Fight(*armies, **given).play(c.Next())


# the open die


def meant(said: Said, rest: Sequence[int]) -> bool:
    """Whether these further faces are enough, by the sentence alone."""
    template = said.template if isinstance(said, Message) else said
    told = said.params if isinstance(said, Message) else {}
    first, after = rest[0], sum(rest[1:])
    match template:
        case _ if template in (ANY, NONE):
            return template == ANY
        case _ if template == FROM:
            return first >= told["face"]
        case _ if template == UP_TO:
            return first <= told["face"]
        case _ if template == TEN:
            return first == DIE and after >= told["more"]
        case _ if template == TEN_OFF:
            return first < DIE or after <= told["most"]
        case _ if template == ONE:
            return first > 1 or after <= told["most"]
    raise AssertionError(said)


def runs(faces: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Every way the die may fall from here."""
    for face in range(1, DIE + 1):
        whole = (*faces, face)
        if runs_on(whole):
            yield from runs(whole)
        else:
            yield whole


def begun_dice() -> Iterator[tuple[int, ...]]:
    """Faces after which another is asked for."""
    for first in (1, DIE):
        for tens in range(MOST_FACES - 1):
            yield (first, *[DIE] * tens)


@pytest.mark.parametrize("faces", [(), *begun_dice()])
def test_b1_what_is_said_to_be_enough_is_and_nothing_else(faces):
    """By every way the rest of the die may fall, against every number."""
    for least in range(-60, 70):
        said = enough(least, faces)
        for whole in runs(faces):
            assert meant(said, whole[len(faces) :]) is (value_of(whole) >= least), (least, whole, str(said))


@pytest.mark.parametrize("least", range(-3, 14))
def test_b1_a_plain_die_does_not_run_on_in_its_need_either(least):
    for face in range(1, DIE + 1):
        assert meant(enough(least, plain=True), (face,)) is (face >= least)


@pytest.mark.parametrize(
    ("least", "faces", "told"),
    [
        (4, (), "4+ succeeds"),
        (1, (), "2+ succeeds"),
        (11, (), "10+ succeeds"),
        (13, (), "only a 10 followed by 3+ succeeds"),
        (-3, (), "2+ succeeds, and a 1 if the dice after it subtract at most 4"),
        (-39, (), "any roll succeeds"),
        (51, (), "no roll succeeds"),
        (14, (10,), "4+ succeeds"),
        (-3, (1,), "4 or less succeeds"),
        (-13, (1,), "9 or less succeeds, and a 10 if the dice after it subtract at most 4"),
        (1, (1,), "no roll succeeds"),
    ],
)
def test_b1_in_words(least, faces, told):
    assert str(enough(least, faces)) == told


# the command test


def test_bp41_a_command_die_says_what_is_added_to_it_and_what_is_at_stake():
    fight = begun(foot(), foot(), led={"a": LED}, sides=(Side("A", ("a",), circumstances=2), Side("B", ("b",))))
    assert needs(fight) == {
        "side-0 command": "+12 against B: strikes first if ahead by 2; by 5, surprises too",
        "side-1 command": "+6 against A: strikes first if ahead by 2; by 5, surprises too",
    }


def test_b41_nobody_is_promised_a_surprise_where_none_is_possible():
    fight = begun(foot(), foot(), marks=("no-surprise",))
    assert set(needs(fight).values()) == {f"+6 against {foe}: strikes first if ahead by 2" for foe in "AB"}


def test_b17_every_other_side_is_an_enemy_in_the_need_of_a_command_die():
    assert needs(begun(foot(), foot(), foot()))["side-1 command"].startswith("+6 against A, C: ")


@pytest.mark.parametrize(
    ("faces", "told"),
    [((10,), "+16 so far, plus this die, "), ((10, 10), "+26 so far, plus this die, "),
     ((1,), "+7 so far, minus this die, "), ((1, 10), "-3 so far, minus this die, ")],
)  # fmt: skip
def test_b1_a_further_face_says_what_it_is_added_to_or_comes_off(faces, told):
    found = needs(begun(foot(), foot()), side_0__command=faces, side_1__command=(5,))
    assert found == {"side-0 command": f"{told}against B: strikes first if ahead by 2; by 5, surprises too"}


def test_b24_who_declares_his_withdrawal_hears_by_how_much_he_gets_away():
    fight = begun(foot(), foot()).order("a", withdraw=True)
    told = needs(fight)
    assert told["side-0 command"] == (
        "+6 against B: gets away if ahead by 2; by 5, with guns and baggage; routed if behind by 5"
    )
    assert told["side-1 command"].endswith("by 5, surprises too")


def test_b24_mobility_is_in_the_need_of_who_withdraws():
    """BP-4.2: +2 above every enemy."""
    assert needs(begun(horse(), foot()).order("a", withdraw=True))["side-0 command"].startswith("+8 ")


def test_b11_who_never_breaks_is_threatened_with_no_rout():
    told = needs(begun(dead(), foot()).order("a", withdraw=True))["side-0 command"]
    assert told.endswith("by 5, with guns and baggage")


def test_b52_what_holds_a_place_is_in_the_need_of_the_command_test():
    told = needs(assault(foot(), foot(60)).play(c.Next()))
    assert (told["side-0 command"][:2], told["side-1 command"][:2]) == ("+4", "+8")


# combat tests

ATTACK_B = ("attack", "b:contact")


def test_bp44_an_attack_says_its_bonus_the_difficulty_and_from_which_face_it_succeeds():
    fight = Fight(foot(), foot(100, 9)).command().order("a", contact=ATTACK_B)
    assert needs(fight) == {"a:contact contact": "B, +6 against 9: 3+ succeeds"}


def test_bp44_every_modifier_of_the_moment_is_in_the_need():
    """Numbers, plight, a withdrawal that failed, mud, the GM's hand: as the test then has them."""
    fight = with_losses(Fight((foot(300),), foot(100, 9), marks=("mud",)).command(), a_contact=1600)
    fight.override("a:contact", "penalty", -2).override("b:contact", "defense", 3)
    fight.order("a", contact=ATTACK_B)
    (told,) = needs(fight).values()
    attack = fight.resolve(a_contact__contact=(5,)).one(e.Attacked)
    assert told.startswith(f"B, {attack.score - 5:+d} against {attack.against}: ")
    assert [line.rule for line in attack.lines] == ["BP-2.5", "BP-4.8", "B-36", "BP-4.5"]


def test_bp44_a_shot_is_up_against_its_distance():
    fight = Fight((foot(), archers()), foot()).command().order("a", shooting=("shoot", "b:contact"))
    assert needs(fight) == {"a:shooting shot": "B, +6 against 13: 7+ succeeds"}


def test_bp47_what_a_foe_s_failure_lends_is_in_the_need():
    fight = Fight(foot(), foot()).command().order("b", contact=("attack", "a:contact")).order("a")
    fight.resolve(b_contact__contact=(1, 9)).order("a", contact=ATTACK_B)
    (heart,) = fight.body("a:contact").hearts
    assert needs(fight)["a:contact contact"].startswith(f"B, {6 + heart.amount:+d} against 6: ")


def test_b21_of_blows_that_fall_together_each_says_its_own():
    fight = Fight(foot(), foot()).command()
    fight.order("a", contact=ATTACK_B).order("b", contact=("attack", "a:contact"))
    assert needs(fight) == {
        "a:contact contact": "B, +6 against 6: 2+ succeeds, and a 1 if the dice after it subtract at most 1",
        "b:contact contact": "A, +6 against 6: 2+ succeeds, and a 1 if the dice after it subtract at most 1",
    }


def test_b20_a_surprised_side_hears_its_need_as_it_is():
    """BP-4.1: −5, and its defense halved."""
    fight = Fight(foot(), foot()).command(9, 2)
    fight.order("a", contact=ATTACK_B).order("b", contact=("attack", "a:contact"))
    assert needs(fight)["a:contact contact"].startswith("B, +6 against 3: ")
    assert needs(fight, a_contact__contact=(2,))["b:contact contact"].split(": ")[0] == "A, +0 against 6"


def test_b1_a_further_face_of_a_blow_says_what_it_still_needs():
    fight = Fight(foot(), foot()).command().override("b:contact", "defense", 14).order("a", contact=ATTACK_B)
    assert needs(fight) == {"a:contact contact": "B, +6 against 20: only a 10 followed by 4+ succeeds"}
    assert needs(fight, a_contact__contact=(10,)) == {"a:contact contact": "B, +6 against 20, 10 so far: 4+ succeeds"}


def test_b1_the_plain_die_says_so_in_its_need():
    fight = Fight(foot(), foot(), house=House(plain_die=True)).command()
    fight.override("b:contact", "defense", 11).order("a", contact=ATTACK_B)
    assert needs(fight) == {"a:contact contact": "B, +6 against 17: no roll succeeds"}


def test_b65_a_ship_is_named_as_what_is_shot_at():
    fight = fleets(hulls(), hulls()).command()
    key = next(iter(fight.state.bodies))
    fight.order("a", **{key.partition(":")[2]: ("shoot", "b:0")})
    (told,) = needs(fight).values()
    assert told.startswith("Hulls, +6 against 18: ")


def test_b39_pursuit_and_riposte_say_what_they_need():
    fight = Fight(foot(300), foot()).command()
    fight.order("a", contact=("attack", "b:contact", True)).order("b", contact=("hold", "", False, True))
    told = needs(fight, a_contact__contact=(10, 9))
    assert set(told) == {"a:contact pursuit", "b:contact riposte"}
    assert told["b:contact riposte"].startswith("A, +1 against 6: ")


def test_bp411_a_rally_says_against_what():
    fight = Fight(foot(300), foot(), led={"b": LED}).command().order("a", contact=ATTACK_B)
    assert needs(fight, a_contact__contact=(10, 9)) == {"b rally": "B, +10 against 14: 4+ succeeds"}


# withdrawals in battle


def leaving(*armies: Any) -> Fight:
    fight = Fight(*armies).command().order("a", withdraw=True)
    for foe in "bc"[: len(armies) - 1]:
        fight.order(foe, contact=("attack", "a:contact"))
    return fight


def test_b35_who_leaves_hears_who_stands_in_his_way_and_they_whom_they_hold():
    away = "gets away if ahead by 2; by 5, with guns and baggage; routed if behind by 5"
    assert needs(leaving(foot(), foot(), foot())) == {
        "a withdraw": f"+6 against B, C: {away}",
        "side-1 withdraw": "+6 against A: gets away if ahead by 2",
        "side-2 withdraw": "+6 against A: gets away if ahead by 2",
    }


def test_b35_a_further_face_of_either_is_told_as_its_own():
    told = needs(leaving(foot(), foot()), a__withdraw=(5,), side_1__withdraw=(1,))
    assert told == {"side-1 withdraw": "+7 so far, minus this die, against A: gets away if ahead by 2"}


# what may follow


def test_b19_what_may_follow_is_said_with_the_dice_of_each_step():
    fight = Fight((foot(), archers()), foot()).command(7, 5)
    fight.order("a", contact=("attack", "b:contact", True), shooting=("shoot", "b:contact"))
    fight.order("b", contact=("attack", "a:contact"))
    steps: list[dict[str, tuple[int, ...]]] = [
        {}, {"a_shooting__shot": (2,)}, {"a_contact__contact": (10, 9)}, {"b_contact__riposte": (5,)},
    ]  # fmt: skip
    typed: dict[str, tuple[int, ...]] = {}
    told = []
    for step in steps[:3]:
        typed |= step
        told.append(str(asked(fight, **typed).follows).split(",")[0])
    assert told == [
        "More shots and attacks roll their own dice",
        "Groups that strike later roll their own dice next",
        "Routed groups may be rallied; their die comes later.",
    ]


def test_bp41_nothing_follows_a_command_test_that_nobody_withdraws_from():
    assert asked(begun(foot(), foot())).follows is None
    follows = asked(begun(foot(), foot()).order("a", withdraw=True)).follows
    assert str(follows).startswith("Groups routed as they withdraw may be pursued and rallied")


def test_bp411_a_rally_follows_a_pursuit_before_battle_as_well():
    fight = begun(foot(), foot()).order("a", withdraw=True).order("b", contact=("hold", "", True))
    found = asked(fight, side_0__command=(2,), side_1__command=(9,))
    assert [ask.name for ask in found.asks] == ["pursuit", "riposte"]
    assert str(found.follows) == "Routed groups may be rallied; their die comes later."


# in any battle


FACES = (1, DIE, *range(1, DIE + 1))
"""Of which some let a die run on more often than it would."""


@given(st.integers(0, 10**6))
@settings(max_examples=at_most(4, full=40), deadline=None)
def test_every_face_that_meets_a_need_succeeds_and_no_other_does(seed):
    """Of every die of every battle, face by face, as a table types them, whatever the GM meddles with."""
    law, opening = random_fights.drawn(seed)
    rng, state = Random(seed), law.open(opening)
    for _stretch in range(8):
        for drawing in (changing, random_fights.commands):
            for command in drawing(law, state, rng):
                try:
                    events, said = _typed_out(law, state, command, rng)
                except IllegalCommand:
                    return
                for event in events:
                    _held(event, said, plain=law.house.plain_die)
                state = law.fold(state, events)


type Needs = dict[tuple[str, str], list[Message]]


def _typed_out(law: Any, state: Any, command: Any, rng: Random) -> tuple[tuple[Any, ...], Needs]:
    """What happens, and what every face of each die was said to need, in the order they fell."""
    typed: dict[tuple[str, str], list[int]] = {}
    said: Needs = {}
    while True:
        dice = Typed([TypedDie(*key, tuple(faces)) for key, faces in typed.items()], ask=True)
        try:
            return law.decide(state, command, dice, OMNISCIENT), said
        except DiceNeeded as needed:
            for ask in needed.asks:
                assert isinstance(ask.need, Message), ask
                said.setdefault((ask.army, ask.name), []).append(ask.need)
                typed.setdefault((ask.army, ask.name), []).append(rng.choice(FACES))


def _held(event: Any, said: Needs, *, plain: bool) -> None:
    for test in (event, *getattr(event, "opposed", ())):
        rolls = getattr(test, "rolls", ())
        needs = [said[roll.army, roll.name].pop(0) for roll in rolls]
        faces = [roll.value for roll in rolls]
        for place, need in enumerate(needs):
            told, rest = need.params, faces[place:]
            if isinstance(event, e.Attacked | e.Rallied):
                assert meant(told["enough"], rest) is event.success, (event, str(need))
                assert (told["bonus"] + value_of(faces, plain=plain), told["difficulty"]) == (test.score, event.against)
            else:
                sign = -1 if place and faces[0] == 1 else 1
                worth = sign * sum(rest) if place else value_of(faces, plain=plain)
                assert told["bonus"] + worth == test.score, (event, str(need))


def thrown(fight: Fight, *dice: tuple[str, str, int]) -> tuple[Any, ...]:
    """What comes of these faces; the server throws what follows."""
    typed = Typed([TypedDie(owner, name, (face,)) for owner, name, face in dice])
    return fight.law.decide(fight.state, c.Resolve(), typed, OMNISCIENT)


@pytest.mark.parametrize("face", range(1, DIE + 1))
@pytest.mark.parametrize("withdraws", [False, True])
def test_bp41_what_is_at_stake_is_what_comes_of_it(face, withdraws):
    """Alike on both sides, so that the faces alone tell who is ahead, and by how much."""
    foe = 6
    fight = begun(foot(), foot(), house=House(plain_die=True)).order("a", withdraw=withdraws)
    (told,) = (need for die, need in needs(fight).items() if die == "side-0 command")
    events = thrown(fight, ("side-0", "command", face), ("side-1", "command", foe))
    ahead, (settled,) = face - foe, (event for event in events if isinstance(event, e.InitiativeSettled))
    if withdraws:
        (left,) = (event for event in events if isinstance(event, e.SideWithdrawn))
        assert "gets away if ahead by 2; by 5, with guns and baggage; routed if behind by 5" in told
        assert (left.outcome == "away", left.saved, left.outcome == "routed") == (ahead >= 2, ahead >= 5, ahead <= -5)
    else:
        assert "strikes first if ahead by 2; by 5, surprises too" in told
        assert (settled.steps[0] == (0,), settled.surprised == (1,)) == (ahead >= 2, ahead >= 5)


@pytest.mark.parametrize("face", range(1, DIE + 1))
def test_b36_what_is_at_stake_for_who_leaves_in_battle_is_what_comes_of_it(face):
    foe = 6
    fight = Fight(foot(), foot(), house=House(plain_die=True)).command()
    fight.order("a", withdraw=True).order("b", contact=("attack", "a:contact"))
    told = needs(fight)
    assert "gets away if ahead by 2; by 5, with guns and baggage; routed if behind by 5" in told["a withdraw"]
    assert told["side-1 withdraw"].endswith("against A: gets away if ahead by 2")
    events = thrown(fight, ("a", "withdraw", face), ("side-1", "withdraw", foe))
    (left,) = (event for event in events if isinstance(event, e.WithdrawalTested))
    ahead = face - foe
    assert (left.outcome == "away", left.saved, left.outcome == "routed") == (ahead >= 2, ahead >= 5, ahead <= -5)


# whom it is told


def test_b18_nobody_but_the_gm_has_dice_asked_for_and_hears_what_they_need():
    """What an enemy defends with, or how they command, is in a need."""
    fight = Fight(foot(), foot()).command().order("a", contact=ATTACK_B)
    with pytest.raises(IllegalCommand, match="Only the GM"):
        fight.law.decide(fight.state, c.Resolve(), Typed([], ask=True), Viewer(armies=frozenset({"a"})))


# sieges and what comes after


def test_b59_terms_say_what_they_need_to_whom_both_sides_are_known():
    offered = sieges.siege((sieges.foot(100, 8),), (sieges.foot(1000, 5),), led=sieges.general())
    for told, faces, need in (
        (True, {}, "Ker, +15 against 16: 2+ succeeds"),
        (True, {"out_terms": (1,)}, "Ker, +15 against 16, 1 so far: no roll succeeds"),
        (False, {}, "None"),
    ):
        with pytest.raises(DiceNeeded) as needed:
            terms(offered, sieges.falling(**faces), told=told)
        assert [str(ask.need) for ask in needed.value.asks] == [need]


def test_b58_a_bombardment_says_whom_it_strikes_and_what_it_needs():
    begun_siege = sieges.siege((sieges.foot(60), sieges.guns()), (sieges.foot(300), sieges.guns()))
    with pytest.raises(DiceNeeded) as needed:
        week(begun_siege, sieges.falling())
    out, inside = needed.value.asks
    assert str(out.need).startswith("Ker, +6 against ")
    assert str(inside.need).startswith("the besiegers’ shooting group, +6 against 13: ")


def test_b27_cover_is_in_the_need_of_a_shot():
    fight = Fight((foot(), archers()), foot(), marks=(FieldMark("cover", 5, None, "b:contact"),)).command()
    fight.order("a", shooting=("shoot", "b:contact"))
    assert needs(fight) == {"a:shooting shot": "B, +6 against 18: only a 10 followed by 2+ succeeds"}
