"""The table of tests/kingdom, with troops."""

from __future__ import annotations

from copy import copy, deepcopy
from types import SimpleNamespace
from typing import Any

import pytest

from armies.forces import busy as forces_busy
from armies.forces import busy as recent_battles
from armies.models import Army
from armies.pathfinder.armies.services import raise_army
from armies.pathfinder.commanders.services import appoint_commander
from armies.pathfinder.models import ArmyTactic, PathfinderArmy, PathfinderCommander
from kingdom.models import Kingdom, User
from kingdom.models.base import uuid7
from kingdom.realms.services import found_settlement
from kingdom.realms.treasury_services import record_entry
from tests.kingdom.conftest import api_of, campaign, crown, gm, make_user, table  # noqa: F401 - fixtures
from tests.rows import write_rows
from tests.worlds import built_once

ORC = {
    "name": "Orc warrior 1",
    "cr": "1/3",
    "hit_die": "d10",
    "speed_m": 9,
    "creature_type": "humanoid",
    "alignment": "CE",
    "level": 1,
    "ranged": False,
    "abilities": [{"ability": "ferocity"}],
}


def orc(**changes: Any) -> dict[str, Any]:
    """The unit of the API page, changed where the test cares."""
    return {**deepcopy(ORC), **changes}


def raised(by: User, kingdom: Kingdom, name: str = "Levy", **given: Any) -> PathfinderArmy:
    """500 orcs (huge, ACR 3) unless the test says otherwise."""
    given = {"unit": orc(), "count": 500, **given}
    return raise_army(by=by, kingdom=kingdom, name=name, **given)


def multiplied(army: PathfinderArmy, times: int) -> list[PathfinderArmy]:
    """More armies like this one, each with its own commander and all it knows: where only their number counts."""
    armies, chief = [], army.leader
    assert chief is not None
    for number in range(times):
        leader, one = copy(chief), copy(army)
        leader.pk, leader.name = uuid7(), f"{chief.name} {number}"
        one.pk, one.name, one.commander = uuid7(), f"{army.name} {number}", leader
        armies.append(one)
    write_rows(one.commander for one in armies)
    write_rows(armies)
    for known in army.tactics.all():
        ArmyTactic.objects.bulk_create(
            ArmyTactic(campaign_id=army.campaign_id, army=one, tactic=known.tactic, granted=known.granted)
            for one in armies
        )
    return armies


def appointed(by: User, kingdom: Kingdom, name: str = "Ser Vell", **given: Any) -> PathfinderCommander:
    """Level 8, Charisma +2, 6 ranks: leadership 10, morale bonus 3, room for two boons."""
    given = {"level": 8, "charisma_modifier": 2, "soldier_ranks": 6, **given}
    return appoint_commander(by=by, kingdom=kingdom, name=name, **given)


@built_once
def war(table) -> SimpleNamespace:  # noqa: F811
    """The table with an army and a commander for the crown, and a hidden army for the horde.

    The crown has 200 BP, a smithy and a stable.
    """
    record_entry(by=table.gm, kingdom=table.crown, amount=179, reason="Taxes")
    found_settlement(by=table.gm, kingdom=table.crown, name="Restov", buildings=["smithy", "stable"])
    vell = appointed(table.gm, table.crown, boons=[{"boon": "defensive-tactics"}])
    levy = raised(table.gm, table.crown, "Levy", commander=vell)
    raiders = raised(table.gm, table.horde, "Raiders")
    return SimpleNamespace(**vars(table), vell=vell, levy=levy, raiders=raiders)


@pytest.fixture
def busy(monkeypatch) -> set:
    """Armies put in here may not be touched, as if a battle ran."""
    from rules.core.text import _, say

    held: set = set()

    def fights(armies: Any) -> Any:
        return {army.pk: say(_("{army} fights."), army=army.name) for army in armies if army.pk in held}

    monkeypatch.setattr(forces_busy, "explain_in_battle", fights)
    return held


@pytest.fixture
def seats(monkeypatch) -> list:
    """Seats in battles put in here (`fought_in`) are the campaign's of late."""
    held: list = []
    monkeypatch.setattr(recent_battles, "list_seats_since", lambda *_of: held)
    return held


def fought_in(army: Army, day: int, **told: Any) -> recent_battles.SeatInBattle:
    """An army's seat in a battle that was opened on this day, and settled unless another `status` is told."""
    seat = recent_battles.SeatInBattle(army.pk, 0, "closed", day, "The ford", uuid7(), None, None, begun=True)
    return seat._replace(**told)
