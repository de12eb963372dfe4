"""Battles that armies fight by another ruleset than their own."""

from __future__ import annotations

from typing import Any

from battles.aftermath.services import propose_aftermath
from tests.battles.setup.bridging import begin, fight, open_bridged
from tests.rulesets.drivers import driver_of, table_of
from tests.worlds import built_once


@built_once
def pathfinders(db) -> Any:
    return table_of(driver_of("combat-de-masse"))


def test_smoke(pathfinders):
    import time

    t = time.time()
    battle = open_bridged(pathfinders)
    assert battle.ruleset == "wing-command"
    assert battle.house_rules == {}
    begun = begin(pathfinders, battle)
    print("begun", time.time() - t)
    over = fight(pathfinders, begun)
    print("over", time.time() - t, over.version, over.state["result"])
    found = propose_aftermath(by=pathfinders.gm, battle_id=over.pk, version=over.version)
    for change in found.changes:
        print(change)
    for note in found.notes:
        print(note.rule, str(note.text))
    for q in found.questions:
        print(q.key, q.chosen)
    assert 0
