"""Golden battles: stories written down once (`python -m tests.rules.pathfinder.battle.stories`), replayed exactly."""

from __future__ import annotations

import json

import pytest

from rules.core.dice import Replayed
from rules.pathfinder.battle.decide import decide
from rules.pathfinder.battle.state.fold import fold
from rules.pathfinder.battle.telling.narrate import describe
from tests.rules.pathfinder.battle.stories import GOLDEN, STORIES, replay, written
from tests.rules.pathfinder.strategies import GM

FILES = sorted(GOLDEN.glob("*.json"))


def test_every_story_is_written_down() -> None:
    assert {path.stem for path in FILES} == set(STORIES)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_written_battle_replays_event_by_event(path) -> None:  # type: ignore[no-untyped-def]
    """From the opening, the commands and the dice on file alone: the same events, told in the same words."""
    battle, records = replay(path.read_text())
    for command, dice, events, log in records:  # type: ignore[misc]
        assert decide(battle, command, Replayed(dice), GM) == events
        battle = fold(battle, events)
        assert [str(describe(battle, event).text) for event in events] == log
    assert battle.phase.kind == "aftermath"


@pytest.mark.parametrize("name", STORIES)
def test_telling_a_story_again_writes_the_same_file(name: str) -> None:
    assert written(name) == (GOLDEN / f"{name}.json").read_text()


# what each story must contain to be worth keeping
WORTH = {
    "plain-duel": {"StrategyChosen", "Attacked", "RoutChecked"},
    "siege": {"FortWorn", "EngineAttacked", "AttackLost", "Healed"},
    "cavalry-and-archers": {"WithdrawalOpposed", "WithdrawalDecided", "Used"},
    "monsters": {"FearChecked", "LastStand", "Healed", "Wounded"},
    "three-sides": {"Ambushed", "ArmyJoined", "Overridden", "Interrupted", "TauntChecked"},
    "undead-host": {"Spawned", "ArmyJoined", "RoutChecked"},
    "ghosts-and-swarms": {"ShapeTaken", "ShapeEnded", "WithdrawalDecided"},
}


@pytest.mark.parametrize("name", STORIES)
def test_a_story_holds_what_it_is_kept_for(name: str) -> None:
    told = json.loads((GOLDEN / f"{name}.json").read_text())
    happened = {event["is"] for record in told["records"] for event in record["events"]}
    assert happened >= WORTH[name]
