"""Log formatters and filters: the format of lines, and what they must not contain.

An address may contain a key: an invitation, a share link, a password reset. A request is logged by its URL pattern, and
addresses with a key are replaced by their pattern wherever they appear in a line.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest
from django.urls import URLPattern, URLResolver, get_resolver
from pythonjsonlogger.core import RESERVED_ATTRS
from pythonjsonlogger.json import JsonFormatter

from core.tracing import request_id

TIME = "%Y-%m-%dT%H:%M:%S%z"  # with the offset, so that lines of two machines can be compared
LINE = "{asctime} {levelname} {name} [{request_id}]: {message}"
KEYS = {"token", "share_token", "key", "uidb36"}  # parts of a URL pattern that hold a secret
PART = re.compile(r"<(?:\w+:)?(\w+)>|\(\?P<(\w+)>[^)]*\)")  # parts of a pattern: `<str:token>`, `(?P<key>.+)`
VALUE = r"[^\s/\"'<>?#&\\]+"


def build_formatters() -> dict[str, dict[str, Any]]:
    """Return a formatter for people and one for programs. Only listed fields appear: Django attaches whole requests to
    its records.
    """
    return {
        "text": {"()": "config.ops.logs.TextLine", "fmt": LINE, "style": "{", "datefmt": TIME},
        "json": {
            "()": "config.ops.logs.JsonLine",
            "fmt": "{asctime} {levelname} {name} {process} {request_id} {message}",
            "style": "{",
            "datefmt": TIME,
            "rename_fields": {"asctime": "time", "levelname": "level", "name": "logger"},
            "reserved_attrs": [*RESERVED_ATTRS, "request"],
        },
    }


def read_format(name: str) -> str:
    """Return the value of LOG_FORMAT. Raises `ImproperlyConfigured`."""
    if name not in build_formatters():
        raise ImproperlyConfigured(f"LOG_FORMAT: write text or json, not {name}.")
    return name


class TextLine(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return redact(super().format(record))


class JsonLine(JsonFormatter):
    def format(self, record: logging.LogRecord) -> str:
        return redact(super().format(record))


class WithRequest(logging.Filter):
    """Logging filter that adds the request id to every record."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = request_id() or "-"
        return True


class ByPattern(logging.Filter):
    """Logging filter that replaces a request's path by its URL pattern."""

    def filter(self, record: logging.LogRecord) -> bool:
        request = getattr(record, "request", None)
        if isinstance(request, HttpRequest) and isinstance(record.args, tuple):
            paths = {request.path, request.get_full_path()}
            paths |= {path.encode("unicode_escape").decode("ascii") for path in paths}  # as Django logs them
            record.args = tuple(route_of(request) if said in paths else said for said in record.args)
        return True


def route_of(request: HttpRequest) -> str:
    """Return the URL pattern of the request; "-" without one."""
    return str(request.resolver_match.route) if request.resolver_match else "-"


def redact(text: str) -> str:
    """Return the text with addresses that contain a key replaced by their pattern."""
    for pattern, shown in secret_addresses(get_resolver()):
        text = pattern.sub(shown, text)
    return text


@cache
def secret_addresses(site: URLResolver) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the regular expressions of such addresses, with their replacements."""
    found = {route for route in _routes(site.url_patterns, "/") if KEYS & set(_parts(route))}
    begun = {route[: next(PART.finditer(route)).start()]: PART.sub("…", route) for route in sorted(found)}
    return tuple((_written(head), f"{head}…") for head in sorted(begun, key=len, reverse=True))


def _written(head: str) -> re.Pattern[str]:
    """Return a regular expression for the address, also within the query string of another one."""
    slashes = re.escape(head).replace("/", "(?:/|%2[Ff]|%252[Ff])")
    return re.compile(slashes + VALUE)


def _parts(route: str) -> list[str]:
    return [simple or named for simple, named in PART.findall(route)]


def _routes(patterns: list[URLPattern | URLResolver], above: str) -> Iterator[str]:
    for one in patterns:
        route = above + str(one.pattern).removeprefix("^").removesuffix("$")
        if isinstance(one, URLResolver):
            yield from _routes(one.url_patterns, route)
        else:
            yield route
