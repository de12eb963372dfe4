"""Undo of passed days: armies as each step recorded them."""

from __future__ import annotations

from collections import defaultdict
from typing import Any
from uuid import UUID

from django.db import connection

from armies.models import TimeStep
from armies.pathfinder.weeks import bulk_sql
from kingdom.chronicle import changes
from kingdom.models import ChronicleEntry
from rules.core.errors import require
from rules.core.text import Said, Term, _, say

DATED = frozenset({"rested_on"})  # figures that mean something on their day only


def restore(step: TimeStep) -> None:
    """Raises `IllegalCommand` naming an army that has changed since."""
    params: dict[str, Any] = {"campaign": step.campaign_id, "day": step.day}
    with connection.cursor() as cursor:
        cursor.execute(bulk_sql.OVERTAKEN, params)
        moved = cursor.fetchone()
        name = moved[0] if moved else ""
        require(not moved, _("{army} has changed since, or is gone. Set that back first."), army=name or "–")
        cursor.execute(bulk_sql.RESTORE, params)
        cursor.execute(bulk_sql.FORGET, params)


def find_touched(time: ChronicleEntry, other: ChronicleEntry) -> Said | None:
    """The army whose figures this time changed, and the other entry too: its lines only count them."""
    days = list(TimeStep.objects.filter(entry=time).values_list("day", flat=True))
    places: dict[str, list[UUID]] = defaultdict(list)
    for change in changes.list_changes(other):
        if change.subject_kind == "army" and change.field in bulk_sql.TOUCHED:
            places[change.field].append(UUID(change.subject_id))
    found = (_name(time, days, field, ids) for field, ids in places.items())
    return next((say(Term("{name}"), name=name) for name in found if name), None)


def _name(time: ChronicleEntry, days: list[int], field: str, ids: list[UUID]) -> str | None:
    params: dict[str, Any] = {"campaign": time.campaign_id, "days": days, "ids": ids}
    with connection.cursor() as cursor:
        cursor.execute(bulk_sql.touched(field), params)
        row = cursor.fetchone()
    return row[0] if row else None
