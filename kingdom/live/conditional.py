"""Conditional pages: an open page that looks again is drawn only if its reader would read something else.

What a page read is kept beside the mark of what it showed. Who looks again has the same read again: where it is as it
was, so is the page, and nobody draws it. Kept is a page for one session, cookies, language and address; whoever has
another one of these gets what is drawn for them. Where it is not as it was, its parts may be
(`kingdom.live.fragments`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import blake2b
from time import monotonic

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language

from core.lru_cache import LRUCache
from kingdom.live.fingerprints import KnownRows, Reads, Recorder, record_queries, reread
from kingdom.live.fragments import TRUST, Parts, clear_fragments
from kingdom.models import User

LIVE_SEEN, LIVE_VERSION = "Live-Seen", "Live-Version"
KEPT = 256  # pages
BODY = 262_144  # bytes of one that are kept


@dataclass(frozen=True, slots=True)
class DrawnPage:
    """A page that was drawn: its mark, what it was drawn from, and, if it was for somebody who looks again, itself."""

    seen: str
    reads: Reads
    at: float
    body: bytes = b""
    content_type: str = ""


_drawn: LRUCache[bytes, DrawnPage] = LRUCache(KEPT)


def clear_pages() -> None:
    """All that this process has kept of pages."""
    _drawn.clear()
    clear_fragments()


class ConditionalPages:
    """Middleware, the innermost: who asks is known by then, and nothing has been decided."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.method != "GET" or not _signed_in(request):
            return self.get_response(request)
        key, answers = _key(request), KnownRows()
        if LIVE_SEEN in request.headers and (unchanged := _as_kept(key, request.headers[LIVE_SEEN], answers)):
            return unchanged
        with record_queries(answers) as recorder:
            parts = request.parts = _parts_of(request, key, recorder)  # type: ignore[attr-defined]
            response = self.get_response(request)
        shown = getattr(request, "shown", None)
        if shown and response.status_code in (200, 204) and (reads := recorder.reads(shown.revision)):
            _keep(key, DrawnPage(shown.seen, reads, parts.at if parts else monotonic()), request, response)
        return response


def _signed_in(request: HttpRequest) -> bool:
    return settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated


def _key(request: HttpRequest) -> bytes:
    """All of the request that a page may be drawn from, and what is read of its reader before."""
    fields = (field.attname for field in User._meta.concrete_fields if field.attname != "last_login")
    reader = [getattr(request.user, name) for name in fields]
    session = sorted(request.session.items())
    asked = (request.build_absolute_uri(), request.headers.get("Cookie"), get_language(), session, reader)
    return blake2b(repr(asked).encode(), digest_size=16).digest()


def _as_kept(key: bytes, seen: str, answers: KnownRows) -> HttpResponse | None:
    """The answer to somebody who shows this mark, if their page would be drawn from what it was drawn from before."""
    drawn = _drawn.get(key)
    if drawn is None or monotonic() - drawn.at > TRUST or not (drawn.body or drawn.seen == seen):
        return None
    revision = reread(drawn.reads, answers)
    if revision is None:
        return None
    answer = HttpResponse(status=204) if drawn.seen == seen else _drawn_before(drawn, revision)
    answer[LIVE_VERSION] = str(revision)
    patch_vary_headers(answer, [LIVE_SEEN])
    return answer


def _drawn_before(drawn: DrawnPage, revision: int) -> HttpResponse:
    """What another page of the same reader has got already, at the revision that was read now."""
    was, now = (
        f'data-version="{count}" data-seen="{drawn.seen}"'.encode() for count in (drawn.reads.revision, revision)
    )
    return HttpResponse(drawn.body.replace(was, now, 1), content_type=drawn.content_type)


def _keep(key: bytes, drawn: DrawnPage, request: HttpRequest, response: HttpResponseBase) -> None:
    whole = response.status_code == 200 and isinstance(response, HttpResponse) and len(response.content) <= BODY
    if whole and _is_given_twice(request) and LIVE_SEEN in request.headers:
        drawn = replace(drawn, body=response.content, content_type=response.headers.get("Content-Type", ""))  # type: ignore[attr-defined]
    _drawn.keep(key, drawn)


def _is_given_twice(request: HttpRequest) -> bool:
    """Forms bear the secret of a cookie; where there is none yet, the answer sets it."""
    return settings.CSRF_COOKIE_NAME in request.COOKIES


def _parts_of(request: HttpRequest, key: bytes, recorder: Recorder) -> Parts | None:
    """Of a page; what htmx asks for otherwise may be drawn otherwise."""
    again = LIVE_SEEN in request.headers
    if not _is_given_twice(request) or ("HX-Request" in request.headers and not again):
        return None
    return Parts(key, recorder, again=again)
