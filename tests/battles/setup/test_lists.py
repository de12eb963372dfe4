"""What lists and panels show of battles, and what reading one costs; what holds under every law: `frame`."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from armies.pathfinder.models import PathfinderCommander
from battles import slots as battles_slots
from battles.models import Battle, BattleArmy
from battles.play.services import play
from battles.setup.page import FOUGHT, battle_list_page
from battles.setup.queries import glance_at
from kingdom.models.base import uuid7
from tests.battles.conftest import Client, open_ford
from tests.kingdom.conftest import client_of


def copies(battle: Battle, count: int) -> None:
    """The same battle again and again, with its armies, as if fought before."""
    for _each in range(count):
        seats = list(battle.seats.all())
        copy = Battle.objects.get(pk=battle.pk)
        copy.pk, copy.status = uuid7(), "closed"
        copy.save(force_insert=True)
        BattleArmy.objects.bulk_create(
            BattleArmy(
                campaign=copy.campaign,
                battle=copy,
                army_id=seat.army_id,
                side=seat.side,
                commander_id=seat.commander_id,
            )
            for seat in seats
        )


def counted(action: Any) -> int:
    action()  # content types, tokens and the like are read once
    with CaptureQueriesContext(connection) as queries:
        action()
    return len(queries)


def test_reading_a_battle_does_not_ask_for_each_army(battle, table):
    gm = Client(table.gm, battle)
    two = counted(gm.read)
    gm.ok(type="reinforce", army=str(table.spare.pk), side="Horde")
    assert counted(gm.read) == two


@pytest.mark.slow
def test_the_log_costs_the_same_for_two_commands_and_for_ten(battle, table):
    gm = Client(table.gm, battle)
    gm.ok(type="next")
    gm.ok(type="resolve")
    few = counted(lambda: gm.api.get(f"{gm.url}events/"))
    for force in ("light", "strong", "severe", "moderate", "light", "strong", "windstorm", "light"):
        gm.ok(type="condition", condition="wind", value=force)
    assert counted(lambda: gm.api.get(f"{gm.url}events/")) == few


def test_the_list_shows_a_battle_at_a_glance(battle, table):
    (line,) = Client(table.ana).api.get("/api/v1/battles/").json()["results"]
    assert (line["name"], line["status"], line["phase"]) == ("The ford", "setup", {"kind": "setup", "number": 1})
    assert [side["name"] for side in line["sides"]] == ["Crown", "Horde"]
    health = {"hp": 44, "hp_max": 44, "looks": "unhurt"}
    assert line["sides"][1]["armies"] == [
        {"army": str(table.raiders.pk), "name": "Raiders", **health, "status": "fighting"}
    ]
    assert line["result"] is None


def test_a_commander_has_his_history(battle, table):
    ysolde = PathfinderCommander.objects.get(name="Ysolde")
    _template, context = battles_slots.history(table.gm, ysolde)
    assert [glance.battle for glance in context["glances"]] == [battle]
    idle = PathfinderCommander.objects.create(campaign=table.campaign, kingdom=table.crown, name="Idle")
    assert battles_slots.history(table.gm, idle) is None


def test_the_glance_of_a_battle_that_was_won(battle, table):
    play(by=table.gm, battle_id=battle.pk, version=1, command=_end())
    glance = glance_at(Battle.objects.get(), table.gm)
    assert (glance.winner, glance.over) == ("Horde", True)


def _end() -> Any:
    from rules.pathfinder.battle.orders.commands import End

    return End("They fled", winner=1)


def test_a_battle_in_the_list_bears_the_arms_of_its_sides(table) -> None:
    open_ford(table)
    page = battle_list_page(table.ana, table.campaign.pk)
    borne = [side.arms for line in page.running for side in line.sides]
    assert borne == [(table.crown.arms_borne,), (table.horde.arms_borne,)]


def test_battles_that_were_fought_come_a_page_at_a_time_and_are_found_by_name(table) -> None:
    battle = open_ford(table)
    fields = {
        field.attname: getattr(battle, field.attname) for field in Battle._meta.concrete_fields if field.name != "id"
    }
    closed = {**fields, "status": Battle.Status.CLOSED}
    Battle.objects.bulk_create(Battle(**{**closed, "name": f"Skirmish {number}"}) for number in range(1, FOUGHT + 3))
    address = reverse("battles:battle_list", args=[table.campaign.pk])

    def shown(**asked: str) -> tuple[list[str], list[str], str]:
        answer = client_of(table.ana).get(address, asked)
        page = answer.context["page"]
        return [one.name for one in page.running], [one.name for one in page.finished], answer.content.decode()

    running, first, markup = shown()
    assert (running, len(first), first[0]) == (["The ford"], FOUGHT, f"Skirmish {FOUGHT + 2}")
    assert "Page 1 of 2" in markup
    assert "Find a battle" in markup
    running, second, _markup = shown(page="2")
    assert (running, second) == (["The ford"], ["Skirmish 2", "Skirmish 1"])
    assert shown(q="skirmish 26")[1] == ["Skirmish 26"]
    assert "No battle with this name" in shown(q="waterloo")[2]
    assert shown(page="99")[1] == second
