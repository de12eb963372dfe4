"""The engine against a second, independent reading of the law: the same commands, the same dice, the same situation.

A failure names the seed of its battle and the command; `play(seed)` of `second_reading.table` fights it again.
"""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

from tests.everyday import everyday
from tests.rules.thucidide_fantasy import second_reading
from tests.rules.thucidide_fantasy.second_reading.table import play

HERE = Path(second_reading.__file__).parent
AT_THE_TABLE = {"table.py"}  # it brings the two together
EVERY_DAY, THOROUGH, CHUNK = 6, 500, 50
MANY = range(EVERY_DAY, EVERY_DAY + THOROUGH, CHUNK)
OFTEN = {  # what fifty battles come to, at least so often
    "Activated": 300, "OrderGiven": 80, "Moved": 600, "CombatOpened": 200, "StandsLost": 130, "Confirmed": 8,
    "FlagsCounted": 50, "Retreated": 25, "RetreatBlocked": 10, "Destroyed": 50, "CharacterFled": 20, "Pursued": 5,
    "SpellCast": 30, "Vanished": 20, "EffectBegan": 10, "Summoned": 3,
    "GodAnswered": 15, "Reinforce": 4, "Turned": 1, "Hid": 1, "Overridden": 100, "MapChanged": 10,
}  # fmt: skip


@pytest.mark.parametrize("seed", everyday(range(EVERY_DAY), keep={0, 1, 3, 4}.__contains__))
def test_both_readings_come_to_the_same_after_every_command(seed):
    fought = play(f"tf {seed}")
    assert fought.commands
    assert fought.refused


@pytest.mark.slow
@pytest.mark.parametrize("first", MANY)
def test_both_readings_come_to_the_same_in_many_battles(first):
    happened: Counter[str] = Counter()
    for seed in range(first, first + CHUNK):
        happened.update(play(f"tf {seed}").kinds)
    seldom = {what: happened[what] for what, least in OFTEN.items() if happened[what] < least}
    assert not seldom


def test_the_second_reading_shares_no_code_with_the_first():
    for path in HERE.glob("*.py"):
        if path.name in AT_THE_TABLE:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names.append(node.module or "")
            assert not {name.split(".")[0] for name in names} & {"rules", "armies", "battles"}, path.name
            assert "tests.rules.thucidide_fantasy.fights" not in names, path.name
            assert "table" not in {name.rpartition(".")[2] for name in names}, path.name
