"""Infrastructure errors (full disk, database away): recognised here and answered with 503 or 507.

`handler500` of config/urls.py is here. The response needs neither database nor session.
"""

from __future__ import annotations

import errno
import logging
import sys
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import psycopg
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.csrf import requires_csrf_token
from django.views.defaults import server_error as broken_page
from psycopg_pool import PoolClosed, PoolTimeout, TooManyRequests

from config.mail_settings import MailAway
from config.postgres.base import InDoubt
from core.api.problems import build_plain_problem
from core.client_info import API_PREFIX

NOTHING_SAVED = _("Nothing was saved.")
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


@dataclass(frozen=True, slots=True)
class Trouble:
    """A state of the server in which nothing can be saved: heading, sentence, seconds to wait, and HTTP status."""

    heading: str | Promise
    words: str | Promise
    wait: int  # seconds until another attempt makes sense
    status: int = 503
    outcome: str | Promise = NOTHING_SAVED
    again: bool = True  # the request can safely be repeated


AWAY = Trouble(
    _("Database unavailable"),
    _("The database isn’t responding or is still starting."),
    wait=3,
)
BUSY = Trouble(
    _("Server overloaded"),
    _("The server is too busy at the moment."),
    wait=3,
)
COLLISION = Trouble(
    _("Conflicting changes"),
    _("Someone else changed the same thing at the same moment, so your change was rejected."),
    wait=1,
)
NO_ROOM = Trouble(
    _("Disk full"),
    _("The server’s disk is full. Its administrator must free up space; after that, everything works again."),
    wait=30,
    status=507,
)
READ_ONLY = Trouble(
    _("Server is read-only"),
    _("The server can’t save anything at the moment. Its administrator must make the database or disk writable again."),
    wait=30,
)
NO_MAIL = Trouble(
    _("Email unavailable"),
    _("The server can’t send email at the moment. Its administrator must fix that."),
    wait=60,
    outcome=_("No email was sent."),
)
DOUBT = Trouble(
    _("Connection lost while saving"),
    _("The database stopped responding while your change was being saved."),
    wait=3,
    outcome=_("Either everything was saved or nothing. Check before you send it again."),
    again=False,
)

# SQLSTATE, or its prefix → the trouble. Anything else is a bug.
STATES = {
    "08": AWAY,
    "57P": AWAY,  # shut down, crashed, starting
    "53100": NO_ROOM,
    "53": BUSY,  # out of memory, too many connections
    "57014": BUSY,  # a statement exceeded the server's time limit
    "23503": COLLISION,  # a row it refers to was deleted meanwhile
    "40001": COLLISION,
    "40P01": COLLISION,
    "55P03": COLLISION,
    "25006": READ_ONLY,
}
ERRNOS = {
    errno.ENOSPC: NO_ROOM,
    errno.EDQUOT: NO_ROOM,
    errno.EROFS: READ_ONLY,
    errno.EMFILE: BUSY,
    errno.ENFILE: BUSY,
    errno.ENOMEM: BUSY,
}


def find_trouble(error: BaseException | None) -> Trouble | None:
    """Return the infrastructure trouble behind this error or its causes; None if there is none."""
    while error is not None:
        if found := _named(error):
            return found
        error = error.__cause__ or error.__context__
    return None


def _named(error: BaseException) -> Trouble | None:
    match error:
        case InDoubt():
            return DOUBT
        case MailAway():
            return NO_MAIL
        case PoolTimeout() | TooManyRequests():
            return BUSY
        case PoolClosed():
            return AWAY
        case psycopg.Error(sqlstate=str(state)):
            return next((STATES[state[:size]] for size in (5, 3, 2) if state[:size] in STATES), None)
        case psycopg.OperationalError():  # the view never returned a response
            return AWAY
        case OSError(errno=int(number)):
            return ERRNOS.get(number)
        case _:
            return None


@requires_csrf_token
def server_error(request: HttpRequest) -> HttpResponseBase:
    """Handler of unhandled exceptions: answer with the infrastructure trouble, or a plain 500."""
    trouble = find_trouble(sys.exc_info()[1])
    return render_trouble(request, trouble) if trouble else _broken(request)


def render_trouble(request: HttpRequest, trouble: Trouble) -> HttpResponse:
    """Return the response that explains the trouble and when to try again: a problem document on the API, a page
    elsewhere.
    """
    with translation.override(_language_of(request)):
        response = _as_problem(request, trouble) if request.path.startswith(API_PREFIX) else _as_page(request, trouble)
    response["Retry-After"] = str(trouble.wait)
    response["Cache-Control"] = "no-store"
    return response


def _language_of(request: HttpRequest) -> str:
    """Return the request's language; if the trouble came before the middleware, that of cookie and browser."""
    return getattr(request, "LANGUAGE_CODE", "") or translation.get_language_from_request(request)


def _broken(request: HttpRequest) -> HttpResponseBase:
    if request.path.startswith(API_PREFIX):
        return build_plain_problem(500, gettext("Something went wrong on our side. Nothing was changed."))
    return broken_page(request)


def _as_problem(request: HttpRequest, trouble: Trouble) -> HttpResponse:
    said = str(trouble.words) if request.method in SAFE else f"{trouble.words} {trouble.outcome}"
    if not trouble.again:
        said = f"{said} {gettext('If you repeat the request with the same Idempotency-Key, it runs only once.')}"
    return build_plain_problem(trouble.status, said)


def _as_page(request: HttpRequest, trouble: Trouble) -> HttpResponse:
    """Return the page. After a GET it reloads itself; a submitted form can be sent again by reloading."""
    partial = request.headers.get("HX-Request") == "true"
    language = translation.get_language() or ""
    content = _drawn(trouble, language, partial=partial, reading=request.method in SAFE)
    response = HttpResponse(content, status=trouble.status)
    if partial:
        response["HX-Retarget"], response["HX-Reswap"], response["HX-Push-Url"] = "#messages", "innerHTML", "false"
    return response


@lru_cache(64)
def _drawn(trouble: Trouble, language: str, *, partial: bool, reading: bool) -> bytes:
    """Return the rendered page. It is cached, so that refusals of an overloaded server cost almost nothing."""
    page: dict[str, Any] = {"trouble": trouble, "reading": reading}
    return render(None, "503.html#notice" if partial else "503.html", page).content


class OneLineFilter(logging.Filter):
    """Logging filter that reduces infrastructure errors to one line: their traceback is arbitrary."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if error and find_trouble(error):
            record.msg, record.args = f"{record.getMessage()} ({' '.join(str(error).split())})", ()
            record.exc_info = record.exc_text = None
        return True
