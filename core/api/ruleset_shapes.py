"""Shapes in the API's document that the frame and a ruleset make up together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.serializers import PolymorphicProxySerializerExtension
from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework import serializers

type SerializerClass = type[serializers.Serializer]


def shapes_of_laws(name: str, frame: SerializerClass, members: Mapping[str, SerializerClass | None]) -> dict[str, Any]:
    """By family, the frame's members with those of the law. `members`: None where the frame's are all there are."""
    return {family: _joined(_named(name, family, members), frame, own) for family, own in members.items()}


def combine_rulesets(name: str, frame: SerializerClass, members: Mapping[str, SerializerClass | None]) -> Any:
    """One shape, or one for each family of laws."""
    return choose_shape(name, shapes_of_laws(name, frame, members))


def choose_shape(name: str, shapes: dict[str, Any]) -> Any:
    """For the document, by family of laws: the shape where there is one, or the choice between them."""
    if len(shapes) == 1:
        return next(iter(shapes.values()))
    return PolymorphicProxySerializer(component_name=name, serializers=shapes, resource_type_field_name=None)


def lists_of(shape: Any) -> Any:
    """For the document: a list of what `choose_shape` gave."""
    if not isinstance(shape, PolymorphicProxySerializer):
        return shape(many=True)
    return PolymorphicProxySerializer(
        component_name=shape.component_name, serializers=shape.serializers, resource_type_field_name=None, many=True
    )


def build_typed_shape(
    name: str, shapes: Mapping[str, SerializerClass], member: str = "type"
) -> PolymorphicProxySerializer:
    """For the document: one of these shapes, told apart by the word that is sent as `type` (or another member)."""
    return PolymorphicProxySerializer(component_name=name, serializers=dict(shapes), resource_type_field_name=member)


def add_type(name: str, kind: str, *bases: SerializerClass) -> SerializerClass:
    """A shape with the `type` that tells it from others."""
    return type(name, bases, {"__doc__": bases[0].__doc__, "__module__": __name__, "type": TypeField(kind)})


class TypeField(serializers.CharField):
    """The word that tells a shape from the others."""

    def __init__(self, kind: str = "", **options: Any):
        self.kind = kind
        super().__init__(**options)


class TypeFieldSchema(OpenApiSerializerFieldExtension):
    target_class = TypeField

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        return {"type": "string", THE_TYPE: self.target.kind}


THE_TYPE = "x-type"


def add_types(result: Any, **_kwargs: Any) -> Any:
    """The document, where each shape says its own `type`: written after choices got names, for this is none."""
    for shape in result["components"]["schemas"].values():
        for told in shape.get("properties", {}).values():
            if THE_TYPE in told:
                told["enum"] = [told.pop(THE_TYPE)]
    return result


def _named(name: str, family: str, members: Mapping[str, Any]) -> str:
    return name if len(members) == 1 else f"{title_of(family)}{name}"


def title_of(family: str) -> str:
    """How the names of its shapes begin: a family called `two_words` has `TwoWords`."""
    return family.title().replace("-", "").replace("_", "")


def _joined(name: str, frame: SerializerClass, own: SerializerClass | None) -> Any:
    bases = (own, frame) if own else (frame,)
    return type(name, bases, {"__doc__": frame.__doc__, "__module__": __name__})


class AnyOfThem(PolymorphicProxySerializerExtension):
    """The document says `anyOf`: what one law reads may be all another one asks for, and of `oneOf` a client takes only
    what fits one shape. Where a discriminator tells them apart `oneOf` stays.
    """

    priority = 1

    def map_serializer(self, auto_schema: Any, direction: Any) -> Any:
        told = super().map_serializer(auto_schema, direction)
        return told if "discriminator" in told else {"anyOf": told["oneOf"]}
