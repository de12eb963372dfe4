"""Rulings of every map, a sentence each: where a rule id leads that is no law's own."""

from __future__ import annotations

from rules.core.content import rules_told
from rules.core.text import _

MAP_RULES = rules_told(
    ("HX-1", _("The map"),
     _("Hexes in columns and rows, known by letters and a number; the distance is the fewest steps between two.")),
    ("HX-3", _("Paths"),
     _("The cheapest way over the hexes that are entered, by what each asks of whoever goes there.")),
    ("HX-3.1", _("The cheapest way"),
     _("The least sum of what the hexes entered ask, the last one included; where nothing leads there, there is no "
        "way.")),
    ("HX-9.3", _("Painting under an army"),
     _("Where nobody can stand any more, who stood there leaves the map, and goes no further on its way; whose way "
       "still leads there halts where it stands.")),
)  # fmt: skip
