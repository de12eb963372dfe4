"""Battles drawn by a seed: sides, armies, ground and weather, as plain values for both readings."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from random import Random

from tests.rules.breaking_point.second_reading import war as w
from tests.rules.breaking_point.second_reading.tables import ARMS, ENGINES, KINDS, ROWS, WALLS
from tests.rules.breaking_point.second_reading.units import Ground, Troop, contact_power, fire_power, force
from tests.rules.breaking_point.second_reading.war import Army, Body, Chief, Place, Side, War

ANCIENT = ("legionaries", "hoplites", "velites", "slingers", "horse-archers", "light-horse", "war-elephants",
           "war-chariots", "catapults", "zombies", "berserkers", "dinosaurs")  # fmt: skip
MIDDLE = ("knights", "feudal-horse", "men-at-arms", "lancers", "longbowmen", "crossbowmen", "militia", "peasants",
          "pikemen", "sappers", "catapults", "orcs", "trolls", "dwarves", "dragons", "zombies")  # fmt: skip
POWDER = ("musketeers", "grenadiers", "cuirassiers", "field-guns", "militia", "light-horse")
MODERN = ("riflemen", "conscripts", "commandos", "machine-guns", "anti-tank", "howitzers", "exo-commandos",
          "colonial-troops", "war-robots", "alien-swarm")  # fmt: skip
AGES = (ANCIENT, MIDDLE, POWDER, MODERN, ANCIENT + MIDDLE)
FEW = {"war-elephants": 12, "dinosaurs": 12, "dragons": 25, "trolls": 4}
GROUNDS = ("forest", "rough", "very-rough", "swamp", "mud", "town")
WEATHERS = ("visibility", "night", "gale", "blind", "heat", "cold", "harsh")


@dataclass
class Plan:
    """A battle before its first die."""

    seed: int
    kind: str
    medium: str
    sides: list[Side]
    armies: list[Army]
    conditions: set[str]
    distance: str = ""
    place: Place | None = None
    support: tuple[str, ...] = ()
    losses: dict[str, int] = field(default_factory=dict)  # B-55: of a siege, by army and number of the unit
    besieged: tuple[str, ...] = ()  # armies whose losses their siege keeps
    equipped: bool = True
    invested: bool = False
    waived: bool = False
    retreats: dict[int, int] = field(default_factory=dict)
    flyers: int = 1
    plain: bool = False
    surprise_stays: bool = False
    aggressive: float = 0.8


def troop_of(slug: str, strength: int, rng: Random, name: str) -> Troop:
    """A unit of the starter list, sometimes of another quality, sometimes raised or with shields."""
    row = ROWS[slug]
    pieces = None
    if row.crew:
        pieces = max(1, strength // row.crew)
        strength = pieces * row.crew
    combat = row.combat if rng.random() < 0.7 else rng.randint(-2, 12)
    group = row.group
    if slug in ("musketeers", "riflemen", "machine-guns", "colonial-troops") and rng.random() < 0.3:
        group = "shooting"  # B-5: firearm infantry as they like
    arms = tuple((1, ARMS[arm]) for arm in row.arms)
    raised = rng.choice((None, None, None, None, None, 63, 150)) if not row.never else None
    return Troop(name, row.kind, group, strength, combat, row.toughness or KINDS[row.kind].toughness, row.armour, arms,
                 pieces, None, row.never, raised, rng.random() < 0.1, False, row.starves)  # fmt: skip


def engine_of(slug: str, strength: int, rng: Random, name: str, medium: str) -> Troop:
    engine = ENGINES[slug]
    arms = tuple((number, ARMS[arm]._replace(secondary=ARMS[arm].secondary or arm in engine.secondary))
                 for number, arm in engine.arms if not (arm == "bomb" and medium in ("air", "space")))  # fmt: skip
    return Troop(name, "machines", "shooting", strength, rng.randint(-1, 11), engine.toughness, engine.armour, arms,
                 None, engine, starves=False)  # fmt: skip


def chief(rng: Random) -> Chief | None:
    if rng.random() < 0.25:
        return None
    return Chief(*(rng.randint(-2, 4) for _ in range(2)), *(rng.randint(0, 7) for _ in range(3)))


def men(rng: Random, age: tuple[str, ...], scale: int, prefix: str, count: int) -> list[Troop]:
    troops = []
    for index in range(count):
        slug = rng.choice(age)
        strength = max(2, rng.randint(scale // 3, scale) // FEW.get(slug, 1))
        troops.append(troop_of(slug, strength, rng, f"{prefix}-{index}"))
    return troops


def plan(seed: int) -> Plan:
    rng = Random(f"battle {seed}")
    kind = rng.choices((w.FIELD, w.FLEET, w.ASSAULT), (5, 2, 2))[0]
    drawn = {w.FIELD: field_battle, w.FLEET: fleet_action, w.ASSAULT: assault}[kind](seed, rng)
    drawn.plain = rng.random() < 0.1
    drawn.surprise_stays = rng.random() < 0.1
    drawn.aggressive = rng.choice((0.2, 0.8, 0.9, 0.95))
    later = Random(f"retreats {seed}")  # of its own: what was drawn before stays as it was
    drawn.waived = kind == w.FIELD and later.random() < 0.08
    if kind == w.FLEET and later.random() < 0.3:
        more_ships(drawn, later)
    drawn.retreats = {side.index: later.choice((-5, -2, 1, 4)) for side in drawn.sides if later.random() < 0.2}
    for side in drawn.sides:
        side.circumstances = rng.choice((0, 0, 0, 2, -2, 5, -5))
        side.radio = rng.random() < 0.2
        own = [army.id for army in drawn.armies if army.side == side.index]
        side.chief = rng.choice((*own, "", ""))
    return drawn


def weather(rng: Random) -> set[str]:
    return {what for what in WEATHERS if rng.random() < 0.08}


def ground(rng: Random) -> set[str]:
    return {what for what in GROUNDS if rng.random() < 0.09}


def words(rng: Random) -> set[str]:
    return {what for what in ("narrow", "no-surprise") if rng.random() < 0.08}


def field_battle(seed: int, rng: Random) -> Plan:
    sides = [Side(index) for index in range(rng.choice((2, 2, 2, 3)))]
    age, scale, armies = rng.choice(AGES), rng.choice((20, 100, 600, 5000)), []
    for side in sides:
        for _ in range(rng.choice((1, 1, 1, 2))):
            key = f"{'ABC'[side.index]}{len(armies)}"
            troops = men(rng, age, scale, key, rng.randint(1, 4))
            if age is MODERN and rng.random() < 0.4:  # BP-9, B-65: army and vehicles together
                slug = rng.choice([slug for slug, engine in ENGINES.items() if "land" in engine.media])
                troops.append(engine_of(slug, rng.randint(1, max(1, scale // 40)), rng, f"{key}-m", "land"))
            armies.append(Army(key, side.index, with_reserve(troops, rng), chief(rng)))
    distance = rng.choice(("", "", "short", "long"))
    found = Plan(seed, w.FIELD, "land", sides, armies, ground(rng) | weather(rng) | words(rng), distance)
    if rng.random() < 0.12:  # B-65: guns in orbit, or beyond the hills
        slug = rng.choice(("howitzers", "catapults", "longbowmen"))
        troops = [troop_of(slug, max(5, scale // 3), rng, "T-0")]
        side = rng.choice(sides).index
        armies.append(Army(f"{'ABC'[side]}T", side, troops, chief(rng)))
        armies.sort(key=lambda army: army.side)
        found.support = (f"{'ABC'[side]}T",)
    return found


def with_reserve(troops: list[Troop], rng: Random) -> list[Troop]:
    """BP-7: at least a tenth of the power; one unit of several, as strong as the strongest that is not held back."""
    if len(troops) < 2 or rng.random() < 0.6:
        return troops
    index = rng.randrange(len(troops))
    held = troops[index]
    if held.pieces is not None:
        return troops
    most = max(troop.strength for troop in troops)
    held = replace(held, reserve=True, strength=most)
    found = [*troops[:index], held, *troops[index + 1 :]]
    return found if 4 * weight(held) >= sum(weight(troop) for troop in found) else troops


def weight(troop: Troop) -> Fraction:
    return max(contact_power(troop, Ground()), fire_power(troop))


def fleet_action(seed: int, rng: Random) -> Plan:
    medium = rng.choice(("air", "sea", "space", "land"))
    sides = [Side(index) for index in range(rng.choice((2, 2, 3)))]
    fitting = [slug for slug, engine in ENGINES.items() if medium in engine.media]
    armies = []
    for side in sides:
        key = f"{'ABC'[side.index]}{len(armies)}"
        troops = [engine_of(rng.choice(fitting), rng.randint(1, 20), rng, f"{key}-{index}", medium)
                  for index in range(rng.randint(1, 4))]  # fmt: skip
        armies.append(Army(key, side.index, troops, chief(rng)))
    return Plan(
        seed, w.FLEET, medium, sides, armies, weather(rng) | {what for what in ("no-surprise",) if rng.random() < 0.08}
    )


def more_ships(drawn: Plan, rng: Random) -> None:
    """Another army on some sides of a fleet (B-15)."""
    fitting = [slug for slug, engine in ENGINES.items() if drawn.medium in engine.media]
    for side in drawn.sides:
        if rng.random() < 0.6:
            key = f"{'ABC'[side.index]}{len(drawn.armies)}"
            ships = [engine_of(rng.choice(fitting), rng.randint(1, 20), rng, f"{key}-0", drawn.medium)]
            drawn.armies.append(Army(key, side.index, ships, chief(rng)))
    drawn.armies.sort(key=lambda army: army.side)


def assault(seed: int, rng: Random) -> Plan:
    sides = [Side(0), Side(1)]
    age, slug = rng.choice(AGES), rng.choice(tuple(WALLS))
    wall = WALLS[slug]
    garrison = rng.randint(wall.least, wall.most or 2000)
    armies = []
    for side in sides:
        for _ in range(rng.choice((1, 1, 2))):
            key = f"{'AB'[side.index]}{len(armies)}"
            scale = max(6, garrison * 3 // 2 if side.index == 0 else garrison // 2)
            troops = with_reserve(men(rng, age, scale, key, rng.randint(1, 3)), rng)
            armies.append(Army(key, side.index, troops, chief(rng)))
    heads = sum(troop.strength for army in armies if army.side == 1 for troop in army.troops)
    place = Place(slug, max(garrison, -(-heads // 2)), wall.factor, wall.bonus, wall.shots_only)
    found = Plan(seed, w.ASSAULT, "land", sides, armies, ground(rng) | weather(rng) | words(rng), place=place)
    found.equipped, found.invested = rng.random() < 0.5, rng.random() < 0.5
    found.flyers = rng.choice((1, 1, 2, 3))
    if rng.random() < 0.1:
        found.conditions.add("site")
    if rng.random() < 0.3:
        worn(found, rng)
    return found


def worn(drawn: Plan, rng: Random) -> None:
    """B-55: what the garrison has lost in the siege before, of one army that is all in the place."""
    holders = [army for army in drawn.armies if army.side == 1]
    if len(holders) == 1 and not any(troop.reserve for troop in holders[0].troops) and drawn.place:
        whole = sum(force(troop, Ground(assault=True)) for troop in holders[0].troops)
        drawn.losses = {f"{holders[0].id}:0": rng.randint(1, drawn.place.factor * whole // 4)}


# As this reading plays it


def war_of(drawn: Plan) -> War:
    war = War(drawn.kind, [Side(**vars(side)) for side in drawn.sides], {}, [], drawn.medium)
    war.grounds = drawn.conditions & set(GROUNDS)
    war.weather = drawn.conditions & set(WEATHERS)
    war.narrow, war.no_surprise, war.site = (word in drawn.conditions for word in ("narrow", "no-surprise", "site"))
    war.distance, war.place, war.equipped, war.invested = drawn.distance, drawn.place, drawn.equipped, drawn.invested
    war.flyers, war.plain, war.surprise_stays = drawn.flyers, drawn.plain, drawn.surprise_stays
    war.waived, war.retreats = drawn.waived, dict(drawn.retreats)
    for army in one_army_a_side(drawn) if drawn.kind == w.ASSAULT else drawn.armies:
        war.armies[army.id] = army
        war.bodies += bodies_of(army, drawn.kind)
    for body in war.bodies:
        body.support = body.army in drawn.support
        body.losses = brought(drawn, body)
        enters(war, body)
    rng = Random(f"cover {drawn.seed}")
    war.cover = {body.id: rng.choice((5, 5, 3, 10)) for body in war.bodies if rng.random() < 0.06}
    w.open_war(war)
    return war


def enters(war: War, body: Body) -> None:
    """BP-4.8, B-33: who has lost twice the force in the siege is no more."""
    if body.losses and body.losses >= 2 * w.force(war, body):
        body.status = "annihilated"


def brought(drawn: Plan, body: Body) -> int:
    """B-55: what its units have lost in their siege."""
    keys = [(f"{army.id}:{index}", troop) for army in drawn.armies for index, troop in enumerate(army.troops)]
    return sum(drawn.losses.get(key, 0) for key, troop in keys if any(troop is one for one in body.troops))


def one_army_a_side(drawn: Plan) -> list[Army]:
    """B-53: each side's armies act as one, that of its chief."""
    found = []
    for side in drawn.sides:
        own = [army for army in drawn.armies if army.side == side.index]
        named = next((army for army in own if army.id == side.chief), None)
        leads = named.chief if named and named.chief else None
        best = max((army for army in own if army.chief), key=lambda each: each.chief.command, default=None)
        if leads is None and best:
            leads = best.chief
        troops = [troop for army in own for troop in army.troops]
        present = [(army.id, army.chief, army.troops) for army in own if army.chief]
        found.append(Army((named or best or own[0]).id, side.index, troops, leads, present))
    return found


def bodies_of(army: Army, kind: str) -> list[Body]:
    """B-5, B-53."""
    if kind == w.FLEET:
        return [Body(f"{army.id}:{index}", army.id, army.side, "unit", [troop], "ready" if troop.reserve else "field")
                for index, troop in enumerate(army.troops)]  # fmt: skip
    holds = kind == w.ASSAULT and army.side == 1
    found = []
    for reserve in (False, True):
        for group in ("garrison",) if holds else ("contact", "shooting"):
            troops = [troop for troop in army.troops if holds or troop.group == group]
            troops = [troop for troop in troops if troop.reserve == reserve]
            if troops:
                key = f"{army.id}:{'reserve-' if reserve else ''}{group}"
                found.append(Body(key, army.id, army.side, group, troops, "ready" if reserve else "field"))
    return found
