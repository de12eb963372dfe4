"""What a campaign has of its own beside the starter tables (BP-2, BP-9): read, refused, fought with."""

from __future__ import annotations

from typing import Any

import pytest

from rules.breaking_point.figures import contact_power, fire_power, unit_force
from rules.breaking_point.house import MOST, clean_own, unknown_to, with_own
from rules.breaking_point.ruleset import BREAKING_POINT
from rules.core.errors import InvalidInput

BLUNDERBUSS = {"name": "Blunderbuss", "damage": 9, "rate": "1/4", "range": "short", "firearm": True}
WALKER = {"name": "Walker", "toughness": 120, "armour": 30, "mobility": 2, "attack": 1,
          "weapons": [{"slug": "blunderbuss", "number": 2}, "sword"]}  # fmt: skip
GRYPHONS = {"name": "Gryphon riders", "toughness": 30, "charge": 4, "mounted": True, "flies": True}
BARK = {"name": "Bark", "full": 3}
OWN: dict[str, Any] = {
    "weapons": {"blunderbuss": BLUNDERBUSS},
    "armours": {"bark": BARK},
    "machines": {"walker": WALKER},
    "unit_types": {"gryphons": GRYPHONS},
}


def law(**more: Any) -> Any:
    return BREAKING_POINT.with_house({"own": clean_own(OWN), **more})


def unit(**more: Any) -> dict[str, Any]:
    return {"name": "They", "type": "infantry", "strength": 10, "combat": 5, "group": "contact", **more}


def read(found: Any, **more: Any) -> Any:
    return found.armies.units_of(found.armies.read({"units": [unit(**more)]}))[0]


def wrong(given: Any) -> list[str]:
    with pytest.raises(InvalidInput) as refused:
        clean_own(given)
    return [pointer for pointer, _message in refused.value.errors]


def test_units_bear_the_campaigns_own_weapons_and_types():
    """10 × damage 9 × rate 1/4, short range halved: 11.25; toughness 30 and × 4 at the charge."""
    shot = read(law(), group="shooting", weapons=["blunderbuss"])
    assert fire_power(shot) == 10 * 9 / 4 / 2
    riders = read(law(), type="gryphons", weapons=["lance"])
    assert (contact_power(riders), unit_force(riders)) == (10 * 5 * 4, 300)
    assert riders.type.mounted


def test_a_machine_of_the_campaign_bears_its_own_weapons_with_todays_figures():
    walkers = read(law(), type="machines", group="shooting", machine="walker")
    assert [(arm.slug, arm.number) for arm in walkers.weapons] == [("blunderbuss", 2), ("sword", 1)]
    assert (walkers.toughness, walkers.armour, walkers.machine.attack, walkers.machine.control) == (120, 30, 1, None)
    sharper = law(overlay={"weapons": {"sword": {"damage": 7}}})
    assert read(sharper, type="machines", group="shooting", machine="walker").weapons[1].damage == 7


def test_armour_of_the_campaign_is_worn_by_half_unless_it_says_otherwise():
    """B-12."""
    armours = clean_own({"armours": {"bark": BARK, "hide": {"name": "Hide", "full": 1},
                                     "shell": {"name": "Shell", "full": 9, "worn": 9}}})["armours"]  # fmt: skip
    assert {slug: armour["worn"] for slug, armour in armours.items()} == {"bark": 1, "hide": 1, "shell": 9}
    assert law().tables.armours["bark"].name == "Bark"


def test_the_codex_lists_what_is_the_campaigns_own():
    kinds = law().catalogues
    for kind, slug in (("weapons", "blunderbuss"), ("armours", "bark"), ("machines", "walker"),
                       ("unit_types", "gryphons")):  # fmt: skip
        assert kinds[kind].items[slug].name == OWN[kind][slug]["name"]
        assert slug not in BREAKING_POINT.catalogues[kind].items


def test_what_is_wrong_is_pointed_at_all_at_once():
    assert wrong({"weapons": {"gun": {"name": "", "damage": 0}}, "unit_types": {"fay": {"name": "Fay"}}}) == [
        "/weapons/gun/name", "/weapons/gun/damage", "/unit_types/fay/toughness",
    ]  # fmt: skip
    for given, pointer in (
        ({"weapons": {"gun": "loud"}}, "/weapons/gun"),
        ({"weapons": {"gun": {**BLUNDERBUSS, "number": 2}}}, "/weapons/gun/number"),
        ({"weapons": {"gun": {**BLUNDERBUSS, "damage": 10**9}}}, "/weapons/gun/damage"),
        ({"weapons": {"Gun!": BLUNDERBUSS}}, "/weapons"),
        ({"weapons": {"own": BLUNDERBUSS}}, "/weapons"),
        ({"weapons": "gun"}, "/weapons"),
        ({"ships": {}}, "/ships"),
        ("guns", ""),
        ({"machines": {"walker": WALKER}}, "/machines/walker/weapons/0/slug"),
        ({"machines": {"walker": {**WALKER, "weapons": "claws"}}}, "/machines/walker/weapons"),
        ({"machines": {"walker": {**WALKER, "weapons": [{"name": "x", "damage": 3}]}}}, "/machines/walker/weapons/0"),
        ({"weapons": {f"gun-{n}": BLUNDERBUSS for n in range(MOST + 1)}}, "/weapons"),
    ):
        assert wrong(given)[0] == pointer, given


def test_the_laws_own_slugs_are_not_taken():
    for kind, slug in (("weapons", "sword"), ("machines", "tiger"), ("unit_types", "machines"), ("armours", "mail")):
        assert wrong({kind: {slug: OWN[kind][next(iter(OWN[kind]))]}}) == [f"/{kind}"]


def test_chariots_and_beasts_are_ridden():
    kept = clean_own({"unit_types": {"wagons": {"name": "War wagons", "toughness": 20, "chariots": True}}})
    assert kept["unit_types"]["wagons"]["mounted"]


def test_cleaning_twice_changes_nothing():
    once = clean_own(OWN)
    assert clean_own(once) == once


def test_what_a_document_names_and_nobody_has_is_found():
    tables = with_own(BREAKING_POINT.tables, clean_own(OWN))
    armed = unit(weapons=["sword", {"slug": "blunderbuss", "number": 2}])
    assert unknown_to(tables, armed) is None
    assert unknown_to(BREAKING_POINT.tables, armed) == ("weapons", "blunderbuss")
    assert unknown_to(BREAKING_POINT.tables, unit(type="gryphons")) == ("unit_types", "gryphons")
    assert unknown_to(BREAKING_POINT.tables, unit(type="machines", machine="walker")) == ("machines", "walker")
    assert unknown_to(BREAKING_POINT.tables, unit(machine={"toughness": 3, "armour": 1})) is None
