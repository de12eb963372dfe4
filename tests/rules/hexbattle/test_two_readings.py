"""Moves, sides and sight of hex battles against the second reading of the law, over maps drawn from seeds."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from rules.core.errors import IllegalCommand, InvalidInput
from rules.hexbattle import choosing, moving, seeing
from rules.hexbattle.common import Moved, Revealed, Stumbled
from rules.hexbattle.field import opened
from rules.hexbattle.ground import BattleGround, checked
from rules.hexes import generate as making
from rules.hexes.battlefields import STARTERS
from rules.hexes.field import doubts
from rules.hexes.geometry import Hex
from rules.hexes.mapfile import document, parse
from rules.hexes.reading import MOST_FAULTS
from rules.hexes.terrain import MapChoices, MapKind
from tests.rules.hexbattle.conftest import A, B, units
from tests.rules.hexes.second_reading import files, moves, sides, situations
from tests.rules.hexes.second_reading.ground import Land, apart, name, place, ring, sees

BATCHES = [pytest.param(0, id="every day"), *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, 16))]
GAITS = (
    (moving.Gait(difficult=2), moves.WALKING),
    (moving.Gait(difficult=2, infiltration_only=2), moves.INFILTRATING),
    (moving.FLYING, moves.FLYING),
    (moving.Gait(road=True), moves.ROAD),
    (moving.Gait(difficult=1, infiltration_only=1, halts=frozenset(moves.HALTED.halts)), moves.HALTED),
)


class Drawn:
    """A map in both readings."""

    def __init__(self, seed: str):
        self.random = Random(seed)
        told = situations.document(self.random)
        self.land = Land(told)
        self.land.overlays = situations.overlays(self.random, self.land)
        self.ground = BattleGround(checked(told), situations.slugs(self.land.overlays))
        self.hexes = sorted(self.land.letters)

    def hex(self):
        return self.random.choice(self.hexes)

    def mover(self):
        """The same unit for both."""
        engine, gait = self.random.choice(GAITS)
        closed, held, halts = (situations.some(self.random, self.land, 9) for _ in range(3))
        points = self.random.randint(0, 9)
        unit = moves.Unit(gait, points, closed, held, halts)
        return moving.Mover(engine, points, *map(labels, (closed, held, halts))), unit

    def line(self, length):
        return situations.line(self.random, self.hexes, length)


def drawn(batch, maps, what):
    return (Drawn(f"{what} {batch} {number}") for number in range(maps))


def labels(hexes):
    return frozenset(map(name, hexes))


@pytest.mark.parametrize("batch", BATCHES)
def test_hx_2_h_1_the_footing_of_every_step(batch):
    for one in drawn(batch, 20, "footing"):
        for at in one.hexes:
            for near in one.land.around(at):
                read_so = one.land.footing(at, near)
                assert one.ground.field.entering(Hex(*at), Hex(*near)) == read_so, (name(at), name(near))


@pytest.mark.parametrize("batch", BATCHES)
def test_hx_3_h_10_reach_and_the_line_to_every_hex(batch):
    for one in drawn(batch, 60, "reach"):
        mover, unit = one.mover()
        start = one.hex()
        within = {name(at): cost for at, cost in moves.reach(one.land, unit, start).items()}
        assert moving.reach(one.ground, mover, name(start)) == within
        near = [at for at in one.hexes if name(at) in within]
        for target in [*one.random.sample(near, min(8, len(near))), one.hex()]:
            found = moving.route(one.ground, mover, name(start), name(target))
            read_so = moves.route(one.land, unit, start, target)
            assert (found and (found.cost, list(found.hexes))) == (
                read_so and (read_so[0], list(map(name, read_so[1])))
            ), (name(start), name(target))


@pytest.mark.parametrize("batch", BATCHES)
def test_w_32_reach_from_the_reserve(batch):
    for one in drawn(batch, 40, "reserve"):
        mover, unit = one.mover()
        entry = situations.some(one.random, one.land, 6)
        within = {name(at): cost for at, cost in moves.reach(one.land, unit._replace(entry=entry), None).items()}
        assert moving.reach(one.ground, mover._replace(entry=labels(entry)), "") == within


@pytest.mark.parametrize("batch", BATCHES)
def test_hx_3_3_a_way_of_ones_own(batch):
    taken = 0
    for one in drawn(batch, 40, "own way"):
        for _way in range(8):
            mover, unit = one.mover()
            hexes = one.line(one.random.randint(2, 5))
            if one.random.random() < 0.1:
                hexes[-1] = one.random.choice([at for at in one.hexes if at != hexes[-2]])
            read_so = moves.walked(one.land, unit, hexes)
            taken += read_so is not None
            try:
                cost = moving.walked(one.ground, mover, name(hexes[0]), list(map(name, hexes[1:]))).cost
            except (IllegalCommand, InvalidInput):
                cost = None
            assert cost == read_so, list(map(name, hexes))
    assert taken > 60


@pytest.mark.parametrize("batch", BATCHES)
def test_hx_5_sight(batch):
    for one in drawn(batch, 25, "sight"):
        for _look in range(20):
            a, b, flying = one.hex(), one.hex(), (one.random.random() < 0.2, one.random.random() < 0.2)
            seen = one.ground.sees(name(a), name(b), flying=flying)
            assert seen == sees(one.land, a, b, flying, set()), (name(a), name(b), flying)


@pytest.mark.parametrize("batch", BATCHES)
def test_hx_1_5_hx_6_2_homes_and_ways_from_a_threat(batch):
    for one in drawn(batch, 40, "away"):
        for _unit in range(10):
            side, at = one.random.randint(0, 1), one.hex()
            enemies = [one.random.choice([near, one.hex()]) for near in ring(at) * 2 if near in one.land]
            threat = one.random.choice(enemies)
            found = one.ground.away(side, name(at), name(threat), list(map(name, enemies)))
            assert list(found) == list(map(name, sides.away(one.land, side, at, threat, enemies)))
            assert list(one.ground.homeward(side, name(at))) == list(map(name, sides.homeward(one.land, side, at)))


@pytest.mark.parametrize("batch", BATCHES)
def test_hx_7_2_h_2_zones_and_whether_a_way_joins_them(batch):
    """Of the map as painted: what lies over it for a while is no part of its file."""
    for one in drawn(batch, 40, "zone"):
        one.land.overlays, bare = {}, one.ground.laid({})
        for rows in (2, 3):
            for side in (0, 1):
                assert bare.zone(side, rows) == labels(sides.zone(one.land, side, rows))
            assert bool(doubts(bare.land, rows)) == (not files.joined(one.land, rows))


@pytest.mark.parametrize("batch", BATCHES)
def test_hx_7_3_what_a_file_is_refused_for(batch):
    sound = 0
    for number in range(150):
        random = Random(f"file {batch} {number}")
        told = situations.document(random)
        spoils = list(situations.spoilt(random, told))
        read_so = files.faults(told)
        sound += not read_so
        pointers, all_told = set(), True
        try:
            parse(told)
        except InvalidInput as refused:
            pointers = {pointer(at) for at, _said in refused.errors}
            all_told = len(refused.errors) < MOST_FAULTS
        assert pointers == read_so if all_told else pointers <= read_so, spoils
    assert 30 < sound < 120


def pointer(at: str) -> str:
    """As far as the member, or the row in it."""
    named = at.split("/")[1:3]
    return named[0] if named[0] == "homes" else "/".join(named)


class Scene:
    """A unit about to walk among friends, enemies its side sees, and enemies it does not; in both readings."""

    def __init__(self, one: Drawn):
        self.random, self.land, self.ground = one.random, one.land, one.ground
        start = self.random.choice([at for at in one.hexes if len(self.land.around(at)) > 3])
        near = [at for at in one.hexes if 0 < apart(at, start) <= 3]
        friends = self.random.sample(near, 5)
        elsewhere = [at for at in one.hexes if at not in (start, *friends)]
        close = [at for at in near if at in elsewhere]
        self.own, self.enemies = (
            [start, *friends],
            sorted({*self.random.sample(close, 4), *self.random.sample(elsewhere, 6)}),
        )
        self.within = self.random.choice([0, 0, 1, 2, 2])
        self.high, self.hides = self.random.random() < 0.15, self.random.random() < 0.3
        self.quiet = set(self.random.sample(self.enemies, 4))
        near = {at for at in self.enemies if any(apart(at, own) <= self.within for own in self.own)}
        self.unseen = [at for at in self.enemies if at not in near]
        closed = set() if self.high else near
        beside = set() if self.high else {at for enemy in near - self.quiet for at in self.land.around(enemy)}
        gait, read_gait = GAITS[2] if self.high else self.random.choice(GAITS)
        self.mover = moving.Mover(gait, 14, *map(labels, (closed, friends, beside)))
        self.unit = moves.Unit(read_gait, 14, closed, friends, beside)

    def way(self):
        """A sound one, if one is soon found."""
        for _try in range(12):
            found = self.own[:1]
            for _step in range(self.random.randint(2, 8)):
                found.append(self.random.choice(self.land.around(found[-1])))
            if moves.walked(self.land, self.unit, found) is not None:
                return found
        return None

    def tokens(self):
        names = [f"E{number}" for number in range(len(self.enemies))]
        mine = units(A, 0, "Walker", "F1", "F2", "F3", "F4", "F5", hidden=("Walker",) if self.hides else ())
        theirs = units(B, 1, *names, hidden=names)
        places = [*self.own, *self.enemies]
        return [token._replace(at=name(at)) for token, at in zip([*mine, *theirs], places, strict=True)]

    def marched(self, hexes):
        """The engine's march: path, enemies revealed, points left, whether it stumbled, whether it is revealed."""
        tokens, still = self.tokens(), labels(self.quiet)
        field = replace(opened(self.ground.document, {A: 0, B: 1}, tokens), ground=self.ground)
        done = choosing.march(
            field,
            tokens[0].id,
            self.mover,
            moving.walked(self.ground, self.mover, name(hexes[0]), [name(at) for at in hexes[1:]]),
            lambda now, side: seeing.unseen(now, side, within=self.within),
            halts=lambda enemy: not self.high and enemy.at not in still,
            blocks=lambda enemy: not self.high,
        )
        path = next(event.path for event in done.events if isinstance(event, Moved))
        stumbled = [event.left for event in done.events if isinstance(event, Stumbled)]
        assert stumbled == [done.walk.left] * done.walk.stumbled
        revealed = {event.unit: event.at for event in done.events if isinstance(event, Revealed)}
        itself = revealed.pop(tokens[0].id, None) is not None
        return list(path), set(revealed.values()), done.walk.left, done.walk.stumbled, itself


