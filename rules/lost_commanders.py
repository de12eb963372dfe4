"""Fate of commanders who are lost in a battle, by a die of a hundred sides."""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.text import Term, _
from rules.sequels import Band

FATE_ROLL, FATE_DIE = "commander-fate", 100
FATES: Mapping[str, Term] = {
    "killed": _("{commander} is killed."),
    "captured": _("{commander} is captured."),
    "escapes": _("{commander} escapes."),
}
FATE_SCALE: Mapping[str, Band] = {
    "killed": Band(_("killed"), 20, "bad"),
    "captured": Band(_("captured"), 70, "warn"),
    "escapes": Band(_("escapes"), 100, "good"),
}


def fate_of(face: int) -> str:
    """What becomes of who threw this."""
    return next(fate for fate, band in FATE_SCALE.items() if face <= band.most)
