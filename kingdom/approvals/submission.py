"""Submission of requests: an action is tried, rolled back, and stored with its arguments as JSON until the GM
decides.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.db import transaction
from django.db.models import Model
from django.utils import timezone

from core.live import notify_campaign
from core.queries import find_one
from kingdom.access.decorators import WARRANTS, ask_leave, inside
from kingdom.chronicle import changes as chronicle_changes
from kingdom.chronicle.context import captured_entries
from kingdom.contributions import contributed
from kingdom.models import ApprovalRequest, Campaign, ChronicleEntry, User
from kingdom.webhooks.event_types import tell_of_answer, tell_of_request
from rules.core.errors import IllegalCommand, require
from rules.core.text import _, say

MAPPING = "map"

ArgumentReader = Callable[[type[Any], Campaign, str], Any]
"""`read(model, campaign, pk)` returns the row, or None."""


def list_types() -> dict[str, type[Any]]:
    """Return the models and named tuples that can be arguments, by their stored names."""
    return {kind.__name__: kind for kind in contributed().arguments}


def read_row(kind: type[Any], campaign: Campaign, pk: str) -> Any:
    return find_one(kind.objects.filter(pk=pk, campaign=campaign))


def read_same_campaign(_kind: type[Any], campaign: Campaign, pk: str) -> Any:
    """Return the campaign of the request, the only one that can be an argument."""
    return campaign if str(campaign.pk) == pk else None


def dump_argument(value: Any) -> Any:
    """Return the value as JSON for `load_argument`. Raises `TypeError` for a type without a contributed reader."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case Model():
            return {"a": _tag(value), "id": str(value.pk), "name": str(value)}
        case Mapping():
            return {"a": MAPPING, "of": {str(key): dump_argument(item) for key, item in value.items()}}
        case tuple() if hasattr(value, "_asdict"):
            return {"a": _tag(value), "of": {key: dump_argument(item) for key, item in value._asdict().items()}}
        case list() | tuple():
            return [dump_argument(item) for item in value]
    raise TypeError(f"{type(value).__name__} cannot wait for leave")


def _tag(value: Any) -> str:
    for kind in type(value).__mro__:
        if kind in contributed().arguments:
            return kind.__name__
    raise TypeError(f"{type(value).__name__} cannot wait for leave: nobody made it known")


def load_argument(data: Any, campaign: Campaign) -> Any:
    """Return the value of stored JSON, with present rows. Raises `IllegalCommand` naming a row that is deleted."""
    match data:
        case list():
            return [load_argument(item, campaign) for item in data]
        case {"a": "map", "of": items}:
            return {key: load_argument(item, campaign) for key, item in items.items()}
        case {"a": tag, "of": items}:
            return list_types()[tag](**{key: _tupled(load_argument(item, campaign)) for key, item in items.items()})
        case {"a": tag, "id": pk, "name": name}:
            return _row(tag, pk, name, campaign)
        case _:
            return data


def _tupled(value: Any) -> Any:
    """Return a list as a tuple: lists inside named tuples were tuples."""
    return tuple(value) if isinstance(value, list) else value


def _row(tag: str, pk: str, name: str, campaign: Campaign) -> Any:
    kind = list_types()[tag]
    row = contributed().arguments[kind](kind, campaign, pk)
    if row is None:
        raise IllegalCommand(say(_("{subject}: no longer in the campaign."), subject=name))
    return row


WAITING_MAX = 50


@transaction.atomic
def ask(*, by: User, campaign: Campaign, kind: str, command: str, arguments: Mapping[str, Any]) -> ApprovalRequest:
    """Return the request for this action. The same action requested again while it waits gives the same request.

    Raises whatever the action itself would, and `IllegalCommand` if it would change nothing.
    """
    kept = {name: dump_argument(value) for name, value in arguments.items()}
    locked = chronicle_changes.lock(campaign)
    waiting = ApprovalRequest.objects.filter(campaign=campaign, by=by, status=ApprovalRequest.State.WAITING)
    if same := waiting.filter(command=command, arguments=kept).first():
        return same
    entries = try_out(by=by, campaign=locked, command=command, arguments=kept)
    require(waiting.count() < WAITING_MAX, _("You already have {most} open requests. Wait for "
                                             "the GM’s answers or withdraw one."),
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
    """Run the action, roll it back, and return the chronicle entries it would make."""
    with transaction.atomic():
        with captured_entries() as entries:
            run(by=by, campaign=campaign, command=command, arguments=arguments)
        transaction.set_rollback(True)
    require(entries, _("This would change nothing, so no request was made."))
    return entries


def ask_again(*, by: User, campaign: Campaign, command: str, arguments: Mapping[str, Any]) -> None:
    """Request the action once more, on the present state, or run it if it no longer needs approval. Raises
    `ApprovalRequested`, and whatever the action itself would.
    """
    given = {name: load_argument(value, campaign) for name, value in arguments.items()}
    ask_leave(WARRANTS[command], {"by": by, **given})
    run(by=by, campaign=campaign, command=command, arguments=arguments)


def run(*, by: User, campaign: Campaign, command: str, arguments: Mapping[str, Any]) -> None:
    """Run the action without approval. Raises whatever the service raises."""
    given = {name: load_argument(value, campaign) for name, value in arguments.items()}
    with inside():
        WARRANTS[command].service(by=by, **given)


def build_request_fields(entries: list[ChronicleEntry]) -> dict[str, Any]:
    """Return the request's text, changes, kingdoms and names from these entries."""
    return {
        "text": entries[-1].text,
        "changes": [change for entry in entries for change in entry.changes],
        "kingdoms": sorted({kingdom for entry in entries for kingdom in entry.kingdoms}),
        "names": sorted({named for entry in entries for named in entry.names}),
    }


def answer(petition: ApprovalRequest, status: str, by: User | None, **fields: Any) -> None:
    """Close a waiting request."""
    known = {"status": status, "answered_by": by, "answered_at": timezone.now(), **fields}
    for name, value in known.items():
        setattr(petition, name, value)
    petition.save(update_fields=list(known))
    if status != ApprovalRequest.State.WITHDRAWN:
        tell_of_answer(petition)
