"""The skirmish for people and programs: played on the board."""

from collections.abc import Mapping
from secrets import token_hex
from typing import Any

from armies import models
from armies.default.ui import DefaultArmyUI
from battles.default.ui import PlainPayers
from battles.hexes.shape import choices_of, units_of
from battles.hexes.ui import HexBattleUI
from battles.models import Battle
from battles.ruleset_ui import Onward
from rules.core.errors import demand
from rules.core.text import _, say
from rules.hexbattle.board import Board, Clock, Counter, OutOfSight
from rules.hexbattle.field import SIDES
from rules.hexbattle.seeing import sides_of
from rules.hexbattle.tokens import Token, by_name, commands, unit_ids
from rules.hexes.mapfile import document
from rules.hexes.starter import STARTERS
from rules.law import SETUP, Viewer
from tests.rulesets.skirmish.law import SKIRMISH_LAW, Army, Opening, State

TAGS = ("F1", "F2", "F3", "R1", "R2", "S1")
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
        salt, ground = token_hex(8), options.get("ground", "meadows")
        for side, key in ((side, key) for side, team in enumerate(sides) for key in team.armies):
            army, ids = documents[key], unit_ids(key, salt, len(TAGS))
            armies[key] = Army(key, army.name, str(army.kingdom_id), side, army.health_max)
            tokens += [
                Token(id_, key, side, f"{army.name} {tag}", hidden=tag == "S1")
                for id_, tag in zip(ids, TAGS, strict=True)
            ]
            false += [ids[TAGS.index(army.sheet["false"])]] if "false" in army.sheet else []
        land = document(STARTERS[ground])
        return Opening(tuple(side.name for side in sides), armies, land, tuple(tokens), tuple(false), ground)

    def read_world(self, battle: Battle) -> PlainPayers:
        return PlainPayers.of(battle, "SKIRMISH-1")

    def board(self, state: State, viewer: Viewer) -> Board:
        field, sides = state.field, state.opening.sides
        setup, own = field.status == SETUP, sides_of(field, viewer)
        zones = tuple(field.ground.zone(side, SKIRMISH_LAW.battle.zone_rows) for side in SIDES) if setup else ()
        unseen = [side for side in SIDES if setup and side not in own and len(field.ready) < len(SIDES)]
        return Board(
            tuple(self._counter(state, token, viewer) for token in by_name(field.tokens.values()) if not token.gone),
            clock=None if setup else self._clock(state, own),
            losses=tuple((grave.at, field.tokens[grave.unit].name) for grave in field.graves),
            zones=zones,
            hidden=tuple(OutOfSight(side, say(_("{side} sets up here"), side=sides[side])) for side in unseen),
        )

    def _counter(self, state: State, token: Token, viewer: Viewer) -> Counter:
        own = state.field.started and token.side == state.turn and commands(viewer, token)
        done = token.id in state.done
        states = (*((_("false"),) if token.id in state.false else ()), *((_("hidden"),) if token.hidden else ()))
        tag = token.name.rpartition(" ")[2]
        return Counter(
            token.id, token.army, token.side, token.name, token.at, GLYPHS[tag[0]], tag,
            can_act=own and not done, done=done, states=states,
        )  # fmt: skip

    def _clock(self, state: State, own: frozenset[int]) -> Clock:
        mine = own == {state.turn}
        now = _("You act") if mine else say(_("{side} acts"), side=state.opening.sides[state.turn])
        return Clock(SKIRMISH_LAW.battle.stage("round", state.round).label, now)

    def shape(self, state: State, summary: Any, figures: Any, viewer: Viewer, legal: Any) -> dict[str, Any]:
        board = self.board(state, viewer)
        told = {"map": dict(state.field.ground.document), "units": units_of(board), **choices_of(legal)}
        return {
            **super().shape(state, summary, figures, viewer, legal),
            **told,
            "turn": state.turn,
            "round": state.round,
        }


UI = SkirmishBattleUI()
ARMIES = DefaultArmyUI("skirmish")
