"""Error reports: by mail (ADMINS) or to Sentry (SENTRY_DSN).

A report says what failed and where in the program, never what a user sent: no body, no cookie, no address.
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

PAUSE = 300  # seconds without a second mail about the same place in the program
PLACES = 500  # most places remembered

log = logging.getLogger(__name__)


class ErrorMail(logging.Handler):
    """Logging handler that mails a record with its traceback to ADMINS, in a thread."""

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
    """Return the type of the error and the function that raised it; "" without an error."""
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
    """Send errors to this Sentry from now on, if a DSN is given. Its client must be installed separately."""
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
    """Return the event without user data; the request id finds its lines in the log."""
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
