"""Endings of a hex battle: shares lost, the turn limit, and the end the GM declares."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

from rules.core.errors import demand, require
from rules.core.text import Said, _
from rules.core.viewers import Viewer
from rules.hexbattle.field import SIDES, Ended, Field
from rules.hexbattle.tokens import Token

REASON_MOST = 500
TURN_LIMIT, ALL_LOST = "turn-limit", "all-lost"
REASONS: Mapping[str, Said] = {
    TURN_LIMIT: _("The turn limit is reached."),
    ALL_LOST: _("A side has nothing left to fight with."),
}
NOTHING = Fraction(0)


class End(NamedTuple):
    """The GM ends the battle. `winner`: a side, None for a draw."""

    winner: int | None
    reason: str


def allowed(command: object, viewer: Viewer) -> bool | None:
    """Whether the command is this viewer's to give; None where it isn't `End`."""
    return viewer.gm if isinstance(command, End) else None


def declared(field: Field, command: End) -> tuple[Ended, ...]:
    """The end the GM declares. Raises a refusal before the battle has begun."""
    require(field.started, _("The battle hasn't begun yet."))
    demand(command.winner in (None, *SIDES), _("Give side 0 or 1, or nobody."), field="/winner")
    told = {"least": 1, "most": REASON_MOST}
    fits = 0 < len(command.reason.strip()) <= REASON_MOST
    demand(fits, _("Give a text of {least} to {most} characters."), field="/reason", **told)
    return (Ended(command.winner, command.reason.strip(), by_gm=True),)


def is_troop(token: Token) -> bool:
    return token.counted and not token.character


def lost(field: Field, side: int, counts: Callable[[Token], bool] = is_troop) -> Fraction:
    """The share of a side's troops that is gone, of those that count; nothing where none do."""
    own = [token for token in field.of_side(side) if counts(token)]
    return Fraction(sum(bool(token.gone) for token in own), len(own)) if own else NOTHING


def by_shares(shares: tuple[Fraction, Fraction]) -> int | None:
    """The side that lost the smaller share; None where both lost the same."""
    if shares[0] == shares[1]:
        return None
    return 0 if shares[0] < shares[1] else 1


def at_the_limit(field: Field, counts: Callable[[Token], bool] = is_troop) -> Ended:
    """The end at the turn limit: the smaller share lost wins, the same is a draw."""
    return Ended(by_shares((lost(field, 0, counts), lost(field, 1, counts))), TURN_LIMIT)


def when_lost(field: Field, out: Callable[[int], bool]) -> Ended | None:
    """The end once a side is out of the battle (as the law says), both: a draw. None while neither is."""
    gone = [side for side in SIDES if out(side)]
    if not gone:
        return None
    return Ended(None if len(gone) == len(SIDES) else 1 - gone[0], ALL_LOST)


def all_gone(field: Field, side: int) -> bool:
    """Whether no troop of a side is left."""
    return all(token.gone for token in field.of_side(side) if is_troop(token))
