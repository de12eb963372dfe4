"""Serializers of a campaign's calendar."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers


class MonthSerializer(serializers.Serializer):
    name = serializers.CharField()
    days = serializers.IntegerField()


class EpochSerializer(serializers.Serializer):
    """The date of day 0."""

    year = serializers.IntegerField(required=False)
    month = serializers.IntegerField(required=False)
    day = serializers.IntegerField(required=False)


class CalendarSerializer(serializers.Serializer):
    """Parts that are not given are those of the ordinary calendar."""

    epoch = EpochSerializer(required=False)
    months = MonthSerializer(many=True, required=False)
    weekdays = serializers.ListField(child=serializers.CharField(), required=False)


@extend_schema_field(CalendarSerializer)
class CalendarField(serializers.DictField):
    """The service names what it does not know."""
