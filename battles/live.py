"""Live pages: GET /live/<battle>/ is a stream of server-sent events, one for each change of the battle.

A message carries only the battle's id and version. What changed is fetched as a page, by somebody who may see it.
"""

from __future__ import annotations

import asyncio
import weakref
from http.cookies import CookieError, SimpleCookie
from importlib import import_module
from typing import Any
from urllib.parse import parse_qs
from uuid import UUID

from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth import get_user
from django.core.exceptions import PermissionDenied
from django.db import close_old_connections
from django.http import Http404, HttpRequest

from battles.hub import Hub, post

HEARTBEAT = 20  # seconds: shorter than the patience of any proxy in between
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]

# One hub per event loop: a server has one, tests start several.
_hubs: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, Hub] = weakref.WeakKeyDictionary()


async def application(scope: Any, receive: Any, send: Any) -> None:
    battle_id = battle_of(scope["path"])
    if scope["method"] != "GET" or battle_id is None or not await may_watch(scope["headers"], battle_id):
        return await _not_here(send)
    hub = _hubs.setdefault(asyncio.get_running_loop(), Hub())
    mail = await hub.join(str(battle_id))
    try:
        seen, now = version_seen(scope["query_string"]), await version_of(battle_id)
        if seen is not None and seen != now:
            post(mail, str(battle_id), now)
        await _stream(mail, receive, send)
    finally:
        hub.leave(str(battle_id), mail)


def battle_of(path: str) -> UUID | None:
    """The battle of /live/<battle>/, or None when the path names none."""
    try:
        return UUID(path.removeprefix("/live/").strip("/"))
    except ValueError:
        return None


def version_seen(query: bytes) -> int | None:
    """The version of the page that asks (?version=7): what happened since it was drawn must not be missed."""
    version = parse_qs(query.decode("latin-1")).get("version", [""])[0]
    return int(version) if version.isdecimal() else None


async def _not_here(send: Any) -> None:
    await send({"type": "http.response.start", "status": 404, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body", "body": b""})


async def _stream(mail: asyncio.Queue[str], receive: Any, send: Any) -> None:
    """Sends what arrives until the browser hangs up."""
    await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
    await _say(send, "retry: 2000\n\n")
    gone = asyncio.ensure_future(_hung_up(receive))
    try:
        while not gone.done():
            news = asyncio.ensure_future(mail.get())
            await asyncio.wait((gone, news), timeout=HEARTBEAT, return_when=asyncio.FIRST_COMPLETED)
            if gone.done():
                news.cancel()
                break
            if news.done():
                await _say(send, f"data: {news.result()}\n\n")
            else:
                news.cancel()
                await _say(send, ": still here\n\n")
    finally:
        gone.cancel()


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
def may_watch(headers: list[tuple[bytes, bytes]], battle_id: UUID) -> bool:
    """Whether the session of these headers belongs to somebody who may see the battle."""
    from battles.selectors import battle_for

    close_old_connections()
    try:
        battle_for(_user_of(headers), battle_id)
        return True
    except (Http404, PermissionDenied):
        return False
    finally:
        close_old_connections()


def _user_of(headers: list[tuple[bytes, bytes]]) -> Any:
    store = import_module(settings.SESSION_ENGINE).SessionStore
    request = HttpRequest()
    request.session = store(_cookie(headers, settings.SESSION_COOKIE_NAME))
    return get_user(request)  # checks that the password has not changed since


def _cookie(headers: list[tuple[bytes, bytes]], name: str) -> str | None:
    try:
        cookies = SimpleCookie("; ".join(value.decode("latin-1") for key, value in headers if key == b"cookie"))
    except CookieError:
        return None
    return cookies[name].value if name in cookies else None
