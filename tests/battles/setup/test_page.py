"""Setting up a battle by the form."""

from __future__ import annotations

from copy import copy
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from armies.pathfinder.models import PathfinderArmy
from battles.models import Battle
from battles.play.battle_state import load_state
from battles.setup import queries, seating
from battles.setup.services import open_battle
from kingdom.models.base import uuid7
from tests.battles.conftest import SPEARMAN, muster, open_ford
from tests.everyday import at_most, everyday
from tests.rows import write_rows
from tests.worlds import built_once


@pytest.fixture
def send(table):
    client = Client()
    client.force_login(table.gm)

    def sending(**fields: Any) -> Any:
        body = {
            "name": "The ford",
            f"army-{table.watch.pk}": "1",
            f"army-{table.raiders.pk}": "2",
            **{name.replace("__", "-"): value for name, value in fields.items()},
        }
        return client.post(reverse("battles:battle_new", args=[table.campaign.pk]), body)

    return sending


def test_of_an_army_in_another_battle_it_says_where_it_fights_and_not_what_it_had_before(table):
    muster(table.gm, table.crown, "Boatmen", SPEARMAN, 500, commander="Tom")
    client = Client()
    client.force_login(table.gm)
    address = reverse("battles:battle_new", args=[table.campaign.pk])
    free = client.get(address).text
    open_ford(table)
    busy = client.get(address).text
    assert (free.count('class="bar'), free.count("still in battle")) == (4, 0)
    assert (busy.count('class="bar'), busy.count("still in battle")) == (2, 2)


def opened() -> Any:
    return load_state(Battle.objects.get())


def copied(army: PathfinderArmy, name: str) -> PathfinderArmy:
    """A new army like this one, without a leader."""
    found = copy(army)
    found.pk = found.id = found.army_ptr_id = uuid7()
    found.name, found.commander = name, None
    return found


def text(response: Any) -> str:
    return response.content.decode()


def test_sides_without_a_name_take_that_of_their_kingdom(send):
    response = send()
    assert response.status_code == 302, text(response)
    assert [side.name for side in opened().sides] == ["Crown", "Horde"]


def test_sides_of_one_kingdom_are_named_by_their_armies(table, send):
    """Raiders and Spare are both of the Horde: neither takes its name, and nothing is refused."""
    response = send(**{f"army-{table.watch.pk}": "", f"army-{table.raiders.pk}": "1", f"army-{table.spare.pk}": "2"})
    assert response.status_code == 302, text(response)
    assert [side.name for side in opened().sides] == ["Raiders", "Spare"]


def test_a_name_somebody_gave_is_nobody_else_s(table, send):
    """The second side cannot take its kingdom's; two that were given the same are refused beside their field."""
    assert send(**{"side-1": "Horde"}).status_code == 302
    assert [side.name for side in opened().sides] == ["Horde", "Raiders"]
    Battle.objects.all().delete()
    refused = send(**{"side-1": "Reds", "side-2": "Reds"})
    assert refused.status_code == 422
    assert "Two sides have the same name. Rename one of them." in text(refused)


def test_everything_of_the_field_can_be_said(table, send):
    watch, raiders = str(table.watch.pk), str(table.raiders.pk)
    response = send(
        **{
            "fog": "on",
            "except-fog": [raiders],
            "wind": "severe",
            f"battlefield-advantage-{watch}": "on",
            f"heroes-{watch}": "-4",
            f"sees_invisible-{raiders}": "on",
            f"cannot_leave-{watch}": "on",
            f"magical-{watch}": "on",
            "fort-0-armies": [watch],
            "fort-0-part-0-kind": "moat",
            "fort-0-part-0-material": "water",
            "fort-0-part-0-value": "3",
            "ambush-0-by": raiders,
            "ambush-0-target": watch,
        }
    )
    assert response.status_code == 302, text(response)
    battle = opened()
    found = {c.condition: c for c in battle.conditions}
    assert found["fog"].exempt == (raiders,)
    assert found["wind"].value == "severe"
    assert found["battlefield-advantage"].armies == (watch,)
    assert found["heroes"].value == -4
    assert [(part.kind, part.material, part.value) for part in battle.forts[0].parts] == [("moat", "water", 3)]
    assert battle.opening.sees_invisible == (raiders,)
    assert battle.opening.cannot_leave == (watch,)
    assert battle.opening.magical == (watch,)
    assert [(a.by, a.target) for a in battle.opening.ambushes] == [(raiders, watch)]


