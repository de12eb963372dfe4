"""Taking time back: armies from what each step left on record, treasuries by an entry the other way."""

from __future__ import annotations

from collections import defaultdict
from typing import Any
from uuid import UUID

from django.db import connection

from armies.fights import deeds_of
from armies.models import TimeStep
from armies.pathfinder.models import PathfinderArmy
from armies.pathfinder.time import sql
from kingdom import text, world
from kingdom.models import Campaign, ChronicleEntry, Kingdom, LedgerEntry, User
from kingdom.services import treasury
from rules.errors import require
from rules.text import Said, Term, _, say

DATED = frozenset({"rested_on", "marching_until"})  # figures that mean something on their day only


def take_back(entry: ChronicleEntry, by: User) -> None:
    """Undo what `kingdom.world` does not know of this entry: see `world.follow_undo`.

    Raises `IllegalCommand` naming an army that has changed since, or has fought on the day that would be undone.
    """
    if entry.kind == ChronicleEntry.Kind.WEEK:
        _refuse_fought(entry)
    for step in TimeStep.objects.filter(entry=entry).order_by("-day"):
        _restore(step)
    if entry.kind == ChronicleEntry.Kind.WEEK:
        _refund(entry, by)


def _refuse_fought(entry: ChronicleEntry) -> None:
    """A battle of the day that was reached has no line of its own until it is over."""
    reached = Campaign(pk=entry.campaign_id, day=entry.day)
    ids = deeds_of(reached, entry.day).fought
    army = (
        PathfinderArmy.objects.filter(campaign=entry.campaign_id, pk__in=ids).order_by("name").first() if ids else None
    )
    require(
        army is None,
        _("{army} has fought on day {day}: take that battle back first."),
        army=army.name if army else "",
        day=entry.day,
    )


def _restore(step: TimeStep) -> None:
    params: dict[str, Any] = {"campaign": step.campaign_id, "day": step.day}
    with connection.cursor() as cursor:
        cursor.execute(sql.OVERTAKEN, params)
        moved = cursor.fetchone()
        name = moved[0] if moved else ""
        require(not moved, _("{army} has changed since, or is gone. Set that back first."), army=name or "–")
        cursor.execute(sql.RESTORE, params)
        cursor.execute(sql.FORGET, params)
    step.delete()


def _refund(entry: ChronicleEntry, by: User) -> None:
    moved: dict[str, int] = defaultdict(int)
    for change in world.changes_of(entry):
        if change.kept and change.field == "treasury":
            moved[change.subject_id] += change.after - change.before
    day = Campaign.objects.values_list("day", flat=True).get(pk=entry.campaign_id)
    rows = Kingdom.objects.select_for_update().filter(pk__in=moved).order_by("pk")
    for kingdom in rows:
        if moved[str(kingdom.pk)]:
            treasury.append(
                kingdom=kingdom,
                amount=-moved[str(kingdom.pk)],
                reason=text.from_json(entry.text),
                source=LedgerEntry.Origin.UNDO,
                by=by,
                day=day,
            )


def overlap(entry: ChronicleEntry, later: ChronicleEntry) -> Said | None:
    """The army that both have changed, if one of them is time whose armies are only counted in its lines; or one
    that rested or set out, if time has passed since or would not have passed yet.
    """
    return _touched(entry, later) or _touched(later, entry) or _dated(entry, later) or _dated(later, entry)


def _dated(time: ChronicleEntry, other: ChronicleEntry) -> Said | None:
    """The first army for which the other entry says what it did on its day."""
    if time.kind != ChronicleEntry.Kind.WEEK or other.kind == ChronicleEntry.Kind.WEEK:
        return None
    lines = (change for change in world.changes_of(other) if change.subject_kind == "army" and change.field in DATED)
    return next((say(Term("{name}"), name=line.subject) for line in lines), None)


def _touched(time: ChronicleEntry, other: ChronicleEntry) -> Said | None:
    if time.kind != ChronicleEntry.Kind.WEEK:
        return None
    days = list(TimeStep.objects.filter(entry=time).values_list("day", flat=True))
    places: dict[str, list[UUID]] = defaultdict(list)
    for change in world.changes_of(other):
        if change.subject_kind == "army" and change.field in sql.TOUCHED:
            places[change.field].append(UUID(change.subject_id))
    found = (_name(time, days, field, ids) for field, ids in places.items())
    return next((say(Term("{name}"), name=name) for name in found if name), None)


def _name(time: ChronicleEntry, days: list[int], field: str, ids: list[UUID]) -> str | None:
    params: dict[str, Any] = {"campaign": time.campaign_id, "days": days, "ids": ids}
    with connection.cursor() as cursor:
        cursor.execute(sql.touched(field), params)
        row = cursor.fetchone()
    return row[0] if row else None


def register() -> None:
    world.follow_undo(take_back)
    world.watch_overlap(overlap)
