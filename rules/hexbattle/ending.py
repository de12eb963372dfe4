"""Endings of a hex battle: losses, the turn limit, and the end declared by the GM."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

from rules.core.errors import demand, require
from rules.core.text import Said, _
from rules.core.viewers import Viewer
from rules.hexbattle.field import SIDES, Ended, Field, Token

REASON_MOST = 500
TURN_LIMIT, ALL_LOST = "turn-limit", "all-lost"
REASONS: Mapping[str, Said] = {
    TURN_LIMIT: _("The turn limit is reached."),
    ALL_LOST: _("A side has nothing left to fight with."),
}
NOTHING = Fraction(0)


class End(NamedTuple):
    """The GM ends the battle. `winner`: a side, or None for a draw."""

    winner: int | None
    reason: str


def allowed(command: object, viewer: Viewer) -> bool | None:
    """Whether this viewer may give the command; None if it isn't an `End`."""
    return viewer.gm if isinstance(command, End) else None


def declared(field: Field, command: End) -> tuple[Ended, ...]:
    """The event of an end declared by the GM.

    Raises `IllegalCommand` before the battle has begun and `InvalidInput` for a wrong side or reason (1 to 500
    characters).
    """
    require(field.started, _("The battle hasn’t begun yet."))
    demand(command.winner in (None, *SIDES), _("Use 0 or 1 for a side, or null for none."), field="/winner")
    told = {"least": 1, "most": REASON_MOST}
    fits = 0 < len(command.reason.strip()) <= REASON_MOST
    demand(fits, _("Enter a text of {least} to {most} characters."), field="/reason", **told)
    return (Ended(command.winner, command.reason.strip(), by_gm=True),)


def is_troop(token: Token) -> bool:
    """Whether a unit is a troop that counts in the losses."""
    return token.counted and not token.character


def lost(field: Field, side: int, counts: Callable[[Token], bool] = is_troop) -> Fraction:
    """The share of a side's troops that is gone, 0 to 1; 0 if none count. `counts`: which units are included."""
    own = [token for token in field.of_side(side) if counts(token)]
    return Fraction(sum(bool(token.gone) for token in own), len(own)) if own else NOTHING


def by_shares(shares: tuple[Fraction, Fraction]) -> int | None:
    """The side with the smaller share of losses, which wins; None if both are equal."""
    if shares[0] == shares[1]:
        return None
    return 0 if shares[0] < shares[1] else 1


def at_the_limit(field: Field, counts: Callable[[Token], bool] = is_troop) -> Ended:
    """The end at the turn limit: the side with the smaller share of losses wins; equal shares are a draw."""
    return Ended(by_shares((lost(field, 0, counts), lost(field, 1, counts))), TURN_LIMIT)


def when_lost(field: Field, out: Callable[[int], bool]) -> Ended | None:
    """The end of the battle once a side is out, as the law's `out` says; a draw if both are. None if neither is."""
    gone = [side for side in SIDES if out(side)]
    if not gone:
        return None
    return Ended(None if len(gone) == len(SIDES) else 1 - gone[0], ALL_LOST)


def all_gone(field: Field, side: int) -> bool:
    """Whether all troops of a side are gone."""
    return all(token.gone for token in field.of_side(side) if is_troop(token))
