"""Ground of a battle as a small picture, with an address for each version of its map."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from battles.field.field_ui import FieldAsked
from battles.field.look import Look
from battles.hexes.ground_layer import small_picture
from battles.hexes.page import BoardView
from battles.play import battle_state as play_battle_state
from battles.queries import get_battle_for, get_viewer
from battles.ruleset_ui import get_battle_ui
from kingdom.access.request_types import PageRequest

FOR_GOOD = "private, max-age=31536000, immutable"


@login_required
@require_safe
def ground(request: PageRequest, battle_id: UUID, version: str) -> HttpResponse:
    """The map with this version, for good; asked for another one it leads to the map as it is now."""
    battle = get_battle_for(request.user, battle_id)
    now, face = play_battle_state.load_state(battle), get_battle_ui(play_battle_state.get_law(battle))
    viewer = get_viewer(request.user, battle, now)
    seen = play_battle_state.view_state(battle, now, viewer)
    view = face.field(FieldAsked(battle, seen.state, seen.summary, viewer, Look()))
    if not isinstance(view, BoardView):
        raise Http404
    if version != view.land.version:
        return redirect(view.picture)
    return HttpResponse(small_picture(view.land), "image/svg+xml", headers={"Cache-Control": FOR_GOOD})
