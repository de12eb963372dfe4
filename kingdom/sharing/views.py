"""Views of share links, and of the pages they open."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.client_info import get_limit_address, wait_words
from core.forms.form_fields import claim_submission, new_submit_token, release_submission
from core.text import build_absolute_url
from kingdom.access.permissions import PageRequest
from kingdom.access.queries import get_campaign_for, is_gm
from kingdom.accounts.rate_limits import count_attempt, limit_page, render_too_often
from kingdom.accounts.services import update_last_used
from kingdom.models import Campaign
from kingdom.rendering import get_status, paginate_request, render_page, submit
from kingdom.sharing.forms import ShareForm
from kingdom.sharing.preview_image import HIGH, WIDE, png_of
from kingdom.sharing.queries import get_shared, list_shares, share_lines, share_of, shareable, shares_somewhat
from kingdom.sharing.services import WRONG, NewShare, create_share, revoke_share
from kingdom.sharing.share_kinds import Shared

LINK = "share"  # remembers a submitted form, so that it creates only one link
PublicView = Callable[[HttpRequest, Shared], HttpResponse]


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def shares(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    """The campaign's share links. The address of a new one is shown once, in the answer to the form."""
    campaign = _for_sharers(request, campaign_id)
    if not claim_submission(request, LINK):
        messages.info(
            request,
            _("This link has already been created. Its address can’t be shown again: revoke it and create another."),
        )
        return redirect("kingdom:shares", campaign.pk)
    form = ShareForm(
        request.POST if request.method == "POST" else None,
        offered=list(shareable(request.user, campaign)),
        initial={"what": request.GET.get("what", "")[:60]},
    )
    made = submit(form, lambda _data: create_share(by=request.user, campaign=campaign, **form.given()))
    if not made:
        release_submission(request, LINK)
    links = paginate_request(request, list_shares(request.user, campaign))
    context = {
        "once": new_submit_token(),
        "campaign": campaign,
        "gm": is_gm(request.user, campaign),
        "form": form,
        "made": made and _address(request, made),
        "page_obj": links,
        "lines": list(share_lines(campaign, list(links))),
    }
    return render_page(request, "kingdom/sharing/shares.html", context, status=get_status(form))


@login_required
@require_POST
def share_revoke(request: PageRequest, campaign_id: UUID, share_id: UUID) -> HttpResponse:
    campaign = _for_sharers(request, campaign_id)
    revoke_share(by=request.user, link=share_of(request.user, campaign, share_id))
    messages.success(request, _("Link revoked."))
    return redirect("kingdom:shares", campaign.pk)


def _for_sharers(request: PageRequest, campaign_id: UUID) -> Campaign:
    campaign = get_campaign_for(request.user, campaign_id)
    if not shares_somewhat(request.user, campaign) and not list_shares(request.user, campaign).exists():
        raise PermissionDenied
    return campaign


def _address(request: HttpRequest, made: NewShare) -> str:
    return build_absolute_url(request, reverse("kingdom:shared", args=[made.token]))


def _public(view: PublicView) -> Callable[[HttpRequest, str], HttpResponse]:
    """Decorator of a public page: the response must not be cached, indexed or sent as referrer."""

    @wraps(view)
    def opened(request: HttpRequest, share_token: str) -> HttpResponse:
        response = _opened(view, request, share_token)
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["X-Robots-Tag"] = "noindex"
        return response

    return never_cache(require_safe(opened))


def _opened(view: PublicView, request: HttpRequest, token: str) -> HttpResponse:
    request.user = AnonymousUser()
    try:
        shared = get_shared(token)
    except Http404:
        if wait := count_attempt(WRONG, get_limit_address(request)):  # only wrong tokens count
            return render_too_often(request, wait_words(wait), wait)
        return render_page(request, "shared/unknown.html", {}, status=404)
    update_last_used(of=shared.link)
    with translation.override(_language(request, shared)):
        request.LANGUAGE_CODE = translation.get_language()
        return view(request, shared)


def _language(request: HttpRequest, shared: Shared) -> str:
    """Return the reader's language; for programs that request none, that of the link's maker."""
    asked = "Accept-Language" in request.headers or settings.LANGUAGE_COOKIE_NAME in request.COOKIES
    return translation.get_language() or "" if asked or not shared.link.language else shared.link.language


@limit_page("costly")
@_public
def shared(request: HttpRequest, shared: Shared) -> HttpResponse:
    """The page behind a share link."""
    drawn = shared.kind.draw(request, shared)
    preview = shared.kind.preview(shared)
    picture = reverse("kingdom:shared_picture", args=[shared.token])
    context = {
        **drawn.context,
        "shared": shared,
        "campaign": shared.campaign,
        "preview": preview,
        "here": build_absolute_url(request, shared.url),
        "picture": build_absolute_url(request, picture),
        "picture_size": (WIDE, HIGH),
    }
    return render_page(request, drawn.template, context, piece=drawn.piece or None)


@limit_page("costly")
@_public
def shared_picture(request: HttpRequest, shared: Shared) -> HttpResponse:
    """The preview image, in the language of the link's maker."""
    with translation.override(shared.link.language or translation.get_language()):
        return HttpResponse(png_of(shared.kind.preview(shared)), content_type="image/png")
