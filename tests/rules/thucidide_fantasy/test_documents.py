"""Documents of armies and commanders: rulings C-1, C-3, C-4, C-5, C-8, T-22, T-35, T-66, their refusals."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.errors import InvalidInput
from rules.thucidide_fantasy.arsenal import TEMPERS, TRAITS, WEAPONS
from rules.thucidide_fantasy.contingent import SAMPLE_HOSTS, ContingentCommander, ContingentSheet, ContingentUnit
from rules.thucidide_fantasy.documents import ContingentDocuments
from rules.thucidide_fantasy.figures import (
    Tables,
    character_figures,
    character_points,
    commander_figures,
    contingent_of,
    points_of,
    unit_figures,
    unit_points,
    units_points,
)
from rules.thucidide_fantasy.grimoire import SPELLS
from rules.thucidide_fantasy.ruleset import THUCIDIDE_FANTASY
from rules.thucidide_fantasy.spec import House
from rules.thucidide_fantasy.starter import EXPERIENCES, LEVELS, RANKS, TROOPS, WEIGHTS

DOCUMENTS = THUCIDIDE_FANTASY.armies
LAW = Tables()
PIKE = {"type": "pike"}
GHOULS = {"type": "ghouls"}
HERO = {"name": "Ash", "kind": "hero"}
CASTER = {"name": "Ivo", "kind": "caster"}


def refused(document, read=DOCUMENTS.read):
    with pytest.raises(InvalidInput) as refusal:
        read(document)
    return [at for at, _said in refusal.value.errors]


# C-3: an army


def test_c_3_a_document_is_read_in_its_one_shape():
    document = {
        "version": 1,
        "units": [
            PIKE,
            {"type": "riders-heavy", "name": " The  Lances ", "experience": "elite", "stands": 5, "lost": 2,
             "traits": ["morale", {"trait": "hindrance", "likes": ["warg-riders"]},
                        {"trait": "rapid", "object": "Winged spurs"}, {"trait": "bell"}]},
            {"type": "skeletons", "weapon": "pike", "master": "Ivo"},
        ],
        "characters": [HERO, {**CASTER, "cards": ["fear", "fear"], "points": 8}, {"name": "Bo", "kind": "useful"}],
    }  # fmt: skip
    read = DOCUMENTS.read(document)
    assert read == {
        "units": [
            {"type": "pike"},
            {"type": "riders-heavy", "name": "The Lances", "experience": "elite", "stands": 5, "lost": 2,
             "traits": ["morale", {"trait": "hindrance", "likes": ["warg-riders"]},
                        {"trait": "rapid", "object": "Winged spurs"}, "bell"]},
            {"type": "skeletons", "weapon": "pike", "master": "Ivo"},
        ],
        "characters": [
            {"name": "Ash", "kind": "hero", "armour": "medium", "melee": 2, "resistance": 3},
            {"name": "Ivo", "kind": "caster", "cards": ["fear", "fear"], "points": 8},
            {"name": "Bo", "kind": "useful"},
        ],
    }  # fmt: skip
    assert DOCUMENTS.read(read) == read


@pytest.mark.parametrize(
    ("document", "pointer"),
    [
        ({}, "/units"),
        ({"units": []}, "/units"),
        ({"units": [PIKE] * 21}, "/units"),
        ({"units": [{"type": "elves"}]}, "/units/0/type"),
        ({"units": [{**PIKE, "experience": "veteran"}]}, "/units/0/experience"),
        ({"units": [{**PIKE, "stands": 0}]}, "/units/0/stands"),
        ({"units": [{**PIKE, "stands": 11}]}, "/units/0/stands"),
        ({"units": [PIKE, {**PIKE, "lost": 4}]}, "/units/1/lost"),
        ({"units": [{**PIKE, "stands": 2, "lost": 2}]}, "/units/0/lost"),
        ({"units": [{**PIKE, "weapon": "halberd"}]}, "/units/0/weapon"),
        ({"units": [{**PIKE, "traits": ["wings"]}]}, "/units/0/traits/0"),
        ({"units": [{**PIKE, "traits": ["bell", "blur", "bell"]}]}, "/units/0/traits/2"),
        ({"units": [{**PIKE, "traits": ["hesitant", "tenacious"]}]}, "/units/0/traits/1"),
        ({"units": [{**PIKE, "traits": [{"trait": "bell", "likes": ["tigers"]}]}]}, "/units/0/traits/0/likes"),
        ({"units": [{**PIKE, "traits": [{"trait": "hindrance", "likes": ["cats"]}]}]}, "/units/0/traits/0/likes/0"),
        ({"units": [{**PIKE, "traits": [{"trait": "bell", "object": "x" * 61}]}]}, "/units/0/traits/0/object"),
        ({"units": [{**PIKE, "master": "Ivo"}], "characters": [CASTER]}, "/units/0/master"),
        ({"units": [{**GHOULS, "master": "Una"}], "characters": [CASTER]}, "/units/0/master"),
        ({"units": [{**PIKE, "morale": 3}]}, "/units/0/morale"),
        ({"units": [PIKE], "size": 3}, "/size"),
        ({"units": [PIKE], "characters": [{**HERO, "name": str(n)} for n in range(9)]}, "/characters"),
        ({"units": [PIKE], "characters": [{"kind": "hero"}]}, "/characters/0/name"),
        ({"units": [PIKE], "characters": [{"name": "Ash"}]}, "/characters/0/kind"),
        ({"units": [PIKE], "characters": [{"name": "Ash", "kind": "leader"}]}, "/characters/0/kind"),
        ({"units": [PIKE], "characters": [HERO, {**CASTER, "name": "Ash"}]}, "/characters/1/name"),
        ({"units": [PIKE], "characters": [{**HERO, "armour": "steel"}]}, "/characters/0/armour"),
        ({"units": [PIKE], "characters": [{**HERO, "melee": 4}]}, "/characters/0/melee"),
        ({"units": [PIKE], "characters": [{**HERO, "shot": 2}]}, "/characters/0/range"),
        ({"units": [PIKE], "characters": [{**HERO, "range": 2}]}, "/characters/0/range"),
        ({"units": [PIKE], "characters": [{**HERO, "resistance": 9}]}, "/characters/0/resistance"),
        ({"units": [PIKE], "characters": [{**CASTER, "melee": 2}]}, "/characters/0/melee"),
        ({"units": [PIKE], "characters": [{**CASTER, "mounted": True}]}, "/characters/0/mounted"),
        ({"units": [PIKE], "characters": [{**CASTER, "traits": ["undead"]}]}, "/characters/0/traits/0"),
        ({"units": [PIKE], "characters": [{**CASTER, "traits": ["fanatic"]}]}, "/characters/0/traits/0"),
        ({"units": [PIKE], "characters": [{**CASTER, "cards": ["wish"]}]}, "/characters/0/cards/0"),
        ({"units": [PIKE], "characters": [{"name": "Bo", "kind": "useful", "points": 3}]}, "/characters/0/points"),
        ({"units": [PIKE], "characters": [{"name": "Bo", "kind": "useful", "cards": ["fear"]}]}, "/characters/0/cards"),
    ],
)
def test_c_3_a_document_that_says_what_it_cannot_is_refused_with_its_place(document, pointer):
    assert refused(document) == [pointer]


def test_c_3_all_problems_come_at_once():
    wrong = {"units": [{"type": "elves"}, {**PIKE, "lost": 7}], "characters": [{**HERO, "shot": 1}], "size": 1}
    assert refused(wrong) == ["/size", "/units/0/type", "/units/1/lost", "/characters/0/range"]


def test_c_3_a_unit_enters_with_its_stands_less_those_it_lost():
    sheet = DOCUMENTS.value_of({"units": [{**PIKE, "stands": 5, "lost": 2}, {**PIKE, "lost": 1}, PIKE]})
    units = contingent_of("a", "A", 0, sheet).units
    assert [(unit.figures.stands, unit.whole) for unit in units] == [(3, 5), (3, 4), (4, 4)]


def test_c_3_a_weapon_stands_for_that_of_the_type():
    spear = unit_figures(ContingentUnit("pike", weapon="spear"), LAW)
    assert (spear.assault, spear.melee, spear.shot) == (2, 3, 0)
    crossbow = unit_figures(ContingentUnit("pike", weapon="crossbow"), LAW)
    assert (crossbow.assault, crossbow.melee, crossbow.shot, crossbow.range) == (3, 4, 2, 4)
    rockets = unit_figures(ContingentUnit("bows", weapon="rockets-heavy"), LAW)
    assert (rockets.shot, rockets.range, rockets.fire) == (2, 5, True)


def test_c_3_a_unit_s_own_temper_and_traits_come_before_those_of_its_type():
    tame = unit_figures(ContingentUnit("tigers", traits=("tenacious", "bell")), LAW)
    assert (tame.temper, [one.trait for one in tame.traits]) == ("tenacious", ["bell"])
    assert unit_figures(ContingentUnit("tigers"), LAW).temper == "fanatic"


@pytest.mark.parametrize(
    ("unit", "characters", "led", "master"),
    [
        (GHOULS, [HERO, CASTER], True, "Ivo"),
        (GHOULS, [HERO], True, "leader"),
        ({**GHOULS, "master": "Ash"}, [HERO, CASTER], True, "Ash"),
        ({**GHOULS, "master": "commander"}, [HERO, CASTER], True, "leader"),
        ({**PIKE, "traits": ["undead"]}, [CASTER], False, "Ivo"),
        (PIKE, [CASTER], True, ""),
    ],
)
def test_c_3_the_master_of_undead_is_named_else_the_first_caster_else_the_commander(unit, characters, led, master):
    sheet = DOCUMENTS.value_of({"units": [unit], "characters": characters})
    commander = ("leader", "Ann", ContingentCommander()) if led else None
    assert contingent_of("a", "A", 0, sheet, commander=commander).units[0].master == master


@pytest.mark.parametrize("unit", [GHOULS, {**GHOULS, "master": "commander"}])
def test_c_3_undead_without_a_master_do_not_enter(unit):
    """TF-5.1."""
    sheet = DOCUMENTS.value_of({"units": [unit], "characters": [HERO]})
    with pytest.raises(InvalidInput, match="can’t do without a master"):
        contingent_of("a", "A", 0, sheet)


# C-3: a commander


def test_c_3_a_commander_is_read_too():
    assert DOCUMENTS.commander_of({}) == ContingentCommander("general", "normal")
    read = DOCUMENTS.read_commander({"rank": "sub-general", "level": "great", "traits": ["morale"], "cards": ["fear"]})
    assert read == {"rank": "sub-general", "level": "great", "traits": ["morale"], "cards": ["fear"]}
    figures = commander_figures(DOCUMENTS.commander_of(read), LAW)
    assert (figures.kind, figures.rank, figures.level, figures.points) == ("leader", "sub-general", "great", 6)
    assert (figures.hero, figures.casts, figures.move) == (False, True, 3)


def test_c_3_a_commander_of_rank_null_is_a_hero_and_leads_nobody():
    """TF-4.2."""
    hero = DOCUMENTS.commander_of({"rank": None, "armour": "heavy", "mounted": True})
    figures = commander_figures(hero, LAW)
    assert (figures.kind, figures.rank, figures.level, figures.hero) == ("hero", "", "", True)
    assert (figures.weight, figures.melee, figures.resistance, figures.move) == (4, 2, 3, 4)
    assert DOCUMENTS.commander_of(DOCUMENTS.read_commander({"rank": None})).rank == "hero"


@pytest.mark.parametrize(
    ("document", "pointer"),
    [
        ({"rank": "marshal"}, "/rank"),
        ({"level": "superb"}, "/level"),
        ({"rank": "general", "melee": 2}, "/melee"),
        ({"resistance": 3}, "/resistance"),
        ({"rank": None, "shot": 1}, "/range"),
        ({"traits": ["animals"]}, "/traits/0"),
        ({"points": 0}, "/points"),
        ({"cards": ["fire-storm", "terror"]}, "/cards"),
        ({"ability": "A"}, "/ability"),
    ],
)
def test_c_3_a_commander_that_says_what_it_cannot_is_refused_with_its_place(document, pointer):
    assert refused(document, DOCUMENTS.read_commander) == [pointer]


@pytest.mark.parametrize(
    ("armour", "mounted", "move"),
    [("very-light", False, (3, 3)), ("medium", False, (2, 3)), ("very-heavy", False, (2, 2)), ("medium", True, (4, 4))],
)
def test_a_hero_moves_as_troops_in_that_armor_and_one_more(armour, mounted, move):
    """TF-4.2."""
    sheet = DOCUMENTS.value_of({"units": [PIKE], "characters": [{**HERO, "armour": armour, "mounted": mounted}]})
    figures = character_figures(sheet.characters[0], LAW)
    assert (figures.move, figures.calm) == move


def test_t_66_the_commander_comes_first_then_characters_as_in_the_document():
    sheet = DOCUMENTS.value_of({"units": [PIKE], "characters": [CASTER, HERO]})
    spec = contingent_of("a", "A", 1, sheet, commander=("x", "Ann", ContingentCommander()), kingdom="k")
    assert [(one.name, one.key, one.commander) for one in spec.characters] == [
        ("Ann", "x", True), ("Ivo", "Ivo", False), ("Ash", "Ash", False),
    ]  # fmt: skip
    assert (spec.commander, spec.side, spec.kingdom, spec.stands) == (spec.characters[0], 1, "k", 4)
    assert contingent_of("a", "A", 1, sheet).commander is None


def test_units_without_a_name_are_called_by_their_type_and_numbered():
    sheet = DOCUMENTS.value_of({"units": [PIKE, {**PIKE, "name": "Hedgehogs"}, PIKE]})
    assert [str(unit.name) for unit in contingent_of("a", "A", 0, sheet).units] == ["Pikes 1", "Hedgehogs", "Pikes 2"]


def test_t_22_the_own_type_is_always_among_the_likes():
    plain = unit_figures(ContingentUnit("warg-riders"), LAW)
    assert plain.likes() == {"warg-riders"}
    sheet = DOCUMENTS.value_of({
        "units": [{"type": "warg-riders", "traits": [{"trait": "hindrance", "likes": ["tigers", "mammoth"]}]}]
    })  # fmt: skip
    assert unit_figures(sheet.units[0], LAW).likes() == {"warg-riders", "tigers", "mammoth"}


# T-35: cards


def test_t_35_a_caster_has_six_points_unless_the_document_says_otherwise():
    sheet = DOCUMENTS.value_of({
        "units": [PIKE],
        "characters": [CASTER, {**CASTER, "name": "Una", "points": 9}, HERO, {**HERO, "name": "Kit", "points": 2}],
    })  # fmt: skip
    assert [character_figures(one, LAW).points for one in sheet.characters] == [6, 9, 0, 2]
    assert [character_figures(one, LAW, usual=4).points for one in sheet.characters] == [4, 9, 0, 2]


@pytest.mark.parametrize(
    ("cards", "points", "fits"),
    [(["fire-storm", "fear"], None, True), (["fire-storm", "terror"], None, False), (["fire-storm", "terror"], 7, True),
     (["fear"] * 6, None, True), (["fear"] * 7, None, False), (["terror"], 1, False)],
)  # fmt: skip
def test_t_35_cards_cost_no_more_than_the_points(cards, points, fits):
    """A card may be chosen several times; what isn't spent is lost."""
    document = {"units": [PIKE], "characters": [{**CASTER, "cards": cards, **({"points": points} if points else {})}]}
    if fits:
        assert DOCUMENTS.read(document)["characters"][0]["cards"] == cards
    else:
        assert refused(document) == ["/characters/0/cards"]


