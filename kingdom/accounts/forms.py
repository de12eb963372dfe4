"""Forms of a user's own account."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from core.clean_input import NAME_MAX
from core.forms.typed_name import TypedNameForm
from core.text import list_offered
from kingdom.access.queries import list_campaigns
from kingdom.campaign.queries import annotate_namesakes, name_apart
from kingdom.models import Campaign, DiceThrownBy, Scope, Units, User
from kingdom.models.base import Natural
from kingdom.webhooks.event_types import list_letters

LIVES = ((7, _("a week")), (30, _("a month")), (90, _("three months")), (365, _("a year")))
SCOPES = (
    (Scope.READ, _("read: can view everything, changes nothing")),
    (Scope.PLAY, _("play: also orders, dice, checks and forecasts")),
    (Scope.MANAGE, _("manage: everything I can do")),
)


class CampaignField(forms.ModelChoiceField):
    """Choice of one of a user's campaigns; equal names are told apart (`annotate_namesakes`)."""

    def label_from_instance(self, obj: Campaign) -> str:
        return name_apart(obj)


class TokenForm(forms.Form):
    """Form of a new token, with the narrowest scope as default."""

    name = forms.CharField(label=_("Purpose"), max_length=NAME_MAX, help_text=_("For example: our table’s dice bot."))
    scope = forms.ChoiceField(label=_("Scope"), choices=SCOPES, initial=Scope.READ, widget=forms.RadioSelect)
    campaign = CampaignField(
        label=_("Campaign"), queryset=Campaign.objects.none(), required=False, empty_label=_("all my campaigns")
    )
    days = forms.TypedChoiceField(label=_("Valid for"), coerce=int, initial=90)

    def __init__(self, *args: Any, user: User, **options: Any):
        super().__init__(*args, **options)
        fields: dict[str, Any] = self.fields
        fields["campaign"].queryset = annotate_namesakes(user, list_campaigns(user)).order_by(Natural("name"), "id")
        longest = settings.TOKEN_DAYS_MOST
        fields["days"].choices = [life for life in LIVES if life[0] <= longest] or [
            (longest, ngettext("%(days)d day", "%(days)d days", longest) % {"days": longest})
        ]


class DeleteAccountForm(TypedNameForm):
    """Form to confirm with one's own username that the account is deleted for good."""

    asked, wrong = _("Your username, to confirm"), _("This isn’t your username. Enter it exactly as shown.")

    def __init__(self, *args: Any, user: User, **options: Any):
        super().__init__(*args, name=user.username, **options)


class SettingsForm(forms.Form):
    """Form of a user's settings, language first."""

    language = forms.ChoiceField(label=_("Language"), required=False, widget=forms.RadioSelect)
    time_zone = forms.ChoiceField(label=_("Time zone"), required=False)
    dice = forms.ChoiceField(
        label=_("My dice"),
        widget=forms.RadioSelect,
        choices=[(DiceThrownBy.SERVER, _("rolled by Warhost")), (DiceThrownBy.TYPED, _("rolled at the table"))],
        help_text=_(
            "In battles, their aftermath and when time passes. You can also change this on each battle’s page."
        ),
    )
    units = forms.ChoiceField(
        label=_("Units of length"),
        widget=forms.RadioSelect,
        choices=[
            ("", _("usual for the language")),
            (Units.METRES, _("meters and kilometers")),
            (Units.FEET, _("feet and miles")),
        ],
        required=False,
        help_text=_("English uses feet, French uses meters."),
    )
    sound = forms.BooleanField(
        label=_("Play a sound in battles when it is my turn or a phase is resolved"), required=False
    )
    notices = forms.BooleanField(
        label=_("Also send a notification when the battle’s page is in the background"), required=False
    )

    mails = forms.MultipleChoiceField(label=_("Email me when"), required=False, widget=forms.CheckboxSelectMultiple)
    keys = forms.BooleanField(
        label=_("Use keyboard shortcuts in battles"), required=False, help_text=_("Press “?” there for the list.")
    )

    def __init__(self, *args: Any, mailed_to: str = "", **options: Any):
        super().__init__(*args, **options)
        mails: Any = self.fields["mails"]
        mails.choices = list_letters()
        to = gettext("Sent to {address}.").format(address=mailed_to)
        mails.help_text = to if mailed_to else gettext("Confirm an email address first, or nothing is sent.")
        language: Any = self.fields["language"]
        language.choices = [("", _("same as the browser")), *settings.LANGUAGES]
        zone: Any = self.fields["time_zone"]
        chosen = self.initial.get("time_zone") or ""  # the stored zone may have an older name
        names = (*([chosen] if chosen and chosen not in list_offered() else []), *list_offered())
        zone.choices = [("", _("same as this device")), *((name, name.replace("_", " ")) for name in names)]
        now = date_format(localtime(), "SHORT_DATETIME_FORMAT")
        zone.help_text = gettext("Current time there: {now}").format(now=now)
