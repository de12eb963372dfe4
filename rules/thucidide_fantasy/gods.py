"""Gods and undead: results of a caster's appeal to a god (TF-7), and figures of the undead (TF-5)."""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.content import SourceMark
from rules.core.text import _
from rules.thucidide_fantasy.spec import (
    BorneTrait,
    DivineResult,
    by_slug,
)

DOCUMENT, RULING = SourceMark.DOCUMENT, SourceMark.RULING
LOST, SEEN = SourceMark.RECONSTRUCTION, SourceMark.SEEN


# Undead (TF-5)

LEASH = 4
"""The greatest distance of undead from their master, in hexes."""
TURNED_FOR = 2
"""Turns after which a turned unit crumbles to dust (904)."""


# Gods (TF-7)

APPEALS: Mapping[str, DivineResult] = by_slug(
    DivineResult("angry", _("The god is angry"), "TF-7", _("The caster is paralyzed for 1 turn."), 2, 2, mark=DOCUMENT),
    DivineResult("ignored", _("The god doesn’t listen"), "TF-7", _("Nothing happens."), 3, 7, mark=DOCUMENT),
    DivineResult("carried-home", _("The god carries the caster home"), "TF-7",
                 _("The caster is safe and out of the battle. Their undead vanish."), 8, 10, mark=DOCUMENT),
    DivineResult("intervention", _("The god intervenes"), "TF-7", _("Roll 2D6 again."), 11, 12, mark=DOCUMENT),
)  # fmt: skip
"""Results of 2D6 when a caster appeals to a god."""

INTERVENTIONS: Mapping[str, DivineResult] = by_slug(
    DivineResult("stands-return", _("Stands return"), "TF-7",
                 _("10 friendly stands return. A destroyed unit can return within 3 hexes of the caster."), 2, 3,
                 mark=DOCUMENT),
    DivineResult("reroll", _("A reroll"), "TF-7", _("One die of either side can be rerolled this turn."), 4, 7,
                 mark=DOCUMENT),
    DivineResult("double-flags", _("Fear among the enemy"), "TF-7",
                 _("Enemy flags count double on your next turn."), 8, 8, mark=DOCUMENT),
    DivineResult("no-flags", _("Courage"), "TF-7", _(
        "Your units ignore flags on the enemy’s next turn."
    ), 9, 9, mark=DOCUMENT),
    DivineResult("divine-bell", _("The god’s bell"), "TF-7",
                 _("For 2 turns nothing enters, leaves or harms the caster’s hex."), 10, 10,
                   mark=DOCUMENT),
    DivineResult("copy", _("A copy"), "TF-7",
                 _("A second unit like one of yours appears within 3 hexes of the caster."),
                 11, 11, mark=DOCUMENT),
    DivineResult("servant", _("The god, or a servant"), "TF-7",
                 _("A hero appears: 3 dice, resistance 5, armor, rapid, protected against fire."), 12, 12,
                   mark=DOCUMENT),
)  # fmt: skip
RETURNED_STANDS = 10
SERVANT_DICE, SERVANT_RESISTANCE = 3, 5
SERVANT_TRAITS = (BorneTrait("armour"), BorneTrait("rapid"), BorneTrait("fire-proof"))


def divine(table: Mapping[str, DivineResult], total: int) -> str:
    """The slug of the table row for a total of 2D6."""
    return next(slug for slug, row in table.items() if row.least <= total <= row.most)
