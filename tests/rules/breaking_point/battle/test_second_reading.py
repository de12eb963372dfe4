"""The engine against a second, independent reading of the law: the same dice, the same orders, the same story.

A failure names the seed of its battle; `play(seed)` from `second_reading.play` fights it again.
"""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rules.breaking_point.battle.aftermath.tolls import tolls_of
from rules.breaking_point.battle.orders import commands as c
from rules.breaking_point.battle.state import battle_state as st
from rules.breaking_point.battle.state import events as e
from rules.breaking_point.battle.telling.summary import seconds_of_a_round
from rules.breaking_point.spec import House
from rules.core.dice import Typed, TypedDie
from rules.core.errors import IllegalCommand
from tests.everyday import everyday
from tests.rules.breaking_point.second_reading import translate
from tests.rules.breaking_point.second_reading import war as reading
from tests.rules.breaking_point.second_reading.engine import Engine
from tests.rules.breaking_point.second_reading.play import play
from tests.rules.breaking_point.second_reading.scenarios import engine_of
from tests.rules.breaking_point.second_reading.tables import ARMS
from tests.rules.breaking_point.second_reading.units import Troop
from tests.rules.breaking_point.second_reading.war import Army, Chief, Place

HERE = Path(reading.__file__).parent
TABLE = (
    "alike",
    "blockade",
    "compare",
    "engagements",
    "engine",
    "meddling",
    "mistakes",
    "play",
    "translate",
)  # these bring the two together
AT_THE_TABLE = {f"{name}.py" for name in TABLE}
FIRST, CHUNK = 60, 20
THOROUGH = 5_000
OFTEN = {  # what many battles come to, at least so often
    "field": 1500,
    "fleet": 500,
    "assault": 500,
    "a rout": 2500,
    "a pursuit": 1500,
    "a second command test": 1500,
    "an assailed shooting group shoots at contact": 500,
    "by hand: losses": 100,
    "by hand: status": 100,
    "refused: a friend": 250,
    "refused: a reserve": 10,
    "refused: a reserve that is not committed": 25,
    "refused: covered": 25,
    "refused: no fleet": 250,
    "refused: no reserve": 250,
    "refused: no such group": 250,
    "refused: nobody": 250,
    "refused: out of range": 5,
    "refused: support": 5,
    "refused: who has pursued": 2,
    "refused: who is gone": 150,
    "refused: who only shoots": 250,
    "refused: without fire": 150,
}
SELDOM = {
    22: "refused: who only shoots",
    27: "refused: a reserve",
    51: "refused: a reserve that is not committed",
    681: "refused: out of range",
    883: "refused: support",
}
"""Battles that come to what none of every day does. When the law or what is drawn changes, others are looked for."""


def fought(first: int, chunk: int) -> tuple[int, Counter[str]]:
    """Rounds of so many battles, and the situations they came to."""
    battles = [play(seed) for seed in range(first, first + chunk)]
    return sum(rounds for rounds, _met in battles), sum((met for _rounds, met in battles), Counter[str]())


@pytest.mark.parametrize("first", everyday(range(0, FIRST, CHUNK), first=1))
def test_both_readings_of_the_law_tell_the_same_battle(first: int) -> None:
    assert fought(first, CHUNK)[0] > CHUNK


@pytest.mark.parametrize("seed", SELDOM)
def test_both_readings_tell_what_seldom_happens_alike(seed: int) -> None:
    assert play(seed)[1][SELDOM[seed]]


@pytest.mark.slow
def test_both_readings_tell_many_battles_alike_and_they_come_to_every_place_of_the_law() -> None:
    rounds, met = fought(FIRST, THOROUGH)
    assert rounds > THOROUGH
    assert {what: met[what] for what, least in OFTEN.items() if met[what] < least} == {}


def test_the_second_reading_shares_no_code_with_the_first() -> None:
    for path in HERE.glob("*.py"):
        if path.name in AT_THE_TABLE:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                names.append(node.module or "")
            assert not [name for name in names if name.split(".")[0] == "rules"], path.name
            beside = node.module if isinstance(node, ast.ImportFrom) and node.level == 1 else None
            assert beside not in TABLE, path.name


# What the comparison found, each held by a battle of its own


def foot(name: str, strength: int, combat: int, **more: Any) -> Troop:
    return Troop(name, "infantry", "contact", strength, combat, 5, 0, ((1, ARMS["sword"]),), **more)


def battle(*armies: Army, kind: str = "field", place: Place | None = None) -> Engine:
    sides = tuple(st.Side(f"side {army.side}", (army.id,)) for army in armies)
    hosts = tuple(translate.host(army.id, army.troops, army.chief) for army in armies)
    return Engine(st.Opening(sides, hosts, kind, place=translate.place(place)), House())


