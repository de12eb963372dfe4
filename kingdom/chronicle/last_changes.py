"""Latest change of each army, commander, kingdom and settlement, as the chronicle has it: noted with every entry and
undo, rebuilt after an import, read for the API.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from django.db import connection
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from kingdom.models import Campaign, LastChange

NOTED = ("army", "commander", "kingdom", "settlement")
"""Kinds whose lists tell it."""
AT_ONCE = 2000
THING_MOST = 64
READ = "_updated_at"

REBUILD = """
INSERT INTO kingdom_lastchange (id, campaign_id, kind, thing, at)
SELECT gen_random_uuid(), campaign_id, kind, thing, max(at) FROM (
    SELECT entry.campaign_id, line->>'subject_kind' AS kind, line->>'subject_id' AS thing,
           GREATEST(entry.at, COALESCE(entry.undone_at, entry.at)) AS at
    FROM kingdom_chronicleentry entry CROSS JOIN LATERAL jsonb_array_elements(entry.changes) AS line
    WHERE entry.campaign_id = %s
) lines
WHERE kind = ANY(%s) AND length(thing) <= %s
GROUP BY campaign_id, kind, thing
"""


def note_changes(campaign: Campaign, places: Iterable[tuple[str, str]], at: datetime) -> None:
    """Note that these things, each as (kind, id), changed at this moment. One statement."""
    found = sorted({(kind, str(key)) for kind, key in places if kind in NOTED and len(str(key)) <= THING_MOST})
    LastChange.objects.bulk_create(
        [LastChange(campaign=campaign, kind=kind, thing=key, at=at) for kind, key in found],
        batch_size=AT_ONCE,
        update_conflicts=True,
        update_fields=["at"],
        unique_fields=["campaign", "kind", "thing"],
    )


def rebuild_last_changes(campaign: Campaign) -> None:
    """Note the latest changes anew, from the whole chronicle of a campaign."""
    LastChange.objects.filter(campaign=campaign).delete()
    with connection.cursor() as cursor:
        cursor.execute(REBUILD, [campaign.pk, list(NOTED), THING_MOST])


# Reading.


def load_updated(kind: str, rows: Sequence[Any]) -> None:
    """Load when each of these rows last changed, in one query."""
    ids = [str(row.pk) for row in rows]
    found = LastChange.objects.filter(kind=kind, thing__in=ids).values_list("campaign_id", "thing", "at")
    moments = {(campaign, thing): at for campaign, thing, at in found} if ids else {}
    for row in rows:
        made = datetime.fromtimestamp((row.pk.int >> 80) / 1000, UTC)  # the time in an id of version 7
        row.__dict__[READ] = max(made, moments.get((row.campaign_id, str(row.pk)), made))


def read_updated(kind: str, row: Any) -> datetime:
    """Return when the row was made or last changed. A query unless `load_updated` has read it."""
    if READ not in row.__dict__:
        load_updated(kind, [row])
    found: datetime = row.__dict__[READ]
    return found


@extend_schema_field(OpenApiTypes.DATETIME)
class UpdatedAtField(serializers.DateTimeField):
    """Serializer field: when a thing of this kind was made, or an entry of the chronicle that changed it was written or
    undone.
    """

    def __init__(self, kind: str, **options: Any):
        self.kind = kind
        super().__init__(
            source="*", read_only=True, help_text="when it was made, last changed, or changed back", **options
        )

    def to_representation(self, row: Any) -> Any:
        return super().to_representation(read_updated(self.kind, row))
