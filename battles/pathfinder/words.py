"""Words of mass combat on battle pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from battles.ruleset_ui import Onward
from rules.core.text import Term, _

ONWARD: Mapping[str, Onward] = {
    "next": Onward(_("Begin the battle"), "play"),
    "resolve": Onward(_("Resolve {phase}"), "battle"),
}
WAITING = _("No orders yet: {names}. They will repeat their last orders.")
HEALTH_NAME = _("Hit points")
HEALTH_UNIT = _("hp")
LUCK = _("How far the d20s of each side fell above or below average in total.")
ROLL_NAMES: Mapping[str, Term] = {
    "ambush": _("ambush"),
    "tactic": _("changes tactic"),
    "strategy": _("changes strategy"),
    "taunt": _("resists the taunt"),
    "withdraw": _("withdrawal"),
    "attack": _("attacks"),
    "extra": _("extra damage"),
    "siege": _("siege engine"),
    "siegebreaker": _("destroys an engine"),
    "fear": _("resists fear"),
    "bleed": _("bleeds"),
    "rout": _("rout check"),
    "rout-reroll": _("rout check, again"),
    "parting": _("parting shot"),
    "loyalty-tactic": _("Loyalty: a tactic"),
    "loyalty-boon": _("Loyalty: a boon"),
    "commander-fate": _("the commander’s fate"),
}
OVERRIDES: Mapping[str, Term] = {
    "hp": _("hit points"),
    "om": _("OM: add or subtract"),
    "dv": _("DV: add or subtract"),
    "morale": _("morale"),
    "tactic": _("tactic"),
    "strategy": _("strategy"),
    "target": _("target"),
    "mark": _("mark: give or remove"),
    "ability": _("ability: give or remove"),
    "engines": _("siege engines"),
    "invincible": _("invincible against an enemy"),
    "status": _("status"),
}
KEYS: Sequence[tuple[str, Term]] = (
    ("12345", _("the strategy, from defensive to reckless")),
    ("t", _("next target")),
)
