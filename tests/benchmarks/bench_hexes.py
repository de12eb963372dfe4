"""Battles on hexes, twelve troops against twelve: commands by the API, and the page of the result.

The commands are those of whole turns of wing command: initiative, passing, wings that are taken, every troop that acts
(half of them strike, with dice that hurt nobody) and wings that end. So a battle lasts as long as its clients ask.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.setup.services import open_battle
from kingdom.models import ApiToken
from rules.wing_command.battle.combat import Setting, sum_of
from rules.wing_command.spec import HOLD, MELEE
from rules.wing_command.wing import CROWN, HORDE
from tests.battles.conftest import Client
from tests.battles.wing_command.conftest import build_hosts, fight_out, wing_of
from tests.benchmarks import Row
from tests.benchmarks.bench_table import CLIENTS, ROUNDS, SECONDS, _by_api, _idle, _pound
from tests.benchmarks.serving import warhost
from tests.rules.wing_command.fights import open_ground
from tests.rulesets.browsing import Reader

PAIRS = (("A7", "B7"), ("D7", "E7"), ("G7", "H7"), ("J7", "K7"), ("M7", "N7"), ("C4", "D4"))
"""Hexes beside each other, each pair away from the others."""
TURNS = 20
NO_EFFECT = 5  # the sum of a melee that hurts nobody
OPENINGS = 4  # of the page


def bench_commands() -> Iterator[Row]:
    """Eight battles commanded at once, beside eight rows locked, changed and joined by another."""
    table = build_hosts()
    _token, key = ApiToken.objects.create(user=table.gm)
    playing = [_scripted(table, number, key) for number in range(CLIENTS)]
    idle = _idle(table.gm, table.campaign)
    with warhost() as url:
        best: dict[str, float] = {}
        for _round in range(ROUNDS):
            for name, found in (
                ("api", _pound(url, "script", SECONDS, playing)),
                ("bare", _pound(url, "bare", SECONDS, [{"path": f"/bench/write/{row.pk}/"} for row in idle])),
            ):
                best[name] = max(best.get(name, 0), found)
    rates = f"({best['api']:.0f}/s) / lock, update, insert ({best['bare']:.0f}/s)"
    yield Row(f"wing command by the API, {CLIENTS} connections {rates}", best["api"] / best["bare"], 0.35, "higher")


def bench_result() -> Iterator[Row]:
    """The result of a battle of ten turns, opened again by the same reader; milliseconds of the processor."""
    table = build_hosts()
    battle = fight_out(table, turn_limit=10, map="meadows", break_share=100)
    reader, found = Reader(table.ana), []
    for _opening in range(OPENINGS):
        started = time.process_time()
        reader.markup(f"/battles/{battle.pk}/")
        found.append(1000 * (time.process_time() - started))
    name = f"result of 12 against 12 after {play_battle_state.load_state(battle).turn} turns, ms"
    yield Row(f"{name} (the first time {found[0]:.0f})", min(found), 60, "lower")


def _scripted(table: Any, number: int, key: str) -> dict[str, Any]:
    """A client with a battle of its own, and the bodies it sends one after the other."""
    hosts = [
        [wing_of(table.gm, kingdom, f"{name} {number} {place}", wing) for place, wing in enumerate(sample)]
        for name, kingdom, sample in (("Crown", table.crown, CROWN), ("Horde", table.horde, HORDE))
    ]
    sides = [{"name": name, "armies": [str(army.pk) for army in host]} for name, host in zip("AB", hosts, strict=True)]
    battle = open_battle(by=table.gm, campaign=table.campaign, name=f"Field {number}", sides=sides,
                         map=open_ground(), turn_limit=TURNS)  # fmt: skip
    wings = [str(army.pk) for host in hosts for army in host]
    gm = Client(table.gm, battle)
    gm.ok(type="line_up", wings=wings)
    for wing in wings:
        gm.ok(type="set_order", wing=wing, order=HOLD)
    gm.ok(type="start")
    troops = {wing: _troops(battle, wing) for wing in wings}
    pairs = []
    for place, hexes in enumerate(PAIRS):
        wing, which = divmod(place, 2)
        pair = troops[wings[wing]][which], troops[wings[3 + wing]][which]
        for unit, at in zip(pair, hexes, strict=True):
            gm.ok(type="override", what=unit, field="at", value=at, reason="A measurement")
        pairs.append(pair)
    bodies = _turn(battle, wings, troops, pairs)
    first = Battle.objects.values_list("version", flat=True).get(pk=battle.pk)
    return _by_api(battle, key) | {"bodies": bodies * TURNS, "first": first}


def _troops(battle: Battle, wing: str) -> list[str]:
    state = play_battle_state.load_state(battle)
    return [unit for unit in state.wings[wing].members if not state.units[unit].character]


def _turn(battle: Battle, wings: list[str], troops: Any, pairs: list[tuple[str, str]]) -> list[dict[str, Any]]:
    """The commands of a turn in which the first side has the initiative."""
    foes = dict(pairs) | {two: one for one, two in pairs}
    dice = [{"army": wing, "roll": "initiative", "values": [face]} for wing, face in ((wings[0], 6), (wings[3], 1))]
    found: list[dict[str, Any]] = [
        {"type": "roll_initiative", "dice": dice}, {"type": "pass", "side": 0}, {"type": "pass", "side": 1}
    ]  # fmt: skip
    for place in range(3):
        for wing in (wings[place], wings[3 + place]):
            found.append({"type": "take_wing", "wing": wing})
            found += [_act(battle, unit, foes.get(unit)) for unit in troops[wing]]
            found.append({"type": "end_wing"})
    return [*found, {"type": "resolve_rout"}]


def _act(battle: Battle, unit: str, foe: str | None) -> dict[str, Any]:
    """A blow that does nothing, or staying."""
    if foe is None:
        return {"type": "act", "unit": unit}
    state = play_battle_state.load_state(Battle.objects.get(pk=battle.pk))
    bonus = sum_of(state, unit, foe, MELEE, Setting(state.token(unit).at)).total
    thrown = NO_EFFECT - bonus
    dice = [{"army": unit, "roll": MELEE, "values": [thrown // 2, thrown - thrown // 2]}]
    return {"type": "act", "unit": unit, "attack": {"target": foe, "how": MELEE}, "dice": dice}
