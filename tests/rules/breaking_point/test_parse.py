"""Documents of armies and commanders: read, kept, read back; what is wrong is refused with a pointer (BP-2, BP-9)."""

import json
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.breaking_point.arms import Tables
from rules.breaking_point.documents import (
    COMMANDER_FIGURES,
    HostDocuments,
    clean_army,
    general_from,
    read_commander,
    unit_to_json,
    units_of,
)
from rules.breaking_point.figures import body_figures, fire_power
from rules.breaking_point.spec import General, House
from rules.breaking_point.starter import MACHINES_BY_SLUG, STARTERS
from rules.core.errors import InvalidInput
from tests.everyday import at_most

LEGION = {
    "name": "First cohort", "type": "infantry", "strength": 480, "combat": 6, "armour": 4, "group": "contact",
    "shield": True, "weapons": ["gladius", "pilum"],
}  # fmt: skip
BATTERY = {
    "name": "Battery of eights", "type": "artillery", "strength": 24, "combat": 6, "armour": 1, "group": "shooting",
    "pieces": 6, "weapons": ["8-pounder"],
}  # fmt: skip
TIGERS = {
    "name": "Tigers", "type": "machines", "strength": 12, "combat": 8, "group": "shooting",
    "machine": {"name": "Tiger II", "toughness": 350, "armour": 150, "mobility": 2, "control": -2, "defense": -5},
    "weapons": ["tank-gun", {"slug": "mg-42", "secondary": True},
                {"name": "Blunderbuss", "damage": 9, "rate": "1/4", "range": "short", "firearm": True}],
}  # fmt: skip


def unit(**changes):
    return {name: value for name, value in {**LEGION, **changes}.items() if value is not None}


def refusals(*units):
    with pytest.raises(InvalidInput) as refused:
        clean_army({"units": list(units)})
    return {pointer: str(message) for pointer, message in refused.value.errors}


class TestReading:
    def test_an_army_is_kept_as_it_was_given(self):
        document = {"units": [LEGION, BATTERY, TIGERS]}
        assert clean_army(document) == document
        assert json.loads(json.dumps(clean_army(document))) == document

    def test_what_is_kept_reads_again(self):
        kept = clean_army({"units": [LEGION, BATTERY, TIGERS], "version": 1})
        assert clean_army(kept) == kept

    def test_its_units_are_the_laws(self):
        legion, battery, tigers = units_of({"units": [LEGION, BATTERY, TIGERS]})
        assert body_figures([legion])[:4] == (480, 1920, 0, 480 * 9)
        assert fire_power(battery) == 120
        assert (tigers.toughness, tigers.armour, tigers.machine.control, tigers.machine.attack) == (350, 150, -2, None)
        assert tigers.weapons[2].rate == Fraction(1, 4)

    def test_what_is_left_out_follows_from_the_type(self):
        archers = {"name": "Bows", "type": "archers", "strength": 50, "combat": 5, "weapons": ["longbow"]}
        (found,) = units_of({"units": [archers]})
        assert (found.group, found.armour, found.toughness) == ("shooting", 0, 5)

    def test_a_machine_of_the_table_brings_its_figures_and_its_weapons(self):
        crew = {"name": "Hellcats", "strength": 9, "combat": 7, "machine": "hellcat"}
        (found,) = units_of({"units": [crew]})
        assert (found.group, found.armour, found.toughness) == ("shooting", 5, 60)
        assert found.weapons == MACHINES_BY_SLUG["hellcat"].weapons
        without_bombs = {**crew, "weapons": [{"slug": "heavy-machine-gun", "number": 6}]}
        assert fire_power(units_of({"units": [without_bombs]})[0]) == 9 * 288

    def test_a_machine_without_mobility_or_name_has_usual_ones(self):
        crew = {"name": "Walkers", "strength": 2, "combat": 4, "machine": {"toughness": 50, "armour": 10}}
        (found,) = units_of({"units": [crew]})
        assert (found.machine.mobility, found.machine.name) == (3, "Walkers")

    def test_several_munitions_count_by_their_mean_b_67(self):
        gun = {"name": "88", "rate": 1, "range": "long", "munitions": [100, 201]}
        assert clean_army({"units": [{**TIGERS, "weapons": [gun]}]})["units"][0]["weapons"][0]["damage"] == 150
        (found,) = units_of({"units": [{**TIGERS, "strength": 2, "weapons": [gun]}]})
        assert fire_power(found) == 301

    def test_undead_neither_break_nor_starve_and_others_may_be_said_not_to(self):
        dead, robots = units_of({"units": [
            unit(type="zombies", weapons=["claws"]), unit(never=True, starves=False, toughness=15),
        ]})  # fmt: skip
        assert (dead.never, dead.starves) == (True, False)
        assert (robots.never, robots.starves, robots.toughness) == (True, False, 15)

    @pytest.mark.parametrize("rate", [2, 0.25, "1/4", "0.5", " 3 "])
    def test_a_rate_is_a_number_or_a_fraction(self, rate):
        bow = {"name": "bow", "damage": 3, "rate": rate, "range": "long"}
        kept = clean_army({"units": [unit(group="shooting", weapons=[bow])]})["units"][0]["weapons"][0]
        assert Fraction(kept["rate"]) == Fraction(str(rate).strip())

    def test_a_unit_whose_men_are_all_wounded_is_one_still(self):
        assert clean_army({"units": [unit(strength=0, wounded=12)]})["units"][0]["strength"] == 0


