"""Template tags for print: boxes to cross out, and breakdowns in one line."""

from __future__ import annotations

from collections.abc import Iterable

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from core.text import render
from rules.core.breakdown import Line, OnPaper
from rules.core.text import signed

register = template.Library()

SIDE, STEP, GAP, GROUP = 12, 14, 4, 5  # side of a box; distance of boxes; extra gap between groups; boxes in a group
ROW, ROWS, MOST = 25, 8, 400


@register.simple_tag
def boxes(army: OnPaper, row: int = ROW) -> SafeString:
    """Return one box for each point of health: grey up to `brink`, lost ones crossed out. Nothing above 400 points.

    `row`: boxes in a row, or more if there would be too many rows.
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
    """Return a breakdown in one line: strength 9 · wall −2."""
    return " · ".join(f"{render(line.label)} {signed(line.value)}" for line in lines)


@register.filter
def and_list(items: Iterable[object]) -> str:
    """Return names as a list in a sentence: one, two and three."""
    names = [render(item) for item in items]
    if len(names) < 2:
        return "".join(names)
    return _("{names} and {last}").format(names=", ".join(names[:-1]), last=names[-1])
