"""What a leaning chooses of a table, and that the same seed draws the same."""

from __future__ import annotations

from collections import Counter

import pytest

from core.text import render
from rules.core.odds import EXACT, Choosable, OddsTable
from rules.core.text import Term
from rules.odds.opponents import choose, drawn

NAMES = ("hold", "press", "storm")


def table(*rows: tuple[float | None, ...], mix: tuple[float, ...]) -> OddsTable:
    names = tuple(Choosable(slug, Term(slug.title())) for slug in NAMES[: len(rows)])
    columns = tuple(Choosable(slug, Term(slug)) for slug in NAMES[: len(rows[0])])
    mean = tuple(0.0 for _column in columns)
    return OddsTable("way", Term("Way"), "a", "b", names, columns, rows, (), mix, mean, 0.5, EXACT, 0.0)


def left(slug: str) -> float:
    return {"hold": 9.0, "press": 7.0, "storm": 4.0}[slug]


WAYS = table((0.5, 0.4, 0.45), (0.9, 0.1, 0.5), (0.2, 0.3, 0.6), mix=(0.75, 0.25, 0.0))


@pytest.mark.parametrize(
    "leaning, choice, why",
    [
        ("cautious", "hold", "Hold: 40% to win at worst, the best choice"),
        ("bold", "press", "Press: 50% to win if all answers are equally likely, the best choice"),
        ("reckless", "storm", "Storm costs the enemy most in the next phase"),
    ],
)
def test_what_each_leaning_takes_and_why(leaning, choice, why):
    found = choose(WAYS, leaning, "seed", left)
    assert (found.slug, render(found.why)) == (choice, why)


def test_a_balanced_one_draws_from_the_mix():
    found = Counter(choose(WAYS, "balanced", f"seed {n}", left).slug for n in range(2000))
    assert set(found) == {"hold", "press"}
    assert found["hold"] / 2000 == pytest.approx(0.75, abs=0.04)
    told = {render(choose(WAYS, "balanced", f"seed {n}", left).why) for n in range(20)}
    assert told == {
        "optimal mix: 75% Hold, 25% Press; drawn: Hold",
        "optimal mix: 75% Hold, 25% Press; drawn: Press",
    }


def test_where_one_choice_is_the_whole_mix_nothing_is_drawn():
    sure = table((0.6, 0.5), (0.2, 0.1), mix=(1.0, 0.0))
    assert render(choose(sure, "balanced", "seed", left).why) == "Hold is best against a good player"


def test_the_same_seed_draws_the_same_and_other_armies_draw_for_themselves():
    assert choose(WAYS, "balanced", "seed", left) == choose(WAYS, "balanced", "seed", left)
    others = [WAYS.__class__(*[getattr(WAYS, f) if f != "row" else f"army {n}" for f in WAYS.__slots__])
              for n in range(40)]  # fmt: skip
    assert len({choose(other, "balanced", "seed", left).slug for other in others}) == 2


@pytest.mark.parametrize("leaning", ["cautious", "bold", "reckless", "balanced"])
def test_what_is_barred_is_never_chosen(leaning):
    barred = table((None, None), (0.2, 0.1), (None, None), mix=(0.0, 1.0, 0.0))
    assert choose(barred, leaning, "seed", left).slug == "press"


def test_of_equals_the_first_is_taken_whatever_rounding_says():
    alike = table((0.1 + 0.2, 0.4), (0.3, 0.4), mix=(0.5, 0.5))
    assert choose(alike, "cautious", "seed", left).slug == "hold"


def test_a_draw_falls_on_every_share_as_often_as_it_is_large():
    found = Counter(drawn((0.1, 0.6, 0.3), str(n)) for n in range(5000))
    assert [found[n] / 5000 for n in range(3)] == pytest.approx([0.1, 0.6, 0.3], abs=0.03)
