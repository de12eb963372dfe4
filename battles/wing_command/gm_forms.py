"""GM forms of wing command: overrides of units and wings, and the end of the battle."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from battles.field.forms import CommandForm
from battles.field.gm_forms import EndForm, HandForm, build_line_field, fresh
from battles.field.page import BattlePage
from battles.hexes.hand_forms import (
    LONGEST_HEX,
    ByHandForm,
    HandDeeds,
    HandGroup,
    HandTarget,
    make_deeds,
    make_effect_deeds,
)
from battles.wing_command.setup_forms import FIGURES, OF_CHARACTERS, OPTION_NAMES, figure_field, name_with_wing
from core.text import render
from rules.core.errors import Refusal
from rules.core.text import Said
from rules.core.text import _ as term
from rules.hexbattle.field import by_name
from rules.wing_command.battle.overrides import OF_UNITS, OF_WINGS
from rules.wing_command.battle.record.state import HostState
from rules.wing_command.battle.spells import beginnable, known_spells
from rules.wing_command.starter import FATIGUES, MORALES, ORDERS, POSTURES, SPELLS

UNIT_FIELDS: dict[str, Said] = {
    "morale": term("Morale"),
    "fatigue": term("Fatigue"),
    "at": term("Hex it stands on"),
    "posture": term("Posture"),
    "special": term("Has a special order"),
    "acted": term("Has acted"),
    "activated": term("Has acted in the command phase"),
    "move": term("Move"),
    "melee": term("Melee"),
    "shot": term("Shot"),
    "range": term("Range"),
    "guard": term("Guard"),
    **{name: told for name, told in FIGURES.items() if name not in ("move", "melee", "shot", "range", "guard")},
}
WING_FIELDS: dict[str, Said] = {
    "order": term("Standing order"),
    "morale": term("Morale marker"),
    "shaken": term("Shaken markers"),
    "leader": term("Wing leader"),
}
FLAGS = ("special", "acted", "activated")
SPELL = "spell"


class GMDesk:
    """Data for drawing the GM's tools."""

    def __init__(self, state: HostState):
        self.state = state

    @property
    def units(self) -> list[HandTarget]:
        tokens = by_name(token for token in self.state.field.tokens.values() if not token.gone)
        return [HandTarget(one.id, name_with_wing(self.state, one)) for one in tokens]

    @property
    def wings(self) -> list[HandTarget]:
        return [HandTarget(wing.id, wing.name) for wing in self.state.wings.values()]

    @property
    def by_hand(self) -> list[HandGroup]:
        """The possible targets of overrides of spells and effects, by kind."""
        state = self.state
        hexes = sorted({what for timer in state.field.timers for what in timer.on if what in state.field.ground})
        groups = (
            HandGroup(term("Units"), self.units),
            HandGroup(term("Hexes with an effect"), [HandTarget(at, at) for at in hexes]),
        )
        return [group for group in groups if group.targets]

    options = OPTION_NAMES
    figures = tuple(FIGURES.items())
    unit_fields = tuple(UNIT_FIELDS.items())
    wing_fields = tuple(WING_FIELDS.items())


