"""Log formatters and filters: how a line looks, and what it may say.

An address may be a key: an invitation, a share link, a new password. Whatever writes a line, a request is told by the
pattern of its address, and an address that holds a key is told by its pattern wherever it stands in the line.
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

TIME = "%Y-%m-%dT%H:%M:%S%z"  # with its offset: lines of two machines can be laid side by side
LINE = "{asctime} {levelname} {name} [{request_id}]: {message}"
KEYS = {"token", "share_token", "key", "uidb36"}  # parts of an address that open something to whoever has them
PART = re.compile(r"<(?:\w+:)?(\w+)>|\(\?P<(\w+)>[^)]*\)")  # of a pattern: `<str:token>`, `(?P<key>.+)`
VALUE = r"[^\s/\"'<>?#&\\]+"


def build_formatters() -> dict[str, dict[str, Any]]:
    """One for people, one for programs. Django hangs whole requests on its lines, with what none should read."""
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
    """LOG_FORMAT."""
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
    """Every line knows the request it was written for."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = request_id() or "-"
        return True


class ByPattern(logging.Filter):
    """What any logger says of a request it says by the pattern of the address."""

    def filter(self, record: logging.LogRecord) -> bool:
        request = getattr(record, "request", None)
        if isinstance(request, HttpRequest) and isinstance(record.args, tuple):
            paths = {request.path, request.get_full_path()}
            paths |= {path.encode("unicode_escape").decode("ascii") for path in paths}  # as Django writes it down
            record.args = tuple(route_of(request) if said in paths else said for said in record.args)
        return True


def route_of(request: HttpRequest) -> str:
    """The pattern of its address, "-" where it has none."""
    return str(request.resolver_match.route) if request.resolver_match else "-"


def redact(text: str) -> str:
    """The text with the patterns of addresses that hold a key in the place of such addresses."""
    for pattern, shown in secret_addresses(get_resolver()):
        text = pattern.sub(shown, text)
    return text


@cache
def secret_addresses(site: URLResolver) -> tuple[tuple[re.Pattern[str], str], ...]:
    """How such addresses look, and what is said instead."""
    found = {route for route in _routes(site.url_patterns, "/") if KEYS & set(_parts(route))}
    begun = {route[: next(PART.finditer(route)).start()]: PART.sub("…", route) for route in sorted(found)}
    return tuple((_written(head), f"{head}…") for head in sorted(begun, key=len, reverse=True))


def _written(head: str) -> re.Pattern[str]:
    """The address as it is, or within the query of another one."""
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
