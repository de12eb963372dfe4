"""Content: the tables of TF-1, TF-2, TF-3, TF-6.3, TF-7 and TF-8, their marks and their words."""

from __future__ import annotations

import pytest

from rules.core.content import SourceMark
from rules.thucidide_fantasy.arsenal import AURAS, TEMPERS, TRAITS, WEAPONS
from rules.thucidide_fantasy.contingent import (
    DARK_CARDS,
    REALM_CARDS,
    ContingentCharacter,
    ContingentCommander,
    ContingentUnit,
    starter_cards,
)
from rules.thucidide_fantasy.figures import (
    Tables,
    activations_of,
    character_figures,
    commander_figures,
    of_animals,
    unit_figures,
    victory_number,
)
from rules.thucidide_fantasy.grimoire import APPEALS, INTERVENTIONS, LEASH, SPELLS, divine
from rules.thucidide_fantasy.house import options_of
from rules.thucidide_fantasy.ruleset import THUCIDIDE_FANTASY
from rules.thucidide_fantasy.spec import NEXT, NOW, TWO, WHILE
from rules.thucidide_fantasy.starter import (
    BRACKETS,
    CHARACTERS,
    EXPERIENCES,
    FACES,
    HITS,
    KINDS,
    LEVELS,
    MOVES,
    ORDERS,
    RANKS,
    TROOPS,
    WEIGHTS,
)

SIX_SIDES = 6
LAW = Tables()


def test_troops_have_the_figures_of_the_law():
    """TF-8, TF-2.3, TF-2.4: kind and weight, stands, assault and melee, shot and range, experience, notes, points."""
    found = {}
    for slug, troop in TROOPS.items():
        f = unit_figures(ContingentUnit(slug), LAW)
        notes = {f.temper, *(one.trait for one in f.traits)} - {""}
        found[slug] = (f"{troop.kind} {troop.weight}", f.stands, (f.assault, f.melee), (f.shot, f.range),
                       f.experience, notes, troop.points)  # fmt: skip
    no, regular = (0, 0), "regular"
    assert found == {
        "recruits": ("infantry light", 3, (2, 2), no, "recruits", set(), 2),
        "foot-light": ("infantry light", 4, (2, 2), (2, 2), regular, set(), 4),
        "foot-medium": ("infantry medium", 4, (2, 3), no, regular, set(), 4),
        "foot-heavy": ("infantry heavy", 4, (2, 3), no, regular, set(), 5),
        "pike": ("infantry heavy", 4, (3, 4), no, regular, set(), 6),
        "guard": ("infantry heavy", 5, (3, 3), no, regular, set(), 7),
        "bows": ("infantry light", 4, (2, 2), (2, 3), regular, set(), 4),
        "crossbows": ("infantry medium", 4, (2, 2), (2, 4), regular, set(), 7),
        "riders-light": ("cavalry light", 4, (2, 2), (2, 2), regular, set(), 3),
        "riders-medium": ("cavalry medium", 4, (4, 2), no, regular, set(), 5),
        "riders-heavy": ("cavalry heavy", 4, (4, 2), no, regular, set(), 8),
        "warg-riders": ("cavalry medium", 4, (3, 3), no, regular, {"hindrance"}, 4),
        "tigers": ("cavalry light", 3, (3, 3), no, "elite", {"fanatic"}, 3),
        "ogres": ("infantry heavy", 5, (3, 3), no, regular, set(), 6),
        "giant-spider": ("chariots medium", 4, (3, 3), no, regular, {"fanatic"}, 5),
        "engine": ("artillery medium", 3, (1, 1), (3, 5), regular, set(), 4),
        "mammoth": ("elephants very-heavy", 4, (4, 4), no, regular, set(), 8),
        "dragon": ("elephants very-heavy", 5, (5, 4), (4, 2), regular,
                   {"flyer", "rapid", "invulnerable", "threat"}, 18),
        "skeletons": ("infantry heavy", 4, (2, 2), no, regular, {"undead"}, 4),
        "zombies": ("infantry medium", 4, (2, 2), no, regular, {"undead"}, 4),
        "ghouls": ("infantry light", 4, (2, 2), no, regular, {"undead", "foul-touch"}, 4),
        "skeleton-riders": ("cavalry heavy", 4, (2, 2), no, regular, {"undead"}, 5),
    }  # fmt: skip


