"""Forms of kingdoms, their treasury, checks and settlements, by the campaign's ruleset."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.clean_input import ATTRIBUTE_MAX, BP_MAX, DISTRICTS_MAX, LAST_DAY, NAME_MAX, REASON_MAX
from core.forms.form_fields import Whole, list_choices
from core.forms.typed_name import TypedNameForm
from core.text import render
from kingdom.access.queries import is_gm
from kingdom.approvals.serializers import leave_of
from kingdom.map.queries import get_followed_extent
from kingdom.models import Campaign, Kingdom, Role, Settlement, User
from kingdom.realms.figures import NEEDS_COMMANDERS, SWITCHES, check_target, get_realm_law, list_switches
from rules.core.text import MINUS, Term
from rules.realm import RHYTHMS, RealmLaw, SheetFigure, attributes_of

BUILDING_MAX = 99
TOWN_FIELDS = ("name", "districts", "defense_override")


def _figure(figure: SheetFigure) -> Whole:
    return Whole(
        label=render(figure.name),
        help_text=render(figure.help),
        least=figure.least,
        most=figure.most,
        initial=figure.start,
        required=not figure.optional,
    )


NO_TREASURY_HELP = _(
    "For hordes, crusades and bandits: armies cost nothing, nothing is owed, and nothing is entered in the ledger. "
    "The balance is kept until the kingdom has a treasury again."
)


def _switch(name: str, realm: RealmLaw) -> forms.BooleanField:
    if name == NEEDS_COMMANDERS and realm.leaderless:
        own = realm.leaderless
        return forms.BooleanField(label=render(own.name), help_text=render(own.help), required=False)
    return forms.BooleanField(label=render(SWITCHES[name]), help_text=NO_TREASURY_HELP, required=False)


class KingdomForm(forms.Form):
    """Form of a kingdom's sheet, with the ruleset's fields. A player's form lacks the GM's fields, or all but
    the name.
    """

    name = forms.CharField(label=_("Name"), max_length=NAME_MAX)
    alignment = forms.ChoiceField(label=_("Alignment"), initial="N")
    treasury = Whole(label=_("Treasury in BP"), least=-BP_MAX, most=BP_MAX, initial=0)
    reason = forms.CharField(
        label=_("Reason"),
        max_length=REASON_MAX,
        required=False,
        help_text=_("Shown in the chronicle next to the change."),
    )
    players: Any = forms.ModelMultipleChoiceField(
        label=_("Players of this kingdom"),
        queryset=User.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, *args: Any, campaign: Campaign, user: User, kingdom: Kingdom | None = None, **options: Any):
        self._sheet = get_realm_law(campaign).sheet
        super().__init__(*args, **{"initial": self._values(kingdom), **options})
        self.fields |= {slug: _figure(figure) for slug, figure in self._sheet.items()}
        self._switches = list_switches(get_realm_law(campaign))
        self.fields |= {name: _switch(name, get_realm_law(campaign)) for name in self._switches}
        self.follows_map = self.fields.pop(get_followed_extent(campaign), None) is not None
        self._choose_from(campaign)
        del self.fields["treasury" if kingdom else "reason"]
        self.leave = leave_of(user, campaign)["attributes"]
        if not is_gm(user, campaign):
            for name in (*self._gm_names, *self._switches, "players"):
                del self.fields[name]
        if not self.leave.offered:
            self.fields = {"name": self.fields["name"]}

    def _choose_from(self, campaign: Campaign) -> None:
        alignment: Any = self.fields["alignment"]
        alignment.choices = [(slug, render(Term(slug))) for slug in get_realm_law(campaign).alignments]
        if not alignment.choices:
            del self.fields["alignment"]
        players: Any = self.fields["players"]
        players.queryset = _seated(campaign)

    def _values(self, kingdom: Kingdom | None) -> dict[str, Any]:
        if kingdom is None:
            return {}
        names = ("name", "alignment", *self._sheet, *SWITCHES)
        return {**{name: getattr(kingdom, name) for name in names}, "players": kingdom.players.all()}

    @property
    def _gm_names(self) -> list[str]:
        return [slug for slug, figure in self._sheet.items() if figure.gm]

    @property
    def sheet_fields(self) -> list[forms.BoundField]:
        """The fields of whoever runs the kingdom, and its treasury."""
        names = [slug for slug, figure in self._sheet.items() if not figure.gm]
        return [self[name] for name in (*names, "treasury") if name in self.fields]

    @property
    def gm_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self._gm_names if name in self.fields]

    @property
    def switches(self) -> list[forms.BoundField]:
        return [self[name] for name in self._switches if name in self.fields]

    @property
    def is_gms(self) -> bool:
        return "players" in self.fields


def _seated(campaign: Campaign) -> Any:
    """Return the members who may run a kingdom."""
    return User.objects.filter(memberships__campaign=campaign, memberships__role__in=(Role.PLAYER, Role.GM)).order_by(
        "username"
    )


class LedgerForm(forms.Form):
    """Form of a ledger entry. An expense that the treasury can't pay is asked about first (`anyway`)."""

    amount = Whole(label=_("BP"), least=-BP_MAX, most=BP_MAX, help_text=_("Income: 12. Expense: −12."))
    reason = forms.CharField(label=_("Reason"), max_length=REASON_MAX)
    anyway = forms.BooleanField(label=_("Save it all the same"), required=False)

    def __init__(self, data: Any = None, *, kingdom: Kingdom):
        super().__init__(data)
        self._treasury, self.asks = kingdom.treasury, False

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = self.cleaned_data
        amount, agreed = given.get("amount") or 0, given.pop("anyway", False)
        left = self._treasury + amount
        self.asks = amount < 0 and left < 0
        if self.asks and not agreed:
            words = gettext("This leaves {left} BP. Check the amount, or save it all the same.")
            self.add_error("amount", words.format(left=f"{left:d}".replace("-", MINUS)))
        return given


