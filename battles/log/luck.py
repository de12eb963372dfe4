"""Page object of a finished battle's luck: in words, as a chart and as a table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from battles.forecast.words import format_decimal, format_error, format_percent, format_points
from battles.log.battle_report import costs
from battles.log.hindsight import DiceFell, Hindsight, LookedBack, find_kept_hindsight, look_back, may_look_back
from battles.models import Battle, Job
from battles.play import battle_state as play_battle_state
from battles.setup.page import pick_colour
from core import text
from core.charts import CourseChart, course_chart
from kingdom.models import Campaign, User
from rules.core.odds import EXACT
from rules.core.text import Said, _, say
from rules.law import Summary
from rules.odds.hindsight import Fairness, Step

NOBODY = _("The dice favored nobody: no side gained or lost a point of its chance to win.")
WITH = _("The dice favored {side}: {points} points of its chance to win.")
AGAINST = _("The dice were against all sides; {side} lost least, {points} points.")
TURN = _("The dice of {phase} turned the battle: they gave {side} {points} points.")
TURN_FROM = _("The dice of {phase} turned the battle: the chance of {side} went from {before} to {after}.")
LIKELY = _("Before the first die, this result had a chance of {chance}.")
SURE = _("All chances are exact.")
THROWN = _("Chances are simulated, ± {error} points (95% confidence).")
GUESSED = _("You can’t read the figures of {armies}: they count as the field shows them.")
NO_DICE = _("No dice were rolled that a forecast could be made for.")
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
