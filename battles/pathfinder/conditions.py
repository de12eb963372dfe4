"""Battlefield conditions as they are sent and shown."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers


class ConditionSerializer(serializers.Serializer):
    condition = serializers.CharField()
    value = serializers.JSONField(required=False, allow_null=True)
    army = serializers.CharField(required=False)
    armies = serializers.ListField(child=serializers.CharField(), required=False)
    parts = serializers.ListField(child=serializers.DictField(), required=False)

    def get_fields(self) -> dict[str, Any]:
        """`except` is no name Python lets a class have."""
        return {**super().get_fields(), "except": serializers.ListField(child=serializers.CharField(), required=False)}
