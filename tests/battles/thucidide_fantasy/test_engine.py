"""The computer plays a side of THUCIDIDE fantasy: it sets up, activates, moves, fights and casts, to the end (F-7)."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from django_tasks_db.models import DBTaskResult

from battles.forecast.single_flight import flights
from battles.log.queries import check_replay
from battles.models import ENGINE, Battle
from battles.opponents.services import play_turn
from battles.opponents.tasks import QUEUE
from battles.play import battle_state as play_battle_state
from battles.play import services as play_services
from battles.queries import get_viewer
from rules.thucidide_fantasy.battle.player import next_command
from tests.battles.conftest import Client
from tests.battles.steady import Steady
from tests.everyday import at_most
from tests.rulesets.thucidide_fantasy import hosts
from tests.worlds import built_once

REALM, DARK = 0, 1
MOST = 400  # commands of a battle


@built_once
def table(db) -> SimpleNamespace:
    return hosts.hosts()


@pytest.fixture
def gm(table) -> Client:
    return Client(table.gm, hosts.opened(table))


@pytest.fixture(autouse=True)
def unasked() -> Iterator[None]:
    """Nothing is known of what another test has asked."""
    flights.clear()
    yield
    flights.clear()


def let(gm: Client, side: int = DARK) -> None:
    answer = gm.api.post(f"{gm.url}opponents/", {"side": side, "leaning": "balanced", "left": True})
    assert answer.status_code == 200, answer.content


def queued() -> list[str]:
    tasks = DBTaskResult.objects.filter(queue_name=QUEUE, status="READY")
    found = [told["args"][0] for told in tasks.values_list("args_kwargs", flat=True)]
    tasks.delete()
    return found


def work(most: int = 60) -> int:
    """What a worker does until nothing is queued; how many commands were played."""
    played = 0
    while waiting := queued():
        played += sum(play_turn(battle) for battle in waiting)
        assert played <= most
    return played


def by_engine(battle: Battle) -> list[dict[str, Any]]:
    return [one.command for one in battle.records.filter(undone=False).order_by("seq") if ENGINE in one.command]


def person_plays(user: Any, battle_id: Any) -> bool:
    """A person's next command, as the engine's player would choose it for them; False where it isn't their turn."""
    battle = Battle.objects.get(pk=battle_id)
    state = play_battle_state.load_state(battle)
    viewer = get_viewer(user, battle, state)
    law = play_battle_state.get_engine(battle)
    command = next_command(law.seen(state, viewer), viewer, Random(battle.version))
    if command is None:
        return False
    play_services.play(by=user, battle_id=battle.pk, version=battle.version, command=command, server=Steady())
    return True


def test_it_sets_its_side_up_and_says_that_it_is_ready(table, gm):
    let(gm)
    assert work() == 2
    state = hosts.state_of(gm.battle)
    assert state.field.ready == {DARK}
    assert not any(token.waiting for token in state.field.of_side(DARK))
    assert all(token.waiting for token in state.field.of_side(REALM))


def test_a_zone_without_room_pauses_it_with_the_reason(table, gm):
    gm.ok(type="zone", side=1, hexes=[f"{column}{row}" for column in "ABCDEFGHIJKLMNOP" for row in "12"], add=False)
    let(gm)
    work()
    head = Battle.objects.get().opponents["1"]
    assert head["paused"]
    assert "no room" in str(head["trouble"])


def test_it_plays_against_a_person_to_the_end(table, gm):
    """Activations, moves, combats and spells of one side; the record is played again alike."""
    gm.ok(type="option", name="turn_limit", value=at_most(4, full=6))
    let(gm)
    work()
    gm.ok(type="line_up", armies=[str(table.realm.army.pk)])
    gm.ok(type="start")
    for _step in range(MOST):
        work(MOST)
        if Battle.objects.get().status != "running":
            break
        assert person_plays(table.ana, gm.battle.pk), "somebody has to go on"
    battle = Battle.objects.get()
    assert battle.status == "aftermath"
    assert not battle.opponents["1"].get("paused")
    kinds = {command["is"] for command in by_engine(battle)}
    assert {"DeployArmies", "SetReady", "ActivateUnits", "MovePiece", "EndPhase"} <= kinds
    assert all(ENGINE not in one.command for one in battle.records.filter(by=table.ana))
    assert check_replay(battle).identical


def test_it_waits_while_the_gm_reports(table):
    """Under `combat: table` an attack waits for the GM's word; the engine goes on after it."""
    gm = Client(table.gm, hosts.opened(table, combat="table"))
    let(gm, REALM)
    let(gm, DARK)
    work()
    gm.ok(type="start")
    for _step in range(MOST):
        work(MOST)
        if hosts.state_of(gm.battle).fight:
            break
    assert hosts.state_of(gm.battle).fight.asks == "report"
    assert queued() == []
    assert not Battle.objects.get().opponents["0"].get("paused")
    gm.ok(type="report", stands=0, flags=0, hexes=0, counters=0)
    work(MOST)
    assert "ReportThrow" not in {command["is"] for command in by_engine(gm.battle)}