def test_t_35_a_campaign_that_changes_its_number_loses_no_document():
    document = DOCUMENTS.read({"units": [PIKE], "characters": [{**CASTER, "cards": ["fire-storm", "fear"]}]})
    mean = THUCIDIDE_FANTASY.with_house({"supply_points": 3}).armies
    assert refused(document, mean.read) == ["/characters/0/cards"]
    assert mean.measure(document).health == 4
    generous = THUCIDIDE_FANTASY.with_house({"supply_points": 7}).armies
    generous.read({"units": [PIKE], "characters": [{**CASTER, "cards": ["fire-storm", "terror"]}]})


# C-4, C-5, C-8


def test_c_4_health_is_the_stands_and_those_present():
    measure = DOCUMENTS.measure(DOCUMENTS.read({"units": [PIKE, {**PIKE, "lost": 3}, {"type": "dragon", "lost": 1}]}))
    assert (measure.health, measure.fit) == (13, 9)


def test_c_4_seen_from_afar_are_the_kinds_and_the_number_to_one_figure():
    seen = DOCUMENTS.from_afar({"units": [PIKE] * 5 + [{"type": "bows"}, {"type": "dragon", "lost": 1}]})
    assert [str(kind) for kind in seen.kind.params["kinds"]] == ["Infantry", "Elephants"]
    assert seen.size.params["count"] == 20  # of 28


