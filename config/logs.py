"""How a line of the log looks, and what it may say."""

from __future__ import annotations

import logging
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest
from pythonjsonlogger.core import RESERVED_ATTRS

from kingdom.tracing import request_id

TIME = "%Y-%m-%dT%H:%M:%S%z"  # with its offset: lines of two machines can be laid side by side
LINE = "{asctime} {levelname} {name} [{request_id}]: {message}"


def formatters() -> dict[str, dict[str, Any]]:
    """One for people, one for programs. Django hangs whole requests on its lines, with what none should read."""
    return {
        "text": {"format": LINE, "style": "{", "datefmt": TIME},
        "json": {
            "()": "pythonjsonlogger.json.JsonFormatter",
            "fmt": "{asctime} {levelname} {name} {process} {request_id} {message}",
            "style": "{",
            "datefmt": TIME,
            "rename_fields": {"asctime": "time", "levelname": "level", "name": "logger"},
            "reserved_attrs": [*RESERVED_ATTRS, "request"],
        },
    }


def chosen(name: str) -> str:
    """LOG_FORMAT."""
    if name not in formatters():
        raise ImproperlyConfigured(f"LOG_FORMAT: write text or json, not {name}.")
    return name


class WithRequest(logging.Filter):
    """Every line knows the request it was written for."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = request_id() or "-"
        return True


class ByPattern(logging.Filter):
    """What Django says of a request it says by the pattern of the address: an address may be an invitation."""

    def filter(self, record: logging.LogRecord) -> bool:
        request = getattr(record, "request", None)
        if isinstance(request, HttpRequest) and isinstance(record.args, tuple):
            pattern = request.resolver_match.route if request.resolver_match else "-"
            record.args = tuple(pattern if said == request.path else said for said in record.args)
        return True
