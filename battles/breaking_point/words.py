"""Words of breaking points on battle pages."""

from __future__ import annotations

from collections.abc import Mapping

from battles.ruleset_ui import Onward
from rules.core.text import Term, _

ONWARD: Mapping[str, Onward] = {
    "next": Onward(_("To the command test"), "play"),
    "resolve": Onward(_("Resolve {phase}"), "battle"),
}
WAITING = _("No orders yet: {names}. They will hold.")
HEALTH_UNIT = _("force")
LUCK = _("How far the ten-sided dice of each side fell above or below average in total.")
ROLL_NAMES: Mapping[str, Term] = {
    "command": _("command test"),
    "withdraw": _("withdrawal"),
    "shot": _("shoots"),
    "contact": _("attacks at contact"),
    "pursuit": _("pursues"),
    "riposte": _("turns on its pursuers"),
    "rally": _("rallies"),
    "terms": _("terms of surrender"),
    "wounds": _("wounds of the character"),
}
OVERRIDES: Mapping[str, Term] = {
    "losses": _("losses, in points of force"),
    "status": _("fate"),
    "combat": _("combat: add or subtract"),
    "defense": _("defense: add or subtract"),
    "power": _("power: add or subtract"),
    "fire-power": _("fire power: add or subtract"),
    "force": _("force"),
    "breaking": _("breaking point in %"),
    "penalty": _("penalty for a failed withdrawal"),
    "target": _("target of its order"),
    "do": _("order for this round"),
}
"""Figures of a body that the GM may set."""
DISTANT: Mapping[str, Term] = {
    "short": _("short distance"),
    "medium": _("medium distance"),
    "long": _("long distance"),
    "very-long": _("very long distance"),
}
