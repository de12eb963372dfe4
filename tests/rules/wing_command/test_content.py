"""Content and documents: the tables of WC-10, marks, tags, the grid, rulings C-1, C-2, C-4, C-5, C-8."""

from __future__ import annotations

import pytest

from rules.core.content import SourceMark
from rules.core.errors import InvalidInput
from rules.wing_command.documents import WingDocuments
from rules.wing_command.figures import Tables, points_of, wing_of
from rules.wing_command.house import HOUSE_RULES
from rules.wing_command.ruleset import WING_COMMAND
from rules.wing_command.spec import House
from rules.wing_command.starter import ABILITIES, CHARACTERS, ORDERS, PROFILES, SPELLS, STATES, TROOPS, casting_limit
from rules.wing_command.wing import CROWN, HORDE, WingCommander, WingSheet, WingTroop
from tests.rules.wing_command.fights import LAW, army, opening

DOCUMENTS = WING_COMMAND.armies
FOOT = {"type": "foot"}


def test_troops_have_the_figures_of_the_law():
    """WC-10."""
    found = {
        slug: (t.large, t.move, t.melee, (t.shot, t.range), t.guard, t.command_class, t.points)
        for slug, t in TROOPS.items()
    }
    assert found == {
        "levy": (False, 3, 2, (0, 0), 2, "irregular", 2),
        "foot": (False, 3, 3, (0, 0), 3, "regular", 3),
        "heavy-foot": (False, 2, 4, (0, 0), 4, "regular", 4),
        "archers": (False, 3, 2, (4, 4), 2, "regular", 3),
        "scouts": (False, 4, 2, (3, 3), 2, "regular", 3),
        "riders": (False, 5, 4, (0, 0), 3, "regular", 4),
        "beasts": (False, 4, 4, (0, 0), 2, "chaotic", 3),
        "trolls": (True, 3, 5, (0, 0), 4, "irregular", 6),
        "griffins": (True, 6, 5, (0, 0), 4, "regular", 6),
    }
    assert [slug for slug, troop in TROOPS.items() if troop.fly] == ["griffins"]
    assert [slug for slug, troop in TROOPS.items() if troop.infiltrate] == ["scouts"]


def test_no_two_kinds_share_a_letter_of_their_tag():
    """The drawings' second question."""
    tags = [kind.tag for kind in (*TROOPS.values(), *CHARACTERS.values())]
    letters = "".join(tags)
    assert all(1 <= len(tag) <= 2 for tag in tags)
    assert len(set(letters)) == len(letters)


def test_every_item_of_the_codex_bears_its_mark():
    """M-1 to M-7: what the document says, what a ruling decides, what was reconstructed."""
    for kind, catalogue in WING_COMMAND.catalogues.items():
        for item in catalogue.items.values():
            assert item.mark is not SourceMark.NONE, (kind, item.slug)
            list(catalogue.facts(item))
    rules = WING_COMMAND.catalogues["rules"].items
    assert rules["WC-1"].mark == SourceMark.RECONSTRUCTION  # M-1
    assert rules["WC-1.3"].mark == SourceMark.RECONSTRUCTION  # M-2
    assert rules["WC-1.6"].mark == SourceMark.RULING  # M-3
    assert rules["WC-4.4"].mark == SourceMark.RECONSTRUCTION  # M-4
    assert rules["M-5"].mark == SourceMark.RULING
    assert "keeps its order" in rules["M-5"].summary
    assert rules["WC-11"].mark == SourceMark.RULING  # M-6
    assert rules["WC-1.7"].mark == SourceMark.RULING  # M-7
    assert {TROOPS["foot"].mark, ABILITIES["A"].mark, SPELLS["ward"].mark} == {SourceMark.RECONSTRUCTION}
    assert {PROFILES["chaotic"].mark, ORDERS["retreat"].mark} == {SourceMark.DOCUMENT}
    assert STATES["engaged"].mark == SourceMark.RULING


def test_m_2_figures_of_characters_are_marked_as_reconstructed():
    assert {kind.mark for kind in CHARACTERS.values()} == {SourceMark.RECONSTRUCTION}


def test_every_ruling_of_the_law_is_an_item_with_its_mark():
    """Lists W, H, D, M and C; what is reconstructed says so."""
    rules = WING_COMMAND.catalogues["rules"].items
    lists = {"W": range(1, 63), "H": range(1, 12), "D": (1,), "M": range(1, 8), "C": (1, 2, 4, 5, 6, 7, 8, 9)}
    told = {f"{letter}-{number}" for letter, numbers in lists.items() for number in numbers}
    assert {rule for rule in rules if rule[:2] in ("W-", "H-", "D-", "M-", "C-")} == told
    lost = {rule for rule in told if rules[rule].mark == SourceMark.RECONSTRUCTION}
    assert lost == {"W-62", "M-1", "M-2", "M-4", *(rule for rule in told if rule[0] == "C")}
    assert {rules[rule].mark for rule in told - lost} == {SourceMark.RULING}


