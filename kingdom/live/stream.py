"""Event stream at GET /live/<kind>/<id>/: a server-sent event for each change of a campaign or a battle.

GET /live/shared/<token>/ is the stream of what a share link shows, for anybody who has it
(`kingdom.sharing.share_kinds`). GET /live/?follow=<address>&follow=<address>… joins several streams into one, for all
tabs of a browser (static/js/line.js): a message has in `of` the index of its address. `following` and `refused` begin
the stream and list them. A message carries only id and version; the page then fetches what changed, subject to access.
A program sends its token, a browser its session. The event's `id` is the version. `?version=` or `Last-Event-ID`: the
known version. `?beside`: also the campaign's battles.
"""

from __future__ import annotations

import asyncio
import json
import time
import weakref
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from http.cookies import CookieError, SimpleCookie
from importlib import import_module
from typing import Any, NamedTuple
from urllib.parse import parse_qs
from uuid import UUID

from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth import get_user
from django.core.exceptions import PermissionDenied
from django.db import InterfaceError, OperationalError, close_old_connections
from django.http import Http404, HttpRequest, HttpResponse
from rest_framework.exceptions import AuthenticationFailed

from core.clean_input import parse_whole
from core.client_info import client_address, house_at
from core.live import LOST, Listener, Mail, Subject, post
from kingdom.accounts.authentication import TokenAuthentication
from kingdom.accounts.rate_limits import count_attempt, count_token_guess, is_token_guesser
from kingdom.accounts.services import update_last_used
from kingdom.contributions import contributed
from kingdom.models import User
from kingdom.sharing.queries import get_shared
from kingdom.sharing.services import WRONG, topic_of

HEARTBEAT = 20  # seconds: shorter than the timeout of any proxy in between
SHARED = "shared"
PAGES = 24  # open pages of a user in one process; beyond that the oldest one rests
LINK_PAGES = 200  # open pages of a share link in one process
TOPICS = 24  # addresses of one stream
TRUST = 300  # seconds until access is checked again without news: sessions also expire
UNREACHABLE = (OperationalError, InterfaceError)
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]

# One hub per event loop: a server has one, tests start several.
_hubs: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, Listener] = weakref.WeakKeyDictionary()


class Followable(NamedTuple):
    """Kind of object that pages may follow. `see` returns the object for a user who may see it (raises Http404 or
    `PermissionDenied`), `version` its present version.
    """

    see: Callable[[User, UUID], Any]
    version: Callable[[UUID], int | None]


@dataclass(frozen=True, slots=True)
class Watcher:
    """Request to follow an object, authorized by a session or by a share link's `token`."""

    subject: Subject
    headers: tuple[tuple[bytes, bytes], ...]
    beside: bool = False
    seen: int | None = None
    user: str = ""
    session: str = ""
    token: str = ""
    link: UUID | None = None

    @property
    def owner(self) -> str:
        return topic_of(self.link) if self.link else f"user:{self.user}"

    @property
    def topics(self) -> tuple[str, ...]:
        if self.link:
            return (self.owner,)
        beside = (f"beside:{self.subject.pk}",) if self.beside else ()
        return (*beside, self.owner, f"session:{self.session}")


@dataclass(frozen=True, slots=True)
class Sender:
    """Sends messages about one address. `of`: its index, if several share the stream."""

    send: Any
    of: int | None = None

    async def tell(self, news: str, event: str = "") -> None:
        version = json.loads(news).get("version") if self.of is None else None
        named = (f"event: {event}\n" if event else "") + (f"id: {version}\n" if version is not None else "")
        await self._say(f"{named}data: {news if self.of is None else self._numbered(news)}\n\n")

    async def beat(self) -> None:
        await self._say(": still here\n\n")

    def _numbered(self, news: str) -> str:
        return json.dumps({**json.loads(news), "of": self.of})

    async def _say(self, text: str) -> None:
        await _say(self.send, text)


@dataclass(frozen=True, slots=True)
class Followed:
    """A followed address with its mailbox and sender."""

    watcher: Watcher
    mail: Mail
    sender: Sender


async def application(scope: Any, receive: Any, send: Any) -> None:
    addresses = addresses_of(scope) if scope["method"] == "GET" else []
    try:
        watchers = [await _welcomed(scope, address) for address in addresses[:TOPICS]]
    except UNREACHABLE:
        return await _refuse(send, 503, (b"retry-after", b"3"))
    if not any(watchers):
        return await _refuse(send, 404)
    hub = _hubs.setdefault(asyncio.get_running_loop(), Listener())
    several = scope["path"].strip("/") == "live"
    followed: list[Followed] = []
    try:
        for number, watcher in enumerate(watchers):
            if watcher:
                mail = await hub.join(watcher.subject, *watcher.topics)
                followed.append(Followed(watcher, mail, Sender(send, number if several else None)))
                hub.spare(watcher.owner, LINK_PAGES if watcher.link else PAGES)
                await _catch_up(watcher, mail)
        refused = [Sender(send, number) for number in range(len(addresses)) if number not in _numbers(followed)]
        await _stream(followed, refused if several else [], receive, send)
    finally:
        for one in followed:
            hub.leave(one.mail)


