"""Page object of the campaign's story: chapters by season, with a paragraph for each battle, as its reader may know
it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple
from uuid import UUID

from battles.models import Battle
from battles.story.seasons import Season, find_season
from battles.story.tales import read_tale
from kingdom.models import Campaign, User
from kingdom.models.calendar import Date
from rules.core.text import Said, _, say
from rules.narrative import BattleTold, tell_battle, tell_season

TOLD = (Battle.Status.RUNNING, Battle.Status.AFTERMATH, Battle.Status.CLOSED)
ON_A_PAGE = 20  # battles; chapters are not split
MOST = 200  # most battles of a story on one long page


class BattleParagraph(NamedTuple):
    """A battle in prose. `over`: whether it has a report."""

    id: UUID
    name: str
    day: int
    date: Said
    over: bool
    sentences: tuple[Said | str, ...]


class SeasonChapter(NamedTuple):
    """A season with battles. `sum`: a sentence about all of them; None where there is only one."""

    title: Said
    sum: Said | None
    battles: tuple[BattleParagraph, ...]


type Outline = Sequence[tuple[Season, Sequence[UUID]]]
"""Ids of the battles of each season, in order."""


def outline_story(campaign: Campaign) -> Outline:
    """Battles that are or were fought, by season. One query. Every member of the campaign may see all of them."""
    rows = Battle.objects.filter(campaign=campaign, status__in=TOLD).order_by("day", "id").values_list("pk", "day")
    seasons = ((find_season(campaign.dates, day), pk) for pk, day in rows)
    return [(season, [pk for _season, pk in found]) for season, found in groupby(seasons, key=lambda row: row[0])]


def divide_story(outline: Outline) -> list[Outline]:
    """Pages of whole chapters, each with about `ON_A_PAGE` battles."""
    pages: list[list[tuple[Season, Sequence[UUID]]]] = []
    room = 0
    for season, battles in outline:
        if room < len(battles):
            pages.append([])
            room = max(ON_A_PAGE, len(battles))
        pages[-1].append((season, battles))
        room -= len(battles)
    return list(pages)


def cut_story(outline: Outline) -> tuple[Outline, bool]:
    """The first chapters, up to `MOST` battles, and whether there are more. The first chapter is always included."""
    kept: list[tuple[Season, Sequence[UUID]]] = []
    for season, battles in outline:
        if kept and sum(len(own) for _season, own in kept) + len(battles) > MOST:
            return kept, True
        kept.append((season, battles))
    return kept, False


def write_chapters(user: User, campaign: Campaign, outline: Outline) -> list[SeasonChapter]:
    """The chapters' text as this reader may know it."""
    ids = [pk for _season, battles in outline for pk in battles]
    found = Battle.objects.filter(campaign=campaign, pk__in=ids).in_bulk()
    return [_chapter(user, campaign, season, (found[pk] for pk in own if pk in found)) for season, own in outline]


def _chapter(user: User, campaign: Campaign, season: Season, battles: Iterable[Battle]) -> SeasonChapter:
    told = [(battle, _told(user, campaign, battle)) for battle in battles]
    winners = [_winner(tale) for _battle, tale in told if tale.over]
    paragraphs = tuple(
        BattleParagraph(battle.pk, battle.name, battle.day, campaign.dates.date(battle.day).text, tale.over,
                        tell_battle(tale))
        for battle, tale in told
    )  # fmt: skip
    return SeasonChapter(season.title, tell_season(winners), paragraphs)


def _told(user: User, campaign: Campaign, battle: Battle) -> BattleTold:
    battle.campaign = campaign
    return read_tale(user, battle, name_day(campaign.dates.date(battle.day)))


def _winner(tale: BattleTold) -> str | None:
    return None if tale.winner is None else tale.sides[tale.winner].name


def name_day(date: Date) -> Said:
    """Day and month, without the year, which the chapter's title names."""
    template = _("1 {month}") if date.day == 1 else _("{day} {month}")
    return say(template, day=date.day, month=date.month_name)
