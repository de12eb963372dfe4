"""Template tags for print: boxes to cross out, and sums in one line."""

from __future__ import annotations

from collections.abc import Iterable

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from core.text import render
from rules.core.breakdown import Line
from rules.core.paper import OnPaper
from rules.core.text import signed

register = template.Library()

SIDE, STEP, GAP, GROUP = 12, 14, 4, 5  # of a box; from box to box, more between groups
ROW, ROWS, MOST = 25, 8, 400


@register.simple_tag
def boxes(army: OnPaper, row: int = ROW) -> SafeString:
    """One box a point of health: grey where `brink` begins, crossed out what is lost. Nothing beyond 400 points.

    `row`: how many stand in one, more where there would be too many rows.
    """
    whole = army.health_max
    if not 0 < whole <= MOST:
        return SafeString()
    row = max(row, -(-whole // (ROWS * GROUP)) * GROUP)
    label = _("{boxes} boxes, {struck} crossed out, {grey} gray").format(
        boxes=whole, struck=whole - army.health, grey=min(army.brink, whole)
    )
    return format_html(
        '<svg class="boxes" viewBox="-1 -1 {} {}" role="img" aria-label="{}">{}{}{}</svg>',
        _across(row) + 2,
        -(-whole // row) * STEP,
        label,
        _drawn("risk", "h12v12h-12z", range(min(army.brink, whole)), row),
        _drawn("safe", "h12v12h-12z", range(min(army.brink, whole), whole), row),
        _drawn("struck", "l12 12m0-12l-12 12", range(max(army.health, 0), whole), row),
    )


def _across(row: int) -> int:
    return row * STEP + (row // GROUP) * GAP - GAP


def _drawn(kind: str, shape: str, places: Iterable[int], row: int) -> SafeString:
    path = "".join(f"M{_left(place % row)} {place // row * STEP}{shape}" for place in places)
    return format_html('<path class="{}" d="{}"/>', kind, path) if path else SafeString()


def _left(place: int) -> int:
    return place * STEP + place // GROUP * GAP


@register.filter
def in_a_line(lines: Iterable[Line]) -> str:
    """A sum in words: strength 9 · wall −2."""
    return " · ".join(f"{render(line.label)} {signed(line.value)}" for line in lines)


@register.filter
def and_list(items: Iterable[object]) -> str:
    """Names as a sentence lists them: one, two and three."""
    names = [render(item) for item in items]
    if len(names) < 2:
        return "".join(names)
    return _("{names} and {last}").format(names=", ".join(names[:-1]), last=names[-1])
