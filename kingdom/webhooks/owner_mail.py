"""Mail to GMs when a webhook was switched off."""

from __future__ import annotations

from core.url_cache import get_url
from kingdom.members import mail
from kingdom.models import Webhook
from rules.core.text import _, say


def tell_gms(webhook: Webhook) -> None:
    """Once that is committed."""
    named = {"webhook": webhook.name, "campaign": webhook.campaign.name}
    text = _(
        "Nothing has come through to the webhook “{webhook}” of the campaign “{campaign}” for days, or it is gone. "
        "It is told nothing any more until you switch it on again:"
    )
    mail.send(
        mail.gms_of(webhook.campaign), say(_("“{webhook}” of “{campaign}” was switched off"), **named),
        say(text, **named), page=webhook.origin + get_url("kingdom:webhook", webhook.pk), language=webhook.language,
    )  # fmt: skip
