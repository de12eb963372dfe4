"""Event types of webhooks. Apps contribute theirs.

Payloads are thin: ids, numbers of versions and days, and where to read more. `sentence` is for a channel that every
player may read: it says only what each of them may know, or is None.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from typing import Any, NamedTuple, Protocol
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet
from django.tasks import task
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext

from core.queries import find_one
from kingdom.contributions import contributed
from kingdom.members import mail
from kingdom.models import ApprovalRequest, Campaign, ChronicleEntry, User, Webhook, WebhookDelivery, WebhookState
from kingdom.sharing.share_kinds import LinkPreview

About = Mapping[str, Any]
TEST = "webhook.test"
TAKEN_BACK = "taken_back"


class Letter(NamedTuple):
    """An event as a mail. `label`: its choice in the settings; `to`: the users concerned; `text`: its text, if not the
    `sentence`. `wait`: delay, so that a user who acts at once gets no mail.
    """

    label: str | Promise
    to: Callable[[Campaign, About], Iterable[User]]
    text: Callable[[Campaign, About], str | None] | None = None
    wait: timedelta = timedelta()


@dataclass(frozen=True)
class HookEvent:
    """An event type.

    - `api`, `page`: addresses of what it is about.
    - `sentence(campaign, about)`: its text in the active language; None if not every player may read it.
    - `picture`: the image beside the sentence, visible to the same readers; None for none.
    - `letter`: the event as a mail.
    """

    name: str | Promise
    api: Callable[[Campaign, About], str]
    page: Callable[[Campaign, About], str]
    sentence: Callable[[Campaign, About], str | None]
    picture: Callable[[Campaign, About], LinkPreview | None] | None = None
    letter: Letter | None = None


def list_slugs() -> list[str]:
    """Return the slugs of all events that can be chosen."""
    return sorted(contributed().webhook_events.keys() - {TEST})


def get_event_type(slug: str) -> HookEvent:
    return contributed().webhook_events[slug]


def name_of(slug: str) -> str:
    """Return the name in the active language; the slug of an unknown event."""
    event = contributed().webhook_events.get(slug)
    return str(event.name) if event else slug


def choices() -> list[tuple[str, str]]:
    return [(slug, f"{name_of(slug)} ({slug})") for slug in list_slugs()]


def list_letters() -> list[tuple[str, str | Promise]]:
    """Return the events that can be mailed, with the labels of their choices."""
    events = contributed().webhook_events
    return [(slug, event.letter.label) for slug, event in events.items() if event.letter]


# Mails about events of a campaign, to members who have chosen that event.
#
# A mail is composed when it is sent, in its reader's language. A delayed mail is not sent if its reason is gone by
# then.

QUEUE = "mail"


def post_letters(campaign: UUID, event: str, about: Mapping[str, Any], *, by: UUID | None = None) -> None:
    """Mail the members who have chosen this event, after the transaction commits, except `by`, who caused it. One query
    if nobody has chosen it.
    """
    letter = get_event_type(event).letter
    if letter is None or about.get(TAKEN_BACK) or not _members_asking(campaign, event).exists():
        return
    sending = send_letters.using(run_after=timezone.now() + letter.wait) if letter.wait else send_letters
    sending.enqueue(str(campaign), event, dict(about), str(by or ""))


def _members_asking(campaign: UUID, event: str) -> QuerySet[User]:
    return User.objects.filter(memberships__campaign=campaign, mails__contains=[event])


@task(queue_name=QUEUE)
def send_letters(campaign_id: str, event: str, about: dict[str, Any], by: str) -> None:
    """Send the mails to members who have chosen the event now."""
    campaign = find_one(Campaign.objects.filter(pk=campaign_id, deleted_at=None))
    told = get_event_type(event)
    if campaign is None or told.letter is None:
        return
    concerned = {user.pk for user in told.letter.to(campaign, about)}
    asking = _members_asking(campaign.pk, event).filter(pk__in={str(pk) for pk in concerned} - {by})
    page = f"{settings.SITE_URL}{told.page(campaign, about)}" if settings.SITE_URL else ""
    mail.send_composed(asking, lambda: _compose(campaign, told, about), page=page)


def _compose(campaign: Campaign, told: HookEvent, about: About) -> mail.Composed | None:
    """Return the mail in the active language; None if not every player may read it."""
    said = told.letter.text(campaign, about) if told.letter and told.letter.text else told.sentence(campaign, about)
    if said is None:
        return None
    foot = gettext("You can turn these emails off in your account settings.")
    return mail.Composed(f"{campaign.name}: {told.name}", said, foot)


# Outbox of webhooks: an event is stored for each webhook that wants it, in the event's own transaction. An event that
# is rolled back is sent to nobody; a committed one stays until it is delivered.

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


LISTENING = Webhook.objects.filter(state=WebhookState.ON).order_by("pk").values_list("pk", "events")


def tell_webhooks(campaign: UUID, event: str, about: Mapping[str, Any]) -> None:
    """Notify the webhooks that listen to this event, and nobody by mail."""
    for webhook in [pk for pk, events in LISTENING.filter(campaign=campaign) if event in events]:
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
