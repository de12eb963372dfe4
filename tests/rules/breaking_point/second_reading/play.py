"""One battle on both readings, phase by phase, with the same dice and the same orders."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from rules.breaking_point.battle.aftermath.proposal import lessons_of
from rules.breaking_point.battle.aftermath.tolls import tolls_of
from rules.breaking_point.battle.orders import commands as c
from rules.breaking_point.battle.state import battle_state as st
from rules.breaking_point.battle.telling.summary import seconds_of_a_round
from tests.rules.breaking_point.second_reading import after, rounds, translate
from tests.rules.breaking_point.second_reading import war as w
from tests.rules.breaking_point.second_reading.alike import Disagreement
from tests.rules.breaking_point.second_reading.compare import facts, same
from tests.rules.breaking_point.second_reading.engine import Engine
from tests.rules.breaking_point.second_reading.meddling import Meddler
from tests.rules.breaking_point.second_reading.mistakes import refused
from tests.rules.breaking_point.second_reading.rounds import Order, Round
from tests.rules.breaking_point.second_reading.scenarios import Plan, plan, war_of
from tests.rules.breaking_point.second_reading.wishes import orders_of, standing_answers
from tests.rules.pathfinder.oracle.dice import KeyedDice


class Table:
    """Both at one table: `war` the second reading, `state` the engine's."""

    def __init__(self, seed: int, drawn: Plan | None = None):
        self.seed, self.plan = seed, drawn or plan(seed)
        self.war = war_of(self.plan)
        self.rng = Random(f"orders {seed}")
        self.meddler = Meddler(seed)
        self.dice = 0
        house = translate.house(plain=self.plan.plain, surprise_stays=self.plan.surprise_stays)
        self.engine = Engine(opening(self.plan, self.war), house)
        self.agree("opening")
        if abs(seconds_of_a_round(self.state) - w.seconds_of_a_round(self.war)) >= 1:
            raise Disagreement(f"seed {seed}, opening: a round of {seconds_of_a_round(self.state)} seconds")

    def ask(self, command: Any, dice: Any = None) -> Any:
        """Gives the engine a command; returns its events."""
        return self.engine.ask(command, dice or KeyedDice(self.seed, "none"))

    @property
    def state(self) -> Any:
        return self.engine.state

    def agree(self, when: str) -> None:
        """The same bodies, in the same plight."""
        theirs = {key: (status(body.status), body.losses) for key, body in self.state.bodies.items()}
        ours = {body.id: (body.status, body.losses) for body in self.war.bodies}
        if ours != theirs:
            differ = [f"  {key}: law {ours.get(key)}, engine {theirs.get(key)}"
                      for key in {**ours, **theirs} if ours.get(key) != theirs.get(key)]  # fmt: skip
            raise Disagreement("\n".join([f"seed {self.seed}, {when}: bodies", *differ]))
        if self.war.over != (self.state.result is not None):
            raise Disagreement(f"seed {self.seed}, {when}: over {self.war.over}, {self.state.result}")

    def before(self) -> None:
        """Declared withdrawals and the command test."""
        self.ask(c.Next())
        for side in self.war.sides:
            wished = self.rng.random() < 0.07
            side.declared = wished and not self.war.waived and not any(map(self.war.stuck, self.war.of(side.index)))
        given = standing_answers(self.war, self.rng)
        for side in self.war.sides:
            for army in (army for army in self.war.armies.values() if army.side == side.index):
                leaves = side.declared and army.id == self.spokesman(side)
                self.ask(c.GiveOrder(order(army.id, given, withdraw=leaves)))
        ours, theirs = KeyedDice(self.seed, 0), KeyedDice(self.seed, 0)
        rounds.before_battle(self.war, given, ours.face)
        self.told("command test", self.ask(c.Resolve(), theirs), ours, theirs)

    def spokesman(self, side: w.Side) -> str:
        """The army of who commands the side (B-15, B-24)."""
        there = {body.army for body in self.war.bodies if body.on_field}
        own = [army for army in self.war.armies.values() if army.side == side.index and army.id in there]
        led = [army for army in own if army.chief] or own
        if len(own) == 1:
            return own[0].id
        named = [army for army in led if army.id == side.chief]
        return (named or sorted(led, key=lambda army: -army.chief.command if army.chief else 0))[0].id

    def told(self, when: str, events: Any, ours: KeyedDice, theirs: KeyedDice) -> None:
        same(f"seed {self.seed}, {when}", self.war.story, facts(events))
        if ours.asked() != theirs.asked():
            raise Disagreement(f"seed {self.seed}, {when}: dice {ours.asked()}, engine {theirs.asked()}")
        self.agree(when)

    def round(self) -> None:
        self.meddler.meddle(self)
        if self.rng.random() < 0.3:
            refused(self, self.rng)
        given = orders_of(self.war, self.rng, self.plan.aggressive)
        for key in self.war.armies:
            if any(body.army == key and body.status not in w.GONE for body in self.war.bodies):
                self.ask(c.GiveOrder(order(key, given)))
        self.meddler.late(self)
        number = self.war.round + 1
        ours, theirs = KeyedDice(self.seed, number), KeyedDice(self.seed, number)
        rounds.play_round(self.war, given, ours.face)
        self.told(f"round {number}", self.ask(c.Resolve(), theirs), ours, theirs)


