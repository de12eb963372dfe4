"""A table with a place under its walls: the crown holds Ker with its guard, the horde stands before it."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from armies.breaking_point.models import SiegeRow
from armies.breaking_point.sieges.services.laying import begin_siege
from armies.breaking_point.sieges.services.places import enter_place, fortify
from armies.models import Commander
from kingdom.services.campaigns import create_campaign
from kingdom.services.kingdoms import assign_player, found_kingdom
from tests.armies.breaking_point.sieges.tables import army, foot, guns
from tests.kingdom.conftest import FREELY, make_user, seat
from tests.worlds import built_once

LAW = "breaking-point"


@built_once
def walls(db) -> SimpleNamespace:
    """Ker: a fort for 100, held by 100 of combat 8 (sixteen weeks). Before it 300 foot and ten guns under Attila."""
    gm = make_user("gm")
    campaign = create_campaign(by=gm, name="Marches", ruleset=LAW, players_may=FREELY)
    ana, bo = seat(gm, campaign, make_user("ana"), "player"), seat(gm, campaign, make_user("bo"), "player")
    viewer = seat(gm, campaign, make_user("viewer"), "viewer")
    crown = found_kingdom(by=gm, campaign=campaign, name="Crown", treasury=100)
    horde = found_kingdom(by=gm, campaign=campaign, name="Horde", treasury=20)
    assign_player(by=gm, kingdom=crown, player=ana)
    assign_player(by=gm, kingdom=horde, player=bo)
    figures = {"mental": 5, "presence": 8, "combat": 5, "art_of_war": 3, "diplomacy": 2}
    attila = Commander.objects.create(campaign=campaign, kingdom=horde, name="Attila", sheet=figures)
    guard = army(crown, "Guard", foot(100))
    host = army(horde, "Host", foot(300, 5), guns(10), commander=attila)
    ker = fortify(by=gm, kingdom=crown, name="Ker", kind="fort", garrison=100)
    enter_place(by=ana, army=guard, place=ker)
    return SimpleNamespace(gm=gm, ana=ana, bo=bo, viewer=viewer, stranger=make_user("stranger"), campaign=campaign,
                           crown=crown, horde=horde, guard=guard, host=host, ker=ker, attila=attila)  # fmt: skip


@pytest.fixture
def laid(walls) -> SiegeRow:
    """The horde besieges Ker since day 0."""
    return begin_siege(by=walls.bo, place=walls.ker, armies=[walls.host])
