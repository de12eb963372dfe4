"""Threats to a unit: what each visible enemy could do to it on a hex before it acts again.

Each enemy moves by its own mover to the hex with the worst attack; the law defines the attacks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

from rules.hexbattle.board import Piece, Threat
from rules.hexbattle.field import Field
from rules.hexbattle.ground import BattleGround
from rules.hexbattle.moving import Mover, reach
from rules.hexbattle.tokens import Token

type Blow = Callable[[Token, str], Threat | None]
"""A function of an enemy and a hex: the enemy's attack on the unit from there; None if it has none."""


def threats(
    field: Field,
    enemies: Iterable[Token],
    mover: Callable[[Token], Mover | None],
    blow: Blow,
    *,
    badness: Callable[[tuple[Piece, ...]], Fraction] | None = None,
) -> tuple[Threat, ...]:
    """The worst attack of each enemy that can attack, worst enemy first.

    `field`: as the unit's side sees it, with the unit on the hex in question. `mover`: how an enemy can move; None if
    it can't. `badness`: how bad the outcomes are; by default the chance of any but the mildest.
    """
    weigh = badness or any_harm
    found = [worst for enemy in enemies if (worst := _worst(field.ground, enemy, mover(enemy), blow, weigh))]
    return tuple(sorted(found, key=lambda threat: (-weigh(threat.outcomes), threat.unit)))


def any_harm(outcomes: tuple[Piece, ...]) -> Fraction:
    """The chance of any outcome but the first, the mildest."""
    return sum((piece.chance for piece in outcomes[1:]), Fraction(0))


def _worst(
    ground: BattleGround, enemy: Token, mover: Mover | None, blow: Blow, weigh: Callable[[tuple[Piece, ...]], Fraction]
) -> Threat | None:
    sources = [enemy.at] if mover is None else list(reach(ground, mover, enemy.at))
    found = [threat for source in sources if (threat := blow(enemy, source))]
    return max(found, key=lambda threat: weigh(threat.outcomes), default=None)
