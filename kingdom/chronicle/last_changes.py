"""Latest changes of armies, commanders, kingdoms and settlements, as far as their reader is told of them.

They are noted with every entry and undo of the chronicle, and rebuilt after an import. The API's lists filter by them
(`changed_since`) and tell them (`updated_at`).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import CharField, F, Func, Q, Value
from django.db.models.lookups import Exact
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from kingdom.access.queries import READERS, Seats, load_seats
from kingdom.chronicle.field_change import OPEN, get_kind, kingdom_of, list_parts, told_parts
from kingdom.models import Campaign, ChronicleEntry, LastChange, User
from kingdom.models.base import first_id, made_at

NOTED = ("army", "commander", "kingdom", "settlement")
"""Kinds whose lists tell it."""
READ = "_updated_at"
AN_ID = "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"

NOTE = """
INSERT INTO kingdom_lastchange AS noted (id, campaign_id, kind, thing, part, at)
SELECT gen_random_uuid(), campaign_id, kind, thing::uuid, part, max(at) FROM (
    SELECT entry.campaign_id, line->>'subject_kind' AS kind, line->>'subject_id' AS thing,
           COALESCE(%(parts)s::jsonb->(line->>'subject_kind')->>(line->>'field'), '') AS part,
           GREATEST(entry.at, COALESCE(entry.undone_at, entry.at)) AS at
    FROM kingdom_chronicleentry entry CROSS JOIN LATERAL jsonb_array_elements(entry.changes) AS line
    WHERE entry.campaign_id = %(campaign)s AND (%(entry)s::uuid IS NULL OR entry.id = %(entry)s::uuid)
) lines
WHERE kind = ANY(%(kinds)s) AND thing ~ %(id)s
GROUP BY campaign_id, kind, thing::uuid, part
ON CONFLICT (campaign_id, kind, thing, part) DO UPDATE SET at = GREATEST(noted.at, EXCLUDED.at)
"""


def note_changes(campaign: Campaign, entry: ChronicleEntry) -> None:
    """Note the changes of an entry that was written or undone. One statement at most, for any number of lines."""
    if any(line["subject_kind"] in NOTED for line in entry.changes):
        _note(campaign, entry.pk)


def note_kingdoms(campaign: Campaign, kingdoms: Iterable[UUID]) -> None:
    """Note that the players of these kingdoms change, which no line of the chronicle tells but every reader sees."""
    at = timezone.now()
    LastChange.objects.bulk_create(
        [LastChange(campaign=campaign, kind="kingdom", thing=kingdom, part=OPEN, at=at) for kingdom in kingdoms],
        update_conflicts=True, unique_fields=["campaign", "kind", "thing", "part"], update_fields=["at"],
    )  # fmt: skip


def rebuild_last_changes(campaign: Campaign) -> None:
    """Note the latest changes anew, from the whole chronicle of a campaign."""
    LastChange.objects.filter(campaign=campaign).delete()
    _note(campaign, None)


def _note(campaign: Campaign, entry: UUID | None) -> None:
    parts = json.dumps({kind: list_parts(kind) for kind in NOTED})
    given: dict[str, Any] = {"parts": parts, "campaign": campaign.pk, "entry": entry, "kinds": list(NOTED), "id": AN_ID}
    with connection.cursor() as cursor:
        cursor.execute(NOTE, given)


# Lines of others' things that a reader is not told.


class WithheldLines(NamedTuple):
    """Lines that a reader is not told: those of these fields of these things, given by their ids."""

    ids: set[str]
    fields: set[str]


def find_withheld(kind: str, user: User, campaign: Campaign, visible: set[str]) -> WithheldLines:
    """Return the lines of visible objects (`visible_ids`) that the user may nevertheless not read."""
    own = get_kind(kind, campaign).own if visible else None
    if own is None:
        return WithheldLines(set(), set())
    told = told_parts(kind, [campaign.pk])[campaign.pk]
    fields = {name for name, part in list_parts(kind).items() if part not in told}
    return WithheldLines(visible - own(user, campaign, visible), fields)


# Reading.


def build_changed_condition(user: User, kind: str, moment: datetime, campaign: UUID | None = None) -> Q:
    """Return the condition on rows of this kind that are new since this moment, or changed in a part of which the user
    is told. The rows are those the user may read; without a campaign, in all their campaigns.
    """
    seats = load_seats(user)
    campaigns = [one for one in seats.list_campaigns() if campaign in (None, one)]
    changed = LastChange.objects.filter(kind=kind, campaign__in=campaigns, at__gte=moment).order_by()
    own = Q(campaign__in=seats.list_campaigns(READERS)) | Q(**{f"{_owner(kind)}__in": seats.plays})
    made_here = Q(Exact(Version(F("pk")), Value("7")), pk__gte=first_id(moment))
    told = Q(pk__in=changed.filter(_is_told(kind, campaigns)).values("thing"))
    return made_here | told | (own & Q(pk__in=changed.values("thing")))


def _owner(kind: str) -> str:
    return "pk" if kind == "kingdom" else "kingdom"


def _is_told(kind: str, campaigns: Collection[UUID]) -> Q:
    """Return the condition on changes of which readers of a thing are told, even if they do not read its kingdom."""
    told = Q(part=OPEN)
    for campaign, parts in told_parts(kind, campaigns).items():
        if more := parts - {OPEN}:
            told |= Q(campaign=campaign, part__in=more)
    return told


class Version(Func):
    """SQL function: the version of a UUID, as a digit."""

    template = "substr((%(expressions)s)::text, 15, 1)"
    output_field = CharField()
    arity = 1


def load_updated(kind: str, user: User, rows: Sequence[Any]) -> None:
    """Load when each of these rows was made or last changed, as far as the user is told. They may read the rows."""
    seats, campaigns = load_seats(user), {row.campaign_id for row in rows}
    foreign = {row.campaign_id for row in rows if not _is_own(kind, seats, row)}
    told = told_parts(kind, foreign)
    noted = LastChange.objects.filter(campaign__in=campaigns, kind=kind, thing__in=[row.pk for row in rows])
    moments: dict[UUID, list[tuple[str, datetime]]] = {}
    for key, part, at in noted.order_by().values_list("thing", "part", "at") if rows else ():
        moments.setdefault(key, []).append((part, at))
    for row in rows:
        parts = None if _is_own(kind, seats, row) else told[row.campaign_id]
        known = [at for part, at in moments.get(row.pk, ()) if parts is None or part in parts]
        row.__dict__[READ] = max([made_at(row.pk), *known])


def _is_own(kind: str, seats: Seats, row: Any) -> bool:
    return seats.roles.get(row.campaign_id) in READERS or kingdom_of(kind, row) in seats.plays


@extend_schema_field(OpenApiTypes.DATETIME)
class UpdatedAtField(serializers.DateTimeField):
    """Serializer field: the time at which a row was created or last changed, as far as its reader may know of the
    change. `load_updated` has read it for all rows of the answer.
    """

    def __init__(self, **options: Any):
        told = "when it was made, last changed, or changed back, as far as you may read it"
        super().__init__(source="*", read_only=True, help_text=told, **options)

    def to_representation(self, row: Any) -> Any:
        return super().to_representation(row.__dict__[READ])
