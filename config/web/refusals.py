"""Refusals of whole requests: a problem document on the API, a page elsewhere. Neither needs the database."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.core.exceptions import DisallowedHost, RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.multipartparser import MultiPartParserError
from django.template.defaultfilters import filesizeformat
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext_lazy as _

from config.web.request_bodies import TOO_LARGE, get_limit
from core.api.problems import MEDIA_TYPE, problem_body
from kingdom.middleware import API_PREFIX

REASONS = (
    (DisallowedHost, _("This site is not served under that name: whoever runs it adds the name to ALLOWED_HOSTS.")),
    ((TooManyFieldsSent, TooManyFilesSent), _("There are too many fields in this form.")),
    (MultiPartParserError, _("The form that was sent cannot be read. Nothing was changed: send it again.")),
)
UNREADABLE = _("The server could not read this request. Nothing was changed.")


def refusal(request: HttpRequest, status: HTTPStatus, said: Any, **params: Any) -> HttpResponse:
    with translation.override(translation.get_language_from_request(request)):
        if limit := params.get("limit"):
            params["limit"] = filesizeformat(limit)
        sentence = str(said) % params if params else str(said)
        if request.path.startswith(API_PREFIX):
            body = problem_body(status, sentence)
            response: HttpResponse = JsonResponse(body, status=status, content_type=MEDIA_TYPE)
        else:
            response = HttpResponse(render_to_string("refused.html", {"said": sentence}), status=status)
        response["Content-Language"] = translation.get_language() or ""
    response["Content-Length"] = str(len(response.content))
    response["Cache-Control"] = "no-store"
    if status in (HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.TOO_MANY_REQUESTS):
        response["Retry-After"] = "5"
    patch_vary_headers(response, ("Accept-Language", "Cookie"))
    return response


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler400: what it or its parsers would not read."""
    if isinstance(exception, RequestDataTooBig):
        return refusal(request, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, TOO_LARGE, limit=get_limit(request.path))
    said = next((said for kinds, said in REASONS if isinstance(exception, kinds)), UNREADABLE)
    return refusal(request, HTTPStatus.BAD_REQUEST, said)
