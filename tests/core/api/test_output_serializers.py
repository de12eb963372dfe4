"""What is drawn of a shape is what its serializer answers."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from rest_framework import serializers

from core.api.serializers import serialize, serialize_many
from kingdom.api.fields import LineSerializer, SaidField
from rules.core.breakdown import Line
from rules.core.text import say


class Inner(serializers.Serializer):
    slug = serializers.CharField(read_only=True)
    label = SaidField()  # type: ignore[assignment]
    left = serializers.IntegerField(read_only=True, allow_null=True)


class Doubled(serializers.Serializer):
    """Draws itself in its own way."""

    def to_representation(self, instance: Any) -> Any:
        return [instance, instance]


class Outer(serializers.Serializer):
    name = serializers.CharField(source="thing.name", read_only=True)
    total = serializers.IntegerField(source="sum.total", default=None, read_only=True, allow_null=True)
    absent = serializers.CharField(required=False)
    inner = Inner(read_only=True)
    inners = Inner(many=True, read_only=True, source="more")
    lines = LineSerializer(many=True, read_only=True)
    numbers = serializers.DictField(child=serializers.IntegerField(), read_only=True)
    sides = serializers.ListField(child=serializers.CharField(), read_only=True)
    at = serializers.DateTimeField(read_only=True)
    called = serializers.CharField(source="call", read_only=True)
    kind = serializers.CharField(source="mapping.kind", read_only=True)
    twice = Doubled(source="name", read_only=True)
    method = serializers.SerializerMethodField()

    def get_method(self, thing: Any) -> Any:
        return {"of": thing.name}


def thing(**changed: Any) -> Any:
    inner = SimpleNamespace(slug="bold", label=say("Bold"), left=None)
    known: dict[str, Any] = {
        "name": "watch",
        "thing": SimpleNamespace(name="Watch"),
        "sum": SimpleNamespace(total=7),
        "inner": inner,
        "more": [inner, SimpleNamespace(slug="shy", label=say("Shy"), left=2)],
        "lines": (Line(say("ACR"), 3, "PF-1.5"),),
        "numbers": {"check": 12},
        "sides": ["heads"],
        "at": datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
        "call": lambda: "called",
        "mapping": {"kind": "melee"},
    }
    return SimpleNamespace(**(known | changed))


@pytest.mark.parametrize("changed", [{}, {"sum": None}, {"inner": None}, {"more": []}, {"absent": "here"}])
def test_a_shape_is_drawn_as_its_serializer_does(changed):
    assert serialize(Outer, thing(**changed)) == Outer(thing(**changed)).data


def test_many_are_drawn_in_order():
    assert serialize_many(Inner, thing().more) == Inner(thing().more, many=True).data


def test_an_attribute_that_is_not_there_is_left_out():
    assert serialize(Inner, SimpleNamespace(slug="bold")) == Inner(SimpleNamespace(slug="bold")).data
