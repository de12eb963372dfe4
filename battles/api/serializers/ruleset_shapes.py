"""Shapes that the frame and a ruleset make up together."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from battles.ruleset_ui import list_battle_uis
from core.api import ruleset_shapes


def combine_rulesets(name: str, frame: type[serializers.Serializer], members: str) -> Any:
    """The frame's members with those of a law's UI, by this name of it."""
    return ruleset_shapes.combine_rulesets(name, frame, {ui.family: getattr(ui, members) for ui in list_battle_uis()})
