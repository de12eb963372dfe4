"""Matrix games: nobody gains by leaving the mix `solve` gives them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.odds.opponents import EXACT_TO, solve

CHANCE = st.floats(0, 1, allow_subnormal=False)


@st.composite
def matrices(draw: st.DrawFn, cells: st.SearchStrategy[float] = CHANCE) -> list[list[float]]:
    width = draw(st.integers(1, 12))
    return draw(st.lists(st.lists(cells, min_size=width, max_size=width), min_size=1, max_size=12))


few_values = matrices(st.sampled_from((0.0, 0.25, 0.5, 1.0)))  # ties and equal lines are where a simplex circles


@given(matrices() | few_values | matrices(st.integers(-1000, 1000).map(float)))
def test_no_pure_choice_gains_against_the_mix(matrix: list[list[float]]) -> None:
    cells = np.array(matrix)
    rows, columns, value = solve(matrix)
    slack = EXACT_TO * max(1.0, float(np.ptp(cells)))
    assert min(rows) >= 0 <= min(columns)
    assert sum(rows) == pytest.approx(1, abs=1e-12)
    assert sum(columns) == pytest.approx(1, abs=1e-12)
    assert (cells @ columns).max() <= value + slack
    assert (rows @ cells).min() >= value - slack


@given(matrices())
def test_a_saddle_point_is_played_pure(matrix: list[list[float]]) -> None:
    cells = np.array(matrix)
    lower, upper = cells.min(axis=1).max(), cells.max(axis=0).min()
    solved = solve(matrix)
    assert lower - EXACT_TO <= solved.value <= upper + EXACT_TO
    if lower == upper:
        assert (max(solved.rows), max(solved.columns), solved.value) == (1, 1, lower)


@given(matrices() | few_values)
def test_seen_from_the_other_chair_the_value_is_the_opposite(matrix: list[list[float]]) -> None:
    turned = (-np.array(matrix).T).tolist()
    assert solve(turned).value == pytest.approx(-solve(matrix).value, abs=2 * EXACT_TO)


def test_stone_scissors_paper_are_chosen_alike() -> None:
    rows, columns, value = solve([[0, 1, -1], [-1, 0, 1], [1, -1, 0]])
    assert rows == pytest.approx([1 / 3] * 3)
    assert columns == pytest.approx([1 / 3] * 3)
    assert value == pytest.approx(0)


def test_what_is_barred_is_never_chosen() -> None:
    """The penny game with a third row and a first column nobody may take."""
    rows, columns, value = solve([[None, 1, -1], [None, -1, 1], [None, None, None]])
    assert rows == pytest.approx([0.5, 0.5, 0])
    assert columns == pytest.approx([0, 0.5, 0.5])
    assert value == pytest.approx(0)


@pytest.mark.parametrize("matrix", [[[None]], [[1, None], [2, 3]]])
def test_a_game_nobody_can_play_is_refused(matrix: list[list[float | None]]) -> None:
    with pytest.raises(ValueError, match="choice"):
        solve(matrix)
