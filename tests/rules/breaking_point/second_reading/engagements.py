"""Sieges drawn by a seed with their sorties, assaults and relief, from the first day to what is left of the armies."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

from rules.breaking_point.battle.aftermath.tolls import shares_of, tolls_of
from rules.breaking_point.battle.orders import commands as c
from rules.breaking_point.siege import siege_battles as battles
from rules.breaking_point.siege import siege_ends as ends
from rules.breaking_point.siege import siege_state as state
from tests.rules.breaking_point.second_reading import after, ledger, translate, units
from tests.rules.breaking_point.second_reading import war as w
from tests.rules.breaking_point.second_reading.alike import Disagreement
from tests.rules.breaking_point.second_reading.blockade import Blockade
from tests.rules.breaking_point.second_reading.play import Table
from tests.rules.breaking_point.second_reading.scenarios import (
    AGES,
    WALLS,
    Plan,
    bodies_of,
    chief,
    engine_of,
    enters,
    ground,
    men,
    troop_of,
    war_of,
    weather,
    with_reserve,
)
from tests.rules.breaking_point.second_reading.siege import Camp, Siege
from tests.rules.breaking_point.second_reading.units import Ground, Troop
from tests.rules.breaking_point.second_reading.war import Army, Place, Side

MOST_STEPS = 60
BESIEGERS, GARRISON = 0, 1


class Engagement(Table):
    """A battle of the siege."""

    def __init__(self, seed: Any, drawn: Plan, late: list[Army]):
        super().__init__(seed, drawn)
        self.late = late

    def fight(self) -> None:
        self.before()
        while not self.war.over:
            if self.late and self.rng.random() < 0.5:
                self.arrives(self.late.pop())
            self.round()

    def arrives(self, army: Army) -> None:
        """B-60: the garrison may join as reinforcement; it is worn as its siege has left it (B-55)."""
        war = self.war
        self.ask(c.Reinforce(translate.host(army.id, army.troops, army.chief), army.side))
        war.armies = dict(sorted({**war.armies, army.id: army}.items(), key=lambda item: item[1].side))
        for body in bodies_of(army, war.kind):
            known = [f"{army.id}:{index}" for index, one in enumerate(army.troops)
                     if any(one is each for each in body.troops)]  # fmt: skip
            body.losses = sum(self.plan.losses.get(key, 0) for key in known)
            enters(war, body)
            war.bodies.append(body)
        war.bodies.sort(key=lambda body: body.side)
        war.sharp = True
        war.meet("the garrison joins its relief")


class Leaguer(Blockade):
    """A siege with everything that may happen in it, on both readings."""

    def __init__(self, seed: int):
        self.seed, self.rng = seed, Random(f"leaguer {seed}")
        self.age, wall_slug = self.rng.choice(AGES), self.rng.choice(tuple(WALLS))
        wall = WALLS[wall_slug]
        self.scale = self.rng.randint(wall.least, min(wall.most or 900, 900))
        self.armies: dict[str, Army] = {}
        self.raised = 0
        self.plain, self.patience = self.rng.random() < 0.1, self.rng.choice((1, 6, 25))
        inside = self.host(GARRISON, self.scale // 3, self.rng.choice((1, 1, 2)))
        outside = self.host(BESIEGERS, self.scale * self.rng.choice((1, 2, 2, 3)) // 2, self.rng.choice((1, 1, 2)))
        heads = sum(troop.strength for army in inside for troop in army.troops)
        room = max(self.scale // 2, -(-heads // 2)) + self.rng.choice((0, 0, self.scale // 8))
        place = Place(wall_slug, room, wall.factor, wall.bonus, wall.shots_only)
        inside, outside = led(inside), led(outside)
        self.ours = Siege(place, camp_of(inside, factor=place.factor), camp_of(outside, "contact"),
                          camp_of(outside, "shooting"), outside[0].chief, (outside[0].id, inside[0].id),
                          plain=self.plain)  # fmt: skip
        walls = translate.place(place)
        assert walls is not None
        self.theirs = state.lay_siege(walls, hosts(inside), hosts(outside), hears=True)
        self.order = [army.id for army in outside], [army.id for army in inside]
        self.met: Counter[str] = Counter(sieges=1)
        self.last: w.War | None = None
        self.fates: dict[Any, str] = {}
        self.before: state.Siege = self.theirs

    def host(self, side: int, scale: int, count: int) -> list[Army]:
        return [self.army(side, scale) for _number in range(count)]

    def army(self, side: int, scale: int, kind: str = "BG") -> Army:
        rng, key = self.rng, f"{kind[side]}{self.raised}"
        self.raised += 1
        troops = men(rng, self.age, max(6, scale), key, rng.randint(1, 3))
        if rng.random() < 0.15:
            troops.append(engine_of("battle-robot", rng.randint(1, 10), rng, f"{key}-m", "land"))
        if rng.random() < 0.2:
            troops.append(troop_of(rng.choice(("knights", "horse-archers", "war-chariots")),
                                   max(4, scale // 2), rng, f"{key}-r"))  # fmt: skip
        if side == BESIEGERS and rng.random() < 0.2:
            troops.append(replace(men(rng, ("sappers",), max(6, scale), f"{key}-s", 1)[0], engineers=True))
        troops = with_reserve(troops, rng)
        found = Army(key, side, troops, chief(rng))
        self.armies[key] = found
        return found

    # One step after the other

    def step(self, number: int) -> None:
        rng = self.rng
        if self.ours.status == "broken":
            what = rng.choice(("surrender", "sortie", "relief", "lift"))
        else:
            what = rng.choice((*["week"] * self.patience, "terms", "join", "join", "orders", "sortie", "relief",
                               "assault", "assault", "lift" if rng.random() < 0.1 else "week"))  # fmt: skip
        if what == "sortie" and not self.ours.garrison.heads():
            what = "lift"
        if what in ("sortie", "relief", "assault"):
            self.battle(number, what)
        elif what == "week":
            self.week(number)
        elif what == "terms":
            self.terms(number)
        elif what == "join":
            self.join(number)
        elif what == "orders":
            self.ours.bombards, self.ours.answers = rng.random() < 0.7, rng.random() < 0.7
            self.theirs = replace(self.theirs, bombards=self.ours.bombards, answers=self.ours.answers)
        else:
            self.theirs = (ends.lift if what == "lift" else ends.surrender)(self.theirs)[0]
            self.ours.status = "lifted" if what == "lift" else "unconditional"
            self.ours.weeks = 0 if what == "lift" else self.ours.weeks
        self.met[what] += 1
        self.stored()
        self.alike(f"step {number}, {what}")

    def terms(self, number: int) -> None:
        if self.theirs.heard != self.theirs.age:
            super().terms(number)

    def stored(self) -> None:
        """Written down and built anew from the armies, as between two requests."""
        kept = json.loads(json.dumps(state.to_json(self.theirs)))
        inside, outside = ([self.armies[key] for key in self.order[side]] for side in (GARRISON, BESIEGERS))
        self.theirs = state.with_state(state.siege_between(self.theirs.place, hosts(inside), hosts(outside)), kept)

    def alike(self, when: str) -> None:
        mine = [camp.points() for camp in ledger.camps(self.ours)], self.ours.status, self.ours.weeks
        bodies = (self.theirs.garrison, self.theirs.contact, self.theirs.shooting)
        its = [list(body.points) for body in bodies], self.theirs.status, self.theirs.weeks
        if mine != its:
            raise Disagreement(f"siege {self.seed}, {when}:\n  law:    {mine}\n  engine: {its}")

    def join(self, number: int) -> None:
        """Nobody enters an invested place, nor one that is full (B-61)."""
        side = self.rng.choice((BESIEGERS, GARRISON))
        army = self.army(side, self.scale // 4)
        heads = sum(troop.strength for troop in army.troops) + self.ours.garrison.heads()
        shut = self.ours.besiegers >= 2 * self.ours.garrison.heads() or heads > 2 * self.ours.place.garrison
        party = state.GARRISON if side == GARRISON else state.BESIEGER
        if side == GARRISON and shut:
            del self.armies[army.id]
            self.met["shut out"] += 1
            return
        self.theirs = state.reinforced(self.theirs, party, hosts([army])[0])
        self.order[side].append(army.id)
        into = [self.ours.garrison] if side == GARRISON else [self.ours.contact, self.ours.shooting]
        for camp in into:
            group = "" if side == GARRISON else ("contact" if camp is self.ours.contact else "shooting")
            ledger.joins(camp, [troop for troop in army.troops if group in ("", troop.group)])
        self.met[f"joined {party}"] += 1

    # Battles

    def battle(self, number: int, what: str) -> None:
        begun = {"sortie": ends.sortie, "relief": ends.relief, "assault": ends.assault}[what](self.theirs)
        drawn, late = self.plan(number, what)
        if {body.side for body in war_of(drawn).bodies if body.status == "field"} != {BESIEGERS, GARRISON}:
            self.met["nobody left for a battle"] += 1  # or only a reserve, of which the law is silent
            return
        self.before = begun
        ours = ledger.carried(self.ours, what == "assault")
        table = Engagement(f"{self.seed}.{number}", drawn, late)
        try:
            table.fight()
        except Disagreement as differ:
            raise Disagreement(f"siege {self.seed}, {what} {number}: {differ}") from None
        self.last = table.war
        self.met.update(dict.fromkeys(table.war.met, 1))
        self.outsiders(table, ours)
        fought = fought_bodies(table.state)
        how, theirs = ledger.ends(self.ours, table.war), battles.outcome_of(begun, fought)
        if how != theirs:
            raise Disagreement(f"siege {self.seed}, {what} {number}: law {how}, engine {theirs}\n" + told(table))
        self.met[f"{what} {how}"] += 1
        ledger.takes_back(self.ours, table.war, ours)
        self.theirs, self.fates = battles.after_bodies(begun, fought), battles.fates_of(fought)
        ledger.closes(self.ours, how, what == "assault")
        self.theirs = ends.fought(self.theirs, how)
        if self.ours.status in ("open", "broken"):
            self.lose_guns(table)

    def plan(self, number: int, what: str) -> tuple[Plan, list[Army]]:
        rng, ours = self.rng, self.ours
        there = [self.armies[key] for key in dict.fromkeys(
            key for key, army in self.armies.items() if any(self.holds(one) for one in army.troops))
            if not self.spent(key, what == "assault")]  # fmt: skip
        late: list[Army] = []
        fighting = [army for army in there if army.side == BESIEGERS or what == "assault"]
        inside = [army for army in there if army.side == GARRISON]
        if what == "sortie":
            fighting += rng.sample(inside, rng.randint(1, len(inside))) if inside else []
        if what == "relief":
            fighting.append(self.outsider(GARRISON))
            for army in inside:
                [fighting, late, []][rng.randrange(3)].append(army)
        elif what == "assault" and rng.random() < 0.2:
            fighting.append(self.outsider(BESIEGERS))
        fighting.sort(key=lambda army: army.side)
        sides = [Side(0), Side(1)]
        for side in sides:
            side.circumstances = rng.choice((0, 0, 2, -2, 5))
        storm = what == "assault"
        drawn = Plan(number, w.ASSAULT if storm else w.FIELD, "land", sides, fighting, ground(rng) | weather(rng))
        drawn.plain, drawn.aggressive = self.plain, rng.choice((0.5, 0.8, 0.95))
        drawn.losses = {key: points for key, points in self.brought(storm).items() if points}
        drawn.besieged = tuple(dict.fromkeys(key.partition(":")[0] for key in self.brought(storm)))
        if storm:
            drawn.place, drawn.equipped = ours.place, rng.random() < 0.5
            drawn.invested = ours.besiegers >= 2 * ours.garrison.heads()
            drawn.flyers = rng.choice((1, 2))
        return drawn, late

    def holds(self, troop: Troop) -> bool:
        return any(one is troop for camp in ledger.camps(self.ours) for one in camp.troops)

    def spent(self, key: str, storm: bool) -> bool:
        """BP-4.8: annihilated by what it has lost in the siege."""
        army, brought = self.armies[key], self.brought(storm)
        walls = self.ours.place.factor if storm and army.side == GARRISON else 1
        force = walls * sum(units.force(troop, Ground(assault=storm)) for troop in army.troops)
        return sum(brought[f"{key}:{index}"] for index in range(len(army.troops))) >= 2 * force

    def brought(self, storm: bool) -> dict[str, int]:
        found = {}
        for troop, points in ledger.carried(self.ours, storm):
            for army in self.armies.values():
                for index, one in enumerate(army.troops):
                    if one is troop:
                        found[f"{army.id}:{index}"] = points
        return found

    def outsider(self, side: int) -> Army:
        found = self.army(side, self.scale // 2, "XX")
        del self.armies[found.id]
        return found

    def outsiders(self, table: Engagement, before: list[tuple[Troop, int]]) -> None:
        """B-47: who is not of the siege bears nothing of what it has cost the others."""
        for body in table.war.bodies:
            theirs = {(toll.member.army, toll.member.unit): toll for toll in
                      tolls_of(table.state, table.state.bodies[body.id])}  # fmt: skip
            walls = self.ours.garrison.factor if body.group == "garrison" else 1
            had = sum(points for one, points in before if any(one is troop for troop in body.troops))
            had = had * w.factor(table.war, body) // walls
            for troop, ours, its in zip(body.troops, after.toll(table.war, body, had), theirs.values(), strict=True):
                mine = (ours.points, ours.dead, ours.wounded, ours.prisoners, ours.pieces)
                other = (its.points, its.dead, its.wounded, its.prisoners, its.pieces)
                if not self.holds(troop) and mine != other:
                    raise Disagreement(f"siege {self.seed}, outsider of {body.id}: law {mine}, engine {other}")
                if self.holds(troop) and ours.pieces != its.pieces:
                    raise Disagreement(f"siege {self.seed}, guns of {body.id}: law {mine}, engine {other}")

    def lose_guns(self, table: Engagement) -> None:
        """B-49: a beaten side's guns are gone, while its siege goes on."""
        for body in table.war.bodies:
            for troop in list(body.troops):
                lost = after.pieces_lost(table.war, body, troop)
                if lost and self.holds(troop) and troop.pieces:
                    self.rearm(troop, replace(troop, pieces=max(0, troop.pieces - lost)))
        self.theirs = replace(self.theirs)

    def rearm(self, old: Troop, new: Troop) -> None:
        lists = [camp.troops for camp in ledger.camps(self.ours)] + [army.troops for army in self.armies.values()]
        for troops in lists:
            troops[:] = [new if one is old else one for one in troops]

    def end(self) -> None:
        """What is left, unit by unit."""
        fought = self.last if self.before.status in state.FOUGHT and self.finished_by_battle else None
        winner = ends.winner_of(self.before, self.theirs) if fought else None
        fates = self.fates if fought else {}
        mine = ledger.left(self.ours, fought, ledger_winner(self.ours, fought))
        theirs: list[list[ledger.Left]] = [[], [], []]
        for number, body in enumerate((self.theirs.garrison, self.theirs.contact, self.theirs.shooting)):
            members = {(member.army, member.nth) for member in body.members}
            theirs[number] = [ledger.Left(one.strength, one.wounded, one.dead, one.prisoners, one.pieces)
                              for one in ends.reckoned(self.theirs, winner, fates)
                              if (one.army, one.nth) in members]  # fmt: skip
        if mine != theirs:
            lines = [f"  law {a}\n  eng {b}" for one, other in zip(mine, theirs, strict=True)
                     for a, b in zip(one, other, strict=True) if a != b]  # fmt: skip
            raise Disagreement(f"siege {self.seed}, end ({self.ours.status}):\n" + "\n".join(lines))

    finished_by_battle = False


