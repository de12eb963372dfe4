"""Form of the choices as time passes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from armies.pathfinder.weeks.offers import Offers
from armies.pathfinder.weeks.week_choices import WEEKLY
from armies.weeks.forms import TimeForm
from kingdom.models import Campaign
from rules.core.text import Term
from rules.core.text import _ as term

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
    "live_off_the_land": (
        _("Live off the land"),
        _("Consumption halved, at least 1 BP; who sets out in that week marches at half its speed."),
    ),
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


class WeekForm(TimeForm):
    """Choices that nobody is offered are left out."""

    def __init__(self, data: QueryDict | None = None, *, campaign: Campaign, offers: Offers):
        super().__init__(data, campaign=campaign, rolls=ROLLS)
        self._offer(offers)

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
    def choices(self) -> dict[str, Any]:
        data = self.cleaned_data
        choices = {name: data[name] for name in (*ARMIES, *KINGDOMS) if name in self.fields and name != "run_upkeep"}
        if "run_upkeep" in self.fields:
            run: Any = self.fields["run_upkeep"]
            choices["skip_upkeep"] = [key for key, _name in run.choices if key not in data["run_upkeep"]]
        return choices

    @property
    def weekly(self) -> dict[str, list[str]]:
        return {name: self.cleaned_data[name] for name in WEEKLY if name in self.fields}

    @property
    def for_the_week(self) -> bool:
        return bool(self.kingdom_fields)


def _many(label: Any, help_text: Any, choices: list[tuple[str, str]], chosen: list[str]) -> forms.MultipleChoiceField:
    return forms.MultipleChoiceField(
        label=label,
        help_text=help_text,
        choices=choices,
        initial=chosen,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
