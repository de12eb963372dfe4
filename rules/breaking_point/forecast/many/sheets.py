"""Tables of figures for many battles, computed once by the battle engine, for every body and every plight. A plight is
a body's loss band, or being routed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rules.breaking_point.battle.orders.legal import DEEDS
from rules.breaking_point.battle.state import conditions as c
from rules.breaking_point.battle.state.battle_state import (
    COMMAND,
    FIELD,
    FIGHTING,
    FLEET,
    ROUND,
    ROUTED,
    BattleNow,
    Body,
    BodyOrder,
)
from rules.breaking_point.battle.state.field_figures import (
    CLOSE_USE,
    CONTACT_USE,
    SHOT_USE,
    combat_now,
    defense_now,
    distance_line,
    power_now,
)
from rules.breaking_point.battle.state.reach import reach_of
from rules.breaking_point.battle.steps.phase import RALLY_FROM, rally_lines
from rules.breaking_point.battle.steps.run import ATTACK, SHOOT
from rules.breaking_point.dice import RATIOS
from rules.core.frozen_copy import changed

type Numbers = npt.NDArray[Any]
USES = (CONTACT_USE, SHOT_USE, CLOSE_USE)
FRESH_CODE, ENGAGED_CODE, BATTERED_CODE, DECIMATED_CODE, ROUTED_CODE = range(5)
PLIGHTS = 5
GREATEST = 2**40
"""Largest power that arrays can hold. Beyond it the engine computes, which has no limit."""


class Sheets(NamedTuple):
    """Figures by body, in attack order.

    `power[use][body, target, plight]`, `combat[use][body, plight, surprised]`, `defense[use][target, plight,
    surprised]`. `value` is −1 for bodies that never break. `rally` is what the die has to reach. For several battles
    there are columns by battle (`force[body, battle]` and the arrays after it), and the plights of the second battle
    follow those of the first.
    """

    side: Numbers
    shooter: Numbers
    force: Numbers
    value: Numbers
    mobility: Numbers
    far: Numbers
    rally: Numbers
    power: dict[str, Numbers]
    combat: dict[str, Numbers]
    defense: dict[str, Numbers]


FIGURES = ("force", "value", "mobility", "far", "rally")


def joined(sheets: Sequence[Sheets]) -> Sheets:
    """Join the sheets of several battles whose bodies have the same sides and groups."""
    figures = {name: np.concatenate([getattr(one, name) for one in sheets], axis=1) for name in FIGURES}
    return sheets[0]._replace(
        **figures,
        power={use: np.concatenate([one.power[use] for one in sheets], axis=2) for use in USES},
        combat={use: np.concatenate([one.combat[use] for one in sheets], axis=1) for use in USES},
        defense={use: np.concatenate([one.defense[use] for one in sheets], axis=1) for use in USES},
    )


def fits(battle: BattleNow) -> bool:
    """Whether the battle can be fought on arrays: two sides, in the field or at sea, that strike, hold or withdraw."""
    orders = battle.orders.values()
    given = [told.do for order in orders for told in order.bodies.values()]
    plain = not any(order.commit or order.distance for order in orders)
    plain &= battle.phase.kind == ROUND or not any(order.withdraw for order in orders)
    known = battle.kind in (FIELD, FLEET) and len(battle.sides) == 2 and battle.phase.kind in (COMMAND, ROUND)
    odd = any(body.formation.support or body.status == ROUTED for body in battle.bodies.values())
    bound = any(mark.kind == c.SURROUNDED for mark in battle.conditions)
    simple = all(do in DEEDS for do in given)
    met = len({body.side for body in battle.on_field()}) == 2
    return known and plain and simple and met and not (odd or bound or battle.masked)


def sheets_of(battle: BattleNow) -> Sheets | None:
    """Return the sheets; None if figures are too great."""
    bodies = list(battle.bodies.values())
    power = {use: _powers(battle, bodies, use) for use in USES}
    if max([int(found.max()) for found in power.values()] + [body.force for body in bodies]) > GREATEST:
        return None
    return Sheets(
        side=np.array([body.side for body in bodies]),
        shooter=np.array([body.shoots_only for body in bodies]),
        force=_column(body.force for body in bodies),
        value=_column(-1 if body.value is None else body.value for body in bodies),
        mobility=_column(body.formation.mobility for body in bodies),
        far=_column(reach_of(body) for body in bodies),
        rally=_column(RALLY_FROM - body.formation.command - rally_lines(battle, body.army, body).total
                      for body in bodies),
        power=power,
        combat={use: _combats(battle, bodies, use) for use in USES},
        defense={use: _defenses(battle, bodies, use) for use in USES},
    )  # fmt: skip


def _column(numbers: Iterator[int]) -> Numbers:
    return np.array(list(numbers), dtype=np.int64)[:, None]


def _plights(body: Body) -> Iterator[Body]:
    """Yield the body in each of its plights."""
    for losses in (0, 1, -(-body.force // 2), body.force):
        yield changed(body, losses=losses, status=FIGHTING)
    yield changed(body, losses=body.force, status=ROUTED)


def _powers(battle: BattleNow, bodies: list[Body], use: str) -> Numbers:
    found = np.zeros((len(bodies), len(bodies), 5), dtype=np.int64)
    armours = [target.formation.armour for target in bodies]
    for i, body in enumerate(bodies):
        for plight, hindered in enumerate(_plights(body)):
            totals = {armour: power_now(battle, hindered, use, armour).total for armour in set(armours)}
            found[i, :, plight] = [min(max(0, totals[armour]), GREATEST + 1) for armour in armours]
    return found


def bare_powers(battle: BattleNow, use: str) -> Numbers:
    """Return whether each body has any power in this use, by its plight, whatever the target."""
    return np.array(
        [[power_now(battle, hindered, use).total > 0 for hindered in _plights(body)] for body in battle.bodies.values()]
    )


def _surprised(battle: BattleNow, body: Body) -> tuple[BattleNow, BattleNow]:
    return battle.changed(surprised=frozenset()), battle.changed(surprised=frozenset({body.side}))


def _combats(battle: BattleNow, bodies: list[Body], use: str) -> Numbers:
    return np.array(
        [[[combat_now(now, hindered, use).total for now in _surprised(battle, body)] for hindered in _plights(body)]
         for body in bodies]
    )  # fmt: skip


def _defenses(battle: BattleNow, bodies: list[Body], use: str) -> Numbers:
    base = None if use == CONTACT_USE else distance_line(battle, bodies[0], use)
    found = np.array(
        [[[defense_now(now, changed(body, status=status), use, base).total for now in _surprised(battle, body)]
          for status in (FIGHTING, ROUTED)]
         for body in bodies]
    )  # fmt: skip
    return found[:, [0] * ROUTED_CODE + [1]]  # losses do not change it


# The engine's arithmetic on arrays.


def each(mask: Numbers) -> Iterator[tuple[int, Numbers]]:
    """Yield each body for which the mask is true somewhere, and where."""
    for body, own in enumerate(mask):
        rows = np.flatnonzero(own)
        if rows.size:
            yield body, rows


def ratio_bonuses(ours: Numbers, theirs: Numbers) -> Numbers:
    """Elementwise `dice.ratio_bonus`."""
    found = np.zeros(ours.shape, dtype=np.int64)
    for many, few, bonus in reversed(RATIOS):
        found = np.where(ours * few >= theirs * many, bonus, found)
    return np.where(ours == 0, 0, found)


def losses_of(power: Numbers, percent: Numbers, harsher: Fraction | None) -> Numbers:
    """Elementwise `steps.strike.loss_of`."""
    if harsher is None:
        found: Numbers = power * percent // 100
    else:
        found = harsher.numerator * power * percent // (100 * harsher.denominator)
    return found


# Targets in many battles: as ordered, else the first enemy in reach.

NOTHING, STRIKES, SHOOTS = 0, 1, 2
CODES = {ATTACK: STRIKES, SHOOT: SHOOTS}


class Choice(NamedTuple):
    """Possible action of a body. `told`: it was ordered explicitly, with any weapon."""

    do: int
    target: int
    told: bool = False


class Intents:
    """Orders of all bodies, identical in each of these battles, with the choices that follow from them."""

    def __init__(self, battles: Sequence[BattleNow], sheets: Sheets):
        battle = battles[0]
        self.sheets, self.fleets = sheets, battle.kind == FLEET
        bodies = list(battle.bodies.values())
        self.can = {STRIKES: _can(battles, CONTACT_USE), SHOOTS: _can(battles, SHOT_USE)}
        self.choices = [self._choices(battle, bodies, body) for body in bodies]
        given = [_told(battle, body) or BodyOrder() for body in bodies]
        self.pursues = np.array([one.pursue and not body.shoots_only for one, body in zip(given, bodies, strict=True)])
        self.ripostes = [one.riposte for one in given]

    def _choices(self, battle: BattleNow, bodies: list[Body], body: Body) -> list[Choice]:
        told = _told(battle, body)
        if told is not None and told.do not in CODES:
            return []
        best = (SHOOTS, STRIKES) if body.shoots_only or self.fleets else (STRIKES, SHOOTS)
        may = [do for do in best if do == SHOOTS or not (self.fleets or body.shoots_only)]
        foes = [at for at, foe in enumerate(bodies) if foe.side != body.side]
        places = {foe.id: at for at, foe in enumerate(bodies)}
        wanted = [Choice(do, foe) for do in may for foe in foes]
        if told is None:
            return wanted
        same = [choice for choice in wanted if choice.do == CODES[told.do]]
        just = [Choice(CODES[told.do], places[told.target], True)] if told.target in places else []
        return [*just, *same, *wanted]

    def covered(self, standing: Numbers) -> Numbers:
        """Return where others stand in front of a body (B-25, B-70). `standing`: on the field and not routed."""
        found = np.zeros(standing.shape, dtype=bool)
        for at in np.flatnonzero(self.sheets.shooter) if not self.fleets else ():
            before = (self.sheets.side == self.sheets.side[at]) & ~self.sheets.shooter
            found[at] = standing[before].any(axis=0)
        return found

    def ordered(
        self, able: Numbers, here: Numbers, standing: Numbers, plight: Numbers, far: Numbers
    ) -> tuple[Numbers, Numbers]:
        """Return what each body does, and to whom. `able`: it takes orders and does not rest. `far` is its range."""
        does, targets = np.zeros(here.shape, dtype=np.int8), np.zeros(here.shape, dtype=np.intp)
        covered = self.covered(standing)
        for body, choices in enumerate(self.choices):
            left = able[body].copy()
            for choice in choices:
                if not left.any():
                    break
                reached = ~covered[choice.target]
                if choice.do == SHOOTS:
                    reached |= far[body] >= far[choice.target]
                taken = left & here[choice.target] & reached
                if not choice.told:
                    taken &= self.can[choice.do][body][plight[body]]
                does[body][taken], targets[body][taken] = choice.do, choice.target
                left &= ~taken
        return does, targets


def _can(battles: Sequence[BattleNow], use: str) -> Numbers:
    """Return whether each body has any power in this use, by its plight, in the format of joined `Sheets`."""
    return np.concatenate([bare_powers(battle, use) for battle in battles], axis=1)


def _told(battle: BattleNow, body: Body) -> BodyOrder | None:
    order = battle.orders.get(body.army)
    return None if order is None else order.bodies.get(body.key)
