"""Request types with a signed-in user, for views behind `login_required`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django_htmx.middleware import HtmxDetails
    from rest_framework.request import Request

    from kingdom.models import User

    class PageRequest(HttpRequest):
        user: User
        htmx: HtmxDetails

    class ApiRequest(Request):
        user: User

else:
    from django.http import HttpRequest as PageRequest
    from rest_framework.request import Request as ApiRequest

__all__ = ["ApiRequest", "PageRequest"]
