"""Views of webhooks and their deliveries, for GMs."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from core.forms.form_fields import claim_submission, new_submit_token, release_submission
from core.text import get_origin, render
from kingdom.access.permissions import PageRequest
from kingdom.access.queries import get_campaign_for
from kingdom.accounts.rate_limits import limit_page
from kingdom.models import Webhook
from kingdom.rendering import get_status, paginate_request, render_page, submit
from kingdom.webhooks import event_types
from kingdom.webhooks.delivery import withheld_because
from kingdom.webhooks.forms import WebhookForm
from kingdom.webhooks.queries import deliveries_of, delivery_of, get_webhook_for, webhooks_of
from kingdom.webhooks.services import (
    WEBHOOKS_MAX,
    NewWebhook,
    create_webhook,
    delete_webhook,
    rotate_secret,
    send_again,
    send_test,
    switch_webhook,
    update_webhook,
)
from rules.core.errors import Refusal

DELIVERIES_SHOWN = 20
WEBHOOK, SECRET = "webhook", "webhook_secret"  # remembers a submitted form, so that it creates only one


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def webhooks(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    """The campaign's webhooks. The secret of a new one is shown once, in the answer to the form."""
    campaign = get_campaign_for(request.user, campaign_id)
    found = webhooks_of(request.user, campaign)
    if not claim_submission(request, WEBHOOK):
        messages.info(
            request,
            _(
                "This webhook has already been created. Its secret can’t be shown again: generate a new one "
                "on its page."
            ),
        )
        return redirect("kingdom:webhooks", campaign.pk)
    form = WebhookForm(request.POST or None, initial={"language": get_language(), "events": event_types.list_slugs()})
    origin = get_origin(request)
    made = submit(form, lambda data: create_webhook(by=request.user, campaign=campaign, origin=origin, **data))
    if made:
        return _page(request, made.webhook, made=made)
    release_submission(request, WEBHOOK)
    full = len(found) >= WEBHOOKS_MAX
    context = {"campaign": campaign, "webhooks": found, "form": form, "full": full, "once": new_submit_token()}
    return render_page(request, "kingdom/webhooks/webhooks.html", context, status=get_status(form))


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def webhook(request: PageRequest, webhook_id: UUID) -> HttpResponse:
    """A webhook and its deliveries."""
    found = get_webhook_for(request.user, webhook_id)
    form = WebhookForm(request.POST) if request.method == "POST" else None
    if form is None:
        return _page(request, found)
    origin = get_origin(request)
    if submit(form, lambda data: update_webhook(by=request.user, webhook=found, origin=origin, **_named(found, data))):
        messages.success(request, _("Saved."))
        return redirect("kingdom:webhook", found.pk)
    return _page(request, get_webhook_for(request.user, webhook_id), form=form)


def _named(webhook: Webhook, data: dict[str, Any]) -> dict[str, Any]:
    return {**data, "name": data["name"] or webhook.name}


@login_required
@require_POST
def webhook_switch(request: PageRequest, webhook_id: UUID) -> HttpResponse:
    on = "on" in request.POST
    found = switch_webhook(by=request.user, webhook=get_webhook_for(request.user, webhook_id), on=on)
    messages.success(request, _("Webhook resumed.") if on else _("Webhook paused."))
    return redirect("kingdom:webhook", found.pk)


@login_required
@never_cache
@require_POST
def webhook_rotate(request: PageRequest, webhook_id: UUID) -> HttpResponse:
    found = get_webhook_for(request.user, webhook_id)
    if not claim_submission(request, SECRET):
        messages.info(request, _("This secret has already been generated and can’t be shown again: generate another."))
        return redirect("kingdom:webhook", found.pk)
    made = rotate_secret(by=request.user, webhook=found)
    return _page(request, made.webhook, made=made)


@login_required
@require_POST
@limit_page("costly")
def webhook_test(request: PageRequest, webhook_id: UUID) -> HttpResponse:
    found = get_webhook_for(request.user, webhook_id)
    try:
        send_test(by=request.user, webhook=found)
    except Refusal as refusal:
        messages.error(request, render(refusal.message))
        return redirect("kingdom:webhook", found.pk)
    messages.success(request, _("Test message sent. Its result appears here in a moment."))
    return redirect("kingdom:webhook", found.pk)


@login_required
@require_POST
@limit_page("costly")
def webhook_again(request: PageRequest, webhook_id: UUID, delivery_id: UUID) -> HttpResponse:
    found = get_webhook_for(request.user, webhook_id)
    try:
        send_again(by=request.user, delivery=delivery_of(found, delivery_id))
    except Refusal as refusal:
        messages.error(request, render(refusal.message))
        return redirect("kingdom:webhook", found.pk)
    messages.success(request, _("Message sent again."))
    return redirect("kingdom:webhook", found.pk)


@login_required
@require_POST
def webhook_delete(request: PageRequest, webhook_id: UUID) -> HttpResponse:
    found = get_webhook_for(request.user, webhook_id)
    campaign = found.campaign_id
    delete_webhook(by=request.user, webhook=found)
    messages.success(request, _("Webhook deleted."))
    return redirect("kingdom:webhooks", campaign)


def _page(
    request: PageRequest, webhook: Webhook, *, form: WebhookForm | None = None, made: NewWebhook | None = None
) -> HttpResponse:
    kept = {name: getattr(webhook, name) for name in WebhookForm.base_fields}
    deliveries = paginate_request(request, deliveries_of(webhook), DELIVERIES_SHOWN)
    for delivery in deliveries:
        delivery.event_name = event_types.name_of(delivery.event)
        delivery.why = withheld_because(delivery)
        delivery.tried = list(delivery.attempts.all())
    context = {
        "campaign": webhook.campaign,
        "webhook": webhook,
        "events": [event_types.name_of(event) for event in webhook.events],
        "made": made,
        "once": new_submit_token(),
        "form": form or WebhookForm(initial=kept),
        "page_obj": deliveries,
    }
    return render_page(request, "kingdom/webhooks/webhook.html", context, status=get_status(form) if form else 200)