def test_a_settlement_lends_its_defense(table, send):
    from kingdom.realms.services import found_settlement

    town = found_settlement(
        by=table.gm, kingdom=table.crown, name="Restov", districts=1, buildings=["castle"], defense_override=None
    )
    assert send(**{"fort-0-armies": [str(table.watch.pk)], "fort-0-place": str(town.pk)}).status_code == 302
    assert opened().forts[0].parts[0].value == 8


def test_adding_a_side_keeps_what_was_typed_and_checks_nothing(table, send):
    response = send(add="sides", name="", **{"n-sides": "2", "rain": "on"})
    assert response.status_code == 200
    form = response.context["form"]
    assert form.counts["sides"] == 3
    assert 'name="side-3"' in text(response)
    assert form["rain"].value() is True
    assert not Battle.objects.exists()
    third = send(**{"n-sides": "3", f"army-{table.spare.pk}": "3", "side-3": "Bandits"})
    assert third.status_code == 302
    assert [side.name for side in opened().sides] == ["Crown", "Horde", "Bandits"]


def test_refusals_stand_beside_their_fields(table, send):
    form = send(name="").context["form"]
    assert form.errors["name"]
    alone = send(**{f"army-{table.raiders.pk}": ""})
    assert alone.status_code == 422
    assert not Battle.objects.exists()
    table.watch.status = "routed"
    table.watch.save()
    routed = send().context["form"]
    assert routed.errors[f"army-{table.watch.pk}"]
    half = send(**{"ambush-0-by": str(table.raiders.pk)}).context["form"]
    assert half.errors["ambush-0-target"]


def test_parts_that_do_not_add_up_are_refused_at_the_figure(table, send):
    form = send(
        **{"fort-0-armies": [str(table.watch.pk)], "fort-0-value": "9", "fort-0-part-0-value": "3",
           "fort-0-part-0-kind": "wall", "fort-0-part-0-material": "stone"}
    ).context["form"]  # fmt: skip
    assert form.errors["fort-0-value"]


def test_armies_that_fight_elsewhere_are_shown_with_the_reason(table, send):
    open_ford(table)
    client = Client()
    client.force_login(table.gm)
    page = client.get(reverse("battles:battle_new", args=[table.campaign.pk]))
    busy = [c for c in page.context["page"].candidates if c.why]
    assert {c.name for c in busy} == {"Ironwatch", "Raiders"}
    shown = text(page)
    assert "No two armies are free" in shown
    assert "Finish a battle" in shown
    assert "A battle needs two armies" not in shown


def test_the_setup_is_the_gms(table):
    client = Client()
    client.force_login(table.ana)
    assert client.get(reverse("battles:battle_new", args=[table.campaign.pk])).status_code == 403


def test_armies_stand_in_the_order_people_count_in(table):
    for number in (10, 2, 1):
        muster(table.gm, table.crown, f"Company {number}", SPEARMAN, 100)
    client = Client()
    client.force_login(table.gm)
    page = client.get(reverse("battles:battle_new", args=[table.campaign.pk])).context["page"]
    names = [army.name for army in page.candidates if army.name.startswith("Company")]
    assert names == ["Company 1", "Company 2", "Company 10"]


# Many armies


@built_once
def companies(table) -> list[PathfinderArmy]:
    return [muster(table.gm, table.crown, f"Company {number}", SPEARMAN, 100) for number in range(1, 7)]


