"""Shapes that the frame and a ruleset make up together."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from battles.ruleset_ui import all_faces
from core.api import ruleset_shapes


def of_every_law(name: str, frame: type[serializers.Serializer], members: str) -> Any:
    """The frame's members with those of a law's face, by this name of it."""
    return ruleset_shapes.of_every_law(name, frame, {face.family: getattr(face, members) for face in all_faces()})