def test_t_37_skeleton_riders():
    """TF-5.2."""
    riders = unit_figures(ContingentUnit("skeleton-riders"), LAW)
    assert (riders.kind, riders.weight, riders.stands, riders.assault, riders.melee) == ("cavalry", 4, 4, 2, 2)
    assert riders.has("undead")
    assert TROOPS["skeleton-riders"].points == 5


def test_tf_2_2_of_several_weapons_the_best_counts_and_experience_stands_for_the_rest():
    """Tigers have claws and a strong bite. The bite counts, and they are elite: one die more."""
    tigers = unit_figures(ContingentUnit("tigers"), LAW)
    bite, claw = WEAPONS["strong-bite"], WEAPONS["claw"]
    assert (tigers.assault, tigers.melee) == (bite.assault, bite.melee) > (claw.assault, claw.melee)
    assert (tigers.experience, tigers.dice) == ("elite", EXPERIENCES["elite"].dice) == ("elite", 1)
    assert (tigers.stands, tigers.temper) == (3, "fanatic")
    other = unit_figures(ContingentUnit("tigers", weapon="claw"), LAW)
    assert (other.assault, other.melee) == (claw.assault, claw.melee)


def test_tf_4_6_a_player_character_is_a_leader_a_hero_a_caster_or_has_a_mission():
    """A fighter may also be lost in the crowd, and somebody with followers leads units: they are in the army anyway."""
    general, deputy = (commander_figures(ContingentCommander(rank), LAW) for rank in ("general", "sub-general"))
    assert [one.rank for one in (general, deputy)] == ["general", "sub-general"]
    assert not general.hero
    assert general.melee == 0
    hero = ContingentCharacter("Odo", "hero", "heavy", melee=3, resistance=3)
    fighter = character_figures(hero, LAW)
    assert (fighter.hero, fighter.melee, fighter.resistance, fighter.rank) == (True, 3, 3, "")
    caster, useful = (character_figures(ContingentCharacter("Mira", kind), LAW) for kind in ("caster", "useful"))
    assert (caster.casts, useful.casts) == (True, False)
    assert (caster.hero, useful.hero) == (False, False)


@pytest.mark.parametrize(
    ("row", "cells"),
    [
        ("infantry", "2,2 2,2 1,2 1,2 1,1"),
        ("cavalry", "4,4 4,4 3,3 3,3 2,2"),
        ("camelry", "3,3 3,3 3,3 3,3 2,2"),
        ("chariots", "- 3,3 3,3 2,2 -"),
        ("elephants", "- - 2,2 2,2 2,2"),
        ("artillery", "1,2 0,1 0,1 0,1 0,1"),
    ],
)
def test_moves_are_those_of_the_law(row, cells):
    """TF-1.4: hexes when fighting and when not fighting; an empty cell is missing."""
    for weight, cell in zip(WEIGHTS, cells.split(), strict=True):
        rate = MOVES.get(f"{row}-{weight}")
        assert (f"{rate.move},{rate.calm}" if rate else "-") == cell
        assert rate is None or rate.fixed == (row == "artillery" and weight == "very-heavy")
    assert len(MOVES) == 26


def colors_of(level: int) -> list[str]:
    """What hits it, of a plain die's colors."""
    return ["red", "blue", "green"][: HITS[f"level-{level}"].hits]


@pytest.mark.parametrize(
    ("level", "of_six", "confirms"), [(1, 4, 0), (2, 3, 0), (3, 2, 0), (4, 1, 0), (5, 1, 3), (6, 1, 2), (7, 1, 1)]
)
def test_the_ladder_of_hits(level, of_six, confirms):
    """TF-1.7: faces of six that hit each level, and how many confirm."""
    row = HITS[f"level-{level}"]
    faces = [face for face in FACES.values() if face in colors_of(level) or (row.advantage and face == "advantage")]
    assert len(faces) == of_six
    assert row.confirms == confirms
    assert "red" in faces


def test_the_die_has_six_faces_in_the_order_of_the_ruling():
    """TF-1.6."""
    assert list(FACES.items()) == [(1, "green"), (2, "blue"), (3, "red"), (4, "flag"), (5, "letter"), (6, "advantage")]
    assert len(FACES) == SIX_SIDES


