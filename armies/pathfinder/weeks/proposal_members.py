"""API members of a time proposal beside the frame's: who is paid."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from kingdom.api.fields import LineSerializer, serialize_lines
from rules.pathfinder.weeks import Payment


class PaymentSerializer(serializers.Serializer):
    """What an army asked of its kingdom for a week, and got."""

    day = serializers.IntegerField()
    kingdom = serializers.CharField()
    army = serializers.CharField()
    name = serializers.CharField()
    due = serializers.IntegerField(source="due.total")
    spent = serializers.IntegerField()
    paid = serializers.BooleanField()
    arrears_paid = serializers.BooleanField(source="arrears")
    double = serializers.BooleanField()
    breakdown = serializers.SerializerMethodField()

    @extend_schema_field(LineSerializer(many=True))
    def get_breakdown(self, payment: Payment) -> list[Any]:
        return serialize_lines(payment.due)


class WeekMembers(serializers.Serializer):
    payments = PaymentSerializer(many=True)
    grouped = serializers.BooleanField(
        help_text="The armies are too many to name: lines count them by kingdom and rule."
    )
