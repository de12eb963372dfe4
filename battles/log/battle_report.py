"""Printed pages of a battle: the order of battle as far as its reader may know it, and the prose report made from its
log.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any
from uuid import UUID

from armies.ruleset_ui import get_army_ui
from battles.field.field_ui import FieldAsked
from battles.field.look import Look
from battles.field.table import figures_now
from battles.log.phases import is_told
from battles.log.queries import LogLine, tell_lines
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.play.event_log import RecordRead, list_standing_records, replay_states
from battles.queries import get_battle_for, get_viewer
from battles.result.turn_losses import lost_by
from battles.ruleset_ui import BattleUI, get_battle_ui
from kingdom.campaign.queries import load_arms
from kingdom.models import Campaign, User
from kingdom.models.heraldry import Arms
from rules.core.breakdown import OnPaper, PaperAid, PaperFigure
from rules.core.errors import require
from rules.core.text import Said, _, by_number, say
from rules.law import AFTERMATH, CLOSED, Combatant, Summary, Viewer, Weight

# Page object of the printed order of battle, as far as its reader may know it.


@dataclass(frozen=True, slots=True)
class PaperRow:
    """An army with its kingdom's arms. `figures` has a place for each column of its side."""

    army: OnPaper
    arms: Arms | None
    figures: tuple[PaperFigure | None, ...]


@dataclass(frozen=True, slots=True)
class PaperSide:
    """A side. `arms`: those of its kingdoms, without repeats. `columns`: the figures known of any of its armies."""

    name: str
    arms: tuple[Arms, ...]
    columns: tuple[Said, ...]
    rows: tuple[PaperRow, ...]

    @property
    def has_words(self) -> bool:
        """Whether any army has a remark in words."""
        return any(row.army.words for row in self.rows)


@dataclass(frozen=True, slots=True)
class OrderPage:
    """The printed order of battle. `aids`: reference tables for the commanders, by the ruleset's present text; none
    once the battle is over.
    """

    battle: Battle
    campaign: Campaign
    phase: Said
    conditions: Sequence[Any]
    sides: tuple[PaperSide, ...]
    aids: Sequence[PaperAid]
    stages: Sequence[Said]
    over: bool
    ui: BattleUI
    law_field: Any = None
    """Context of the ruleset's `paper_template`; None if armies are the whole field."""


def order_page(user: User, battle_id: UUID) -> OrderPage:
    """The order of battle as it is now. Raises `Http404` for strangers."""
    battle = get_battle_for(user, battle_id)
    now, ui = play_battle_state.load_state(battle), get_battle_ui(play_battle_state.get_law(battle))
    viewer = get_viewer(user, battle, now)
    position = play_battle_state.view_state(battle, now, viewer)
    state, summary = position.state, position.summary
    armies = ui.on_paper(state, summary, figures_now(battle, state), viewer)
    borne, over = load_arms(battle.campaign, (army.kingdom for army in armies.values())), is_fought(summary)
    return OrderPage(
        battle=battle,
        campaign=battle.campaign,
        phase=summary.stage.label,
        conditions=tuple(ui.conditions(state)),
        sides=tuple(
            _side(side.name, [part for army in side.armies for part in armies[army].parts or (armies[army],)], borne)
            for side in summary.sides
        ),
        aids=() if over else ui.aids(state),
        stages=get_army_ui(battle.campaign).stages,
        over=over,
        ui=ui,
        law_field=ui.field(FieldAsked(battle, state, summary, viewer, Look())),
    )


def _side(name: str, armies: list[OnPaper], borne: dict[str, Arms]) -> PaperSide:
    columns = tuple(dict.fromkeys(figure.label for army in armies for figure in army.figures))
    rows = tuple(_row(army, borne.get(army.kingdom), columns) for army in armies)
    return PaperSide(name, tuple(dict.fromkeys(row.arms for row in rows if row.arms)), columns, rows)


def _row(army: OnPaper, arms: Arms | None, columns: tuple[Said, ...]) -> PaperRow:
    known = {figure.label: figure for figure in army.figures}
    return PaperRow(army, arms, tuple(known.get(column) for column in columns))


def is_fought(summary: Summary) -> bool:
    """Whether the fighting is over, so that there is a report."""
    return summary.status in (AFTERMATH, CLOSED)


# Prose report of a battle, made from its log: opponents, turning points, result and losses.
#
# The law says what turned the battle (`LogEntry.weight`). Losses of a phase are differences of health. The report holds
# only what its reader may know.