def test_elephants_keep_their_toughness_in_an_assault_where_riders_dismount() -> None:
    """B-7: riders and charioteers dismount; an elephant fights itself."""
    place = Place("bunker", 50, 2, 5, False)
    elephants = Troop("elephants", "elephants", "contact", 3, 4, 100, 5, ((1, ARMS["claws"]),))
    riders = Troop("riders", "cavalry", "contact", 10, 4, 12, 1, ((1, ARMS["sword"]),))
    begun = battle(Army("A", 0, [elephants, riders], None), Army("B", 1, [foot("foot", 40, 5)], None),
                   kind="assault", place=place)  # fmt: skip
    assert begun.state.bodies["A:contact"].force == 3 * 105 + 10 * 6


def test_a_besieger_rallies_against_the_combat_of_all_who_act_as_one() -> None:
    """BP-4.11, B-53: 20 less the mean of both their bodies."""
    archers = Troop("archers", "archers", "shooting", 10, 9, 5, 0, ((1, ARMS["longbow"]),))
    begun = Engine(
        st.Opening(
            (st.Side("besiegers", ("A", "A2"), "A"), st.Side("garrison", ("B",))),
            (translate.host("A", [foot("foot", 30, 3)], None), translate.host("A2", [archers], None),
             translate.host("B", [foot("garrison", 20, 5)], None)),
            "assault",
            place=translate.place(Place("bunker", 50, 2, 5, False)),
        ),
        House(),
    )  # fmt: skip
    assert {body.formation.command for body in begun.state.bodies.values() if body.side == 0} == {4}


def test_who_routs_by_his_declaration_is_pursued_at_once() -> None:
    """B-24, B-19.7: by whose standing answer says so; nobody has attacked anybody yet. They rest in the first round."""
    leader = Chief(3, 3, 5, 5, 0)
    begun = battle(Army("A", 0, [foot("runs", 100, 2)], None), Army("B", 1, [foot("stays", 100, 5)], leader))
    begun.ask(c.Next(), Typed([]))
    begun.ask(c.GiveOrder(st.Order("A", withdraw=True)), Typed([]))
    begun.ask(c.GiveOrder(st.Order("B", {"contact": st.BodyOrder(pursue=True)})), Typed([]))
    dice = Typed([TypedDie("side-0", "command", (2,)), TypedDie("side-1", "command", (9,)),
                  TypedDie("B:contact", "pursuit", (5,)), TypedDie("A:contact", "riposte", (2,)),
                  TypedDie("A", "rally", (9,))])  # fmt: skip
    events = begun.ask(c.Resolve(), dice)
    dice.finish()
    assert [event.mode for event in events if isinstance(event, e.Attacked)] == ["pursuit", "riposte"]
    assert begun.state.bodies["B:contact"].rests == 1


def test_support_that_nobody_can_reach_covers_no_shooting_group() -> None:
    """B-25, B-65: it is not there to stand before them."""
    archers = [Troop(name, "archers", "shooting", 10, 5, 5, 0, ((1, ARMS["longbow"]),)) for name in ("near", "far")]
    sides = (st.Side("bowmen", ("A", "A2")), st.Side("foot", ("B",)))
    hosts = (translate.host("A", archers[:1], None), translate.host("A2", archers[1:], None),
             translate.host("B", [foot("foot", 10, 5)], None))  # fmt: skip
    begun = Engine(st.Opening(sides, hosts, support=("A2",)), House())
    begun.ask(c.Next(), Typed([]))
    begun.ask(c.Resolve(), Typed([TypedDie("side-0", "command", (5,)), TypedDie("side-1", "command", (5,))]))
    begun.ask(c.GiveOrder(st.Order("B", {"contact": st.BodyOrder("attack", "A:shooting")})), Typed([]))
    with pytest.raises(IllegalCommand):
        begun.ask(c.GiveOrder(st.Order("B", {"contact": st.BodyOrder("attack", "A2:shooting")})), Typed([]))


def test_the_round_of_an_assault_is_doubled_before_its_fraction_is_dropped() -> None:
    """B-3: 73 heads, 43.8 seconds, in an assault 87.6."""
    place = Place("bunker", 50, 2, 5, False)
    begun = battle(Army("A", 0, [foot("foot", 43, 4)], None), Army("B", 1, [foot("foot", 30, 5)], None),
                   kind="assault", place=place)  # fmt: skip
    assert seconds_of_a_round(begun.state) == 87


def test_machines_that_surrendered_to_a_beaten_enemy_are_not_taken() -> None:
    """B-48: prisoners are of others than the victor."""
    frigates = [engine_of("frigate", 2, Random(1), name, "space") for name in ("one", "two")]
    begun = battle(Army("A", 0, frigates, None), Army("B", 1, frigates[:1], None), kind="fleet")
    begun.ask(c.Next(), Typed([]))
    begun.ask(c.Override("A:0", "status", "surrendered", "struck its flag"), Typed([]))
    begun.ask(c.End("the day is won", 0), Typed([]))
    assert [toll.prisoners for toll in tolls_of(begun.state, begun.state.bodies["A:0"])] == [0]
