"""Base serializers: input refuses unknown members; output does not rebuild fields for each object."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiSerializerExtension
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.renderers import JSONRenderer

from core.strict_json import NAME_SHOWN

READ = "read"  # key in the context: function that renders the object about to be changed


class Input(serializers.Serializer):
    """Base of all input. An unknown member, nested or not, is a 400 with its JSON pointer.

    An update may send back what was read: a read-only member is accepted unchanged, and refused if it differs.
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
        return {name: [_refusal(name, read)] for name in unknown if name not in read or data[name] != read[name]}

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
