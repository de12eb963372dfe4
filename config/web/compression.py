"""Compression middleware: compresses text where that cannot be used to guess secrets in it (docs/decisions)."""

from __future__ import annotations

import re

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_vary_headers

TEXT = re.compile(r"text/|application/([\w.-]+\+)?(json|xml|yaml)\b|application/vnd\.oai\.openapi|image/svg\+xml")
REFUSED = re.compile(r"\bgzip\s*;\s*q\s*=\s*0(\.0*)?\s*(,|$)")
SECRETS = "/accounts/2fa/"  # pages that show a lasting secret
OURS = {"", "same-origin", "none"}  # Sec-Fetch-Site: from nowhere else than this site or the address bar


class Compression(GZipMiddleware):
    """gzip for text, unless a page of somebody else's sent the browser here."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if not TEXT.match(response.get("Content-Type", "")) or request.path.startswith(SECRETS):
            return response
        patch_vary_headers(response, ("Accept-Encoding",))
        if REFUSED.search(request.headers.get("Accept-Encoding", "").lower()):
            return response
        if request.headers.get("Sec-Fetch-Site", "") not in OURS:
            return response
        return super().process_response(request, response)
