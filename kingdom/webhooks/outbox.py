"""Outbox of webhooks: an event is stored for each webhook that wants it, in the event's own transaction. An event that
is rolled back is sent to nobody; a committed one stays until it is delivered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any, Protocol
from uuid import UUID

from kingdom.models import ApprovalRequest, ChronicleEntry, Webhook, WebhookDelivery, WebhookState
from kingdom.webhooks.event_types import TAKEN_BACK
from kingdom.webhooks.letters import post_letters

TIME, ARMY, REQUEST, ANSWERED = "time.advanced", "army.changed", "request.made", "request.answered"
ARMIES_TOLD = 100  # ids in one message; their number is always sent


class ChangeOfSomething(Protocol):
    """The subject of a change."""

    @property
    def subject_kind(self) -> str: ...
    @property
    def subject_id(self) -> str: ...


def tell(campaign: UUID, event: str, about: Mapping[str, Any], *, by: UUID | None = None, **more: Any) -> None:
    """Notify webhooks and mail readers of an event after the transaction commits. Two queries if there are none. `by`:
    who caused it and gets no mail. `more`: further data for mails.
    """
    post_letters(campaign, event, {**about, **more}, by=by)
    tell_webhooks(campaign, event, about)


def tell_webhooks(campaign: UUID, event: str, about: Mapping[str, Any]) -> None:
    """Notify the webhooks that listen to this event, and nobody by mail."""
    listening = Webhook.objects.filter(campaign=campaign, state=WebhookState.ON).order_by("pk")
    for webhook in [pk for pk, events in listening.values_list("pk", "events") if event in events]:
        put(WebhookDelivery(campaign_id=campaign, webhook_id=webhook, event=event, about=dict(about)))


def put(delivery: WebhookDelivery) -> WebhookDelivery:
    """Store the delivery and enqueue it, in this transaction."""
    from kingdom.webhooks.delivery import deliver

    delivery.save()
    deliver.enqueue(str(delivery.webhook_id))
    return delivery


def tell_of_entry(
    entry: ChronicleEntry, changes: Iterable[ChangeOfSomething], *, day: int, taken_back: bool = False
) -> None:
    """Notify of a chronicle entry that was made or undone. One event of time includes all its changes of armies."""
    about = {"entry": str(entry.pk), "version": entry.seq, "day": day, TAKEN_BACK: taken_back}
    if entry.kind == ChronicleEntry.Kind.WEEK:
        tell(entry.campaign_id, TIME, about, by=entry.by_id)
        return
    armies = dict.fromkeys(str(change.subject_id) for change in changes if change.subject_kind == "army")
    if armies:
        told = {"armies": list(islice(armies, ARMIES_TOLD)), "count": len(armies)}
        tell(entry.campaign_id, ARMY, {**about, **told})


def tell_of_request(petition: ApprovalRequest) -> None:
    tell(petition.campaign_id, REQUEST, {"request": str(petition.pk), "kind": petition.kind, "day": petition.day})


def tell_of_answer(petition: ApprovalRequest) -> None:
    tell(
        petition.campaign_id,
        ANSWERED,
        {"request": str(petition.pk), "kind": petition.kind, "day": petition.day, "answer": petition.status},
    )
