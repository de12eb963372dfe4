"""Zero-sum games of two players: how often each choice is made by two who play best.

Von Neumann's matrix game as a linear programme, solved by the simplex method with Bland's rule, which never circles.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

EXACT_TO = 1e-9
"""How much a player could at most gain by leaving their mix: what `solve` promises."""

type Matrix = npt.NDArray[Any]


class Solution(NamedTuple):
    """How often the row player and the column player choose what, and what the row player gets on average."""

    rows: tuple[float, ...]
    columns: tuple[float, ...]
    value: float


def solve(matrix: Sequence[Sequence[float | None]]) -> Solution:
    """The equilibrium of the game in which the row player gets what the cell says, the column player as much less.

    A row or a column without any number is barred: it is never chosen. Raises `ValueError` where nothing can be
    chosen, and for a lone gap in what can.
    """
    rows, columns = _open(matrix), _open(list(zip(*matrix, strict=True)))
    if not rows or not columns:
        raise ValueError("a game needs at least one choice on each side")
    kept = [[matrix[row][column] for column in columns] for row in rows]
    if any(cell is None for cells in kept for cell in cells):
        raise ValueError("a choice is open against all choices of the other side, or against none")
    mine, theirs, value = _solved(np.array(kept, dtype=float))
    return Solution(_spread(mine, rows, len(matrix)), _spread(theirs, columns, len(matrix[0])), value)


def _open(lines: Sequence[Sequence[float | None]]) -> list[int]:
    return [index for index, cells in enumerate(lines) if any(cell is not None for cell in cells)]


def _spread(mix: Sequence[float], places: Sequence[int], count: int) -> tuple[float, ...]:
    whole = [0.0] * count
    for place, share in zip(places, mix, strict=True):
        whole[place] = float(share)
    return tuple(whole)


def _solved(cells: Matrix) -> tuple[Sequence[float], Sequence[float], float]:
    if (saddle := _saddle(cells)) is not None:
        row, column = saddle
        return _pure(row, cells.shape[0]), _pure(column, cells.shape[1]), float(cells[row, column])
    low, span = float(cells.min()), float(np.ptp(cells))
    scaled = (cells - low) / span + 1.0  # from 1 to 2, whatever the unit: the value is not 0
    mine, theirs = _programme(scaled)
    if _gap(cells, mine, theirs) > EXACT_TO * span / 2:  # rounding has led it astray: the same in whole fractions
        exact = np.vectorize(Fraction, otypes=[object])(scaled)
        mine, theirs = (np.array(mix, dtype=float) for mix in _programme(exact))
    return mine.tolist(), theirs.tolist(), float(mine @ cells @ theirs)


def _saddle(cells: Matrix) -> tuple[int, int] | None:
    """A cell that is the least of its row and the most of its column: nobody wants to leave it."""
    low, high = cells.min(axis=1), cells.max(axis=0)
    row, column = int(low.argmax()), int(high.argmin())
    return (row, column) if low[row] == high[column] else None


def _pure(choice: int, count: int) -> list[float]:
    return [float(index == choice) for index in range(count)]


def _gap(cells: Matrix, mine: Matrix, theirs: Matrix) -> float:
    """What the two could gain together by pure choices against these mixes: 0 at the equilibrium."""
    return float((cells @ theirs).max() - (mine @ cells).min())


def _programme(cells: Matrix) -> tuple[Matrix, Matrix]:
    """Of a game of numbers above 0: the most Σy with cells · y ≤ 1; its dual is the other player's mix."""
    rows, columns = cells.shape
    one: Any = cells.dtype.type(1) if cells.dtype != object else Fraction(1)
    tableau = np.full((rows + 1, columns + rows + 1), one * 0, dtype=cells.dtype)
    tableau[:rows, :columns] = cells
    tableau[:rows, columns:-1] = np.eye(rows, dtype=int) * one
    tableau[:rows, -1] = one
    tableau[-1, :columns] = -one
    basis = list(range(columns, columns + rows))
    least = 0 if cells.dtype == object else 1e-12
    while (entering := next(iter(np.flatnonzero(tableau[-1, :-1] < -least)), None)) is not None:
        _pivot(tableau, basis, int(entering), least)
    theirs = np.full(columns, one * 0, dtype=cells.dtype)
    for row, variable in enumerate(basis):
        if variable < columns:
            theirs[variable] = tableau[row, -1]
    mine, theirs = tableau[-1, columns:-1].clip(one * 0), theirs.clip(one * 0)  # rounding leaves a hair below 0
    return mine / mine.sum(), theirs / theirs.sum()


def _pivot(tableau: Matrix, basis: list[int], entering: int, least: float) -> None:
    """Bland's rule: the first column that gains comes in; of the rows that bound it the first variable goes out."""
    bound = [row for row in range(len(basis)) if tableau[row, entering] > least]
    ratio = {row: tableau[row, -1] / tableau[row, entering] for row in bound}
    tightest = min(ratio.values())
    leaving = min((row for row in bound if ratio[row] <= tightest + least), key=basis.__getitem__)
    pivot = tableau[leaving] / tableau[leaving, entering]
    tableau -= np.outer(tableau[:, entering], pivot)
    tableau[leaving] = pivot
    basis[leaving] = entering
