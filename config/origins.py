"""Settings of CORS: other sites whose pages may call the API with a user's token, never with a cookie.

The setting `WARHOST_ORIGINS` lists the sites; the others of django-cors-headers are here.
"""

from __future__ import annotations

CORS_URLS_REGEX = r"^/api/v1/"
CORS_ALLOW_HEADERS = [
    "accept", "accept-language", "authorization", "content-type", "idempotency-key", "if-match", "if-none-match",
]  # fmt: skip
CORS_EXPOSE_HEADERS = ["etag", "location", "ratelimit", "ratelimit-policy", "retry-after", "x-request-id"]
