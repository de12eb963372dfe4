"""Forms of setup that are single taps: the order of a wing, and a line-up of all that waits."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import QueryDict

from battles.field.gm_forms import PlainForm
from battles.field.page import BattlePage
from battles.wing_command.setup.gm_steps import STEPS


class LineUpForm(PlainForm):
    """Every unit of the reader's that waits is placed."""

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
    """The reader's wings with units that wait for a place, on sides that aren't ready yet."""
    state, viewer = page.state, page.viewer
    return [
        wing.id
        for wing in state.wings.values()
        if viewer.commands(wing.id)
        and wing.side not in state.field.ready
        and any(state.token(unit).waiting for unit in wing.members)
    ]


SETUP_FORMS: dict[str, Any] = {LineUpForm.kind: LineUpForm, OrderForm.kind: OrderForm, **STEPS}
