"""Setup forms of wing command: the opening, orders of wings, lining up, and the GM's options, leaders and figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from armies.models import Army
from battles.default.house_options import HouseOpening, OptionStep, whole_field, yes_no_field
from battles.field.forms import CommandForm
from battles.field.gm_forms import PlainForm, StepForm, fresh
from battles.field.page import BattlePage
from battles.setup.page import pick_colour
from core.text import render
from kingdom.realms.figures import get_ruleset
from rules.core.errors import Refusal
from rules.core.text import Said, by_number, say
from rules.core.text import _ as term
from rules.hexbattle.field import Token, by_name
from rules.wing_command.battle.record.state import HostState, Unit
from rules.wing_command.battle.setup import FLAGS, NUMBERS, OPTIONS
from rules.wing_command.figures import points_of
from rules.wing_command.house import HOUSE_RULES
from rules.wing_command.starter import ABILITIES, ARTS, PROFILES

# GM forms of setup: options, army leaders, figures of units.
#
# Where something is set by hand, the first step chooses of what, the second its value.

FIGURES: Mapping[str, Said] = {
    "move": term("Move"), "melee": term("Melee"), "shot": term("Shot"), "range": term("Range"),
    "guard": term("Guard"), "large": term("Large"), "fly": term("Flies"), "infiltrate": term("Infiltrates"),
    "profile": term("Profile"), "ability": term("Command ability"), "art": term("Art"),
    "level": term("Magic level"), "pentacle": term("Pentacle"),
}  # fmt: skip
OF_CHARACTERS = ("ability", "art", "level", "pentacle")
"""Figures that only characters have."""


def units_of(state: HostState) -> list[tuple[str, str]]:
    """All units still in the battle, by wing and name."""
    left = [token for token in by_name(state.field.tokens.values()) if not token.gone]
    wings = list(state.wings)
    left.sort(key=lambda token: wings.index(state.units[token.id].wing))
    return [(token.id, name_with_wing(state, token)) for token in left]


def name_with_wing(state: HostState, token: Token) -> str:
    """The name of a unit with its wing's, in the reader's language."""
    return f"{render(token.name)} ({state.wing_of(token.id).name})"


def characters_of(state: HostState) -> list[tuple[str, str]]:
    return [(unit, name) for unit, name in units_of(state) if state.units[unit].character]


def _choice(label: str, choices: Mapping[str, Any], now: Any, *, empty: Any = None) -> forms.Field:
    none = [("", empty)] if empty is not None else []
    told = [(slug, render(getattr(name, "name", name))) for slug, name in choices.items()]
    return forms.ChoiceField(label=label, choices=[*none, *told], initial=now, required=empty is None)


def figure_field(name: str, own: Unit) -> forms.Field:
    """The field of a unit's figure, with its current value."""
    label, now = render(FIGURES[name]), getattr(own.own, name)
    if name in NUMBERS:
        return whole_field(label, NUMBERS[name], now)
    if name in FLAGS:
        return yes_no_field(label, now)
    if name == "profile":
        known = PROFILES if own.character else {slug: PROFILES[slug] for slug in PROFILES if slug != "autonomous"}
        return _choice(label, known, now)
    return _choice(label, ABILITIES, now) if name == "ability" else _choice(label, ARTS, now, empty=_("no art"))


class WingOptionStep(OptionStep):
    rules, names = HOUSE_RULES, OPTIONS


class LeaderForm(CommandForm):
    """The army leader of a side."""

    kind = "name_army_leader"

    def __init__(self, page: BattlePage, data: QueryDict | None = None):
        super().__init__(page.battle.version, data)
        self.fields["unit"] = forms.ChoiceField(label=_("Army leader"), choices=characters_of(page.state))