@pytest.mark.parametrize(
    ("types", "points", "upkeep"),
    [(["recruits"], 2, 1), (["pike", "guard"], 13, 4), (["dragon"], 18, 5), (["bows"], 4, 1)],
)
def test_c_5_upkeep_is_a_quarter_of_the_points_rounded_up_at_least_1(types, points, upkeep):
    document = DOCUMENTS.read({"units": [{"type": slug} for slug in types]})
    assert points_of(DOCUMENTS.value_of(document), LAW) == points
    assert DOCUMENTS.measure(document).upkeep == upkeep
    free = ContingentDocuments(LAW, House(upkeep=False))
    assert (free.measure(document).upkeep, free.upkeep) == (0, None)


@pytest.mark.parametrize(
    ("unit", "points"),
    [(PIKE, 6), ({**PIKE, "experience": "elite"}, 7), ({**PIKE, "experience": "guard"}, 8),
     ({**PIKE, "experience": "recruits"}, 6), ({"type": "tigers", "experience": "elite"}, 3),
     ({"type": "tigers", "experience": "guard"}, 4), ({"type": "recruits", "experience": "elite"}, 3)],
)  # fmt: skip
def test_c_8_a_unit_costs_its_type_s_points_and_those_of_more_experience(unit, points):
    """TF-8: elite +1, guard +2."""
    assert unit_points(DOCUMENTS.value_of({"units": [unit]}).units[0], LAW) == points


