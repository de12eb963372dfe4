"""API of contingents and their commanders: the document's members, and derived figures as `sheet`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rest_framework import serializers

from armies.default.page import OpenedFigure
from armies.documents.api import DocumentApi
from armies.models import Army, Commander
from armies.thucidide_fantasy.page import (
    CardsShown,
    CharacterRow,
    CommanderShown,
    ContingentUnitRow,
    commander_of,
    contingent_of,
)
from core.api.serializers import title_of
from core.shapes.serializers import ApiShapes
from core.text import render
from kingdom.api.fields import LineSerializer, serialize_lines
from rules.core.shapes import shape_of
from rules.core.text import Said
from rules.thucidide_fantasy.breakdowns import FIGURES, HERO_FIGURES
from rules.thucidide_fantasy.contingent import ContingentCommander, ContingentSheet

type Json = dict[str, Any]


class ContingentUnitFiguresSerializer(serializers.Serializer):
    """Figures of a unit, with the lines of each: the weapon and experience it comes from."""

    name = serializers.CharField()
    figures = serializers.DictField(child=serializers.IntegerField())
    breakdown = serializers.DictField(child=LineSerializer(many=True))
    stands = serializers.IntegerField(help_text="those that are there")
    whole = serializers.IntegerField(help_text="its stands when none are lost")
    traits = serializers.ListField(child=serializers.CharField(), help_text="its type's and its own, in words")
    points = serializers.IntegerField()


class SpellCardSerializer(serializers.Serializer):
    """A spell a caster has cards of."""

    spell = serializers.CharField()
    count = serializers.IntegerField()
    cost = serializers.IntegerField(help_text="of one card")


class CharacterFiguresSerializer(serializers.Serializer):
    """Derived figures of a character. `figures`: for a hero. `spell_points`, `cards`: for a caster."""

    name = serializers.CharField()
    figures = serializers.DictField(child=serializers.IntegerField())
    breakdown = serializers.DictField(child=LineSerializer(many=True))
    traits = serializers.ListField(child=serializers.CharField())
    points = serializers.IntegerField(required=False)
    spell_points = serializers.IntegerField(required=False)
    cards = SpellCardSerializer(many=True, required=False)


class ContingentFiguresSerializer(serializers.Serializer):
    """Derived figures of an army, units and characters in document order. Null if the ruleset no longer accepts it."""

    points = serializers.IntegerField()
    upkeep = serializers.IntegerField(help_text="Build Points per week")
    health = serializers.IntegerField(help_text="its stands that are there")
    health_max = serializers.IntegerField(help_text="its stands when none are lost")
    victory = serializers.IntegerField(help_text="how many of its units the enemy has to destroy")
    breakdown = serializers.DictField(child=LineSerializer(many=True), help_text="the lines of the figures above")
    units = ContingentUnitFiguresSerializer(many=True)
    characters = CharacterFiguresSerializer(many=True)

    def to_representation(self, army: Army) -> Any:
        found = contingent_of(army)
        if found is None:
            return None
        return {
            "points": found.points,
            "upkeep": found.upkeep,
            "health": found.stands,
            "health_max": found.whole,
            "victory": found.victory,
            "breakdown": _lines(one for one in found.figures if one.breakdown.lines),
            "units": [_unit(row) for row in found.units],
            "characters": [_character(row) for row in found.characters],
        }


class ContingentLeaderFiguresSerializer(serializers.Serializer):
    """Derived figures of a commander. Null if the ruleset no longer accepts the commander."""

    reach = serializers.IntegerField(help_text="hexes they command within; 0 for a hero, who leads nobody")
    influence = serializers.IntegerField()
    counters = serializers.IntegerField(help_text="of a side whose general they are, at the start")
    figures = serializers.DictField(child=serializers.IntegerField(), help_text="of a hero")
    breakdown = serializers.DictField(child=LineSerializer(many=True))
    traits = serializers.ListField(child=serializers.CharField())
    spell_points = serializers.IntegerField(required=False)
    cards = SpellCardSerializer(many=True, required=False)

    def to_representation(self, commander: Commander) -> Any:
        found = commander_of(commander)
        return None if found is None else _commander(found)


def _commander(found: CommanderShown) -> Json:
    body = _character(found.row)
    del body["name"]
    return {
        "reach": found.rank.reach if found.rank else 0,
        "influence": found.rank.influence if found.rank else 0,
        "counters": found.level.counters if found.level else 0,
        **body,
    }


def _unit(row: ContingentUnitRow) -> Json:
    figures = [(name, one) for name, one in zip(FIGURES, row.figures, strict=True) if one is not None]
    told = [*figures, ("stands", row.stands), ("points", row.points)]
    return {
        "name": render(row.title),
        "figures": {name: one.value for name, one in figures},
        "breakdown": {name: serialize_lines(one.breakdown) for name, one in told},
        "stands": row.stands.value,
        "whole": row.whole,
        "traits": _words(row.traits),
        "points": row.points.value,
    }


def _character(row: CharacterRow) -> Json:
    figures = [(name, one) for name in HERO_FIGURES for one in row.figures if one.id.endswith(f"-{name}")]
    body: Json = {
        "name": render(row.title),
        "figures": {name: one.value for name, one in figures},
        "breakdown": {name: serialize_lines(one.breakdown) for name, one in figures},
        "traits": _words(row.traits),
    }
    if row.points is not None:
        body["points"] = row.points.value
        body["breakdown"]["points"] = serialize_lines(row.points.breakdown)
    return {**body, **_cards(row.cards)} if row.cards else body


def _cards(found: CardsShown) -> Json:
    cards = [{"spell": spell.slug, "count": count, "cost": spell.cost} for spell, count in found.cards]
    return {"spell_points": found.limit, "cards": cards}


def _words(traits: Sequence[Said]) -> list[str]:
    return [render(trait) for trait in traits]


def _lines(figures: Iterable[OpenedFigure]) -> Json:
    return {one.id: serialize_lines(one.breakdown) for one in figures}


TITLE = title_of("thucidide_fantasy")
DERIVED: Json = {"read_only": True, "source": "*", "allow_null": True}
API = DocumentApi(
    shape_of(ContingentSheet),
    ApiShapes(TITLE),
    TITLE,
    commander=shape_of(ContingentCommander),
    sheet=ContingentFiguresSerializer(**DERIVED),
    commander_sheet=ContingentLeaderFiguresSerializer(**DERIVED),
)