class OverrideForm(HandForm):
    """Override of one state of a unit or wing, with the GM's reason."""

    def __init__(self, page: BattlePage, data: QueryDict | None = None):
        super().__init__(page.battle.version, data)
        self.state: HostState = page.state
        asked = data if data is not None else {"on": page.look.army, "field": page.look.what}
        self.on = str(asked.get("on", ""))
        if self.on not in self.state.wings and self.on not in self.state.units:
            self.on = next(iter(self.state.wings))
        fields = WING_FIELDS if self.of_wing else UNIT_FIELDS
        self.what = str(asked.get("field")) if asked.get("field") in fields else next(iter(fields))
        self.about = self.state.wings[self.on].name if self.of_wing else render(self.state.told_name(self.on))
        self.what_is_set = fields[self.what]
        self.hidden = (("on", self.on), ("field", self.what))
        self.fields["value"] = self._value()
        self.fields["reason"] = build_line_field(_("Reason"), help_text=_("The log keeps the reason."))

    @property
    def of_wing(self) -> bool:
        return self.on in self.state.wings

    def _value(self) -> forms.Field:
        label = render(self.what_is_set)
        return self._of_wing(label) if self.of_wing else self._of_unit(label)

    def _of_wing(self, label: str) -> forms.Field:
        wing = self.state.wings[self.on]
        if self.what in OF_WINGS:
            return _whole(label, OF_WINGS[self.what], getattr(wing, self.what))
        if self.what == "order":
            choices = [(slug, render(order.name)) for slug, order in ORDERS.items()]
            return forms.ChoiceField(label=label, choices=choices, initial=wing.order)
        members = [unit for unit in self.state.members(wing) if self.state.units[unit].character]
        leaders = [("", _("nobody")), *((unit, render(self.state.token(unit).name)) for unit in members)]
        return forms.ChoiceField(label=label, choices=leaders, required=False, initial=wing.leader)

    def _of_unit(self, label: str) -> forms.Field:
        own = self.state.units[self.on]
        if self.what in OF_UNITS:
            words = MORALES if self.what == "morale" else FATIGUES
            choices = [(number, render(word)) for number, word in enumerate(words)]
            return forms.TypedChoiceField(label=label, choices=choices, coerce=int, initial=getattr(own, self.what))
        if self.what in FLAGS:
            return forms.BooleanField(label=label, required=False, initial=getattr(own, self.what))
        if self.what == "posture":
            postures = [(slug, render(one.name)) for slug, one in POSTURES.items()]
            return forms.ChoiceField(label=label, choices=postures, initial=own.posture)
        if self.what == "at":
            return forms.CharField(label=label, max_length=LONGEST_HEX, initial=self.state.token(self.on).at)
        if self.what in OF_CHARACTERS and not own.character:
            return forms.CharField(label=label, required=False, disabled=True)
        return figure_field(self.what, own)

    def clean(self) -> None:
        if not self.of_wing and self.what in OF_CHARACTERS and not self.state.units[self.on].character:
            self.add_error(None, _("Only characters have this value."))

    def members(self) -> dict[str, Any]:
        value = self.cleaned_data["value"]
        if self.what == "at":
            value = str(value).upper()
        return {
            "what": self.on, "field": self.what, "value": value,
            "reason": self.cleaned_data["reason"],
        }  # fmt: skip

    def refused(self, refusal: Refusal) -> None:
        for pointer, message in refusal.errors:
            name = pointer.strip("/")
            self.add_error(name if name in self.fields else None, render(message))


def _whole(label: str, bounds: tuple[int, int], now: int) -> forms.Field:
    low, high = bounds
    return forms.IntegerField(
        label=label, min_value=low, max_value=high, initial=now, widget=forms.TextInput(attrs={"inputmode": "numeric"})
    )


class WingHandForm(ByHandForm):
    """Override form for prepared spells, and for effects on units and hexes."""

    def is_target(self, what: str) -> bool:
        return what in self.state.field.tokens or what in self.state.field.ground

    def name_target(self, what: str) -> str:
        token = self.state.field.tokens.get(what)
        return name_with_wing(self.state, token) if token else what

    def list_deeds(self, what: str) -> list[HandDeeds]:
        state: HostState = self.state
        token = state.field.tokens.get(what)
        running = dict.fromkeys(timer.effect for timer in state.field.timers if what in timer.on)
        begin = beginnable(state, what)
        effects = make_effect_deeds(_called(begin), _called(running))
        return [*self._of_caster(what), *effects] if token and not token.gone else effects

    def _of_caster(self, unit: str) -> list[HandDeeds]:
        own = self.state.units[unit]
        if not (own.character and own.own.art):
            return []
        known = [spell.slug for spell in known_spells(self.state, unit) if spell.slug != own.spell]
        taken: list[tuple[str, Said]] = [("", SPELLS[own.spell].name)] if own.spell in SPELLS else []
        return [
            make_deeds(term("Put a spell face down"), term("Face down: {what}"), SPELL, _called(known)),
            make_deeds(term("Take the spell away"), term("Take away: {what}"), SPELL, taken),
        ]


def _called(slugs: Iterable[str]) -> list[tuple[str, Said]]:
    return [(slug, SPELLS[slug].name) for slug in slugs]


class GMForms:
    """The GM's forms by kind: empty, or filled with what was sent."""

    known = {"override": OverrideForm, WingHandForm.kind: WingHandForm, "end": EndForm}

    def fresh(self, page: BattlePage) -> dict[str, CommandForm]:
        return fresh(self.known, page)

    def sent(self, page: BattlePage, kind: str, data: QueryDict) -> CommandForm | None:
        return self.known[kind](page, data) if kind in self.known else None


GM_FORMS = GMForms()
