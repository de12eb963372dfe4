"""Event stream at GET /live/<kind>/<id>/: one server-sent event for each change of a campaign or a battle.

GET /live/shared/<token>/ is the same of what a share link shows, for whoever has it (`kingdom.sharing.share_kinds`).
GET /live/?follow=<address>&follow=<address>… is several of these in one stream, for all tabs of a browser
(static/js/line.js): a message says in `of` which address it is about, counted from 0. `following` and `refused` say
at the beginning what has become of each.
A message carries only the id and the version. What changed is fetched as a page, by somebody who may see it.
A program comes with its token, a browser with its session. `id` of a message is the version.
`?version=` or `Last-Event-ID`: the version that is known. `?beside`: also what the campaign has beside it (battles).
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

HEARTBEAT = 20  # seconds: shorter than the patience of any proxy in between
SHARED = "shared"
PAGES = 24  # one person's open pages in one process that are told; with more, the oldest one rests
LINK_PAGES = 200  # of one share link in one process that are told
TOPICS = 24  # of one stream
TRUST = 300  # seconds until a right is judged anew though nothing was told: sessions also end by age
UNREACHABLE = (OperationalError, InterfaceError)
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]

# One hub per event loop: a server has one, tests start several.
_hubs: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, Listener] = weakref.WeakKeyDictionary()


class Followable(NamedTuple):
    """What pages may follow. `see`: the thing, for somebody who may see it (raises Http404 or `PermissionDenied`).
    `version`: as it is now.
    """

    see: Callable[[User, UUID], Any]
    version: Callable[[UUID], int | None]


@dataclass(frozen=True, slots=True)
class Watcher:
    """Who asks to follow what, and by what right: that of their session, or of a share link's `token`."""

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
    """Tells of one address. `of`: its number, where several share the stream."""

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
    """An address that somebody follows: what is told of it, and where."""

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
    """What is asked for: one address, or those that share a stream."""
    query = scope["query_string"].decode("latin-1")
    if scope["path"].strip("/") == "live":
        return parse_qs(query).get("follow", [])
    return [f"{scope['path']}?{query}"]


async def _welcomed(scope: Any, address: str) -> Watcher | None:
    """Whoever asks to follow this, if they may."""
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
    """What happened between the drawing of the page and the moment the hub listened for it."""
    try:
        now = await version_of(watcher.subject)
        if watcher.seen is not None and watcher.seen != now:
            post(mail, watcher.subject, now)
        if await check_watcher(watcher) is None:  # their right ended before the hub listened for them
            mail.doubted = True
    except UNREACHABLE:
        mail.doubted = True  # to be judged, and told, when the database is back


def parse_path(path: str) -> tuple[Subject | None, str]:
    """What /live/<kind>/<id>/ names, or None; of a share link its token, and that it is one."""
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
    """Sends what arrives until the browser hangs up, or nothing is followed here any more."""
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
    """Until the browser hangs up (`gone`), until its reader may watch no more, or until the page rests."""
    mail, sender = one.mail, one.sender
    if sender.of is not None:
        await sender.tell("{}", "following")
    judged_at = time.monotonic()
    while not gone.done():
        if mail.rests:
            await sender.tell("{}", "rest")  # it asks when somebody looks at it again
            return
        if mail.doubted or time.monotonic() - judged_at > TRUST:
            if not await _still_welcome(one, gone):
                return
            judged_at = time.monotonic()
        news = await _next(mail, gone)
        if not (gone.done() or mail.doubted or mail.rests):
            await (sender.tell(news) if news else sender.beat())


async def _next(mail: Mail, gone: asyncio.Future[None]) -> str:
    """What comes next: news, or nothing once the heartbeat is due, the browser gone or their right in doubt."""
    news = asyncio.ensure_future(mail.get())
    await asyncio.wait((gone, news), timeout=HEARTBEAT, return_when=asyncio.FIRST_COMPLETED)
    if news.done():
        return news.result()
    news.cancel()
    return ""


async def _still_welcome(one: Followed, gone: asyncio.Future[None]) -> bool:
    """Judge anew. Whoever may stay fetches the page again: what they may do there can have changed. Whoever may not is
    told `gone`: the page asks once more, and hears from the server what has become of it.
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
    """The watcher by name if their session, link or token is of somebody who may see what they follow, else None.
    Raises `AuthenticationFailed` for a token that is none.
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
    """The same of whoever watches already: their token may be gone."""
    try:
        return find_watcher(watcher)
    except AuthenticationFailed:
        return None


@sync_to_async
def watch(watcher: Watcher, who: str) -> Watcher | None:
    """The same for whoever comes with a session or a token. Keys that are none are counted, as the API counts them."""
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
    """The same for whoever comes with a share link; who guesses is counted as where its page is opened."""
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
    """Whom limits count, as `kingdom.middleware.ClientAddress` has it."""
    forwarded = ",".join(value.decode("latin-1") for key, value in scope["headers"] if key == b"x-forwarded-for")
    peer = (scope.get("client") or ("",))[0]
    return house_at(client_address(peer, forwarded, settings.TRUSTED_PROXIES))


def _by_link(watcher: Watcher) -> Watcher | None:
    """What the link shows, where that is something that changes. Raises Http404 for one that works no more."""
    found = get_shared(watcher.token)
    follows = found.kind.follows
    subject = Subject(follows, str(found.link.thing))
    return replace(watcher, subject=subject, link=found.link.pk) if follows else None


def _user_of(session: str | None) -> Any:
    store = import_module(settings.SESSION_ENGINE).SessionStore
    request = HttpRequest()
    request.session = store(session)
    return get_user(request)  # checks that the password has not changed since, and that the account is active


def _user_of_token(authorization: str) -> User:
    """Whose token it is. Every token may read. Raises `AuthenticationFailed`."""
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
    """A server without ASGI has no streams: "no content" tells the browser not to ask again."""
    return HttpResponse(status=204)
