"""Computer opponents: what each leaning chooses from a table of choices, and why, under any law; and the zero-sum games
that tell the best mix of choices.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, assert_never

import numpy as np
import numpy.typing as npt

from rules.core.odds import BALANCED, BOLD, CAUTIOUS, RECKLESS, Leaning, OddsTable, Proposal, percent
from rules.core.text import Said, Term, _, say
from rules.law import Viewer
from rules.odds.viewer_forecast import FieldNow, guesses_of

# Computer opponents: what each leaning chooses from a table of choices, and why, under any law.

LEANINGS: Mapping[Leaning, Term] = {
    BALANCED: _("balanced"),
    CAUTIOUS: _("cautious"),
    BOLD: _("bold"),
    RECKLESS: _("reckless"),
}
MEANT: Mapping[Leaning, Term] = {
    BALANCED: _("draws from the optimal mix: nothing does better against a good player, or is harder to predict"),
    CAUTIOUS: _("picks what wins most often against the enemy’s best answer"),
    BOLD: _("picks what wins most often if all answers of the enemy are equally likely"),
    RECKLESS: _("picks what costs the enemy most in the next phase, whatever its own losses"),
}
SURE = 0.995
"""Share of a mix from which it counts as a single choice."""
TOLD = 0.005


class Chosen(NamedTuple):
    slug: str
    why: Said


def proposals_of(now: FieldNow, side: int, leaning: Leaning, viewer: Viewer, seed: str) -> tuple[Proposal, ...]:
    """Return the computer's orders for a side, computed from the likeliest world its commander may believe in."""
    guess = max(guesses_of(now, viewer), key=lambda guess: guess.weight)
    return tuple(now.battle.forecast.proposals(guess.state, side, leaning, viewer, seed))


def choose(table: OddsTable, leaning: Leaning, seed: str, left: Callable[[str], float]) -> Chosen:
    """Return the choice of the table's row. `left` is the health the enemy probably has left after the next phase, by
    choice.
    """
    match leaning:
        case "balanced":
            return _drawn(table, seed)
        case "cautious":
            return _best(table, lambda wins: (min(wins), _mean(wins)), CAUTIOUSLY)
        case "bold":
            return _best(table, lambda wins: (_mean(wins), min(wins)), BOLDLY)
        case "reckless":
            return _fiercest(table, left)
        case _:
            assert_never(leaning)


MIXED = _("optimal mix: {mix}; drawn: {choice}")
PURE = _("{choice} is best against a good player")
CAUTIOUSLY = _("{choice}: {chance} to win at worst, the best choice")
BOLDLY = _("{choice}: {chance} to win if all answers are equally likely, the best choice")
FIERCELY = _("{choice} costs the enemy most in the next phase")
SHARE = _("{share} {choice}")


def _drawn(table: OddsTable, seed: str) -> Chosen:
    shares = [(share, row) for row, share in enumerate(table.row_mix) if share > 0]
    row = drawn([share for share, _row in shares], f"{seed}|{table.row}|{table.kind}")
    choice = table.rows[shares[row][1]]
    if max(table.row_mix) >= SURE:
        return Chosen(choice.slug, say(PURE, choice=choice.name))
    told = sorted((pair for pair in shares if pair[0] >= TOLD), key=lambda pair: -pair[0])
    mix = tuple(say(SHARE, share=percent(share), choice=table.rows[row].name) for share, row in told)
    return Chosen(choice.slug, say(MIXED, mix=mix, choice=choice.name))


def drawn(shares: Sequence[float], seed: str) -> int:
    """Draw an index with these weights. The seed decides: the result is the same on every machine."""
    fell = int.from_bytes(hashlib.sha256(seed.encode()).digest()[:7], "big") / 2**56 * sum(shares)
    for index, share in enumerate(shares):
        fell -= share
        if fell < 0:
            return index
    return len(shares) - 1


