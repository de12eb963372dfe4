"""Views that position the picture below the map, with a preview. `kingdom.pictures.views` receives the file."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from core.images import BACKGROUND
from kingdom.access.permissions import PageRequest
from kingdom.access.queries import get_campaign_for, require_gm
from kingdom.map import svg
from kingdom.map.background_queries import KIND, read_placement
from kingdom.map.editor_svg import draw_preview
from kingdom.map.forms import BackgroundForm
from kingdom.map.painting_queries import map_picture
from kingdom.map.painting_services import place_background
from kingdom.map.queries import find_map
from kingdom.pictures.forms import PictureForm
from kingdom.rendering import get_status, render_page, submit


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def map_background(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    campaign = get_campaign_for(request.user, campaign_id)
    require_gm(request.user, campaign)
    drawn, picture = find_map(campaign), map_picture(request.user, campaign)
    if drawn is None or picture is None:
        raise Http404
    sent = request.POST if request.method == "POST" else None
    form = BackgroundForm(sent, initial=read_placement(drawn)._asdict())
    if submit(form, lambda given: place_background(by=request.user, campaign=campaign, **given)):
        messages.success(request, _("Saved."))
        return redirect("kingdom:map_background", campaign.pk)
    wide, high = svg.measure_field(picture.land.field)
    context = {
        "campaign": campaign, "drawn": drawn, "kind": KIND, "form": form, "limits": BACKGROUND, "picture": picture,
        "file_form": PictureForm(limits=BACKGROUND), "box": f"0 0 {wide} {high}", "hex": svg.WIDE,
        "land": svg.measure_land(drawn.columns, drawn.rows)[0], "preview": draw_preview(picture),
    }  # fmt: skip
    return render_page(request, "kingdom/map/background.html", context, status=get_status(form))
