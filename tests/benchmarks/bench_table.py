"""A table at play: how many phases are resolved in a second, by the API and from the page, and how soon all see it.

Clients run in a process of their own (`tests.benchmarks.pound`), so that they do not share one interpreter with the
server.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

from battles.models import Battle
from battles.setup.services import open_battle
from kingdom.models import ApiToken, Campaign, User
from rules.pathfinder.battle.orders.commands import Next, Override, Resolve
from tests.battles.conftest import RAIDER, SPEARMAN, make_table, muster
from tests.benchmarks import Row
from tests.benchmarks.bench_pages import played
from tests.benchmarks.serving import cookies_of, warhost
from tests.kingdom.conftest import seat

CLIENTS, SECONDS, ROUNDS = 8, 3, 3
VIEWERS = 20


def bench_resolving() -> Iterator[Row]:
    """Eight battles resolved at once, beside eight rows locked, changed and joined by another."""
    gm = User.objects.create_user(username="gm")
    battles = _battles(gm, make_table(gm), CLIENTS + 2 * ROUNDS)
    alone = iter(battles[CLIENTS:])  # each for seconds only: after hundreds of phases somebody falls
    idle = _idle(gm, battles[0].campaign)
    _token, key = ApiToken.objects.create(user=gm)
    cookies = cookies_of(gm)
    with warhost() as url:
        best: dict[str, float] = {}
        for _round in range(ROUNDS):
            for name, found in (
                ("api", _pound(url, "api", SECONDS, [_by_api(battle, key) for battle in battles[:CLIENTS]])),
                ("bare", _pound(url, "bare", SECONDS, [{"path": f"/bench/write/{row.pk}/"} for row in idle])),
                ("one", _pound(url, "api", SECONDS, [_by_api(next(alone), key)])),
                ("page", _pound(url, "page", SECONDS, [_by_page(next(alone), cookies)])),
            ):
                best[name] = max(best.get(name, 0), found)
    rates = f"({best['api']:.0f}/s) / lock, update, insert ({best['bare']:.0f}/s)"
    yield Row(f"resolved by the API, {CLIENTS} connections {rates}", best["api"] / best["bare"], 0.35, "higher")
    times = f"({1000 / best['page']:.1f} ms) / by the API ({1000 / best['one']:.1f} ms)"
    yield Row(f"resolved from the page and drawn {times}", best["one"] / best["page"], 2.5, "lower")


def bench_viewers() -> Iterator[Row]:
    """Twenty who watch one battle of two against two: until the last has its page after a phase."""
    gm = User.objects.create_user(username="gm")
    table = make_table(gm)
    (battle,) = _battles(gm, table, 1, each=2)
    _token, key = ApiToken.objects.create(user=gm)
    users = [User.objects.create_user(username=f"viewer {number}") for number in range(VIEWERS)]
    for user in users:
        seat(gm, table.campaign, user, "player")
    watching = [{"path": f"/battles/{battle.pk}/", "lines": [cookies_of(user)]} for user in users]
    with warhost() as url:
        seconds = min(_pound(url, "watch", 0, [_by_api(battle, key), *watching]) for _round in range(ROUNDS))
    yield Row(f"{VIEWERS} viewers redrawn after a phase, seconds", seconds, 1, "lower")


def _battles(gm: User, table: Any, count: int, each: int = 1) -> list[Battle]:
    """Battles in their first melee phase, in which nobody can hit anybody."""
    found = []
    for number in range(count):
        sides = [
            {"name": name, "armies": [str(muster(gm, kingdom, f"{name} {number} {n}", unit, 2000).pk)
                                      for n in range(each)]}
            for name, kingdom, unit in (("Crown", table.crown, SPEARMAN), ("Horde", table.horde, RAIDER))
        ]  # fmt: skip
        battle = open_battle(by=gm, campaign=table.campaign, name=f"Ford {number}", sides=sides)
        walls = [Override(army, "dv", 50, "Walls") for side in sides for army in side["armies"]]
        found.append(played(gm, battle, *walls, Next(), Resolve(), Resolve()))
    return found


def _idle(gm: User, campaign: Campaign) -> list[Battle]:
    """Rows of battles that nobody fights."""
    state = {"sides": [], "awaited": []}
    like = {"campaign": campaign, "ruleset": campaign.ruleset, "ruleset_version": "1", "opening": {}, "state": state}
    return Battle.objects.bulk_create(Battle(name=f"Row {n}", day=0, **like) for n in range(CLIENTS))


def _by_api(battle: Battle, key: str) -> dict[str, Any]:
    lines = [f"Authorization: Token {key}", "Content-Type: application/json"]
    return {"path": f"/api/v1/battles/{battle.pk}/", "lines": lines}


def _by_page(battle: Battle, cookies: str) -> dict[str, Any]:
    lines = [cookies, "HX-Request: true", "Content-Type: application/x-www-form-urlencoded"]
    return {"path": f"/battles/{battle.pk}/", "lines": lines}


def _pound(url: str, way: str, seconds: float, clients: list[dict[str, Any]]) -> float:
    """What the other process says: done in a second, or (watching) the seconds until all had it."""
    command = [sys.executable, "-m", "tests.benchmarks.pound", url, way, str(seconds)]
    done = subprocess.run(command, input=json.dumps(clients), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return float(done.stdout)
