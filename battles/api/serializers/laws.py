"""Shapes that are the frame's and a law's together."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework import serializers

from battles.faces import BattleFace, all_faces


def of_every_law(name: str, frame: type[serializers.Serializer], members: str) -> Any:
    """The frame's members with those of a law: for the document, one shape, or one for each family of laws."""
    shapes = {face.family: _joined(name, frame, face, members) for face in all_faces()}
    if len(shapes) == 1:
        return next(iter(shapes.values()))
    return PolymorphicProxySerializer(component_name=name, serializers=shapes, resource_type_field_name=None)


def _joined(name: str, frame: type[serializers.Serializer], face: BattleFace, members: str) -> Any:
    prefix = "" if len(all_faces()) == 1 else face.family.title().replace("-", "")
    own = getattr(face, members)
    return type(f"{prefix}{name}", (own, frame), {"__doc__": frame.__doc__, "__module__": __name__})
