"""Live pages: GET /live/<battle>/ is a stream of server-sent events, one for each change of the battle.

A message carries only the battle's id and version. What changed is fetched as a page, by somebody who may see it.
"""

from __future__ import annotations

import asyncio
import time
import weakref
from collections.abc import Iterable
from dataclasses import dataclass, replace
from http.cookies import CookieError, SimpleCookie
from importlib import import_module
from typing import Any
from urllib.parse import parse_qs
from uuid import UUID

from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth import get_user
from django.core.exceptions import PermissionDenied
from django.db import InterfaceError, OperationalError, close_old_connections
from django.http import Http404, HttpRequest

from battles.hub import LOST, Hub, Mail, post
from kingdom.inputs import whole_in

HEARTBEAT = 20  # seconds: shorter than the patience of any proxy in between
TRUST = 300  # seconds until a right is judged anew though nothing was told: sessions also end by age
UNREACHABLE = (OperationalError, InterfaceError)
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]

# One hub per event loop: a server has one, tests start several.
_hubs: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, Hub] = weakref.WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Watcher:
    """Who asks to watch which battle, and by what right."""

    battle_id: UUID
    headers: tuple[tuple[bytes, bytes], ...]
    user: str = ""
    session: str = ""

    @property
    def topics(self) -> tuple[str, ...]:
        return str(self.battle_id), f"user:{self.user}", f"session:{self.session}"


async def application(scope: Any, receive: Any, send: Any) -> None:
    battle_id = battle_of(scope["path"]) if scope["method"] == "GET" else None
    try:
        watcher = await judged(Watcher(battle_id, tuple(scope["headers"]))) if battle_id else None
    except UNREACHABLE:
        return await _refuse(send, 503, (b"retry-after", b"3"))
    if watcher is None:
        return await _refuse(send, 404)
    hub = _hubs.setdefault(asyncio.get_running_loop(), Hub())
    mail = await hub.join(*watcher.topics)
    try:
        await _catch_up(watcher, mail, version_seen(scope["query_string"]))
        await _stream(watcher, mail, receive, send)
    finally:
        hub.leave(mail)


async def _catch_up(watcher: Watcher, mail: Mail, seen: int | None) -> None:
    """What happened between the drawing of the page and the moment the hub listened for it."""
    try:
        now = await version_of(watcher.battle_id)
        if seen is not None and seen != now:
            post(mail, str(watcher.battle_id), now)
        if await judged(watcher) is None:  # his right ended before the hub listened for him
            mail.doubted = True
    except UNREACHABLE:
        mail.doubted = True  # to be judged, and told, when the database is back


def battle_of(path: str) -> UUID | None:
    """The battle of /live/<battle>/, or None when the path names none."""
    try:
        return UUID(path.removeprefix("/live/").strip("/"))
    except ValueError:
        return None


def version_seen(query: bytes) -> int | None:
    """The version of the page that asks (?version=7): what happened since it was drawn must not be missed."""
    version = parse_qs(query.decode("latin-1")).get("version", [""])[0]
    return whole_in(version)


async def _refuse(send: Any, status: int, *headers: tuple[bytes, bytes]) -> None:
    await send({"type": "http.response.start", "status": status, "headers": [(b"content-length", b"0"), *headers]})
    await send({"type": "http.response.body", "body": b""})


async def _stream(watcher: Watcher, mail: Mail, receive: Any, send: Any) -> None:
    """Sends what arrives until the browser hangs up, or until he may watch no more."""
    await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
    await _say(send, "retry: 2000\n\n")
    gone = asyncio.ensure_future(_hung_up(receive))
    judged_at = time.monotonic()
    try:
        while not gone.done():
            if mail.doubted or time.monotonic() - judged_at > TRUST:
                if not await _still_welcome(watcher, mail, gone, send):
                    break
                judged_at = time.monotonic()
            news = await _next(mail, gone)
            if not (gone.done() or mail.doubted):
                await _say(send, f"data: {news}\n\n" if news else ": still here\n\n")
    finally:
        gone.cancel()


async def _next(mail: Mail, gone: asyncio.Future[None]) -> str:
    """What comes next: news, or nothing once the heartbeat is due, the browser gone or his right in doubt."""
    news = asyncio.ensure_future(mail.get())
    await asyncio.wait((gone, news), timeout=HEARTBEAT, return_when=asyncio.FIRST_COMPLETED)
    if news.done():
        return news.result()
    news.cancel()
    return ""


async def _still_welcome(watcher: Watcher, mail: Mail, gone: asyncio.Future[None], send: Any) -> bool:
    """Judge anew. Whoever may stay fetches the page again: what he may do there can have changed."""
    doubted, mail.doubted = mail.doubted, False
    while not gone.done():
        try:
            if await judged(watcher) is None:
                await _farewell(send)
                return False
            if doubted:
                post(mail, str(watcher.battle_id), None)
            return True
        except UNREACHABLE:
            await _say(send, f"data: {LOST}\n\n")
            doubted = True
            await asyncio.wait((gone,), timeout=1)
    return False


async def _farewell(send: Any) -> None:
    """The page asks once more, and hears from the server what has become of it."""
    await _say(send, "event: gone\ndata: {}\n\n")
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _say(send: Any, text: str) -> None:
    await send({"type": "http.response.body", "body": text.encode(), "more_body": True})


async def _hung_up(receive: Any) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


@sync_to_async
def version_of(battle_id: UUID) -> int | None:
    from battles.models import Battle

    try:
        return Battle.objects.filter(pk=battle_id).values_list("version", flat=True).first()
    finally:
        close_old_connections()


@sync_to_async
def judged(watcher: Watcher) -> Watcher | None:
    """The watcher by name if his session is somebody's who may see the battle, else None."""
    from battles.selectors.access import battle_for

    close_old_connections()
    try:
        session = _cookie(watcher.headers, settings.SESSION_COOKIE_NAME)
        user = _user_of(session)
        battle_for(user, watcher.battle_id)
        return replace(watcher, user=str(user.pk), session=session or "")
    except (Http404, PermissionDenied):
        return None
    finally:
        close_old_connections()


def _user_of(session: str | None) -> Any:
    store = import_module(settings.SESSION_ENGINE).SessionStore
    request = HttpRequest()
    request.session = store(session)
    return get_user(request)  # checks that the password has not changed since, and that the account is active


def _cookie(headers: Iterable[tuple[bytes, bytes]], name: str) -> str | None:
    try:
        cookies = SimpleCookie("; ".join(value.decode("latin-1") for key, value in headers if key == b"cookie"))
    except CookieError:
        return None
    return cookies[name].value if name in cookies else None
