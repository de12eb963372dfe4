"""Chances in words and figures: rounded, bounded, and as the reader's language writes them."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st
from rest_framework.serializers import FloatField, Serializer

from battles.api.serializers import forecast_shapes
from battles.api.serializers.forecast_shapes import FairnessSerializer, SideStepSerializer
from battles.codec.storage import dump_plain
from battles.forecast.odds_page import (
    adds_up,
    build_segments,
    format_decimal,
    format_error,
    format_percent,
    format_points,
    format_signed,
)
from battles.forecast.queries import Forecast
from battles.workshop.sweeps import SWEEP
from kingdom.api.fields import ChanceField
from rules.core.odds import ArmyOdds, Choosable, Length, Odds, OddsTable, SideOdds, rounded, whole_percent
from rules.core.text import _ as term
from rules.odds.tasks import Pairing


@pytest.mark.parametrize(("chance", "decimals", "told"), [
    (0, 0, "0%"), (1, 0, "100%"), (0.004, 0, "< 1%"), (0.997, 0, "> 99%"), (0.474, 0, "47%"),
    (1 - 1e-12, 0, "100%"), (0.0001, 1, "< 0.1%"), (0.9999, 1, "> 99.9%"), (0.5967, 1, "59.7%"),
])  # fmt: skip
def test_what_may_or_may_not_happen_is_never_told_as_certain(chance, decimals, told):
    assert format_percent(chance, decimals) == told


@pytest.mark.parametrize(("chance", "told"), [
    (Fraction(0), 0), (Fraction(1), 100), (Fraction(1, 1296), 1), (Fraction(1295, 1296), 99), (Fraction(5, 36), 14),
])  # fmt: skip
def test_what_may_or_may_not_happen_is_1_to_99_in_whole_percent(chance, told):
    assert whole_percent(chance) == told


SUMS = [1.000000000000001, 1.0000000000000002, -1e-17, -0.0, 0.1 + 0.2, 0.9999999999999999]


@pytest.mark.parametrize("chance", SUMS)
def test_what_sums_of_shares_miss_is_told_nowhere(chance):
    """By a program and on a page: never more than one, never less than nothing, no digits of the reckoning."""
    told = ChanceField().to_representation(chance)
    assert told == rounded(chance)
    assert repr(told) in ("1.0", "0.0", "0.3")
    for decimals in (0, 1):
        assert format_percent(chance, decimals).strip("%").removesuffix(".0") in ("100", "0", "30")
    assert all(
        0 <= part.x <= 100 and 0 <= part.width <= 100 for part in build_segments([("one", chance), ("two", 1 - chance)])
    )


@given(st.floats(0, 1), st.sampled_from((0, 1)))
def test_only_the_impossible_is_nothing(chance, decimals):
    assert (format_percent(chance, decimals) in ("0%", "0.0%")) is (chance == 0)


def test_figures_are_rounded_not_cut_off():
    assert (format_decimal(9.15001), format_decimal(9.16), format_decimal(0.06), format_points(0.0916)) == (
        "9.2",
        "9.2",
        "0.1",
        "+9.2",
    )
    assert (format_signed(-0.04), format_signed(-7.46)) == ("+0.0", "−7.5")


def test_no_simulation_is_told_as_right_to_within_nothing():
    assert (format_error(0), format_error(0.0004), format_error(0.0216)) == ("0.1", "0.1", "2.2")


def test_shares_that_do_not_add_up_as_they_are_told_are_known():
    assert adds_up((0.47, 0.40, 0.10, 0.03))
    assert adds_up((0.996, 0.004))  # > 99 % and < 1 %
    assert not adds_up((1 / 3, 1 / 3, 1 / 3))
    assert not adds_up((0.506, 0.494 - 0.008, 0.008))
    assert not adds_up((0.1666, 0.1666, 0.6668), 1)
    assert adds_up((0.166, 0.167, 0.667), 1)


def test_a_frenchman_reads_a_comma():
    with override("fr"):
        assert (format_decimal(6.8), format_points(-0.123), format_percent(0.5967, 1)) == (
            "6,8",
            "−12,3",
            "59,7\N{NO-BREAK SPACE}%",
        )


def test_the_parts_of_a_bar_lie_end_to_end():
    parts = build_segments((("one", 0.25), ("none", 0.0), ("open", 0.25), ("two", 0.5)))
    assert parts == [("one", 0, 25), ("open", 25, 25), ("two", 50, 50)]


def test_whatever_the_api_tells_of_a_forecast_goes_through_the_one_field():
    """A chance drawn by another field would be told with the digits of its reckoning."""
    plain = {"LengthSerializer": {"mean"}, "PairingSerializer": {"phases"}, "SideLuckSerializer": {"luck"},
             "SideStepSerializer": {"luck"}}  # fmt: skip
    shapes = [
        kind for kind in vars(forecast_shapes).values() if isinstance(kind, type) and issubclass(kind, Serializer)
    ]
    for shape in [*shapes, FairnessSerializer, SideStepSerializer]:
        if shape.__module__.startswith("battles."):
            loose = {name for name, field in shape().get_fields().items() if type(_last(field)) is FloatField}
            assert loose == plain.get(shape.__name__, set()), shape


def _last(field):
    while getattr(field, "child", None) is not None:
        field = field.child
    return field


def test_a_forecast_that_came_to_more_than_one_is_told_as_one():
    """All of it: the sides, what is left of armies and the table of choices, by a battle, by none and in a sweep."""
    over = 1.000000000000001
    side = SideOdds("Crown", over, -1e-17, over, over, over)
    army = ArmyOdds("A", ((3, over), (0, -1e-17)), {"routed": over})
    odds = Odds("exact", 0.0, -1e-17, over, (side,), {"A": army}, Length(1.5, 2))
    choices = (Choosable("attack", term("Attack")),)
    told = OddsTable("tactic", term("Tactic"), "A", "B", choices, choices, ((over,),), (0,), (over,), (over,), over,
                     "exact", 0.0)  # fmt: skip
    drawn = json.dumps(forecast_shapes.forecast_shape(Forecast(odds, told)))
    pairing = dump_plain(Pairing("A", "B", over, -1e-17, over, over, 1.5, "exact", 0.0))
    drawn += json.dumps(forecast_shapes.RESULTS[SWEEP]([[pairing]]))
    assert "1.0000" not in drawn
    assert "e-17" not in drawn
    assert drawn.count("1.0") > 10
