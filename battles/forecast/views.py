"""Views of forecasts: beside a battle as orders are typed, and on a page of their own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, QueryDict
from django.views.decorators.http import require_http_methods

from battles.codec.forecasts import HEALTH_MOST, PHASES_MOST
from battles.field.look import Look
from battles.field.page import BattlePage, load_battle_page
from battles.forecast.job_services import stop_job
from battles.forecast.page import ForecastPage, WhatIf, wondered
from battles.forecast.queries import get_forecast_of, get_job_for, load_foreseen
from battles.forecast.services import foretell
from battles.forecast.single_flight import Overtaken, Unanswered
from battles.models import Job
from battles.play.battle_state import get_engine
from core import text
from core.clean_input import parse_whole
from kingdom.access.permissions import PageRequest
from kingdom.accounts.rate_limits import limit_page
from kingdom.rendering import UNPROCESSABLE, render_page
from rules.core.errors import Refusal

FORMERLY = {"health": "hp"}  # names of fields in old addresses


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limit_page("costly")
def forecast(request: PageRequest, battle_id: UUID) -> HttpResponse:
    """Draw the forecast with the current orders and the order being typed. Nothing is stored.

    A longer computation is drawn with its progress and polls. Battles are played only on POST.
    """
    shown = _shown(request, battle_id, request.POST if request.method == "POST" else request.GET)
    if shown.by_play and request.method != "POST":
        return _drawn(request, shown)
    try:
        commands = _typed(request, shown.page)
        found = foretell(
            by=request.user,
            foreseen=shown.ahead,
            asked=wondered(shown, commands),
            campaign=shown.page.campaign,
            question=_question(shown),
            asker=f"{request.session.session_key} {battle_id}",
        )
    except Overtaken:
        return HttpResponse(status=204)
    except Refusal as refusal:
        return _drawn(request, replace(shown, trouble=refusal.message), UNPROCESSABLE)
    except Unanswered as error:
        return _drawn(request, replace(shown, trouble=error.said), UNPROCESSABLE)
    if isinstance(found, Job):
        return _drawn(request, replace(shown, job=found))
    return _drawn(request, replace(shown, forecast=found, typed=bool(commands)))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def forecast_job(request: PageRequest, battle_id: UUID, job_id: UUID) -> HttpResponse:
    """Draw the progress of a job with its results so far. POST stops it."""
    job = stop_job(by=request.user, job_id=job_id) if request.method == "POST" else get_job_for(request.user, job_id)
    asked = QueryDict(mutable=True)
    asked.update(job.question)
    shown = _shown(request, battle_id, asked)
    found, done = get_forecast_of(job), job.state == Job.Status.DONE
    return _drawn(request, replace(shown, job=None if found and done else job, forecast=found))


def _shown(request: PageRequest, battle_id: UUID, asked: QueryDict) -> ForecastPage:
    what_if = _what_if(asked)
    look = Look(side=parse_whole(asked.get("as"), most=99), army=what_if.army)
    page = load_battle_page(request.user, battle_id, look)
    law = get_engine(page.battle).forecast
    if not (law.known or law.by_play):
        raise Http404
    return ForecastPage(page, load_foreseen(request.user, page.battle, page.viewer), what_if)


def _what_if(asked: QueryDict) -> WhatIf:
    def name(of: str) -> str:
        return asked.get(of, "")[:60]

    most = {"phases": PHASES_MOST, "after": PHASES_MOST, "health": HEALTH_MOST}
    typed = {of: (asked.get(of) or asked.get(FORMERLY.get(of, ""), "")).strip() for of in most}
    numbers = {of: parse_whole(typed[of], most=most[of]) for of in most}
    crooked = tuple(of for of in most if typed[of] and (numbers[of] is None or (of == "phases" and not numbers[of])))
    return WhatIf(
        army=name("army"),
        against=name("against"),
        kind=name("kind"),
        unknown=name("unknown") or "average",
        phases=numbers["phases"] or None,
        leaves=name("leaves"),
        after=numbers["after"],
        health=numbers["health"],
        crooked=crooked,
    )


def _typed(request: PageRequest, page: BattlePage) -> tuple[Any, ...]:
    """Return the order being typed, if there is one. Raises its refusal."""
    sent = request.POST
    if sent.get("type") != "order":
        return ()
    card = next((card for card in page.cards if card.id == sent.get("army") and card.orderable), None)
    form = page.ui.order_form(page, card, sent) if card is not None else None
    if form is None or not form.is_valid():
        return ()  # half typed: the existing orders apply
    return (form.command_for(page.battle),)


def _question(shown: ForecastPage) -> dict[str, Any]:
    """Return what a job stores so that its page can be drawn again."""
    what_if, side = shown.what_if, shown.page.look.side
    told = {**what_if._asdict(), "as": side, "army": shown.row.id if shown.row else ""}
    del told["crooked"]
    return {name: str(value) for name, value in told.items() if value not in (None, "")}


def _drawn(request: PageRequest, shown: ForecastPage, status: int = 200) -> HttpResponse:
    trouble = shown.trouble
    if shown.job is not None and shown.job.trouble:
        trouble = text.load_said(shown.job.trouble)
    context = {"page": shown.page, "shown": replace(shown, trouble=trouble)}
    return render_page(
        request, "battles/forecast/forecast.html", context, piece="battles/forecast/odds.html", status=status
    )