def test_every_paragraph_of_the_law_is_an_item():
    """WC-1 to WC-11, with those parts that have a number, and WC-HOUSE."""
    parts = {1: 7, 2: 3, 3: 3, 4: 6, 5: 3, 6: 0, 7: 4, 8: 9, 9: 9, 10: 0, 11: 0}
    told = {f"WC-{chapter}" for chapter in parts} | {"WC-HOUSE"}
    told |= {f"WC-{chapter}.{part}" for chapter, most in parts.items() for part in range(1, most + 1)}
    rules = WING_COMMAND.catalogues["rules"].items
    assert {rule for rule in rules if rule.startswith("WC-")} == told
    assert rules["WC-5.2"].mark == SourceMark.DOCUMENT


@pytest.mark.parametrize(
    ("aptitude", "limit"),
    [(-9, 2), (-3, 2), (-2, 3), (-1, 4), (0, 5), (1, 6), (2, 7), (3, 8), (4, 9), (5, 10), (6, 10), (7, 11), (20, 11)],
)
def test_the_grid_of_casting(aptitude, limit):
    """WC-7.1."""
    assert casting_limit(aptitude) == limit


def test_c_2_a_document_is_read_in_its_one_shape():
    document = {"troops": [FOOT, {"type": "archers", "name": " The  Longbows ", "melee": 1, "infiltrate": True}]}
    read = DOCUMENTS.read({**document, "characters": [{"name": "Ash", "kind": "mage"}], "version": 1})
    assert read == {
        "troops": [{"type": "foot"}, {"type": "archers", "name": "The Longbows", "melee": 1, "infiltrate": True}],
        "characters": [{"name": "Ash", "kind": "mage", "art": "fire", "level": 3}],
        "order": "advance",
        "morale": 8,
    }
    assert DOCUMENTS.read(read) == read


@pytest.mark.parametrize(
    ("document", "pointer"),
    [
        ({"troops": []}, "/troops"),
        ({"troops": [FOOT] * 9}, "/troops"),
        ({"troops": [{"type": "pikes"}]}, "/troops/0/type"),
        ({"troops": [{"type": "foot", "melee": 3}]}, "/troops/0/melee"),
        ({"troops": [FOOT], "order": "retreat"}, "/order"),
        ({"troops": [FOOT], "morale": 3}, "/morale"),
        ({"troops": [FOOT], "morale": 13}, "/morale"),
        ({"troops": [FOOT], "characters": [{"name": str(n)} for n in range(5)]}, "/characters"),
        ({"troops": [FOOT], "characters": [{"name": "Bo", "kind": "plain", "level": 2}]}, "/characters/0/art"),
        ({"troops": [FOOT], "characters": [{"name": "Bo", "kind": "commander"}]}, "/characters/0/kind"),
        ({"troops": [FOOT], "size": 3}, "/size"),
    ],
)
def test_c_2_a_document_that_says_what_it_cannot_is_refused_with_its_place(document, pointer):
    """WC-1.1, WC-1.2: troops from 1 to 8, the morale marker from 4 to 12."""
    with pytest.raises(InvalidInput) as refusal:
        DOCUMENTS.read(document)
    assert refusal.value.field == pointer


def test_c_2_a_commander_is_read_too():
    """WC-1.3: ability, profile and figures of a character."""
    assert DOCUMENTS.commander_of({"ability": "A", "fly": True}) == WingCommander("A", fly=True)
    with pytest.raises(InvalidInput) as refusal:
        DOCUMENTS.commander_of({"shot": 3})
    assert refusal.value.field == "/range"


def test_w_18_a_wing_has_one_to_eight_troops_and_breaks_with_one():
    """WC-1.1."""
    assert len(WingSheet((WingTroop("foot"),)).troops) == 1
    DOCUMENTS.read({"troops": [FOOT]})
    DOCUMENTS.read({"troops": [FOOT] * 8})


def test_w_18_more_than_six_armies_on_a_side_are_refused_at_the_opening():
    six = [army(f"a{n}", 0, "foot") for n in range(6)]
    opening(*six, army("b", 1, "foot"))
    with pytest.raises(InvalidInput, match="South: at most 6 armies"):
        opening(*six, army("a6", 0, "foot"), army("b", 1, "foot"))
    with pytest.raises(InvalidInput, match="North has no army"):
        opening(*six)


def test_c_1_the_army_leader_is_whom_the_gm_names_else_the_best_ability_else_the_first():
    wings = [army("a", 0, "foot", ability="C"), army("b", 0, "foot", ability="B"), army("c", 0, "foot", ability="B")]
    enemy = army("d", 1, "foot")
    best = LAW.open(opening(*wings, enemy))
    assert best.leaders[0] == best.wings["b"].leader
    named = LAW.open(opening(*wings, enemy)._replace(army_leaders=("c", "")))
    assert named.leaders[0] == named.wings["c"].leader