def test_weapons_have_the_dice_of_the_law():
    """TF-1.14, TF-2.1."""
    melee = {slug: f"{w.assault}-{w.melee}" for slug, w in WEAPONS.items() if not w.shoots}
    shots = {slug: f"{w.shot},{w.range}" for slug, w in WEAPONS.items() if w.shoots}
    natural = {slug: melee[slug] for slug, w in WEAPONS.items() if w.natural}
    assert {slug: factors for slug, factors in melee.items() if slug not in natural} == {
        "short": "2-2", "individual": "2-2", "spear": "2-3", "two-handed": "3-3", "pike": "3-4", "lance": "4-2",
        "elephant": "4-4", "chariot": "4-2", "crew": "1-1",
    }  # fmt: skip
    assert natural == {
        "claw": "2-2", "strong-claw": "3-3", "very-strong-claw": "5-4", "bite": "2-2", "strong-bite": "3-3",
        "very-strong-bite": "4-4", "blow": "2-2", "great-blow": "3-3", "very-great-blow": "5-4", "jet": "2-2",
    }  # fmt: skip
    assert shots == {
        "javelin": "2,2", "sling": "2,3", "bow": "2,3", "composite-bow": "3,3", "light-crossbow": "2,3",
        "crossbow": "2,4", "artillery-very-light": "2,4", "artillery-light": "2,5", "artillery-medium": "3,5",
        "artillery-heavy": "4,6", "rockets-heavy": "2,5", "rockets-very-heavy": "3,5", "flame-thrower-light": "2,1",
        "flame-thrower-heavy": "4,2",
    }  # fmt: skip
    assert [slug for slug, w in WEAPONS.items() if w.fire] == [
        "rockets-heavy", "rockets-very-heavy", "flame-thrower-light", "flame-thrower-heavy",
    ]  # fmt: skip


def test_the_annex_has_fifteen_traits():
    """TF-3, TF-1.12."""
    numbered = [slug for slug, trait in TRAITS.items() if trait.number]
    assert [TRAITS[slug].number for slug in numbered] == list(range(1, 16))
    assert AURAS == ("morale", "threat", "great-threat")
    assert TEMPERS == ("tenacious", "fanatic", "hesitant", "fleeing")


def test_experience_adds_dice_and_costs_points():
    """TF-1.8, TF-8."""
    found = {slug: (one.dice, one.points) for slug, one in EXPERIENCES.items()}
    assert found == {"recruits": (-1, 0), "regular": (0, 0), "elite": (1, 1), "guard": (2, 2)}


def test_leaders_have_ranges_influence_and_counters():
    """TF-1.3, TF-1.13."""
    assert {slug: (rank.reach, rank.influence) for slug, rank in RANKS.items()} == {
        "general": (5, 1), "sub-general": (3, 1), "senior-officer": (1, 0),
    }  # fmt: skip
    assert {slug: level.counters for slug, level in LEVELS.items()} == {"poor": 3, "normal": 5, "great": 7}
    assert {slug: (order.cost, order.per_hex) for slug, order in ORDERS.items()} == {
        "reconnaissance": (1, False), "forced-march": (2, False), "woodsman": (2, True), "courier": (3, False),
        "manoeuvre": (4, False), "forward": (5, False), "general-assault": (10, False),
    }  # fmt: skip


def test_t_26_guns_drawn_by_horses_and_mounting_are_not_built():
    assert not {"mount", "dismount"} & ORDERS.keys()
    assert not [slug for slug in TRAITS if "horse" in slug]


def test_m_8_that_leaders_flee_is_a_ruling():
    assert CHARACTERS["leader"].mark == SourceMark.RULING
    assert {slug: kind.flight for slug, kind in CHARACTERS.items()} == {
        "leader": 2, "hero": 0, "caster": 2, "useful": 1,
    }  # fmt: skip