def ledger_winner(ours: Siege, fought: w.War | None) -> str:
    if fought is None:
        return ""
    return "besieger" if ours.status in ("taken", "unconditional") else "garrison"


def hosts(armies: list[Army]) -> list[Any]:
    return [translate.host(army.id, army.troops, army.chief) for army in armies]


def led(armies: list[Army]) -> list[Army]:
    """B-15: the army of the best commander first, the others as they are."""
    best = max((army for army in armies if army.chief), key=lambda army: army.chief.command, default=armies[0])
    return [best, *(army for army in armies if army is not best)]


def camp_of(armies: list[Army], group: str = "", factor: int = 1) -> Camp:
    return Camp([troop for army in armies for troop in army.troops if group in ("", troop.group)], factor=factor)


def fought_bodies(battle: Any) -> list[battles.FoughtBody]:
    """As the aftermath hands them to the siege."""
    return [
        battles.FoughtBody(
            tuple((member.army, member.unit) for member in body.formation.members), body.factor, body.brought,
            body.losses, body.status, {(one.army, one.unit): one.points for one in shares_of(battle, body)})
        for body in battle.bodies.values()
    ]  # fmt: skip


def told(table: Engagement) -> str:
    return "\n".join(f"  {body.id} {body.status} {body.losses}" for body in table.war.bodies)


def beleaguer(seed: int) -> Counter[str]:
    """One siege until it is over, or after so many steps lifted. Raises Disagreement."""
    table = Leaguer(seed)
    for number in range(1, MOST_STEPS + 1):
        before = table.last
        table.step(number)
        table.finished_by_battle = table.last is not before
        if table.ours.status not in ("open", "broken"):
            break
    else:
        table.theirs = ends.lift(table.theirs)[0]
        table.ours.status, table.finished_by_battle = "lifted", False
    table.end()
    return table.met