@pytest.fixture
def sixty(table, companies, monkeypatch):
    """So many that they are searched for."""
    monkeypatch.setattr(queries, "FEW", 5)
    return table


def listed(response: Any) -> list[str]:
    """The armies of the page: those on the bench, then those on a side."""
    seating = response.context["seating"]
    return [seat.army.name for seat in (*seating.bench, *(seat for side in seating.sides for seat in side.armies))]


def fresh(table: Any) -> Any:
    client = Client()
    client.force_login(table.gm)
    return client.get(reverse("battles:battle_new", args=[table.campaign.pk]))


def test_many_armies_are_searched_for_and_those_on_a_side_stay(sixty, send):
    companies = [f"Company {n}" for n in range(1, 7)]
    assert listed(fresh(sixty)) == [*companies, "Ironwatch", "Raiders", "Spare"]
    found = send(add="find", find="company 3")
    assert listed(found) == ["Company 3", "Ironwatch", "Raiders"]
    assert listed(send(add="find", find="crown COMPANY")) == [*companies, "Ironwatch", "Raiders"]
    assert listed(send(add="find", find="nobody")) == ["Ironwatch", "Raiders"]


def test_more_than_a_search_shows_is_said(sixty, send, monkeypatch):
    monkeypatch.setattr(seating, "MOST_FOUND", 2)
    found = send(add="find", find="company")
    assert listed(found) == ["Company 1", "Company 2", "Ironwatch", "Raiders"]
    assert "4 more armies" in text(found)


def test_a_battle_of_armies_that_were_searched_for_is_opened(sixty, send):
    third = PathfinderArmy.objects.get(name="Company 3")
    assert send(**{f"army-{third.pk}": "2"}).status_code == 302
    assert set(opened().armies) == {str(army.pk) for army in (sixty.watch, sixty.raiders, third)}


@pytest.mark.parametrize("many", everyday([True, False], first=1), ids=["searched", "listed"])
def test_all_of_a_kingdom_go_to_a_side_but_those_that_are_on_one_or_fight_elsewhere(table, send, many, monkeypatch):
    if many:
        monkeypatch.setattr(queries, "FEW", 2)
    away = muster(table.gm, table.crown, "Away", SPEARMAN, 100)
    foe = muster(table.gm, table.horde, "Foe", SPEARMAN, 100)
    home = muster(table.gm, table.crown, "Home", SPEARMAN, 100)
    sides = [{"name": "A", "armies": [str(away.pk)]}, {"name": "B", "armies": [str(foe.pk)]}]
    open_battle(by=table.gm, campaign=table.campaign, name="Elsewhere", sides=sides)
    shown = send(add="all", all__of=str(table.crown.pk), all__on="2")
    form = shown.context["form"]
    assert form[f"army-{home.pk}"].value() == "2"
    assert form[f"army-{table.watch.pk}"].value() == "1"
    assert f"army-{away.pk}" not in form.fields
    assert not Battle.objects.exclude(name="Elsewhere").exists()


def test_the_page_of_many_hundred_armies_is_light(table, monkeypatch):
    spare = table.spare
    rows = [copied(spare, f"Levy {number}") for number in range(at_most(300, full=2000))]
    write_rows(rows)
    light = at_most(90_000, full=150_000)
    page = fresh(table)
    assert len(page.content) < light
    assert len(listed(page)) == seating.MOST_FOUND
    client = Client()
    client.force_login(table.gm)
    found = client.post(reverse("battles:battle_new", args=[table.campaign.pk]), {"add": "find", "find": "levy 1"})
    assert len(listed(found)) == seating.MOST_FOUND
    assert len(found.content) < light


@pytest.mark.parametrize(
    "sent", everyday([{"all-of": "nowhere"}, {"all-of": "\0", "all-on": "x"}, {}, {"all-of": ""}], first=2)
)
def test_all_armies_of_no_kingdom_are_nobody(send, sent):
    page = send(add="all", **sent)
    assert page.status_code == 200
    assert not Battle.objects.exists()
