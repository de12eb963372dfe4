"""A table at war for the browser: everybody seated, one battle running, one settled."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from battles.aftermath.services import confirm_aftermath
from battles.models import Battle
from battles.play import services as play_services
from rules.pathfinder.battle.orders.commands import End, Next, Override, Resolve
from rules.pathfinder.battle.state.battle_state import BattleState as State
from tests.battles.breaking_point.conftest import river  # noqa: F401 (a world)
from tests.battles.conftest import make_table, open_ford, seat_everybody
from tests.battles.steady import Steady
from tests.kingdom.conftest import make_user
from tests.worlds import built_once


def play(table: SimpleNamespace, battle: Battle, *commands: Any) -> State:
    """Commands of the GM, one after the other."""
    for command in commands:
        version = Battle.objects.get(pk=battle.pk).version
        played = play_services.play(by=table.gm, battle_id=battle.pk, version=version, command=command, server=Steady())
    return played.state


@built_once
def table(transactional_db) -> SimpleNamespace:
    return seat_everybody(make_table(make_user("gm")))


@built_once
def running(table) -> Battle:
    """A battle in its first melee phase."""
    battle = open_ford(table, conditions=[{"condition": "fog"}, {"condition": "rain"}])
    # Strong enough to stand until the test is over.
    hardy = Override(str(table.raiders.pk), "dv", 30, "They stand in the river")
    play(table, battle, hardy, Next(), Resolve(), Resolve())
    return battle


@built_once
def settled(table) -> Battle:
    """A battle whose aftermath is confirmed; its armies are free again."""
    battle = open_ford(table)
    rout = Override(str(table.raiders.pk), "status", "routed", "For the test")
    play(table, battle, Next(), Resolve(), Resolve(), rout, End("They ran", 0))
    version = Battle.objects.get(pk=battle.pk).version
    confirm_aftermath(by=table.gm, battle_id=battle.pk, version=version)
    return battle
