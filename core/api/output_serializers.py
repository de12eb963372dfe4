"""Output serializers: give the same as a serializer's `data`, without making its fields anew for each object."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from operator import attrgetter
from typing import Any

from rest_framework.fields import Field, SerializerMethodField, SkipField
from rest_framework.serializers import BaseSerializer, ListSerializer, Serializer

type Drawer = Callable[[Any], Any]
MISSING = object()


def serialize(shape: type[Serializer], value: object) -> dict[str, Any]:
    return _drawer(shape)(value)


def serialize_many(shape: type[Serializer], values: Iterable[object]) -> list[dict[str, Any]]:
    return list(map(_drawer(shape), values))


@cache
def _drawer(shape: type[Serializer]) -> Drawer:
    return _of_serializer(shape())


def _of_serializer(serializer: Any) -> Drawer:
    members = [(field.field_name, _getter(field), _drawing(field)) for field in serializer._readable_fields]

    def draw(value: Any) -> dict[str, Any]:
        found = {}
        for name, get, show in members:
            member = get(value)
            if member is not MISSING:
                found[name] = None if member is None else show(member)
        return found

    return draw


def _drawing(field: Any) -> Drawer:
    if isinstance(field, ListSerializer):
        one = _drawing(field.child)
        return lambda values: list(map(one, values))
    own = isinstance(field, BaseSerializer) and type(field).to_representation is Serializer.to_representation
    return _of_serializer(field) if own else field.to_representation


def _getter(field: Field) -> Drawer:
    """What the field is given to draw; `MISSING` where it leaves itself out."""
    if isinstance(field, SerializerMethodField):
        return lambda value: value
    plain = attrgetter(".".join(field.source_attrs)) if field.source_attrs else None

    def get(value: Any) -> Any:
        try:
            found = plain(value) if plain else value
        except AttributeError:
            return _as_the_field_does(field, value)
        return _as_the_field_does(field, value) if callable(found) else found

    return get


def _as_the_field_does(field: Field, value: Any) -> Any:
    """From a mapping, by a call, or its default."""
    try:
        return field.get_attribute(value)
    except SkipField:
        return MISSING