class TestRefusals:
    @pytest.mark.parametrize("document", [None, [], "units", {}, {"units": []}, {"units": None}, {"units": "all"}])
    def test_no_unit(self, document):
        with pytest.raises(InvalidInput) as refused:
            clean_army(document)
        assert refused.value.field in ("", "/units")

    def test_too_many_units(self):
        assert list(refusals(*[LEGION] * 61)) == ["/units"]

    @pytest.mark.parametrize("strength", [0, -1, 10**9, 1.5, "12", True, None])
    def test_strength_out_of_range(self, strength):
        assert refusals({**LEGION, "strength": strength}) == {
            "/units/0/strength": "Enter a whole number from 1 to 1000000."
        }

    @pytest.mark.parametrize(
        "member, value",
        [("combat", 31), ("combat", None), ("combat", "x"), ("armour", -1), ("armour", 10**6), ("toughness", 0),
         ("mobility", 21), ("breaking", 9), ("breaking", 10**6), ("pieces", -1), ("extra", -1), ("wounded", 10**9),
         ("experience", -5), ("group", "reserve"), ("group", 3), ("type", "marines"), ("type", None), ("type", ["a"]),
         ("name", ""), ("name", 7), ("name", "x" * 121), ("never", "yes"), ("reserve", 1), ("starves", 0)],
    )  # fmt: skip
    def test_a_member_out_of_its_bounds(self, member, value):
        assert list(refusals({**LEGION, member: value})) == [f"/units/0/{member}"]

    def test_an_unknown_weapon(self):
        assert refusals(unit(weapons=["sword", "vorpal"])) == {"/units/0/weapons/1": "Weapon “vorpal” not found."}
        assert list(refusals(unit(weapons=[{"slug": "vorpal"}]))) == ["/units/0/weapons/0/slug"]

    def test_an_unknown_machine(self):
        assert refusals({"name": "x", "strength": 1, "combat": 1, "machine": "ogre"}) == {
            "/units/0/machine": "Machine “ogre” not found."
        }

    def test_an_unknown_member(self):
        assert list(refusals(unit(morale=3))) == ["/units/0/morale"]
        assert list(refusals(unit(weapons=[{"slug": "sword", "damage": 9}]))) == ["/units/0/weapons/0/damage"]
        with pytest.raises(InvalidInput) as refused:
            clean_army({"units": [LEGION], "motto": "SPQR"})
        assert refused.value.field == "/motto"

    def test_a_pointer_escapes_what_a_member_is_called(self):
        assert list(refusals(unit(**{"a/b~c": 1}))) == ["/units/0/a~1b~0c"]

    def test_every_problem_is_named_at_once(self):
        assert list(refusals(unit(strength=0), "x", unit(combat=99, weapons=["vorpal"]))) == [
            "/units/0/strength", "/units/1", "/units/1/name", "/units/1/type", "/units/1/strength", "/units/1/combat",
            "/units/2/combat", "/units/2/weapons/0",
        ]  # fmt: skip

    def test_a_shooting_group_without_a_shot_b_5(self):
        assert list(refusals(unit(group="shooting"))) == ["/units/0/group"]
        assert list(refusals(unit(group="shooting", weapons=["javelin"]))) == ["/units/0/group"]

    def test_artillery_always_shoots_b_5(self):
        assert list(refusals({**BATTERY, "group": "contact"})) == ["/units/0/group"]

    def test_machines_shoot_b_65(self):
        assert list(refusals({**TIGERS, "group": "contact"})) == ["/units/0/group"]

    def test_a_machine_with_a_horse(self):
        assert list(refusals({**TIGERS, "type": "cavalry"})) == ["/units/0/machine"]

    def test_crews_without_a_machine(self):
        assert list(refusals(unit(type="machines"))) == ["/units/0/machine"]

    def test_pieces_without_a_gun_or_on_a_machine(self):
        assert list(refusals(unit(pieces=3))) == ["/units/0/pieces"]
        assert list(refusals({**TIGERS, "pieces": 3})) == ["/units/0/pieces"]

    def test_who_never_breaks_has_no_breaking_point_b_11(self):
        assert list(refusals(unit(never=True, breaking=120))) == ["/units/0/breaking"]

    @pytest.mark.parametrize("extra, weapons", [(1, ["sword"]), (7, ["sword", "musket"]), (1, [])])
    def test_more_than_half_of_a_secondary_weapon_b_9(self, extra, weapons):
        assert list(refusals(unit(extra=extra, weapons=weapons))) == ["/units/0/extra"]

    def test_half_of_a_secondary_weapon_b_9(self):
        assert clean_army({"units": [unit(extra=6, weapons=["sword", "musket"])]})["units"][0]["extra"] == 6

    @pytest.mark.parametrize(
        "weapon, pointer",
        [
            ({"name": "w"}, "/damage"),
            ({"damage": 3}, "/name"),
            ({"name": "w", "damage": 0}, "/damage"),
            ({"name": "w", "damage": 3, "rate": 1}, "/range"),
            ({"name": "w", "damage": 3, "rate": 0, "range": "long"}, "/rate"),
            ({"name": "w", "damage": 3, "rate": "a/b", "range": "long"}, "/rate"),
            ({"name": "w", "damage": 3, "rate": "1/0", "range": "long"}, "/rate"),
            ({"name": "w", "damage": 3, "rate": True, "range": "long"}, "/rate"),
            ({"name": "w", "damage": 3, "rate": 1, "range": "far"}, "/range"),
            ({"name": "w", "damage": 3, "range": "long"}, "/range"),
            ({"name": "w", "damage": 3, "bursts": True}, "/bursts"),
            ({"name": "w", "damage": 3, "area": 2}, "/area"),
            ({"name": "w", "damage": 3, "rate": 1, "range": "long", "thrown": True}, "/thrown"),
            ({"name": "w", "rate": 1, "range": "long", "munitions": []}, "/munitions"),
            ({"name": "w", "rate": 1, "range": "long", "munitions": [5, 0]}, "/munitions/1"),
            ({"name": "w", "damage": 3, "accuracy": 99}, "/accuracy"),
            (7, ""),
        ],
    )
    def test_a_weapon_of_their_own_that_is_none(self, weapon, pointer):
        assert f"/units/0/weapons/0{pointer}" in refusals(unit(weapons=[weapon]))

    @pytest.mark.parametrize("weapons", ["sword", {"slug": "sword"}, ["sword"] * 13])
    def test_weapons_are_a_list_of_a_dozen_at_most(self, weapons):
        assert list(refusals(unit(weapons=weapons))) == ["/units/0/weapons"]

    @pytest.mark.parametrize("member", ["toughness", "armour"])
    def test_a_machine_of_their_own_states_its_figures(self, member):
        machine = {name: value for name, value in TIGERS["machine"].items() if name != member}
        assert list(refusals({**TIGERS, "machine": machine})) == [f"/units/0/machine/{member}"]


