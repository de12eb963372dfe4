"""Views of pictures: the file itself, and the form to upload or remove one."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from kingdom.access.permissions import PageRequest
from kingdom.access.queries import get_campaign_for
from kingdom.accounts.rate_limits import limit_page
from kingdom.models import Picture
from kingdom.pictures.forms import PictureForm
from kingdom.pictures.queries import describe_picture, find_shown, get_editable, get_picture
from kingdom.pictures.services import remove_picture, save_picture
from kingdom.rendering import get_status, render_page, submit

FOR_GOOD = "private, max-age=31536000, immutable"


@login_required
@require_safe
def picture_file(request: PageRequest, campaign_id: UUID, kind: str, thing: str, digest: str) -> HttpResponse:
    """The picture, for a user who may see its object. Its address changes with its content."""
    campaign = get_campaign_for(request.user, campaign_id)
    answer = answer_picture(get_picture(request.user, campaign, kind, thing, digest))
    answer.headers["Cache-Control"] = FOR_GOOD
    return answer


def answer_picture(found: Picture) -> HttpResponse:
    return HttpResponse(bytes(found.content), content_type="image/webp")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limit_page("costly")
def picture(request: PageRequest, campaign_id: UUID, kind: str, thing: str) -> HttpResponse:
    """Form of an object's picture."""
    campaign = get_campaign_for(request.user, campaign_id)
    owned = get_editable(request.user, campaign, kind, thing)
    back = owned.owner.page(campaign, thing)
    if "remove" in request.POST:
        remove_picture(by=request.user, campaign=campaign, kind=kind, key=thing)
        messages.success(request, _("Picture removed."))
        return redirect(back)
    sent = (request.POST, request.FILES) if request.method == "POST" else ()
    form = PictureForm(*sent, limits=owned.owner.limits)
    saved = submit(
        form, lambda _data: save_picture(by=request.user, campaign=campaign, kind=kind, key=thing, sent=form.read())
    )
    if saved:
        messages.success(request, _("Picture saved."))
        return redirect(back)
    row = find_shown(campaign, owned)
    context = {
        "campaign": campaign, "owned": owned, "form": form, "back": back, "picture": row and describe_picture(row),
    }  # fmt: skip
    return render_page(request, "kingdom/pictures/picture.html", context, status=get_status(form))
