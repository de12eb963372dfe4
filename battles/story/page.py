"""Page object of the campaign's story: chapters by season, with a paragraph for each battle, as readers may know it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, groupby
from typing import NamedTuple
from uuid import UUID

from battles.field.field_ui import FieldAsked
from battles.field.look import Look
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.queries import get_viewer
from battles.result.page import ArmyLosses, BattleResult, LeaderFate
from battles.ruleset_ui import get_battle_ui
from kingdom.models import Campaign, User
from kingdom.models.calendar import Calendar, Date
from rules.core.text import NO_WORDS, Said, UnitName, _, closed, say
from rules.core.viewers import WHOLE
from rules.law import Summary, Team, Viewer
from rules.narrative import ArmyTold, BattleTold, SideTold, tell_battle, tell_season

# Seasons of a campaign's calendar: those it sets, else four of equal length, with the turn of the year in winter.

SEASONS = 4
MONTHS_BEFORE = 1 / 12  # part of a year: December, winter before the turn of the year
BY_MONTHS = 8  # fewest months of a year whose seasons are whole months

WINTER, SPRING, SUMMER, AUTUMN = range(SEASONS)
OF_A_YEAR = (
    _("Winter of year {year}"),
    _("Spring of year {year}"),
    _("Summer of year {year}"),
    _("Autumn of year {year}"),
)
OF_TWO_YEARS = _("Winter of years {first} and {last}")
NAMED = _("{season}, year {year}")
NAMED_OF_TWO_YEARS = _("{season}, years {first} and {last}")


class Season(NamedTuple):
    """A season, by the year it ends in. `begins`: the year it begins in, within the campaign's time. `name`: that of a
    season which the calendar sets.
    """

    year: int
    season: int
    begins: int
    name: Said | None = None

    @property
    def title(self) -> Said:
        if self.name is not None:
            template = NAMED if self.begins == self.year else NAMED_OF_TWO_YEARS
            return say(template, season=self.name, year=self.year, first=self.begins, last=self.year)
        if self.begins != self.year:
            return say(OF_TWO_YEARS, first=self.begins, last=self.year)
        return say(OF_A_YEAR[self.season], year=self.year)


def find_season(calendar: Calendar, day: int) -> Season:
    """The season of a day of the campaign: one that the calendar sets, else a quarter of its year."""
    if span := calendar.season(day):
        ends, begins = calendar.date(span.until).year, calendar.date(max(span.since, 0)).year
        return Season(ends, span.number, begins, span.name)
    date = calendar.date(day)
    season, turned = _split(calendar)(date.month, date.day)
    year = date.year + turned
    if season != WINTER:
        return Season(year, season, year)
    began = (calendar.year, *_split(calendar)(calendar.month, calendar.day))
    in_first_days = began[0] == year and began[1:] == (WINTER, 0)
    return Season(year, season, year if in_first_days else year - 1)


def _split(calendar: Calendar) -> Callable[[int, int], tuple[int, int]]:
    """A function of month and day: the season, and 1 where it is the winter of the next year, else 0."""
    starts = [0, *accumulate(month.days for month in calendar.months)]
    whole = calendar.days_a_year

    def find(month: int, day: int) -> tuple[int, int]:
        start, end = starts[month - 1], starts[month]
        place = (start + end) / 2 if len(calendar.months) >= BY_MONTHS else start + day - 0.5
        turned, part = divmod(place / whole + MONTHS_BEFORE, 1)
        return int(part * SEASONS), int(turned)

    return find


# Data of a battle's story for one reader, which `rules.narrative` puts into words.

DEAD, CAPTIVE = "bad", "padlock"  # tone and icon of a leader


def read_tale(user: User, battle: Battle, date: Said = NO_WORDS) -> BattleTold:
    """The battle as it is now, for this reader. Its parts are cached with the state (`load_story`)."""
    state = play_battle_state.load_state(battle)
    viewer = get_viewer(user, battle, state)
    seen = play_battle_state.view_state(battle, state, viewer)
    if seen.summary.outcome is None:
        return _ongoing(battle, seen.summary, viewer, date)
    ui = get_battle_ui(play_battle_state.get_law(battle))
    return _over(BattleResult(FieldAsked(battle, seen.state, seen.summary, viewer, Look()), ui), date)


def _ongoing(battle: Battle, summary: Summary, viewer: Viewer, date: Said) -> BattleTold:
    sides = tuple(SideTold(side.name, tuple(_armies(summary, side, viewer))) for side in summary.sides)
    return BattleTold(battle.pk.int, date, sides, over=False)


def _over(result: BattleResult, date: Said) -> BattleTold:
    summary, viewer = result.summary, result.asked.viewer
    outcome, point = summary.outcome, result.turning_point
    sides = tuple(
        SideTold(side.name, tuple(_armies(summary, side, viewer)), lost_of(own))
        for side, own in zip(summary.sides, result.losses, strict=True)
    )
    return BattleTold(
        key=result.asked.battle.pk.int,
        date=date,
        sides=sides,
        winner=result.winner,
        turn=(point.label, closed(result.moment)) if point and result.moment else None,
        reason=(outcome.reason or outcome.text) if outcome else "",
        dead=_names(result.leaders, lambda leader: leader.tone == DEAD),
        captured=_names(result.leaders, lambda leader: leader.icon == CAPTIVE),
    )


def _armies(summary: Summary, side: Team, viewer: Viewer) -> Iterator[ArmyTold]:
    """Names of the armies, with the leaders of those whose figures the reader knows."""
    for army in (summary.armies[key] for key in side.armies if key in summary.armies):
        yield ArmyTold(army.name, army.leader_name if army.id in viewer.reads else "")


def lost_of(own: Sequence[ArmyLosses]) -> int | None:
    """Percentage of its strength that a side lost; None where there is no sum, since several armies are told in words.

    1 to 99 unless nothing or everything was lost.
    """
    if not own or (len(own) > 1 and any(one.army.words for one in own)):
        return None
    before, lost = sum(one.before for one in own), sum(one.lost for one in own)
    if not before or not lost:
        return 0
    return WHOLE if lost >= before else min(WHOLE - 1, max(1, WHOLE * lost // before))


def _names(leaders: Sequence[LeaderFate], chosen: Callable[[LeaderFate], bool]) -> tuple[UnitName, ...]:
    return tuple(leader.name for leader in leaders if chosen(leader))


# Chapters by season.

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
    return date.yearless