SPELL_TABLE = """
divine-appeal 3 nothing now | armour 1 friend next | farewell 3 unit now | blessing 2 friend next | grove 1 unit while
bell 1 friend next | counterspell 1 unit-or-hex now | elite 1 friend next | enthusiasm 1 friend next
shackles 1 hex next | fanaticism 1 friend next | magic-arrows 2 enemy now | hatred 1 enemy next
immunity 1 friend next | slowness 1 enemy next | word-of-power 2 enemy+C now | allied-nature 2 element two
darkness 2 hex two | fear 1 unit now | rain-of-fire 3 enemy-or-hex now | rebound 3 friend+C next
repulsion 1 enemy two | major-healing 1 friend now | minor-healing 1 friend now | total-healing 2 friend now
stop 1 enemy next | fire-storm 5 enemy-or-hex now | terror 2 unit now | phantom-troop 1 free-hex while
vade-retro 1 enemy now | speed 1 friend next | volley 1 friend+C next | animate-dead 2 grave now
dust-warriors 2 free-hex now | army-of-the-dead 6 chain now | turn 2 enemy-undead two
"""


def test_spells_have_cost_target_and_duration_of_the_law():
    """TF-6.3, TF-5.3."""
    rows = [row.split() for line in SPELL_TABLE.strip().splitlines() for row in line.split("|")]
    found = [[s.slug, str(s.cost), s.on + ("+C" if s.character else ""), s.lasts] for s in SPELLS.values()]
    assert found == rows
    assert {spell.lasts for spell in SPELLS.values()} == {NOW, NEXT, TWO, WHILE}
    assert {slug: s.range for slug, s in SPELLS.items() if s.range != 3} == {
        "darkness": 5, "animate-dead": 2, "dust-warriors": 2,
    }  # fmt: skip
    assert {slug: s.number for slug, s in SPELLS.items() if s.number} == {
        "animate-dead": 901, "dust-warriors": 902, "army-of-the-dead": 903, "turn": 904,
    }  # fmt: skip


def test_spells_of_shots_have_the_dice_of_their_weapons():
    """TF-6.3."""
    spells = options_of(THUCIDIDE_FANTASY.house, LAW).spells
    shots = {slug: (s.times, s.shot, s.fire) for slug, s in spells.items() if s.shot}
    assert shots == {
        "magic-arrows": (1, 3, False), "word-of-power": (1, 3, False), "rain-of-fire": (2, 2, True),
        "fire-storm": (3, 3, True),
    }  # fmt: skip
    assert {slug: (s.dice, s.advantages) for slug, s in SPELLS.items() if s.effect in ("blows", "healing")} == {
        "fear": (2, True), "terror": (4, True), "major-healing": (2, True), "minor-healing": (2, False),
        "total-healing": (4, True),
    }  # fmt: skip


def of_36(slug: str, table) -> int:
    return sum(divine(table, one + other) == slug for one in range(1, 7) for other in range(1, 7))


def test_gods_answer_by_their_tables():
    """TF-7, and TF-T5: result 12 of the second table is 1 in 432."""
    assert {slug: of_36(slug, APPEALS) for slug in APPEALS} == {
        "angry": 1, "ignored": 20, "carried-home": 12, "intervention": 3,
    }  # fmt: skip
    assert {slug: of_36(slug, INTERVENTIONS) for slug in INTERVENTIONS} == {
        "stands-return": 3, "reroll": 18, "double-flags": 5, "no-flags": 4, "divine-bell": 3, "copy": 2, "servant": 1,
    }  # fmt: skip
    assert of_36("intervention", APPEALS) * of_36("servant", INTERVENTIONS) * 432 == 36 * 36
    assert LEASH == 4


@pytest.mark.parametrize(
    ("units", "activations", "victory"),
    [
        (1, (1, 3), 1),
        (9, (1, 3), 3),
        (10, (1, 4), 4),
        (11, (1, 4), 4),
        (15, (1, 4), 5),
        (16, (2, 3), 6),
        (40, (2, 3), 14),
    ],
)
def test_brackets_and_victory_numbers(units, activations, victory):
    """TF-1.3, TF-1.16, TF-T6."""
    assert activations_of(units) == activations
    assert victory_number(units) == victory


def test_t_41_t_42_ten_against_nine_is_the_next_bracket():
    assert activations_of(8) == activations_of(9) != activations_of(10)
    assert [bracket.most for bracket in BRACKETS][:2] == [9, 15]


