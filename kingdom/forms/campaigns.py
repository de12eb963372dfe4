"""Forms of campaigns and their members."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from kingdom import house_rules, leave
from kingdom.forms.fields import Whole, choices_of
from kingdom.inputs import NAME_MAX
from kingdom.models import Campaign, Role
from kingdom.services.members import USES_MAX
from kingdom.text import render
from rules.registry import RULESETS
from rules.registry import ruleset as find_ruleset

ROLE_CHOICES = (
    (Role.PLAYER, _("player: runs the kingdoms you assign")),
    (Role.VIEWER, _("viewer: reads every kingdom’s sheet, changes nothing")),
    (Role.GM, _("GM: may do everything you may")),
)

SWITCH_LABELS = {
    "tactics": _("Tactics"),
    "boons": _("Boons"),
    "resources": _("Resources"),
    "abilities": _("Special abilities"),
    "conditions": _("Battlefield conditions"),
}


def _house_rule(name: str, label: Any) -> forms.TypedChoiceField:
    return forms.TypedChoiceField(
        label=label,
        choices=choices_of(house_rules.CHOICES[name]),
        widget=forms.RadioSelect,
        coerce=lambda text: next(value for value in house_rules.CHOICES[name] if str(value) == text),
        initial=house_rules.DEFAULTS[name],
    )


def _may(kind: leave.DeedKind) -> forms.ChoiceField:
    """How players do one kind of deed."""
    return forms.ChoiceField(
        label=render(kind.name),
        help_text=render(kind.help),
        choices=[(choice.value, render(name)) for choice, name in leave.CHOICES.items()],
        widget=forms.RadioSelect,
        required=False,
        initial=kind.ordinary.value,
    )


class CampaignForm(forms.Form):
    """Name, ruleset, house rules, what players may do (`may:raise`).

    Fields `resources:mounts:price` and the like are the overlay (PF-HOUSE)."""

    name = forms.CharField(label=_("Name of the campaign"), max_length=NAME_MAX)
    ruleset = forms.ChoiceField(label=_("Ruleset"), choices=choices_of(RULESETS), widget=forms.RadioSelect)
    minimum_damage = _house_rule("minimum_damage", _("Damage of a hit"))
    parting_shots = _house_rule("parting_shots", _("Parting shots"))
    buildings_required = _house_rule("buildings_required", _("Buildings for resources"))
    recovery_cap = _house_rule("recovery_cap", _("Recovery"))

    def __init__(self, *args: Any, campaign: Campaign | None = None, **options: Any):
        slug = campaign.ruleset if campaign else next(iter(RULESETS))
        initial = {"ruleset": slug}
        if campaign:
            initial |= {"name": campaign.name, **house_rules.all_house_rules(campaign.house_rules)}
        chosen = leave.all_choices(campaign.players_may if campaign else {})
        initial |= {f"may:{kind}": choice for kind, choice in chosen.items()}
        super().__init__(*args, **{"initial": initial, **options})
        self.fields |= {f"may:{kind}": _may(deed) for kind, deed in leave.KINDS.items()}
        self._add_overlay(slug, initial.get("overlay", {}))

    def _add_overlay(self, slug: str, overlay: Any) -> None:
        """A field for every number a house rule may change; empty means as in the book."""
        law: Any = find_ruleset(slug)
        for kind, limits in house_rules.OVERLAY.items():
            for item in getattr(law, kind).values():
                for name, (least, most) in limits.items():
                    if getattr(item, name) is None:
                        continue
                    field = Whole(least=least, most=most, required=False)
                    field.initial = overlay.get(kind, {}).get(item.slug, {}).get(name)
                    field.widget.attrs |= {"placeholder": getattr(item, name)}
                    self.fields[f"{kind}:{item.slug}:{name}"] = field
        self._law = law
        for kind in house_rules.SWITCHES:
            self.fields[f"off:{kind}"] = self._switches(kind, overlay.get(kind, {}))

    def _switches(self, kind: str, overlaid: Any) -> forms.MultipleChoiceField:
        """Which items of a kind the campaign does without."""
        items = [item for item in getattr(self._law, kind).values() if not getattr(item, "always_known", False)]
        named = sorted(((item.slug, render(item.name)) for item in items), key=lambda pair: pair[1].casefold())
        off = [slug for slug, values in overlaid.items() if values.get("off")]
        return forms.MultipleChoiceField(
            label=SWITCH_LABELS[kind], choices=named, initial=off, required=False, widget=forms.CheckboxSelectMultiple
        )

    @property
    def deeds(self) -> list[Any]:
        return [self[f"may:{kind}"] for kind in leave.KINDS]

    @property
    def switches(self) -> list[Any]:
        return [self[f"off:{kind}"] for kind in house_rules.SWITCHES]

    @property
    def switched_off(self) -> bool:
        """Whether anything is off: the section stands open then."""
        return any(field.value() for field in self.switches)

    @property
    def resource_rows(self) -> list[dict[str, Any]]:
        """The resources with their two fields, for the template's table."""
        rows = self._law.resources.values()
        return [
            {
                "item": item,
                "price": self[f"resources:{item.slug}:price"],
                "consumption": self[f"resources:{item.slug}:consumption"],
            }
            for item in rows
        ]

    @property
    def boon_rows(self) -> list[dict[str, Any]]:
        boons = [boon for boon in self._law.boons.values() if boon.leadership is not None]
        return [{"item": boon, "leadership": self[f"boons:{boon.slug}:leadership"]} for boon in boons]

    @property
    def overlay_set(self) -> bool:
        """Whether a price or threshold differs from the book, or was refused: the section stands open then."""
        numbers = [self[name] for name in self.fields if name.count(":") == 2]
        return any(field.value() not in (None, "") or field.errors for field in numbers)

    def given(self) -> dict[str, Any]:
        """What the services take."""
        data = self.cleaned_data
        rules: dict[str, Any] = {name: data[name] for name in house_rules.CHOICES}
        overlay: dict[str, Any] = {}
        for name, value in data.items():
            if name.count(":") == 2 and value is not None:
                kind, slug, field = name.split(":")
                overlay.setdefault(kind, {}).setdefault(slug, {})[field] = value
        for kind in house_rules.SWITCHES:
            for slug in data[f"off:{kind}"]:
                overlay.setdefault(kind, {})[slug] = {"off": True}
        return {
            "name": data["name"],
            "ruleset": data["ruleset"],
            "house_rules": {**rules, "overlay": overlay},
            "players_may": {kind: data[f"may:{kind}"] for kind in leave.KINDS if data[f"may:{kind}"]},
        }


class DeleteCampaignForm(forms.Form):
    """Typing the name is what keeps a slip from costing a campaign: this cannot be undone."""

    typed = forms.CharField(label=_("Name of the campaign, to be sure"), max_length=NAME_MAX, required=True)

    def __init__(self, *args: Any, campaign: Campaign, **options: Any):
        super().__init__(*args, **{"prefix": "delete", **options})
        self._name = campaign.name

    def clean_typed(self) -> str:
        typed = self.cleaned_data["typed"]
        if typed.strip() != self._name:
            raise forms.ValidationError(gettext("This is not the campaign’s name."))
        return typed


class InviteForm(forms.Form):
    role = forms.ChoiceField(label=_("Invite as"), choices=ROLE_CHOICES, initial=Role.PLAYER)
    uses = Whole(label=_("For how many people"), least=1, most=USES_MAX, initial=1)


class RoleForm(forms.Form):
    role = forms.ChoiceField(label=_("Role"), choices=Role.choices)
