"""Time by the tables against a second, independent reading of the law: same dice, same choices, same figures.

A failure names the seed of its campaign; `play(seed, gm, Counter())` from `tests.armies.pathfinder.weeks.oracle.play`
lets its time pass again.
"""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest
from django.db import connection

from kingdom.models import User
from tests.armies.pathfinder.weeks import oracle
from tests.armies.pathfinder.weeks.oracle.marches import days_of, speed_of
from tests.armies.pathfinder.weeks.oracle.play import STEPS, play
from tests.kingdom.conftest import make_user

HERE = Path(oracle.__file__).parent
AT_THE_TABLE = {"drawing.py", "meddling.py", "play.py"}  # these bring the two together
EVERYDAY, THOROUGH = 1, 400

SITUATIONS = (
    "an adjustment over", "by the tables alone", "called up", "costs nothing", "paid in reserve", "planned",
    "put in reserve", "undone", "unpaid in reserve", "arrears over", "badly unstable", "captive home",
    "choice cannibalize", "choice collect_taxes", "choice commander_away", "choice commander_present",
    "choice live_off_the_land", "choice loyalty_check", "choice march", "choice pay_double", "choice pay_first",
    "choice skip_upkeep", "command given up", "command taken", "could not pay double", "debt settled",
    "debt settled, week unpaid", "debts of a kingdom", "deserted", "deserted for arrears", "die disease",
    "die forage", "die income", "die rally", "die routed", "die stability", "die unrest", "fighting", "fought",
    "halted", "hex lost", "leaderless", "marched", "marched, living off the land", "paid double", "rally passed",
    "ransomed", "rested by hand", "stable", "stays routed", "taxes", "teleported", "took heart", "unpaid", "unstable",
    "upkeep skipped",
)  # fmt: skip


@pytest.fixture
def gm(db) -> User:
    return make_user("gm")


def test_both_readings_of_the_law_come_to_the_same_figures(gm):
    met: Counter[str] = Counter()
    for seed in range(EVERYDAY):
        play(seed, gm, met)
    assert met["steps"] == EVERYDAY * STEPS


@pytest.mark.slow
def test_both_readings_come_to_the_same_figures_in_many_campaigns(gm):
    met: Counter[str] = Counter()
    for seed in range(EVERYDAY, EVERYDAY + THOROUGH):
        if seed % 20 == 0:
            with connection.cursor() as cursor:
                cursor.execute("ANALYZE")  # nobody else sees these rows; unknown, they are asked for ever more slowly
        play(seed, gm, met)
    assert met["steps"] == THOROUGH * STEPS
    assert not [name for name in SITUATIONS if not met[name]]


@pytest.mark.parametrize(
    "metres, easy, difficult, land, days",
    [(4.5, 3, 0, False, 3), (4.5, 0, 3, False, 6), (9, 3, 1, False, 3), (9, 3, 1, True, 5), (18, 5, 3, False, 3)],
)
def test_r72_the_second_reading_of_a_march(metres, easy, difficult, land, days):
    """PF-1.8: hexes a day are the km of a day over 18; R-72: a difficult hex takes two."""
    assert days_of(speed_of(metres, land), easy, difficult) == days


def test_the_second_reading_shares_no_code_with_the_first():
    for path in HERE.glob("*.py"):
        if path.name in AT_THE_TABLE:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names.append(node.module or "")
            roots = {name.split(".")[0] for name in names}
            assert not roots & {"rules", "armies", "kingdom", "battles", "django"}, path.name
            assert not set(names) & {f"tests.armies.pathfinder.weeks.oracle.{at[:-3]}" for at in AT_THE_TABLE}