@pytest.mark.parametrize("batch", BATCHES)
def test_h_9_w_42_w_54_who_stumbles_where_it_stops_and_what_is_revealed(batch):
    stumbled = fell_back = 0
    for one in drawn(batch, 300, "stumble"):
        scene = Scene(one)
        way = scene.way()
        if way is None:
            continue
        met = moves.march(one.land, scene.unit, way, scene.unseen, scene.within, quiet=scene.quiet, high=scene.high)
        read_so = list(map(name, met.hexes)), labels(met.revealed), met.left, met.stumbled, met.stumbled and scene.hides
        assert scene.marched(way) == read_so
        stumbled += met.stumbled
        fell_back += met.fell_back
    assert stumbled > 25
    assert fell_back


@pytest.mark.parametrize("batch", BATCHES)
def test_hx_8_h_3_w_62_generated_maps(batch):
    for number in range(4):
        random = Random(f"generated {batch} {number}")
        margin, asked = random.choice([0, 2]), choices(random)
        made = making.generate(asked, zone_rows=3, margin=margin)
        land = Land(document(made))
        if asked.river and asked.symmetric:
            assert made.rows == asked.rows + 1 - asked.rows % 2
        for at in land.letters:
            twin = sides.twin(made.columns, made.rows, at)
            assert tuple(making.twin(made, Hex(*at))) == twin
            assert land.letters[at] == land.letters[twin] or not asked.symmetric
        for side in (0, 1):
            zone = sides.zone(land, side, 3)
            on_foot = moves.reach(land, moves.Unit(moves.WALKING, 999, (), (), ()), min(zone))
            assert set(sides.free_of(land, land.letters)) <= on_foot.keys()
            first = min(margin, (made.rows - 8) // 2)
            assert {sides.from_home(land, side, at) for at in zone} == set(range(first, first + 3))


def choices(random: Random) -> MapChoices:
    return MapChoices(
        of=MapKind.BATTLE,
        columns=random.randint(8, 18),
        rows=random.randint(12, 18),
        kind=random.choice(("plain", "mixed", "rough", "wooded", "hilly", "marshy")),
        seed=str(random.random()),
        river=random.random() < 0.5,
        symmetric=random.random() < 0.6,
    )


def test_h_3_the_ford_turned_about_its_bridge_and_its_road():
    land = Land(document(STARTERS["the-ford"]))
    alone = {at for at in land.letters if (8 - at[0], 14 - at[1]) not in land}
    assert labels(alone) == {f"P{row}" for row in range(2, 15, 2)}
    assert all(land.letters[at] == land.letters[8 - at[0], 14 - at[1]] for at in land.letters if at not in alone)
    road = moves.Unit(moves.ROAD, 99, (), (), ())
    assert moves.reach(land, road, place("H1"))[place("I15")] == 14


def test_h_3_meadows_and_the_pass_are_only_nearly_symmetric():
    for slug, differ in (("meadows", 4), ("the-pass", 8)):
        land = Land(document(STARTERS[slug]))
        odd = [at for at in land.letters if land.letters[at] != land.letters[sides.twin(16, 14, at)]]
        assert len(odd) == differ
