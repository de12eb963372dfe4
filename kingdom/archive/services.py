"""Services that import a campaign from its document."""

from __future__ import annotations

import logging
import math
import shutil
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import timedelta
from functools import partial
from threading import Event, Thread
from typing import IO, BinaryIO, NamedTuple, cast
from uuid import UUID

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection, transaction
from django.db.models import Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from core import text
from kingdom.access.decorators import internal, unrestricted
from kingdom.access.guests import require_account
from kingdom.accounts.rate_limits import Limit, count_attempt
from kingdom.archive.export_rows import get_import_for
from kingdom.archive.import_rows import Bounds, Document, PersonNamed, Progress, import_document
from kingdom.chronicle import changes as chronicle_changes
from kingdom.map.queries import find_map, load_map_state
from kingdom.map.services import list_size_changes
from kingdom.models import Campaign, CampaignImport, ChronicleEntry, Kingdom, Membership, Role, User
from rules.core.errors import NotYet, Refusal, require
from rules.core.text import Said, _, say

BROUGHT = Limit("import", 20, 60)
NAMES_TOLD = 20
HELD = "SELECT pg_try_advisory_xact_lock(hashtextextended(%s, 7))"  # the lock ends with the transaction
MEGABYTE = 1_048_576
WAIT = 10  # seconds


class Arrival(NamedTuple):
    """An imported campaign, and warnings about what could not be imported."""

    campaign: Campaign
    warnings: tuple[Said, ...]


@unrestricted("It is his own campaign.")
def import_campaign(*, by: User, file: BinaryIO, progress: Progress | None = None, counted: bool = False) -> Arrival:
    """Import a campaign from its document (`file`, plain or gzip), as a whole or not at all. The user becomes its GM.

    Other people named in it get no seat and are not authors here: a name proves nothing, and nobody joins unasked.
    `progress` is updated; `counted`: `count_import` was called already. Raises `InvalidInput` with pointers into the
    document, `IllegalCommand` if the account's quota is used up, `NotYet` for too many imports at once or in an hour,
    `PermissionDenied` for a guest.
    """
    require_account(by)
    if not counted:
        count_import(by)
    with transaction.atomic():
        _take_turn(by)
        document = Document(file, Bounds(settings.IMPORT_UNPACKED, settings.IMPORT_ROWS))
        return _brought(by, document, everybody=False, progress=progress, admit=partial(_demand_room, by))


def count_import(user: User) -> None:
    """Count an import. Raises `NotYet` for too many in an hour."""
    if wait := count_attempt(BROUGHT, str(user.pk)):
        told = {"most": BROUGHT.most, "minutes": math.ceil(wait / 60)}
        raise NotYet(say(_("You can import {most} campaigns per hour. Try again in {minutes} min."), **told), wait=wait)


@internal
def restore_campaign(*, by: User, file: BinaryIO, everybody: bool, progress: Progress | None = None) -> Arrival:
    """Import a campaign for the administrator, without limits. With `everybody`, people whose names match accounts here
    get their seats and authorship back.
    """
    with transaction.atomic():
        return _brought(by, Document(file), everybody=everybody, progress=progress)


def _take_turn(by: User) -> None:
    """Hold one of the site's import slots until the transaction ends, one for each account. Raises `NotYet`."""
    if not _hold(str(by.pk)):
        raise NotYet(_("You are already importing a campaign. Wait until it is done."), wait=WAIT)
    if not any(_hold(f"place {place}") for place in range(settings.IMPORTS_AT_ONCE)):
        raise NotYet(_("Other campaigns are being imported. Try again in a moment."), wait=WAIT)


def _hold(name: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(HELD, [name])
        return bool(cursor.fetchone()[0])


def _demand_room(by: User, size: int) -> None:
    """Raise `IllegalCommand` if this many bytes exceed the account's quota. Deleted campaigns count until they are
    removed.
    """
    used = Campaign.objects.filter(owner=by).aggregate(sum=Coalesce(Sum("brought_bytes"), 0))["sum"]
    require(used + size <= settings.IMPORT_QUOTA,
            _("Not enough space for this campaign ({size} MB). Your imported campaigns use {used} of {most} MB. "
              "Delete one; its space is freed a week later."),
            size=_in_megabytes(size), used=_in_megabytes(used), most=settings.IMPORT_QUOTA // MEGABYTE)  # fmt: skip


def _in_megabytes(size: int) -> int:
    return math.ceil(size / MEGABYTE)


def _brought(
    by: User,
    document: Document,
    *,
    everybody: bool,
    progress: Progress | None,
    admit: Callable[[int], None] | None = None,
) -> Arrival:
    known = _accounts(by, document.people, everybody=everybody)
    own = {"created_by": by, "owner": by}
    campaign = import_document(document, people=known, own=own, progress=progress, admit=admit)
    Membership.objects.update_or_create(campaign=campaign, user=by, defaults={"role": Role.GM})
    strangers = [one.name for one in document.people if one.id not in known]
    warnings = (*_warnings(strangers), *_sizes_follow(by, campaign))
    return Arrival(Campaign.objects.get(pk=campaign.pk), warnings)


def _sizes_follow(by: User, campaign: Campaign) -> tuple[Said, ...]:
    """Set sizes that differ from the map, if sizes follow it. Return warnings; the chronicle gets an entry that cannot
    be undone, since undo would separate them again.
    """
    campaign = chronicle_changes.lock(campaign)
    drawn = find_map(campaign)
    changes = list_size_changes(campaign, drawn, load_map_state(drawn)) if drawn else []
    if not changes:
        return ()
    for change in changes:
        Kingdom.objects.filter(pk=change.subject_id).update(**{change.field: change.after})
    told = ", ".join(f"{change.subject} {chronicle_changes.show(change.before)} → {change.after}" for change in changes)
    chronicle_changes.write_entry(
        campaign=campaign, day=campaign.day, by=by, kind=ChronicleEntry.Kind.OTHER, private=True, changes=(),
        kingdoms=[UUID(change.subject_id) for change in changes],
        text=say(_("On import, kingdom sizes were set to match their hexes on the map: {kingdoms}."), kingdoms=told),
    )  # fmt: skip
    said = _("Kingdom sizes follow the map, so some differ from the file: {kingdoms}. The chronicle lists them, too.")
    return (say(said, kingdoms=told),)


def _accounts(by: User, people: Sequence[PersonNamed], *, everybody: bool) -> dict[str, UUID]:
    """Return the accounts of these people, by their ids in the document."""
    here = {by.username: by.pk}
    if everybody:
        found = User.objects.filter(username__in=[one.name for one in people])
        here |= dict(found.values_list("username", "pk"))
    return {one.id: here[one.name] for one in people if one.name in here}


def _warnings(strangers: Sequence[str]) -> tuple[Said, ...]:
    if not strangers:
        return ()
    told = [*strangers[:NAMES_TOLD], *(["…"] if len(strangers) > NAMES_TOLD else [])]
    said = _("The file names {people}. They aren’t members here until you invite them.")
    return (say(said, people=", ".join(told)),)


# Services for imports that run in a thread beside the request: start, follow, stop, clean up.

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
