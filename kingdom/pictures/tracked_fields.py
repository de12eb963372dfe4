"""Tracked field of pictures: whether one is shown. Undo shows the former one again."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext

from kingdom.chronicle.field_change import RowsById, TrackedModel
from kingdom.models import Campaign, Picture
from kingdom.pictures.queries import owner_kingdom, visible_ids
from rules.core.text import _


def _load(campaign: Campaign, ids: set[str]) -> RowsById:
    rows = Picture.objects.filter(campaign=campaign, pk__in=ids).defer("content")
    found = {str(row.pk): row for row in rows.select_for_update().order_by("pk")}
    for row in found.values():
        row.campaign = campaign
    return dict(found)


def _format(_campaign: Campaign, field: str, value: Any) -> Any:
    if field != "shown":
        return value
    return gettext("shown") if value else gettext("not shown")


TRACKED = TrackedModel(
    "picture",
    _load,
    visible=visible_ids,
    words={"shown": _("Picture")},
    shown=_format,
    kingdom=owner_kingdom,
)
