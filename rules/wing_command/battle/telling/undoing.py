"""Undoing in words: what taking back the last command is called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.core.text import Said, Term, _
from rules.hexbattle.common import Moved
from rules.wing_command.battle.record import events as e

UNDO = _("Undo")
WORDS: Mapping[type, Term] = {
    e.InitiativeRolled: _("Undo the initiative"),
    e.PointsRolled: _("Undo the order points"),
    e.SpecialOrderGiven: _("Undo the special order"),
    e.DistributionEnded: _("Undo the end of the orders"),
    e.CommandTested: _("Undo the command test"),
    e.SpellChosen: _("Undo the choice of a spell"),
    e.SpellTried: _("Undo the spell"),
    e.SpellCast: _("Undo the spell"),
    e.SidePassed: _("Undo passing"),
    e.WingTaken: _("Undo the choice of the wing"),
    e.WingDone: _("Undo the end of the wing"),
    e.TurnEnded: _("Undo flights and rallies"),
    e.Attacked: _("Undo the attack"),
    e.DuelFought: _("Undo the duel"),
    e.BlowAsked: _("Undo the attack"),
    e.Rallied: _("Undo the rally"),
    Moved: _("Undo the move"),
    e.Acted: _("Undo the action"),
}
"""By the event that tells most of a command, the most telling first."""


def undo_words(events: Sequence[Any]) -> Said:
    kinds = {type(event) for event in events}
    if e.TurnEnded in kinds:
        return WORDS[e.TurnEnded]
    return next((words for kind, words in WORDS.items() if kind in kinds), UNDO)
