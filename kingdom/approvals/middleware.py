"""Middleware that answers an action that needs approval with its request, on any page."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

from kingdom.access.decorators import ApprovalRequested
from kingdom.rendering import go


class ShowApprovalRequest:
    """Middleware that redirects to the approval request's page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponseBase | None:
        if not isinstance(error, ApprovalRequested):
            return None
        return go(request, "kingdom:petition", error.petition.pk)
