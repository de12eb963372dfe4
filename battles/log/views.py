"""Views of a battle's log, its replay, its luck and its printed pages."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from battles.forecast.single_flight import Unanswered
from battles.log.battle_report import order_page, report_page
from battles.log.export import log_response
from battles.log.luck import FairnessPage, LookedBack, fairness_kept, fairness_page, looked_back
from battles.log.luck_services import look_back
from battles.log.parts import LogPage, log_page
from battles.log.replay_page import replay_page
from battles.queries import get_battle_for
from core.clean_input import parse_whole
from core.text import render
from kingdom.access.permissions import PageRequest
from kingdom.accounts.rate_limits import limit_page
from kingdom.rendering import render_page
from rules.core.errors import Refusal

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
