"""The GMs are told that a webhook was switched off: by mail, beside what their campaign's page says."""

from __future__ import annotations

import logging
from smtplib import SMTPException

from allauth.account.models import EmailAddress
from django.core.mail import send_mail
from django.utils import translation
from django.utils.translation import gettext as _

from kingdom.addresses import address
from kingdom.models import Membership, Role, User, Webhook

log = logging.getLogger(__name__)


def tell_gms(webhook: Webhook) -> None:
    """A mail to each who has said that his address is his."""
    gms = Membership.objects.filter(campaign=webhook.campaign_id, role=Role.GM).values("user")
    known = EmailAddress.objects.filter(user__in=gms, verified=True, primary=True).select_related("user")
    for mail in known:
        try:
            _send(mail.user, mail.email, webhook)
        except (OSError, SMTPException) as error:  # the campaign's page says it, too
            log.warning("A GM could not be told of a webhook that was switched off: %s", error)


def _send(user: User, to: str, webhook: Webhook) -> None:
    with translation.override(user.language or webhook.language):
        named = {"webhook": webhook.name, "campaign": webhook.campaign.name}
        subject = _("“{webhook}” of “{campaign}” was switched off").format(**named)
        said = _(
            "Nothing has come through to the webhook “{webhook}” of the campaign “{campaign}” for days, or it is gone. "
            "It is told nothing any more until you switch it on again:"
        ).format(**named)
        page = webhook.origin + address("kingdom:webhook", webhook.pk)
        send_mail(" ".join(subject.split()), f"{said}\n\n{page}\n", None, [to])
