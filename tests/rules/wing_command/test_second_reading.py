"""The engine against a second, independent reading of the law: the same commands, the same dice, the same situation.

A failure names the seed of its battle and the command; `play(seed)` of `second_reading.table` fights it again.
"""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

from tests.everyday import everyday
from tests.rules.wing_command import second_reading
from tests.rules.wing_command.second_reading.table import play

HERE = Path(second_reading.__file__).parent
AT_THE_TABLE = {"table.py"}  # it brings the two together
EVERY_DAY, THOROUGH, CHUNK = 8, 500, 100
MANY = range(EVERY_DAY, EVERY_DAY + THOROUGH, CHUNK)
OFTEN = {  # what a hundred battles come to, at least so often
    "Attacked": 500, "DuelFought": 5, "FateDecided": 10, "Fled": 50, "Rallied": 100, "WingBroken": 30, "Withdrawn": 30,
    "SpellCast": 10, "SpecialOrderGiven": 30, "CommandTaken": 5, "Resigned": 5, "PostureTaken": 50, "BlowAsked": 5,
    "WingJoined": 20, "Overridden": 100, "MapChanged": 40, "effort": 50, "exit": 10, "stay": 5, "charge": 50,
    "stumbled": 1,
}  # fmt: skip


@pytest.mark.parametrize("seed", everyday(range(EVERY_DAY), first=4))
def test_both_readings_come_to_the_same_after_every_command(seed):
    fought = play(f"wc {seed}")
    assert fought.commands >= 10
    assert fought.refused > 10


@pytest.mark.slow
@pytest.mark.parametrize("first", MANY)
def test_both_readings_come_to_the_same_in_many_battles(first):
    happened: Counter[str] = Counter()
    for seed in range(first, first + CHUNK):
        happened.update(play(f"wc {seed}").kinds)
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
            assert "tests.rules.wing_command.fights" not in names, path.name
            assert "table" not in {name.rpartition(".")[2] for name in names}, path.name