def _best(table: OddsTable, worth: Callable[[list[float]], tuple[float, float]], why: Term) -> Chosen:
    """Return the first of the best rows. The first number of `worth` is told as the chance."""
    found = {row: worth(wins) for row in range(len(table.rows)) if (wins := _wins(table, row))}
    best = max(found, key=lambda row: (*(round(number, 9) for number in found[row]), -row))
    choice = table.rows[best]
    return Chosen(choice.slug, say(why, choice=choice.name, chance=percent(found[best][0])))


def _fiercest(table: OddsTable, left: Callable[[str], float]) -> Chosen:
    open_to = {row: table.rows[row] for row in range(len(table.rows)) if _wins(table, row)}
    found = {row: left(choice.slug) for row, choice in open_to.items()}
    best = min(found, key=lambda row: (round(found[row], 9), -_mean(_wins(table, row)), row))
    choice = open_to[best]
    return Chosen(choice.slug, say(FIERCELY, choice=choice.name))


def _wins(table: OddsTable, row: int) -> list[float]:
    """Return the row's chances against each open answer; empty if the row is barred."""
    return [chance for chance in table.win[row] if chance is not None]


def _mean(wins: Sequence[float]) -> float:
    return sum(wins) / len(wins)


# Zero-sum games of two players: the best mix of moves for each. Von Neumann's matrix game is solved as a linear
# programme by the simplex method with Bland's rule, which never cycles.

EXACT_TO = 1e-9
"""Most a player could gain by leaving their mix: the accuracy of `solve`."""

type Matrix = npt.NDArray[Any]


class Solution(NamedTuple):
    """Equilibrium: each player's mix, and the row player's mean payoff."""

    rows: tuple[float, ...]
    columns: tuple[float, ...]
    value: float


def solve(matrix: Sequence[Sequence[float | None]]) -> Solution:
    """Return the equilibrium of the game whose cells are the row player's payoff and the column player's loss.

    A row or column without any number is barred and never chosen. Raises `ValueError` if no choice is left, or if an
    open row has a gap in an open column.
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
    scaled = (cells - low) / span + 1.0  # from 1 to 2 in any unit, so the value is not 0
    mine, theirs = _programme(scaled)
    if _gap(cells, mine, theirs) > EXACT_TO * span / 2:  # solve again in exact fractions, because rounding led astray
        exact = np.vectorize(Fraction, otypes=[object])(scaled)
        mine, theirs = (np.array(mix, dtype=float) for mix in _programme(exact))
    return mine.tolist(), theirs.tolist(), float(mine @ cells @ theirs)


def _saddle(cells: Matrix) -> tuple[int, int] | None:
    """Return a saddle point: a cell that is the least of its row and the greatest of its column, or None."""
    low, high = cells.min(axis=1), cells.max(axis=0)
    row, column = int(low.argmax()), int(high.argmin())
    return (row, column) if low[row] == high[column] else None


def _pure(choice: int, count: int) -> list[float]:
    return [float(index == choice) for index in range(count)]


def _gap(cells: Matrix, mine: Matrix, theirs: Matrix) -> float:
    """Return the sum of what both could gain by pure choices against these mixes: 0 at the equilibrium."""
    return float((cells @ theirs).max() - (mine @ cells).min())


def _programme(cells: Matrix) -> tuple[Matrix, Matrix]:
    """Solve the programme of a game with positive cells: maximise Σy with cells · y ≤ 1. Its dual is the other player's
    mix.
    """
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
    """Pivot by Bland's rule: the first column that gains enters; among the tightest rows, the first variable leaves."""
    bound = [row for row in range(len(basis)) if tableau[row, entering] > least]
    ratio = {row: tableau[row, -1] / tableau[row, entering] for row in bound}
    tightest = min(ratio.values())
    leaving = min((row for row in bound if ratio[row] <= tightest + least), key=basis.__getitem__)
    pivot = tableau[leaving] / tableau[leaving, entering]
    tableau -= np.outer(tableau[:, entering], pivot)
    tableau[leaving] = pivot
    basis[leaving] = entering
