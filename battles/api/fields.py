"""Serializer fields that name a side of a battle."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers


@extend_schema_field(
    {"oneOf": [{"type": "string"}, {"type": "integer", "minimum": 0}], "description": "its name, or its number from 0"}
)
class SideNamedField(serializers.JSONField):
    """A side, by its name or by its number."""
