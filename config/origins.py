"""Origins of other sites whose pages may call the API (CORS): by a person's own token, never by a cookie.

The setting `WARHOST_ORIGINS` names them; these are the settings of django-cors-headers beside it.
"""

from __future__ import annotations

CORS_URLS_REGEX = r"^/api/v1/"
CORS_ALLOW_HEADERS = [
    "accept", "accept-language", "authorization", "content-type", "idempotency-key", "if-match", "if-none-match",
]  # fmt: skip
CORS_EXPOSE_HEADERS = ["etag", "location", "ratelimit", "ratelimit-policy", "retry-after", "x-request-id"]