@pytest.mark.parametrize(
    ("character", "points"),
    [(HERO, 3), (CASTER, 6), ({**CASTER, "points": 4}, 4), ({"name": "Bo", "kind": "useful"}, 0),
     ({**HERO, "points": 2}, 5)],
)  # fmt: skip
def test_c_8_a_hero_costs_3_and_a_caster_their_points_of_spells(character, points):
    assert character_points(DOCUMENTS.value_of({"units": [PIKE], "characters": [character]}).characters[0]) == points


def test_c_8_a_campaign_that_edits_a_table_moves_prices_with_it():
    dear = THUCIDIDE_FANTASY.with_house({
        "overlay": {"troops": {"pike": {"points": 9}}, "experiences": {"elite": {"points": 3}}}
    })  # fmt: skip
    document = {"units": [PIKE, {**PIKE, "experience": "elite"}]}
    assert points_of(dear.armies.value_of(document), dear.tables) == 9 + 12


@pytest.mark.parametrize(("host", "points", "upkeep"), [("realm", 42, 12), ("dark-host", 39, 12)])
def test_sample_hosts_are_documents_with_the_points_of_the_law(host, points, upkeep):
    """TF-8: the Realm's units 42, the Dark host's 39, and six points of cards each."""
    sample = SAMPLE_HOSTS[host]
    document = DOCUMENTS.read(DOCUMENTS.shape.write(sample.sheet))
    sheet = DOCUMENTS.value_of(document)
    assert units_points(sheet, LAW) == points
    assert points_of(sheet, LAW) == points + 6
    assert DOCUMENTS.measure(document).upkeep == upkeep
    assert len(sheet.units) == 9
    assert sum(SPELLS[slug].cost for slug in sheet.characters[0].cards) == 6
    assert contingent_of("a", "A", 0, sheet, commander=("x", "Ann", sample.commander)).characters[1].figures.casts


