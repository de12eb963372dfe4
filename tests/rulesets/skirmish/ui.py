"""The skirmish for people and programs: played on the board."""

from collections.abc import Mapping
from secrets import token_hex
from typing import Any

from armies import models
from armies.default.ui import DefaultArmyUI
from battles.default.ui import PlainPayers
from battles.hexes.ui import HexBattleUI
from battles.models import Battle
from battles.ruleset_ui import Onward
from rules.core.errors import demand
from rules.core.text import NO_WORDS, _, say
from rules.hexbattle.board import Board, Cell, Clock, Counter
from rules.hexbattle.field import SIDES, Token, commands, raised
from rules.hexbattle.seeing import board_of, set_up, sides_of
from rules.law import RUNNING, Viewer
from tests.rulesets.skirmish.law import SKIRMISH_LAW, Army, Opening, State

TAGS = ("F1", "F2", "F3", "R1", "R2", "S1")
MEN_MOST = 5  # real units of an army with a false one
GLYPHS = {"F": "foot", "R": "riders", "S": "scouts"}


class SkirmishBattleUI(HexBattleUI):
    family = "skirmish"
    rolls = {"strike": _("the strike")}
    onward = {"start": Onward(_("Begin the battle"), "roll")}

    def document(self, army: models.Army) -> models.Army:
        return army

    def opening(self, sides: Any, documents: Mapping[str, Any], **options: Any) -> Opening:
        demand(len(sides) == len(SIDES), _("A skirmish has two sides."), field="/sides")
        armies, tokens, false = {}, [], []
        salt = token_hex(8)
        for side, key in ((side, key) for side, team in enumerate(sides) for key in team.armies):
            army = documents[key]
            armies[key] = Army(key, army.name, str(army.kingdom_id), side, min(MEN_MOST, army.health_max))
            names = [f"{army.name} {tag}" for tag in TAGS]
            units = raised(key, side, salt, names, lambda name: name.endswith("S1"))
            tokens += units
            false += [unit.id for unit in units if unit.name.endswith(army.sheet.get("false", " "))]
        return Opening(tuple(side.name for side in sides), armies, options["map"], tuple(tokens), tuple(false))

    def read_world(self, battle: Battle) -> PlainPayers:
        return PlainPayers.of(battle, "SKIRMISH-1")

    def board(self, state: State, viewer: Viewer) -> Board:
        field, battle, names = state.field, SKIRMISH_LAW.battle, state.opening.sides
        mine = sides_of(field, viewer) == {state.turn}
        cells = tuple(self._cell(state, army) for army in state.opening.armies.values())
        now = _("You act") if mine else say(_("{side} acts"), side=names[state.turn])
        clock = Clock(battle.stage("round", state.round).label, now, cells=cells) if field.status == RUNNING else None
        board = board_of(field, lambda token: self._counter(state, token, viewer), lambda timer: NO_WORDS, clock=clock)
        return set_up(board, field, viewer, names, zone_rows=battle.zone_rows)

    def _cell(self, state: State, army: Army) -> Cell:
        acting = "acting" if army.side == state.turn else "to act"
        return Cell(army.id, army.side, army.name, pips=(state.left(army.id), army.men), state=acting)

    def _counter(self, state: State, token: Token, viewer: Viewer) -> Counter:
        done, acts = token.id in state.done, state.field.status == RUNNING and token.side == state.turn
        states = (*((_("false"),) if token.id in state.false else ()), *((_("hidden"),) if token.hidden else ()))
        tag = token.name.rpartition(" ")[2]
        return Counter(
            token.id, token.army, token.side, token.name, token.at, GLYPHS[tag[0]], tag,
            can_act=acts and not done and commands(viewer, token), done=done, states=states,
        )  # fmt: skip


UI = SkirmishBattleUI()
ARMIES = DefaultArmyUI("skirmish")
