"""Marches: a path across a large map, and a week in which a thousand armies march against one in which none does."""

from __future__ import annotations

import random
from collections.abc import Iterator
from statistics import median
from time import perf_counter

from armies.models import Army
from armies.models.routes import route_along
from armies.weeks import services as time
from kingdom.chronicle.services import undo_entry
from kingdom.map.services import make_map
from kingdom.models import Campaign, User
from rules.hexes.geometry import Hex, at_place
from rules.hexes.mapfile import HexMap, blank, parse
from rules.hexes.terrain import MapKind
from rules.travel import PLAIN_TRAVEL, Overland, itinerary, planned
from tests.benchmarks import Row
from tests.benchmarks.bench_weeks import campaign_of

COLUMNS, ROWS, TRIES = 60, 40, 15
ARMIES = 1_000


def large(columns: int = COLUMNS, rows: int = ROWS) -> HexMap:
    """Two hexes of five difficult, one of twenty water; open in two opposite corners."""
    chance = random.Random(7)
    terrain = ["".join(chance.choices(".fwm^~", (30, 22, 15, 10, 15, 5), k=columns)) for _row in range(rows)]
    terrain[0] = ".." + terrain[0][2:]
    terrain[-1] = terrain[-1][:-2] + ".."
    return parse({
        "format": "warhost-hexmap", "version": 1, "name": "Large", "kind": "campaign", "columns": columns,
        "rows": rows, "terrain": terrain,
    })  # fmt: skip


def bench_path() -> Iterator[Row]:
    """From corner to corner, with what every hex of the map costs reckoned anew: all that a page asks."""
    field, pace = large(), PLAIN_TRAVEL.pace({})
    corners = at_place(0, 0), at_place(COLUMNS - 1, ROWS - 1)
    seconds = []
    for _try in range(TRIES):
        start = perf_counter()
        planned(Overland(field, PLAIN_TRAVEL), *corners, pace)
        seconds.append(perf_counter() - start)
    yield Row(f"path across a map of {COLUMNS} × {ROWS} hexes, ms", min(seconds) * 1000, 20, "lower")


def bench_marching_week() -> Iterator[Row]:
    """A week of a thousand armies, confirmed and taken back, all of them on the march or none."""
    gm = User.objects.create_user(username="gm")
    campaign = campaign_of(gm, ARMIES)
    make_map(by=gm, campaign=campaign, columns=COLUMNS, rows=ROWS)
    stay = [_week(gm, campaign) for _try in range(3)]
    _send(campaign)
    march = [_week(gm, campaign) for _try in range(3)]
    for number, what in enumerate(("confirmed", "taken back")):
        one, other = (median(week[number] for week in weeks) for weeks in (stay, march))
        name = f"week of {ARMIES:,} marching armies {what} / of as many that stay ({one:.2f} s)"
        yield Row(name, other / one, 1.5, "lower")


def _send(campaign: Campaign) -> None:
    """Each along a row of its own, for eight days."""
    land = Overland(blank("Open", MapKind.CAMPAIGN, COLUMNS, ROWS), PLAIN_TRAVEL)
    pace = PLAIN_TRAVEL.pace({})
    armies = list(Army.objects.filter(campaign=campaign).order_by("id"))
    for number, army in enumerate(armies):
        row = number % ROWS
        path: list[Hex] = [at_place(column + number % 30, row) for column in range(17)]
        route = route_along(itinerary(land, path, pace), campaign.day, ())
        army.route, army.hex, army.marching_until = route.to_json(), route.stops[0], route.until
    Army.objects.bulk_update(armies, ["route", "hex", "marching_until"], batch_size=500)


def _week(gm: User, campaign: Campaign) -> tuple[float, float]:
    campaign.refresh_from_db()
    start = perf_counter()
    entry = time.confirm_time(by=gm, campaign=campaign, days=7)
    between = perf_counter()
    undo_entry(by=gm, entry=entry)
    return between - start, perf_counter() - between
