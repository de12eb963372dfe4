"""Setup forms of wing command: the opening, orders of wings, lining up, and the strengths of the sides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from armies.models import Army
from battles.default.house_options import HouseOpening
from battles.field.gm_forms import PlainForm
from battles.field.page import BattlePage
from battles.setup.page import pick_colour
from battles.wing_command.setup.gm_steps import STEPS
from kingdom.realms.figures import get_ruleset
from rules.core.text import Said, by_number, say
from rules.wing_command.battle.setup.setup_commands import OPTIONS
from rules.wing_command.figures import points_of
from rules.wing_command.house import HOUSE_RULES


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
