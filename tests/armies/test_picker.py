"""The list of unit types in the form that raises an army: it searches, narrows, and wipes nothing that was typed."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from armies.pathfinder.models import PathfinderArmy
from armies.pathfinder.selectors.unit_types import UnitsSought, found, unit_types_of
from rules.pathfinder.units import UNITS

TYPED = {"name": "Night watch", "count": "321", "copies": "1", "unit_name": "Somebody", "cr": "7", "hit_die": "d8",
         "level": "4", "speed_m": "9", "creature_type": "humanoid", "alignment": "LG", "mounted": "on",
         "mount_name": "Old mule", "mount_creature_type": "animal", "ability-0": "rage"}  # fmt: skip


@pytest.fixture
def client(war) -> Client:
    client = Client()
    client.force_login(war.gm)
    return client


@pytest.fixture
def address(war) -> str:
    return f"/kingdoms/{war.crown.pk}/armies/new/"


def shown(answer: Any) -> dict[str, Any]:
    form = answer.context["form"]
    return {name: form[name].value() for name in ("name", "count", "unit_name", "cr", "mounted", "mount_name")}


def names(answer: Any) -> list[str]:
    return [entry.slug for entry in answer.context["picker"].page]


def test_searching_and_narrowing_keeps_everything_typed_without_javascript(client, address):
    answer = client.post(address, {**TYPED, "find": "1", "find-query": "troll", "find-type": "humanoid"})
    assert answer.status_code == 200
    assert names(answer) == ["trolls"]
    assert shown(answer) == {"name": "Night watch", "count": "321", "unit_name": "Somebody", "cr": "7", "mounted": True,
                             "mount_name": "Old mule"}  # fmt: skip
    assert [row.ability.slug for row in answer.context["form"].rows] == ["rage"]
    assert not PathfinderArmy.objects.filter(name="Night watch").exists()


def test_enter_in_the_search_searches_and_raises_nothing(client, address):
    answer = client.post(address, {**TYPED, "find-query": "ogre", "find-shown": ""})
    assert (answer.status_code, names(answer)) == (200, ["ogres"])
    assert not PathfinderArmy.objects.filter(name="Night watch").exists()


def test_a_unit_that_is_taken_stands_in_the_form_and_the_rest_stays(client, address):
    answer = client.post(address, {**TYPED, "use": "trolls"})
    kept = {name: value for name, value in shown(answer).items() if name not in ("unit_name", "cr")}
    assert kept == {"name": "Night watch", "count": "321", "mounted": True, "mount_name": "Old mule"}
    form = answer.context["form"]
    assert (form["unit_name"].value(), form["cr"].value(), form["ranged"].value()) == ("Trolls", "5", False)
    rows = {row.ability.slug: row.value for row in form.rows}
    assert rows["regeneration"] == "5"
    assert "rage" not in rows
    assert shown(client.post(address, {**TYPED, "use": "nonsense"}))["unit_name"] == "Somebody"


def test_every_unit_type_that_is_taken_raises_that_army(client, address, war):
    """What the form shows of a unit is all of it, options of its abilities too."""
    for slug in UNITS:
        form = client.post(address, {**TYPED, "name": slug, "mounted": "", "use": slug}).context["form"]
        assert form.is_valid(), slug
        kept = UNITS[slug].unit
        taken = form.unit()
        assert (taken["cr"], taken["level"], len(taken["abilities"])) == (kept.cr, kept.level, len(kept.abilities))
        assert [choice.get("options") or {} for choice in taken["abilities"]] == [
            {name: list(value) if isinstance(value, tuple) else value for name, value in one.options.items()}
            for one in kept.abilities
        ]


def test_the_list_comes_a_page_at_a_time(client, address):
    first = client.post(address, {"find": "1"})
    assert len(names(first)) == 12
    assert names(client.post(address, {"find": "2"})) != names(first)
    part = client.post(f"{address}?list=1", {"find": "2", "find-ability": "flight"}, headers={"hx-request": "true"})
    assert part.content.decode().strip().startswith('<div id="picker-found"')


@pytest.mark.parametrize(
    ("sought", "slugs"),
    [
        (UnitsSought(least="10", creature_type="construct"), {"clay-golems", "stone-golems", "iron-golems"}),
        (UnitsSought(most="1/4"), {"kobold-trappers"}),
        (UnitsSought(query="dragon", ability="breath-weapon"), {"young-dragons"}),
        (UnitsSought(family="undead", least="5", most="5"), {"wraiths", "mummies", "nightmares"}),
        (UnitsSought(ability="no-such-thing"), set()),
        (UnitsSought(least="no-such-cr", query="imps"), {"imps"}),
    ],
)
def test_unit_types_are_found_by_all_that_is_asked(war, sought, slugs):
    assert {entry.slug for entry in found(unit_types_of(war.campaign), sought)} == slugs


def test_the_page_of_unit_types_is_narrowed_alike(client, war):
    page = client.get(f"/c/{war.campaign.pk}/units/?least=10&type=construct")
    assert page.context["page_obj"].paginator.count == 3
