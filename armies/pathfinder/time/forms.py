"""The form that lets time pass: how long, what people choose, and the dice they type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext_lazy as _

from armies.pathfinder.time.chosen import WEEKLY
from armies.pathfinder.time.page import Offers
from armies.pathfinder.time.services import MOST_DAYS
from kingdom.forms.dice import DiceFields
from kingdom.forms.fields import Whole
from kingdom.models import Campaign
from kingdom.text import render
from rules.errors import Refusal
from rules.text import Term
from rules.text import _ as term

DAY, WEEK, DAYS = "day", "week", "days"
ROLLS: Mapping[str, Term] = {
    "rally": term("Loyalty check for rest"),
    "disease": term("Stability check against disease"),
    "stability": term("Stability check in upkeep"),
    "unrest": term("Unrest after a bad failure"),
    "income": term("Economy check for taxes"),
    "routed": term("Loyalty check of a routed army"),
    "forage": term("weeks of food in the hex"),
}
ARMIES = {
    "march": (_("On the move"), _("They do not rest. All others do.")),
    "live_off_the_land": (_("Live off the land"), _("Consumption halved, at least 1 BP.")),
    "cannibalize": (_("Cannibalize"), _("After a battle they won this week: Consumption −1.")),
    "commander_away": (_("Commander away"), _("Less than three days of the week with the army.")),
    "commander_present": (_("Commander with his army"), _("Three days of the week, whatever was counted.")),
    "pay_first": (_("Paid first"), _("If the treasury cannot pay all; then the cheapest come first.")),
}
KINGDOMS = {
    "pay_double": (_("Pay armies without a commander double"), _("They lose no morale then.")),
    "loyalty_check": (_("Daily Loyalty check"), _("If it passes, resting armies heal their ACR again that day.")),
    "collect_taxes": (_("Collect taxes"), _("At the beginning of a month: a third of an Economy check in BP.")),
    "run_upkeep": (_("Run the upkeep phase"), _("At the beginning of a month: Stability check, Consumption, Unrest.")),
}


class TimeForm(DiceFields, forms.Form):
    """`data` None: nothing asked yet. Choices that nobody is offered are left out."""

    rolls = ROLLS
    most_dice = 1_000
    span = forms.ChoiceField(label=_("How long"), widget=forms.RadioSelect, initial=WEEK)
    days = Whole(label=_("How many days"), least=1, most=MOST_DAYS, required=False)
    dice_by = forms.ChoiceField(
        label=_("Dice"),
        widget=forms.RadioSelect,
        initial="server",
        required=False,
        choices=[("server", _("Rolled here")), ("table", _("Typed at the table"))],
    )
    day = forms.IntegerField(widget=forms.HiddenInput, required=False)
    mark = forms.CharField(widget=forms.HiddenInput, required=False, max_length=64)
    data: MultiValueDict[str, Any]

    def __init__(self, data: QueryDict | None = None, *, campaign: Campaign, offers: Offers):
        super().__init__(data)
        self.campaign = campaign
        span: Any = self.fields["span"]
        week = _("To the end of the week (day %(day)s)") % {"day": campaign.day + campaign.days_to_upkeep}
        span.choices = [(DAY, _("A day")), (WEEK, week), (DAYS, _("Some days"))]
        self._offer(offers)
        self.take_dice(data)

    def _offer(self, offers: Offers) -> None:
        for name, (label, help_text) in ARMIES.items():
            if armies := offers.armies.get(name):
                self.fields[name] = _many(label, help_text, armies, offers.chosen.get(name, []))
        kingdoms = [(str(kingdom.pk), kingdom.name) for kingdom in offers.kingdoms]
        for name, (label, help_text) in KINGDOMS.items() if kingdoms else ():
            chosen = [key for key, _name in kingdoms] if name == "run_upkeep" else offers.chosen.get(name, [])
            self.fields[name] = _many(label, help_text, kingdoms, chosen)

    @property
    def kingdom_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in KINGDOMS if name in self.fields]

    @property
    def army_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in ARMIES if name in self.fields]

    @property
    def chosen(self) -> bool:
        """Whether the choices differ from what happens anyway: they stand open then."""
        if not self.is_bound:
            return any(self[name].initial for name in ("pay_double", *ARMIES) if name in self.fields)
        return any(self.data.getlist(name) for name in ("pay_double", "loyalty_check", *ARMIES))

    @property
    def confirmed(self) -> bool:
        return self.data.get("do") == "confirm"

    @property
    def keeps(self) -> bool:
        return self.data.get("do") == "keep"

    @property
    def ask(self) -> bool:
        return self.cleaned_data.get("dice_by") == "table" and self.data.get("do") != "roll"

    def clean(self) -> None:
        super().clean()
        if self.cleaned_data.get("span") == DAYS and not self.cleaned_data.get("days") and "days" not in self.errors:
            self.add_error("days", _("How many days?"))
        self.check_faces()

    def asked_for(self) -> dict[str, Any]:
        """What the services want."""
        data = self.cleaned_data
        days = {DAY: 1, WEEK: self.campaign.days_to_upkeep}.get(data["span"]) or data["days"]
        choices = {name: data[name] for name in (*ARMIES, *KINGDOMS) if name in self.fields and name != "run_upkeep"}
        if "run_upkeep" in self.fields:
            run: Any = self.fields["run_upkeep"]
            choices["skip_upkeep"] = [key for key, _name in run.choices if key not in data["run_upkeep"]]
        return {"days": days, "choices": choices, "typed": self.typed(), "ask": self.ask, "lenient": True}

    def weekly(self) -> dict[str, list[str]]:
        """What is chosen for the running week."""
        return {name: self.cleaned_data[name] for name in WEEKLY if name in self.fields}

    def refused(self, refusal: Refusal) -> None:
        """Beside its field where there is one."""
        for pointer, message in refusal.errors:
            name = next((part for part in reversed(pointer.strip("/").split("/")) if part in self.fields), None)
            self.add_error(name, render(message))


def _many(label: Any, help_text: Any, choices: list[tuple[str, str]], chosen: list[str]) -> forms.MultipleChoiceField:
    return forms.MultipleChoiceField(
        label=label,
        help_text=help_text,
        choices=choices,
        initial=chosen,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
