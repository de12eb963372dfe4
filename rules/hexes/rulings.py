"""What the rules of every map say, in a sentence: where a rule id leads that is no law's own."""

from __future__ import annotations

from collections.abc import Mapping

from rules.content import Item
from rules.text import _

_RULES = (
    ("HX-1", _("The map"),
     _("Hexes in columns and rows, known by letters and a number; the distance is the fewest steps between two.")),
    ("HX-3", _("Paths"),
     _("The cheapest way over the hexes that are entered, by what each asks of whoever goes there.")),
    ("HX-3.1", _("The cheapest way"),
     _("The least sum of what the hexes entered ask, the last one included; where nothing leads there, there is no "
        "way.")),
)  # fmt: skip

MAP_RULES: Mapping[str, Item] = {rule: Item(rule, name, rule, summary) for rule, name, summary in _RULES}
