"""Rules and rulings that apply to every map, one sentence each, shown for rule ids that belong to no single law."""

from __future__ import annotations

from rules.core.content import SourceMark, items_told, rules_told
from rules.core.text import _

MAP_RULES = rules_told(
    ("HX-1", _("Map"),
     _(
         "Hexes are named by a column’s letters and a row’s number. The distance between two is the smallest "
         "number of steps."
     )),
    ("HX-3", _("Paths"),
     _("The cheapest path, by the cost of each hex entered.")),
    ("HX-3.1", _("Cheapest path"),
     _("The smallest sum of the costs of all hexes entered, including the last.")),
    ("HX-9.3", _("Painting under an army"),
     _(
         "An army leaves the map and its march ends if it can’t stand on the new terrain. An army whose path "
         "crosses such terrain halts where it is."
     )),
)  # fmt: skip

MAP_RULINGS = items_told(*((rule, name, SourceMark.RULING, summary) for rule, name, summary in (
    ("H-1", _("Roads and rivers"),
     _(
         "A step along a road counts as clear ground and crosses water. Crossing a river elsewhere counts as "
         "difficult ground."
     )),
    ("H-2", _("Depth of zones"), _("Three rows in wing command, two in THUCIDIDE fantasy.")),
    ("H-3", _("Symmetric maps"), _(
        "Maps with an even number of rows are rotated by half a turn, those with an odd number mirrored. Rivers "
        "need an odd number."
    )),
    ("H-4", _("Labels of hexes"), _("Pages and files name a hex by its label, such as C7.")),
    ("H-5", _("Knowledge of a side"), _("A unit can act only on what its side has seen, even when the GM moves it.")),
    ("H-6", _("Moves in the log"), _(
        "A move is shown to those who saw it at the time. Later discoveries don’t change the log."
    )),
    ("H-7", _("Names of units"), _(
        "A side knows a unit’s name once it has seen it. Until then it reads “unseen unit”."
    )),
    ("H-8", _("Ids of units"), _("Ids don’t reveal how many units are hidden, raised or false.")),
    ("H-9", _("Meeting a hidden enemy"),
     _(
         "A unit that meets a hidden enemy stops in front of it, and both are revealed. It continues before others "
         "act."
     )),
    ("H-10", _("Automatic paths"), _("If you only give a destination, the unit takes the cheapest known path.")),
    ("H-11", _("Order of lists"), _("Units are listed by army, then by name.")),
)))  # fmt: skip
