"""The engine against a second, independent reading of the law: the same dice, the same orders, the same story.

A failure names the seed of its battle; `play(seed)` from `second_reading.play` fights it again.
"""

from __future__ import annotations

import ast
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tests.rules.breaking_point.second_reading import war as reading
from tests.rules.breaking_point.second_reading.play import play

HERE = Path(reading.__file__).parent
TABLE = ("compare", "engine", "meddling", "play", "translate")  # these bring the two together
AT_THE_TABLE = {f"{name}.py" for name in TABLE}
EVERYDAY, CHUNK = 60, 20
THOROUGH, LARGE_CHUNK = 10_500, 500
MANY = range(EVERYDAY, EVERYDAY + THOROUGH, LARGE_CHUNK)
OFTEN = {  # what many battles come to, at least so often
    "field": 3000,
    "fleet": 1000,
    "assault": 1000,
}


@cache
def fought(first: int, chunk: int) -> tuple[int, Counter[str]]:
    """Rounds of so many battles, and the situations they came to."""
    battles = [play(seed) for seed in range(first, first + chunk)]
    return sum(rounds for rounds, _met in battles), sum((met for _rounds, met in battles), Counter[str]())


@pytest.mark.parametrize("first", range(0, EVERYDAY, CHUNK))
def test_both_readings_of_the_law_tell_the_same_battle(first: int) -> None:
    assert fought(first, CHUNK)[0] > CHUNK


@pytest.mark.slow
@pytest.mark.parametrize("first", MANY)
def test_both_readings_tell_many_battles_alike(first: int) -> None:
    assert fought(first, LARGE_CHUNK)[0] > LARGE_CHUNK


@pytest.mark.slow
def test_many_battles_come_to_every_place_of_the_law() -> None:
    met = sum((fought(first, LARGE_CHUNK)[1] for first in MANY), Counter[str]())
    assert {what: met[what] for what, least in OFTEN.items() if met[what] < least} == {}


def test_the_second_reading_shares_no_code_with_the_first() -> None:
    for path in HERE.glob("*.py"):
        if path.name in AT_THE_TABLE:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                names.append(node.module or "")
            assert not [name for name in names if name.split(".")[0] == "rules"], path.name
            beside = node.module if isinstance(node, ast.ImportFrom) and node.level == 1 else None
            assert beside not in TABLE, path.name