def test_every_unit_of_the_table_is_written_and_read_back():
    for starter in STARTERS.values():
        made = starter.unit(60)
        assert units_of({"units": [unit_to_json(made)]}) == (made,)


def test_every_machine_of_the_table_is_written_and_read_back():
    for slug in MACHINES_BY_SLUG:
        (crew,) = units_of({"units": [{"name": "x", "strength": 3, "combat": 5, "machine": slug}]})
        document = unit_to_json(crew)
        assert document["machine"] == slug
        assert "weapons" not in document, slug
        assert units_of({"units": [document]}) == (crew,), slug


WEIRD = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**10), 10**10) | st.floats(allow_nan=True) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
MEMBERS = [
    "name", "type", "strength", "combat", "armour", "group", "weapons", "machine", "pieces", "extra", "breaking",
    "toughness", "reserve", "wounded", "starves",
]  # fmt: skip


@settings(max_examples=at_most(40, full=300), deadline=None)
@given(
    st.dictionaries(st.sampled_from(MEMBERS), WEIRD, min_size=1, max_size=4),
    st.sampled_from((LEGION, BATTERY, TIGERS)),
)
def test_whatever_is_sent_is_kept_and_reads_again_or_is_refused_with_a_pointer(changes, base):
    try:
        kept, problems = clean_army({"units": [{**base, **changes}]}), []
    except InvalidInput as refused:
        kept, problems = None, list(refused.errors)
    assert all(pointer.startswith("/units/0") and str(message) for pointer, message in problems)
    if kept is not None:
        assert clean_army(kept) == kept
        (found,) = units_of(kept)
        assert units_of({"units": [unit_to_json(found)]}) == (found,)


