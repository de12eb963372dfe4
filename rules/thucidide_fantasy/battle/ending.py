"""Reasons why a battle ended."""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.text import Said, _
from rules.hexbattle import ending
from rules.thucidide_fantasy.battle.run import ENOUGH_DESTROYED

REASONS: Mapping[str, Said] = {
    **ending.REASONS,
    ENOUGH_DESTROYED: _("The agreed number of enemy units is destroyed."),
}
