"""Forms of a person's own account."""

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
from core.time_zones import list_offered
from kingdom.access.queries import list_campaigns
from kingdom.campaign.queries import annotate_namesakes, name_apart
from kingdom.models import Campaign, DiceThrownBy, Scope, Units, User
from kingdom.models.natural import Natural

LIVES = ((7, _("a week")), (30, _("a month")), (90, _("three months")), (365, _("a year")))
SCOPES = (
    (Scope.READ, _("read: looks, and changes nothing")),
    (Scope.PLAY, _("play: orders, dice, checks and forecasts, too")),
    (Scope.MANAGE, _("manage: everything I may do myself")),
)


class CampaignField(forms.ModelChoiceField):
    """One of somebody's campaigns (`annotate_namesakes`)."""

    def label_from_instance(self, obj: Campaign) -> str:
        return name_apart(obj)


class TokenForm(forms.Form):
    """A token, as narrow as it can be unless somebody says otherwise."""

    name = forms.CharField(
        label=_("What is it for?"), max_length=NAME_MAX, help_text=_("For example: the table’s dice bot.")
    )
    scope = forms.ChoiceField(label=_("It may"), choices=SCOPES, initial=Scope.READ, widget=forms.RadioSelect)
    campaign = CampaignField(
        label=_("Campaign"), queryset=Campaign.objects.none(), required=False, empty_label=_("all of mine")
    )
    days = forms.TypedChoiceField(label=_("Works for"), coerce=int, initial=90)

    def __init__(self, *args: Any, user: User, **options: Any):
        super().__init__(*args, **options)
        fields: dict[str, Any] = self.fields
        fields["campaign"].queryset = annotate_namesakes(user, list_campaigns(user)).order_by(Natural("name"), "id")
        longest = settings.TOKEN_DAYS_MOST
        fields["days"].choices = [life for life in LIVES if life[0] <= longest] or [
            (longest, ngettext("%(days)d day", "%(days)d days", longest) % {"days": longest})
        ]


class DeleteAccountForm(TypedNameForm):
    """Typing one’s own name is what keeps a slip from costing an account: this cannot be undone."""

    asked, wrong = _("Your username, to be sure"), _("This is not your username.")

    def __init__(self, *args: Any, user: User, **options: Any):
        super().__init__(*args, name=user.username, **options)


class SettingsForm(forms.Form):
    """What a person settles for themselves, language first."""

    language = forms.ChoiceField(label=_("Language of the pages"), required=False, widget=forms.RadioSelect)
    time_zone = forms.ChoiceField(label=_("Time zone"), required=False)
    dice = forms.ChoiceField(
        label=_("My dice"),
        widget=forms.RadioSelect,
        choices=[(DiceThrownBy.SERVER, _("the server rolls them")), (DiceThrownBy.TYPED, _("I type what I rolled"))],
        help_text=_("In battles, their aftermath and when time passes. A battle’s page has the same switch."),
    )
    units = forms.ChoiceField(
        label=_("Lengths"),
        widget=forms.RadioSelect,
        choices=[(Units.METRES, _("in metres and kilometres")), (Units.FEET, _("in feet and miles"))],
        required=False,
    )
    sound = forms.BooleanField(
        label=_("A sound in a battle, when it is my turn or a phase is resolved"), required=False
    )
    notices = forms.BooleanField(
        label=_("A notification of this device then, when the battle’s page is not in front"), required=False
    )

    keys = forms.BooleanField(
        label=_("Single keys command a battle’s page"), required=False, help_text=_("There, “?” lists them.")
    )

    def __init__(self, *args: Any, **options: Any):
        super().__init__(*args, **options)
        language: Any = self.fields["language"]
        language.choices = [("", _("as the browser asks")), *settings.LANGUAGES]
        zone: Any = self.fields["time_zone"]
        chosen = self.initial.get("time_zone") or ""  # by an older name, it may be
        names = (*([chosen] if chosen and chosen not in list_offered() else []), *list_offered())
        zone.choices = [("", _("that of this device")), *((name, name.replace("_", " ")) for name in names)]
        now = date_format(localtime(), "SHORT_DATETIME_FORMAT")
        zone.help_text = gettext("Now it is {now} there.").format(now=now)
