"""Battle UI of THUCIDIDE fantasy: what of `HexBattleUI` is its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from secrets import token_hex
from typing import Any

from armies.models import Army
from battles.hexes.ui import HexBattleUI
from battles.models import Battle
from battles.thucidide_fantasy import world
from core.text import render
from kingdom.realms.figures import get_ruleset
from rules.hexbattle.board import Board
from rules.law import Viewer
from rules.thucidide_fantasy.battle.record.state import BattleOpening, FantasyState
from rules.thucidide_fantasy.battle.shown import board
from rules.thucidide_fantasy.figures import contingent_of
from rules.thucidide_fantasy.spec import ContingentSpec


class FantasyBattleUI(HexBattleUI):
    family = "thucidide_fantasy"

    def document(self, army: Army) -> ContingentSpec:
        """The army as a contingent with its commander."""
        law: Any = get_ruleset(army.campaign)
        leader = army.commander
        commander = (str(leader.pk), leader.name, law.armies.commander_of(leader.sheet)) if leader else None
        sheet = law.armies.value_of(army.sheet)
        return contingent_of(
            str(army.pk),
            army.name,
            0,
            sheet,
            commander=commander,
            tables=law.tables,
            kingdom=str(army.kingdom_id),
            named=render,
        )

    def opening(self, sides: Sequence[Any], documents: Mapping[str, Any], **options: Any) -> BattleOpening:
        found = [documents[key]._replace(side=number) for number, side in enumerate(sides) for key in side.armies]
        return BattleOpening(options["map"], tuple(side.name for side in sides), tuple(found), token_hex(8))

    def read_world(self, battle: Battle) -> world.CampaignNow:
        return world.read(battle)

    def board(self, state: FantasyState, viewer: Viewer) -> Board:
        return board(state, viewer)


UI = FantasyBattleUI()
