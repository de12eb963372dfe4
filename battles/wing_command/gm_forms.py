"""GM forms of wing command: options, army leaders and figures before the battle, the GM's hand in it, its end.

Where something is set by hand, the first step says of what, the second to what.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from battles.field.forms import CommandForm
from battles.field.gm_forms import EndForm, HandForm, StepForm, build_line_field
from battles.field.page import BattlePage
from battles.wing_command.setup.opening_form import NO, YES, option_field
from core.text import render
from rules.core.errors import Refusal
from rules.core.text import Said
from rules.core.text import _ as term
from rules.hexbattle.tokens import by_name
from rules.wing_command.battle.overrides import OF_UNITS, OF_WINGS
from rules.wing_command.battle.record.state import HostState, Unit
from rules.wing_command.battle.setup.setup_commands import FLAGS, NUMBERS, OPTIONS
from rules.wing_command.house import HOUSE_RULES
from rules.wing_command.starter import ABILITIES, ARTS, FATIGUES, MORALES, ORDERS, POSTURES, PROFILES
from rules.wing_command.wing import MORALE_LEAST, MORALE_MOST

FIGURES: Mapping[str, Said] = {
    "move": term("Move"), "melee": term("Melee"), "shot": term("Shot"), "range": term("Range"),
    "guard": term("Guard"), "large": term("Large"), "fly": term("Flies"), "infiltrate": term("Infiltrates"),
    "profile": term("Profile"), "ability": term("Command ability"), "art": term("Art"),
    "level": term("Magic level"), "pentacle": term("Pentacle"),
}  # fmt: skip
OF_CHARACTERS = ("ability", "art", "level", "pentacle")
"""Figures that only characters have."""
STATES: Mapping[str, Said] = {
    "morale": term("Morale"), "fatigue": term("Fatigue"), "at": term("Hex"), "posture": term("Posture"),
    "acted": term("Has acted"), "special": term("Special order"), "activated": term("Has commanded"),
}  # fmt: skip
OF_A_WING: Mapping[str, Said] = {
    "morale": term("Morale marker"), "shaken": term("Shaken markers"), "order": term("Standing order"),
    "leader": term("Wing leader"),
}  # fmt: skip
YES_NO = [(YES, _("yes")), (NO, _("no"))]


def units_of(state: HostState) -> list[tuple[str, str]]:
    """Every unit that is still in the battle, by wing and name."""
    left = [token for token in by_name(state.field.tokens.values()) if not token.gone]
    wings = list(state.wings)
    left.sort(key=lambda token: wings.index(state.units[token.id].wing))
    return [(token.id, f"{token.name} ({state.wing_of(token.id).name})") for token in left]


def characters_of(state: HostState) -> list[tuple[str, str]]:
    return [(unit, name) for unit, name in units_of(state) if state.units[unit].character]


def _whole(label: str, bounds: tuple[int, int], now: Any) -> forms.Field:
    low, high = bounds
    box = forms.TextInput(attrs={"inputmode": "numeric"})
    return forms.IntegerField(label=label, min_value=low, max_value=high, initial=now, widget=box)


def _choice(label: str, choices: Mapping[str, Any], now: Any, *, empty: Any = None) -> forms.Field:
    none = [("", empty)] if empty is not None else []
    told = [(slug, render(getattr(name, "name", name))) for slug, name in choices.items()]
    return forms.ChoiceField(label=label, choices=[*none, *told], initial=now, required=empty is None)


def _flag(label: str, now: Any) -> forms.Field:
    return forms.TypedChoiceField(
        label=label, choices=YES_NO, coerce=lambda told: told == YES, initial=YES if now else NO
    )


def figure_field(name: str, own: Unit) -> forms.Field:
    """The field of a figure of a unit, as it is now."""
    label, now = render(FIGURES[name]), getattr(own.own, name)
    if name in NUMBERS:
        return _whole(label, NUMBERS[name], now)
    if name in FLAGS:
        return _flag(label, now)
    if name == "profile":
        known = PROFILES if own.character else {slug: PROFILES[slug] for slug in PROFILES if slug != "autonomous"}
        return _choice(label, known, now)
    return _choice(label, ABILITIES, now) if name == "ability" else _choice(label, ARTS, now, empty=_("none"))


class OptionStep(StepForm):
    """One of the battle's options."""

    kind = "option"
    title = term("Rules of this battle")
    sign, submit = "gm", _("Set it")

    def __init__(self, page: BattlePage, data: QueryDict | None = None):
        super().__init__(page.battle.version, data)
        asked = page.look.what if data is None else str(data.get("name", ""))
        self.name = asked if asked in OPTIONS else OPTIONS[0]
        self.hidden = (("name", self.name),)
        self.fields["value"] = option_field(self.name, getattr(page.state.options, self.name))

    def to_json(self) -> dict[str, Any]:
        return {"type": self.kind, "name": self.name, "value": self.cleaned_data["value"]}


class LeaderForm(CommandForm):
    """Who leads a side."""

    kind = "name_army_leader"

    def __init__(self, page: BattlePage, data: QueryDict | None = None):
        super().__init__(page.battle.version, data)
        self.fields["unit"] = forms.ChoiceField(label=_("Army leader"), choices=characters_of(page.state))


