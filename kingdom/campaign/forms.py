"""Forms of campaigns and their members."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from django import forms
from django.conf import settings
from django.http import QueryDict
from django.utils.functional import lazy
from django.utils.html import format_html_join
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.clean_input import NAME_MAX
from core.forms.form_fields import LinesField, Whole, list_choices
from core.forms.typed_name import TypedNameForm
from core.text import render
from kingdom.access import permissions, redaction
from kingdom.access.impersonation_queries import guises_in
from kingdom.members.queries import heirs_in
from kingdom.members.services import USES_MAX
from kingdom.models import Campaign, Kingdom, Knowledge, Role
from kingdom.models.base import make_natural_key
from kingdom.onboarding import checklist
from kingdom.templatetags.look import colon
from rules.house import OFF, OVERLAY, HouseRule, ItemFigures
from rules.registry import RULESETS
from rules.registry import ruleset as find_ruleset

ROLE_CHOICES = (
    (Role.PLAYER, _("player: runs the kingdoms you assign")),
    (Role.VIEWER, _("viewer: sees every kingdom’s sheet, changes nothing")),
    (Role.GM, _("GM: has the same rights as you")),
)

OFF_FIELD = "off:"
KNOWN = ("others_known", "met_known")


def _tell_rulesets() -> str:
    """Return a paragraph of help for each ruleset."""
    told = [(colon(law.name), render(law.about)) for law in RULESETS.values() if render(law.about)]
    return format_html_join("", "<p><b>{}</b> {}</p>", told)


RULESETS_TOLD = lazy(_tell_rulesets, str)()


def _house_rule(rule: HouseRule) -> forms.Field:
    """Return a field for a house rule: a choice, or a whole number."""
    words: dict[str, Any] = {"label": render(rule.name), "help_text": render(rule.help), "initial": rule.default}
    if not rule.choices:
        return Whole(least=rule.least, most=rule.most, **words)
    return forms.TypedChoiceField(
        choices=list_choices(rule.choices),
        widget=forms.RadioSelect,
        coerce=lambda text: next(value for value in rule.choices if str(value) == text),
        **words,
    )


def _may(kind: permissions.DeedKind) -> forms.ChoiceField:
    """Return the field of a permission for one kind of action."""
    return forms.ChoiceField(
        label=render(kind.name),
        help_text=render(kind.help),
        choices=[(choice.value, render(name)) for choice, name in permissions.CHOICES.items()],
        widget=forms.RadioSelect,
        required=False,
        initial=kind.ordinary.value,
    )


def _kept(setting: redaction.Withheld) -> forms.ChoiceField:
    """Return the field of one setting of what players learn of enemies."""
    return forms.ChoiceField(
        label=render(setting.label),
        help_text=render(setting.help),
        choices=[(choice, render(name)) for choice, name in setting.choices.items()],
        widget=forms.RadioSelect,
        required=False,
    )


class FigureTable(NamedTuple):
    """Table of numbers that house rules may change: the name of a kind of item, the column heads, and the rows."""

    item: str
    heads: tuple[str, ...]
    rows: list[tuple[Any, list[tuple[str, forms.BoundField]]]]


class BeginForm(forms.Form):
    """Form to create a campaign in one step: a name, a ruleset, and the template of the button pressed."""

    name = forms.CharField(label=_("Campaign name"), max_length=NAME_MAX)
    ruleset = forms.ChoiceField(
        label=_("Ruleset"), choices=list_choices(RULESETS), widget=forms.RadioSelect, help_text=RULESETS_TOLD
    )
    template = forms.CharField(required=False, max_length=NAME_MAX)

    def __init__(self, data: QueryDict | None = None, *, taken: Iterable[str] = ()):
        suggested = checklist.suggest_name(checklist.CAMPAIGNS, taken)
        super().__init__(data, auto_id="begin-%s", initial={"name": suggested, "ruleset": next(iter(RULESETS))})

    def clean(self) -> None:
        """Use the first ruleset that has the template if the chosen one lacks it."""
        slug, chosen = self.cleaned_data.get("template"), self.cleaned_data.get("ruleset")
        if not slug or not chosen or slug in checklist.list_templates(chosen):
            return
        having = (one for one in RULESETS if slug in checklist.list_templates(one))
        if found := next(having, ""):
            self.cleaned_data["ruleset"] = found
        else:
            self.add_error(None, _("Choose a starting point for the campaign."))

    @property
    def templates(self) -> Iterable[tuple[checklist.CampaignTemplate, Iterable[str]]]:
        return checklist.list_with_rulesets()


def _templates() -> list[tuple[str, Any]]:
    found = checklist.list_all_templates().items()
    return [("", _("empty campaign")), *((slug, render(one.name)) for slug, one in found)]


class CampaignForm(forms.Form):
    """Form of a campaign: name, ruleset, house rules (`rules.house`) and permissions (`may:raise`).

    Fields `<kind>:<item>:<figure>` are numbers of items, `off:<kind>` the items switched off. `rules_of` is the ruleset
    whose house rules the form shows: if another is chosen, its house rules are shown before anything is saved.
    """

    name = forms.CharField(label=_("Campaign name"), max_length=NAME_MAX)
    ruleset = forms.ChoiceField(
        label=_("Ruleset"), choices=list_choices(RULESETS), widget=forms.RadioSelect, help_text=RULESETS_TOLD
    )
    template = forms.ChoiceField(
        label=_("Starting point"), choices=_templates, widget=forms.RadioSelect, required=False
    )
    first_steps = forms.BooleanField(
        label=_("Show GMs the first steps until they are done"), required=False, initial=True
    )
    players_share = forms.BooleanField(
        label=_("Players can create public links to their kingdoms’ pages"), required=False
    )
    origins = LinesField(label=_("Websites that may call the API, one per line"))
    others_known = forms.TypedChoiceField(
        label=_("What players know about others’ armies"),
        choices=[(Knowledge.NOTHING, _("nothing until they have met")), *Knowledge.choices[1:]],
        coerce=int,
        empty_value=None,
        required=False,
        help_text=_("The GM and viewers know everything. Everyone knows the names of armies in a battle."),
    )
    met_known = forms.TypedChoiceField(
        label=_("What players know about armies they have met"),
        choices=Knowledge.choices[1:],
        coerce=int,
        empty_value=None,
        required=False,
        help_text=_("Met in the same battle, or seen through the fog on the map."),
    )
    rules_of = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *, campaign: Campaign | None = None, begun: Any = None, **options: Any):
        typed = begun or {}  # name and ruleset typed for a new campaign
        first = campaign.ruleset if campaign else typed.get("ruleset") or next(iter(RULESETS))
        sent = (data or {}).get("ruleset")
        self._law = find_ruleset(sent if sent in RULESETS else first)
        stored = campaign.house_rules if campaign else {}
        initial: dict[str, Any] = {
            "ruleset": first,
            "rules_of": self._law.slug,
            "name": campaign.name if campaign else typed.get("name", ""),
            "first_steps": campaign.first_steps if campaign else True,
            "players_share": bool(campaign and campaign.players_share),
            "origins": campaign.origins if campaign else [],
            "others_known": campaign.others_known if campaign else Knowledge.NAME,
            "met_known": campaign.met_known if campaign else Knowledge.GLANCE,
        }
        initial |= {name: value for name, value in stored.items() if name in self._law.house_rules.rules}
        chosen = permissions.read_choices(campaign.players_may if campaign else {})
        initial |= {f"may:{kind}": choice for kind, choice in chosen.items()}
        kept = redaction.read_settings(campaign.secrecy if campaign else {})
        initial |= {f"kept:{name}": choice for name, choice in kept.items()}
        super().__init__(data, **{"initial": initial, **options})
        for name in ("template",) if campaign else ("first_steps", "players_share", "origins"):
            del self.fields[name]
        self.fields |= {name: _house_rule(rule) for name, rule in self._law.house_rules.rules.items()}
        self.fields |= {f"may:{kind}": _may(deed) for kind, deed in permissions.KINDS.items()}
        self.fields |= {f"kept:{name}": _kept(setting) for name, setting in redaction.SETTINGS.items()}
        self._add_overlay(stored.get(OVERLAY, {}))
        self._draw_other_rules()

    def _add_overlay(self, overlay: Any) -> None:
        """Add a field for every number a house rule may change; an empty field keeps the rulebook's number."""
        for kind, declared in self._law.house_rules.figures.items():
            for item in self._items(kind):
                for name, limits in declared.figures.items():
                    if getattr(item, name) is None:
                        continue
                    field = Whole(least=limits.least, most=limits.most, required=False)
                    field.initial = overlay.get(kind, {}).get(item.slug, {}).get(name)
                    field.widget.attrs |= {"placeholder": getattr(item, name)}
                    self.fields[f"{kind}:{item.slug}:{name}"] = field
        for kind in self._law.house_rules.switches:
            self.fields[f"{OFF_FIELD}{kind}"] = self._switches(kind, overlay.get(kind, {}))

    def _items(self, kind: str) -> list[Any]:
        return list(self._law.catalogues[kind].items.values())

    def _switches(self, kind: str, overlaid: Any) -> forms.MultipleChoiceField:
        """Return the field of switched-off items of a kind."""
        items = [item for item in self._items(kind) if self._law.house_rules.may_do_without(kind, item)]
        named = sorted(((item.slug, render(item.name)) for item in items), key=lambda pair: make_natural_key(pair[1]))
        off = [slug for slug, values in overlaid.items() if values.get(OFF)]
        label = render(self._law.catalogues[kind].label)
        return forms.MultipleChoiceField(
            label=label, choices=named, initial=off, required=False, widget=forms.CheckboxSelectMultiple
        )

    def _draw_other_rules(self) -> None:
        """Show the house rules of the chosen ruleset, with the data that were sent, if the form showed another's."""
        drawn = RULESETS.get(self.data.get("rules_of", ""), self._law)
        self._rules_unseen = (
            self.is_bound and drawn.house_rules != self._law.house_rules and bool(self._law.house_rules)
        )
        if self._rules_unseen:
            rules, shown = self._law.house_rules.rules, drawn.house_rules.rules
            own = {name: self[name].initial for name in rules}
            data: Any = self.data
            fits = {name for name in self.fields if name not in rules or shown.get(name) == rules[name]}
            sent = {name: values for name, values in data.lists() if name in fits}
            self.data = QueryDict(mutable=True)
            for name, values in {**{name: [value] for name, value in own.items()}, **sent}.items():
                self.data.setlist(name, values)
            self.data["rules_of"] = self._law.slug

    def clean(self) -> dict[str, Any]:
        if self._rules_unseen:
            self.add_error("ruleset", gettext("This ruleset has house rules of its own: choose them below, then save."))
        return self.cleaned_data

    @property
    def house_rules(self) -> list[forms.BoundField]:
        return [self[name] for name in self._law.house_rules.rules]

    @property
    def known(self) -> list[forms.BoundField]:
        """The fields of what players know of others' armies."""
        return [self[name] for name in KNOWN]

    @property
    def deeds(self) -> list[Any]:
        return [self[f"may:{kind}"] for kind in permissions.KINDS]

    @property
    def in_battle(self) -> list[Any]:
        """The fields of what players learn of enemies in battle."""
        return [self[f"kept:{name}"] for name in redaction.SETTINGS]

    @property
    def switches(self) -> list[Any]:
        return [self[f"{OFF_FIELD}{kind}"] for kind in self._law.house_rules.switches]

    @property
    def switched_off(self) -> bool:
        """Whether anything is switched off; the section is open then."""
        return any(field.value() for field in self.switches)

    @property
    def figure_tables(self) -> list[FigureTable]:
        return [self._table(kind, declared) for kind, declared in self._law.house_rules.figures.items()]

    def _table(self, kind: str, declared: ItemFigures) -> FigureTable:
        heads = {name: render(figure.head) for name, figure in declared.figures.items()}
        rows = [
            (item, [(head, self[f"{kind}:{item.slug}:{name}"]) for name, head in heads.items()])
            for item in self._items(kind)
            if any(f"{kind}:{item.slug}:{name}" in self.fields for name in heads)
        ]
        return FigureTable(render(declared.item), tuple(heads.values()), rows)

    @property
    def overlay_set(self) -> bool:
        """Whether a number differs from the rulebook or was refused; the section is open then."""
        numbers = [self[name] for name in self.fields if name.count(":") == 2]
        return any(field.value() not in (None, "") or field.errors for field in numbers)

    def given(self) -> dict[str, Any]:
        """Return the arguments for the services."""
        data = self.cleaned_data
        rules: dict[str, Any] = {name: data[name] for name in self._law.house_rules.rules}
        overlay: dict[str, Any] = {}
        for name, value in data.items():
            if name.count(":") == 2 and value is not None:
                kind, slug, field = name.split(":")
                overlay.setdefault(kind, {}).setdefault(slug, {})[field] = value
        for kind in self._law.house_rules.switches:
            for slug in data[f"{OFF_FIELD}{kind}"]:
                overlay.setdefault(kind, {})[slug] = {OFF: True}
        return {
            "name": data["name"],
            "ruleset": data["ruleset"],
            "house_rules": {**rules, OVERLAY: overlay},
            **{name: data[name] for name in ("template", "first_steps", "players_share", "origins") if name in data},
            **{name: data[name] for name in KNOWN if data[name] is not None},
            "secrecy": {name: data[f"kept:{name}"] for name in redaction.SETTINGS if data[f"kept:{name}"]},
            "players_may": {kind: data[f"may:{kind}"] for kind in permissions.KINDS if data[f"may:{kind}"]},
        }


