"""The unit card: what it says of a command test."""

from __future__ import annotations

from fractions import Fraction

import pytest

from battles.wing_command.unit_card import UnitCard
from rules.core.viewers import OMNISCIENT
from rules.wing_command.battle.record.state import COMMAND, SHAKEN, WINDED
from rules.wing_command.spec import BattleOptions
from tests.rules.wing_command.fights import Table, army

THRESHOLDS = {"A": 12, "B": 9, "C": 8, "D": 7, "E": 3}


@pytest.mark.parametrize(
    ("ability", "hindered", "needs", "chance"),
    [("B", False, 9, Fraction(30, 36)), ("E", True, 2, Fraction(1, 36)), ("A", False, 11, Fraction(35, 36))],
)
def test_wc_3_1_a_natural_2_always_passes_and_12_never(ability, hindered, needs, chance):
    """The number on the card is one that 2D6 can show, and agrees with the chance beside it."""
    now = Table(
        army("a", 0, "foot:Reds", ability=ability), army("b", 1, "foot:Foe"),
        places={"Reds": "A14", "Chief a": "A14", "Foe": "P1", "Chief b": "P1"}, phase=COMMAND,
        options=BattleOptions(thresholds=THRESHOLDS),
    )  # fmt: skip
    if hindered:
        now.set("Chief a", morale=SHAKEN, fatigue=WINDED)
    card = UnitCard(now.state, OMNISCIENT, now.ids["Chief a"])
    assert (card.test.needs, card.test.chance) == (needs, chance)
