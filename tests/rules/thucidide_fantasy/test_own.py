"""Weapons, troops and spells of a campaign's own: read, refused, used."""

from __future__ import annotations

import pytest

from rules.core.content import SourceMark
from rules.core.errors import InvalidInput
from rules.thucidide_fantasy.battle.combat.retreat import flags_of
from rules.thucidide_fantasy.battle.record import commands as c
from rules.thucidide_fantasy.contingent import ContingentCharacter
from rules.thucidide_fantasy.figures import contingent_of, points_of, unit_figures
from rules.thucidide_fantasy.house import HOUSE_RULES, options_of
from rules.thucidide_fantasy.own import bearing, clean_own, named_by, unknown_to
from rules.thucidide_fantasy.ruleset import THUCIDIDE_FANTASY
from tests.rules.thucidide_fantasy.fights import Table, army

BLUNDERBUSS = {"name": "Blunderbuss", "shot": 3, "range": 2}
FANGS = {"name": "Poisoned fangs", "assault": 4, "melee": 3, "natural": True, "summary": "They bite twice."}
SERPENTS = {
    "name": "Great serpents", "kind": "cavalry", "weight": "light", "weapon": "fangs", "missile": "blunderbuss",
    "points": 7, "stands": 3, "experience": "elite", "traits": ["animals", {"trait": "hindrance", "likes": ["wolves"]}],
}  # fmt: skip
WOLVES = {
    "name": "Wolves",
    "kind": "cavalry",
    "weight": "very-light",
    "weapon": "bite",
    "points": 2,
    "traits": ["fanatic"],
}
FROST = {"name": "Frost", "cost": 2, "on": "enemy", "effect": "dice", "dice": -2, "lasts": "two"}
VOLLEY = {"name": "Rain of lead", "cost": 4, "on": "enemy", "effect": "shot", "weapon": "blunderbuss", "times": 2}
OWN = {
    "weapons": {"blunderbuss": BLUNDERBUSS, "fangs": FANGS},
    "troops": {"serpents": SERPENTS, "wolves": WOLVES},
    "spells": {"frost": FROST, "rain-of-lead": VOLLEY},
}


def housed(own=OWN, **stored):
    return THUCIDIDE_FANTASY.with_house({"own": clean_own(own), **stored})


def refused(kind, thing):
    with pytest.raises(InvalidInput) as refusal:
        clean_own({**OWN, kind: {**OWN[kind], "thing": thing}})
    return [at.removeprefix(f"/{kind}/thing") for at, _said in refusal.value.errors]


def test_what_is_kept_is_the_shortest_that_reads_back():
    kept = clean_own(OWN)
    assert clean_own(kept) == kept
    assert kept["weapons"]["blunderbuss"] == BLUNDERBUSS
    assert kept["troops"]["serpents"] == SERPENTS
    assert kept["troops"]["wolves"] == {**WOLVES, "stands": 4}
    assert kept["spells"]["frost"] == {**FROST, "range": 3}
    assert clean_own({"weapons": {}}) == {}
    assert HOUSE_RULES.own is clean_own


@pytest.mark.parametrize(
    ("kind", "thing", "pointers"),
    [
        ("weapons", {"name": "Air"}, [""]),
        ("weapons", {"name": "Both", "assault": 2, "melee": 2, "shot": 2, "range": 2}, [""]),
        ("weapons", {"name": "Half", "assault": 2}, ["/melee"]),
        ("weapons", {"name": "Near", "shot": 2}, ["/range"]),
        ("weapons", {"name": "Torch", "assault": 2, "melee": 2, "fire": True}, ["/fire"]),
        ("weapons", {"name": "Big", "shot": 9, "range": 2}, ["/shot"]),
        ("weapons", {"shot": 2, "range": 2}, ["/name"]),
        ("troops", {**WOLVES, "kind": "ships"}, ["/kind"]),
        ("troops", {**WOLVES, "kind": "chariots"}, ["/weight"]),
        ("troops", {**WOLVES, "weapon": "bow"}, ["/weapon"]),
        ("troops", {**WOLVES, "weapon": "halberd"}, ["/weapon"]),
        ("troops", {**WOLVES, "missile": "spear"}, ["/missile"]),
        ("troops", {**WOLVES, "traits": ["fanatic", "hesitant"]}, ["/traits/1"]),
        ("troops", {**WOLVES, "traits": [{"trait": "hindrance", "likes": ["cats"]}]}, ["/traits/0/likes/0"]),
        ("troops", {**WOLVES, "points": 0}, ["/points"]),
        ("spells", {**FROST, "effect": "trait"}, ["/trait"]),
        ("spells", {**FROST, "effect": "trait", "trait": "flyer"}, ["/trait"]),
        ("spells", {**FROST, "dice": 0}, ["/dice"]),
        ("spells", {**FROST, "lasts": "now"}, ["/lasts"]),
        ("spells", {**VOLLEY, "lasts": "next"}, ["/lasts"]),
        ("spells", {**VOLLEY, "weapon": "spear"}, ["/weapon"]),
        ("spells", {**VOLLEY, "weapon": ""}, ["/weapon"]),
        ("spells", {**FROST, "on": "enemy-or-hex"}, ["/on"]),
        ("spells", {**FROST, "effect": "healing", "lasts": "now"}, ["/dice"]),
        ("spells", {**FROST, "effect": "wish"}, ["/effect"]),
    ],
)
def test_what_cannot_be_is_refused_with_its_place(kind, thing, pointers):
    assert refused(kind, thing) == pointers