class DeleteCampaignForm(TypedNameForm):
    """Form to confirm with the campaign's name that it is deleted."""

    asked, wrong = _("Campaign name, to confirm"), _("This isn’t the campaign’s name. Enter it exactly as shown.")

    def __init__(self, *args: Any, campaign: Campaign, **options: Any):
        super().__init__(*args, **{"prefix": "delete", **options}, name=campaign.name)


class InviteForm(forms.Form):
    """Form of an invitation link. For players it may name the kingdom they run."""

    role = forms.ChoiceField(label=_("Invite as"), choices=ROLE_CHOICES, initial=Role.PLAYER)
    kingdom = forms.TypedChoiceField(
        label=_("Kingdom to run"),
        required=False,
        empty_value=None,
        help_text=_("For players only. You can also assign a kingdom later."),
    )
    uses = Whole(label=_("Number of people"), least=1, most=USES_MAX, initial=1)
    guests = forms.BooleanField(
        label=_("Allow guests"),
        required=False,
        help_text=_("They join with just a name, without an account, and can create one later."),
    )

    def __init__(self, *args: Any, campaign: Campaign, **options: Any):
        super().__init__(*args, **options)
        if not settings.SIGNUP_OPEN:
            del self.fields["guests"]
        found = Kingdom.objects.filter(campaign=campaign)
        self.kingdoms = {
            str(kingdom.pk): kingdom for kingdom in sorted(found, key=lambda one: make_natural_key(one.name))
        }
        kingdom: Any = self.fields["kingdom"]
        kingdom.choices = [("", _("none yet")), *((key, one.name) for key, one in self.kingdoms.items())]
        kingdom.coerce = self.kingdoms.__getitem__
        kingdom.error_messages["invalid_choice"] = gettext(
            "This kingdom is no longer in this campaign. Choose another one."
        )


