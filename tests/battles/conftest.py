"""A table at war: crown and horde with an army each, a spare army, and everybody who may look."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
from django.db import connection

from armies.pathfinder.armies.services import raise_army
from armies.pathfinder.commanders.services import appoint_commander
from armies.pathfinder.models import PathfinderArmy
from battles.forecast.single_flight import Pool
from battles.models import Battle
from battles.pathfinder.demo import load_demo
from battles.setup.services import open_battle
from kingdom.campaign.services import create_campaign
from kingdom.realms.services import assign_player, found_kingdom
from tests.kingdom.conftest import FREELY, api_of, make_user, seat
from tests.worlds import built_once

SPEARMAN = {"name": "Spearman", "cr": "1", "hit_die": "d10", "speed_m": 9, "level": 1, "ranged": True}
RAIDER = {"name": "Raider", "cr": "2", "hit_die": "d10", "alignment": "CE", "abilities": [{"ability": "ferocity"}]}


def muster(gm: Any, kingdom: Any, name: str, unit: dict[str, Any], count: int, **more: Any) -> PathfinderArmy:
    commander = more.pop("commander", None)
    if commander:
        commander = appoint_commander(by=gm, kingdom=kingdom, name=commander, level=6, charisma_modifier=2)
    return raise_army(by=gm, kingdom=kingdom, name=name, unit=unit, count=count, commander=commander, **more)


def make_table(gm: Any) -> SimpleNamespace:
    campaign = create_campaign(by=gm, name="Restov marches", ruleset="combat-de-masse", players_may=FREELY)
    crown = found_kingdom(
        by=gm, campaign=campaign, name="Crown", economy=20, loyalty=18, stability=20, size=4, treasury=100
    )
    horde = found_kingdom(
        by=gm, campaign=campaign, name="Horde", economy=9, loyalty=5, stability=6, size=4, treasury=20
    )
    return SimpleNamespace(
        gm=gm,
        campaign=campaign,
        crown=crown,
        horde=horde,
        watch=muster(gm, crown, "Ironwatch", SPEARMAN, 2000, commander="Ysolde"),
        raiders=muster(gm, horde, "Raiders", RAIDER, 1000, commander="Gruk"),
        spare=muster(gm, horde, "Spare", RAIDER, 500),
    )


def seat_everybody(table: SimpleNamespace) -> SimpleNamespace:
    gm, campaign = table.gm, table.campaign
    table.ana = seat(gm, campaign, make_user("ana"), "player")
    table.bo = seat(gm, campaign, make_user("bo"), "player")
    table.viewer = seat(gm, campaign, make_user("viewer"), "viewer")
    table.stranger = make_user("stranger")
    assign_player(by=gm, kingdom=table.crown, player=table.ana)
    assign_player(by=gm, kingdom=table.horde, player=table.bo)
    return table


@built_once
def table(db) -> SimpleNamespace:
    return seat_everybody(make_table(make_user("gm")))


@built_once
def demonstration(db) -> SimpleNamespace:
    """The demonstration campaign and its GM."""
    gm = make_user("gm")
    return SimpleNamespace(gm=gm, campaign=load_demo(owner=gm))


def open_ford(table: SimpleNamespace, **more: Any) -> Battle:
    return open_battle(
        by=table.gm,
        campaign=table.campaign,
        name="The ford",
        sides=[
            {"name": "Crown", "armies": [str(table.watch.pk)]},
            {"name": "Horde", "armies": [str(table.raiders.pk)]},
        ],
        **more,
    )


@built_once
def battle(table) -> Battle:
    return open_ford(table)


@pytest.fixture(scope="session")
def processes() -> Iterator[Pool]:
    """Two processes that reckon, begun once for all tests that need some: loading the rules takes a while."""
    made = Pool(2)
    yield made
    made.stop()


class Client:
    """A user's own key on one battle: commands at the version last seen."""

    def __init__(self, user: Any, battle: Battle | None = None):
        self.api = api_of(user)
        self.battle = battle

    @property
    def url(self) -> str:
        assert self.battle is not None
        return f"/api/v1/battles/{self.battle.pk}/"

    def read(self) -> dict[str, Any]:
        response = self.api.get(self.url)
        assert response.status_code == 200, response.content
        assert response["ETag"] == f'"{response.json()["version"]}"'
        return response.json()

    def send(self, version: int | None = None, **command: Any) -> Any:
        """The response to a command, on the current version unless another is given."""
        if version is None:
            version = Battle.with_branches.get(pk=self.battle.pk).version  # type: ignore[union-attr]
        return self.api.post(f"{self.url}commands/", command, headers={"If-Match": f'"{version}"'})

    def ok(self, **command: Any) -> dict[str, Any]:
        response = self.send(**command)
        assert response.status_code == 200, response.content
        return response.json()


def cut_the_hub_off() -> None:
    """End the connection the live pages listen on, by a way that is open while the database counts as away."""
    with psycopg.connect(**connection.get_connection_params(), autocommit=True) as line:
        ours = "datname = current_database()"  # other workers listen in databases of their own
        line.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN %' AND {ours}")
