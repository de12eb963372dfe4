"""Views of a battle's ground as a small picture, with an address for each version of its map."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from battles.hexes.ground_layer import small_picture
from battles.hexes.land import Land
from battles.hexes.ui import HexBattleUI
from battles.play import battle_state as play_battle_state
from battles.queries import get_battle_for, get_viewer
from battles.ruleset_ui import get_battle_ui
from kingdom.access.request_types import PageRequest

FOR_GOOD = "private, max-age=31536000, immutable"


@login_required
@require_safe
def ground(request: PageRequest, battle_id: UUID, version: str) -> HttpResponse:
    """The picture of the map, cacheable forever; another version than the current one redirects there."""
    battle = get_battle_for(request.user, battle_id)
    now, ui = play_battle_state.load_state(battle), get_battle_ui(play_battle_state.get_law(battle))
    if not isinstance(ui, HexBattleUI):
        raise Http404
    seen = play_battle_state.view_state(battle, now, get_viewer(request.user, battle, now))
    land, current = ui.land(seen.state)
    if version != current:
        return redirect("battles:ground", battle.pk, current)
    return HttpResponse(small_picture(Land(current, land)), "image/svg+xml", headers={"Cache-Control": FOR_GOOD})
