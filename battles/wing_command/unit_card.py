"""Unit card: figures, states and command of one unit, as far as its reader may know them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rules.adjustments import adjustment_lines
from rules.core.breakdown import Line
from rules.core.text import Said, Term, _, say
from rules.law import Viewer
from rules.wing_command.battle.combat import WARD_BONUS, warded
from rules.wing_command.battle.command import CommandTest, command_test, points_of, reduced_ability, reductions
from rules.wing_command.battle.movement import pace_of
from rules.wing_command.battle.record.state import ACTION, ROUT, HostState, Unit, Wing
from rules.wing_command.battle.situation import bound
from rules.wing_command.spec import ADJUSTABLE, REGULAR
from rules.wing_command.starter import ABILITIES, ARTS, ORDERS, PROFILES, SPELLS

D6 = 6
ADJUSTED = {"move": _("Move"), "melee": _("Melee attack"), "shot": _("Shot"), "guard": _("Guard")}
"""Figures of a unit that the GM may adjust."""


class CardFigure(NamedTuple):
    """A figure now, and its value without effects."""

    label: Said
    value: int
    written: int


class AbilityNow(NamedTuple):
    """A character's ability after reductions ("" below E), the reasons, and the range of their order points."""

    written: str
    now: str
    reasons: tuple[Said, ...]
    least: int
    most: int


class UnitCard:
    """The card of a unit. `state`: limited to what its reader sees."""

    def __init__(self, state: HostState, viewer: Viewer, unit: str):
        self.state, self.viewer, self.unit = state, viewer, unit
        self.own: Unit = state.units[unit]
        self.wing: Wing = state.wing_of(unit)

    @property
    def figures(self) -> Iterator[CardFigure]:
        own = self.own.own
        yield CardFigure(_("Move"), pace_of(self.state, self.unit).points, own.move)
        yield CardFigure(_("Melee attack"), own.melee, own.melee)
        if own.shot:
            yield CardFigure(_("Shot"), own.shot, own.shot)
            yield CardFigure(_("Range"), own.range, own.range)
        guard = own.guard + (WARD_BONUS if warded(self.state, self.unit) else 0)
        yield CardFigure(_("Guard"), guard, own.guard)

    @property
    def adjusted(self) -> Iterator[Line]:
        """Additions of the GM’s adjustments to its figures, each with its reason; none for readers who may not know the
        reasons.
        """
        told = [one for one in self.own.own.adjustments if one.reason]
        for figure, name in ADJUSTED.items():
            for line in adjustment_lines(told, figure, ADJUSTABLE.rule):
                yield line._replace(label=say(Term("{figure} · {why}"), figure=name, why=line.label))

    @property
    def kinds(self) -> Iterator[Said]:
        """Its size if large, its class or profile if not regular, its ways of moving, and its art."""
        own = self.own.own
        if own.large:
            yield _("large")
        if own.fly:
            yield _("flies")
        if own.infiltrate:
            yield _("infiltrates")
        if own.profile != REGULAR:
            yield PROFILES[own.profile].name
        if own.art:
            yield say(_("{art}, level {level}"), art=ARTS[own.art], level=own.level)
            if own.pentacle:
                yield say(_("pentacle {number}"), number=own.pentacle)

    @property
    def bound_by(self) -> Said | None:
        """The name of the standing order that binds it; None if none does."""
        if not self.state.field.started or not self.wing.order or not bound(self.state, self.unit):
            return None
        return ORDERS[self.wing.order].name

    @property
    def leads(self) -> Said | None:
        led = self.state.led_by(self.unit)
        return say(_("leads {wing}"), wing=led.name) if led else None

    @property
    def ability(self) -> AbilityNow | None:
        """The command ability; None once commands are over this turn, so that the space serves the unit's actions."""
        own = self.own.own
        if not (self.own.character and own.ability) or self.state.phase in (ACTION, ROUT):
            return None
        now = reduced_ability(self.state, self.unit)
        most = points_of(now, D6) if now else 1
        least = ABILITIES[now].factor if now else 1
        return AbilityNow(own.ability, now, tuple(reductions(self.state, self.unit)), least, most)

    @property
    def test(self) -> CommandTest | None:
        """The command test for the wing they lead; None if they lead none."""
        led = self.state.led_by(self.unit)
        standing = self.state.token(self.unit).standing
        return command_test(self.state, self.unit, led) if led and standing and self.own.own.ability else None

    @property
    def lines(self) -> tuple[Line, ...]:
        return self.test.sum.lines if self.test else ()

    @property
    def spell(self) -> Said | None:
        """The prepared spell, known only to their side and the GM."""
        return SPELLS[self.own.spell].name if self.own.spell else None
