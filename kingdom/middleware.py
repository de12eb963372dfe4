"""The language a person chose for the account."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.utils import translation

API_PREFIX = "/api/"


class AccountLanguage:
    """Pages speak the account's language on a device that has no choice of its own yet (its cookie wins).

    The API is left alone: there Accept-Language decides.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if language := self._chosen(request):
            translation.activate(language)
            request.LANGUAGE_CODE = language
        return self.get_response(request)

    @staticmethod
    def _chosen(request: HttpRequest) -> str:
        if settings.LANGUAGE_COOKIE_NAME in request.COOKIES or request.path.startswith(API_PREFIX):
            return ""
        if settings.SESSION_COOKIE_NAME not in request.COOKIES or not request.user.is_authenticated:
            return ""
        known = dict(settings.LANGUAGES)
        return request.user.language if request.user.language in known else ""
