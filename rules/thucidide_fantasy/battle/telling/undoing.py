"""Undoing in words: what taking back the last command is called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.core.text import Said, Term, _
from rules.hexbattle.common import Moved, PhaseEnded, Placed
from rules.thucidide_fantasy.battle.record import events as e

UNDO = _("Undo")
WORDS: Mapping[type, Term] = {
    PhaseEnded: _("Undo the end of the phase"),
    e.LotDrawn: _("Undo the lot"),
    e.SpellCast: _("Undo the spell"),
    e.SpellDeclined: _("Undo the decision not to cast"),
    e.CombatOpened: _("Undo the combat"),
    e.GodAnswered: _("Undo the appeal"),
    Moved: _("Undo the move"),
    e.MoveEnded: _("Undo the move"),
    e.Activated: _("Undo the activation"),
    e.OrderGiven: _("Undo the order"),
    e.SpellAnnounced: _("Undo the announcement"),
    e.CardsChosen: _("Undo the choice of cards"),
    Placed: _("Undo the placement"),
}
"""By the event that tells most of a command, the most telling first."""


def undo_words(events: Sequence[Any]) -> Said:
    kinds = {type(event) for event in events}
    return next((words for kind, words in WORDS.items() if kind in kinds), UNDO)
