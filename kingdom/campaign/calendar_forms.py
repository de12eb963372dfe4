"""Form of the campaign's calendar."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from core.forms.form_fields import Whole
from core.text import render
from kingdom.models.calendar import DAYS_A_WEEK, MOST_YEAR, NAME, Calendar, dump_calendar
from rules.core.errors import Refusal

LINE = re.compile(r"^(?P<name>.*\S)\s+(?P<days>\d{1,4})$")


class CalendarForm(forms.Form):
    """Form with one month a line, seven weekdays, and the date of day 0."""

    months = forms.CharField(
        label=_("Months"),
        widget=forms.Textarea(attrs={"rows": 13, "spellcheck": "false"}),
        max_length=2_000,
        help_text=_("One per line, with its number of days, such as “January 31”."),
    )
    year = Whole(label=_("Year"), least=-MOST_YEAR, most=MOST_YEAR)
    month = Whole(label=_("Month"), least=1, most=99, help_text=_("As a number; 1 is the first month."))
    day = Whole(label=_("Day of the month"), least=1, most=999)

    def __init__(self, *args: Any, calendar: Calendar, **options: Any):
        names = {f"weekday_{place}": render(name) for place, name in enumerate(calendar.weekdays)}
        epoch = {"year": calendar.year, "month": calendar.month, "day": calendar.day}
        months = "\n".join(f"{render(month.name)} {month.days}" for month in calendar.months)
        super().__init__(*args, **{"initial": {"months": months, **epoch, **names}, **options})
        self._usual = Calendar()
        for place in range(DAYS_A_WEEK):
            label = _("Day %(number)s of the week") % {"number": place + 1}
            self.fields[f"weekday_{place}"] = forms.CharField(label=label, max_length=NAME)

    @property
    def weekday_fields(self) -> list[forms.BoundField]:
        return [self[f"weekday_{place}"] for place in range(DAYS_A_WEEK)]

    def clean_months(self) -> list[dict[str, Any]]:
        lines = [line.strip() for line in self.cleaned_data["months"].splitlines() if line.strip()]
        return [self._month(number, line) for number, line in enumerate(lines, 1)]

    def _month(self, number: int, line: str) -> dict[str, Any]:
        found = LINE.match(line)
        if not found:
            message = _("Line %(number)s needs a name and a number of days.") % {"number": number}
            raise forms.ValidationError(message)
        return {"name": found["name"], "days": int(found["days"])}

    def given(self) -> dict[str, Any]:
        """Return the calendar for the service. Default names are returned as stored, so they stay translatable."""
        data = self.cleaned_data
        kept = dump_calendar(self._usual)
        usual = {render(month.name): str(month.name) for month in self._usual.months}
        days = {render(name): str(name) for name in self._usual.weekdays}
        months = [{**month, "name": usual.get(month["name"], month["name"])} for month in data["months"]]
        weekdays = [data[f"weekday_{place}"] for place in range(DAYS_A_WEEK)]
        return {
            **kept,
            "months": months,
            "weekdays": [days.get(name, name) for name in weekdays],
            "epoch": {"year": data["year"], "month": data["month"], "day": data["day"]},
        }

    def refused(self, refusal: Refusal) -> None:
        """Add a refusal to the fields: `/calendar/months/3/days` to the months."""
        for pointer, message in refusal.errors:
            parts = [part for part in pointer.split("/") if part not in ("", "calendar", "epoch")]
            name = parts[0] if parts else None
            if name == "weekdays":
                name = f"weekday_{parts[1]}" if len(parts) > 1 else "weekday_0"
            self.add_error(name if name in self.fields else None, render(message))
