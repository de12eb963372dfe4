"""SVG definitions of a board: plates of counters, badges, hexes and octagons.

`<use>` clones them out of their context, so their style rules are single classes.
"""

from __future__ import annotations

from collections.abc import Mapping

from kingdom.map.svg import OUTLINE

BADGES: Mapping[str, str] = {
    "warn": '<path class="b-warn" d="M0-9L9 7H-9Z"/>'
    '<path class="b-sign" d="M-1.2-3.5h2.4l-.4 5h-1.6zM-1.2 2.8h2.4v2.2h-2.4z"/>',
    "flees": '<circle class="b-bad" r="8.5"/>'
    '<path class="b-ivory" d="M-4-5.5h1.6v11H-4zM-2-5c3-1.6 4 1.4 7 0v5c-3 1.4-4-1.6-7 0z"/>',
    "tired": '<circle class="b-sheet" r="7.5"/><path class="b-line" d="M-3-3.5L1 0-3 3.5"/>',
    "spent": '<circle class="b-sheet" r="7.5"/><path class="b-line" d="M-4.5-3.5L-.5 0-4.5 3.5M.5-3.5L4.5 0 .5 3.5"/>',
    "leader": '<circle class="b-gold" r="8"/>'
    '<path class="b-ivory" d="M0-5.6L1.7-1.7 5.9-1.3 2.7 1.5 3.7 5.6 0 3.4-3.7 5.6-2.7 1.5-5.9-1.3-1.7-1.7Z"/>',
    "chief": '<circle class="b-gold" r="8.5"/><path class="b-ivory" d="M-5.5 4.5V-3l3 2.6L0-5.4l2.5 5L5.5-3v7.5z"/>',
    "order": '<path class="b-gold" d="M0-8.5L8.5 0 0 8.5-8.5 0Z"/>'
    '<path class="b-ivory" d="M-1-4.5h2v5h-2zM-1 2.2h2v2h-2z"/>',
    "star": '<circle class="b-star" r="8"/>'
    '<path class="b-ivory" d="M0-5.5L1.3-1.3 5.5 0 1.3 1.3 0 5.5-1.3 1.3-5.5 0-1.3-1.3Z"/>',
    "wing": '<circle class="b-sheet" r="7.5"/><path class="b-ink"'
    ' d="M-5 2C-3-4 2-5 5.4-4.4 4.6-2 3.6-.8 2.4 0c-.2 1.4-1.2 2.2-2.4 2.4C-1.4 3.6-3.4 3.2-5 2z"/>',
    "timer": '<circle class="b-star" r="8"/><path class="b-ivory" d="M-4-5h8L1 0l3 5h-8L-1 0z"/>',
    "locked": '<circle class="b-ink" r="8"/>'
    '<path class="b-swords" d="M-4.4-4.4L3.5 3.5M4.4-4.4L-3.5 3.5M-4.7 1.8L-1.9 4.6M4.7 1.8L1.9 4.6"/>',
}
"""Badge drawings by sign; other signs are looked up among the glyphs."""

PLATES = (
    "M-19-21H19V4C19 13 10 18 0 22C-10 18-19 13-19 4Z",
    "M0-21A20.5 20.5 0 1 1-.1-21Z",
    "M0-24L22-1 0 22-22-1Z",
    "M-12-21H12L21-8V9L12 21H-12L-21 9V-8Z",
)
"""The outlines that show the side independently of colour: a shield, a disc, a lozenge, an octagon."""

HATCH = (
    '<pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<path class="hatch-line" d="M0 0V7"/></pattern>'
)
DEFINITIONS = "".join((
    HATCH,
    f'<path id="hx" d="{OUTLINE}"/>',
    '<path id="hi" d="M0-26.5l23 13.25v26.5l-23 13.25-23-13.25v-26.5z"/>',
    '<path id="oct" d="M-4.6-11h9.2l6.4 6.4v9.2l-6.4 6.4h-9.2l-6.4-6.4v-9.2z"/>',
    *(f'<path id="p{number}" d="{drawn}"/>' for number, drawn in enumerate(PLATES)),
    *(f'<g id="b-{sign}">{drawn}</g>' for sign, drawn in BADGES.items()),
))  # fmt: skip
