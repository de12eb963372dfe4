"""Delegation of the API of armies and commanders to the ruleset UI."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from armies.models import Army, Commander
from armies.ruleset_ui import ArmyUI, get_army_ui, list_army_uis
from core.api.problems import point_at
from core.api.ruleset_shapes import choose_shape
from kingdom.access.queries import get_kingdom_for, require_runs
from kingdom.api.base_views import ApiViewSet, validate_body
from kingdom.models import Kingdom


def combine_rulesets(name: str, member: str) -> Any:
    """For the document: one shape, or one for each family of laws, which a law may call by the name alone."""
    return choose_shape(f"Any{name}", {ui.family: getattr(ui.api, member) for ui in list_army_uis()})


class ByLaw[Row: Army | Commander](ApiViewSet):
    """An endpoint whose rows are drawn, and whose bodies are read, by the law of their campaign.

    `part`: "army" or "commander", as the members of `ArmyUI` and `ArmyApi` begin.
    """

    part: str

    def in_their_law(self, rows: Sequence[Row]) -> list[Row]:
        """The same rows as their laws keep them, in the same order. That they may be read was asked with them."""
        by_ui: dict[ArmyUI, list[UUID]] = defaultdict(list)
        for row in rows:
            by_ui[get_army_ui(row.campaign)].append(row.pk)
        found: dict[UUID, Row] = {row.pk: row for row in rows}
        for ui, ids in by_ui.items():
            kind = getattr(ui, self.part)
            if not isinstance(found[ids[0]], kind):
                found.update({row.pk: row for row in kind.objects.filter(pk__in=ids).complete()})
        return [found[row.pk] for row in rows]

    def paginate_queryset(self, queryset: Any) -> Any:
        page = super().paginate_queryset(queryset)
        return page if page is None else self.in_their_law(page)

    def get_serializer(self, *rows: Any, many: bool = False, **options: Any) -> Any:
        if not rows:
            return super().get_serializer(**options)  # for the document
        return _Drawn([self._drawn_row(row) for row in rows[0]] if many else self._drawn_row(rows[0]))

    def _drawn_row(self, row: Row) -> Any:
        return getattr(get_army_ui(row.campaign).api, f"{self.part}_shape")(row).data

    def kingdom_named(self) -> Kingdom:
        """The kingdom the body names, for whoever runs it. A body without one is refused in the shape of a law."""
        body = self.request.data
        named = body.get("kingdom") if isinstance(body, Mapping) else None
        try:
            wanted = serializers.UUIDField().run_validation(named)
        except ValidationError:
            validate_body(getattr(list_army_uis()[0].api, f"{self.part}_input")(data=body))
            raise
        with point_at("/kingdom"):
            kingdom = get_kingdom_for(self.request.user, wanted)
        require_runs(self.request.user, kingdom)
        return kingdom

    def given_for(self, kingdom: Kingdom) -> dict[str, Any]:
        """The body of a new row, in the shape of the kingdom's law."""
        given = self.input(using=getattr(get_army_ui(kingdom.campaign).api, f"{self.part}_input"))
        given.pop("kingdom")
        return given


class _Drawn:
    """What a serializer has to say."""

    def __init__(self, data: Any):
        self.data = data
