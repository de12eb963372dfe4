"""GM overrides that all hex battles share: ending or extending effects.

The override field `effect:<slug>` names an effect on a unit or hex; its value is the number of turns left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from rules.battle_law import LogEntry
from rules.core.errors import demand, require
from rules.core.text import Said, _, by_number, say
from rules.hexbattle.common import name_of
from rules.hexbattle.field import Field
from rules.hexbattle.ground import Timer

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