def test_c_4_health_is_the_troops():
    document = DOCUMENTS.read({"troops": [FOOT, FOOT, {"type": "levy"}]})
    measure = DOCUMENTS.measure(document)
    assert (measure.health, measure.fit) == (3, 3)
    seen = DOCUMENTS.from_afar(DOCUMENTS.read({"troops": [FOOT] * 7}))
    assert "about" in seen.size.template
    assert seen.size.params["count"] == 7


@pytest.mark.parametrize(
    ("types", "points", "upkeep"), [(["levy"], 2, 1), (["foot", "foot"], 6, 2), (["trolls"], 6, 2)]
)
def test_c_5_upkeep_is_a_quarter_of_the_points_rounded_up_at_least_1(types, points, upkeep):
    sheet = WingSheet(tuple(WingTroop(slug) for slug in types))
    assert points_of(sheet, Tables()) == points
    document = DOCUMENTS.read({"troops": [{"type": slug} for slug in types]})
    assert DOCUMENTS.measure(document).upkeep == upkeep
    free = WingDocuments(Tables(), House(upkeep=False))
    assert (free.measure(document).upkeep, free.upkeep) == (0, None)


def test_c_8_points_are_those_of_the_tables_and_a_campaign_moves_them():
    better = WingSheet((WingTroop("foot", melee=2, guard=1), WingTroop("archers", melee=1)))
    assert points_of(better, Tables()) == 3 + 3 + 3 + 1
    dear = WING_COMMAND.with_house({"overlay": {"troops": {"foot": {"points": 5}}}})
    assert points_of(WingSheet((WingTroop("foot"),)), dear.tables) == 5
    assert "points" in HOUSE_RULES.figures_of("troops")


def test_quality_adds_to_melee_shot_and_guard():
    """WC-10: +1 melee (and shot) 1 point a troop, +1 guard 1 point."""
    spec = wing_of("a", "A", 0, WingSheet((WingTroop("archers", melee=1, guard=2), WingTroop("foot", melee=1))))
    archers, foot = spec.units[0].figures, spec.units[1].figures
    assert (archers.melee, archers.shot, archers.guard) == (3, 5, 4)
    assert (foot.melee, foot.shot) == (4, 0)


def test_an_army_without_commander_is_led_by_a_sergeant():
    """WC-10: ability E, irregular."""
    spec = wing_of("a", "A", 0, WingSheet((WingTroop("foot"),)))
    sergeant = spec.commander
    assert sergeant is not None
    assert (sergeant.figures.ability, sergeant.figures.profile, sergeant.key) == ("E", "irregular", "")


def test_sample_hosts_have_the_points_of_the_law():
    """WC-10: Crown 40, Horde 37."""
    assert sum(points_of(wing.sheet, Tables()) for wing in CROWN) == 40
    assert sum(points_of(wing.sheet, Tables()) for wing in HORDE) == 37
    assert [wing.commander.ability for wing in (*CROWN, *HORDE)] == ["B", "D", "D", "D", "D", "D"]


def test_units_of_a_wing_stand_in_the_order_of_w_61():
    """Troops as the document lists them, then the commander, then its characters."""
    spec = wing_of(
        "a", "A", 0, WingSheet((WingTroop("foot"), WingTroop("levy"))), commander=("x", "Ann", WingCommander())
    )
    assert [str(unit.name) for unit in spec.units] == ["Foot", "Levy", "Ann"]
    assert [str(unit.name) for unit in army("a", 0, "foot", "foot").units][:2] == ["Foot 1", "Foot 2"]


def test_documents_are_told_in_words():
    document = DOCUMENTS.read({"troops": [FOOT, {"type": "levy", "melee": 1}]})
    told = [str(said) for said in DOCUMENTS.in_words(document)]
    assert any("Levy" in one or "levy" in one for one in told)
    assert DOCUMENTS.in_words({"ability": "A"})
    assert not DOCUMENTS.in_words({})


def test_house_rules_reach_battles():
    """WC-HOUSE."""
    law = WING_COMMAND.with_house({
        "turn_limit": 6, "combat": "gm", "break_share": 40, "unknown": 1,
        "overlay": {"abilities": {"B": {"threshold": 5}}, "spells": {"ward": {"difficulty": 4}}},
    })  # fmt: skip
    options = law.battle.check(opening(army("a", 0, "foot"), army("b", 1, "foot"))._replace(
        options=type(opening(army("a", 0, "foot"), army("b", 1, "foot")).options)()
    )).options  # fmt: skip
    assert (options.turn_limit, options.combat, options.break_share) == (6, "gm", 40)
    assert (options.thresholds["B"], options.thresholds["C"], options.difficulties["ward"]) == (5, 8, 4)
