"""Endings of a hex battle: losses, the turn limit, the end declared by the GM, and the other GM overrides of all hex
battles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple, Protocol

from rules.battle_law import LogEntry
from rules.core.errors import demand, require
from rules.core.text import Said, _, by_number, say
from rules.core.viewers import Viewer
from rules.hexbattle.common import name_of
from rules.hexbattle.field import SIDES, Ended, Field, Token
from rules.hexbattle.ground import Timer

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


# GM overrides that all hex battles share: ending or extending effects.
#
# The override field `effect:<slug>` names an effect on a unit or hex; its value is the number of turns left.

EFFECT = "effect:"
TURNS_MOST = 30
LASTS = by_number(
    "The GM sets {effect} on {target} to {count} more turn: {reason}",
    "The GM sets {effect} on {target} to {count} more turns: {reason}",
)
ENDS = _("The GM ends {effect} on {target}: {reason}")
WHOLE = _("Use a whole number from {low} to {high}.")


def effect_in(name: str) -> str:
    """The effect's slug in the name of an override field; "" for other fields."""
    return name.removeprefix(EFFECT) if name.startswith(EFFECT) else ""


def running(timers: Iterable[Timer], what: str, effect: str) -> tuple[Timer, ...]:
    """The timers of one effect on a unit or hex."""
    return tuple(timer for timer in timers if timer.effect == effect and what in timer.on)


def check_turns(known: Iterable[str], name: str, value: object) -> int:
    """The number of turns an override sets an effect to, 0 to `TURNS_MOST`.

    `known`: slugs of the effects that run there or can begin there. Raises `IllegalCommand` if there are none, and
    `InvalidInput` for an unknown effect or a wrong number.
    """
    told = sorted(set(known))
    require(told, _("No effect is active there."), field="/what")
    choices = ", ".join(EFFECT + effect for effect in told)
    demand(effect_in(name) in told, _("Choose one of: {choices}."), field="/field", choices=choices)
    demand_whole(value, (0, TURNS_MOST), "/value")
    assert isinstance(value, int)
    return value


def with_turns(
    timers: Iterable[Timer], what: str, effect: str, turns: int, more: Callable[[Timer], int] = lambda timer: 0
) -> tuple[Timer, ...]:
    """The timers with the turns of one effect on a unit or hex changed.

    `more`: phases of a timer to add that don't count as turns.
    """
    return tuple(
        timer._replace(left=turns + more(timer)) if timer.effect == effect and what in timer.on else timer
        for timer in timers
    )


class SetByHand(Protocol):
    """An event of a GM override: its target, the field, the new value and the reason."""

    @property
    def what(self) -> str: ...
    @property
    def field(self) -> str: ...
    @property
    def value(self) -> str | int | None: ...
    @property
    def reason(self) -> str: ...


def told_effect(field: Field, event: SetByHand, effect: Said, side: str = "") -> LogEntry:
    """The log entry of an effect changed by the GM. `side`: the name of the side it is on; "" for a unit or hex."""
    token = field.tokens.get(event.what)
    on = name_of(field, event.what) if ":" in event.what else event.what
    words = LASTS if event.value else ENDS
    text = say(words, effect=effect, target=side or on, count=event.value, reason=event.reason)
    own = int(event.what) if side else token.side if token else None
    return LogEntry("overridden", "", "", text, side=own)


def demand_whole(value: object, bounds: tuple[int, int], at: str) -> None:
    """Raise `InvalidInput` unless the value is a whole number within the bounds, both included."""
    low, high = bounds
    whole = isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
    demand(whole, WHOLE, field=at, low=low, high=high)
