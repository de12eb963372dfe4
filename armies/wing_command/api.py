"""API of wings and their commanders: the document's members, and derived figures as `sheet`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rest_framework import serializers

from armies.default.page import OpenedFigure
from armies.documents.api import DocumentApi
from armies.models import Army, Commander
from armies.wing_command.page import COLUMNS, CommanderShown, WingUnitRow, commander_of, wing_of
from core.api.serializers import title_of
from core.shapes.serializers import ApiShapes
from core.text import render
from kingdom.api.fields import LineSerializer, serialize_lines
from rules.core.shapes import shape_of
from rules.wing_command.figures import SpellChance
from rules.wing_command.wing import WingCommander, WingSheet

type Json = dict[str, Any]


class SpellChanceSerializer(serializers.Serializer):
    """A spell of the caster's art: its aptitude, and the highest result of 2D6 that succeeds."""

    spell = serializers.CharField()
    aptitude = serializers.IntegerField()
    limit = serializers.IntegerField()
    breakdown = LineSerializer(many=True)


class WingUnitFiguresSerializer(serializers.Serializer):
    """Figures of a unit, with the lines of each. `points`: for troops. `spells`: for casters."""

    name = serializers.CharField()
    figures = serializers.DictField(child=serializers.IntegerField())
    breakdown = serializers.DictField(child=LineSerializer(many=True))
    points = serializers.IntegerField(required=False)
    spells = SpellChanceSerializer(many=True, required=False)


class WingFiguresSerializer(serializers.Serializer):
    """Derived figures of a wing, troops and characters in document order. Null if the ruleset no longer accepts it."""

    points = serializers.IntegerField()
    upkeep = serializers.IntegerField(help_text="Build Points per week")
    health = serializers.IntegerField(help_text="its troops")
    breakdown = serializers.DictField(child=LineSerializer(many=True), help_text="the lines of points and upkeep")
    troops = WingUnitFiguresSerializer(many=True)
    characters = WingUnitFiguresSerializer(many=True)

    def to_representation(self, army: Army) -> Any:
        wing = wing_of(army)
        if wing is None:
            return None
        return {
            "points": wing.points,
            "upkeep": wing.upkeep,
            "health": len(wing.troops),
            "breakdown": _lines(one for one in wing.figures if one.breakdown.lines),
            "troops": [_unit(row) for row in wing.troops],
            "characters": [_unit(row) for row in wing.characters],
        }


class WingLeaderFiguresSerializer(serializers.Serializer):
    """Derived figures of a commander. Null if the ruleset no longer accepts the commander."""

    command_test = serializers.IntegerField(help_text="what 2D6 may show at most, before states and distance")
    order_points = serializers.CharField(help_text="how they are rolled, in words")
    initiative = serializers.IntegerField(help_text="added to 1D6 by an army leader")
    breakdown = serializers.DictField(child=LineSerializer(many=True))
    spells = SpellChanceSerializer(many=True)

    def to_representation(self, commander: Commander) -> Any:
        found = commander_of(commander)
        return None if found is None else _commander(found)


def _commander(found: CommanderShown) -> Json:
    return {
        "command_test": found.test.value,
        "order_points": render(found.orders),
        "initiative": found.initiative,
        "breakdown": {"command_test": serialize_lines(found.test.breakdown)},
        "spells": _spells(found.spells),
    }


def _unit(row: WingUnitRow) -> Json:
    figures = [(name, one) for name, one in zip(COLUMNS, row.figures, strict=True) if one is not None]
    body: Json = {
        "name": render(row.title),
        "figures": {name: one.value for name, one in figures},
        "breakdown": {name: serialize_lines(one.breakdown) for name, one in figures},
    }
    if row.points is not None:
        body["points"] = row.points.value
        body["breakdown"]["points"] = serialize_lines(row.points.breakdown)
    return {**body, "spells": _spells(row.spells)} if row.spells else body


def _spells(chances: Sequence[SpellChance]) -> list[Json]:
    return [
        {
            "spell": one.spell.slug,
            "aptitude": one.aptitude.total,
            "limit": one.limit,
            "breakdown": serialize_lines(one.aptitude),
        }
        for one in chances
    ]


def _lines(figures: Iterable[OpenedFigure]) -> Json:
    return {one.id: serialize_lines(one.breakdown) for one in figures}


TITLE = title_of("wing_command")
DERIVED: Json = {"read_only": True, "source": "*", "allow_null": True}
API = DocumentApi(
    shape_of(WingSheet),
    ApiShapes(TITLE),
    TITLE,
    commander=shape_of(WingCommander),
    sheet=WingFiguresSerializer(**DERIVED),
    commander_sheet=WingLeaderFiguresSerializer(**DERIVED),
)
