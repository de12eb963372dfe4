"""Form that lets time pass: how long, and typed dice. A ruleset's `WeeksUI` adds its choices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext_lazy as _

from armies.weeks.passage import MOST_DAYS, TimeStop
from core.forms.form_fields import Whole
from core.text import render
from kingdom.dice_fields import DiceFields
from kingdom.models import Campaign
from kingdom.models.calendar_input import MOST_YEAR
from rules.core.errors import Refusal
from rules.core.text import Term

DAY, WEEK, DAYS, DATE = "day", "week", "days", "date"
UNTIL = {
    TimeStop.ARRIVAL: _("Until an army arrives"),
    TimeStop.RECOVERY: _("Until an army has recovered or a commander is back"),
    TimeStop.EMPTY_TREASURY: _("Until a treasury runs out"),
}


class TimeForm(DiceFields, forms.Form):
    """Form of passing time. `data`: None for a fresh form. `rolls`: names of the ruleset's dice; without any it asks
    for no dice.
    """

    most_dice = 1_000
    span = forms.ChoiceField(label=_("How long"), widget=forms.RadioSelect, initial=WEEK)
    days = Whole(label=_("Number of days"), least=1, most=MOST_DAYS, required=False)
    to_day = Whole(label=_("Day of the month"), least=1, most=999, required=False)
    to_month = forms.TypedChoiceField(label=_("Month"), coerce=int, required=False)
    to_year = Whole(label=_("Year"), least=-MOST_YEAR, most=MOST_YEAR, required=False)
    dice_by = forms.ChoiceField(
        label=_("Dice"),
        widget=forms.RadioSelect,
        initial="server",
        required=False,
        choices=[("server", _("Rolled by Warhost")), ("table", _("Rolled at the table"))],
    )
    day = forms.IntegerField(widget=forms.HiddenInput, required=False)
    mark = forms.CharField(widget=forms.HiddenInput, required=False, max_length=64)
    data: MultiValueDict[str, Any]

    def __init__(self, data: QueryDict | None = None, *, campaign: Campaign, rolls: Mapping[str, Term]):
        super().__init__(data)
        self.campaign, self.rolls = campaign, rolls
        span: Any = self.fields["span"]
        week = _("To the end of the week (day %(day)s)") % {"day": campaign.day + campaign.days_to_upkeep}
        span.choices = [
            (DAY, _("One day")),
            (WEEK, week),
            *UNTIL.items(),
            (DATE, _("Until a date")),
            (DAYS, _("Several days")),
        ]
        self._ask_for_date(campaign)
        if not rolls:
            del self.fields["dice_by"]
        self.take_dice(data)

    def _ask_for_date(self, campaign: Campaign) -> None:
        """Adds the choices of a date; its initial value is the first day of the next month."""
        month: Any = self.fields["to_month"]
        month.choices = [(number, render(one.name)) for number, one in enumerate(campaign.dates.months, 1)]
        date = campaign.dates.date(campaign.dates.next_month(campaign.day))
        self.initial.update(to_day=date.day, to_month=date.month, to_year=date.year)

    @property
    def date_fields(self) -> list[forms.BoundField]:
        return [self["to_day"], self["to_month"], self["to_year"]]

    @property
    def stop(self) -> TimeStop | None:
        """The event up to which time is to pass; None for a number of days."""
        span = self.cleaned_data["span"]
        return TimeStop(span) if span in UNTIL else None

    @property
    def choices(self) -> dict[str, Any]:
        """Choices for these days, by the names of the API."""
        return {}

    @property
    def weekly(self) -> dict[str, Any]:
        """Choices for the running week, by the names of the API."""
        return {}

    @property
    def for_the_week(self) -> bool:
        """Whether there are any choices for the running week."""
        return False

    @property
    def dice_field(self) -> forms.BoundField | None:
        return self["dice_by"] if "dice_by" in self.fields else None

    @property
    def confirmed(self) -> bool:
        return self.data.get("do") == "confirm"

    @property
    def keeps(self) -> bool:
        return self.data.get("do") == "keep"

    @property
    def by_hand(self) -> bool:
        return self.cleaned_data.get("dice_by") == "table"

    @property
    def settled_by(self) -> str:
        """Name of the field that decides about dice nobody typed; a confirmation has a field of its own."""
        return "settled_by" if self.confirmed else "how"

    def clean(self) -> None:
        super().clean()
        if self.cleaned_data.get("span") == DAYS and not self.cleaned_data.get("days") and "days" not in self.errors:
            self.add_error("days", _("Enter the number of days."))
        if self.cleaned_data.get("span") == DATE:
            self._find_date()
        self.check_faces()

    def _find_date(self) -> None:
        """Sets the number of days to the date."""
        data, dates = self.cleaned_data, self.campaign.dates
        try:
            day = dates.find_day(data.get("to_year"), data.get("to_month"), data.get("to_day"))  # type: ignore[arg-type]
        except (TypeError, ValueError):
            self.add_error("to_day", _("This date isn’t in the campaign’s calendar."))
            return
        away = day - self.campaign.day
        if 1 <= away <= MOST_DAYS:
            data["days"] = away
        elif away < 1:
            self.add_error("to_day", _("Choose a date after today."))
        else:
            self.add_error("to_day", _("Choose a date within the next %(most)s days.") % {"most": MOST_DAYS})

    def asked_for(self) -> dict[str, Any]:
        """Arguments of the services. For an event (`stop`) the days are not known yet."""
        data = self.cleaned_data
        days = {DAY: 1, WEEK: self.campaign.days_to_upkeep}.get(data["span"]) or data["days"]
        return {"days": days, "choices": self.choices, "typed": self.typed(), "ask": self.ask, "lenient": True}

    def refused(self, refusal: Refusal) -> None:
        """Adds each message to the field it is about, else to the form."""
        for pointer, message in refusal.errors:
            parts = pointer.replace("/to", "/span").strip("/").split("/")
            name = next((part for part in reversed(parts) if part in self.fields), None)
            self.add_error(name, render(message))
