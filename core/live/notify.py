"""NOTIFY once the transaction is committed: an id and a version, never what changed.

A campaign's `revision` counts its changes: it rises with each one, in the same transaction, under the campaign's
lock. `kingdom.chronicle.changes` tells of all that is recorded; services that record nothing tell themselves.
"""

from __future__ import annotations

from uuid import UUID

from django.db import connection

CHANNEL = "warhost_news"
RAISE = """
WITH told AS (UPDATE kingdom_campaign SET revision = revision + 1 WHERE id = %s RETURNING id, revision)
SELECT pg_notify(%s, id || ':' || revision) FROM told
"""


def notify_campaign(campaign: UUID) -> None:
    """The campaign has changed for somebody: every page that follows it looks again.

    Whoever calls holds the campaign's row or takes no other lock afterwards.
    """
    with connection.cursor() as cursor:
        cursor.execute(RAISE, [campaign, CHANNEL])


def notify(pk: UUID, version: int, *, beside: UUID | None = None) -> None:
    """This thing is at a new version. `beside`: the campaign some of whose pages show it among others."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, f"{pk}:{version}:{beside or ''}"])
