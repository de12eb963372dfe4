"""Events in words: one sentence each, with the dice, the numbers and the sums behind them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from rules.breakdown import Breakdown
from rules.dice import Roll
from rules.text import Message, Said, _

from . import events as e
from .sentences import TELL
from .state import Battle


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One line of the log. `secret`: only for those who command the army. `side`: index, or None."""

    type: str
    army: str
    target: str
    text: Message
    rolls: tuple[Roll, ...] = ()
    numbers: dict[str, int] = field(default_factory=dict)
    rule: str = ""
    sums: tuple[tuple[Said, Breakdown], ...] = ()
    secret: bool = False
    side: int | None = None


NUMBERS = ("check", "against", "damage", "hp_before", "hp_after")
SUMS = (
    ("om", _("OM")),
    ("dv", _("DV")),
    ("damage_lines", _("Damage")),
    ("lines", _("Check")),
    ("foe_lines", _("Against")),
)


def describe(battle: Battle, event: e.Event) -> LogEntry:
    """The event for the log. `battle` is any state of that battle which knows the armies' names."""
    army = getattr(event, "army", "")
    held = battle.armies.get(army)
    return LogEntry(
        type=slug_of(type(event)),
        army=army,
        target=_target_of(event),
        text=TELL[type(event)](battle, event),
        rolls=getattr(event, "rolls", ()),
        numbers={n: getattr(event, n) for n in NUMBERS if hasattr(event, n) and _counts(event)},
        rule=event.rule,
        sums=_sums(event),
        secret=isinstance(event, e.OrderGiven),
        side=held.side if held else None,
    )


def slug_of(kind: type) -> str:
    """ "FortWorn" → "fort-worn"."""
    name = kind.__name__
    return "".join(f"-{c.lower()}" if c.isupper() and i else c.lower() for i, c in enumerate(name))


def _target_of(event: Any) -> str:
    return str(getattr(event, "target", None) or getattr(event, "by", None) or "")


def _counts(event: Any) -> bool:
    return bool(getattr(event, "rolls", ())) or isinstance(event, (e.Healed, e.Wounded))


def _sums(event: Any) -> tuple[tuple[Said, Breakdown], ...]:
    named = ((title, getattr(event, name, ())) for name, title in SUMS)
    return tuple((title, Breakdown(lines)) for title, lines in named if lines)


def luck(battle: Battle, events: Iterable[e.Event]) -> dict[int, float]:
    """By side, how far its d20s fell above or below average in all."""
    sums = dict.fromkeys(range(len(battle.sides)), 0.0)
    for event in events:
        fell = () if isinstance(event, e.RolledAnew) else getattr(event, "rolls", ())
        for roll in fell:
            army = battle.armies.get(roll.army)
            if army is not None and roll.die == 20:
                sums[army.side] += roll.value - 10.5
    return sums
