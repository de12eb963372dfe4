"""Names of troops in battle: those without one are called by their type, in the words of whoever reads."""

from __future__ import annotations

from rules.core.text import Message, Term, say
from rules.hexbattle.field import NUMBERED, Token, by_name, numbered
from rules.wing_command.documents import wing_from
from rules.wing_command.figures import SERGEANT_NAME, Tables, names_of, wing_of
from rules.wing_command.house import tables_of
from rules.wing_command.wing import WingSheet, WingTroop
from tests.rules.wing_command.test_bridge import muster

SHEET = WingSheet((WingTroop("foot"), WingTroop("foot"), WingTroop("riders", "Reds")))


def test_troops_without_a_name_are_called_by_their_type_and_numbered():
    foot = tuple(say(NUMBERED, name=Term("Foot"), number=number) for number in (1, 2))
    assert names_of(SHEET, Tables()) == (*foot, "Reds")
    assert [str(name) for name in names_of(SHEET, Tables())] == ["Foot 1", "Foot 2", "Reds"]


def test_what_somebody_wrote_stays_plain_text():
    assert [type(name) for name in names_of(SHEET, Tables())] == [Message, Message, str]
    assert numbered(["Foot", "Foot"]) == ("Foot 1", "Foot 2")
    pikes = {"pikes": {"name": "Order", "tag": "P", "move": 3, "melee": 2, "guard": 2, "points": 3}}
    (name,) = names_of(WingSheet((WingTroop("pikes"),)), tables_of({}, {"troops": pikes}))
    assert (type(name), name) == (str, "Order"), "a word of the catalogue, but the GM's own"


def test_who_leads_without_a_commander_and_who_came_by_the_bridge_have_words_for_every_reader():
    spec = wing_of("a", "A", 0, SHEET)
    assert (type(spec.units[-1].name), spec.units[-1].name) == (Term, SERGEANT_NAME)
    *_troops, sergeant, mage = wing_from(muster(caster=5)).units
    assert [type(one.name) for one in (sergeant, mage)] == [Term, Term]
    assert (type(mage.key), mage.key) == (str, "Mage"), "the same whoever opens the battle"


def test_units_stand_in_the_order_of_their_english_names_whoever_reads():
    names = (*numbered([Term("Foot")] * 10), "Archers", Term("Levy"))
    units = by_name(Token(f"a:{place}", "a", 0, name) for place, name in enumerate(reversed(names)))
    assert [str(unit.name) for unit in units] == ["Archers", *(f"Foot {number}" for number in range(1, 11)), "Levy"]
