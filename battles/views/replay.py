"""Stepping through a battle, and taking its log away."""

from __future__ import annotations

import re
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from battles import folding
from battles.models import Battle
from battles.selectors.access import battle_for, viewer_of
from battles.selectors.log import LogLine, log_of, named
from battles.selectors.pages.chronicle import PageLine, grouped
from battles.selectors.pages.fairness import fairness_kept
from battles.selectors.pages.replay import replay_page
from kingdom.inputs import whole_in
from kingdom.pages import render_page
from kingdom.request_types import PageRequest
from kingdom.text import render


@login_required
@require_safe
def replay(request: PageRequest, battle_id: UUID) -> HttpResponse:
    """The battle at ?step=; without one, at its beginning."""
    step = whole_in(request.GET.get("step")) or 0
    page = replay_page(request.user, battle_id, step)
    fair = None if request.htmx else fairness_kept(request.user, page.battle)
    return render_page(request, "battles/replay.html", {"page": page, "fair": fair}, partial="replay")


@login_required
@require_safe
def log_text(request: PageRequest, battle_id: UUID) -> HttpResponse:
    """The log as plain text, in the reader's language."""
    battle, lines = _log(request, battle_id)
    text = "\n".join(_told(battle, lines))
    return _attached(HttpResponse(text, content_type="text/plain; charset=utf-8"), battle, "txt")


@login_required
@require_safe
def log_json(request: PageRequest, battle_id: UUID) -> HttpResponse:
    """The log in the shape of the API's events."""
    battle, lines = _log(request, battle_id)
    body = {"battle": str(battle.pk), "name": battle.name, "events": [_event(line) for line in lines]}
    return _attached(JsonResponse(body, json_dumps_params={"ensure_ascii": False, "indent": 1}), battle, "json")


def _log(request: PageRequest, battle_id: UUID) -> tuple[Battle, list[LogLine]]:
    battle = battle_for(request.user, battle_id)
    now = folding.state_of(battle)
    viewer = viewer_of(request.user, battle, now)
    return battle, named(log_of(battle, folding.seen(battle, now, viewer).state, viewer))


def _told(battle: Battle, lines: list[LogLine]) -> list[str]:
    first = folding.summary_of(battle, folding.state_of(battle)).stages[0][0].label
    told = [battle.name, ""]
    for phase in grouped(lines, first):
        told += [f"## {render(phase.label)}", *(_sentence(line) for line in phase.lines), ""]
    return told


def _sentence(line: PageLine) -> str:
    dice = ", ".join(f"d{roll.die} {face}" for roll, face in line.dice)
    check = f" = {line.check} / {line.against}" if line.check is not None and line.rolls else ""
    return f"- {render(line.text)}" + (f" [{dice}{check}]" if dice else "") + f" ({line.rule})"


def _event(line: LogLine) -> dict[str, Any]:
    entry = line.entry
    return {
        "seq": line.seq,
        "type": entry.type,
        "army": entry.army or None,
        "target": entry.target or None,
        "text": render(entry.text),
        "rolls": [roll._asdict() for roll in entry.rolls],
        "numbers": entry.numbers,
        "rule": entry.rule,
        "at": line.at.isoformat(),
        "by": line.by or None,
    }


def _attached(response: HttpResponse, battle: Battle, kind: str) -> HttpResponse:
    name = re.sub(r"[^\w-]+", "-", battle.name).strip("-").lower() or "battle"
    response.headers["Content-Disposition"] = f'attachment; filename="{name.encode("ascii", "ignore").decode()}.{kind}"'
    return response
