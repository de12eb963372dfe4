"""Views of marches: count the days of a road, set out, say where an army is (PF-1.8)."""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from armies.default.views import sheet
from armies.pathfinder.armies.march_services import march_army, place_army, reckon_march
from armies.pathfinder.armies.views import order
from armies.pathfinder.forces.access import get_army_run_by
from armies.pathfinder.forces.march_pace import Road, reach_of
from armies.pathfinder.models import PathfinderArmy
from armies.pathfinder.weeks.this_week import as_it_marches
from core.shapes.typed import read_typed_whole
from kingdom.access.request_types import PageRequest
from rules.core.errors import InvalidInput, Refusal
from rules.core.text import _ as term
from rules.pathfinder.travel import March


class RoadReckoned(NamedTuple):
    """What a road takes; hexes that the days asked for lead in the open, and in difficult ground."""

    march: March | None
    far: int | None
    hard: int | None


@login_required
@require_POST
def army_march(request: PageRequest, army_id: UUID) -> HttpResponse:
    """`go` sets out; otherwise the road is only reckoned."""
    if "go" not in request.POST:
        return _reckon(request, get_army_run_by(request.user, army_id))

    def go(army: PathfinderArmy) -> str:
        march_army(by=request.user, army=army, place=request.POST.get("place", ""), road=_road(request))
        return _("The army is on its way.")

    return order(request, army_id, "march", go)


def _reckon(request: PageRequest, army: PathfinderArmy) -> HttpResponse:
    """The days of the road, and how far the days given would lead."""
    try:
        road = _road(request)
        found = reckon_march(army=army, road=road) if road.hexes or road.difficult_hexes else None
        days = _whole(request, "days")
        land = days > 0 and as_it_marches(army, road).land
        far = reach_of(army, days=days, land=land) if days else None
        hard = reach_of(army, days=days, difficult=True, land=land) if days else None
    except Refusal as refusal:
        return sheet(request, army, refused={"march": refusal.message}, status=422)
    return sheet(request, army, reckoned=RoadReckoned(found, far, hard))


def _road(request: PageRequest) -> Road:
    return Road(_whole(request, "hexes"), _whole(request, "difficult_hexes"), "land" in request.POST)


def _whole(request: PageRequest, name: str) -> int:
    """A whole number, 0 where nothing was written. Raises `InvalidInput`."""
    given = read_typed_whole(request.POST.get(name, "").strip() or "0")
    if not isinstance(given, int):
        raise InvalidInput(term("Write a whole number."), f"/{name}")
    return given


@login_required
@require_POST
def army_place(request: PageRequest, army_id: UUID) -> HttpResponse:
    """Note where the army is."""

    def note(army: PathfinderArmy) -> str:
        place_army(by=request.user, army=army, place=request.POST.get("place", ""))
        return _("Noted.")

    return order(request, army_id, "march", note)
