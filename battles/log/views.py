"""Views of a battle's log, its replay, its luck and its printed pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from battles.field.field_ui import FieldAsked
from battles.field.look import Look
from battles.field.page_parts import SideView, sides_of
from battles.field.table import find_arms
from battles.forecast.single_flight import Unanswered
from battles.log.battle_report import order_page, report_page
from battles.log.export import log_response
from battles.log.luck import FairnessPage, LookedBack, fairness_kept, fairness_page, looked_back
from battles.log.luck_services import look_back
from battles.log.parts import LogPage, log_page
from battles.log.phases import PageLine, build_line
from battles.log.queries import LogLine, log_of
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.queries import get_battle_for, get_viewer
from battles.ruleset_ui import BattleUI, get_battle_ui
from core.clean_input import parse_whole
from core.text import render
from kingdom.access.permissions import PageRequest
from kingdom.accounts.rate_limits import limit_page
from kingdom.models import Campaign, User
from kingdom.models.heraldry import Arms
from kingdom.rendering import render_page
from rules.core.errors import Refusal
from rules.core.text import Said, Term

# Page object of a replay: one step for each line of the log.


@dataclass(frozen=True)
class Stop:
    """Phase to jump to: its first step, and the first step after it."""

    label: Said
    step: int
    end: int
    current: bool


@dataclass(frozen=True)
class ReplayPage:
    """Page of a replay. `step` 0 is the opening; `line` is the event of the step."""

    battle: Battle
    campaign: Campaign
    ui: BattleUI
    step: int
    last: int
    phase: Said
    line: PageLine | None
    sides: tuple[SideView, ...]
    conditions: tuple[Any, ...]
    stops: tuple[Stop, ...]
    nearby: tuple[tuple[int, PageLine], ...]
    arms: Mapping[str, Arms]
    law_field: Any = None
    gm: bool = False
    event: int = 0
    """The number of the step's event; 0 for the opening."""
    slim = crowded = False
    picking = ""
    """No army is picked, because a finished battle takes no orders."""

    @property
    def previous(self) -> int | None:
        return self.step - 1 if self.step > 0 else None

    @property
    def next(self) -> int | None:
        return self.step + 1 if self.step < self.last else None


def replay_page(user: User, battle_id: UUID, step: int) -> ReplayPage:
    """Return the battle after line number `step` (or the nearest). Raises Http404 for strangers."""
    return replay_seen(user, get_battle_for(user, battle_id), step)


def replay_seen(user: User, battle: Battle, step: int) -> ReplayPage:
    """Return the replay page of a loaded battle."""
    law = play_battle_state.get_law(battle)
    ui, now = get_battle_ui(law), play_battle_state.load_state(battle)
    viewer = get_viewer(user, battle, now)
    lines = log_of(battle, play_battle_state.view_state(battle, now, viewer).state, viewer)
    told = [line for line in lines if not line.entry.quiet]
    step = max(0, min(step, len(told)))
    here = told[step - 1] if step else None
    event = here.seq if here else 0
    position = play_battle_state.view_state(battle, play_battle_state.fold_until(battle, event), viewer)
    then, summary = position.state, position.summary
    figures = play_battle_state.load_figures(battle, event)
    stops = tuple(_stops(told, step, summary.stages[0][0].label))
    shown = FieldAsked(battle, then, summary, viewer, Look(), event=event)
    return ReplayPage(
        battle=battle,
        campaign=battle.campaign,
        ui=ui,
        step=step,
        last=len(told),
        phase=summary.stage.label,
        line=build_line(here) if here else None,
        sides=tuple(sides_of(summary, ui.cards(then, summary, figures, viewer, None))),
        conditions=tuple(ui.conditions(then)),
        stops=stops,
        nearby=tuple(_nearby(told, stops, step)),
        arms=find_arms(battle, summary),
        law_field=ui.field(shown),
        gm=viewer.gm,
        event=event,
    )


def _stops(told: list[LogLine], step: int, opening: Said) -> Iterator[Stop]:
    """Yield the opening and the beginning of each phase. The one of the current step is marked."""
    begun: list[tuple[int, Said]] = [(0, opening)]
    for index, line in enumerate(told, start=1):
        if line.entry.heading and line.entry.begins is not None:
            begun.append((index, line.entry.begins))
    for (start, label), (end, _label) in pairwise([*begun, (len(told) + 1, Term(""))]):
        yield Stop(label, start, end, start <= step < end)


