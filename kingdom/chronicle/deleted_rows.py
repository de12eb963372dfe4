"""Deleted rows, kept beside the entry that deleted them (`kingdom.chronicle.undelete`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from core.clean_input import parse_uuid
from kingdom.chronicle.field_change import Change
from kingdom.models import Campaign, ChronicleEntry, DeletedRow, Knowledge


def keep_deleted_rows(entry: ChronicleEntry, struck: Sequence[Change]) -> None:
    dissolved = {change.subject_id for change in struck if change.subject_kind == "kingdom"}
    DeletedRow.objects.bulk_create(
        DeletedRow(
            campaign=entry.campaign,
            entry=entry,
            kind=one.subject_kind,
            thing=one.subject_id,
            whole=one.whole,
            kingdom_id=owner if (owner := one.whole["columns"].get("kingdom_id")) not in dissolved else None,
            hidden=_hidden(entry.campaign, one.whole["columns"]),
        )
        for one in struck
    )


def _hidden(campaign: Campaign, columns: Mapping[str, Any]) -> bool:
    """Whether others might not know of it: hidden itself, or not shown where they know nothing of each other."""
    unknown = campaign.others_known < Knowledge.NAME and not columns.get("revealed", True)
    return unknown or bool(columns.get("hidden", False))


def find_deleted_row(campaign: UUID, thing: object) -> DeletedRow | None:
    """What is kept of something that was taken out of the world and may come back (`kingdom.chronicle.undelete`)."""
    if (key := parse_uuid(thing)) is None:
        return None
    found = DeletedRow.objects.filter(campaign=campaign, thing=key, entry__undone_at=None)
    return found.select_related("entry").order_by("-entry__seq").first()
