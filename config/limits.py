"""Parsing of settings: limits on clients (seconds, bytes, connections), trusted proxies, and origins of CORS."""

from __future__ import annotations

import re
from collections.abc import Iterable

import environ
from django.core.exceptions import ImproperlyConfigured

from config.ops.data_directory import BASE_DIR
from core.client_info import Network, parse_networks

# Limits on clients: time (seconds), size (bytes) and number of connections.

# Read here, before the other settings; config/settings.py takes `env` from here.
env = environ.Env()
environ.Env.read_env(BASE_DIR / ".env")

HEAD_SECONDS = env.float("WARHOST_HEAD_SECONDS", default=10)
BODY_SECONDS = env.float("WARHOST_BODY_SECONDS", default=20)
STALL_SECONDS = env.float("WARHOST_STALL_SECONDS", default=30)
READ_SPEED = env.int("WARHOST_READ_SPEED", default=8_192)  # bytes per second that a reader must take at least
IDLE_SECONDS = env.int("WARHOST_IDLE_SECONDS", default=75)  # longer than a proxy keeps an idle connection
CONNECTIONS = env.int("WARHOST_CONNECTIONS", default=1_000)
BODY_LIMIT = env.int("WARHOST_BODY_LIMIT", default=2_621_440)
BODY_SPACE = env.int("WARHOST_BODY_SPACE", default=268_435_456)
MAP_LIMIT = env.int("WARHOST_MAP_LIMIT", default=17_825_792)  # upload of another tool's map: 16 MB and its form
# Downloads in each process: how many an account may have open, and bytes of all their temporary files.
DOWNLOADS = env.int("WARHOST_DOWNLOADS", default=3)
DOWNLOAD_SPACE = env.int("WARHOST_DOWNLOAD_SPACE", default=268_435_456)
BACKGROUND_LIMIT = env.int("WARHOST_BACKGROUND_LIMIT", default=8_912_896)  # upload of a picture below a map
JSON_LIMIT = env.int("WARHOST_JSON_LIMIT", default=1_048_576)  # API requests without a file
# Imports of campaigns: bytes as sent, bytes unpacked, rows; bytes of all imports of an account; imports at once on the
# site.
IMPORT_LIMIT = env.int("WARHOST_IMPORT_LIMIT", default=67_108_864)
IMPORT_UNPACKED = env.int("WARHOST_IMPORT_UNPACKED", default=67_108_864)
IMPORT_ROWS = env.int("WARHOST_IMPORT_ROWS", default=250_000)
IMPORT_QUOTA = env.int("WARHOST_IMPORT_QUOTA", default=268_435_456)
IMPORTS_AT_ONCE = env.int("WARHOST_IMPORTS_AT_ONCE", default=2)
# (pattern of the path, bytes): limits that differ from BODY_LIMIT. The first match applies.
BODY_LIMITS: list[tuple[re.Pattern[str], int]] = [
    (re.compile(r"^/(api/v1/)?campaigns/import/$"), IMPORT_LIMIT),
    (re.compile(r"^/(c|api/v1/campaigns)/[^/]+/map/import/$"), MAP_LIMIT),
    (re.compile(r"^/api/v1/(campaigns/[^/]+/(foundry|kanka|tables/[^/]+)|unit-types/(import|propose))/$"), BODY_LIMIT),
    (re.compile(r"^/(c|api/v1/campaigns)/[^/]+/pictures/map/[^/]+/$"), BACKGROUND_LIMIT),
    (re.compile(r"^/api/v1/campaigns/[^/]+/pictures/[^/]+/[^/]+/$"), BODY_LIMIT),
    (re.compile(r"^/api/"), JSON_LIMIT),
]


# Parsing of settings that list addresses and networks, such as trusted proxies.


def parse_proxies(names: Iterable[str], *, variable: str = "WARHOST_TRUSTED_PROXIES") -> tuple[Network, ...]:
    """Return the addresses and networks in such a setting. Raises `ImproperlyConfigured`."""
    try:
        return parse_networks(names)
    except ValueError as error:
        raise ImproperlyConfigured(
            f"{variable}: {error}. Write addresses or networks with commas, e.g. 127.0.0.1,10.0.0.0/8."
        ) from None


# Settings of CORS: other sites whose pages may call the API with a user's token, never with a cookie.
#
# The setting `WARHOST_ORIGINS` lists the sites; the others of django-cors-headers are here.

CORS_URLS_REGEX = r"^/api/v1/"
CORS_ALLOW_HEADERS = [
    "accept", "accept-language", "authorization", "content-type", "idempotency-key", "if-match", "if-none-match",
]  # fmt: skip
CORS_EXPOSE_HEADERS = ["etag", "location", "ratelimit", "ratelimit-policy", "retry-after", "x-request-id"]
