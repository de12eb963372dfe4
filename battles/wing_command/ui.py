"""Battle UI of wing command: what of `HexBattleUI` is its own."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from secrets import token_hex
from typing import Any

from django.http import QueryDict

from armies.models import Army
from battles.field.forms import CommandForm
from battles.field.gm_forms import fresh
from battles.field.page import BattlePage
from battles.hexes.ui import HexBattleUI
from battles.models import Battle
from battles.wing_command import gm_forms, world
from battles.wing_command.setup.opening_form import WingOpening
from battles.wing_command.setup.opening_shapes import HostAsked, OptionsAsked
from battles.wing_command.setup.setup_forms import FORMS as SETUP_FORMS
from kingdom.realms.figures import get_ruleset
from rules.core.shapes import options_of
from rules.core.text import _
from rules.hexbattle.board import Board
from rules.law import Viewer
from rules.wing_command.battle.record.state import BattleOpening, HostState
from rules.wing_command.battle.shown import board
from rules.wing_command.figures import wing_of
from rules.wing_command.spec import ADVANCE, ATTACK, HOLD, RETREAT, WingSpec
from rules.wing_command.starter import ORDERS


class WingBattleUI(HexBattleUI):
    family = "wing_command"
    side = HostAsked
    options = options_of(OptionsAsked, everything=True)
    opening_form = WingOpening
    setup_template = "battles/wing_command/setup/opening.html"
    desk_template = "battles/wing_command/desk.html"
    tray_template = "battles/wing_command/tray.html"
    beside_template = "battles/wing_command/line_up.html"
    by_players: Collection[str] = (*HexBattleUI.by_players, *SETUP_FORMS)
    health_name = _("Troops")
    orders = ORDERS
    """What can be ordered of a wing, and its drawing."""
    order_icons: Mapping[str, str] = {ATTACK: "g-swords", ADVANCE: "g-run", HOLD: "g-shield", RETREAT: "g-return"}

    def document(self, army: Army) -> WingSpec:
        """The army as a wing, its commander as its leader."""
        law: Any = get_ruleset(army.campaign)
        leader = army.commander
        commander = (str(leader.pk), leader.name, law.armies.commander_of(leader.sheet)) if leader else None
        sheet = law.armies.value_of(army.sheet)
        return wing_of(
            str(army.pk), army.name, 0, sheet, commander=commander, tables=law.tables, kingdom=str(army.kingdom_id)
        )

    def opening(self, sides: Sequence[Any], documents: Mapping[str, Any], **options: Any) -> BattleOpening:
        """Options nobody chose are the campaign's."""
        wings = [documents[key]._replace(side=number) for number, side in enumerate(sides) for key in side.armies]
        names, leaders = (tuple(getattr(side, what, "") for side in sides) for what in ("name", "leader"))
        asked = {name: value for name, value in options.items() if name != "map" and value not in (None, "")}
        return BattleOpening(options["map"], names, tuple(wings), token_hex(8), leaders, asked=asked)

    def read_world(self, battle: Battle) -> world.WorldNow:
        return world.read(battle)

    def board(self, state: HostState, viewer: Viewer) -> Board:
        return board(state, viewer)

    # setup and the GM's tools

    def desk(self, state: HostState) -> dict[str, Any]:
        return gm_forms.desk_of(state)

    def command_form(self, page: BattlePage, kind: str, data: QueryDict) -> CommandForm | None:
        form = {**SETUP_FORMS, **gm_forms.FORMS}.get(kind)
        return form(page, data) if form else super().command_form(page, kind, data)

    def desk_forms(self, page: BattlePage) -> dict[str, CommandForm]:
        return fresh(gm_forms.FORMS, page)


UI = WingBattleUI()
