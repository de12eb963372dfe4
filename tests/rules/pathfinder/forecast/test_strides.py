"""The matrix of many plain phases: the same by half as great polynomials as by squaring the whole."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from rules.pathfinder.forecast.exact.many_phases import powers
from rules.pathfinder.forecast.exact.markov_chains import Operator


def test_half_as_great_matrices_tell_the_same_as_the_whole_squared() -> None:
    operator = _operator(12, chains=3)
    costing = operator._replace(by_ones=np.zeros_like(operator.onward))
    told = np.random.default_rng(8).random((3, 24, 5))
    for doubling, (halves, whole) in enumerate(islice(zip(powers(operator), powers(costing), strict=False), 7)):
        assert halves.whole() == pytest.approx(whole.whole(), rel=1e-12, abs=0), f"of {2**doubling} phases"
        assert halves.after(told) == pytest.approx(whole.after(told), rel=1e-12, abs=0), f"of {2**doubling} phases"


def test_the_matrix_of_many_phases_leads_where_each_by_itself_leads() -> None:
    operator = _operator(9, chains=2)
    ready, barred = np.full((2, 9), 1 / 9), np.zeros((2, 9))
    stride = list(islice(powers(operator), 5))[-1]
    far = (np.concatenate((ready, barred), axis=1)[:, None] @ stride.whole())[:, 0]
    for _phase in range(16):
        then = (ready[:, None] @ operator.onward)[:, 0] + barred
        ready, barred = then, operator.missed * ready
    assert far == pytest.approx(np.concatenate((ready, barred), axis=1), rel=1e-12)


def _operator(size: int, *, chains: int) -> Operator:
    """Hit points that only fall, and a natural 1 that bars."""
    chances = np.tril(np.random.default_rng(7).random((chains, size, size)))
    missed = np.full((chains, 1), 0.05)
    onward = chances / chances.sum(axis=2, keepdims=True) * (1 - missed[:, :, None])
    return Operator(onward, missed, None, np.zeros((chains, 2 * size, 3)))