def test_a_sample_s_caster_is_called_as_the_reader_speaks():
    sheet = SAMPLE_HOSTS["dark-host"].called(lambda name: f"«{name}»")
    assert [one.name for one in sheet.characters] == ["«Necromancer»"]
    assert sheet.characters[0].cards == SAMPLE_HOSTS["dark-host"].sheet.characters[0].cards


def test_c_1_an_army_is_one_contingent_led_by_its_commander():
    sample = SAMPLE_HOSTS["realm"]
    spec = contingent_of("a", "The Realm", 0, sample.sheet, commander=("x", "Ann", sample.commander))
    assert (spec.id, spec.name, spec.side, len(spec.units)) == ("a", "The Realm", 0, 9)
    assert spec.commander is not None
    assert spec.commander.figures.rank == "general"


def test_documents_are_told_in_words():
    told = [str(said) for said in DOCUMENTS.in_words(DOCUMENTS.read({"units": [PIKE], "characters": [HERO]}))]
    assert "Pikes" in told[0]
    assert told[1].startswith("Ash")
    lost = DOCUMENTS.in_words(DOCUMENTS.read({"units": [{"type": "foot-heavy"}, {"type": "ogres", "lost": 2}]}))
    assert str(lost[0]) == "Heavy foot", "a unit without a name has its type’s"
    assert str(lost[1]).startswith("Ogres (")
    assert DOCUMENTS.in_words({"rank": "sub-general"})
    assert DOCUMENTS.in_words({}) == ()
    assert DOCUMENTS.in_words({"units": [{"type": "elves"}]}) == ()


