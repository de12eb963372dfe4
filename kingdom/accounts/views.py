"""Views of a user's own account: API tokens, sign-ins, settings, personal data, deletion."""

from __future__ import annotations

from uuid import UUID

from allauth.account.decorators import reauthentication_required
from allauth.core.exceptions import ReauthenticationRequired
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.forms import model_to_dict
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.forms.form_fields import claim_submission, new_submit_token, release_submission
from kingdom import contributions as kingdom_slots
from kingdom.access.permissions import PageRequest
from kingdom.accounts.forms import DeleteAccountForm, SettingsForm, TokenForm
from kingdom.accounts.personal_data import personal_data
from kingdom.accounts.queries import in_the_way, sign_ins_of
from kingdom.accounts.rate_limits import limit_page
from kingdom.accounts.services import (
    answer_call_offer,
    choose_settings,
    create_token,
    delete_account,
    end_other_sign_ins,
    end_sign_in,
    revoke_token,
)
from kingdom.campaign.queries import security_log_of, tokens_of
from kingdom.members import mail
from kingdom.models import Scope, SecurityEvent
from kingdom.rendering import get_status, go_back, render_page, submit

EVENTS_SHOWN = 50
TOKEN = "token"  # remembers a submitted form, so that it creates only one token


def _asks_for_everything(request: HttpRequest) -> bool:
    return request.POST.get("scope") == Scope.MANAGE


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required(enabled=_asks_for_everything)
def tokens(request: PageRequest) -> HttpResponse:
    """The user's tokens. The key of a new one is shown once and not stored; submitting the same form again creates no
    second token. A token with the widest scope needs the password again.
    """
    if not claim_submission(request, TOKEN):
        messages.info(
            request,
            _("This token has already been created. Its key can’t be shown again: revoke it and create another."),
        )
        return redirect("kingdom:tokens")
    form = TokenForm(request.POST or None, user=request.user)
    made = submit(form, lambda data: create_token(by=request.user, **data))
    if not made:
        release_submission(request, TOKEN)
    context = {
        "once": new_submit_token(),
        "form": TokenForm(user=request.user) if made else form,
        "made": made,
        "tokens": tokens_of(request.user),
    }
    return render_page(request, "kingdom/accounts/tokens.html", context, status=get_status(form))


@login_required
@require_POST
def token_revoke(request: PageRequest, token_id: UUID) -> HttpResponse:
    revoke_token(by=request.user, public_id=token_id)
    messages.success(request, _("Token revoked."))
    return redirect("kingdom:tokens")


@login_required
@never_cache
@require_safe
def security(request: PageRequest) -> HttpResponse:
    """The user's sessions and security log, paginated."""
    events = Paginator(security_log_of(request.user), EVENTS_SHOWN).get_page(request.GET.get("page"))
    places = sign_ins_of(request.user, here=request.session.session_key or "")
    context = {"events": events, "places": places, "days": SecurityEvent.KEPT_DAYS}
    return render_page(request, "kingdom/accounts/security.html", context)


@login_required
@require_POST
@reauthentication_required
def session_end(request: PageRequest, session_id: UUID) -> HttpResponse:
    """Sign out on one device, after the password again, so that an unattended device cannot sign others out."""
    end_sign_in(by=request.user, sign_in_id=session_id)
    messages.success(request, _("Signed out on that device."))
    return redirect("kingdom:security")


@login_required
@require_POST
@reauthentication_required
def sessions_end(request: PageRequest) -> HttpResponse:
    """Sign out on all other devices, after the password again."""
    end_other_sign_ins(by=request.user, but=request.session.session_key or "")
    messages.success(request, _("Signed out on all other devices."))
    return redirect("kingdom:security")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def account(request: PageRequest) -> HttpResponse:
    chosen = model_to_dict(request.user, SettingsForm.base_fields)
    form = SettingsForm(request.POST or None, initial=chosen, mailed_to=mail.get_address(request.user))
    if request.method == "POST" and form.is_valid():
        choose_settings(by=request.user, **form.cleaned_data)
        return _saved(request, form.cleaned_data["language"])
    context = {"form": form, "panels": kingdom_slots.render_place(request, "account")}
    return render_page(request, "kingdom/accounts/account.html", context, status=get_status(form))


@login_required
@require_POST
def call_offer(request: PageRequest) -> HttpResponse:
    """Store the user's answer to a battle page's question whether to alert them (sound and notification, sound only, or
    neither).
    """
    answer = request.POST.get("answer", "")
    answer_call_offer(by=request.user, sound=answer in ("both", "sound"), notices=answer == "both")
    messages.success(request, _("Saved. You can change this in your account settings."))
    return go_back(request, "kingdom:account")


def _saved(request: PageRequest, language: str) -> HttpResponse:
    """Redirect with a message in the chosen language, which this device uses from now on."""
    with translation.override(language or translation.get_language()):
        messages.success(request, _("Saved."))
    response = redirect("kingdom:account")
    if language:
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME, language, max_age=settings.SESSION_COOKIE_AGE, samesite="Lax"
        )
    else:
        response.delete_cookie(settings.LANGUAGE_COOKIE_NAME)
    return response


# Views: download one's data, delete one's account.


@reauthentication_required
def _prove(request: HttpRequest) -> HttpResponse:
    """Raises `ReauthenticationRequired` unless the password was entered a moment ago."""
    return HttpResponse()


@login_required
@never_cache
@require_safe
@limit_page("costly")
def data(request: PageRequest) -> HttpResponse:
    """Everything stored about the user, as one JSON document."""
    try:
        _prove(request)
    except ReauthenticationRequired:
        return redirect("kingdom:account_data_ready")
    response = JsonResponse(personal_data(request.user), json_dumps_params={"ensure_ascii": False, "indent": 1})
    response.headers["Content-Disposition"] = 'attachment; filename="warhost-my-data.json"'
    return response


@login_required
@require_safe
@reauthentication_required
def data_ready(request: PageRequest) -> HttpResponse:
    """Back to the account's page after the password: a file in answer to it would leave its form on the screen."""
    messages.success(request, _("Confirmed. You can download your data now."))
    return redirect(reverse("kingdom:account") + "#my-data")


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required
def delete(request: PageRequest) -> HttpResponse:
    """Page that explains the deletion of the account and performs it."""
    form = DeleteAccountForm(request.POST if request.method == "POST" else None, user=request.user)
    submit(form, lambda _data: delete_account(by=request.user))
    if form.is_bound and not form.errors:
        logout(request)
        messages.success(request, _("Account deleted."))
        return redirect("kingdom:home")
    context = {"form": form, "blocking": in_the_way(request.user)}
    return render_page(request, "kingdom/accounts/account_delete.html", context, status=get_status(form))
