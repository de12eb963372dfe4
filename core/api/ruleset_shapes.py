"""Shapes of the API's document that combine members of the apps with those of a ruleset."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.serializers import PolymorphicProxySerializerExtension
from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework import serializers

type SerializerClass = type[serializers.Serializer]


def shapes_of_laws(name: str, frame: SerializerClass, members: Mapping[str, SerializerClass | None]) -> dict[str, Any]:
    """Return by family the serializer with the common members and the law's own. None: the law adds no members."""
    return {family: _joined(_named(name, family, members), frame, own) for family, own in members.items()}


def combine_rulesets(name: str, frame: SerializerClass, members: Mapping[str, SerializerClass | None]) -> Any:
    """Return one shape, or a choice by family of laws."""
    return choose_shape(name, shapes_of_laws(name, frame, members))


def choose_shape(name: str, shapes: dict[str, Any]) -> Any:
    """Return the only shape, or a choice between them, for the API's document."""
    if len(shapes) == 1:
        return next(iter(shapes.values()))
    return PolymorphicProxySerializer(component_name=name, serializers=shapes, resource_type_field_name=None)


def lists_of(shape: Any) -> Any:
    """Return a list of the result of `choose_shape`, for the API's document."""
    if not isinstance(shape, PolymorphicProxySerializer):
        return shape(many=True)
    return PolymorphicProxySerializer(
        component_name=shape.component_name, serializers=shape.serializers, resource_type_field_name=None, many=True
    )


def build_typed_shape(
    name: str, shapes: Mapping[str, SerializerClass], member: str = "type"
) -> PolymorphicProxySerializer:
    """Return a choice between shapes, distinguished by their `type` (or another member), for the API's document."""
    return PolymorphicProxySerializer(component_name=name, serializers=dict(shapes), resource_type_field_name=member)


def add_type(name: str, kind: str, *bases: SerializerClass) -> SerializerClass:
    """Return a serializer with a constant `type`."""
    return type(name, bases, {"__doc__": bases[0].__doc__, "__module__": __name__, "type": TypeField(kind)})


class TypeField(serializers.CharField):
    """Constant field that distinguishes a shape."""

    def __init__(self, kind: str = "", **options: Any):
        self.kind = kind
        super().__init__(**options)


class TypeFieldSchema(OpenApiSerializerFieldExtension):
    target_class = TypeField

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        return {"type": "string", THE_TYPE: self.target.kind}


THE_TYPE = "x-type"


def add_types(result: Any, **_kwargs: Any) -> Any:
    """Postprocessing hook that adds each shape's `type` as an enum. It runs after enums were named, because this one
    needs no name.
    """
    for shape in result["components"]["schemas"].values():
        for told in shape.get("properties", {}).values():
            if THE_TYPE in told:
                told["enum"] = [told.pop(THE_TYPE)]
    return result


def _named(name: str, family: str, members: Mapping[str, Any]) -> str:
    return name if len(members) == 1 else f"{title_of(family)}{name}"


def title_of(family: str) -> str:
    """Return the prefix of a family's component names: `two_words` gives `TwoWords`."""
    return family.title().replace("-", "").replace("_", "")


def _joined(name: str, frame: SerializerClass, own: SerializerClass | None) -> Any:
    bases = (own, frame) if own else (frame,)
    return type(name, bases, {"__doc__": frame.__doc__, "__module__": __name__})


class AnyOfThem(PolymorphicProxySerializerExtension):
    """Schema extension that writes `anyOf`, because what one law accepts may also fit another, and `oneOf` admits only
    one match. With a discriminator `oneOf` stays.
    """

    priority = 1

    def map_serializer(self, auto_schema: Any, direction: Any) -> Any:
        told = super().map_serializer(auto_schema, direction)
        return told if "discriminator" in told else {"anyOf": told["oneOf"]}
