"""Serializers of declared shapes, for the API's document. They only describe; the shape itself parses input."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.api.serializers import Input
from rules.core.shapes import DeclaredShape, ShapeField
from rules.core.shapes.objects import UnionKind
from rules.core.shapes.value_kinds import (
    AnyKind,
    ChoiceKind,
    FieldKind,
    FlagKind,
    ListKind,
    MappingKind,
    SideKind,
    TextKind,
    WholeKind,
    WordOrNumberKind,
)


@extend_schema_field(
    {"oneOf": [{"type": "string"}, {"type": "integer", "minimum": 0}], "description": "its name, or its number from 0"}
)
class SideNamedField(serializers.JSONField):
    """Side, by its name or its number."""


@extend_schema_field({"oneOf": [{"type": "string", "nullable": True}, {"type": "integer"}]})
class WordOrNumberField(serializers.JSONField):
    """Word or whole number."""


class SlugOrShapeField(serializers.JSONField):
    """One of several shapes, or a slug of a table."""

    def __init__(self, kind: UnionKind | None = None, shapes: ApiShapes | None = None, **options: Any):
        self.kind, self.shapes = kind, shapes
        super().__init__(**options)


class ApiShapes:
    """Serializer classes for the shapes of one law, one for each class under a stable name.

    `prefix` precedes class names; `called` renames some, `words` replaces docstrings as descriptions. `base` is their
    base class. `bounds`: the document includes limits of numbers and texts.
    """

    def __init__(
        self,
        prefix: str = "",
        called: Mapping[Any, str] | None = None,
        words: Mapping[Any, str] | None = None,
        *,
        base: type[serializers.Serializer] = Input,
        bounds: bool = True,
    ):
        self._prefix, self._called, self._words, self._bounds = prefix, called or {}, words or {}, bounds
        self._base = base
        self._made: dict[Any, type[Input]] = {}

    def of(self, shape: DeclaredShape, name: str = "") -> type[Input]:
        key = shape.cls if shape.cls is not dict else name
        if key not in self._made:
            named = name or self._called.get(shape.cls) or f"{self._prefix}{shape.name}Input"
            told = {"__doc__": self.words_of(shape), "__module__": __name__}
            fields = {key: self.field(one) for key, one in shape.members.items()}
            self._made[key] = cast("type[Input]", type(named, (self._base,), {**told, **fields}))
        return self._made[key]

    def words_of(self, shape: DeclaredShape) -> str | None:
        """Return the description of a shape: its docstring, unless Python generated it."""
        written = shape.cls.__doc__ or ""
        made = written.startswith((f"{shape.name}(", "Alias for field")) or shape.cls is dict
        return self._words.get(shape.cls, None if made else written)

    def field(self, one: ShapeField) -> serializers.Field:
        said = one.in_api
        needed = one.needed if said.required is None else said.required
        options: dict[str, Any] = {} if needed else {"required": False}
        if one.nullable if said.nullable is None else said.nullable:
            options["allow_null"] = True
        if said.blank:
            options["allow_blank"] = True
        if said.text:
            options["help_text"] = said.text
        if said.choices:
            return serializers.ChoiceField(choices=said.choices, **options)
        return serializers.CharField(**options) if said.plain else self._of_kind(one.kind, options)

    def _of_kind(self, kind: FieldKind, options: dict[str, Any]) -> serializers.Field:
        match kind:
            case WholeKind():
                bounds: Any = {"min_value": kind.lowest, "max_value": kind.highest} if self._bounds else {}
                return serializers.IntegerField(**bounds, **options)
            case TextKind():
                length: Any = {"max_length": kind.most} if self._bounds else {}
                return serializers.CharField(**length, **options)
            case FlagKind():
                return serializers.BooleanField(**options)
            case ChoiceKind() if not isinstance(kind.among, str):
                return serializers.ChoiceField(choices=list(kind.among), **options)
            case SideKind():
                return SideNamedField(**options)
            case WordOrNumberKind():
                return WordOrNumberField(**options)
            case AnyKind():
                return serializers.JSONField(**options)
            case UnionKind():
                return SlugOrShapeField(kind, self, **options)
            case DeclaredShape():
                return self.of(kind)(**options)
            case ListKind() | MappingKind():
                return self._of_many(kind, options)
        return serializers.CharField(**options)

    def _of_many(self, kind: ListKind | MappingKind, options: dict[str, Any]) -> serializers.Field:
        if isinstance(kind, ListKind) and isinstance(kind.item, DeclaredShape):
            return self.of(kind.item)(many=True, **options)
        box: Any = serializers.ListField if isinstance(kind, ListKind) else serializers.DictField
        return cast("serializers.Field", box(child=self._of_kind(kind.item, {}), **options))


class SlugOrShapeSchema(OpenApiSerializerFieldExtension):
    """Schema extension: a slug, or an object with any members of the shapes. The law checks which go together."""

    target_class = SlugOrShapeField

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        kind, shapes = self.target.kind, self.target.shapes
        fields: dict[str, Any] = {}
        for shape in kind.shapes:
            fields = {**dict(list(fields.items())[:1]), **shapes.of(shape)().fields, **fields}
        told = {key: _described(auto_schema, one, direction) for key, one in fields.items()}
        thing = {"type": "object", "properties": told, "additionalProperties": False}
        if words := shapes.words_of(kind.shapes[-1]):
            thing["description"] = words
        return {"oneOf": [{"type": "string", "description": "its slug"}, thing] if kind.choice else [thing]}


def _described(auto_schema: Any, field: serializers.Field, direction: Any) -> dict[str, Any]:
    told = auto_schema._map_serializer_field(field, direction)
    return {**told, "description": str(field.help_text)} if field.help_text else told