class OfUnitStep(StepForm):
    """Something of one unit, named in the first step."""

    sign, submit = "gm", _("Set it")

    def begin(self, page: BattlePage, data: QueryDict | None, known: Mapping[str, Said]) -> None:
        units = dict(units_of(page.state))
        asked = data if data is not None else {"unit": page.look.army, "field": page.look.what}
        self.unit = str(asked.get("unit")) if asked.get("unit") in units else next(iter(units))
        wanted = str(asked.get("field"))
        self.what = wanted if wanted in known else next(iter(known))
        self.about, self.what_is_set = units[self.unit], known[self.what]
        self.hidden = (("unit", self.unit), ("field", self.what))


class FigureStep(OfUnitStep):
    """A figure of a unit before the battle."""

    kind = "edit_unit"
    title = term("Figures of a unit")

    def __init__(self, page: BattlePage, data: QueryDict | None = None):
        super().__init__(page.battle.version, data)
        self.begin(page, data, FIGURES)
        own = page.state.units[self.unit]
        self.known = own.character or self.what not in OF_CHARACTERS
        self.fields["value"] = figure_field(self.what, own) if self.known else _choice(render(self.what_is_set), {}, "")

    def clean(self) -> None:
        if not self.known:
            self.add_error(None, _("Only characters have this figure."))

    def to_json(self) -> dict[str, Any]:
        return {"type": self.kind, "unit": self.unit, "fields": {self.what: self.cleaned_data["value"]}}

    def refused(self, refusal: Refusal) -> None:
        self.add_error("value", render(refusal.message))


class OverrideStep(OfUnitStep):
    """The GM's hand: a state or a figure of a unit in play, with the reason."""

    kind = HandForm.kind
    title = HandForm.title

    def __init__(self, page: BattlePage, data: QueryDict | None = None):
        super().__init__(page.battle.version, data)
        self.begin(page, data, {**STATES, **FIGURES})
        own = page.state.units[self.unit]
        self.known = own.character or self.what not in OF_CHARACTERS
        self.fields["value"] = self._value(page.state, own)
        self.fields["reason"] = build_line_field(_("Reason"), help_text=_("The log keeps it."))

    def _value(self, state: HostState, own: Unit) -> forms.Field:
        label = render(self.what_is_set)
        if self.what in OF_UNITS:
            names = MORALES if self.what == "morale" else FATIGUES
            choices = [(number, render(name)) for number, name in enumerate(names)]
            now = getattr(own, self.what)
            return forms.TypedChoiceField(label=label, choices=choices, coerce=int, initial=now)
        if self.what == "at":
            return forms.CharField(label=label, max_length=4, initial=state.token(self.unit).at)
        if self.what == "posture":
            return _choice(label, POSTURES, own.posture)
        if self.what in STATES:
            return _flag(label, getattr(own, self.what))
        return figure_field(self.what, own) if self.known else _choice(label, {}, "")

    def clean(self) -> None:
        if not self.known:
            self.add_error(None, _("Only characters have this figure."))

    def to_json(self) -> dict[str, Any]:
        told = {"what": self.unit, "field": self.what, "value": self.cleaned_data["value"]}
        return {"type": "override", **told, "reason": self.cleaned_data["reason"]}


class WingStep(StepForm):
    """The GM's hand on a wing: its markers, its order, its leader."""

    kind = "override_wing"
    title = HandForm.title
    sign, submit = "gm", _("Set it")

    def __init__(self, page: BattlePage, data: QueryDict | None = None):
        super().__init__(page.battle.version, data)
        wings = page.state.wings
        asked = data if data is not None else {"wing": page.look.army, "field": page.look.what}
        self.wing = str(asked.get("wing")) if asked.get("wing") in wings else next(iter(wings))
        wanted = str(asked.get("field"))
        self.what = wanted if wanted in OF_A_WING else "order"
        self.about, self.what_is_set = wings[self.wing].name, OF_A_WING[self.what]
        self.hidden = (("wing", self.wing), ("field", self.what))
        self.fields["value"] = self._value(page.state)
        self.fields["reason"] = build_line_field(_("Reason"), help_text=_("The log keeps it."))

    def _value(self, state: HostState) -> forms.Field:
        wing, label = state.wings[self.wing], render(self.what_is_set)
        if self.what == "order":
            return _choice(label, ORDERS, wing.order)
        if self.what == "leader":
            members = {one: state.token(one).name for one in state.members(wing) if state.units[one].character}
            return _choice(label, members, wing.leader, empty=_("nobody"))
        bounds = (MORALE_LEAST, MORALE_MOST) if self.what == "morale" else OF_WINGS[self.what]
        return _whole(label, bounds, getattr(wing, self.what))

    def to_json(self) -> dict[str, Any]:
        told = {"what": self.wing, "field": self.what, "value": self.cleaned_data["value"]}
        return {"type": "override", **told, "reason": self.cleaned_data["reason"]}


FORMS: dict[str, Any] = {
    "option": OptionStep,
    "name_army_leader": LeaderForm,
    "edit_unit": FigureStep,
    "override": OverrideStep,
    "override_wing": WingStep,
    "end": EndForm,
}


def desk_of(state: HostState) -> dict[str, Any]:
    """What the first steps choose among."""
    return {
        "units": units_of(state),
        "wings": [(wing.id, wing.name) for wing in state.wings.values()],
        "options": [(name, HOUSE_RULES.rules[name].name) for name in OPTIONS],
        "figures": list(FIGURES.items()),
        "states": [*STATES.items(), *FIGURES.items()],
        "of_a_wing": list(OF_A_WING.items()),
    }
