"""Who comes home and what arrives as days pass, under any law: a captive whose day has come is free again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from armies.faces import LifeFace
from armies.models import Army, Commander
from armies.time.due import DueLine
from armies.time.passage import Passage
from armies.time.proposal import TimeNote
from kingdom.models import Campaign
from kingdom.world import Change
from rules.text import Said, _, say

MOST_RETURNS = 50


def homecomings(passage: Passage, life: LifeFace) -> tuple[list[Change], list[TimeNote]]:
    """The commanders who are back by the end of the passage, in that order: what changes, and what is said of it."""
    changes: list[Change] = []
    notes: list[TimeNote] = []
    for one in _away(passage.campaign).filter(away_until__lte=passage.until):
        text = say(_("{commander} is back on day {day}."), commander=one.name, day=one.away_until)
        notes.append(TimeNote(text, life.rules.freed))
        changes += _freed(one, life.rules.freed)
    return changes, notes


def _freed(one: Commander, rule: str) -> Iterator[Change]:
    """Nothing is asked for him any more."""
    if one.status != Commander.Status.CAPTURED:
        return
    label = _("set free")
    yield Change("commander", str(one.pk), "status", one.status, str(Commander.Status.FREE), rule, label, one.name)
    if one.ransom is not None:
        yield Change("commander", str(one.pk), "ransom", one.ransom, None, rule, label, one.name)


def returns_due(campaign: Campaign, kingdoms: Mapping[Any, Any], life: LifeFace) -> Iterator[DueLine]:
    """Commanders of these kingdoms who come back, and their armies that arrive."""
    for one in _away(campaign).filter(kingdom__in=kingdoms)[:MOST_RETURNS]:
        text = say(_("{commander} is back."), commander=one.name)
        yield _line(campaign, one.away_until, kingdoms[one.kingdom_id], text, life.rules.back)
    marching = Army.objects.filter(campaign=campaign, kingdom__in=kingdoms, marching_until__gt=campaign.day)
    for army in marching.filter(status__in=Army.STANDING).order_by("marching_until", "id")[:MOST_RETURNS]:
        text = say(_("{army} reaches {place}."), army=army.name, place=army.place or _("an unknown place"))
        yield _line(campaign, army.marching_until, kingdoms[army.kingdom_id], text, life.rules.arrives)


def _away(campaign: Campaign) -> Any:
    rows = Commander.objects.filter(campaign=campaign, away_until__gt=campaign.day)
    return rows.exclude(status=Commander.Status.KILLED).order_by("away_until", "id")


def _line(campaign: Campaign, day: int | None, kingdom: Any, text: Said, rule: str) -> DueLine:
    return DueLine(day or 0, campaign.dates.date(day or 0), kingdom, text, rule)