class TestMeasure:
    def test_heads_able_to_fight_and_what_they_cost_a_week_b_69(self):
        document = {"units": [LEGION, unit(strength=21, wounded=40)]}
        free, paid = HostDocuments(Tables(), House()), HostDocuments(Tables(), House(upkeep=3))
        measure = free.measure(free.read(document))
        assert (measure.fit, measure.health, measure.upkeep) == (501, 541, 0)
        assert paid.measure(paid.read(document)).upkeep == 18
        assert (free.upkeep, str(paid.upkeep)) == (None, "Upkeep")


class TestCommanders:
    """BP-3."""

    def test_what_is_missing_is_nobodys_in_particular(self):
        usual = {"presence": 5, "combat": 0, "art_of_war": 0, "diplomacy": 0}
        assert read_commander({"mental": 8}) == {"mental": 8, **usual}

    def test_a_general_of_what_is_kept(self):
        assert general_from("1", "Hannibal", {"mental": 8, "combat": 5, "art_of_war": 5, "version": 1}) == General(
            "1", "Hannibal", 8, 5, 5, 5, 0
        )

    @pytest.mark.parametrize("slug", COMMANDER_FIGURES)
    @pytest.mark.parametrize("value", [99, -99, "8", 1.5, True])
    def test_a_figure_out_of_range(self, slug, value):
        with pytest.raises(InvalidInput) as refused:
            read_commander({slug: value})
        assert refused.value.field == f"/{slug}"

    def test_an_unknown_figure(self):
        with pytest.raises(InvalidInput) as refused:
            read_commander({"luck": 3})
        assert refused.value.field == "/luck"


def test_a_name_is_of_one_line_with_single_spaces():
    """As a form has it: read and sent back, it is the same."""
    kept = clean_army({"units": [{**LEGION, "name": " First\n  cohort\t"}]})
    assert kept["units"][0]["name"] == "First cohort"
