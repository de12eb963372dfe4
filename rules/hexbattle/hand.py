"""Hand of the GM on what every hex battle has: effects that run, and how long they last.

A field `effect:<slug>` of an override names an effect that runs on a unit or hex; its value are the turns it has left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from rules.battle_law import LogEntry
from rules.core.errors import demand, require
from rules.core.text import Said, _, by_number, say
from rules.hexbattle.common import name_of
from rules.hexbattle.field import Field
from rules.hexbattle.timers import Timer

EFFECT = "effect:"
TURNS_MOST = 30
LASTS = by_number(
    "The GM sets {effect} on {target} to {count} more turn: {reason}",
    "The GM sets {effect} on {target} to {count} more turns: {reason}",
)
ENDS = _("The GM ends {effect} on {target}: {reason}")
WHOLE = _("Use a whole number from {low} to {high}.")


def effect_in(name: str) -> str:
    """The effect that a field names, "" for any other field."""
    return name.removeprefix(EFFECT) if name.startswith(EFFECT) else ""


def running(timers: Iterable[Timer], what: str, effect: str) -> tuple[Timer, ...]:
    """The effects called so on a unit or hex."""
    return tuple(timer for timer in timers if timer.effect == effect and what in timer.on)


def check_turns(known: Iterable[str], name: str, value: object) -> int:
    """The turns an effect is set to. Raises a refusal where there is no such effect, or it can't last so long.

    `known`: those that run there, and those that can begin.
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
    """The timers, one of them with other turns. `more`: phases of it that count for no turn."""
    return tuple(
        timer._replace(left=turns + more(timer)) if timer.effect == effect and what in timer.on else timer
        for timer in timers
    )


class SetByHand(Protocol):
    """An event of the GM's hand: of what, which field, to what, and why."""

    @property
    def what(self) -> str: ...
    @property
    def field(self) -> str: ...
    @property
    def value(self) -> str | int | None: ...
    @property
    def reason(self) -> str: ...


def told_effect(field: Field, event: SetByHand, effect: Said, side: str = "") -> LogEntry:
    """That an effect lasts otherwise, in words. `side`: the name of the side it lies on, "" for a unit or hex."""
    token = field.tokens.get(event.what)
    on = name_of(field, event.what) if ":" in event.what else event.what
    words = LASTS if event.value else ENDS
    text = say(words, effect=effect, target=side or on, count=event.value, reason=event.reason)
    own = int(event.what) if side else token.side if token else None
    return LogEntry("overridden", "", "", text, side=own)


def demand_whole(value: object, bounds: tuple[int, int], at: str) -> None:
    """Raises `InvalidInput` for what is no whole number within these bounds."""
    low, high = bounds
    whole = isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
    demand(whole, WHOLE, field=at, low=low, high=high)