@pytest.mark.parametrize(
    ("share", "numbers"), [("quarter", (1, 3)), ("half", (2, 5)), ("two-thirds", (2, 6)), ("all", (3, 9))]
)
def test_a_campaign_may_set_another_share(share, numbers):
    """TF-HOUSE: victory share."""
    assert (victory_number(3, share), victory_number(9, share)) == numbers
    assert victory_number(0, share) == 1


def test_t_44_troops_of_or_on_animals():
    touched = {slug for slug in TROOPS if of_animals(unit_figures(ContingentUnit(slug), LAW))}
    assert touched == {
        "riders-light", "riders-medium", "riders-heavy", "warg-riders", "tigers", "giant-spider", "mammoth", "dragon",
        "skeleton-riders",
    }  # fmt: skip
    marked = unit_figures(ContingentUnit("ogres", traits=("animals",)), LAW)
    assert of_animals(marked)
    assert [slug for slug, kind in KINDS.items() if kind.of_animals] == ["cavalry", "camelry", "chariots", "elephants"]


@pytest.mark.parametrize(
    ("points", "realm", "dark"),
    [(6, REALM_CARDS, DARK_CARDS), (5, REALM_CARDS[:3], DARK_CARDS[:3]),
     (1, (), ()), (20, REALM_CARDS, DARK_CARDS)],
)  # fmt: skip
def test_t_35_a_starter_set_goes_card_by_card_as_far_as_the_points_do(points, realm, dark):
    costs = {slug: spell.cost for slug, spell in SPELLS.items()}
    assert starter_cards(0, points, costs) == realm
    assert starter_cards(1, points, costs) == dark
    assert sum(costs[slug] for slug in REALM_CARDS) == sum(costs[slug] for slug in DARK_CARDS) == 6


def test_every_item_of_the_codex_bears_its_mark_its_words_and_a_rule_that_is_there():
    catalogues = THUCIDIDE_FANTASY.catalogues
    rules = catalogues["rules"].items
    for kind, catalogue in catalogues.items():
        for item in catalogue.items.values():
            assert item.mark is not SourceMark.NONE, (kind, item.slug)
            assert catalogue.members(item)["mark"] == item.mark
            assert item.name, (kind, item.slug)
            assert item.summary, (kind, item.slug)
            assert item.rule in rules, (kind, item.slug)
            assert all(str(said) for said in catalogue.facts(item))
    assert {TROOPS["pike"].mark, SPELLS["fear"].mark, HITS["level-3"].mark} == {SourceMark.RECONSTRUCTION}
    assert {TRAITS["bell"].mark, WEAPONS["claw"].mark, APPEALS["angry"].mark} == {SourceMark.DOCUMENT}
    assert KINDS["elephants"].mark == SourceMark.RULING
    assert ORDERS["courier"].mark == SourceMark.SEEN


def test_troops_and_spells_of_the_codex_name_their_weapons():
    catalogues = THUCIDIDE_FANTASY.catalogues
    dragon = [str(said) for said in catalogues["troops"].facts(TROOPS["dragon"])]
    assert any(said.startswith("Great siphon") for said in dragon)
    assert catalogues["troops"].members(TROOPS["dragon"])["traits"] == ["flyer", "rapid", "invulnerable", "threat"]
    storm = [str(said) for said in catalogues["spells"].facts(SPELLS["fire-storm"])]
    assert any(said.startswith("3 × Very heavy rockets") for said in storm)


def test_rules_know_every_ruling_that_is_in_force():
    """T-64, T-88, T-100 and T-101 were withdrawn."""
    rules = THUCIDIDE_FANTASY.catalogues["rules"].items
    withdrawn = {64, 88, 100, 101}
    assert {f"T-{number}" for number in range(1, 102) if number not in withdrawn} == {
        rule for rule in rules if rule.startswith("T-")
    }
    lists = {"H": range(1, 12), "D": (2, 3, 4), "M": (8,), "C": (1, 3, 4, 5, 6, 7, 8, 9)}
    told = {f"{letter}-{number}" for letter, numbers in lists.items() for number in numbers}
    assert {rule for rule in rules if rule[:2] in ("H-", "D-", "M-", "C-")} == told
    assert all((rules[rule].mark == SourceMark.RECONSTRUCTION) == (rule[0] == "C") for rule in told)
    assert {"TF-1", "TF-6.3", "TF-9", "TF-HOUSE"} <= rules.keys()
