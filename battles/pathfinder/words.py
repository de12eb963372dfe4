"""Pathfinder's words on the battle's pages."""

from __future__ import annotations

from collections.abc import Mapping

from rules.text import Term
from rules.text import _ as term

ROLL_NAMES: Mapping[str, Term] = {
    "ambush": term("ambush"),
    "tactic": term("changes tactic"),
    "strategy": term("changes strategy"),
    "taunt": term("resists the taunt"),
    "withdraw": term("withdrawal"),
    "attack": term("attacks"),
    "extra": term("extra damage"),
    "siege": term("siege engine"),
    "siegebreaker": term("breaks an engine"),
    "fear": term("resists fear"),
    "bleed": term("bleeds"),
    "rout": term("rout check"),
    "rout-reroll": term("rout check, again"),
    "parting": term("parting shot"),
    "loyalty-tactic": term("Loyalty: a tactic"),
    "loyalty-boon": term("Loyalty: a boon"),
    "commander-fate": term("the commander’s fate"),
}
OVERRIDES: Mapping[str, Term] = {
    "hp": term("hit points"),
    "om": term("OM: add or take"),
    "dv": term("DV: add or take"),
    "morale": term("morale"),
    "tactic": term("tactic"),
    "strategy": term("strategy"),
    "target": term("target"),
    "mark": term("mark: give or take"),
    "ability": term("ability: give or take"),
    "engines": term("siege engines"),
    "status": term("status"),
}
