"""Serializers: input refuses unknown members, output is given without making its fields anew for each object."""

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

READ = "read"  # the context's function that draws what is about to be changed


class Input(serializers.Serializer):
    """Base of every shape that is sent. A member it does not know is a 400 with its pointer, nested ones too.

    Who changes something may send back whatever was read of it: a member that can only be read is accepted as it
    stands, and refused when it differs.
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
        """What is about to be changed, as its reader has it. Nothing for nested shapes and for new things."""
        draw = self.context.get(READ) if self.parent is None else None
        return json.loads(JSONRenderer().render(draw())) if draw else {}


class OneDieInput(Input):
    """With `dice` that are one die: `14` is `[14]`."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict) and isinstance(data.get("dice"), int):
            data = {**data, "dice": [data["dice"]]}
        return super().to_internal_value(data)


class Open:
    """Serializer mixin: there may be members beside those it names."""


class NoInput(Input):
    """For what takes no body: an empty object, or none."""


def _refusal(name: str, read: Mapping[str, Any]) -> str:
    if name in read:
        return _("This field is read-only. Remove it.")
    return _("Unknown field “{name}”. Remove it.").format(name=name[:NAME_SHOWN])


class InputSchema(OpenApiSerializerExtension):
    """The document says so, too. A change may hold what was read, so there it cannot."""

    target_class = "core.api.serializers.Input"
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: Any) -> Any:
        schema = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)
        return schema if self.target.partial else {**schema, "additionalProperties": False}


class OpenSchema(OpenApiSerializerExtension):
    """The document says so."""

    target_class = "core.api.serializers.Open"
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: Any) -> Any:
        schema = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)
        return {**schema, "additionalProperties": True}
