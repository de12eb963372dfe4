"""Live updates: NOTIFY at commit, and the LISTEN connection that informs pages."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import defaultdict
from contextlib import suppress
from typing import Any, NamedTuple
from uuid import UUID

import django.db
import psycopg
from asgiref.sync import sync_to_async
from django.db import connection, connections

from core.clean_input import parse_whole

CHANNEL = "warhost_news"
RAISE = """
WITH told AS (UPDATE kingdom_campaign SET revision = revision + 1 WHERE id = %s RETURNING id, revision)
SELECT pg_notify(%s, id || ':' || revision) FROM told
"""


def notify_campaign(campaign: UUID) -> None:
    """Announce a change of the campaign to all pages that follow it, and raise its revision. The caller holds the
    campaign's row, or takes no other lock afterwards.
    """
    with connection.cursor() as cursor:
        cursor.execute(RAISE, [campaign, CHANNEL])


def notify(pk: UUID, version: int, *, beside: UUID | None = None) -> None:
    """Announce a new version of a thing. `beside` is the campaign whose pages list it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, f"{pk}:{version}:{beside or ''}"])


def notify_access(topic: str) -> None:
    """Announce that somebody's right to watch may have ended, by `user:<id>` or `session:<key>`. Each watcher is
    checked again.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [ACCESS, topic])


ACCESS = "warhost_access"  # sent by the database itself: battles/migrations/0001_squashed_0011_battle_maps.py
RETRY = (0.2, 0.5, 1)  # seconds between attempts to reconnect to the database
PATIENCE = 2  # seconds a new watcher waits for the connection
PULSE = 5  # seconds without news after which the connection is checked
LOST = json.dumps({"lost": True})  # the watcher hears nothing until the connection is back
NOT_OURS = {"autocommit", "context", "cursor_factory", "prepare_threshold"}  # parameters of Django's connections only
QUEUE = 16  # messages queued for a slow client; it refetches anyway, so older ones may be dropped

log = logging.getLogger(__name__)


class Subject(NamedTuple):
    """Object that a page follows: "campaign" or "battle", and its id."""

    kind: str
    pk: str


class Mail(asyncio.Queue[str]):
    """Message queue of a watcher. `doubted`: their right to watch may have ended and is checked before the next
    message. `rests`: the watcher has opened too many newer pages, so this one gets no messages until it is visible
    again.
    """

    doubted = False
    rests = False
    subject = Subject("", "")
    topics: tuple[str, ...] = ()


class Listener:
    """Listener on the database while anybody watches. A message holds the id and version of a thing; the watcher
    refetches it.

    Watchers register under topics: the object they follow, the objects listed on its pages (`beside:<campaign>`), and
    the user or session whose right they use (`user:<id>`, `session:<key>`).
    """

    def __init__(self) -> None:
        self._watchers: defaultdict[str, dict[Mail, None]] = defaultdict(dict)  # oldest first
        self._task: asyncio.Task[None] | None = None
        self._listening = asyncio.Event()
        self._awaited = False  # watchers were told that the connection is lost, and must be told when it is back

    async def join(self, subject: Subject, *topics: str) -> Mail:
        """Register a watcher. From now on no change is missed, unless the database is away for long."""
        mail = Mail(QUEUE)
        mail.subject, mail.topics = subject, (subject.pk, *topics)
        for topic in mail.topics:
            self._watchers[topic][mail] = None
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._listen())
        with suppress(TimeoutError):
            await asyncio.wait_for(self._listening.wait(), PATIENCE)
        if not self._listening.is_set():
            self._awaited = True
            _put(mail, LOST)
        return mail

    def leave(self, mail: Mail) -> None:
        for topic in mail.topics:
            self._watchers[topic].pop(mail, None)
            if not self._watchers[topic]:
                del self._watchers[topic]
        if not self._watchers and self._task is not None:
            self._task.cancel()
            self._task, self._awaited = None, False
            self._listening.clear()

    def spare(self, owner: str, most: int) -> None:
        """Put the oldest pages of a user or share link to rest if they have more than `most` (`Mail.rests`)."""
        pages = [mail for mail in self._watchers.get(owner, ()) if not mail.rests]
        for mail in pages[: max(0, len(pages) - most)]:
            mail.rests = True
            _put(mail, "")  # wakes the watcher

    async def _listen(self) -> None:
        failures = 0
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(**await _address(), autocommit=True) as connection:
                    await connection.execute(f"LISTEN {CHANNEL}")
                    await connection.execute(f"LISTEN {ACCESS}")
                    self._listening.set()
                    if self._awaited:
                        self._doubt_all()  # anything may have been missed, so everybody catches up
                    failures, self._awaited = 0, False
                    await self._hear(connection)
            except (psycopg.Error, django.db.Error, OSError):
                self._lose()
            except Exception:  # the task must survive any error, because nobody else restarts it
                log.exception("The live pages have lost the database.")
                self._lose()
            await asyncio.sleep(RETRY[min(failures, len(RETRY) - 1)])
            failures += 1

    async def _hear(self, connection: psycopg.AsyncConnection[Any]) -> None:
        """Pass on notices until the connection breaks. A regular check finds databases that are away without breaking
        it.
        """
        while True:
            async for notice in connection.notifies(timeout=PULSE):
                (self._doubt if notice.channel == ACCESS else self._tell)(notice.payload)
            await _address()

    def _lose(self) -> None:
        self._awaited = True
        if self._listening.is_set():
            self._listening.clear()
            for mail in {mail for mails in self._watchers.values() for mail in mails}:
                _put(mail, LOST)

    def _tell(self, payload: str) -> None:
        key, version, beside = read_notice(payload)
        for mail in tuple(self._watchers.get(key, ())):
            post(mail, mail.subject, version)
        for mail in tuple(self._watchers.get(f"beside:{beside}", ()) if beside else ()):
            post(mail, mail.subject, None)

    def _doubt(self, topic: str) -> None:
        for mail in tuple(self._watchers.get(topic, ())):
            doubt(mail)

    def _doubt_all(self) -> None:
        for topic in tuple(self._watchers):
            self._doubt(topic)


def post(mail: asyncio.Queue[str], subject: Subject, version: int | None) -> None:
    _put(mail, json.dumps({subject.kind: subject.pk, "version": version}))


def doubt(mail: Mail) -> None:
    mail.doubted = True
    _put(mail, "")  # wakes the watcher


def _put(mail: asyncio.Queue[str], text: str) -> None:
    if mail.full():
        mail.get_nowait()
    mail.put_nowait(text)


def read_notice(payload: str) -> tuple[str, int | None, str]:
    """Parse "<id>:<version>:<campaign>"; later parts may be missing."""
    key, version, beside, *_more = [*payload.split(":"), "", ""]
    return key, parse_whole(version), beside


@sync_to_async
def _address() -> dict[str, Any]:
    """Return Django's connection parameters of the database. Raises `django.db.Error` while Django cannot connect,
    because watchers who catch up need Django.
    """
    connection = connections["default"]
    try:
        connection.ensure_connection()
        params = connection.get_connection_params()
    finally:
        connection.close()
    return {name: value for name, value in params.items() if name not in NOT_OURS}