def addresses_of(scope: Any) -> list[str]:
    """Return the requested addresses: one, or those that share a stream."""
    query = scope["query_string"].decode("latin-1")
    if scope["path"].strip("/") == "live":
        return parse_qs(query).get("follow", [])
    return [f"{scope['path']}?{query}"]


async def _welcomed(scope: Any, address: str) -> Watcher | None:
    """Return the watcher of this address if they may follow it, else None."""
    path, _, query = address.partition("?")
    subject, token = parse_path(path)
    if subject is None:
        return None
    asked = parse_qs(query, keep_blank_values=True)
    headers = tuple(scope["headers"])
    seen = parse_whole(asked.get("version", [_header(headers, b"last-event-id")])[0])
    came = Watcher(subject, headers, "beside" in asked, seen, token=token)
    return await (watch_by_link(came, _house(scope)) if token else watch(came, _house(scope)))


def _numbers(followed: list[Followed]) -> set[int | None]:
    return {one.sender.of for one in followed}


async def _catch_up(watcher: Watcher, mail: Mail) -> None:
    """Post changes made between the rendering of the page and the start of listening."""
    try:
        now = await version_of(watcher.subject)
        if watcher.seen is not None and watcher.seen != now:
            post(mail, watcher.subject, now)
        if await check_watcher(watcher) is None:  # access ended before the hub listened for it
            mail.doubted = True
    except UNREACHABLE:
        mail.doubted = True  # checked and answered when the database is back


def parse_path(path: str) -> tuple[Subject | None, str]:
    """Return the subject of /live/<kind>/<id>/, or None; and the token, for a share link."""
    kind, _, pk = path.removeprefix("/live/").strip("/").partition("/")
    if kind == SHARED:
        return Subject(SHARED, ""), pk
    try:
        return (Subject(kind, str(UUID(pk))) if kind in contributed().followables else None), ""
    except ValueError:
        return None, ""


async def _refuse(send: Any, status: int, *headers: tuple[bytes, bytes]) -> None:
    await send({"type": "http.response.start", "status": status, "headers": [(b"content-length", b"0"), *headers]})
    await send({"type": "http.response.body", "body": b""})


async def _stream(followed: list[Followed], refused: list[Sender], receive: Any, send: Any) -> None:
    """Send messages until the browser disconnects, or nothing is followed any more."""
    await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
    await _say(send, "retry: 2000\n\n")
    for sender in refused:
        await sender.tell("{}", "refused")
    gone = asyncio.ensure_future(_hung_up(receive))
    try:
        async with asyncio.TaskGroup() as tasks:
            for one in followed:
                tasks.create_task(_follow(one, gone))
        if not gone.done():
            await send({"type": "http.response.body", "body": b"", "more_body": False})
    finally:
        gone.cancel()


async def _follow(one: Followed, gone: asyncio.Future[None]) -> None:
    """Send messages until the browser disconnects (`gone`), the reader loses access, or the page rests."""
    mail, sender = one.mail, one.sender
    if sender.of is not None:
        await sender.tell("{}", "following")
    judged_at = time.monotonic()
    while not gone.done():
        if mail.rests:
            await sender.tell("{}", "rest")  # the page asks again when it is shown
            return
        if mail.doubted or time.monotonic() - judged_at > TRUST:
            if not await _still_welcome(one, gone):
                return
            judged_at = time.monotonic()
        news = await _next(mail, gone)
        if not (gone.done() or mail.doubted or mail.rests):
            await (sender.tell(news) if news else sender.beat())


async def _next(mail: Mail, gone: asyncio.Future[None]) -> str:
    """Return the next message; "" when the heartbeat is due, the browser is gone or access is in doubt."""
    news = asyncio.ensure_future(mail.get())
    await asyncio.wait((gone, news), timeout=HEARTBEAT, return_when=asyncio.FIRST_COMPLETED)
    if news.done():
        return news.result()
    news.cancel()
    return ""