def _nearby(told: list[LogLine], stops: Iterable[Stop], step: int) -> Iterator[tuple[int, PageLine]]:
    """Yield the lines of the current phase with their steps, in order."""
    here = next(stop for stop in stops if stop.current)
    for index in range(max(here.step, 1), here.end):
        yield index, build_line(told[index - 1])


# Views of a battle's log, its replay and its luck.


@login_required
@require_safe
def log(request: PageRequest, battle_id: UUID) -> HttpResponse:
    """Draw the end of the log; with `?before=` the part before that event."""
    page = _asked(request, battle_id)
    before = parse_whole(request.GET.get("before")) or None
    return _drawn(request, "part", page=page, part=page.told.before(before), before=before)


@login_required
@require_safe
def line(request: PageRequest, battle_id: UUID, seq: int) -> HttpResponse:
    """Draw one event with its breakdowns."""
    page = _asked(request, battle_id)
    told = page.told.line(seq)
    later = None if request.htmx else page.after(seq)
    return _drawn(request, "sums", page=page, line=told, later=later)


@login_required
@require_safe
def luck(request: PageRequest, battle_id: UUID) -> HttpResponse:
    """Draw how far each side's dice fell above or below average."""
    page = _asked(request, battle_id)
    return _drawn(request, "luck", page=page, luck=page.told.luck)


def _asked(request: PageRequest, battle_id: UUID) -> LogPage:
    return log_page(request.user, battle_id, parse_whole(request.GET.get("as"), most=99))


def _drawn(request: PageRequest, partial: str, **context: Any) -> HttpResponse:
    return render_page(request, "battles/log/log.html", context, partial=partial)


# Views of the replay, and of the log as a file.


@login_required
@require_safe
def replay(request: PageRequest, battle_id: UUID) -> HttpResponse:
    """Draw the battle at `?step=`, by default at its beginning."""
    step = parse_whole(request.GET.get("step")) or 0
    page = replay_page(request.user, battle_id, step)
    fair = None if request.htmx else fairness_kept(request.user, page.battle)
    return render_page(request, "battles/log/replay.html", {"page": page, "fair": fair}, partial="replay")


@login_required
@require_safe
@limit_page("costly")
def log_file(request: PageRequest, battle_id: UUID, ending: str) -> HttpResponseBase:
    """Return the log as a file: `txt` in the reader's language, `json` in the format of the API's events, `jsonl` with
    an event in each line.
    """
    return log_response(request.user, get_battle_for(request.user, battle_id), ending)


# Views of luck.


@login_required
@require_safe
@limit_page("costly")
def fairness(request: PageRequest, battle_id: UUID) -> HttpResponse:
    """Draw the effect of the dice on the chances. If there is none, redirect to the battle with the reason."""
    try:
        back = looked_back(request.user, battle_id)
    except Refusal as refusal:
        messages.info(request, render(refusal.message))
        return redirect("battles:battle", battle_id)
    page = _found(request, back)
    return render_page(request, "battles/log/fairness.html", {"page": page, "fair": page}, partial="fairness")


def _found(request: PageRequest, back: LookedBack) -> FairnessPage:
    battle = back.battle
    try:
        return fairness_page(back, look_back(by=request.user, back=back))
    except Unanswered as error:
        return FairnessPage(battle, battle.campaign, trouble=error.said)


# Views of the printed pages of a battle: the order of battle, and the report.


@login_required
@require_safe
def order_of_battle(request: PageRequest, battle_id: UUID) -> HttpResponse:
    return render_page(request, "battles/field/order_of_battle.html", {"page": order_page(request.user, battle_id)})


@login_required
@require_safe
@limit_page("costly")
def report(request: PageRequest, battle_id: UUID) -> HttpResponse:
    """The report. While the battle is fought it redirects to the battle page with a message."""
    try:
        page = report_page(request.user, battle_id)
    except Refusal as refusal:
        messages.info(request, render(refusal.message))
        return redirect("battles:battle", battle_id)
    fair = fairness_kept(request.user, page.battle)
    return render_page(request, "battles/log/report.html", {"page": page, "fair": fair})
