"""Arrivals as days pass, under any ruleset: armies that arrive, commanders who return or are set free."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from django.db.models import QuerySet

from armies.models import Army, Commander
from armies.weeks.due import DueLine
from armies.weeks.passage import Passage, TimeEvent, TimeNote, TimeStop
from kingdom.chronicle.changes import Change
from kingdom.models import Campaign, Kingdom
from rules.core.text import Said, _, say

if TYPE_CHECKING:
    from armies.ruleset_ui import WeeksUI

MOST_RETURNS = 50


class Coming(NamedTuple):
    """Changes, notes and events of arrivals, soonest first."""

    changes: list[Change]
    notes: list[TimeNote]
    events: list[TimeEvent]


def homecomings(passage: Passage) -> Coming:
    """Commanders who are back by the end of the passage."""
    found, rules = Coming([], [], []), passage.life.rules
    for one in _away(passage.campaign.pk, passage.campaign.day).filter(away_until__lte=passage.until):
        text = say(_("{commander} is back on day {day}."), commander=one.name, day=one.away_until)
        found.notes.append(TimeNote(text, rules.freed))
        found.events.append(TimeEvent(TimeStop.RECOVERY, one.away_until or 0, text, rules.back))
        found.changes.extend(_freed(one, rules.freed) if one.status == Commander.Status.CAPTURED else [])
        found.changes.append(_told("commander", one, "away", one.away_until, rules.back))
    return found


def arrivals(passage: Passage, held: Collection[UUID] = ()) -> Coming:
    """Armies that arrive by the end of the passage, without those `held` up."""
    found, rule = Coming([], [], []), passage.life.rules.arrives
    rows = _marching(passage.campaign.pk, passage.campaign.day).filter(marching_until__lte=passage.until)
    for one in rows.exclude(pk__in=held) if held else rows:
        text = say(_("{army} reaches {place} on day {day}."), army=one.name, place=_place(one), day=one.marching_until)
        found.notes.append(TimeNote(text, rule))
        found.events.append(TimeEvent(TimeStop.ARRIVAL, one.marching_until or 0, text, rule))
        found.changes.append(_told("army", one, "marching", one.marching_until, rule))
    return found


def _told(kind: str, row: Army | Commander, field: str, day: int | None, rule: str) -> Change:
    """Change for display. It follows from the day, so there is nothing to write and nothing to undo."""
    return Change(kind, str(row.pk), field, True, False, rule, say(_("On day {day}"), day=day), row.name, kept=True)


def _freed(one: Commander, rule: str) -> Iterator[Change]:
    """Changes that set a captive free, without a ransom."""
    label = _("released")
    yield Change("commander", str(one.pk), "status", one.status, str(Commander.Status.FREE), rule, label, one.name)
    if one.ransom is not None:
        yield Change("commander", str(one.pk), "ransom", one.ransom, None, rule, label, one.name)


def returns_due(campaign: Campaign, kingdoms: Sequence[Kingdom], life: WeeksUI) -> Iterator[DueLine]:
    """Returns of these kingdoms' commanders, and arrivals of their armies."""
    of = {kingdom.pk: kingdom for kingdom in kingdoms}
    for one in _away(campaign.pk, campaign.day).filter(kingdom__in=of)[:MOST_RETURNS]:
        text = say(_("{commander} is back."), commander=one.name)
        yield _line(campaign, one.away_until, of[one.kingdom_id], text, life.rules.back)
    for army in _marching(campaign.pk, campaign.day).filter(kingdom__in=of)[:MOST_RETURNS]:
        text = say(_("{army} reaches {place}."), army=army.name, place=_place(army))
        yield _line(campaign, army.marching_until, of[army.kingdom_id], text, life.rules.arrives)


def _away(campaign: UUID, day: int) -> QuerySet[Commander]:
    rows = Commander.objects.filter(campaign=campaign, away_until__gt=day)
    return rows.exclude(status=Commander.Status.KILLED).order_by("away_until", "id")


def _marching(campaign: UUID, day: int) -> QuerySet[Army]:
    rows = Army.objects.filter(campaign=campaign, marching_until__gt=day, status__in=Army.STANDING)
    return rows.order_by("marching_until", "id")


def _place(army: Army) -> Any:
    return army.place or (army.way and army.way.end) or army.hex or _("an unknown place")


def _line(campaign: Campaign, day: int | None, kingdom: Kingdom, text: Said, rule: str) -> DueLine:
    return DueLine(day or 0, campaign.dates.date(day or 0), kingdom, text, rule)
