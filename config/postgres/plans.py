"""What was planned once on a connection stays planned, whatever is taken back there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import psycopg
from psycopg._preparing import Prepare, PrepareManager
from psycopg.pq import ExecStatus

MADE_ANEW = (b"DROP", b"ALTER", b"DISCARD ALL", b"DEALLOCATE ALL")


class PlansKept(PrepareManager):
    """The driver forgets all plans of a connection after a ROLLBACK, one to a savepoint included: what was rolled back
    might have been a table. Here nothing but a migration makes tables, and every preview and every refusal rolls back.
    """

    @classmethod
    def of(cls, connection: psycopg.Connection[Any]) -> None:
        """From now on this connection keeps its plans."""
        before = connection._prepared
        kept = cls()
        kept.prepare_threshold, kept.prepared_max = before.prepare_threshold, before.prepared_max
        connection._prepared = kept

    def _should_discard(self, prep: Prepare, results: Sequence[Any], *_more: Any) -> bool:
        if not self._names and prep != Prepare.SHOULD:
            return False
        done = (result.command_status for result in results if result.status == ExecStatus.COMMAND_OK)
        return any(status and status.startswith(MADE_ANEW) for status in done) and self.clear()
