"""API to raise several armies at once, under any ruleset."""

from __future__ import annotations

from functools import cache
from typing import Any

from rest_framework import serializers

from armies.forces.services import SEVERAL_MOST
from armies.ruleset_ui import ArmyUI, list_army_uis
from core.api.input_serializers import Input
from core.api.ruleset_shapes import choose_shape
from core.clean_input import NAME_MAX
from kingdom.api.fields import NameField

TOLD = "As one army, and how many: `name` is counted on (2nd company, 3rd company); `commander` leads the first."


class DuplicateInput(Input):
    """`name`: the first of the names, which are counted on from it; without it from the army’s own."""

    copies = serializers.IntegerField(min_value=1, max_value=SEVERAL_MOST, required=False, default=1)
    name = NameField(max_length=NAME_MAX, required=False)


def several_input(ui: ArmyUI) -> Any:
    """The law's body of a new army, with how many of them."""
    return _several(ui.api.army_input)


@cache
def _several(base: Any) -> Any:
    copies = serializers.IntegerField(min_value=1, max_value=SEVERAL_MOST)
    return type(f"Several{base.__name__}", (base,), {"__doc__": TOLD, "__module__": __name__, "copies": copies})


def several_of_every_law() -> Any:
    """For the document."""
    return choose_shape("AnySeveralArmiesInput", {ui.family: several_input(ui) for ui in list_army_uis()})
