"""Error reports: by mail (ADMINS) or to Sentry (SENTRY_DSN).

Either is told what broke and where in the program, never what somebody sent: no body, no cookie, no address.
"""

from __future__ import annotations

import logging
import time
from threading import Lock, Thread
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.mail import mail_admins

from config.ops.logs import redact
from core.tracing import under_way

PAUSE = 300  # seconds in which a process writes no second mail about the same place of the program
PLACES = 500  # places remembered at most

log = logging.getLogger(__name__)


class ErrorMail(logging.Handler):
    """Mails a line of the log with its trace to ADMINS. Nobody waits for the mail."""

    def __init__(self, level: int | str = logging.NOTSET):
        super().__init__(level)
        self._told: dict[tuple[str, int, str], float] = {}
        self._gate = Lock()

    def emit(self, record: logging.LogRecord) -> None:
        if record.name.startswith((__name__, "django.core.mail")) or not self._is_new(record):
            return
        first = redact(record.getMessage()).splitlines() or [""]
        subject = f"{record.levelname} {record.name}: {type_of(record) or first[0]}"[:150]
        Thread(target=_send, args=(subject, self.format(record)), name="error-mail", daemon=True).start()

    def _is_new(self, record: logging.LogRecord) -> bool:
        place, now = (record.pathname, record.lineno, type_of(record)), time.monotonic()
        with self._gate:
            if now - self._told.get(place, -PAUSE) < PAUSE:
                return False
            if len(self._told) >= PLACES:
                self._told.clear()
            self._told[place] = now
            return True


def type_of(record: logging.LogRecord) -> str:
    """The kind of the error and where it was raised, "" beside one."""
    if not record.exc_info or record.exc_info[1] is None:
        return ""
    trace = record.exc_info[2]
    while trace and trace.tb_next:
        trace = trace.tb_next
    where = f" in {trace.tb_frame.f_code.co_name}" if trace else ""
    return f"{type(record.exc_info[1]).__name__}{where}"


def _send(subject: str, text: str) -> None:
    try:
        mail_admins(subject, text)
    except Exception as error:
        log.error("The mail about an error could not be sent: %s", error)


def start_sentry(dsn: str) -> None:
    """Errors go to this Sentry from here on, if one is named. Its client is installed by whoever wants it."""
    if not dsn:
        return
    try:
        import sentry_sdk
    except ImportError:
        raise ImproperlyConfigured("SENTRY_DSN is set: install its client, `pip install sentry-sdk`.") from None
    sentry_sdk.init(
        dsn,
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        before_send=strip_personal_data,
    )


def strip_personal_data(event: Any, hint: Any = None) -> Any:
    """The event without what a person sent; the request's id finds its lines in the log."""
    for name in ("request", "user", "breadcrumbs", "extra"):
        event.pop(name, None)
    if exchange := under_way.get():
        event.setdefault("tags", {})["request_id"] = exchange.id
        event["transaction"] = f"{exchange.method} {exchange.route}"
    return _redacted_within(event)


def _redacted_within(value: Any) -> Any:
    match value:
        case str():
            return redact(value)
        case dict():
            return {name: _redacted_within(inner) for name, inner in value.items()}
        case list() | tuple():
            return [_redacted_within(inner) for inner in value]
    return value
