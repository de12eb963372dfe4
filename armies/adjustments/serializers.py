"""Serializers of lasting adjustments, and parts of their addresses in the API."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from core.api.serializers import Input
from core.clean_input import DAY_MAX, REASON_MAX
from kingdom.api.fields import NameField, WholeField
from rules.adjustments import ADJUSTMENT_MOST
from rules.registry import RULESETS

FIGURES = tuple(dict.fromkeys(slug for law in RULESETS.values() for slug in law.adjustable.figures))
"""Figures that can be adjusted, under any ruleset; the services know those of each."""
ENDS = "adjustments/(?P<adjustment>[0-9a-f]+)"
"""Address that ends one, below its army."""
ADJUSTMENT = OpenApiParameter("adjustment", str, OpenApiParameter.PATH)


class AdjustmentSerializer(serializers.Serializer):
    """A figure that the GM adjusts, until the end of day `until` (null: for good)."""

    id = serializers.CharField()
    figure = serializers.ChoiceField(choices=FIGURES)
    amount = serializers.IntegerField()
    reason = serializers.CharField()
    until = serializers.IntegerField(allow_null=True)


class AdjustmentInput(Input):
    """`until`: the last day it holds; null or left out: for good. `figure`: one of those of the campaign’s ruleset."""

    figure = serializers.ChoiceField(choices=FIGURES)
    amount = WholeField(min_value=-ADJUSTMENT_MOST, max_value=ADJUSTMENT_MOST)
    reason = NameField(max_length=REASON_MAX)
    until = WholeField(min_value=0, max_value=DAY_MAX, required=False, allow_null=True)