@pytest.mark.parametrize(
    ("own", "pointer"),
    [
        ([], ""),
        ({"traits": {}}, "/traits"),
        ({"weapons": []}, "/weapons"),
        ({"weapons": {"Big Gun": BLUNDERBUSS}}, "/weapons"),
        ({"weapons": {"pike": BLUNDERBUSS}}, "/weapons"),
        ({"troops": {"dragon": WOLVES}}, "/troops"),
        ({"spells": {"fear": FROST}}, "/spells"),
        ({"weapons": {f"w-{n}": BLUNDERBUSS for n in range(61)}}, "/weapons"),
    ],
)
def test_slugs_are_theirs_alone(own, pointer):
    with pytest.raises(InvalidInput) as refusal:
        clean_own(own)
    assert refusal.value.field == pointer


def test_t_47_no_spell_of_a_campaign_gives_flight():
    with pytest.raises(InvalidInput, match="Spells can’t give this trait"):
        clean_own({"spells": {"wings": {**FROST, "effect": "trait", "trait": "flyer"}}})


def test_an_army_may_have_them_and_its_units_fight_with_them():
    law = housed()
    document = law.armies.read({
        "units": [{"type": "serpents"}, {"type": "wolves", "weapon": "fangs"}],
        "characters": [{"name": "Ivo", "kind": "caster", "cards": ["frost", "rain-of-lead"]}],
    })  # fmt: skip
    sheet = law.armies.value_of(document)
    assert points_of(sheet, law.tables) == 7 + 2 + 6
    serpents, wolves = (unit.figures for unit in contingent_of("a", "A", 0, sheet, tables=law.tables).units)
    assert (serpents.kind, serpents.weight, serpents.stands, serpents.dice) == ("cavalry", 2, 3, 1)
    assert (serpents.assault, serpents.melee, serpents.shot, serpents.range) == (4, 3, 3, 2)
    assert serpents.has("animals")
    assert serpents.likes() == {"serpents", "wolves"}
    assert (wolves.assault, wolves.temper, wolves.move) == (4, "fanatic", 4)
    told = options_of(law.house, law.tables).spells
    assert (told["frost"].dice, told["frost"].lasts, told["frost"].called) == (-2, "two", "Frost")
    assert (told["rain-of-lead"].shot, told["rain-of-lead"].times, told["fear"].called) == (3, 2, "")


def test_cards_of_a_campaign_s_own_count_by_their_cost():
    with pytest.raises(InvalidInput) as refusal:
        housed().armies.read({
            "units": [{"type": "pike"}],
            "characters": [{"name": "Ivo", "kind": "caster", "cards": ["rain-of-lead"] * 2}],
        })  # fmt: skip
    assert refusal.value.field == "/characters/0/cards"


def test_the_codex_has_them_without_a_mark():
    catalogues = housed().catalogues
    for kind, slug in (("troops", "serpents"), ("weapons", "fangs"), ("spells", "rain-of-lead")):
        item = catalogues[kind].items[slug]
        assert item.mark == SourceMark.NONE
        assert all(str(said) for said in catalogues[kind].facts(item))
    assert str(catalogues["weapons"].items["fangs"].summary) == "They bite twice."


def test_figures_set_of_the_law_s_weapons_reach_own_troops():
    law = housed(overlay={"weapons": {"bite": {"melee": 5}}})
    assert unit_figures(law.armies.value_of({"units": [{"type": "wolves"}]}).units[0], law.tables).melee == 5


def test_an_army_that_names_what_is_gone_is_found():
    document = {
        "units": [{"type": "pike", "weapon": "fangs", "traits": [{"trait": "hindrance", "likes": ["wolves"]}]}],
        "characters": [{"name": "Ivo", "kind": "caster", "cards": ["frost"]}],
    }
    assert [*named_by(document)] == [
        ("troops", "pike"),
        ("weapons", "fangs"),
        ("troops", "wolves"),
        ("spells", "frost"),
    ]
    assert unknown_to(housed().tables, document) is None
    assert unknown_to(THUCIDIDE_FANTASY.tables, document) == ("weapons", "fangs")
    with pytest.raises(InvalidInput):
        THUCIDIDE_FANTASY.armies.measure(document)


@pytest.mark.parametrize(
    ("temper", "flags", "opens"), [("tenacious", (1, 1), True), ("hesitant", (2, 0), True), ("fleeing", (3, 0), False)]
)
def test_tf_1_12_a_spell_of_a_campaign_may_give_a_temper(temper, flags, opens):
    nerve = {"name": "Nerve", "cost": 1, "on": "unit", "effect": "trait", "trait": temper, "lasts": "next"}
    law = housed({"spells": {"nerve": nerve}})
    mage = ContingentCharacter("Mage", "caster", points=6, cards=("nerve",))
    now = Table(army("a", 0, "pike:Own", people=(mage,)), army("b", 1, "pike:Foe"), phase="spells",
                options=options_of(law.house, law.tables), places={"Own": "E6", "Mage": "E8", "Foe": "E5"})  # fmt: skip
    assert flags_of(now.state, now.id("Own"), 1) == (1, 0)
    now.set("Mage", announced=True).cast("Mage", "nerve", "Own")
    assert flags_of(now.state, now.id("Own"), 1) == flags
    now.now(phase="combat")
    if opens:
        now.attack("Own", "Foe", attack="gggg")
    else:
        now.refused(c.OpenMelee(now.id("Own"), now.id("Foe")), "fleeing unit can’t start")


def test_a_weapon_in_use_is_known_by_whom():
    kept = clean_own(OWN)
    assert str(bearing(kept, "weapons", "fangs")) == "Type of troops: Great serpents"
    assert str(bearing({"spells": kept["spells"]}, "weapons", "blunderbuss")) == "Spell: Rain of lead"
    assert bearing(kept, "weapons", "bow") is None
