"""Form that lets time pass under mass combat, with its choices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from armies.pathfinder.forces.specs import knows_the_land, recovery_limit
from armies.pathfinder.models import PathfinderArmy
from armies.pathfinder.weeks.mapping import load_troop_totals
from armies.pathfinder.weeks.services import WeekProposal
from armies.pathfinder.weeks.week_choices import WEEKLY, eats_corpses, load_choices
from armies.weeks.forms import TimeForm
from kingdom.models import Campaign, Kingdom
from kingdom.models.base import Natural, make_natural_key
from kingdom.models.calendar import DAYS_A_WEEK
from rules.core.text import Term
from rules.core.text import _ as term

# Choices to offer, and payments to show.

MOST_OFFERED = 200  # armies: a longer list is no help; the API takes more


@dataclass(frozen=True, slots=True)
class Offers:
    """Choices by their names in the API: armies as (id, label). `chosen`: ids stored for the running week."""

    armies: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    kingdoms: tuple[Kingdom, ...] = ()
    chosen: Mapping[str, list[str]] = field(default_factory=dict)


def list_offers(campaign: Campaign) -> Offers:
    """Choices that the GM has for the passing days and for the running week."""
    kingdoms = tuple(sorted(campaign.kingdoms.all(), key=lambda one: (make_natural_key(one.name), one.pk)))
    chosen = load_choices(campaign, kingdoms)
    if sum(one.armies for one in load_troop_totals(kingdoms).values()) > MOST_OFFERED:
        return Offers({}, kingdoms, chosen)
    found = _armies(campaign, kingdoms)
    paid = [army for army in found if not army.kingdom.without_treasury]
    armies = {
        "march": [army for army in found if army.hp < recovery_limit(army) and not army.marching],
        "live_off_the_land": [army for army in found if knows_the_land(army)],
        "cannibalize": [army for army in found if eats_corpses(army)],
        "commander_away": [army for army in found if army.commander],
        "commander_present": [army for army in found if army.commander],
        "pay_first": paid if len(paid) > 1 else [],
    }
    return Offers({name: [_named(army) for army in some] for name, some in armies.items()}, kingdoms, chosen)


def _armies(campaign: Campaign, kingdoms: Sequence[Kingdom]) -> list[PathfinderArmy]:
    """The campaign's standing armies by kingdom, sharing its campaign object, so that rules are read once.

    Armies of a kingdom founded since the kingdoms were loaded are left out.
    """
    of = {kingdom.pk: kingdom for kingdom in kingdoms}
    found: list[PathfinderArmy] = [army for army in _standing(campaign) if army.kingdom_id in of]
    for army in found:
        army.campaign, army.kingdom = campaign, of[army.kingdom_id]
    return found


def _standing(campaign: Campaign) -> QuerySet[PathfinderArmy]:
    rows = PathfinderArmy.objects.filter(campaign=campaign, status__in=PathfinderArmy.STANDING)
    by_kingdom = rows.order_by(Natural("kingdom__name"), Natural("name"), "id")
    return by_kingdom.select_related("commander__pathfindercommander")


def _named(army: PathfinderArmy) -> tuple[str, str]:
    leader = f" ({army.commander.name})" if army.commander else ""
    return str(army.pk), f"{army.name} · {army.kingdom.name}{leader}"


def list_paid_weeks(campaign: Campaign, proposal: WeekProposal) -> list[dict[str, Any]]:
    """Payments, by week and kingdom."""
    names = {str(pk): name for pk, name in campaign.kingdoms.values_list("pk", "name")}
    found = sorted(
        proposal.payments, key=lambda pay: (pay.day, make_natural_key(names[pay.kingdom]), pay.kingdom, pay.name)
    )
    return [
        {"day": day, "week": day // DAYS_A_WEEK, "kingdom": names[kingdom], "payments": list(payments)}
        for (day, kingdom), payments in groupby(found, key=lambda pay: (pay.day, pay.kingdom))
    ]


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
    "march": (_("On the move"), _("These armies don’t rest. All others do.")),
    "live_off_the_land": (
        _("Live off the land"),
        _("Consumption halved, at least 1 BP. Armies that set out in that week march at half speed."),
    ),
    "cannibalize": (_("Cannibalize"), _("Only after a battle won this week: Consumption −1.")),
    "commander_away": (_("Commander away"), _("Fewer than three days of the week with the army.")),
    "commander_present": (_("Commander with army"), _("Counts as three days of the week, whatever was recorded.")),
    "pay_first": (
        _("Paid first"),
        _("If the treasury can’t pay all armies. After these, the cheapest are paid first."),
    ),
}
KINGDOMS = {
    "pay_double": (_("Pay armies without a commander double"), _("Then they lose no Morale.")),
    "loyalty_check": (
        _("Daily Loyalty check"),
        _("On a success, resting armies again regain hp equal to their ACR that day."),
    ),
    "collect_taxes": (_("Collect taxes"), _("At the beginning of a month: a third of an Economy check in BP.")),
    "run_upkeep": (_("Run the upkeep phase"), _("At the beginning of a month: Stability check, Consumption, Unrest.")),
}


class WeekForm(TimeForm):
    """Form with the choices that are offered; others are left out."""

    def __init__(self, data: QueryDict | None = None, *, campaign: Campaign, offers: Offers):
        super().__init__(data, campaign=campaign, rolls=ROLLS)
        self._offer(offers)

    def _offer(self, offers: Offers) -> None:
        for name, (label, help_text) in ARMIES.items():
            if armies := offers.armies.get(name):
                self.fields[name] = _many(label, help_text, armies, offers.chosen.get(name, []))
        for name, (label, help_text) in KINGDOMS.items():
            some = [one for one in offers.kingdoms if name == "loyalty_check" or not one.without_treasury]
            kingdoms = [(str(kingdom.pk), kingdom.name) for kingdom in some]
            chosen = [key for key, _name in kingdoms] if name == "run_upkeep" else offers.chosen.get(name, [])
            if kingdoms:
                self.fields[name] = _many(label, help_text, kingdoms, chosen)

    @property
    def kingdom_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in KINGDOMS if name in self.fields]

    @property
    def army_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in ARMIES if name in self.fields]

    @property
    def chosen(self) -> bool:
        """Whether any choice differs from the default, so that the choices are shown open."""
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
