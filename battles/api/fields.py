"""Serializer fields that name a side of a battle."""

from __future__ import annotations

from core.shapes.serializers import SideNamedField as SideNamedField
