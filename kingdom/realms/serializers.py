"""Serializer fields of kingdom figures. All rulesets share one schema; each kingdom shows the figures of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from drf_spectacular.extensions import OpenApiSerializerExtension
from rest_framework import serializers

from kingdom.api.fields import WholeField
from rules.realm import RealmLaw, SheetFigure, attributes_of
from rules.registry import RULESETS


def list_realm_laws() -> Iterator[RealmLaw]:
    return (law.realm for law in RULESETS.values())


def sheet_figures() -> dict[str, SheetFigure]:
    """Return the sheet figures of all rulesets with the widest limits, optional ones last."""
    found: dict[str, SheetFigure] = {}
    for slug, figure in (pair for realm in list_realm_laws() for pair in realm.sheet.items()):
        known = found.get(slug, figure)
        found[slug] = replace(known, least=min(known.least, figure.least), most=max(known.most, figure.most))
    return dict(sorted(found.items(), key=lambda pair: pair[1].optional))


def list_derived_figures() -> tuple[str, ...]:
    return tuple(dict.fromkeys(slug for realm in list_realm_laws() for slug in realm.derived))


def attributes() -> tuple[str, ...]:
    return tuple(dict.fromkeys(slug for realm in list_realm_laws() for slug in attributes_of(realm)))


def members_of(realms: Iterable[RealmLaw], frame: tuple[str, ...] = ("treasury", "players", "arms")) -> tuple[str, ...]:
    """Return the names of a kingdom's fields under these rulesets, in order."""
    realms = tuple(realms)
    known = {slug for realm in realms for slug in realm.sheet}
    sheet = {slug: figure for slug, figure in sheet_figures().items() if slug in known}
    derived = dict.fromkeys(slug for realm in realms for slug in realm.derived)
    alignment = ("alignment",) if any(realm.alignments for realm in realms) else ()
    own = (slug for slug, figure in sheet.items() if not figure.gm)
    return ("id", "campaign", "name", *alignment, *own, *derived, *(s for s, f in sheet.items() if f.gm), *frame)


def figure_field(figure: SheetFigure) -> WholeField:
    limits: dict[str, Any] = {"min_value": figure.least, "max_value": figure.most}
    return WholeField(required=False, allow_null=figure.optional, **limits)


class AttributeField(serializers.ChoiceField):
    """Attribute of a kingdom check, in any ruleset."""

    def __init__(self, **options: Any):
        super().__init__(choices=attributes(), **options)


class CheckDieField(WholeField):
    """Result of the largest die any ruleset uses for kingdom checks. The service checks against the campaign's own."""

    def __init__(self, **options: Any):
        sides = max((realm.checks.sides for realm in list_realm_laws() if realm.checks), default=1)
        super().__init__(min_value=1, max_value=sides, **options)


class PartlyToldSchema(OpenApiSerializerExtension):
    """Schema extension: only fields that every kingdom has are required."""

    target_class = "kingdom.campaign.serializers.PartlyTold"
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: Any) -> Any:
        schema = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)
        untold = self.target.untold_sometimes()
        required = [name for name in schema.get("required", ()) if name not in untold]
        return {**schema, "required": required} if required else schema
