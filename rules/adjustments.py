"""Lasting adjustments: what the GM adds to figures of an army, until a day or for good.

A law says which figures (`Law.adjustable`) and lets each adjustment enter its figure as a line that gives the reason.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from rules.core.breakdown import Line
from rules.core.text import Message, Term, _, say

ADJUSTMENT_MOST = 1000


class AdjustableFigure(NamedTuple):
    """Figure of an army that the GM may adjust, by at most this amount up or down. The name says whose it is."""

    name: Term
    most: int = ADJUSTMENT_MOST


@dataclass(frozen=True, slots=True)
class Adjustable:
    """Figures that the GM may adjust, by slug, and the rule that their lines cite. `health`: which of them is the
    maximum health, "" for none.
    """

    rule: str = ""
    figures: Mapping[str, AdjustableFigure] = field(default_factory=dict)
    health: str = ""


NOTHING_ADJUSTABLE = Adjustable()


@dataclass(frozen=True, slots=True)
class LastingAdjustment:
    """Adjustment of one figure that the GM gave an army, until it ends."""

    figure: str
    amount: int
    reason: str


BY_THE_GM, UNTOLD = _("GM: {reason}"), _("GM adjustment")


def adjustment_lines(given: Iterable[LastingAdjustment], figure: str, rule: str) -> Iterator[Line]:
    """Yield the adjustments of this figure, a line each. A reader who may not know the reason is told of the GM."""
    for one in given:
        if one.figure == figure:
            yield Line(say(BY_THE_GM, reason=one.reason) if one.reason else UNTOLD, one.amount, rule)


def without_reasons(given: Iterable[LastingAdjustment]) -> tuple[LastingAdjustment, ...]:
    return tuple(replace(one, reason="") for one in given)


def tell_reasons(lines: Iterable[Line], known: Collection[str]) -> tuple[Line, ...]:
    """Return the lines, without the reasons of adjustments other than the `known` ones."""
    return tuple(
        line._replace(label=UNTOLD) if isinstance(line.label, Message) and line.label.template == BY_THE_GM
        and line.label.params["reason"] not in known else line
        for line in lines
    )  # fmt: skip


def adjusted_by(given: Iterable[LastingAdjustment], figure: str) -> int:
    return sum(one.amount for one in given if one.figure == figure)


def keep_within(
    given: Iterable[LastingAdjustment], figure: str, value: int, least: int, most: int
) -> Iterator[LastingAdjustment]:
    """Yield the adjustments of this figure as far as their sum keeps its `value` within bounds; what is too much
    shortens the last ones. A value out of bounds may stay.
    """
    own = [one for one in given if one.figure == figure]
    wanted = value + sum(one.amount for one in own)
    excess = wanted - max(min(value, least), min(max(value, most), wanted))
    kept: list[LastingAdjustment] = []
    for one in reversed(own):
        cut = max(0, min(one.amount, excess)) + min(0, max(one.amount, excess))
        excess -= cut
        if one.amount != cut:
            kept.append(replace(one, amount=one.amount - cut))
    yield from reversed(kept)


class CarriedHealth(NamedTuple):
    """Health under another maximum. `spared`: damage beyond its last health."""

    health: int
    spared: int


def carry_health(health: int, rise: int, spared: int, *, keeps: bool) -> CarriedHealth:
    """Return the health after its maximum has risen by `rise` (or fallen). Damage stays, but what would take its last
    health is spared, and comes back as the maximum rises. `keeps`: whether what is still spared can be kept; otherwise
    all of it comes back now.
    """
    back = min(spared, max(0, rise)) if keeps else spared
    right = health + rise - back
    left = max(1 if health > 0 else 0, right)
    return CarriedHealth(left, spared - back + left - right if keeps else 0)


def bound_sums(given: Iterable[LastingAdjustment], law: Adjustable) -> tuple[LastingAdjustment, ...]:
    """Return the adjustments with the sum of each figure kept within `AdjustableFigure.most`, whatever was added and
    ended before. What is too much shortens the last ones.
    """
    kept = tuple(given)
    for slug, figure in law.figures.items():
        if abs(adjusted_by(kept, slug)) > figure.most:
            others = tuple(one for one in kept if one.figure != slug)
            kept = (*others, *keep_within(kept, slug, 0, -figure.most, figure.most))
    return kept


def set_by_hand[Own: Any](own: Own, fields: Mapping[str, Any], adjusted: Collection[str]) -> Own:
    """Return the figures of a unit with those that the GM sets. One of the `adjusted` ones that changes counts as set,
    without adjustments.
    """
    changed = {name for name in adjusted if name in fields and getattr(own, name) != fields[name]}
    kept = tuple(one for one in own.adjustments if one.figure not in changed)
    figures: Own = own._replace(**{**fields, "adjustments": kept})
    return figures
