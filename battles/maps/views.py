"""Views of the library of battle maps, and of a battle's ground as a small picture."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from battles.hexes.ground_layer import Land, small_picture
from battles.hexes.ui import HexBattleUI, map_of_battle
from battles.maps.forms import NameForm, NewMapForm
from battles.maps.queries import get_map_for, land_of, list_maps, read_map
from battles.maps.services import delete_map, keep_map, rename_map
from battles.models import BattleMap
from battles.play import battle_state as play_battle_state
from battles.queries import get_battle_for, get_viewer
from battles.ruleset_ui import get_battle_ui
from core.text import render
from kingdom.access.permissions import PageRequest
from kingdom.access.queries import get_campaign_for, is_gm, require_gm
from kingdom.rendering import get_status, go, paginate_request, render_page, submit
from rules.core.errors import Refusal
from rules.hexes.field import doubts
from rules.hexes.mapfile import document, written

# Views of the library of battle maps.

SHOWN = 24  # maps on a page


@login_required
@require_safe
def maps(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    campaign = get_campaign_for(request.user, campaign_id)
    kept = paginate_request(request, list_maps(campaign).defer("written"), SHOWN)
    context = {"campaign": campaign, "gm": is_gm(request.user, campaign), "page_obj": kept}
    return render_page(request, "battles/maps/maps.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def map_new(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    campaign = get_campaign_for(request.user, campaign_id)
    require_gm(request.user, campaign)
    form = NewMapForm(request.POST, request.FILES) if request.method == "POST" else NewMapForm()
    kept = submit(
        form,
        lambda given: keep_map(by=request.user, campaign=campaign, document=form.document(), name=given["name"]),
    )
    if kept:
        messages.success(request, _("Map saved in the library."))
        return redirect("battles:battle_map", kept.pk)
    context = {"campaign": campaign, "form": form}
    return render_page(request, "battles/maps/map_new.html", context, status=get_status(form))


@login_required
@require_safe
def battle_map(request: PageRequest, map_id: UUID) -> HttpResponse:
    return _map_page(request, get_map_for(request.user, map_id))


def _map_page(request: PageRequest, kept: BattleMap, form: NameForm | None = None) -> HttpResponse:
    context: dict[str, Any] = {
        "campaign": kept.campaign,
        "kept": kept,
        "gm": is_gm(request.user, kept.campaign),
        "doubts": doubts(read_map(kept)),
        "form": form or NameForm(initial={"name": kept.name}),
    }
    return render_page(request, "battles/maps/battle_map.html", context, status=get_status(context["form"]))


@login_required
@require_POST
def map_rename(request: PageRequest, map_id: UUID) -> HttpResponse:
    kept = get_map_for(request.user, map_id)
    require_gm(request.user, kept.campaign)
    form = NameForm(request.POST)
    if submit(form, lambda given: rename_map(by=request.user, kept=kept, name=given["name"])) is None:
        return _map_page(request, kept, form)
    messages.success(request, _("Saved."))
    return redirect("battles:battle_map", kept.pk)


@login_required
@require_POST
def map_delete(request: PageRequest, map_id: UUID) -> HttpResponse:
    kept = get_map_for(request.user, map_id)
    delete_map(by=request.user, kept=kept)
    messages.success(request, _("Map deleted. You can undo this in the chronicle."))
    return redirect("battles:maps", kept.campaign_id)


@login_required
@require_safe
def map_file(request: PageRequest, map_id: UUID) -> HttpResponse:
    kept = get_map_for(request.user, map_id)
    name = f"map-{kept.pk.hex[:8]}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(written(read_map(kept)), "application/json", headers=headers)


@login_required
@require_safe
def map_picture(request: PageRequest, map_id: UUID) -> HttpResponse:
    """Small picture of the map, as SVG."""
    kept = get_map_for(request.user, map_id)
    return HttpResponse(small_picture(land_of(kept)), "image/svg+xml")


@login_required
@require_POST
def map_keep(request: PageRequest, battle_id: UUID) -> HttpResponse:
    """Stores the present map of a battle in the library."""
    battle = get_battle_for(request.user, battle_id)
    require_gm(request.user, battle.campaign)
    land = document(map_of_battle(battle))
    try:
        kept = keep_map(by=request.user, campaign=battle.campaign, document=land, name=request.POST.get("name", ""))
    except Refusal as refusal:
        messages.error(request, " ".join(render(message) for _pointer, message in refusal.errors))
        return go(request, "battles:battle", battle.pk)
    messages.success(request, _("Map saved in the library."))
    return go(request, "battles:battle_map", kept.pk)


# Views of a battle's ground as a small picture, with an address for each version of its map.

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