# Any document


def _traits(slugs):
    plain = st.sampled_from([slug for slug in slugs if slug not in TEMPERS])
    objects = st.builds(lambda slug, name: {"trait": slug, "object": name}, plain, st.just("A ring"))
    likes = st.just({"trait": "hindrance", "likes": ["tigers"]})
    return st.lists(
        plain | objects | likes, max_size=3, unique_by=lambda one: one if isinstance(one, str) else one["trait"]
    )


OF_ALL = [slug for slug, trait in TRAITS.items() if not trait.of_units]
NAMES = st.sampled_from(["Ash", "Ivo", "Una", "Bo", "Kit"])


@st.composite
def units(draw, names):
    slug = draw(st.sampled_from(list(TROOPS)))
    unit = draw(st.fixed_dictionaries({"type": st.just(slug)}, optional={
        "name": NAMES, "experience": st.sampled_from(list(EXPERIENCES)), "stands": st.integers(3, 10),
        "lost": st.integers(0, 2), "weapon": st.sampled_from(list(WEAPONS)), "traits": _traits(TRAITS),
    }))  # fmt: skip
    if TROOPS[slug].has("undead") and draw(st.booleans()):
        unit["master"] = draw(st.sampled_from([*names, "commander"]))
    return unit


@st.composite
def characters(draw, name):
    kind = draw(st.sampled_from(["hero", "caster", "useful"]))
    optional = {"traits": _traits(OF_ALL)}
    if kind != "useful":
        optional |= {"cards": st.lists(st.sampled_from(list(SPELLS)), max_size=1), "points": st.integers(6, 20)}
    if kind == "hero":
        optional |= {"armour": st.sampled_from(list(WEIGHTS)), "mounted": st.booleans(), "melee": st.integers(1, 3),
                     "resistance": st.integers(1, 8)}  # fmt: skip
    return draw(st.fixed_dictionaries({"name": st.just(name), "kind": st.just(kind)}, optional=optional))


@st.composite
def armies(draw):
    names = draw(st.lists(NAMES, unique=True, max_size=4))
    own = [draw(characters(name)) for name in names]
    return {"units": draw(st.lists(units(names), min_size=1, max_size=4)), "characters": own}


@given(armies())
def test_c_3_what_is_written_reads_back_as_the_same_army(document):
    sheet = DOCUMENTS.value_of(document)
    written = DOCUMENTS.shape.write(sheet)
    assert DOCUMENTS.value_of(json.loads(json.dumps(written))) == sheet
    assert DOCUMENTS.read(written) == written
    measure = DOCUMENTS.measure(written)
    assert 0 < (measure.fit or 0) <= measure.health
    spec = contingent_of("a", "A", 0, sheet, commander=("x", "Ann", ContingentCommander()))
    assert spec.stands == measure.fit
    assert DOCUMENTS.in_words(written)


@given(st.fixed_dictionaries({}, optional={
    "rank": st.sampled_from([*RANKS, None]), "level": st.sampled_from(list(LEVELS)), "traits": _traits(OF_ALL),
    "cards": st.lists(st.sampled_from(list(SPELLS)), max_size=1), "points": st.integers(6, 20),
}))  # fmt: skip
def test_c_3_what_is_written_reads_back_as_the_same_commander(document):
    commander = DOCUMENTS.commander_of(document)
    written = DOCUMENTS.read_commander(document)
    assert DOCUMENTS.commander_of(json.loads(json.dumps(written))) == commander
    assert (commander.rank == "hero") == ("rank" in document and document["rank"] is None)


def test_an_army_s_sheet_stays_as_it_was_read():
    assert ContingentSheet((ContingentUnit("pike"),)) == DOCUMENTS.value_of({"units": [PIKE]})
