"""Middleware that keeps guests from pages that need an account, and warns them before they sign out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render

from kingdom.access.guests import is_account_page

LOGOUT = "account_logout"
FREE = frozenset({LOGOUT, "account_login", "account_signup", "account_inactive", "account_signup_closed"})
NEED_ACCOUNT = frozenset(
    {
        "kingdom:tokens", "kingdom:token_revoke", "kingdom:security", "kingdom:session_end", "kingdom:sessions_end",
        "kingdom:account_data", "kingdom:account_delete", "kingdom:campaign_new", "kingdom:campaign_begin",
        "kingdom:campaign_import", "kingdom:demo",
    }
)  # fmt: skip
"""View names that need an account besides the account pages themselves."""


class GuestGate:
    """Middleware: pages that need an account answer a guest with 403 and a way to create one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        name = request.resolver_match.view_name if request.resolver_match else ""
        if name == LOGOUT and "anyway" not in request.POST and is_guest(request):
            return render(request, "kingdom/members/guest_sign_out.html")
        if needs_account(name) and is_guest(request):
            return render(request, "kingdom/members/account_needed.html", status=403)
        return None


def needs_account(page: str) -> bool:
    """Return whether the page of this view name needs an account."""
    return page in NEED_ACCOUNT or (is_account_page(page) and page not in FREE)


def is_guest(request: HttpRequest) -> bool:
    """Return whether the request comes from a guest. Without a session cookie no query is made."""
    known = settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated
    return known and request.user.guest  # type: ignore[union-attr]
