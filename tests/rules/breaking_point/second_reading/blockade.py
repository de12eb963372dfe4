"""Sieges drawn by a seed, week by week on both readings, with terms heard now and then."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

from rules.breaking_point.siege import events as e
from rules.breaking_point.siege.siege_ends import Offer, terms
from rules.breaking_point.siege.siege_state import lay_siege
from rules.breaking_point.siege.week import week
from tests.rules.breaking_point.second_reading import siege as law
from tests.rules.breaking_point.second_reading import translate
from tests.rules.breaking_point.second_reading.alike import Disagreement, faces
from tests.rules.breaking_point.second_reading.dice import throw
from tests.rules.breaking_point.second_reading.scenarios import AGES, WALLS, chief, engine_of, men, troop_of
from tests.rules.breaking_point.second_reading.siege import Camp, Siege
from tests.rules.breaking_point.second_reading.units import Troop
from tests.rules.breaking_point.second_reading.war import Place
from tests.rules.pathfinder.oracle.dice import KeyedDice

MOST_WEEKS = 40


def drawn(seed: int) -> tuple[Place, list[Troop], list[Troop], Any, bool]:
    rng = Random(f"siege {seed}")
    age, slug = rng.choice(AGES), rng.choice(tuple(WALLS))
    wall = WALLS[slug]
    garrison = rng.randint(wall.least, wall.most or 3000)
    inside = men(rng, age, max(4, garrison // 3), "G", rng.randint(1, 4))
    if rng.random() < 0.1:
        inside.append(engine_of("battle-robot", rng.randint(1, 10), rng, "GM", "land"))
    inside = [replace(troop, combat=rng.randint(-1, 6)) if rng.random() < 0.5 else troop for troop in inside]
    heads = sum(troop.strength for troop in inside)
    outside = men(rng, age, max(6, heads * rng.choice((1, 2, 3))), "B", rng.randint(1, 4))
    if rng.random() < 0.4:
        sappers = men(rng, ("sappers",), max(6, heads), "S", 1)[0]
        outside.append(replace(sappers, engineers=True))
    later = Random(f"guns {seed}")  # of its own: what was drawn before stays as it was
    if later.random() < 0.2:  # B-33: so many that they take more than there is
        inside.append(troop_of("howitzers", later.randint(5, 400), later, "GG"))
        outside.append(troop_of("howitzers", later.randint(5, 400), later, "BG"))
        heads = sum(troop.strength for troop in inside)
    place = Place(slug, max(garrison, -(-heads // 2)), wall.factor, wall.bonus, wall.shots_only)
    return place, inside, outside, chief(rng), rng.random() < 0.1


class Blockade:
    def __init__(self, seed: int):
        self.seed, self.rng = seed, Random(f"weeks {seed}")
        place, inside, outside, leader, self.plain = drawn(seed)
        contact = [troop for troop in outside if troop.group == "contact"]
        shooting = [troop for troop in outside if troop.group == "shooting"]
        self.ours = Siege(place, Camp(inside, factor=place.factor), Camp(contact), Camp(shooting), leader, ("B", "G"),
                          plain=self.plain)  # fmt: skip
        besieger, garrison = translate.host("B", outside, leader), translate.host("G", inside, None)
        walls = translate.place(place)
        assert walls is not None
        self.theirs = lay_siege(walls, [garrison], [besieger], hears=True)
        self.met: Counter[str] = Counter(sieges=1)

    def week(self, number: int) -> None:
        ours, theirs = KeyedDice(self.seed, number), KeyedDice(self.seed, number)
        passed = week(self.theirs, theirs, plain=self.plain)
        self.theirs = passed.siege
        events = [fact for event in passed.events for fact in told(event)]
        aim = next((fact[1] for fact in events if fact[0] == "bombarded" and fact[1] != "garrison"), "contact")
        story = law.week(self.ours, lambda owner: throw(ours.face, owner, "shot", plain=self.plain), aim)
        self.met.update(fact[0] for fact in story)
        self.same(f"week {number}", story, events, ours, theirs)

    def same(self, when: str, ours: Any, theirs: Any, mine: KeyedDice, its: KeyedDice) -> None:
        if ours != theirs or mine.asked() != its.asked():
            raise Disagreement(f"siege {self.seed}, {when}:\n  law:    {ours}\n  engine: {theirs}")
        state = self.theirs
        camps = (self.ours.garrison, self.ours.contact, self.ours.shooting)
        here = [*((camp.losses, camp.heads()) for camp in camps), self.ours.weeks, self.ours.thin, self.ours.status]
        bodies = (state.garrison, state.contact, state.shooting)
        there = [*((body.lost, body.heads) for body in bodies), state.weeks, state.thin, state.status]
        if here != there:
            raise Disagreement(f"siege {self.seed}, {when}:\n  law:    {here}\n  engine: {there}")

    def terms(self, number: int) -> None:
        ours, theirs = KeyedDice(self.seed, f"terms {number}"), KeyedDice(self.seed, f"terms {number}")
        purse = Random(f"money {self.seed} {number}")
        money, a_hundred = purse.choice((0, 0, purse.randint(1, 60))), purse.choice((1, 5, 10, 30))
        heard = terms(self.theirs, theirs, plain=self.plain, offer=Offer(money, a_hundred))
        self.theirs = heard.siege
        die = throw(ours.face, self.ours.owners[0], "terms", plain=self.plain)
        margin, outcome = law.terms(self.ours, die, money, a_hundred)
        if outcome != "refused":
            self.ours.status = outcome
        self.met[f"terms {outcome}"] += 1
        event = heard.event
        self.same(f"terms {number}", (margin, outcome), (event.margin, event.outcome), ours, theirs)


def told(event: Any) -> list[tuple[Any, ...]]:
    match event:
        case e.Bombarded():
            return [("bombarded", event.at, faces(event.rolls), event.margin, event.power, event.losses)]
        case e.WeekCounted():
            return [("counted", event.weeks, event.hold)]
        case e.WeekNotCounted():
            return [("thin", event.thin)]
        case e.Starved():
            return [("starved", event.losses)] if event.losses else []
        case e.GarrisonBroke():
            return [("broken", event.lost)]
        case e.SiegeLifted():
            return [("lifted",)]
    return []


def besiege(seed: int) -> Counter[str]:
    """One siege to its end, or forty weeks of it. Raises Disagreement."""
    table = Blockade(seed)
    for number in range(1, MOST_WEEKS + 1):
        table.week(number)
        if table.ours.status == "open" and table.rng.random() < 0.1:
            table.terms(number)
        if table.ours.status != "open":
            break
    return table.met
