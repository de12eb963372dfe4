"""Names of troops in battle: those without one are called by their type, as whoever opens the battle speaks."""

from __future__ import annotations

from rules.wing_command.figures import Tables, names_of, wing_of
from rules.wing_command.wing import WingSheet, WingTroop

SHEET = WingSheet((WingTroop("foot"), WingTroop("foot"), WingTroop("riders", "Reds")))


def test_troops_without_a_name_are_called_by_their_type_and_numbered():
    assert names_of(SHEET, Tables()) == ("Foot 1", "Foot 2", "Reds")


def test_in_the_words_of_whoever_opens_the_battle():
    spec = wing_of("a", "A", 0, SHEET, named=lambda term: f"<{term}>")
    assert [unit.name for unit in spec.units] == ["<Foot> 1", "<Foot> 2", "Reds", "<Sergeant>"]
