"""What a kingdom's pages name and say under this law: its outlook, its commanders, no stores."""

from __future__ import annotations

import pytest

from armies.breaking_point.armies.builder_choices import list_starter_units
from armies.breaking_point.models import SiegeRow
from armies.breaking_point.weeks.weeks import outlook_of
from armies.models import Army
from armies.weeks.services import confirm_time
from kingdom.campaign.services import update_campaign
from kingdom.models import Campaign, Kingdom
from kingdom.realms.planned_services import plan_line
from kingdom.realms.services import update_kingdom
from rules.breaking_point.ruleset import BREAKING_POINT
from rules.breaking_point.starter import ERAS, MACHINES, STARTERS
from tests.armies.breaking_point.sieges.conftest import laid, walls  # noqa: F401
from tests.kingdom.conftest import client_of

pytestmark = pytest.mark.django_db


def page_of(user, kingdom, place: str) -> str:
    return client_of(user).get(f"/kingdoms/{kingdom.pk}/{place}/").content.decode()


def test_the_outlook_of_a_kingdom_is_not_blank_where_nothing_happens(walls):  # noqa: F811
    empty = Kingdom.objects.create(campaign=walls.campaign, name="Nowhere")
    page = page_of(walls.gm, empty, "outlook")
    assert "Outlook" in page
    assert "This kingdom has no army yet." in page
    assert "Nothing is due." in page
    assert "Armies cost nothing" in page_of(walls.gm, walls.crown, "outlook")


def test_the_outlook_tells_upkeep_sieges_wounded_and_who_fled(walls, laid):  # noqa: F811
    update_campaign(by=walls.gm, campaign=walls.campaign, house_rules={"upkeep": 3})
    guard = Army.objects.get(pk=walls.guard.pk)
    guard.sheet["units"][0]["wounded"] = 9
    guard.status = Army.Status.ROUTED
    guard.save()
    page, found = page_of(walls.ana, walls.crown, "outlook"), outlook_of(walls.crown)
    assert found.upkeep == guard.upkeep > 0
    assert f"Armies cost {guard.upkeep} BP a week." in page
    assert "Ker: another week of siege." in page
    assert "3 of 9 wounded" not in page, "the besieged do not rest (B-69)"
    SiegeRow.objects.all().delete()
    page, time = page_of(walls.ana, walls.crown, "outlook"), f"/c/{walls.campaign.pk}/time/"
    upcoming = client_of(walls.ana).get(time).content.decode()
    for told in (
        f"{guard.name}: 3 of 9 wounded recover, if the army rests until then.",
        f"{guard.name}: ready again, unless it fights before then.",
    ):
        assert told in page, told
        assert told in upcoming, told


def test_the_outlook_looks_weeks_ahead(walls):  # noqa: F811
    update_campaign(by=walls.gm, campaign=walls.campaign, house_rules={"upkeep": 3})
    cost = outlook_of(walls.crown).upkeep
    Kingdom.objects.filter(pk=walls.crown.pk).update(treasury=2 * cost)
    page, found = page_of(walls.ana, walls.crown, "outlook"), outlook_of(Kingdom.objects.get(pk=walls.crown.pk))
    assert "The treasury covers 2 more full weeks." in page
    assert (found.treasury.lasts, len(found.treasury.ahead)) == (2, 12)


def test_the_outlook_lists_planned_entries_with_the_day_they_are_due(walls):  # noqa: F811
    plan_line(by=walls.gm, kingdom=walls.crown, name="Tolls of the bridge", amount=12)
    page = page_of(walls.ana, walls.crown, "outlook")
    assert "Tolls of the bridge" in page.partition('id="kingdom-outlook"')[2]
    assert "Nothing is due" not in page


def test_the_outlook_warns_of_upkeep_the_treasury_cannot_pay(walls):  # noqa: F811
    update_campaign(by=walls.gm, campaign=walls.campaign, house_rules={"upkeep": 3})
    cost = outlook_of(walls.crown).upkeep
    Kingdom.objects.filter(pk=walls.crown.pk).update(treasury=cost)
    page = page_of(walls.ana, walls.crown, "outlook")
    assert f"Army upkeep: {cost} BP" in page
    assert "but the treasury has only" not in page
    Kingdom.objects.filter(pk=walls.crown.pk).update(treasury=cost - 1)
    page = page_of(walls.ana, walls.crown, "outlook")
    assert f"Army upkeep: {cost} BP, but the treasury has only {cost - 1}" in page


def test_without_a_treasury_armies_cost_nothing(walls):  # noqa: F811
    update_campaign(by=walls.gm, campaign=walls.campaign, house_rules={"upkeep": 3})
    update_kingdom(by=walls.gm, kingdom=Kingdom.objects.get(pk=walls.crown.pk), without_treasury=True)
    page = page_of(walls.ana, walls.crown, "outlook")
    assert "No treasury: armies cost nothing." in page
    assert "Plan income and costs" not in page
    assert "Army upkeep" not in page
    confirm_time(by=walls.gm, campaign=Campaign.objects.get(pk=walls.campaign.pk), days=7)
    assert Kingdom.objects.get(pk=walls.crown.pk).treasury == walls.crown.treasury


def test_the_outlook_of_another_kingdom_is_closed(walls, laid):  # noqa: F811
    assert "Outlook" not in page_of(walls.bo, walls.crown, "outlook")


def test_stores_are_not_named_where_the_law_knows_none(walls):  # noqa: F811
    page = page_of(walls.ana, walls.crown, "commanders")
    assert "Commanders" in page
    assert "stores" not in page


def test_units_to_begin_from_are_grouped_by_kind_in_alphabetical_order_with_their_era():
    groups = dict(list_starter_units(BREAKING_POINT))
    assert list(groups) == [
        "Infantry", "Archers", "Artillery", "Cavalry", "Chariots, beasts and monsters", "Machines",
    ]  # fmt: skip
    assert ("legionaries", "Legionaries (Ancient)") in groups["Infantry"]
    assert ("destroyer", "destroyer (Modern)") in groups["Machines"]
    for found in groups.values():
        names = [name.casefold() for _slug, name in found]
        assert names == sorted(names)


def test_an_era_is_found_by_its_name():
    found = dict(list_starter_units(BREAKING_POINT, "ancient"))
    assert list(found) == ["Infantry", "Archers", "Artillery", "Cavalry", "Chariots, beasts and monsters"]
    assert {name.rpartition(" ")[2] for rows in found.values() for _slug, name in rows} == {"(Ancient)"}
    assert list_starter_units(BREAKING_POINT, "no such unit") == []


def test_every_unit_and_machine_of_the_tables_has_one_era():
    units = [slug for era in ERAS for slug in era.units]
    machines = [slug for era in ERAS for slug in era.machines]
    assert sorted(units) == sorted(STARTERS)
    assert sorted(machines) == sorted(BREAKING_POINT.tables.machines)
    assert MACHINES not in units
