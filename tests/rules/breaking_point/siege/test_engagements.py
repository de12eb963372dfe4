"""Battles of sieges against a second reading: what armies bring along, what is carried on, what is left (B-55, B-56).

A failure names the seed of its siege; `beleaguer(seed)` from `second_reading.engagements` lays it again.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache

import pytest

from rules.breaking_point.battle.aftermath.tolls import tolls_of
from rules.breaking_point.battle.orders import commands as c
from rules.breaking_point.battle.secrecy import seen, witnessed
from rules.breaking_point.battle.state import battle_state as st
from rules.breaking_point.battle.state import events as e
from rules.breaking_point.siege import siege_ends
from rules.breaking_point.siege.siege_battles import (
    FoughtBody,
    after_assault,
    after_bodies,
    after_field,
    for_assault,
    losses_in_field,
    outcome_of,
)
from rules.breaking_point.siege.siege_state import ASSAULT, SORTIE, TAKEN, Siege, lay_siege
from rules.breaking_point.spec import House, Place
from rules.core.dice import Typed, TypedDie
from rules.core.errors import IllegalCommand, InvalidInput
from rules.core.viewers import OPEN, Veil, Viewer
from tests.everyday import at_most
from tests.rules.breaking_point.second_reading.engagements import beleaguer, fought_bodies
from tests.rules.breaking_point.second_reading.engine import Engine
from tests.rules.breaking_point.siege.sieges import FORT, army, foot, robots, siege

THOROUGH, CHUNK = 4_000, 500
OFTEN = ("assault fell", "assault goes-on", "assault lifted", "sortie fell", "sortie goes-on", "sortie lifted",
         "relief fell", "relief goes-on", "relief lifted", "the garrison joins its relief", "joined garrison",
         "joined besieger", "starved", "broken", "surrender", "terms unconditional")  # fmt: skip


@cache
def laid(first: int, chunk: int) -> Counter[str]:
    return sum((beleaguer(seed) for seed in range(first, first + chunk)), Counter[str]())


def test_b55_both_readings_carry_the_same_losses_through_a_siege() -> None:
    met = laid(0, at_most(24, full=CHUNK))
    assert {"assault", "sortie", "relief"} <= met.keys()


@pytest.mark.slow
@pytest.mark.parametrize("first", range(CHUNK, THOROUGH, CHUNK))
def test_b55_both_readings_carry_many_losses_alike(first: int) -> None:
    met = laid(first, CHUNK)
    assert {what: met[what] for what in OFTEN if not met[what]} == {}


# What the comparison found


def worn(points: int, status: str = SORTIE, **given: object) -> Siege:
    """The garrison has lost so much before the battle."""
    begun = siege((foot(100),), (foot(300),), status=status, **given)
    return replace(begun, garrison=begun.garrison.losing(points))


def test_b55_what_a_rally_brings_back_is_of_the_siege_too() -> None:
    """BP-4.11: it recovers a part of all losses, those of the siege as well."""
    begun = worn(600, ASSAULT)
    after = after_bodies(begun, [FoughtBody((("in", 0),), 2, 600, 450, "fighting")])
    assert after.garrison.lost == 450
    assert after_bodies(worn(600), [FoughtBody((("in", 0),), 1, 300, 200, "fighting")]).garrison.lost == 400


def test_b55_what_comes_back_comes_back_to_who_had_lost_it() -> None:
    begun = siege((foot(100),), (foot(150), foot(150)), status=ASSAULT)
    begun = replace(begun, contact=begun.contact.bearing({0: 100}))
    both = FoughtBody((("out", 0), ("out", 1)), 1, 100, 40, "fighting")
    assert after_bodies(begun, [both]).contact.points == (40, 0)
    assert after_assault(begun, {"out:contact": 40}).contact.points == (40, 0)
    assert after_field(replace(begun, status=SORTIE), {"out:contact": 40}).contact.points == (40, 0)


def test_b47_who_storms_beside_the_besiegers_bears_a_part_of_the_losses_and_nothing_of_earlier_ones() -> None:
    """B-53: they are one body."""
    begun = replace(siege((foot(50, 4),), (foot(100),), status=ASSAULT), place=Place("p", "Ker", FORT, 100))
    begun = replace(begun, contact=begun.contact.losing(200))
    table = Engine(
        st.Opening(
            (st.Side("besiegers", ("out", "helpers"), "out"), st.Side("garrison", ("in",))),
            (army("out", foot(100)), army("helpers", foot(100)), army("in", foot(50, 4))), "assault",
            place=begun.place, losses={"out:0": 200}, besieged=("out", "in")),
        House(),
    )  # fmt: skip
    table.ask(c.Next(), Typed([]))
    table.ask(c.Override("out:contact", "losses", 300, "so it was"), Typed([]))
    table.ask(c.End("night falls"), Typed([]))
    assert after_bodies(begun, fought_bodies(table.state)).contact.lost == 250
    tolls = {toll.member.army: toll for toll in tolls_of(table.state, table.state.bodies["out:contact"])}
    assert tolls["helpers"].points == 50


def test_b56_a_sortie_of_a_part_that_is_beaten_does_not_lose_the_place_to_those_before_it() -> None:
    """Who stayed inside holds it; and who did not fight goes on besieging."""
    place = Place("p", "Ker", FORT, 200)
    begun = lay_siege(place, [army("a", foot(50)), army("b", foot(50))], [army("x", foot(200)), army("y", foot(200))])
    begun = replace(begun, status=SORTIE)
    out, kept = FoughtBody((("a", 0),), 1, 0, 900, "fled"), FoughtBody((("b", 0),), 1, 0, 900, "fled")
    before, others = FoughtBody((("x", 0),), 1, 0, 0, "fighting"), FoughtBody((("y", 0),), 1, 0, 0, "fled")
    assert outcome_of(begun, [out, before]) == "goes-on"
    assert outcome_of(begun, [out, kept, before]) == "fell"
    assert outcome_of(begun, [out, others]) == "goes-on"
    assert outcome_of(begun, [out, others, before._replace(status="withdrawn")]) == "lifted"


def test_b60_relief_that_beats_the_besiegers_lifts_the_siege_though_the_garrison_broke() -> None:
    """Nobody is before the place any more who could take it."""
    fates = [FoughtBody((("out", 0),), 1, 0, 0, "fled"), FoughtBody((("in", 0),), 1, 0, 0, "fled")]
    assert outcome_of(worn(0), [*fates, FoughtBody((("relief", 0),), 1, 0, 0, "fighting")]) == "lifted"


@pytest.mark.parametrize(("fate", "heads", "prisoners"), [("fled", 199, False), ("surrendered", 201, True)])
def test_b56_whether_a_stormed_garrison_surrenders_is_decided_in_the_battle(
    fate: str, heads: int, prisoners: bool
) -> None:
    """Not by the heads that it has left on either side."""
    begun = siege((foot(100),), (foot(heads),), status=ASSAULT)
    bodies = [FoughtBody((("in", 0),), 1, 0, 250, fate), FoughtBody((("out", 0),), 1, 0, 100, "fighting")]
    stormed = siege_ends.fought(after_bodies(begun, bodies), "fell")
    assert stormed.status == TAKEN
    assert siege_ends.captured(stormed, {("in", 0): fate}, begun) == prisoners
    inside = siege_ends.reckoned(stormed, "besieger", {("in", 0): fate}, begun)[0]
    assert (inside.strength, inside.wounded, inside.prisoners) == ((50, 25, 0) if prisoners else (50, 0, 25))


def test_b56_of_an_assault_outside_the_app_the_heads_at_its_beginning_say_whether_it_was_invested() -> None:
    begun = siege((foot(100),), (foot(199),), status=ASSAULT)
    after = siege_ends.fought(after_assault(begun, {"in:garrison": 900}), "fell")
    assert after.invested
    assert not siege_ends.captured(after, {}, begun)


def test_b68_machines_that_a_siege_cost_are_destroyed_and_not_wounded() -> None:
    begun = siege((robots(10),), garrison=50)
    over = replace(begun, garrison=begun.garrison.losing(4 * 120 * 2), status="lifted")
    inside = siege_ends.reckoned(over)[0]
    assert (inside.strength, inside.dead, inside.wounded) == (6, 4, 0)


def test_b53_reserves_are_apart_in_battles_outside_the_app_and_bear_nothing_of_the_others_losses() -> None:
    """B-47: who was not committed has lost nothing."""
    begun = siege((foot(60), foot(20, reserve=True)), (foot(200), foot(100, reserve=True)), status=ASSAULT)
    begun = replace(begun, garrison=begun.garrison.losing(80))
    assert {one.body: (one.losses, len(one.units)) for one in for_assault(begun)} == {
        "out:contact": (0, 1), "out:reserve-contact": (0, 1), "in:garrison": (60, 1), "in:reserve-garrison": (20, 1),
    }  # fmt: skip
    after = after_assault(begun, {"out:contact": 90, "in:garrison": 160})
    assert (after.contact.points, after.garrison.points) == ((90, 0), (160, 20))
    field = after_field(replace(begun, status=SORTIE), {"out:reserve-contact": 30, "in:contact": 40})
    assert (field.contact.points, field.garrison.points) == ((0, 30), (80, 20))


# What they bring along


def relief(lost: dict[str, int], *besieged: str) -> Engine:
    sides = (st.Side("besiegers", ("out",)), st.Side("relief", ("relief",)))
    hosts = (army("out", foot(300)), army("relief", foot(300)))
    begun = Engine(st.Opening(sides, hosts, losses=lost, besieged=besieged), House())
    begun.ask(c.Next(), Typed([]))
    return begun


def test_b60_a_garrison_that_joins_its_relief_is_as_the_siege_has_left_it() -> None:
    """B-55. In the open its losses count without the walls."""
    begun = worn(400)
    field = relief(losses_in_field(begun), "out", "in")
    field.ask(c.Reinforce(army("in", foot(100)), 1), Typed([]))
    assert field.state.bodies["in:contact"].losses == 200
    assert field.state.bodies["in:contact"].brought == 200


def test_b33_who_is_annihilated_by_the_siege_has_no_part_in_its_battles() -> None:
    """BP-4.8: twice the force ends the count."""
    with pytest.raises(InvalidInput, match="Nobody in out is fit to fight"):
        relief({"out:0": 3000}, "out", "in")
    with pytest.raises(IllegalCommand, match="Nobody in in is fit to fight"):
        relief({"in:0": 1000}, "out", "in").ask(c.Reinforce(army("in", foot(100)), 1), Typed([]))
    sides = (st.Side("besiegers", ("out",)), st.Side("garrison", ("in",)))
    archers = replace(foot(10), group="shooting")
    hosts = (army("out", foot(300), archers), army("in", foot(300)))
    opening = st.Opening(sides, hosts, losses={"out:1": 100}, besieged=("out", "in"))
    assert Engine(opening, House()).state.bodies["out:shooting"].status == "annihilated"


def test_b38_who_is_annihilated_does_not_leave_with_the_side_that_withdraws() -> None:
    sides = (st.Side("leaves", ("out",)), st.Side("stays", ("in",)))
    hosts = (army("out", foot(100), replace(foot(10), group="shooting")), army("in", foot(100)))
    begun = Engine(st.Opening(sides, hosts), House())
    begun.ask(c.Next(), Typed([]))
    begun.ask(c.Override("out:shooting", "status", "annihilated", "the dragon came"), Typed([]))
    begun.ask(c.GiveOrder(st.Order("out", withdraw=True)), Typed([]))
    begun.ask(c.Resolve(), Typed([TypedDie("side-0", "command", (9,)), TypedDie("side-1", "command", (2,))]))
    assert {key: body.status for key, body in begun.state.bodies.items()} == {
        "out:contact": "withdrawn", "out:shooting": "annihilated", "in:contact": "fighting",
    }  # fmt: skip


def test_b61_the_dead_of_a_siege_need_no_room_in_the_place() -> None:
    """Of 200 heads 50 are out; who came since has their room."""
    sides = (st.Side("besiegers", ("out",)), st.Side("garrison", ("in", "more")))
    hosts = (army("out", foot(300)), army("in", foot(200)), army("more", foot(50)))
    opening = st.Opening(sides, hosts, "assault", place=Place("p", "Ker", FORT, 100), losses={"in:0": 500},
                         besieged=("out", "in", "more"), defender=1)  # fmt: skip
    assert Engine(opening, House()).state.bodies["in:garrison"].formation.heads == 250
    with pytest.raises(InvalidInput, match="holds at most 200 heads; you sent 201"):
        Engine(replace(opening, losses={"in:0": 499}), House())


@pytest.mark.parametrize("veil", [OPEN, Veil(health=True)])
def test_b18_what_a_garrison_has_lost_before_it_joins_is_told_as_any_losses_are(veil: Veil) -> None:
    """B-60. Of a reserve, too; and nobody reads it in the opening before."""
    field, reader = relief({"in:0": 137, "in:1": 75}, "out", "in"), Viewer(armies=frozenset({"out"}), veil=veil)
    assert seen(field.state, reader).opening.losses == {}
    events = field.ask(c.Reinforce(army("in", foot(100), foot(60, reserve=True)), 1), Typed([]))
    (told,) = (witnessed(field.state, event, reader) for event in events if isinstance(event, e.ArmyJoined))
    known = seen(field.state, reader).bodies
    assert {key: body.losses for key, body in known.items() if body.losses} == {
        "in:contact": 27 if veil == OPEN else 37, "in:reserve": 25 if veil == OPEN else 37,
    }  # fmt: skip
    assert told is not None
    assert {one.losses for one in told.formations} == {body.losses for body in known.values() if body.losses}
