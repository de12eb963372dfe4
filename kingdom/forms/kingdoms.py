"""Forms of kingdoms, their treasury, their checks and their settlements."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from kingdom import selectors
from kingdom.forms.fields import Whole, choices_of
from kingdom.inputs import ATTRIBUTE_MAX, BP_MAX, NAME_MAX, REASON_MAX, SIZE_MAX
from kingdom.models import Campaign, Kingdom, Role, Settlement, User
from kingdom.services.settlements import DISTRICTS_MAX
from rules.pathfinder.kingdom import ATTRIBUTES, BUILDINGS

BUILDING_MAX = 99
TOWN_FIELDS = ("name", "districts", "defense_override")


def _attribute(label: Any, **options: Any) -> Whole:
    return Whole(label=label, least=-ATTRIBUTE_MAX, most=ATTRIBUTE_MAX, initial=0, **options)


class KingdomForm(forms.Form):
    """The sheet. A player's form lacks what is the GM's: players, the control DC's own figures, or all but the name."""

    name = forms.CharField(label=_("Name"), max_length=NAME_MAX)
    alignment = forms.ChoiceField(label=_("Alignment"), initial="N")
    economy = _attribute(_("Economy"))
    loyalty = _attribute(_("Loyalty"))
    stability = _attribute(_("Stability"))
    unrest = Whole(label=_("Unrest"), least=0, most=ATTRIBUTE_MAX, initial=0)
    size = Whole(label=_("Size in hexes"), least=0, most=SIZE_MAX, initial=1)
    districts = Whole(
        label=_("Settlement districts"),
        least=0,
        most=SIZE_MAX,
        initial=0,
        help_text=_("Only if you do not keep settlements here: their districts count by themselves."),
    )
    treasury = Whole(label=_("Treasury in BP"), least=-BP_MAX, most=BP_MAX, initial=0)
    control_dc_modifier = _attribute(_("Control DC modifier"), help_text=_("Added to 20 + size + districts."))
    consumption = Whole(
        label=_("Consumption of the kingdom"),
        least=0,
        most=BP_MAX,
        initial=0,
        help_text=_("BP a month, paid in the upkeep phase; its armies come on top, by the week."),
    )
    control_dc_override = Whole(
        label=_("Control DC set outright"),
        least=0,
        most=ATTRIBUTE_MAX,
        required=False,
        help_text=_("Empty: reckoned from size and districts."),
    )
    reason = forms.CharField(
        label=_("Why"),
        max_length=REASON_MAX,
        required=False,
        help_text=_("Stands in the chronicle beside what changed."),
    )
    players: Any = forms.ModelMultipleChoiceField(
        label=_("Players who run it"), queryset=User.objects.none(), required=False, widget=forms.CheckboxSelectMultiple
    )

    GM_ONLY = ("control_dc_modifier", "control_dc_override", "consumption", "players")

    def __init__(self, *args: Any, campaign: Campaign, user: User, kingdom: Kingdom | None = None, **options: Any):
        super().__init__(*args, **{"initial": _values(kingdom), **options})
        alignment: Any = self.fields["alignment"]
        alignment.choices = [(slug, slug) for slug in selectors.ruleset_of(campaign).alignments]
        players: Any = self.fields["players"]
        players.queryset = _seated(campaign)
        del self.fields["treasury" if kingdom else "reason"]
        self.leave = selectors.leave_of(user, campaign)["attributes"]
        if not selectors.is_gm(user, campaign):
            for name in self.GM_ONLY:
                del self.fields[name]
        if not self.leave.offered:
            self.fields = {"name": self.fields["name"]}

    @property
    def sheet_fields(self) -> list[forms.BoundField]:
        """Attributes, Unrest, size, districts, treasury: in rows."""
        names = ("economy", "loyalty", "stability", "unrest", "size", "districts", "treasury")
        return [self[name] for name in names if name in self.fields]

    @property
    def gm_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.GM_ONLY[:-1] if name in self.fields]


def _values(kingdom: Kingdom | None) -> dict[str, Any]:
    if kingdom is None:
        return {}
    names = [name for name in KingdomForm.base_fields if name not in ("players", "treasury", "reason")]
    return {**{name: getattr(kingdom, name) for name in names}, "players": kingdom.players.all()}


def _seated(campaign: Campaign) -> Any:
    """Members who may run a kingdom."""
    return User.objects.filter(memberships__campaign=campaign, memberships__role__in=(Role.PLAYER, Role.GM)).order_by(
        "username"
    )


class LedgerForm(forms.Form):
    amount = Whole(label=_("BP"), least=-BP_MAX, most=BP_MAX, help_text=_("Gained: 12. Paid: −12."))
    reason = forms.CharField(label=_("Reason"), max_length=REASON_MAX)


class CheckForm(forms.Form):
    attribute = forms.ChoiceField(label=_("Attribute"), choices=choices_of(ATTRIBUTES))
    dc = Whole(label=_("DC"), least=-ATTRIBUTE_MAX, most=ATTRIBUTE_MAX, required=False)
    dice = Whole(label=_("d20 you rolled"), least=1, most=20, required=False)

    def __init__(self, *args: Any, control_dc: int, **options: Any):
        super().__init__(*args, **options)
        self.fields["dc"].widget.attrs["placeholder"] = control_dc
        self.fields["dice"].widget.attrs["placeholder"] = _("rolled here")


class SettlementForm(forms.Form):
    """A settlement; one number for every kind of building."""

    name = forms.CharField(label=_("Name"), max_length=NAME_MAX)
    districts = Whole(label=_("Districts"), least=1, most=DISTRICTS_MAX, initial=1)
    defense_override = Whole(
        label=_("Defense set outright"),
        least=0,
        most=ATTRIBUTE_MAX,
        required=False,
        help_text=_("Empty: reckoned from the buildings."),
    )

    def __init__(self, *args: Any, gm: bool, settlement: Settlement | None = None, builds: bool = True, **options: Any):
        """`builds`: its districts and buildings may be changed; otherwise only the name."""
        super().__init__(*args, **{"initial": _town_values(settlement), **options})
        standing = Counter(settlement.buildings if settlement else ())
        for building in BUILDINGS.values():
            field = Whole(least=0, most=BUILDING_MAX, required=False, initial=standing[building.slug] or None)
            field.label = choices_of({building.slug: building})()[0][1]
            field.widget.attrs["placeholder"] = 0
            self.fields[f"building:{building.slug}"] = field
        if not gm:
            del self.fields["defense_override"]
        self._builds = builds
        if not builds:
            self.fields = {"name": self.fields["name"]}

    @property
    def building_rows(self) -> list[dict[str, Any]]:
        rows = BUILDINGS.items() if self._builds else ()
        return [{"item": item, "field": self[f"building:{slug}"]} for slug, item in rows]

    def given(self) -> dict[str, Any]:
        """What the services take."""
        data = self.cleaned_data
        fields: dict[str, Any] = {name: data[name] for name in TOWN_FIELDS if name in data}
        if not self._builds:
            return fields
        counted = {slug: data.get(f"building:{slug}") or 0 for slug in BUILDINGS}
        return {**fields, "buildings": [slug for slug, count in counted.items() for _each in range(count)]}


def _town_values(settlement: Settlement | None) -> dict[str, Any]:
    if settlement is None:
        return {}
    return {name: getattr(settlement, name) for name in TOWN_FIELDS}