def same_aftermath(table: Table) -> None:
    """B-47 to B-50."""
    state, war = table.state, table.war
    for body in war.bodies:
        if body.status != "ready" and not (body.troops[0].reserve and not body.came):
            ours = [tuple(vars(toll).values()) for toll in after.toll(war, body)]
            theirs = [(toll.points, toll.dead, toll.wounded, toll.prisoners, toll.pieces, toll.crews)
                      for toll in tolls_of(state, state.bodies[body.id])]  # fmt: skip
            if ours != theirs:
                raise Disagreement(f"seed {table.seed}, after: toll\n  {body.id} {body.status}\n"
                                   f"  law:    {ours}\n  engine: {theirs}")  # fmt: skip
    learnt = [after.lessons(war)[side.index] for side in war.sides]
    if learnt != [lesson.usual for lesson in lessons_of(state)]:
        raise Disagreement(f"seed {table.seed}, after: lessons\n  law:    {learnt}\n  engine: {lessons_of(state)}")


def status(theirs: str) -> str:
    return {st.FIGHTING: "field", st.WAITING: "ready"}.get(theirs, theirs)


def order(army: str, given: Round, *, withdraw: bool = False) -> st.Order:
    will = given.will(army)
    bodies = {key.partition(":")[2]: body_order(key, told, given)
              for key, told in given.bodies.items() if key.startswith(f"{army}:")}  # fmt: skip
    if will.withdraw:
        bodies = {key: told._replace(do="hold", target="") for key, told in bodies.items()}
    return st.Order(army, bodies, withdraw or will.withdraw, will.commit, will.rally.partition(":")[2], will.distance)


def body_order(key: str, told: Order, given: Round) -> st.BodyOrder:
    do = "withdraw" if key in given.leaving else told.do
    return st.BodyOrder(do, told.target, told.pursue, told.riposte)


def opening(drawn: Plan, war: w.War) -> st.Opening:
    sides = tuple(
        st.Side(f"side {side.index}", tuple(army.id for army in drawn.armies if army.side == side.index), side.chief,
                side.circumstances, side.radio)
        for side in drawn.sides
    )  # fmt: skip
    hosts = tuple(translate.host(army.id, army.troops, army.chief) for army in drawn.armies)
    conditions = [st.FieldMark(kind) for kind in sorted(drawn.conditions)]
    conditions += [st.FieldMark("cover", value, None, body) for body, value in war.cover.items()]
    conditions += [st.FieldMark("untested")] if drawn.waived else []
    conditions += [st.FieldMark("retreat", value, side, reason="decoys") for side, value in drawn.retreats.items()]
    if drawn.kind == w.ASSAULT:
        conditions += [st.FieldMark("equipped")] if drawn.equipped else []
        conditions += [st.FieldMark("invested")] if drawn.invested else []
        conditions += [st.FieldMark("flyers", drawn.flyers)] if drawn.flyers > 1 else []
    return st.Opening(sides, hosts, drawn.kind, drawn.medium, drawn.distance, tuple(conditions),
                      translate.place(drawn.place), losses=drawn.losses, support=drawn.support,
                      besieged=drawn.besieged)  # fmt: skip


def play(seed: int) -> tuple[int, Counter[str]]:
    """Fights the battle of this seed on both sides; returns its number of rounds and what it met.

    Raises Disagreement.
    """
    table = Table(seed)
    table.before()
    while not table.war.over:
        table.round()
    same_aftermath(table)
    met = Counter(table.war.met)
    met[table.war.kind] += 1
    return table.war.round, met
