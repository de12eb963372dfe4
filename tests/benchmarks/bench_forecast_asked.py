"""Forecasts as they are asked for: through the API with processes beside the server, and what the law does for them."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

from django.test import override_settings

from battles.forecast import single_flight as pools
from battles.forecast.single_flight import flights
from kingdom.models import ApiToken, User
from rules.core.odds import BALANCED, AboutOdds
from rules.law import Viewer
from rules.odds.tasks import Meeting, explained
from rules.pathfinder.battle.state.battle_state import Opening, Side
from rules.pathfinder.forecast.forecast_law import Prospects
from rules.pathfinder.ruleset import COMBAT_DE_MASSE as LAW
from rules.pathfinder.spec import AbilityChoice, ArmySpec, UnitSpec
from tests.battles.conftest import make_table
from tests.benchmarks import Row
from tests.benchmarks.bench_forecast import best
from tests.benchmarks.bench_rules import melee
from tests.benchmarks.bench_table import _battles
from tests.benchmarks.serving import warhost
from tests.config.web.wire import Wire

QUESTIONS = 24


def bench_asked() -> Iterator[Row]:
    """Two who ask by turns what nobody has asked before, of a battle of two and of one of four against four."""
    gm = User.objects.create_user(username="gm")
    table = make_table(gm)
    battles = [*_battles(gm, table, 1), *_battles(gm, table, 1, each=4)]
    _token, key = ApiToken.objects.create(user=gm)
    with override_settings(RECKONERS=2), warhost() as url:
        pools.close()
        try:
            for battle, name in zip(battles, ("two armies", "four against four"), strict=True):
                spent = sorted(_asked(url, f"/api/v1/battles/{battle.pk}/forecast/", key))
                usual = f"({spent[len(spent) // 2] * 1e3:.0f} ms the usual one)"
                yield Row(f"a forecast of {name} asked for {usual}, ms at most", spent[-1] * 1e3, 250, "lower")
        finally:
            pools.close()
            flights.clear()


def _asked(url: str, path: str, key: str) -> Iterator[float]:
    """Seconds of each request; the first two start the processes."""
    wire = Wire(url)
    lines = (f"Authorization: Token {key}", "Content-Type: application/json")
    for number in range(QUESTIONS + 2):
        body = json.dumps({"until": {"phases": 40 + number}, "matrix": True}).encode()
        started = time.perf_counter()
        reply = wire.ask(path, *lines, method="POST", body=body)
        spent = time.perf_counter() - started
        assert reply.status in (200, 202), reply.text[:500]
        if reply.status == 202:
            _wait(wire, reply.headers["location"].removeprefix(url), lines)
        if number > 1:
            yield spent


def _wait(wire: Wire, job: str, lines: tuple[str, ...]) -> None:
    while json.loads(wire.ask(job, *lines).text)["state"] == "running":
        time.sleep(0.05)


def bench_proposed() -> Iterator[Row]:
    """What the engine orders four armies against four, each army after the one before."""
    battle = melee(8)
    law, viewer = Prospects(), Viewer(gm=True)
    assert len(law.proposals(battle, 0, BALANCED, viewer, "seed")) == 4
    seconds = best(lambda: law.proposals(battle, 0, BALANCED, viewer, "seed"), 2)
    yield Row("orders proposed to four armies against four, s", seconds, 5, "lower")


def bench_explained() -> Iterator[Row]:
    """What decides a meeting and what would make it even: of one that is reckoned, and of one that is thrown."""
    for name, ability, most in (("reckoned", "bleed", 2.0), ("thrown", "ferocity", 5.0)):
        meeting = _meeting(ability)
        seconds = best(lambda meeting=meeting: explained(meeting, AboutOdds()), 2)  # type: ignore[misc]
        yield Row(f"what decides a meeting that is {name}, s", seconds, most, "lower")


def _meeting(ability: str) -> Meeting:
    specs = tuple(
        ArmySpec(name, name, UnitSpec(name, "5", "d8", abilities=tuple(map(AbilityChoice, abilities))), 100)
        for name, abilities in (("A", (ability, "significant-defense", "pounce")), ("B", ("evasion", "grab")))
    )
    bearings: dict[str, Any] = {}
    return Meeting(LAW.slug, {}, Opening(specs, tuple(Side(spec.id, (spec.id,)) for spec in specs)), bearings)
