"""Battlefield conditions as they are sent and shown."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from core.shapes.serializers import WordOrNumberField


class FortificationPartSerializer(serializers.Serializer):
    kind = serializers.CharField(required=False)
    material = serializers.CharField(required=False)
    value = serializers.IntegerField()


class ConditionMembers(serializers.Serializer):
    """`army` or `armies`: for whom it holds; without either for all but `except`. `parts`: of a fortification."""

    value = WordOrNumberField(required=False, allow_null=True)
    army = serializers.CharField(required=False)
    armies = serializers.ListField(child=serializers.CharField(), required=False)
    parts = FortificationPartSerializer(many=True, required=False)

    def get_fields(self) -> dict[str, Any]:
        """`except` is no name Python lets a class have."""
        return {**super().get_fields(), "except": serializers.ListField(child=serializers.CharField(), required=False)}


class ConditionSerializer(ConditionMembers):
    condition = serializers.CharField()
