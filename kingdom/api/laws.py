"""Shapes that are the frame's and a law's together, for the document of the API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drf_spectacular.serializers import PolymorphicProxySerializerExtension
from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework import serializers

type SerializerClass = type[serializers.Serializer]


def shapes_of_laws(name: str, frame: SerializerClass, members: Mapping[str, SerializerClass | None]) -> dict[str, Any]:
    """By family, the frame's members with those of the law. `members`: None where the frame's are all there are."""
    return {family: _joined(_named(name, family, members), frame, own) for family, own in members.items()}


def of_every_law(name: str, frame: SerializerClass, members: Mapping[str, SerializerClass | None]) -> Any:
    """One shape, or one for each family of laws."""
    return one_or_each(name, shapes_of_laws(name, frame, members))


def one_or_each(name: str, shapes: dict[str, Any]) -> Any:
    """For the document, by family of laws: the shape where there is one, or the choice between them."""
    if len(shapes) == 1:
        return next(iter(shapes.values()))
    return PolymorphicProxySerializer(component_name=name, serializers=shapes, resource_type_field_name=None)


def lists_of(shape: Any) -> Any:
    """For the document: a list of what `one_or_each` gave."""
    if not isinstance(shape, PolymorphicProxySerializer):
        return shape(many=True)
    return PolymorphicProxySerializer(
        component_name=shape.component_name, serializers=shape.serializers, resource_type_field_name=None, many=True
    )


def _named(name: str, family: str, members: Mapping[str, Any]) -> str:
    prefix = "" if len(members) == 1 else family.title().replace("-", "")
    return f"{prefix}{name}"


def _joined(name: str, frame: SerializerClass, own: SerializerClass | None) -> Any:
    bases = (own, frame) if own else (frame,)
    return type(name, bases, {"__doc__": frame.__doc__, "__module__": __name__})


class AnyOfThem(PolymorphicProxySerializerExtension):
    """The document says `anyOf`: what one law reads may be all another one asks for, and of `oneOf` a client takes only
    what fits one shape.
    """

    priority = 1

    def map_serializer(self, auto_schema: Any, direction: Any) -> Any:
        return {"anyOf": super().map_serializer(auto_schema, direction)["oneOf"]}
