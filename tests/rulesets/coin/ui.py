"""The coin for people and programs."""

from collections.abc import Mapping
from typing import Any

from django import forms

from armies.default.ui import DefaultArmyUI
from armies.models import Army
from battles.default.ui import DefaultBattleUI, PlainPayers
from battles.field.forms import CommandForm
from battles.models import Battle
from battles.ruleset_ui import Onward
from rules.core.text import _
from tests.rulesets.coin.law import COIN, Call, Company, Opening, State, Toss


class CallForm(CommandForm):
    kind = "order"
    call = forms.ChoiceField(label="Call", choices=list(COIN.items()))

    def __init__(self, army: str, version: int, data: Any = None):
        super().__init__(version, data, auto_id=f"{army}-%s")
        self.concerns = army

    def members(self) -> dict[str, Any]:
        return {**super().members(), "army": self.concerns}


class CoinBattleUI(DefaultBattleUI):
    family = "coin"
    rolls = {"toss": _("the toss"), "ransom": _("the ransom")}
    onward = {"toss": Onward(_("Toss the coin"), "roll")}
    readers = {
        "order": lambda members, sides: Call(members.army("army"), members.slug("call")),
        "toss": lambda members, sides: Toss(),
    }

    def document(self, army: Army) -> Company:
        return Company(str(army.pk), army.name, str(army.kingdom_id), army.health_max, army.health)

    def opening(self, sides: Any, documents: Mapping[str, Any]) -> Opening:
        armies = (documents[army] for side in sides for army in side.armies)
        return Opening(tuple(side.name for side in sides), tuple(armies))

    def read_world(self, battle: Battle) -> PlainPayers:
        return PlainPayers.of(battle, "COIN-3")

    def choices(self, state: State, army: str, legal: Any) -> Any:
        return legal if army in legal.armies else None

    def order_form(self, page: Any, card: Any, data: Any = None) -> CallForm:
        return CallForm(card.id, page.battle.version, data)


UI = CoinBattleUI()
ARMIES = DefaultArmyUI("coin")
