"""Setup forms of THUCIDIDE fantasy: the opening, lining up, and the cards of a caster."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from battles.default.house_options import HouseOpening
from battles.field.gm_forms import PlainForm
from battles.field.page import BattlePage
from core.text import render
from rules.core.errors import Refusal
from rules.hexbattle.field import commands
from rules.thucidide_fantasy.battle.record.state import FantasyState
from rules.thucidide_fantasy.battle.setup import OPTIONS
from rules.thucidide_fantasy.battle.telling.summary import spell_name
from rules.thucidide_fantasy.house import HOUSE_RULES
from rules.thucidide_fantasy.spec import CARDS

COPIES = "copies-"


class LineUpForm(PlainForm):
    """Place all waiting units and characters of the reader."""

    kind = "line_up"

    def __init__(self, page: BattlePage, data: QueryDict | None = None):
        super().__init__(page, data)
        self.page = page

    def members(self) -> dict[str, Any]:
        return {"armies": waiting_armies(self.page)}


def waiting_armies(page: BattlePage) -> list[str]:
    """The reader's armies with waiting units or characters, on sides that aren't ready."""
    field, viewer = page.state.field, page.viewer
    waiting = (token for token in field.tokens.values() if token.waiting and token.side not in field.ready)
    return list(dict.fromkeys(token.army for token in waiting if viewer.commands(token.army)))


class SpellRow(NamedTuple):
    """A spell that can be chosen as a card, with its cost and the field for the number of cards."""

    field: forms.BoundField
    cost: int


class CardsForm(PlainForm):
    """The cards of a caster: the number of each spell."""

    kind = "choose_cards"
    caster = forms.CharField(max_length=80, widget=forms.HiddenInput)

    def __init__(self, page: BattlePage, data: QueryDict | None = None, caster: str = ""):
        super().__init__(page, data)
        self.state: FantasyState = page.state
        caster = caster if data is None else str(data.get("caster", ""))
        self.initial = {"caster": caster}
        own = self.state.people.get(caster)
        self.own_points = own.own.points if own else 0
        cards = own.cards if own else ()
        self.spent = sum(self.state.options.spells[slug].cost for slug in cards if slug in self.state.options.spells)
        for slug, spell in self.state.options.spells.items():
            most = self.own_points // max(1, spell.cost)
            if most:
                self.fields[f"{COPIES}{slug}"] = forms.TypedChoiceField(
                    label=render(spell_name(self.state, slug)), choices=[(n, n) for n in range(most + 1)], coerce=int,
                    required=False, initial=cards.count(slug),
                )  # fmt: skip

    @property
    def rows(self) -> list[SpellRow]:
        spells = self.state.options.spells
        return [SpellRow(self[f"{COPIES}{slug}"], one.cost) for slug, one in spells.items() if self._offers(slug)]

    def _offers(self, slug: str) -> bool:
        return f"{COPIES}{slug}" in self.fields

    def members(self) -> dict[str, Any]:
        counts: Mapping[str, int] = {
            slug: self.cleaned_data.get(f"{COPIES}{slug}") or 0 for slug in self.state.options.spells
        }
        spells = [slug for slug, count in counts.items() for _copy in range(count)]
        return {"caster": self.cleaned_data["caster"], "spells": spells}

    def refused(self, refusal: Refusal) -> None:
        self.add_error(None, render(refusal.message))


def cards_form(page: BattlePage, unit: str) -> CardsForm | None:
    """The form for a caster's cards, if the reader may choose them now; None otherwise."""
    state: FantasyState = page.state
    own, token = state.people.get(unit), state.field.tokens.get(unit)
    if own is None or token is None or not own.own.casts or state.field.started:
        return None
    mine = "choose_cards" in page.legal.commands and commands(page.viewer, token)
    return CardsForm(page, caster=unit) if mine and state.options.supply == CARDS else None


SETUP_FORMS: dict[str, Any] = {LineUpForm.kind: LineUpForm, CardsForm.kind: CardsForm}
CHOOSE = _("Choose these cards")


# Form that opens a battle: sides with their generals, and options of the house rules


class ContingentOpening(HouseOpening):
    rules, names = HOUSE_RULES, OPTIONS
    leader_label, usual_leader = _("General"), _("the first commander of this rank")