HEAVIEST = _("{army} had the heaviest losses: {lost}, with {left} of {most} left.")
SHARE = _("{share}%")
ONLY = _("Only {army} had losses: {lost}, with {left} of {most} left.")
HEAVIEST_ALL = _("{army} had the heaviest losses: {lost}, with nothing left.")
ONLY_ALL = _("Only {army} had losses: {lost}, with nothing left.")
OTHERS = _("Also: {armies}.")
ONE_OF_THEM = _("{army} lost {lost}")
UNDER = _("{army} ({most}) under {leader}")
ALONE = _("{army} ({most})")
UNCOUNTED = _("{army}")
MORE = by_number("{count} more", "{count} more")
NOW = _("{army}: now {words}.")
NAMED_MOST = 8


@dataclass(frozen=True, slots=True)
class ReportSentence:
    text: Said
    turning: bool = False


@dataclass(frozen=True, slots=True)
class Chapter:
    """Phase in which something was decided."""

    label: Said
    sentences: tuple[ReportSentence, ...]


@dataclass(frozen=True, slots=True)
class ReportLoss:
    """Health of an army at its arrival and at the end, counted as on the result's page. `fate`: how it ended."""

    army: Combatant
    lost: int
    fate: Said
    arms: Arms | None
    came: Combatant | None = None

    @property
    def before(self) -> int:
        return self.army.health + self.lost


@dataclass(frozen=True, slots=True)
class ReportPage:
    battle: Battle
    campaign: Campaign
    date: Said
    sides: tuple[tuple[str, tuple[Said, ...]], ...]
    arms: tuple[Arms, ...]
    conditions: tuple[Said, ...]
    turns: tuple[tuple[Said, Said], ...]
    chapters: tuple[Chapter, ...]
    outcome: Said | None
    reason: Said | str
    losses: tuple[tuple[str, tuple[ReportLoss, ...]], ...]

    @property
    def met(self) -> tuple[str, ...]:
        """Names of the sides."""
        return tuple(name for name, _armies in self.sides)


@dataclass
class _Phase:
    label: Said
    lines: list[LogLine] = field(default_factory=list)
    last: int = 0


def report_page(user: User, battle_id: UUID) -> ReportPage:
    """Return the report. Raises Http404 for strangers, `IllegalCommand` during the battle."""
    return report_seen(user, get_battle_for(user, battle_id))


def report_seen(user: User, battle: Battle) -> ReportPage:
    """Return the report of a loaded battle."""
    now = play_battle_state.load_state(battle)
    viewer = get_viewer(user, battle, now)
    position = play_battle_state.view_state(battle, now, viewer)
    require(is_fought(position.summary), _("The battle isn’t over. Its report will be written afterward."))
    return _report(battle, position.state, position.summary, viewer)


def _report(battle: Battle, state: Any, end: Summary, viewer: Viewer) -> ReportPage:
    records = list_standing_records(battle)
    lines = [line for record in records for line in tell_lines(battle, record, state, viewer)]
    phases = list(_phases(lines, end.stages[0][0].label))
    course = _course(battle, records, [phase.last for phase in phases], viewer)
    start, outcome = course[0], end.outcome
    borne = load_arms(battle.campaign, (army.kingdom for army in end.armies.values()))
    return ReportPage(
        battle=battle,
        campaign=battle.campaign,
        date=battle.campaign.dates.date(battle.day).text,
        sides=tuple((side.name, tuple(_lined_up(start, side.armies, viewer))) for side in start.sides),
        arms=tuple(dict.fromkeys(borne.values())),
        conditions=tuple(chip.text for chip in get_battle_ui(play_battle_state.get_law(battle)).conditions(state)),
        turns=tuple((phase.label, line.entry.text) for phase in phases for line in _turning(phase)),
        chapters=tuple(_chapters(phases, course)),
        outcome=outcome.text if outcome else None,
        reason=outcome.reason if outcome else "",
        losses=tuple(
            (side.name, tuple(_loss(end.armies[army], end, start, borne) for army in side.armies)) for side in end.sides
        ),
    )


def _phases(lines: list[LogLine], first: Said) -> Iterator[_Phase]:
    phase = _Phase(first)
    for line in lines:
        if line.entry.begins is not None and line.entry.begins != phase.label:
            yield phase
            phase = _Phase(line.entry.begins, last=phase.last)
        phase.lines.append(line)
        phase.last = line.seq
    yield phase


