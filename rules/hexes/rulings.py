"""Rules and rulings of every map, a sentence each: where a rule id leads that is no law's own."""

from __future__ import annotations

from rules.core.content import SourceMark, items_told, rules_told
from rules.core.text import _

MAP_RULES = rules_told(
    ("HX-1", _("Map"),
     _("Hexes in columns and rows, known by letters and a number; the distance is the fewest steps between two.")),
    ("HX-3", _("Paths"),
     _("The cheapest way over the hexes that are entered, by what each asks of whoever goes there.")),
    ("HX-3.1", _("Shortest route"),
     _("The least sum of what the hexes entered ask, the last one included; where nothing leads there, there is no "
        "way.")),
    ("HX-9.3", _("Painting under an army"),
     _("Where nobody can stand any more, who stood there leaves the map, and goes no further on its way; whose way "
       "still leads there halts where it stands.")),
)  # fmt: skip

MAP_RULINGS = items_told(*((rule, name, SourceMark.RULING, summary) for rule, name, summary in (
    ("H-1", _("Roads and rivers"),
     _("A step along a road makes the hex clear and crosses water. A river crossed elsewhere makes it difficult.")),
    ("H-2", _("Depth of zones"), _("Three rows in wing command, two in THUCIDIDE fantasy.")),
    ("H-3", _("Symmetric maps"), _("Even rows are turned by half a turn, odd rows mirrored. Rivers need odd rows.")),
    ("H-4", _("Labels of hexes"), _("A hex is named by its label, such as C7, on pages and in files.")),
    ("H-5", _("Knowledge of a side"), _("What its side has seen decides for a unit, also when the GM moves it.")),
    ("H-6", _("What was told"), _("A move is told to those who saw it then. Later discoveries change no line.")),
    ("H-7", _("Names of units"), _("A side knows a unit’s name once it has seen it; until then it is “somebody”.")),
    ("H-8", _("Ids of units"), _("They don’t tell how many units are hidden, raised or false.")),
    ("H-9", _("Meeting the unseen"),
     _("A unit that meets an unseen enemy stops before it and both are revealed. It goes on before others act.")),
    ("H-10", _("Paths by the rules"), _("Where only a destination is given, the cheapest known path is taken.")),
    ("H-11", _("Order of lists"), _("Units are listed by army, then by name.")),
)))  # fmt: skip
