"""SideOfArmy of a new battle: what its buttons do, whom it begins with, and what is kept when something is wrong."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client
from django.urls import reverse

from armies.models import Army
from battles.models import Battle, BattleArmy
from battles.setup.queries import NUMBER_LENGTH, find_free_name
from battles.setup.seats import ArmySelects, SideLists, read_move, read_seats, write_seats
from core.clean_input import NAME_MAX
from kingdom.models.base import uuid7
from kingdom.realms.services import found_kingdom
from tests.battles.conftest import RAIDER, muster, open_ford

ONE, TWO, THREE = (str(uuid7()) for _number in range(3))


@pytest.fixture
def gm(table) -> Any:
    client = Client()
    client.force_login(table.gm)
    return client


def address(table: Any) -> str:
    return reverse("battles:battle_new", args=[table.campaign.pk])


def sides(response: Any) -> list[list[str]]:
    return [[seat.army.name for seat in side.armies] for side in response.context["seating"].sides]


def bench(response: Any) -> list[str]:
    return [seat.army.name for seat in response.context["seating"].bench]


@pytest.mark.parametrize("fields", [SideLists(), ArmySelects()])
def test_seats_are_read_as_they_are_written(fields):
    seats = {ONE: 0, TWO: 2, THREE: 0}
    sent = write_seats(QueryDict("name=The+ford&armies-one=nobody&army-muster=1"), seats, fields)
    assert read_seats(sent) == seats
    assert (sent["name"], sent["army-muster"]) == ("The ford", "1")


@pytest.mark.parametrize(
    "sent", ["seat:9:x", "seat:0", "seat::", "bench", "bench:a:b", "all:1:nowhere", "kingdom:x:y", ":"]
)
def test_a_button_that_says_nothing_sensible_moves_nobody(sent):
    data = QueryDict(mutable=True)
    data["add"] = sent
    assert read_move(data).kind == ""


def test_two_kingdoms_are_seated_and_the_name_is_filled_in(table, gm):
    fresh = gm.get(address(table))
    assert sides(fresh) == [["Ironwatch"], ["Raiders", "Spare"]]
    assert fresh.context["form"]["name"].value() == "Crown against Horde"
    opened = gm.post(address(table), {"name": "Crown against Horde", **kept(fresh)})
    assert opened.status_code == 302
    assert [side["name"] for side in Battle.objects.get().state["sides"]] == ["Crown", "Horde"]
    BattleArmy.objects.all().delete()  # the armies are free again
    assert gm.get(address(table)).context["form"]["name"].value() == "Crown against Horde (2)"


def test_a_name_of_full_length_is_numbered_anew_each_time(table):
    whole, short = "n" * NAME_MAX, "n" * (NAME_MAX - NUMBER_LENGTH)
    for name in (whole, f"{short} (2)", f"{short} (3)"):
        assert find_free_name(table.campaign, whole) == name
        battle = open_ford(table)
        Battle.objects.filter(pk=battle.pk).update(name=name)
        BattleArmy.objects.all().delete()  # the armies are free again


def kept(response: Any) -> dict[str, Any]:
    """The hidden fields of the seats that are drawn."""
    return dict(seat.field for side in response.context["seating"].sides for seat in side.armies)


def test_of_three_kingdoms_those_that_stand_nearest_are_seated(table, gm):
    vale = found_kingdom(by=table.gm, campaign=table.campaign, name="Ash Vale", treasury=20)
    wardens = muster(table.gm, vale, "Wardens", RAIDER, 500)
    for army, hex in ((table.watch, "A1"), (table.raiders, "K9"), (table.spare, "K9"), (wardens, "B1")):
        Army.objects.filter(pk=army.pk).update(hex=hex)
    found = gm.get(address(table))
    assert sides(found) == [["Ironwatch"], ["Wardens"]], "the older kingdom first, whatever the names: colors stay"
    assert found.context["form"]["name"].value() == "Crown against Ash Vale"
    assert bench(found) == ["Raiders", "Spare"]
    far = {seat.army.name: seat.away for seat in found.context["seating"].bench}
    assert far["Raiders"] == far["Spare"] > 5


def test_each_button_moves_armies_and_keeps_what_was_typed(table, gm):
    fields = {f"army-{table.watch.pk}": "1", f"army-{table.raiders.pk}": "2", "name": "The ford", "side-1": "Watchers"}

    def pressed(button: str) -> Any:
        answer = gm.post(address(table), {**fields, "add": button})
        assert (answer.status_code, answer.context["form"]["name"].value()) == (200, "The ford"), button
        assert answer.context["seating"].sides[0].called == "Watchers"
        return answer

    assert sides(pressed(f"seat:1:{table.spare.pk}")) == [["Ironwatch"], ["Raiders", "Spare"]]
    assert sides(pressed(f"seat:1:{table.watch.pk}")) == [[], ["Raiders", "Ironwatch"]]
    assert bench(pressed(f"bench:{table.watch.pk}")) == ["Ironwatch", "Spare"]
    assert sides(pressed(f"all:0:{table.horde.pk}")) == [["Ironwatch", "Spare"], ["Raiders"]]
    assert sides(pressed(f"kingdom:0:{table.horde.pk}")) == [["Raiders", "Spare"], []]
    assert bench(pressed(f"tab:{table.crown.pk}")) == []
    assert not Battle.objects.exists()


def test_an_army_that_somebody_took_meanwhile_is_named_and_nothing_is_lost(table, gm):
    """Two GMs set up battles with the same army: the second is told, and keeps what they chose."""
    fresh = gm.get(address(table))
    open_ford(table)
    sent = {"name": "Again", "side-1": "Watchers", "rain": "on", **kept(fresh)}
    refused = gm.post(address(table), sent)
    assert refused.status_code == 422
    assert "Ironwatch: still in battle (“The ford”)" in refused.content.decode()
    assert sides(refused) == [["Ironwatch"], ["Raiders", "Spare"]]
    form = refused.context["form"]
    assert (form["name"].value(), form["side-1"].value(), form["rain"].value()) == ("Again", "Watchers", True)
    assert Battle.objects.count() == 1


def test_an_army_that_is_gone_is_not_seated_and_the_battle_not_opened(table, gm):
    fresh = gm.get(address(table))
    Army.objects.filter(pk=table.watch.pk).update(status=Army.Status.DISBANDED)
    refused = gm.post(address(table), {"name": "Again", **kept(fresh)})
    assert refused.status_code == 422
    assert sides(refused) == [[], ["Raiders", "Spare"]]
    assert not Battle.objects.exists()


def test_the_address_holds_the_setup_but_no_file(table, gm):
    sent = {
        "add": f"bench:{table.spare.pk}",
        f"army-{table.watch.pk}": "1",
        "name": "The ford",
        "rain": "on",
        "map": "{}",
    }
    told = gm.post(address(table), sent, headers={"HX-Request": "true"}).headers["HX-Replace-Url"]
    found = gm.get(told)
    assert sides(found) == [["Ironwatch"], []]
    assert (found.context["form"]["name"].value(), found.context["form"]["rain"].value()) == ("The ford", True)
    assert "map" not in QueryDict(told.partition("?")[2])
    long = gm.post(address(table), {**sent, "side-1": "x" * 5000}, headers={"HX-Request": "true"})
    assert long.headers["HX-Replace-Url"] == address(table)


def test_odds_stand_beside_the_sides_and_say_why_there_are_none(table, gm):
    fresh = gm.get(address(table))
    assert fresh.context["odds"].pending, "a new page asks by itself"
    asked = gm.post(address(table), {"add": "odds", **kept(fresh)}).context["odds"]
    assert asked.pending or len(asked.odds.sides) == 2
    empty = gm.post(address(table), {"add": f"bench:{table.watch.pk}", **kept(fresh)})
    assert "Put an army on each side" in empty.content.decode()
    alone = gm.post(address(table), {"add": "odds", **kept(fresh)}, headers={"HX-Request": "true"}).content.decode()
    assert 'id="setup-odds"' in alone
    assert 'id="setup"' not in alone


def test_the_odds_of_a_duel_lead_to_what_would_make_it_even(table, gm):
    fresh = gm.get(address(table))
    three = gm.post(address(table), {"add": "odds", **kept(fresh)}).context["odds"]
    assert three.even == "", "the workshop reckons with one army a side"
    sent = {**kept(fresh), f"army-{table.spare.pk}": ""}
    duel = gm.post(address(table), {**sent, "add": "odds"}).context["odds"]
    page = gm.get(duel.even)
    assert (page.status_code, duel.even.endswith("#evens")) == (200, True)
    assert [army in page.content.decode() for army in ("Ironwatch", "Raiders")] == [True, True]