class HandOverForm(forms.Form):
    """Form to give a member a kingdom. `alone`: its present players no longer play it."""

    kingdom = forms.ModelChoiceField(queryset=Kingdom.objects.none(), label=_("Kingdom"))
    alone = forms.BooleanField(label=_("Replace its current players"), required=False)

    def __init__(self, *args: Any, campaign: Campaign, **options: Any):
        super().__init__(*args, **options)
        kingdom: Any = self.fields["kingdom"]
        kingdom.queryset = Kingdom.objects.filter(campaign=campaign)
        kingdom.error_messages["required"] = gettext("Choose the kingdom to assign.")
        kingdom.error_messages["invalid_choice"] = gettext(
            "This kingdom is no longer in this campaign. Choose another one."
        )


class GuiseForm(forms.Form):
    """Form to choose whom the GM impersonates."""

    who = forms.ChoiceField(label=_("View as"))

    def __init__(self, *args: Any, campaign: Campaign, **options: Any):
        super().__init__(*args, **options)
        self.fields["who"].choices = guises_in(campaign)  # type: ignore[attr-defined]


class RoleForm(forms.Form):
    role = forms.ChoiceField(label=_("Role"), choices=Role.choices)


class OfferForm(forms.Form):
    """Form to offer the campaign to a member."""

    member = forms.TypedChoiceField(label=_("New owner"))

    def __init__(self, *args: Any, campaign: Campaign, **options: Any):
        super().__init__(*args, **options)
        self.heirs = {str(user.pk): user for user in heirs_in(campaign)}
        member: Any = self.fields["member"]
        named = ((key, one.username) for key, one in self.heirs.items())
        member.choices = [("", gettext("Choose a member…")), *named]
        member.coerce = self.heirs.__getitem__