def _course(battle: Battle, records: Sequence[RecordRead], ends: Sequence[int], viewer: Viewer) -> list[Summary]:
    """Return the summaries at the opening and after each of these events, as this viewer saw them. One query."""
    engine = play_battle_state.get_engine(battle)
    return [
        play_battle_state.summary_seen(engine, state, viewer) for state in replay_states(battle, records, (0, *ends))
    ]


def _lined_up(start: Summary, armies: Sequence[str], viewer: Viewer) -> Iterator[Said]:
    named = armies if len(armies) <= NAMED_MOST else armies[: NAMED_MOST - 1]
    for army in (start.armies[army] for army in named):
        template = UNDER if army.leader_name and army.id in viewer.reads else UNCOUNTED if army.share else ALONE
        yield say(template, army=army.name, most=army.health, leader=army.leader_name)
    if more := len(armies) - len(named):
        yield say(MORE, count=more)


def _turning(phase: _Phase) -> Iterator[LogLine]:
    return (line for line in phase.lines if is_told(line) and line.entry.weight == Weight.TURNING)


def _chapters(phases: list[_Phase], course: list[Summary]) -> Iterator[Chapter]:
    """Yield a chapter for each phase. Consecutive phases with only losses share one."""
    for run in _runs(phases, course):
        told = tuple(sentence for place in run for sentence in _told(phases[place]))
        sentences = (*costs(course[run[0]], course[run[-1] + 1]), *told)
        if sentences:
            yield Chapter(_label(phases[run[0]], phases[run[-1]]), sentences)


def _runs(phases: list[_Phase], course: list[Summary]) -> Iterator[list[int]]:
    """Yield indices of phases that form a chapter: each phase with something to tell alone, others together. A chapter
    of losses begins and ends with a loss.
    """
    for telling, found in groupby(range(len(phases)), key=lambda place: any(_told(phases[place]))):
        places = list(found)
        cost = [place for place in places if _fallen(course[place], course[place + 1])]
        yield from ([place] for place in places) if telling else [cost] if cost else []


def _label(first: _Phase, last: _Phase) -> Said:
    return first.label if first is last else say(_("{first} to {last}"), first=first.label, last=last.label)


def _told(phase: _Phase) -> Iterator[ReportSentence]:
    for line in phase.lines:
        if is_told(line) and line.entry.weight != Weight.USUAL:
            yield ReportSentence(line.entry.text, line.entry.weight == Weight.TURNING)


def costs(before: Summary, after: Summary) -> Iterator[ReportSentence]:
    """Yield the losses of a phase, heaviest first."""
    fell = [(lost, army) for lost, army in _fallen(before, after) if army.words is None]
    yield from (
        ReportSentence(say(NOW, army=army.name, words=army.words))
        for army in after.armies.values()
        if army.words and army.id in before.armies and before.armies[army.id].words != army.words
    )
    if not fell:
        return
    lost, army = fell[0]
    words = (ONLY, HEAVIEST) if army.health > 0 else (ONLY_ALL, HEAVIEST_ALL)
    told = {"lost": lost, "left": army.health, "most": army.health_max}
    points = {name: points_of(army, number) for name, number in told.items()}
    yield ReportSentence(say(words[len(fell) > 1], army=army.name, **points))
    if others := tuple(say(ONE_OF_THEM, army=army.name, lost=points_of(army, lost)) for lost, army in fell[1:]):
        yield ReportSentence(say(OTHERS, armies=others))


def points_of(army: Combatant, number: int) -> Said | int:
    """Return a number of an army's health, in percent if only the share is known."""
    return say(SHARE, share=number) if army.share else number


def _fallen(before: Summary, after: Summary) -> list[tuple[int, Combatant]]:
    """Return (loss, army) for all who lost health in between, heaviest first."""
    stood = before.armies
    fell = [(stood[army.id].health - army.health, army) for army in after.armies.values() if army.id in stood]
    shares = any(army.share for _lost, army in fell)

    def heavy(pair: tuple[int, Combatant]) -> float:
        return pair[0] / max(1, pair[1].health_max) if shares else pair[0]

    return sorted((pair for pair in fell if pair[0] > 0), key=heavy, reverse=True)


def _loss(army: Combatant, end: Summary, start: Summary, borne: dict[str, Arms]) -> ReportLoss:
    came = start.armies.get(army.id)
    return ReportLoss(army, lost_by(army, came), end.fate_of(army), borne.get(army.kingdom), came or army)