class FigureStep(StepForm):
    """A figure of a unit before the battle."""

    kind = "edit_unit"
    title = term("Values of a unit")
    sign, submit = "gm", _("Apply")

    def __init__(self, page: BattlePage, data: QueryDict | None = None):
        super().__init__(page.battle.version, data)
        units = dict(units_of(page.state))
        asked = data if data is not None else {"unit": page.look.army, "field": page.look.what}
        self.unit = str(asked.get("unit")) if asked.get("unit") in units else next(iter(units))
        wanted = str(asked.get("field"))
        self.what = wanted if wanted in FIGURES else next(iter(FIGURES))
        self.about, self.what_is_set = units[self.unit], FIGURES[self.what]
        self.hidden = (("unit", self.unit), ("field", self.what))
        own = page.state.units[self.unit]
        self.known = own.character or self.what not in OF_CHARACTERS
        self.fields["value"] = figure_field(self.what, own) if self.known else _choice(render(self.what_is_set), {}, "")

    def clean(self) -> None:
        if not self.known:
            self.add_error(None, _("Only characters have this value."))

    def members(self) -> dict[str, Any]:
        return {"unit": self.unit, "fields": {self.what: self.cleaned_data["value"]}}

    def refused(self, refusal: Refusal) -> None:
        self.add_error("value", render(refusal.message))


STEPS: dict[str, Any] = {WingOptionStep.kind: WingOptionStep, LeaderForm.kind: LeaderForm, FigureStep.kind: FigureStep}
OPTION_NAMES = tuple((name, HOUSE_RULES.rules[name].name) for name in OPTIONS)


def fresh_steps(page: BattlePage) -> dict[str, CommandForm]:
    return fresh(STEPS, page)


# Setup forms of wing command: the opening, orders of wings, lining up, and the strengths of the sides.


class LineUpForm(PlainForm):
    """Place all waiting units of the reader."""

    kind = "line_up"

    def __init__(self, page: BattlePage, data: QueryDict | None = None):
        super().__init__(page, data)
        self.page = page

    def members(self) -> dict[str, Any]:
        return {"wings": waiting_wings(self.page)}


class OrderForm(PlainForm):
    """The standing order of a wing."""

    kind = "set_order"
    wing = forms.CharField(max_length=60)
    order = forms.CharField(max_length=20)


def waiting_wings(page: BattlePage) -> list[str]:
    """The reader's wings with waiting units, on sides that aren't ready."""
    state, viewer = page.state, page.viewer
    return [
        wing.id
        for wing in state.wings.values()
        if viewer.commands(wing.id)
        and wing.side not in state.field.ready
        and any(state.token(unit).waiting for unit in wing.members)
    ]


SETUP_FORMS: dict[str, Any] = {LineUpForm.kind: LineUpForm, OrderForm.kind: OrderForm, **STEPS}


# Form that opens a battle: sides with their army leaders, and options of the house rules


class WingOpening(HouseOpening):
    rules, names = HOUSE_RULES, OPTIONS
    leader_label, usual_leader = _("Army leader"), _("the best commander")


# Strengths of the sides during setup: points, troops and wings


TROOPS = by_number("{count} troop", "{count} troops")
WINGS = by_number("{count} wing", "{count} wings")


class SideStrength(NamedTuple):
    """The strength of a side: its points, and its troops and wings in words."""

    side: int
    colour: str
    name: str
    points: int
    troops: Said
    wings: Said


def list_strengths(page: BattlePage) -> Iterator[SideStrength]:
    """The strengths of the sides: both for the GM, their own for players.

    None if the armies' campaign has another ruleset.
    """
    if page.other_rules is not None:
        return
    law, tables = get_ruleset(page.campaign).armies, get_ruleset(page.campaign).tables
    sheets = dict(Army.objects.filter(seats__battle=page.battle).values_list("pk", "sheet"))
    points = {str(army): points_of(law.value_of(sheet), tables) for army, sheet in sheets.items()}
    for side, team in enumerate(page.summary.sides):
        if not all(page.gm or page.viewer.commands(army) for army in team.armies):
            continue
        troops = sum(page.summary.armies[army].health_max for army in team.armies)
        whole = sum(points.get(army, 0) for army in team.armies)
        counted = say(TROOPS, count=troops), say(WINGS, count=len(team.armies))
        yield SideStrength(side, pick_colour(side), team.name, whole, *counted)
