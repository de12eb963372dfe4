"""Serializers of dice that have to be typed before a command can be decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from kingdom.api.fields import SaidField
from rules.core.dice import Ask
from rules.core.text import Said, Term
from rules.law import DieSide


class WantedDie(NamedTuple):
    """A die with what its law calls it, and the sides of one that bears no numbers."""

    ask: Ask
    label: Term
    sides: Sequence[DieSide]

    @property
    def slugs(self) -> list[str]:
        return [side.slug for side in self.sides]


class AskSerializer(serializers.Serializer):
    """`label`: what it is for; `need`: what it is up against, null where the law cannot say so beforehand; `sides`:
    what can be typed for a die that bears no numbers.
    """

    army = serializers.CharField(source="ask.army")
    roll = serializers.CharField(source="ask.name")
    die = serializers.SerializerMethodField()
    label = SaidField()  # type: ignore[assignment]
    need = SaidField(source="ask.need", allow_null=True)
    sides = serializers.ListField(
        source="slugs",
        child=serializers.CharField(),
        required=False,
        help_text="absent for a die that bears numbers",
    )

    def get_die(self, asked: WantedDie) -> str:
        return f"d{asked.ask.die}"

    def to_representation(self, asked: WantedDie) -> dict[str, Any]:
        told = super().to_representation(asked)
        if not asked.sides:
            del told["sides"]
        return told


class FaultSerializer(serializers.Serializer):
    pointer = serializers.CharField()
    detail = serializers.CharField()


@extend_schema_serializer(component_name="DiceNeeded")
class DiceNeededSerializer(serializers.Serializer):
    """Why it cannot be done, as any problem tells it. With `asks`: because these dice must be typed first; beside them
    `follows` says which dice they may call for, null where the law cannot say so beforehand.
    """

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    instance = serializers.CharField(required=False)
    errors = FaultSerializer(many=True, required=False)  # type: ignore[assignment]
    asks = AskSerializer(many=True, required=False)
    follows = serializers.CharField(required=False, allow_null=True)


def asks_of(asks: Sequence[Ask], rolls: Mapping[str, Term], sides: Mapping[str, Sequence[DieSide]]) -> Any:
    """The dice as JSON."""
    every = [WantedDie(ask, rolls.get(ask.name, Term(ask.name)), sides.get(ask.name, ())) for ask in asks]
    return AskSerializer(every, many=True).data


def follows_of(follows: Said | None) -> str | None:
    return SaidField().to_representation(follows) if follows else None
