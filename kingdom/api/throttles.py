"""Throttles in the shape REST framework asks for."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from kingdom.accounts.request_limits import count_call


class Throttle(BaseThrottle):
    """Every view's. What it is `counted` as (`kingdom.accounts.token_scopes`) counts besides."""

    seconds: float = 0

    def allow_request(self, request: Request, view: Any) -> bool:
        self.seconds = count_call(request, getattr(view, "counted", ""))
        return not self.seconds

    def wait(self) -> float:
        return self.seconds
