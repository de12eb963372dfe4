"""Submission of requests: a deed is tried, rolled back, and stored until the GM answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from core.live import notify_campaign
from kingdom.access.decorators import WARRANTS, inside
from kingdom.approvals import arguments as approvals_arguments
from kingdom.chronicle import changes as chronicle_changes
from kingdom.chronicle.context import captured_entries
from kingdom.models import ApprovalRequest, Campaign, ChronicleEntry, User
from kingdom.webhooks.outbox import tell_of_request
from rules.core.errors import require
from rules.core.text import _

WAITING_MAX = 50


@transaction.atomic
def ask(*, by: User, campaign: Campaign, kind: str, command: str, arguments: Mapping[str, Any]) -> ApprovalRequest:
    """The petition for this deed; the same deed asked again while it waits is the same petition.

    Raises whatever the deed itself would, and `IllegalCommand` where it would change nothing.
    """
    kept = {name: approvals_arguments.dump_argument(value) for name, value in arguments.items()}
    locked = chronicle_changes.lock(campaign)
    waiting = ApprovalRequest.objects.filter(campaign=campaign, by=by, status=ApprovalRequest.State.WAITING)
    if same := waiting.filter(command=command, arguments=kept).first():
        return same
    entries = try_out(by=by, campaign=locked, command=command, arguments=kept)
    require(waiting.count() < WAITING_MAX, _("{most} of your requests wait already: let the GM answer them first."),
            most=WAITING_MAX)  # fmt: skip
    made = ApprovalRequest.objects.create(
        campaign=campaign,
        by=by,
        day=locked.day,
        kind=kind,
        command=command,
        arguments=kept,
        **build_request_fields(entries),
    )
    notify_campaign(campaign.pk)
    tell_of_request(made)
    return made


def try_out(*, by: User, campaign: Campaign, command: str, arguments: Mapping[str, Any]) -> list[ChronicleEntry]:
    """What the chronicle would tell of the deed done now; everything is taken back."""
    with transaction.atomic():
        with captured_entries() as entries:
            run(by=by, campaign=campaign, command=command, arguments=arguments)
        transaction.set_rollback(True)
    require(entries, _("This would change nothing: there is nothing to ask for."))
    return entries


def run(*, by: User, campaign: Campaign, command: str, arguments: Mapping[str, Any]) -> None:
    """Do the deed without asking leave. Whatever the service refuses is refused."""
    given = {name: approvals_arguments.load_argument(value, campaign) for name, value in arguments.items()}
    with inside():
        WARRANTS[command].service(by=by, **given)


def build_request_fields(entries: list[ChronicleEntry]) -> dict[str, Any]:
    """Text, lines and kingdoms of what was done, and what the chronicle knows to be named there."""
    return {
        "text": entries[-1].text,
        "changes": [change for entry in entries for change in entry.changes],
        "kingdoms": sorted({kingdom for entry in entries for kingdom in entry.kingdoms}),
        "names": sorted({named for entry in entries for named in entry.names}),
    }


def answer(petition: ApprovalRequest, status: str, by: User | None, **fields: Any) -> None:
    """Close a waiting petition."""
    known = {"status": status, "answered_by": by, "answered_at": timezone.now(), **fields}
    for name, value in known.items():
        setattr(petition, name, value)
    petition.save(update_fields=list(known))
