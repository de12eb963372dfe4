"""Mails about events of a campaign, to members who have chosen that event.

A mail is composed when it is sent, in its reader's language. A delayed mail is not sent if its reason is gone by then.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet
from django.tasks import task
from django.utils import timezone
from django.utils.translation import gettext

from kingdom.members import mail
from kingdom.models import Campaign, User
from kingdom.webhooks.event_types import TAKEN_BACK, About, HookEvent, get_event_type

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
    campaign = Campaign.objects.filter(pk=campaign_id, deleted_at=None).first()
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
