"""Views: download one's data, delete one's account."""

from __future__ import annotations

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from kingdom.access.request_types import PageRequest
from kingdom.accounts.deletion_queries import in_the_way
from kingdom.accounts.deletion_services import delete_account
from kingdom.accounts.forms import DeleteAccountForm
from kingdom.accounts.personal_data import personal_data
from kingdom.accounts.request_limits import limit_page
from kingdom.rendering import get_status, render_page, submit


@login_required
@never_cache
@require_safe
@reauthentication_required
@limit_page("costly")
def data(request: PageRequest) -> HttpResponse:
    """Everything that is kept about whoever asks, as one JSON document."""
    response = JsonResponse(personal_data(request.user), json_dumps_params={"ensure_ascii": False, "indent": 1})
    response.headers["Content-Disposition"] = 'attachment; filename="warhost-my-data.json"'
    return response


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required
def delete(request: PageRequest) -> HttpResponse:
    """What goes with the account and what stays; then it is gone."""
    form = DeleteAccountForm(request.POST if request.method == "POST" else None, user=request.user)
    submit(form, lambda _data: delete_account(by=request.user))
    if form.is_bound and not form.errors:
        logout(request)
        messages.success(request, _("Your account is deleted."))
        return redirect("kingdom:home")
    context = {"form": form, "blocking": in_the_way(request.user)}
    return render_page(request, "kingdom/accounts/account_delete.html", context, status=get_status(form))
