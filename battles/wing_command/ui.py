"""Battle UI of wing command: what of `HexBattleUI` is its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from secrets import token_hex
from typing import Any

from armies.models import Army
from battles.hexes.ui import HexBattleUI
from battles.models import Battle
from battles.wing_command import world
from battles.wing_command.mustered import MusteredWingSerializer
from kingdom.realms.figures import get_ruleset
from rules.hexbattle.board import Board
from rules.law import Viewer
from rules.wing_command.battle.record.state import BattleOpening, HostState
from rules.wing_command.battle.shown import board
from rules.wing_command.figures import wing_of
from rules.wing_command.spec import WingSpec


class WingBattleUI(HexBattleUI):
    family = "wing_command"
    mustered_shape = MusteredWingSerializer

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
        wings = [documents[key]._replace(side=number) for number, side in enumerate(sides) for key in side.armies]
        return BattleOpening(options["map"], tuple(side.name for side in sides), tuple(wings), token_hex(8))

    def read_world(self, battle: Battle) -> world.WorldNow:
        return world.read(battle)

    def board(self, state: HostState, viewer: Viewer) -> Board:
        return board(state, viewer)


UI = WingBattleUI()
