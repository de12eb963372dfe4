"""Form of a webhook."""

from __future__ import annotations

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from core.clean_input import NAME_MAX
from kingdom.models import Webhook
from kingdom.webhooks import event_types
from kingdom.webhooks.addresses import URL_MAX


class WebhookForm(forms.Form):
    """Form of a webhook: its address, events, format and language."""

    url = forms.CharField(
        label=_("Address"),
        max_length=URL_MAX,
        widget=forms.URLInput(attrs={"placeholder": "https://"}),
        help_text=_("For Discord: Edit Channel, Integrations, Webhooks, Copy Webhook URL."),
    )
    name = forms.CharField(label=_("Name"), max_length=NAME_MAX, required=False)
    shape = forms.ChoiceField(
        label=_("Format"),
        choices=Webhook.Shape.choices,
        initial=Webhook.Shape.STANDARD,
        widget=forms.RadioSelect,
        help_text=_("Programs get ids and links to details. Sentences contain only what every player may read."),
    )
    language = forms.ChoiceField(label=_("Sentence language"), choices=settings.LANGUAGES)
    events = forms.MultipleChoiceField(
        label=_("Events"), choices=event_types.choices, widget=forms.CheckboxSelectMultiple
    )
