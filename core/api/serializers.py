"""Base serializers: input refuses unknown members; output does not rebuild fields for each object."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django_filters.rest_framework import DjangoFilterBackend
from drf_spectacular.extensions import OpenApiSerializerExtension, OpenApiSerializerFieldExtension
from drf_spectacular.serializers import PolymorphicProxySerializerExtension
from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.metadata import BaseMetadata
from rest_framework.parsers import JSONParser
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.reverse import reverse

from core.clean_input import NAME_SHOWN, parse_moment, read_json

READ = "read"  # key in the context: function that renders the object about to be changed
UPDATED = "updated_at"


class Input(serializers.Serializer):
    """Base of all input. An unknown member, nested or not, is a 400 with its JSON pointer.

    An update may send back what was read: a read-only member is accepted unchanged, and refused if it differs. An older
    `updated_at` is accepted too: every update moves it.
    """

    def to_internal_value(self, data: Any) -> Any:
        strangers = self._strangers(data) if isinstance(data, Mapping) else {}
        try:
            given = super().to_internal_value(data)
        except ValidationError as error:
            raise ValidationError({**error.detail, **strangers}) from error  # type: ignore[dict-item]
        if strangers:
            raise ValidationError(strangers)
        return given

    def _strangers(self, data: Mapping[str, Any]) -> dict[str, list[str]]:
        known = {field.field_name for field in self._writable_fields}
        unknown = [name for name in data if name not in known]
        read = self._read() if unknown else {}
        changed = (name for name in unknown if name not in read or (name != UPDATED and data[name] != read[name]))
        return {name: [_refusal(name, read)] for name in changed}

    def _read(self) -> dict[str, Any]:
        """Return the object about to be changed, as its reader sees it. Empty for nested input and for new objects."""
        draw = self.context.get(READ) if self.parent is None else None
        return json.loads(JSONRenderer().render(draw())) if draw else {}


class OneDieInput(Input):
    """Input whose `dice` hold one die: `14` is accepted for `[14]`."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict) and isinstance(data.get("dice"), int):
            data = {**data, "dice": [data["dice"]]}
        return super().to_internal_value(data)


class Open:
    """Serializer mixin for objects with members beyond those listed."""


class NoInput(Input):
    """Input without a body: an empty object, or nothing."""


def serialize(kind: type[serializers.Serializer], value: Any) -> Any:
    """Return `kind(value).data`, for a serializer that needs no context. It is built once: REST framework copies every
    field for each new one, which takes longer than filling it.
    """
    return _build_once(kind).to_representation(value)


@cache
def _build_once(kind: type[serializers.Serializer]) -> serializers.Serializer:
    return kind()


def _refusal(name: str, read: Mapping[str, Any]) -> str:
    if name in read:
        return _("This field is read-only. Remove it.")
    return _("Unknown field “{name}”. Remove it.").format(name=name[:NAME_SHOWN])


class InputSchema(OpenApiSerializerExtension):
    """Schema extension: input has no additional members. An update may repeat what was read, so it is left open."""

    target_class = "core.api.serializers.Input"
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: Any) -> Any:
        schema = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)
        return schema if self.target.partial else {**schema, "additionalProperties": False}


class OpenSchema(OpenApiSerializerExtension):
    """Schema extension: objects with additional members."""

    target_class = "core.api.serializers.Open"
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: Any) -> Any:
        schema = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)
        return {**schema, "additionalProperties": True}


# Filters of lists. Unknown ones are refused, not ignored.

SINCE = "changed_since"
PAGING = frozenset({"limit", "cursor"})
YES, NO = ("true", "1"), ("false", "0")


class StrictFilters(DjangoFilterBackend):
    """django-filter backend that answers 400 to unknown query parameters."""

    def filter_queryset(self, request: Request, queryset: QuerySet[Any], view: Any) -> QuerySet[Any]:
        filterset = self.get_filterset_class(view, queryset)
        known = PAGING | set(filterset.base_filters if filterset else ())
        refuse_unknown(request, known)
        return super().filter_queryset(request, queryset, view)


def refuse_unknown(request: Request, known: frozenset[str] | set[str]) -> None:
    """Raise `ValidationError` that names every unknown query parameter."""
    if unknown := sorted(set(request.query_params) - known):
        raise ValidationError({name: [_("Unknown filter. Remove it.")] for name in unknown})


def read_moment(request: Request, name: str) -> datetime | None:
    """Return the value of a filter by time; None if it is missing. Raises `ValidationError` for anything else."""
    told = request.query_params.get(name)
    if told is None:
        return None
    moment = parse_moment(told)
    if moment is None:
        raise ValidationError({name: [_("Use a time with its zone, such as 2026-11-29T18:00:00Z.")]})
    return moment


def is_asked(request: Request, name: str) -> bool:
    """Return the value of a boolean filter; False if it is missing. Raises `ValidationError` for any other word."""
    told = request.query_params.get(name, NO[0])
    if told not in (*YES, *NO):
        raise ValidationError({name: [_("Use true or false.")]})
    return told in YES


# Shapes of the API's document that combine members of the apps with those of a ruleset.

type SerializerClass = type[serializers.Serializer]


def shapes_of_laws(name: str, frame: SerializerClass, members: Mapping[str, SerializerClass | None]) -> dict[str, Any]:
    """Return by family the serializer with the common members and the law's own. None: the law adds no members."""
    return {family: _joined(_named(name, family, members), frame, own) for family, own in members.items()}


def combine_rulesets(name: str, frame: SerializerClass, members: Mapping[str, SerializerClass | None]) -> Any:
    """Return one shape, or a choice by family of laws."""
    return choose_shape(name, shapes_of_laws(name, frame, members))


def choose_shape(name: str, shapes: dict[str, Any]) -> Any:
    """Return the only shape, or a choice between them, for the API's document. A shape that laws share is one of it."""
    first = {shape: family for family, shape in reversed(shapes.items())}
    if len(first) == 1:
        return next(iter(first))
    choices = {family: shape for shape, family in reversed(first.items())}
    return PolymorphicProxySerializer(component_name=name, serializers=choices, resource_type_field_name=None)


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


# Parsers of request bodies.


class StrictJSONParser(JSONParser):
    """JSON parser for UTF-8, whatever charset the header names. A fault is a 400 with its JSON pointer."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        return read_json(stream.read())


# Metadata for OPTIONS. Schemas are in the API's document, so they are not repeated here.


class Methods(BaseMetadata):
    """The methods of an address, its formats, and the address of the API's document."""

    def determine_metadata(self, request: Request, view: Any) -> dict[str, Any]:
        return {
            "methods": view.allowed_methods,
            "takes": [parser.media_type for parser in view.parser_classes],
            "answers": [renderer.media_type for renderer in view.renderer_classes],
            "document": reverse("schema", request=request),
        }
