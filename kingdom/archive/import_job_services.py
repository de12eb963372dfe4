"""Services for imports that run in a thread beside the request: start, follow, stop, clean up."""

from __future__ import annotations

import logging
import shutil
import tempfile
from contextlib import suppress
from datetime import timedelta
from threading import Event, Thread
from typing import IO, BinaryIO, cast
from uuid import UUID

from django.db import DatabaseError, InterfaceError, connection
from django.utils import timezone

from core import text
from kingdom.access.decorators import unrestricted
from kingdom.access.guests import require_account
from kingdom.archive.export_rows import get_import_for
from kingdom.archive.import_rows import Progress
from kingdom.archive.services import Arrival, count_import, import_campaign
from kingdom.models import CampaignImport, User
from rules.core.errors import NotYet, Refusal
from rules.core.text import Said, _

KEPT = timedelta(days=1)
PATIENCE = 1.5  # seconds a request waits for a small document
BEAT = 1.0  # seconds between two reports of progress
FAULTS_KEPT = 50
BROKEN = _("The server could not finish the import. Nothing was imported.")
log = logging.getLogger(__name__)
Status = CampaignImport.Status


@unrestricted("It is his own campaign.")
def start_import(*, by: User, file: BinaryIO) -> CampaignImport:
    """Start an import. Return when it is done, or after a moment with its progress so far (`get_import_for`).

    The document is copied, so the request may end. Old imports are deleted. Raises `NotYet` if another import is
    running or too many were made lately, and `PermissionDenied` for a guest.
    """
    require_account(by)
    count_import(by)
    CampaignImport.objects.filter(created_at__lt=timezone.now() - KEPT).delete()
    row = CampaignImport.objects.create(owner=by)
    aside = _aside(file)
    errand = _Errand(row.pk, by, aside)
    if connection.in_atomic_block:  # other connections cannot see the row yet, so run it here
        errand.carry_out()
        errand.write()
    else:
        Thread(target=errand.run, name=f"import {row.pk}", daemon=True).start()
        errand.over.wait(PATIENCE)
    if errand.not_yet:
        row.delete()
        raise errand.not_yet
    row.refresh_from_db()
    return row


@unrestricted("Everybody stops what he began himself.")
def stop_import(*, by: User, import_id: UUID | str) -> CampaignImport:
    """Stop an import; nothing of it is written. Raises Http404."""
    found = get_import_for(by, import_id)
    CampaignImport.objects.filter(pk=found.pk, state=Status.RUNNING).update(state=Status.STOPPED)
    found.refresh_from_db()
    return found


def _aside(file: BinaryIO) -> IO[bytes]:
    copy = tempfile.TemporaryFile()  # noqa: SIM115 (closed with its errand)
    file.seek(0)
    shutil.copyfileobj(file, copy)
    return copy


class _Errand:
    """One import: a thread that runs it in a transaction, and one that reports its progress."""

    def __init__(self, row: UUID, by: User, file: IO[bytes]):
        self.row, self.by, self.file = row, by, file
        self.progress, self.over = Progress(), Event()
        self.found: Arrival | None = None
        self.faults: list[tuple[str, Said]] = []
        self.not_yet: NotYet | None = None
        self.state: str = Status.RUNNING

    def run(self) -> None:
        teller = Thread(target=self._tell, name=f"import {self.row} told", daemon=True)
        teller.start()
        try:
            self.carry_out()
            with suppress(DatabaseError, InterfaceError):  # the connection comes back, or the import is found dead
                self.write()
        finally:
            self.over.set()
            connection.close()
            teller.join()

    def carry_out(self) -> None:
        """Run the import. Its result is in `state` afterwards."""
        try:
            with self.file:
                file = cast(BinaryIO, self.file)
                self.found = import_campaign(by=self.by, file=file, progress=self.progress, counted=True)
            self.state = Status.DONE
        except Refusal as refusal:
            self.not_yet = refusal if isinstance(refusal, NotYet) else None
            self.faults, self.state = list(refusal.errors)[:FAULTS_KEPT], Status.FAILED
        except Exception:
            log.exception("A campaign could not be brought in")
            self.faults, self.state = [("", BROKEN)], Status.FAILED
        if self.progress.stop:
            self.state = Status.DONE if self.found else Status.STOPPED

    def write(self) -> None:
        """Write the result to the row."""
        CampaignImport.objects.filter(pk=self.row).update(
            state=self.state,
            step=self.progress.step,
            done=self.progress.of if self.state == Status.DONE else self.progress.done,
            of=self.progress.of,
            campaign=self.found.campaign if self.found else None,
            faults=[[pointer, text.dump_said(said)] for pointer, said in self.faults],
            warnings=[text.dump_said(said) for said in self.found.warnings] if self.found else [],
            beat_at=timezone.now(),
        )

    def _tell(self) -> None:
        """Report the progress regularly, and stop the import if its row says so."""
        try:
            while not self.over.wait(BEAT):
                with suppress(DatabaseError, InterfaceError):  # the connection comes back, or the import is found dead
                    self._beat()
        finally:
            connection.close()

    def _beat(self) -> None:
        told = CampaignImport.objects.filter(pk=self.row, state=Status.RUNNING)
        now = {"step": self.progress.step, "done": self.progress.done, "of": self.progress.of}
        if not self.over.is_set() and not told.update(**now, beat_at=timezone.now()):
            self.progress.stop = True
