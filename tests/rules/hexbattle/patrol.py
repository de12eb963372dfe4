"""Patrol: the smallest law of hex battles, to try what they share. Sides take turns to move one unit or to pass."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from rules import battle_law as rules_battle_law
from rules.core.errors import demand, require
from rules.core.text import _, say
from rules.hexbattle import common, ending
from rules.hexbattle.board import BoardLegal, Confirm, Step
from rules.hexbattle.choosing import march, require_next
from rules.hexbattle.field import Field, FrozenField, Token, by_name, commands, opened
from rules.hexbattle.law import COMMANDS, EVENTS, HexBattles
from rules.hexbattle.moving import Gait, Mover, reach, route, way_of

ON_FOOT = Gait(difficult=2)


class Opening(NamedTuple):
    map: dict[str, Any]
    armies: dict[str, int]
    tokens: tuple[Token, ...]


class March(NamedTuple):
    unit: str
    path: tuple[str, ...] = ()
    to: str = ""


class Pass(NamedTuple):
    pass


class TurnPassed(NamedTuple):
    side: int


@dataclass(frozen=True)
class State:
    opening: Opening
    field: Field
    turn: int = 0


class Frozen(NamedTuple):
    field: FrozenField
    turn: int


class Patrol(HexBattles):
    shapes = rules_battle_law.Shapes(
        Opening,
        March | Pass | COMMANDS | rules_battle_law.Settling,
        TurnPassed | EVENTS | rules_battle_law.SettlingEvent,
        Frozen,
    )
    status_words = {rules_battle_law.FIGHTING: _("fighting")}
    zone_rows = 2

    def open(self, opening):
        return State(opening, opened(opening.map, opening.armies, opening.tokens))

    def side_names(self, state):
        return ("South", "North")

    def mover(self, field: Field, token: Token) -> Mover:
        """By what its side knows."""
        enemies = field.enemies(token.side, unseen=self.unseen(field, token.side))
        friends = field.hexes(one for one in field.of_side(token.side) if one.standing and not one.character)
        near = field.ground.beside(field.hexes(enemies))
        points = field.stumbled.left if field.stumbled else 4
        return Mover(ON_FOOT, points, field.hexes(enemies), frozenset() if token.character else friends, near)

    def resolved(self, state, command, dice, viewer) -> Iterator[Any]:
        if isinstance(command, March):
            yield from self._march(state.field, command, state.turn)
            return
        if state.field.stumbled:
            yield common.WentOn(state.field.stumbled.unit)
        yield TurnPassed(1 - state.turn)

    def _march(self, field: Field, command: March, turn: int) -> Iterator[Any]:
        token = field.tokens.get(command.unit)
        demand(token, _("This unit isn’t in the battle."), field="/unit")
        assert token is not None
        require(token.side == turn and token.standing, _("This unit can't act now."), field="/unit")
        require_next(field, token.id)
        mover = self.mover(field, token)
        way = way_of(field.ground, mover, token.at, path=command.path, to=command.to)
        done = march(field, token.id, mover, way, self.unseen)
        yield from done.events
        if not done.walk.stumbled:
            yield TurnPassed(1 - turn)

    def after(self, state, event):
        if isinstance(event, TurnPassed):
            return replace(state, turn=event.side)
        return super().after(state, event)

    def legal_in_play(self, state, viewer, selection):
        first = state.field.stumbled
        side = by_name(state.field.of_side(state.turn))
        own = [t for t in side if commands(viewer, t) and t.standing and (not first or first.unit == t.id)]
        if not own:
            return BoardLegal(())
        able = tuple(token.id for token in own)
        token = next((t for t in own if selection and t.id == selection[0]), None)
        if token is None:
            confirm = Confirm(Pass(), say(_("Pass")), say(_("Pass")))
            return BoardLegal(("march", "pass"), able=able, confirm=confirm, turn=True)
        mover = self.mover(state.field, token)
        steps = tuple(Step(at, cost) for at, cost in reach(state.field.ground, mover, token.at).items())
        if len(selection) < 2 or selection[1] not in {step.hex for step in steps}:
            return BoardLegal(("march", "pass"), (token.id,), able, steps, turn=True)
        way = route(state.field.ground, mover, token.at, selection[1])
        assert way is not None
        text = say(_("{unit} to {hex}"), unit=token.name, hex=way.end)
        confirm = Confirm(March(token.id, way.hexes), text, text)
        return BoardLegal(
            ("march", "pass"), selection[:2], able, steps, way.hexes, way.costs, confirm=confirm, turn=True
        )

    def allows_in_play(self, state, command, viewer):
        token = state.field.tokens.get(getattr(command, "unit", ""))
        return viewer.gm or token is None or commands(viewer, token)

    def told(self, state, event):
        return rules_battle_law.LogEntry("turn", "", "", say(_("Next turn.")), quiet=True)

    def summary(self, state):
        field = state.field
        now, names = self.stage(field.status, 1), self.side_names(state)
        armies = {army: self._combatant(field, army, side) for army, side in field.armies.items()}
        return rules_battle_law.Summary(
            field.status, now, ((now, "current"),), common.teams(field, names), armies, outcome=self.outcome(state)
        )

    def _combatant(self, field, army, side):
        left, whole = field.troops(army)
        return rules_battle_law.Combatant(army, army, side, rules_battle_law.FIGHTING, _("fighting"), left, whole)

    def stage(self, kind, number):
        return rules_battle_law.Stage(kind, number, _("Patrol"))

    def aftermath(self, state, world, choices, dice):
        raise AssertionError


PATROL = Patrol()
END = ending.End