async def _still_welcome(one: Followed, gone: asyncio.Future[None]) -> bool:
    """Check access again. A reader who keeps it fetches the page again, since their permissions may have changed. One
    who loses it is sent `gone`: the page asks once more and learns why.
    """
    mail = one.mail
    doubted, mail.doubted = mail.doubted, False
    while not gone.done():
        try:
            if await check_watcher(one.watcher) is None:
                await one.sender.tell("{}", "gone")
                return False
            if doubted:
                post(mail, one.watcher.subject, None)
            return True
        except UNREACHABLE:
            await one.sender.tell(LOST)
            doubted = True
            await asyncio.wait((gone,), timeout=1)
    return False


async def _say(send: Any, text: str) -> None:
    await send({"type": "http.response.body", "body": text.encode(), "more_body": True})


async def _hung_up(receive: Any) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


@sync_to_async
def version_of(subject: Subject) -> int | None:
    kind = contributed().followables.get(subject.kind)
    try:
        return kind.version(UUID(subject.pk)) if kind else None
    finally:
        close_old_connections()


def find_watcher(watcher: Watcher) -> Watcher | None:
    """Return the watcher with its user, if the session, link or token may see the object; else None. Raises
    `AuthenticationFailed` for an invalid token.
    """
    kind = contributed().followables.get(watcher.subject.kind)
    close_old_connections()
    try:
        if watcher.token:
            return _by_link(watcher)
        if kind is None:
            return None
        by_token = _header(watcher.headers, b"authorization")
        session = None if by_token else _cookie(watcher.headers, settings.SESSION_COOKIE_NAME)
        user = _user_of_token(by_token) if by_token else _user_of(session)
        kind.see(user, UUID(watcher.subject.pk))
        return replace(watcher, user=str(user.pk), session=session or "")
    except (Http404, PermissionDenied):
        return None
    finally:
        close_old_connections()


@sync_to_async
def check_watcher(watcher: Watcher) -> Watcher | None:
    """Return the same for a watcher who follows already; None also if their token is gone."""
    try:
        return find_watcher(watcher)
    except AuthenticationFailed:
        return None


@sync_to_async
def watch(watcher: Watcher, who: str) -> Watcher | None:
    """Return the same for a session or token. Invalid tokens are counted, as in the API."""
    close_old_connections()
    try:
        if _header(watcher.headers, b"authorization") and is_token_guesser(who):
            return None
        return find_watcher(watcher)
    except AuthenticationFailed:
        count_token_guess(who)
        return None
    finally:
        close_old_connections()


@sync_to_async
def watch_by_link(watcher: Watcher, who: str) -> Watcher | None:
    """Return the same for a share link; wrong tokens are counted, as on its page."""
    close_old_connections()
    try:
        found = _by_link(watcher)
    except Http404:
        count_attempt(WRONG, who)
        found = None
    finally:
        close_old_connections()
    return found


def _house(scope: Any) -> str:
    """Return the address that rate limits count, as `kingdom.middleware.ClientAddress` does."""
    forwarded = ",".join(value.decode("latin-1") for key, value in scope["headers"] if key == b"x-forwarded-for")
    peer = (scope.get("client") or ("",))[0]
    return house_at(client_address(peer, forwarded, settings.TRUSTED_PROXIES))


def _by_link(watcher: Watcher) -> Watcher | None:
    """Return the watcher of the link's object; None if it never changes. Raises Http404 for an invalid link."""
    found = get_shared(watcher.token)
    follows = found.kind.follows
    subject = Subject(follows, str(found.link.thing))
    return replace(watcher, subject=subject, link=found.link.pk) if follows else None


def _user_of(session: str | None) -> Any:
    store = import_module(settings.SESSION_ENGINE).SessionStore
    request = HttpRequest()
    request.session = store(session)
    return get_user(request)  # checks the password hash and that the account is active


def _user_of_token(authorization: str) -> User:
    """Return the user of a token; every scope may read. Raises `AuthenticationFailed`."""
    word, _space, key = authorization.partition(" ")
    if word.lower() not in ("token", "bearer"):
        raise AuthenticationFailed
    user, token = TokenAuthentication().authenticate_credentials(key.strip().encode())
    user.bound_to = token.campaign_id
    update_last_used(of=token)
    return user


def _header(headers: Iterable[tuple[bytes, bytes]], name: bytes) -> str:
    return next((value.decode("latin-1") for key, value in headers if key == name), "")


def _cookie(headers: Iterable[tuple[bytes, bytes]], name: str) -> str | None:
    try:
        cookies = SimpleCookie("; ".join(value.decode("latin-1") for key, value in headers if key == b"cookie"))
    except CookieError:
        return None
    return cookies[name].value if name in cookies else None


# Addresses of the event streams. config/asgi.py answers them before Django does.


def stream(request: HttpRequest, **_followed: Any) -> HttpResponse:
    """Answer without ASGI: 204 tells the browser not to try again."""
    return HttpResponse(status=204)
