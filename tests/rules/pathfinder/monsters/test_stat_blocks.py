"""Stat blocks of Pathfinder 1 as unit types (PF-1.11, PF-9). The creatures are invented."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import settings as profile
from hypothesis import strategies as st

from rules.core.errors import InvalidInput
from rules.pathfinder.catalogue.abilities import ABILITIES
from rules.pathfinder.documents import unit_from_json
from rules.pathfinder.monsters.creature import read_cr
from rules.pathfinder.monsters.stat_blocks import CHARACTERS_MOST, read_stat_block
from rules.pathfinder.monsters.vocabulary import ABILITY_WORDS, IMMUNE_WORDS, LABELS, fold
from rules.registry import ruleset
from tests.everyday import at_most

LAW = ruleset("combat-de-masse")

RAIDER = """Ash Raider CR 1/3
XP 135
Ash raider warrior 1
CE Medium humanoid (orc)
Init +0; Senses darkvision 60 ft.; Perception –1
DEFENSE
AC 13, touch 10, flat-footed 13 (+3 armor)
hp 6 (1d10+1)
Fort +3, Ref +0, Will –1
Defensive Abilities ferocity
Weaknesses light sensitivity
OFFENSE
Speed 30 ft.
Melee axe +5 (1d12+4/x3)
Ranged javelin +1 (1d6+3)
STATISTICS
Str 17, Dex 11, Con 12, Int 7, Wis 8, Cha 6
Base Atk +1; CMB +4; CMD 14
Feats Weapon Focus (axe)
Skills Intimidate +2
Languages Common, Orc
SQ weapon familiarity
"""

OWN = LAW.with_house({"own": {"abilities": {
    "lake": {"name": "Bénédiction du Lac", "summary": "Le lac veille."},
    "venom": {"name": "Aura of lake venom", "summary": "Poisoned.", "number": True},
    "poison-of-ours": {"name": "Poison", "summary": "As the rules'."},
    "ropes": {"name": "Cœur (x", "summary": "A name with signs of its own."},
    "deep": {"name": "Fear of the deep", "summary": "They stay away."},
    "aura": {"name": "Aura", "summary": "A name that a line begins with."},
}}})  # fmt: skip

PILLARD = """Pillard des cendres FP 1/3
PX 135
Pillard des cendres guerrier 1
Humanoïde (orque) de taille moyenne, CM
Init +0 ; Sens vision dans le noir 18 m ; Perception –1
DÉFENSE
CA 13, contact 10, pris au dépourvu 13 (armure +3)
pv 6 (1d10+1)
Réf +0, Vig +3, Vol –1
Capacités défensives férocité
Faiblesses sensibilité à la lumière
ATTAQUE
VD 9 m (6 c.)
Corps à corps hache, +5 (1d12+4/x3)
À distance javeline, +1 (1d6+3)
CARACTÉRISTIQUES
For 17, Dex 11, Con 12, Int 7, Sag 8, Cha 6
BBA +1 ; BMO +4 ; DMD 14
Dons Arme de prédilection (hache)
Compétences Intimidation +2
Langues commun, orque
Particularités familiarité avec les armes
"""

WYRM = """MIRE WYRM CR 9
XP 6,400
NE Huge dragon (aquatic)
Init +1; Senses blindsense 60 ft., darkvision 120 ft., low-light vision, scent; Perception +20
Aura frightful presence (120 ft., DC 19)
DEFENSE
AC 24, touch 9, flat-footed 23 (+1 Dex, +15 natural, –2 size)
hp 126 (11d12+55); fast healing 5
Fort +12, Ref +8, Will +10
DR 5/magic; Immune acid, paralysis, sleep; Resist cold 10; SR 20
OFFENSE
Speed 40 ft., fly 150 ft. (poor), swim 60 ft.
Melee bite +18 (2d8+10 plus poison), 2 claws +18 (2d6+7 plus grab)
Space 15 ft.; Reach 10 ft. (15 ft. with bite)
Special Attacks breath weapon (60-ft. cone, 8d6 acid, Reflex DC 20 half), mire wave, rend (2 claws, 2d6+10)
Spell-Like Abilities (CL 11th; concentration +13)
At will—speak with animals (reptiles only), invisibility (self only)
Spells Known (CL 5th; concentration +7)
2nd (5/day)—acid arrow, mirror image
1st (7/day)—alarm, shield
STATISTICS
Str 25, Dex 12, Con 21, Int 14, Wis 17, Cha 14
SPECIAL ABILITIES
Mire Wave (Su) Once a day the wyrm turns the ground within 60 ft. to mud; speed is halved there.
Trample (Ex) It walks over whatever is small.
"""

WIGHTS = """Gardien des tombes
FP 4
XP 1 200
LM Mort-vivant de taille M
Init +2 ; Sens perception aveugle 18 m, vision dans le noir 18 m ; Perception +9
pv 38 (5d8+15)
Immunités traits des morts-vivants ; RD 5/argent
VD 9 m, vol 18 m (parfaite)
Corps à corps coup, +7 (1d6+4 et absorption d'énergie)
Attaques spéciales création de rejeton, plainte des tombes
For 16, Dex 14, Con —, Int —, Sag 12, Cha 15
Capacités spéciales
Plainte des tombes (Sur). Qui l'entend dort mal.
"""


def read(text):
    return read_stat_block(text, LAW)


def abilities(found):
    return {one["ability"]: one for one in found.unit["abilities"]}


def line_of(found, start):
    return next(line for line in found.lines if line.text.startswith(start))


def test_a_soldier_is_read_whole():
    """PF-1.11: name, CR, hit die, level, speed, type, alignment, ranged weapons, and the abilities of PF-9."""
    unit = read(RAIDER).unit
    assert {name: value for name, value in unit.items() if name != "abilities"} == {
        "name": "Ash Raider", "cr": "1/3", "hit_die": "d10", "level": 1, "speed_m": 9, "creature_type": "humanoid",
        "alignment": "CE", "ranged": True,
    }  # fmt: skip
    assert set(abilities(read(RAIDER))) == {"darkvision", "ferocity", "light-sensitivity"}


def test_the_french_block_of_the_same_creature_reads_alike():
    assert read(PILLARD).unit == {**read(RAIDER).unit, "name": "Pillard des cendres"}
    assert read(PILLARD).family == read(RAIDER).family == "humanoids"


def test_of_each_line_it_is_told_what_was_used_and_what_was_not():
    found = read(RAIDER)
    assert [line.text for line in found.lines] == [line for line in RAIDER.splitlines() if line]
    assert list(map(str, line_of(found, "Speed").used)) == ["Speed"]
    assert list(map(str, line_of(found, "hp").used)) == ["1 HD", "Hit die d10"]
    assert line_of(found, "SQ").unused == ("weapon familiarity",)
    assert line_of(found, "Skills").used == line_of(found, "Skills").unused == ()
    assert found.notes == ()


def test_a_dragon_has_its_senses_movement_attacks_and_magic():
    found = read(WYRM)
    own = abilities(found)
    assert set(own) == {
        "aquatic", "blindsense", "darkvision", "low-light-vision", "scent", "fear", "fast-healing", "damage-reduction",
        "immunity", "resistance", "spell-resistance", "flight", "poison", "grab", "breath-weapon", "rend",
        "invisibility", "spellcasting", "trample",
    }  # fmt: skip
    assert own["fast-healing"]["value"] == 5
    assert own["immunity"]["options"] == {"to": ["paralysis"]}
    assert own["spellcasting"] == {"ability": "spellcasting", "value": 2, "options": {"ranged": True}}
    assert found.unit["name"] == "Mire wyrm"
    assert (found.unit["level"], found.unit["hit_die"], found.unit["speed_m"]) == (11, "d12", 12)
    assert {"acid", "sleep", "mire wave", "swim 60 ft.", "speak with animals (reptiles only)"} <= set(found.unused)


def test_the_walking_dead_bring_their_types_immunities_once():
    """PF-9: undead are immune to disease, fear, paralysis and poison; Int — is mindless."""
    found = read(WIGHTS)
    assert set(abilities(found)) == {
        "undead", "blindsense", "darkvision", "damage-reduction", "flight", "energy-drain", "create-spawn", "mindless",
    }  # fmt: skip
    assert found.unit | {"abilities": []} == {
        "name": "Gardien des tombes", "cr": "4", "hit_die": "d8", "level": 5, "speed_m": 9, "creature_type": "undead",
        "alignment": "LE", "ranged": False, "abilities": [],
    }  # fmt: skip
    assert found.family == "undead"
    assert found.unused == ("plainte des tombes", "Plainte des tombes")


def test_a_strong_defense_is_proposed_with_a_warning():
    """PF-9: damage reduction works as significant defense, +10 DV."""
    assert "DV +10" in str(read(WIGHTS).notes[0])


@pytest.mark.parametrize(
    ("line", "ability"),
    [
        ("Special Attacks favored enemy (undead +2)",
         {"ability": "favored-enemy", "options": {"creature_type": "undead"}}),
        ("Special Attacks hexes (healing, slumber)", {"ability": "hex", "options": {"choice": "healing"}}),
        ("Attaques spéciales maléfices (chaudron)", {"ability": "hex", "options": {"choice": "cauldron"}}),
        ("Defensive Abilities bravery +2", {"ability": "bravery", "value": 2}),
        ("hp 63 (6d8+36); regeneration 5 (acid or fire)", {"ability": "regeneration", "value": 5}),
        ("Immune fire, poison", {"ability": "immunity", "options": {"to": ["burn", "poison"]}}),
        ("Speed 20 ft., burrow 20 ft.; earth glide", {"ability": "earth-glide"}),
        ("Special Attacks sneak attack +2d6", {"ability": "sneak-attack"}),
        ("Senses see in darkness", {"ability": "darkvision"}),
    ],
)  # fmt: skip
def test_an_ability_comes_with_its_number_or_choice(line, ability):
    assert ability in read(f"Thing CR 3\nN Medium humanoid (human)\n{line}").unit["abilities"]


@pytest.mark.parametrize("line", ["Special Attacks hexes (slumber)", "Special Attacks favored enemy (your mother +2)"])
def test_an_ability_without_its_choice_is_left_for_the_gm(line):
    found = read(f"Thing CR 3\nN Medium humanoid (human)\n{line}")
    assert found.unit["abilities"] == []
    assert len(found.unused) == 1


def test_feats_and_skills_that_sound_like_abilities_are_none():
    found = read("Thing CR 3\nN Medium humanoid (human)\nFeats Mobility, Trample, Evasion\nSkills Climb +3, Fly +2")
    assert found.unit["abilities"] == []


@pytest.mark.parametrize(
    ("speed", "metres"),
    [("30 ft.", 9), ("20 ft. (30 ft. without armor)", 6), ("fly 60 ft. (good)", 18), ("9 m (6 c.)", 9), ("6 cases", 9)],
)
def test_a_speed_is_read_in_feet_meters_and_squares(speed, metres):
    label = "VD" if "c" in speed and "cases" in speed else "Speed"
    assert read(f"Thing CR 3\n{label} {speed}").unit["speed_m"] == metres


@pytest.mark.parametrize(
    ("line", "alignment"),
    [("NG Small fey", "NG"), ("Fée de taille P, NB", "NG"), ("Chaotic evil Large giant humanoid", "CE"),
     ("Humanoïde de taille moyenne, loyal mauvais", "LE"), ("N Medium plant", "N")],
)  # fmt: skip
def test_an_alignment_is_read_in_letters_and_words(line, alignment):
    assert read(f"Thing CR 3\n{line}").unit["alignment"] == alignment


@pytest.mark.parametrize(
    ("head", "cr"),
    [("Thing CR ½", "1/2"), ("Thing (CR 12)", "12"), ("Thing CR 8/MR 3", "8"), ("Thing — FP 1/8", "1/8"),
     ("Thing\nCR: 0.5", "1/2")],
)  # fmt: skip
def test_a_cr_is_found_however_it_is_written(head, cr):
    found = read(head)
    assert (found.unit["cr"], found.unit["name"]) == (cr, "Thing")


@pytest.mark.parametrize(("text", "cr"), [("0.3375", "1/3"), ("0,25", "1/4"), ("1.0", "1"), ("0", ""), ("61", ""),
                                          ("0.9", ""), ("²", ""), ("nan", "")])  # fmt: skip
def test_a_cr_as_a_number_is_on_the_ladder_or_none(text, cr):
    """PF-1.1."""
    assert read_cr(text) == cr


def test_what_is_missing_is_noted_and_a_default_stands_in():
    found = read("Thing CR 3")
    assert list(map(str, found.notes)) == [
        "No speed found: that of a human is assumed.",
        "No creature type found.",
        "No alignment found.",
        "No Hit Dice found.",
    ]


@pytest.mark.parametrize(
    "text", ["", "  \n ", "A shopping list\nMilk\nEggs", "x" * (CHARACTERS_MOST + 1), "a\n" * 2000]
)
def test_what_is_no_stat_block_is_refused(text):
    with pytest.raises(InvalidInput, match="stat block"):
        read(text)


def test_every_phrase_is_folded_and_leads_to_an_ability():
    for slug, phrases in (*ABILITY_WORDS.items(), *IMMUNE_WORDS.items()):
        assert slug in ABILITIES
        assert [fold(phrase) for phrase in phrases] == list(phrases)
    assert all(fold(word) == word for words in LABELS.values() for word in words)


LINES = st.sampled_from([line for block in (RAIDER, PILLARD, WYRM, WIGHTS) for line in block.splitlines()])


@profile(max_examples=at_most(60, full=600), deadline=None)
@given(st.lists(st.one_of(LINES, st.text(max_size=60)), max_size=30))
def test_whatever_is_pasted_gives_a_unit_the_law_accepts_or_a_refusal(lines):
    try:
        found = read("\n".join(lines))
    except InvalidInput:
        return
    assert unit_from_json(found.unit, LAW)


def read_with(line: str, law=OWN):
    head, weapons = RAIDER.split("SQ weapon familiarity")
    return read_stat_block(f"{head}{line}{weapons}", law)


def own_of(line: str) -> dict[str, object]:
    plain = {one["ability"] for one in read_with("SQ weapon familiarity").unit["abilities"]}
    return {one["ability"]: one.get("value") for one in read_with(line).unit["abilities"]
            if one["ability"] not in plain}  # fmt: skip


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("SQ benediction du lac", {"lake": None}),
        ("SQ weapon familiarity, BÉNÉDICTION DU LAC", {"lake": None}),
        ("Bénédiction du lac (Su) The lake looks after them.", {"lake": None}),
        ("SQ aura of lake venom 3", {"venom": 3}),
        ("SQ aura of lake venom", {}),
        ("SQ bénédiction du lacs", {}),
        ("Melee axe +5 (1d12+4/x3 plus aura of Lake Venom 2)", {"venom": 2}),
        ("SQ poison", {"poison": None}),
        ("Immune bénédiction du lac", {"immunity": None}),
    ],
)
def test_pf_house_a_campaign_s_own_abilities_are_known_by_name(line, found):
    """Whatever the case and the accents; a name that the rules know means theirs; a missing number is not made up."""
    assert own_of(line) == found


def test_pf_house_an_immunity_stops_the_ability_that_is_named_and_no_other():
    (immunity,) = (
        one for one in read_with("Immune fear of the deep").unit["abilities"] if one["ability"] == "immunity"
    )
    assert immunity["options"] == {"to": ["deep"]}


def test_pf_house_a_line_keeps_its_heading():
    """An own name that is no longer than it is read as it."""
    assert own_of("Aura frightful presence") == own_of("Aura frightful presence (30 ft.)")
    assert "aura" not in own_of("Aura frightful presence")


def test_pf_house_what_own_abilities_lack_is_left_to_the_gm():
    assert "aura of lake venom" in read_with("SQ aura of lake venom").unused
    assert "benediction du lac" in read_with("SQ benediction du lac", LAW).unused
    assert unit_from_json(read_with("Immune bénédiction du lac").unit, OWN)
