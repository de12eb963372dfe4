"""What a reserve is made of is its own side's to know until it comes (B-18); what never came has no part (B-47)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.breaking_point.battle.aftermath.tolls import fought
from rules.breaking_point.battle.orders import commands as c
from rules.breaking_point.battle.state import events as e
from rules.breaking_point.battle.state.battle_state import BodyOrder, Order, Side
from rules.breaking_point.battle.state.field_figures import heads_now
from rules.breaking_point.forecast.forecast_law import guesses
from rules.breaking_point.spec import Host
from rules.core.dice import Pinned
from rules.core.errors import IllegalCommand, InvalidInput, Refusal
from rules.core.viewers import WHOLE
from rules.law import ANYBODY, OMNISCIENT, Veil, Viewer
from tests.everyday import at_most
from tests.rules.breaking_point.battle.fights import (
    LED,
    Fight,
    archers,
    assault,
    fleets,
    foot,
    guns,
    horse,
    hulls,
    with_losses,
)

ANA, BO = Viewer(armies=frozenset({"a"})), Viewer(armies=frozenset({"b"}))
WAITING = {
    "foot": (foot(60, reserve=True),),
    "archers": (archers(90, reserve=True),),
    "both": (foot(50, reserve=True), archers(30, reserve=True)),
    "guns": (guns(12, reserve=True), horse(40, reserve=True)),
}
"""Reserves of any make."""


def field(*reserve: Any, **given: Any) -> Fight:
    return Fight((foot(), *reserve), foot(), **given)


def told(fight: Fight, viewer: Viewer = BO) -> list[tuple[str, str, dict[str, int]]]:
    """What the log of the last command tells them."""
    seen = fight.law.seen(fight.state, viewer)
    known = (fight.law.witnessed(seen, event, viewer) for event in fight.events)
    entries = [fight.law.describe(seen, event) for event in known if event is not None]
    return [(entry.type, str(entry.text), entry.numbers) for entry in entries]


def shown(fight: Fight, viewer: Viewer = BO) -> Any:
    """All of the enemy that they see, but for how many units it has in all."""
    seen = fight.law.seen(fight.state, viewer)
    summary = fight.law.summary(seen)
    reserve = {(unit.name, unit.type.slug, unit.strength, unit.group, unit.pieces) for unit in seen.armies["a"].units}
    return seen.of_army("a"), reserve, seen.conditions, seen.opening.conditions, summary.armies, summary.names


@pytest.mark.parametrize("make", WAITING)
def test_b18_reserves_of_any_make_look_alike(make):
    assert shown(field(*WAITING[make]).command()) == shown(field(*WAITING["foot"]).command())
    assert shown(field(*WAITING[make]).command(), ANYBODY) == shown(field(*WAITING["foot"]).command(), ANYBODY)


def test_b18_of_a_reserve_neither_the_id_nor_the_kind_tells_what_it_is_made_of():
    seen = field(*WAITING["archers"]).law.seen(field(*WAITING["archers"]).state, BO)
    (waiting,) = [body for body in seen.bodies.values() if body.waiting]
    assert (waiting.id, waiting.key, waiting.formation.kind) == ("a:reserve", "reserve", "reserve")
    assert (waiting.formation.heads, waiting.formation.members, waiting.formation.range) == (0, (), "")
    assert str(field(*WAITING["archers"]).law.summary(seen).names["a:reserve"]) == "A, reserve"


def test_b18_who_commands_it_and_the_gm_see_it_as_it_is():
    fight = field(*WAITING["both"])
    for viewer in (ANA, Viewer(reads=frozenset({"a"})), Viewer(gm=True)):
        seen = fight.law.seen(fight.state, viewer)
        assert [body.key for body in seen.of_army("a")] == ["contact", "reserve-contact", "reserve-shooting"]
        assert [unit.name for unit in seen.armies["a"].units] == ["Foot", "Foot", "Archers"]


def test_b18_a_fleet_has_a_reserve_of_which_no_ship_is_named():
    """B-5: there each unit is a body of its own."""
    fight = fleets((hulls(), *(replace(hulls(heads), reserve=True) for heads in (4, 6))), hulls()).command()
    seen = fight.law.seen(fight.state, BO)
    assert [(body.key, body.formation.kind) for body in seen.of_army("a")] == [("0", "unit"), ("reserve", "reserve")]
    assert str(fight.law.summary(seen).names["a:reserve"]) == "A, reserve"


def test_b18_a_garrison_has_a_reserve_like_any_other():
    fight = assault(foot(), (foot(60), foot(20, reserve=True))).command()
    seen = fight.law.seen(fight.state, ANA)
    assert [body.key for body in seen.of_army("b")] == ["garrison", "reserve"]


@pytest.mark.parametrize("make", WAITING)
def test_b18_what_a_reserve_has_lost_is_told_of_it_as_a_whole(make):
    """By whatever body it is borne."""
    fight = field(*WAITING[make]).command()
    force = sum(body.force for body in fight.state.unseen("a"))
    first = fight.state.unseen("a")[0]
    fight = with_losses(fight, **{first.id.replace(":", "_", 1): force // 10})
    (waiting,) = [body for body in fight.law.seen(fight.state, BO).bodies.values() if body.waiting]
    assert (waiting.force, waiting.losses) == (WHOLE, 10)


# once it has come


def committed() -> Fight:
    fight = field(*WAITING["both"]).command().order("a", commit=True)
    return fight.resolve(side_0__command=(5,), side_1__command=(5,))


def test_b44_once_it_has_come_it_is_seen_like_any_other_body():
    """Heads to one figure, type and state; the units have their names again."""
    fight = committed()
    seen = fight.law.seen(fight.state, BO)
    assert [body.key for body in seen.of_army("a")] == ["contact", "reserve-contact", "reserve-shooting"]
    assert [body.formation.heads for body in seen.of_army("a")] == [100, 50, 30]
    assert [(unit.name, unit.strength) for unit in seen.armies["a"].units] == [
        ("Foot", 100), ("Foot", 50), ("Archers", 30),
    ]  # fmt: skip
    assert [aim.body for aim in _aims(fight)] == ["a:contact", "a:reserve-contact", "a:reserve-shooting"]


def _aims(fight: Fight) -> Any:
    return fight.law.legal(fight.law.seen(fight.state, BO), BO).armies[0].bodies[0].attack


def test_b44_once_it_has_come_it_stands_in_what_an_enemy_foresees():
    """Before, they reckon with an army without it; then with what they see of it."""
    for fight, bodies in ((field(*WAITING["both"]).command(), 1), (committed(), 3)):
        found = guesses(fight.law.seen(fight.state, BO), BO)
        assert {len(guess.state.of_army("a")) for guess in found} == {bodies}
        assert all(body.force > 0 for guess in found for body in guess.state.of_army("a"))


def test_b18_what_comes_by_the_gm_s_hand_has_come():
    """B-41: and stays known when it leaves."""
    fight = field(*WAITING["archers"]).command().override("a:reserve-shooting", "status", "fighting")
    assert "a:reserve-shooting" in fight.law.seen(fight.state, BO).bodies
    fight.override("a:reserve-shooting", "status", "withdrawn")
    assert "a:reserve-shooting" in fight.law.seen(fight.state, BO).bodies


# one that never comes


def gone(*reserve: Any) -> Fight:
    """All of it withdraws freely, its reserve with it."""
    return field(*reserve).command().order("a", withdraw=True).resolve()


@pytest.mark.parametrize("make", WAITING)
def test_b18_what_leaves_without_having_come_is_not_known_afterwards(make):
    assert shown(gone(*WAITING[make])) == shown(gone(*WAITING["foot"]))
    assert told(gone(*WAITING[make])) == told(gone(*WAITING["foot"]))
    (left,) = [text for kind, text, _numbers in told(gone(*WAITING[make])) if "reserve" in text]
    assert left == "A, reserve: withdrawn from the field."


@pytest.mark.parametrize("make", WAITING)
def test_b18_b24_a_withdrawal_before_battle_tells_nothing_of_the_reserve(make):
    """A penalty falls on every body of the side, and is told of a reserve once."""
    fights = []
    for reserve in (WAITING[make], WAITING["foot"]):
        fight = field(*reserve).play(c.Next()).order("a", withdraw=True)
        fights.append(fight.play(c.Resolve(), side_0__command=(5,), side_1__command=(5,)))
    assert told(fights[0]) == told(fights[1])
    assert [text for _kind, text, _numbers in told(fights[0]) if "reserve" in text] == [
        "A, reserve: −2 in the fight from now on."
    ]
    assert len([text for _kind, text, _numbers in told(fights[0], ANA) if "reserve" in text]) == len(WAITING[make])


@given(st.integers(0, 10**6))
@settings(max_examples=at_most(2, full=40), deadline=None)
def test_b18_battles_that_differ_in_a_reserve_alone_look_alike_to_their_end(seed):
    """The same orders and the same dice, and a reserve that never comes: state, summary, log and choices."""
    first, *others = (list(_course(reserve, seed)) for reserve in WAITING.values())
    assert all(course == first for course in others)


def _course(reserve: Any, seed: int) -> Iterator[Any]:
    fight = Fight((foot(), archers(), *reserve), (foot(), horse()), led={"b": LED}).play(c.Next())
    while fight.state.result is None and len(fight.state.phases) < 8:
        rng = Random(f"{seed} {len(fight.state.phases)}")
        for command in _commands(fight, rng):
            fight.events = fight.law.decide(fight.state, command, Pinned(f"{rng.getrandbits(64):016x}"), OMNISCIENT)
            fight.state = fight.law.fold(fight.state, fight.events)
            for viewer in (BO, ANYBODY, Viewer(armies=frozenset({"b"}), veil=Veil(True, True, True))):
                legal = fight.law.legal(fight.law.seen(fight.state, viewer), viewer)
                yield shown(fight, viewer), told(fight, viewer), legal


def _commands(fight: Fight, rng: Random) -> Iterator[Any]:
    """Everybody's orders but for the reserve, now and then the GM's word of one of its bodies, and the dice."""
    for army in fight.law.legal(fight.state, OMNISCIENT).armies:
        leaves = army.may_withdraw and rng.random() < 0.15
        yield c.GiveOrder(Order(army.army, {} if leaves else dict(_deeds(army.bodies, rng)), leaves))
    waiting = fight.state.unseen("a")
    if waiting and rng.random() < 0.3:
        yield c.Override(waiting[-1].id, "losses", 0, "as I say")
    yield c.Resolve()


def _deeds(bodies: Any, rng: Random) -> Iterator[tuple[str, BodyOrder]]:
    for body in bodies:
        aims = [(do, aim.body) for do in ("attack", "shoot") for aim in getattr(body, do) if aim.why_not is None]
        if aims and not body.waits:
            yield body.key, BodyOrder(*rng.choice(aims), pursue=body.may_pursue and rng.random() < 0.5)


# the GM's word and hand


@pytest.mark.parametrize("make", WAITING)
def test_b18_what_the_gm_says_of_a_body_of_a_reserve_is_said_of_the_reserve(make):
    fight = field(*WAITING[make]).command()
    last = fight.state.unseen("a")[-1].id
    fight.mark("cover", 5, body=last)
    assert told(fight) == [("condition-set", "Now in force: Cover, A, reserve (5).", {})]
    assert [mark.body for mark in fight.law.seen(fight.state, BO).conditions] == ["a:reserve"]
    assert [mark.body for mark in fight.law.seen(fight.state, ANA).conditions] == [last]
    fight.mark("cover", body=last, lift=True)
    assert told(fight) == [("condition-lifted", "No longer in force: Cover, A, reserve (5).", {})]
    fight.override(last, "losses", 30)
    assert told(fight) == [("overridden", "The GM changes a value of A, reserve: as I say", {})]
    fight.override(last, "status", "withdrawn")
    assert told(fight) == [("overridden", "GM ruling on A, reserve (withdrew): as I say", {})]


def test_b18_a_veil_lies_on_the_reserve_as_on_its_army():
    fight = field(*WAITING["both"]).command()
    veiled = Viewer(armies=frozenset({"b"}), veil=Veil(health=True, corrections=True))
    fight.override("a:reserve-shooting", "losses", 30)
    assert told(fight, veiled) == [("overridden", "The GM corrects A, reserve.", {})]
    beside = Viewer(armies=frozenset({"b"}), beside=frozenset({"a"}), veil=Veil(corrections=True))
    assert told(fight, beside) == [("overridden", "The GM changes a value of A, reserve: as I say", {})]


@pytest.mark.parametrize("make", WAITING)
def test_b18_reinforcements_come_with_a_reserve_of_any_make(make):
    events = []
    for reserve in (WAITING[make], WAITING["foot"]):
        fight = Fight(foot(), foot()).command()
        fight.play(c.Reinforce(Host("n", "N", "k", (foot(), *reserve), None), 0))
        found = fight.law.witnessed(fight.state, fight.one(e.ArmyJoined), BO)
        events.append(found._replace(spec=None))
        assert {(unit.name, unit.strength) for unit in found.spec.units if unit.reserve} == {("", 0)}
    assert events[0] == events[1]


def test_b47_a_reserve_that_came_to_the_battle_late_and_never_into_it_has_no_part():
    """It came with reinforcements in a round, and waited."""
    fight = Fight(foot(), foot(), foot(), sides=(Side("A", ("a",)), Side("B", ("b", "c")))).command().resolve()
    fight.play(c.Reinforce(Host("n", "N", "k", (foot(), foot(60, reserve=True)), None), 0))
    assert [(body.key, body.came) for body in fight.state.of_army("n")] == [("contact", 2), ("reserve-contact", 0)]
    assert [body.key for body in fight.law.seen(fight.state, BO).of_army("n")] == ["contact", "reserve"]
    fight.order("n", withdraw=True).resolve(side_0__command=(5,), side_1__command=(5,))
    assert [(body.status, fought(body)) for body in fight.state.of_army("n")] == [
        ("withdrawn", True), ("withdrawn", False),
    ]  # fmt: skip


# what a refusal tells


@pytest.mark.parametrize("make", WAITING)
@pytest.mark.parametrize("key", ["reserve", "reserve-contact", "reserve-shooting", "reserve-garrison"])
def test_b18_no_refusal_tells_what_waits(make, key):
    """Whoever names bodies to shoot at learns of a reserve no more than that it waits."""
    assert _refused(field(*WAITING[make]), f"a:{key}") == _refused(field(*WAITING["foot"]), f"a:{key}")


def _refused(fight: Fight, target: str) -> tuple[type, str, str]:
    fight = fight.command() if fight.state.phase.kind == "setup" else fight
    with pytest.raises(Refusal) as refusal:
        fight.play(c.GiveOrder(Order("b", {"contact": BodyOrder("attack", target)})), BO)
    return type(refusal.value), str(refusal.value.message), refusal.value.field


def test_b18_that_a_reserve_waits_is_no_secret():
    assert _refused(field(*WAITING["both"]), "a:reserve") == (
        IllegalCommand, "That enemy is still in reserve: choose another target.", "/bodies/contact/target",
    )  # fmt: skip
    assert _refused(field(*WAITING["both"]), "a:reserve-contact")[0] is InvalidInput
    assert _refused(gone(*WAITING["both"]), "a:reserve")[0] is not None


def test_b53_who_orders_for_a_side_knows_its_bodies_though_not_his_ally_s_sheet():
    """In an assault a side's armies act as one: heads are counted, whoever's they are."""
    fight = Fight(foot(), foot(), foot(60), sides=(Side("A", ("a", "b")), Side("C", ("c",))), kind="assault",
                  place=assault(foot(), foot()).opening.place, defender=1, led={"a": LED})  # fmt: skip
    seen = fight.law.seen(fight.state, ANA)
    assert heads_now(seen, seen.bodies["a:contact"]) == 200
    assert [unit.combat for unit in seen.armies["b"].units] == [6]
    assert fight.law.summary(seen).armies["b"].health == WHOLE
    enemy = fight.law.seen(fight.state, Viewer(armies=frozenset({"c"})))
    assert [unit.combat for army in "ab" for unit in enemy.armies[army].units] == [0, 0]


def test_b47_a_snapshot_of_before_is_read_as_its_events_are_today():
    """It noted of a reserve that came with reinforcements when it came to the battle, not into it."""
    fight = Fight(foot(), foot()).command()
    fight.play(c.Reinforce(Host("n", "N", "k", (foot(), foot(60, reserve=True)), None), 0))
    frozen = fight.law.freeze(fight.state)
    before = replace(frozen, bodies=tuple(replace(body, came=1) if body.status == "waiting" else body
                                          for body in frozen.bodies))  # fmt: skip
    assert before != frozen
    assert fight.law.thaw(fight.opening, before) == fight.state


def test_b47_what_the_gm_calls_back_after_it_left_has_come():
    """B-41: what befalls it from then on is seen, and it has a part in the battle."""
    fight = field(*WAITING["both"]).command().override("a:reserve-contact", "status", "withdrawn")
    assert not fought(fight.body("a:reserve-contact"))
    fight.override("a:reserve-contact", "status", "fighting")
    assert [body.key for body in fight.law.seen(fight.state, BO).of_army("a")] == [
        "contact", "reserve-contact", "reserve",
    ]  # fmt: skip
    fight.override("a:reserve-contact", "status", "withdrawn")
    assert fought(fight.body("a:reserve-contact"))
    assert "a:reserve-contact" in fight.law.seen(fight.state, BO).bodies
