"""Words of breaking point on the battle's pages."""

from __future__ import annotations

from collections.abc import Mapping

from battles.ruleset_ui import Onward
from rules.core.text import Term, _

ONWARD: Mapping[str, Onward] = {
    "next": Onward(_("To the command test"), "play"),
    "resolve": Onward(_("Resolve {phase}"), "battle"),
}
WAITING = _("No orders yet: {names}. Resolving now, they hold.")
HEALTH_UNIT = _("force")
LUCK = _("How far each side’s ten-sided dice fell above or below their average, in all.")
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
    "status": _("what has become of it"),
    "combat": _("combat: add or take"),
    "defense": _("defense: add or take"),
    "power": _("power: add or take"),
    "fire-power": _("fire power: add or take"),
    "force": _("force"),
    "breaking": _("breaking point in %"),
    "penalty": _("penalty of a failed withdrawal"),
    "target": _("the target of its order"),
    "do": _("what it does this round"),
}
"""What the GM may set of a body."""
DISTANT: Mapping[str, Term] = {
    "short": _("short distance"),
    "medium": _("medium distance"),
    "long": _("long distance"),
    "very-long": _("very long distance"),
}
