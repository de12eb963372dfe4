"""The road for people and programs: a panel that asks step by step."""

from collections.abc import Mapping
from typing import Any

from django import forms

from armies import models
from armies.default.ui import DefaultArmyUI
from battles.default.ui import DefaultBattleUI, PlainPayers
from battles.field.forms import DiceForm, dice_words
from battles.models import Battle
from rules.core.text import _
from tests.rulesets.turns.law import Army, Opening, State, Unit

START = {0: (4, 1), 1: (6, 9)}  # where the first unit of a side stands, and its scouts lie


class DeedForm(DiceForm):
    """What was picked last: "step:3", "strike:<unit>", "flank:<unit>". It may need dice."""

    unit = forms.CharField(required=False)
    deed = forms.CharField(required=False)

    def members(self) -> dict[str, Any]:
        self.command_type, _colon, where = self.cleaned_data["deed"].partition(":")
        target: dict[str, Any] = {"to": int(where)} if self.command_type == "step" else {"target": where}
        return {"unit": self.cleaned_data["unit"], **target}


class TurnsBattleUI(DefaultBattleUI):
    family = "turns"
    rolls = {"clash": _("the clash"), "flank": _("the flank")}
    throws = frozenset({"flank", "answer"})
    by_players = ("deed", "answer")
    turn_template = "turns/turn.html"

    def document(self, army: models.Army) -> Army:
        """Two units: the line, and scouts with an owner of their own."""
        own = str(army.pk)
        line = Unit(f"{own}:line", f"{army.name}, line", own, "", 0, False)
        scouts = Unit(f"{own}:scouts", f"{army.name}, scouts", own, army.sheet.get("scouts", ""), 0, True)
        return Army(own, army.name, str(army.kingdom_id), (line, scouts))

    def opening(self, sides: Any, documents: Mapping[str, Any]) -> Opening:
        armies = [documents[army] for side in sides for army in side.armies]
        placed = (self._placed(army, START[side]) for side, army in enumerate(armies))
        return Opening(tuple(side.name for side in sides), tuple(placed))

    def _placed(self, army: Army, places: tuple[int, ...]) -> Army:
        units = (unit._replace(at=place) for unit, place in zip(army.units, places, strict=True))
        return army._replace(units=tuple(units))

    def read_world(self, battle: Battle) -> PlainPayers:
        return PlainPayers.of(battle, "TURN-3")

    def command_form(self, page: Any, kind: str, data: Any) -> Any:
        return DeedForm(kind, page.battle.version, dice_words(page.battle), data) if kind == "deed" else None

    def shape(self, state: State, summary: Any, figures: Any, viewer: Any, legal: Any) -> dict[str, Any]:
        units = [{"unit": unit.id, "at": unit.at, "army": unit.army} for unit in state.units.values()]
        deeds = [deed.slug for deed in legal.deeds]
        return {**super().shape(state, summary, figures, viewer, legal), "units": units, "deeds": deeds}


UI = TurnsBattleUI()
ARMIES = DefaultArmyUI("turns")
