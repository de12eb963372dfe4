"""Page object of a finished battle's luck in words, as a chart and as a table, and the hindsight of one reader from
which it is drawn.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple
from uuid import UUID

from battles.codec.storage import load_weighed
from battles.forecast.odds_page import format_decimal, format_error, format_percent, format_points
from battles.log.battle_report import costs
from battles.models import Battle, Job, Weighing
from battles.play import battle_state as play_battle_state
from battles.play.event_log import list_standing_records, replay_states
from battles.queries import get_battle_for, get_viewer
from battles.setup.page import pick_colour
from core import text
from core.text_search import CourseChart, course_chart
from kingdom.models import Campaign, User
from rules.core.errors import require
from rules.core.odds import EXACT, SIMULATED, Method
from rules.core.text import Said, _, say
from rules.law import AFTERMATH, CLOSED, BattleLaw, Stage, Summary, Viewer
from rules.odds.tasks import Task
from rules.odds.viewer_forecast import Fairness, Fought, Moment, Step, Weighed, ended, fairness

# Hindsight of one reader on a finished battle: its dice, and the stored effects of those on the chances.

WEIGHED = "rules.odds.viewer_forecast.weighed"
OVER = (AFTERMATH, CLOSED)


class DiceFell(NamedTuple):
    """Command whose dice were rolled. `event` is the number of its first event."""

    record: UUID
    event: int


class Sure(NamedTuple):
    """Dice with known effect on the chances, and their phase."""

    cast: DiceFell
    weighed: Weighed
    stage: Stage


class Hindsight(NamedTuple):
    """Luck of a battle. `casts` are the dice by step of `fairness`, `error` is the largest of all chances. `guessed`
    are armies whose figures the reader does not know.
    """

    fairness: Fairness
    casts: tuple[tuple[DiceFell, ...], ...]
    method: Method
    error: float
    guessed: tuple[str, ...]


@dataclass(frozen=True)
class LookedBack:
    """Finished battle as its reader saw it. `summary` is its end."""

    battle: Battle
    engine: BattleLaw
    viewer: Viewer
    summary: Summary

    @cached_property
    def casts(self) -> tuple[DiceFell, ...]:
        """Dice of the battle in order, without those of its aftermath. One query, nothing is folded."""
        rows = self.battle.records.filter(undone=False).exclude(dice=[]).order_by("seq")
        return tuple(DiceFell(*row) for row in rows.values_list("pk", "first_event"))

    @cached_property
    def known(self) -> str:
        """Key of what the viewer knows: the GM everything, others what they command and read."""
        viewer = self.viewer
        return "all" if viewer.gm else hashlib.sha256(viewer.knowledge.encode()).hexdigest()

    def tasks(self, casts: Sequence[DiceFell]) -> list[Task]:
        """Return the tasks for these dice, which are in order. Three queries."""
        records = list_standing_records(self.battle)
        events = {record.pk: record.events for record in records}
        before = replay_states(self.battle, records, (cast.event - 1 for cast in casts))
        return [self._task(cast, state, events[cast.record]) for cast, state in zip(casts, before, strict=True)]

    def _task(self, cast: DiceFell, before: Any, events: tuple[Any, ...]) -> Task:
        now = play_battle_state.build_field(self.battle, before)
        return Task(WEIGHED, (Fought(now, events), self.viewer), f"{WEIGHED} {cast.record} {self.known}")

    def around(self, casts: Sequence[DiceFell]) -> tuple[Any, Any]:
        """Return the states before the first of these dice and after the last. Five queries."""
        last = self.battle.records.only("first_event", "events").get(pk=casts[-1].record)
        ends = casts[0].event - 1, last.first_event + len(last.events) - 1
        before, after = (play_battle_state.fold_until(self.battle, end) for end in ends)
        return before, after

    def kept(self) -> dict[UUID, Weighed | None]:
        """Return the stored effects of the dice by record. One query."""
        rows = Weighing.objects.filter(record__battle=self.battle, known=self.known)
        return {record: load_weighed(found) for record, found in rows.values_list("record_id", "found")}

    def told(self, found: Mapping[UUID, Weighed | None]) -> Hindsight:
        """Return the luck. `found` holds the effects of all dice."""
        known = [(cast, weighed) for cast in self.casts if (weighed := found[cast.record]) is not None]
        sure = [Sure(*one, stage) for one, stage in zip(known, self._stages(known), strict=True)]
        moments = [Moment(one.stage, one.weighed.before, one.weighed.after) for one in sure]
        summed = fairness(moments, ended(self.engine.summary(play_battle_state.load_state(self.battle))))
        by_step = tuple(tuple(one.cast for one in sure if one.stage[:2] == step.stage[:2]) for step in summed.steps)
        simulated = any(one.weighed.method == SIMULATED for one in sure)
        error = max((one.weighed.error for one in sure), default=0.0)
        return Hindsight(summed, by_step, SIMULATED if simulated else EXACT, error, self._guessed())

    def _stages(self, known: Sequence[tuple[DiceFell, Weighed]]) -> Iterator[Stage]:
        """Yield the phases of these dice. Three queries if some were not stored with their chances."""
        unwritten = [cast.event - 1 for cast, weighed in known if weighed.phase is None]
        states = replay_states(self.battle, list_standing_records(self.battle), unwritten) if unwritten else iter(())
        for _cast, weighed in known:
            yield self.engine.stage(*weighed.phase) if weighed.phase else self.engine.summary(next(states)).stage

    def _guessed(self) -> tuple[str, ...]:
        armies = self.summary.armies.values()
        return tuple(a.name for a in armies if not self.viewer.knows(a.id))


def looked_back(user: User, battle_id: UUID | str) -> LookedBack:
    """Return a finished battle for its reader. Raises Http404 for strangers, `IllegalCommand` during the battle and for
    a law without forecasts.
    """
    back = look_back(user, get_battle_for(user, battle_id))
    require(back.engine.forecast.known, _("This ruleset doesn’t calculate the luck of the dice."))
    require(back.summary.status in OVER, _("The battle isn’t over: the fairness of its dice is shown afterwards."))
    return back


def look_back(user: User, battle: Battle) -> LookedBack:
    """Return a loaded battle for a member of its campaign."""
    now = play_battle_state.load_state(battle)
    viewer = get_viewer(user, battle, now)
    return LookedBack(
        battle, play_battle_state.get_engine(battle), viewer, play_battle_state.view_state(battle, now, viewer).summary
    )


def find_kept_hindsight(back: LookedBack) -> Hindsight | None:
    """Return the luck if all effects are stored, else None. Two queries."""
    found = back.kept()
    return back.told(found) if all(cast.record in found for cast in back.casts) else None


def may_look_back(back: LookedBack) -> bool:
    return back.engine.forecast.known and back.summary.status in OVER


# Page object of a finished battle's luck: in words, as a chart and as a table.

NOBODY = _("The dice favored nobody: no side’s chance to win changed by a whole point.")
WITH = _("The dice favored {side}: {points} points to its chance to win.")
AGAINST = _("The dice were against all sides; {side} lost the least: {points} points.")
TURN = _("The dice of {phase} turned the battle: they gave {side} {points} points.")
TURN_FROM = _("The dice of {phase} turned the battle: {side}’s chance to win went from {before} to {after}.")
LIKELY = _("Before the first die, this result had a chance of {chance}.")
SURE = _("All chances are exact.")
THROWN = _("Chances are simulated, ± {error} points (95% confidence).")
GUESSED = _("You can’t see the figures of {armies}. What the battlefield shows is used instead.")
NO_DICE = _("None of the dice rolled could be forecast.")
NO_ANSWER = _("The calculation was stopped. Start it again.")
LEAST = 0.01


@dataclass(frozen=True, slots=True)
class PhaseLuck:
    """Row of the table. `sides` are (luck, chance before, chance after)."""

    label: Said
    sides: tuple[tuple[str, str, str], ...]
    turning: bool


@dataclass(frozen=True, slots=True)
class FairnessShown:
    """Luck as shown. `sides` are (name, colour, luck). `told` are sentences on the result, `how` on its method."""

    sides: tuple[tuple[str, str, str], ...]
    told: tuple[Said, ...]
    how: tuple[Said, ...]
    phases: tuple[PhaseLuck, ...]
    chart: CourseChart | None
    reach: str

    @property
    def lines(self) -> list[tuple[str, str]]:
        """Lines of the chart, each with the colour of its side."""
        lines = self.chart.lines if self.chart else ()
        return [(colour, line) for (_name, colour, _luck), line in zip(self.sides, lines, strict=False)]


@dataclass(frozen=True, slots=True)
class FairnessPage:
    """Page: the result `shown`, the running `job`, the reason for none (`trouble`), or nothing asked yet."""

    battle: Battle
    campaign: Campaign
    shown: FairnessShown | None = None
    job: Job | None = None
    trouble: Said | None = None


def fairness_page(back: LookedBack, found: Hindsight | Job) -> FairnessPage:
    battle = back.battle
    if not isinstance(found, Job):
        return FairnessPage(battle, battle.campaign, shown=build_fairness(back, found))
    if found.running:
        return FairnessPage(battle, battle.campaign, job=found)
    return FairnessPage(battle, battle.campaign, trouble=text.load_said(found.trouble) or NO_ANSWER)


def fairness_kept(user: User, battle: Battle) -> FairnessPage | None:
    """Return the page of a loaded battle from stored effects, without computing anything. None if nobody can look back
    at it.
    """
    back = look_back(user, battle)
    if not may_look_back(back):
        return None
    found = find_kept_hindsight(back)
    return FairnessPage(battle, battle.campaign, shown=found and build_fairness(back, found))


def build_fairness(back: LookedBack, found: Hindsight) -> FairnessShown:
    """Build the luck in words and figures for this reader."""
    fairness, teams = found.fairness, back.summary.sides
    courses = list(zip(*(step.luck for step in fairness.steps), strict=True))
    return FairnessShown(
        sides=tuple(
            (team.name, pick_colour(index), format_points(luck))
            for index, (team, luck) in enumerate(zip(teams, fairness.luck, strict=False))
        ),
        told=tuple(_told(back, found)),
        how=tuple(_how(found)),
        phases=tuple(_phase(step, index == fairness.turning) for index, step in enumerate(fairness.steps)),
        chart=course_chart(courses, fairness.turning) if courses else None,
        reach=_reach(fairness),
    )


def _told(back: LookedBack, found: Hindsight) -> Iterator[Said]:
    fairness, sides = found.fairness, back.summary.sides
    if not fairness.steps:
        yield NO_DICE
        return
    best = max(range(len(fairness.luck)), key=lambda side: fairness.luck[side])
    luck = fairness.luck[best]
    if max(map(abs, fairness.luck)) < LEAST:
        yield NOBODY
    else:
        yield say(WITH if luck > 0 else AGAINST, side=sides[best].name, points=format_points(luck))
    if fairness.turning is not None:
        yield _turned(fairness.steps[fairness.turning], back.summary)
        yield from _cost(back, found.casts[fairness.turning])
    if fairness.likely is not None:
        yield say(LIKELY, chance=format_percent(fairness.likely))


def _turned(step: Step, end: Summary) -> Said:
    """Say for whom a step turned the battle, and the chances before and after. Orders within the phase may have changed
    them as well.
    """
    side = max(range(len(step.luck)), key=lambda side: (round(abs(step.luck[side]), 9), step.luck[side]))
    before, after = step.before.wins[side], step.after.wins[side]
    named: dict[str, Any] = {"phase": step.stage.label, "side": end.sides[side].name}
    if abs(after - before - step.luck[side]) > LEAST:
        return say(TURN, **named, points=format_points(step.luck[side]))
    return say(TURN_FROM, **named, before=format_percent(before), after=format_percent(after))


def _cost(back: LookedBack, casts: tuple[DiceFell, ...]) -> Iterator[Said]:
    """Yield the losses of armies by these dice, as this reader saw them."""
    engine, viewer = back.engine, back.viewer
    before, after = (play_battle_state.summary_seen(engine, state, viewer) for state in back.around(casts))
    yield from (sentence.text for sentence in costs(before, after))


def _how(found: Hindsight) -> Iterator[Said]:
    yield SURE if found.method == EXACT else say(THROWN, error=format_error(found.error))
    if found.guessed:
        yield say(GUESSED, armies=found.guessed)


def _phase(step: Step, turning: bool) -> PhaseLuck:
    sides = zip(step.luck, step.before.wins, step.after.wins, strict=True)
    told = tuple((format_points(luck), format_percent(before), format_percent(after)) for luck, before, after in sides)
    return PhaseLuck(step.stage.label, told, turning)


def _reach(fairness: Fairness) -> str:
    """Return the chart's range from zero, in points."""
    reach, sums = 0.0, [0.0] * len(fairness.luck)
    for step in fairness.steps:
        sums = [total + luck for total, luck in zip(sums, step.luck, strict=True)]
        reach = max(reach, *map(abs, sums))
    return format_decimal(100 * reach)