class PlannedForm(forms.Form):
    """Form of planned income or costs. Days are days of the campaign."""

    name = forms.CharField(label=_("Description"), max_length=REASON_MAX)
    amount = Whole(label=_("BP"), least=-BP_MAX, most=BP_MAX, help_text=_("Income: 12. Expense: −12."))
    every = forms.ChoiceField(label=_("Frequency"))
    until = Whole(label=_("Until day"), least=0, most=LAST_DAY, required=False, help_text=_("Leave empty for no end."))

    def __init__(self, *args: Any, **options: Any):
        super().__init__(*args, **options)
        every: Any = self.fields["every"]
        every.choices = [(slug, render(name)) for slug, name in RHYTHMS.items()]


class CheckForm(forms.Form):
    """Form of a kingdom check. The ruleset must have checks."""

    attribute = forms.ChoiceField(label=_("Attribute"))
    dc = Whole(label=_("DC"), least=0, most=ATTRIBUTE_MAX, required=False)

    def __init__(self, *args: Any, kingdom: Kingdom, **options: Any):
        super().__init__(*args, **options)
        realm = get_realm_law(kingdom.campaign)
        sides = realm.checks.sides if realm.checks else 1
        attribute: Any = self.fields["attribute"]
        attribute.choices = list_choices(attributes_of(realm))
        self.fields["dc"].widget.attrs["placeholder"] = check_target(kingdom)
        label = gettext("d{sides} rolled at the table").format(sides=sides)
        self.fields["dice"] = Whole(label=label, least=1, most=sides, required=False)
        self.fields["dice"].widget.attrs["placeholder"] = gettext("by Warhost")


class SettlementForm(forms.Form):
    """Form of a settlement, with a number for every kind of building in the ruleset."""

    name = forms.CharField(label=_("Name"), max_length=NAME_MAX)
    districts = Whole(label=_("Districts"), least=1, most=DISTRICTS_MAX, initial=1)
    defense_override = Whole(
        label=_("Fixed Defense"),
        least=0,
        most=ATTRIBUTE_MAX,
        required=False,
        help_text=_("Leave empty to calculate it from the buildings."),
    )

    def __init__(
        self,
        *args: Any,
        realm: RealmLaw,
        gm: bool,
        settlement: Settlement | None = None,
        builds: bool = True,
        **options: Any,
    ):
        """`builds`: whether districts and buildings may be changed; otherwise only the name."""
        super().__init__(*args, **{"initial": _town_values(settlement), **options})
        self._buildings = realm.buildings
        standing = Counter(settlement.buildings if settlement else ())
        for slug, building in self._buildings.items():
            field = Whole(least=0, most=BUILDING_MAX, required=False, initial=standing[slug] or None)
            field.label = render(building.name)
            field.widget.attrs["placeholder"] = 0
            self.fields[f"building:{slug}"] = field
        if not gm or realm.defense((), None) is None:
            del self.fields["defense_override"]
        self._builds = builds
        if not builds:
            self.fields = {"name": self.fields["name"]}

    @property
    def building_rows(self) -> list[dict[str, Any]]:
        rows = self._buildings.items() if self._builds else ()
        return [{"item": item, "field": self[f"building:{slug}"]} for slug, item in rows]

    def given(self) -> dict[str, Any]:
        """Return the arguments for the services."""
        data = self.cleaned_data
        fields: dict[str, Any] = {name: data[name] for name in TOWN_FIELDS if name in data}
        if not self._builds:
            return fields
        counted = {slug: data.get(f"building:{slug}") or 0 for slug in self._buildings}
        return {**fields, "buildings": [slug for slug, count in counted.items() for _each in range(count)]}


def _town_values(settlement: Settlement | None) -> dict[str, Any]:
    if settlement is None:
        return {}
    return {name: getattr(settlement, name) for name in TOWN_FIELDS}


class DissolveForm(TypedNameForm):
    """Form to confirm with the kingdom's name that it is dissolved."""

    asked, wrong = _("Kingdom name, to confirm"), _("This isn’t the kingdom’s name. Enter it exactly as shown.")

    def __init__(self, *args: Any, kingdom: Kingdom, **options: Any):
        super().__init__(*args, **{"auto_id": "dissolve-%s", **options}, name=kingdom.name)
