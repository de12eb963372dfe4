"""When a thing was made or last changed: `updated_at` tells it, of what its reader may know."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from armies.forces.services import raise_army as raise_units
from armies.forces.services import reveal_army
from armies.intel.services import hide_army, let_know
from armies.marches.services import march_along, place_army, put_army
from armies.models import Army, Commander
from armies.pathfinder.armies.march_services import rest_army
from armies.pathfinder.armies.services import change_army, raise_armies, raise_army
from armies.pathfinder.commanders.services import appoint_commander, update_commander
from armies.pathfinder.models import PathfinderArmy
from armies.weeks.services import confirm_time
from kingdom.campaign.services import update_campaign
from kingdom.chronicle.changes import undo
from kingdom.chronicle.last_changes import build_changed_condition, load_updated
from kingdom.chronicle.queries import find_last_standing_entry
from kingdom.map.services import configure_map
from kingdom.models import Kingdom, Knowledge, LastChange, Settlement
from kingdom.models.base import EPOCH, first_id, made_at, uuid7
from kingdom.realms.services import update_kingdom, update_settlement
from kingdom.realms.treasury_services import record_entry
from tests.armies.breaking_point.conftest import LEGION, units
from tests.databases import tried
from tests.everyday import at_most, everyday
from tests.kingdom.archive.journeys import bring_in, taken_along
from tests.kingdom.conftest import api_of, make_user, seat
from tests.manners.bodies import UNIT
from tests.worlds import built_once

ROOT = "/api/v1"
KINDS = ("armies", "commanders", "kingdoms", "settlements")
MODELS = {"armies": (Army, "army"), "commanders": (Commander, "commander"), "kingdoms": (Kingdom, "kingdom"),
          "settlements": (Settlement, "settlement")}  # fmt: skip
READERS = ("gm", "ana", "cai", "viewer")


@built_once
def told(table) -> SimpleNamespace:
    """The table, with a commander of the horde's Spare, and a player without a kingdom."""
    table.cai = seat(table.gm, table.campaign, make_user("cai"), "player")
    leader = appoint_commander(by=table.gm, kingdom=table.horde, name="Idle", level=6)
    change_army(by=table.gm, army=table.spare, commander=leader)
    table.leader = leader
    put_army(by=table.gm, army=table.spare, hex="H8")
    table.watch = PathfinderArmy.objects.get(pk=table.watch.pk)
    return table


def spare(table: Any) -> PathfinderArmy:
    return PathfinderArmy.objects.get(pk=table.spare.pk)


def rows_of(user: Any, table: Any, kind: str, **asked: Any) -> dict[str, Any]:
    answer = api_of(user).get(f"{ROOT}/{kind}/", {"limit": 200, "campaign": str(table.campaign.pk), **asked})
    assert answer.status_code == 200, answer.content
    return {row["id"]: row for row in answer.json()["results"]}


def moment_of(row: Any) -> datetime:
    return datetime.fromisoformat(row["updated_at"])


def unsaid(row: Any) -> Any:
    return {name: value for name, value in row.items() if name != "updated_at"}


ON_THE_MAP = ("put", "marches", "a week", "shown", "taken back")  # everybody sees there where it stands


def marches(table: Any) -> None:
    march_along(by=table.gm, army=spare(table), path=["H7", "H6"])


def is_taken_back(table: Any) -> None:
    undo(campaign=table.campaign, entry=find_last_standing_entry(table.campaign), by=table.gm)


DEEDS: dict[str, Callable[[Any], Any]] = {
    "raised": lambda table: raise_army(by=table.gm, kingdom=table.horde, name="Levy", unit=UNIT, count=50),
    "counted": lambda table: change_army(by=table.gm, army=spare(table), count=400),
    "wounded": lambda table: change_army(by=table.gm, army=spare(table), state={"hp": 1}),
    "put": lambda table: put_army(by=table.gm, army=spare(table), hex="H7"),
    "placed": lambda table: place_army(by=table.gm, army=spare(table), place="Canary Mill"),
    "marches": marches,
    "a week": lambda table: confirm_time(by=table.gm, campaign=table.campaign, days=7),
    "rested": lambda table: rest_army(by=table.gm, army=spare(table)),
    "led": lambda table: update_commander(by=table.gm, commander=table.leader, level=7),
    "renamed": lambda table: update_kingdom(by=table.gm, kingdom=table.horde, name="The Horde"),
    "rich": lambda table: record_entry(by=table.gm, kingdom=table.horde, amount=7, reason="Secret"),
    "richer": lambda table: record_entry(by=table.gm, kingdom=table.crown, amount=7, reason="Secret"),
    "built": lambda table: update_settlement(by=table.gm, settlement=table.town, buildings=[]),
    "hidden": lambda table: hide_army(by=table.gm, army=spare(table), hidden=True),
    "moved in hiding": lambda table: put_army(by=table.gm, army=spare(table), hex="H8"),
    "shown": lambda table: hide_army(by=table.gm, army=spare(table), hidden=False),
    "taken back": is_taken_back,
}
OF_ALL = ("a week", "taken back")
OF_ONE = {"led": "commanders", "renamed": "kingdoms", "rich": "kingdoms", "richer": "kingdoms", "built": "settlements"}


def asked_after(deed: str) -> tuple[str, ...]:
    """The kinds every reader asks for then: every day those of which it may change any; at the end all of them."""
    some = KINDS if deed in OF_ALL else (OF_ONE.get(deed, "armies"),)
    return at_most(some, full=KINDS)


def revealed(table: Any) -> None:
    reveal_army(by=table.gm, army=spare(table), revealed=True)


def spied_on(table: Any) -> None:
    let_know(by=table.gm, kingdom=table.crown, army=spare(table), level=Knowledge.ALL)


def known(level: int) -> Callable[[Any], None]:
    return lambda table: update_campaign(by=table.gm, campaign=table.campaign, others_known=level) and None


LEVELS = {"nothing": known(Knowledge.NOTHING), "name": known(Knowledge.NAME), "glance": known(Knowledge.GLANCE),
          "all": known(Knowledge.ALL), "revealed": revealed, "spies": spied_on}  # fmt: skip
FIRST = [("revealed", True), ("spies", False), ("glance", True)]
LATER = [(level, fog) for level in LEVELS for fog in (True, False) if (level, fog) not in FIRST]


@pytest.mark.parametrize(("level", "fog"), everyday([*FIRST, *LATER], first=1))
def test_whoever_reads_an_older_or_newer_moment_is_told_alike(told, level, fog):
    """After each deed, for each reader and what it may change: `changed_since` any moment between the deeds finds
    what tells an `updated_at` from then on, and what of others reads as before tells the moment of before.
    """
    LEVELS[level](told)
    configure_map(by=told.gm, campaign=told.campaign, fog=fog, sight=1)
    told.fog, moments = fog, [timezone.now()]
    before = {(who, kind): rows_of(getattr(told, who), told, kind) for who in READERS for kind in KINDS}
    for deed, does in DEEDS.items():
        told.campaign.refresh_from_db()
        does(told)
        moments.append(timezone.now())
        for who, kind in ((who, kind) for who in READERS for kind in asked_after(deed)):
            rows = rows_of(getattr(told, who), told, kind)
            for moment in moments[-3:]:
                wanted = {key for key, row in rows.items() if moment_of(row) >= moment}
                assert changed_ids(getattr(told, who), kind, moment) & rows.keys() == wanted, (who, kind, deed)
            check_news(told, who, kind, before[who, kind], rows, deed)
            before[who, kind] = rows
    for (who, kind), rows in before.items():
        since = rows_of(getattr(told, who), told, kind, changed_since=moments[-3].isoformat())
        assert since == {key: row for key, row in rows.items() if moment_of(row) >= moments[-3]}
        for key in list(rows)[:1]:
            assert api_of(getattr(told, who)).get(f"{ROOT}/{kind}/{key}/").json() == rows[key], (who, kind)


def changed_ids(user: Any, kind: str, moment: datetime) -> set[str]:
    model, tracked = MODELS[kind]
    rows = model._default_manager.filter(build_changed_condition(user, tracked, moment))
    return {str(pk) for pk in rows.values_list("pk", flat=True)}


def check_news(table: Any, who: str, kind: str, then: Any, rows: Any, deed: str) -> None:
    """What others' things tell of moments is no more than what they tell besides; what they tell is news."""
    theirs = {str(thing.pk) for thing in (table.spare, table.leader, table.horde)}
    for key in then.keys() & rows.keys():
        alike = unsaid(then[key]) == unsaid(rows[key])
        blind = (table.fog or deed not in ON_THE_MAP) and (who == "cai" or (who == "ana" and key in theirs))
        if alike and blind:
            assert then[key]["updated_at"] == rows[key]["updated_at"], (who, kind, deed)
        if not alike and key == about(table, deed):
            assert moment_of(rows[key]) > moment_of(then[key]), (who, kind, deed)


def about(table: Any, deed: str) -> str:
    """The thing whose own answer the deed changes."""
    things = {"counted": table.spare, "wounded": table.spare, "renamed": table.horde, "richer": table.crown,
              "led": table.leader, "built": table.town}  # fmt: skip
    return str(things[deed].pk) if deed in things else ""


def test_a_move_out_of_sight_is_told_by_nothing(told):
    """Canary: no moment, no ETag, no list, no line of the chronicle; its own player and the GM are told."""
    revealed(told)
    configure_map(by=told.gm, campaign=told.campaign, fog=True, sight=1)
    address, moment = f"{ROOT}/armies/{told.spare.pk}/", timezone.now()
    readers = (*READERS, "bo")
    before = {who: api_of(getattr(told, who)).get(address) for who in readers}
    marches(told)
    confirm_time(by=told.gm, campaign=told.campaign, days=7)
    key = str(told.spare.pk)
    for who in readers:
        after, api = api_of(getattr(told, who)).get(address), api_of(getattr(told, who))
        blind = who in ("ana", "cai")
        assert (after.json()["updated_at"] == before[who].json()["updated_at"]) is blind, who
        assert (after["ETag"] == before[who]["ETag"]) is blind, who
        assert (key in rows_of(getattr(told, who), told, "armies", changed_since=moment.isoformat())) is not blind
        entries = api.get(f"{ROOT}/campaigns/{told.campaign.pk}/chronicle/").json()["results"]
        lines = {line["field"] for entry in entries for line in entry["changes"] if line["subject_id"] == key}
        assert ("marching" in lines) is not blind, who
        asked = api.get(f"{ROOT}/campaigns/{told.campaign.pk}/chronicle/", {"army": key}).json()["results"]
        assert (len([entry for entry in asked if entry["kind"] == "week"]) == 1) is not blind, who


def test_without_fog_a_move_is_told_to_whoever_reads_where_it_is(told):
    revealed(told)
    moment = timezone.now()
    place_army(by=told.gm, army=spare(told), place="The mill")
    assert [row["place"] for row in rows_of(told.ana, told, "armies", changed_since=moment.isoformat()).values()] == [
        "The mill"
    ]


def test_a_kingdom_tells_others_of_its_name_alone(told):
    key, then = str(told.horde.pk), rows_of(told.ana, told, "kingdoms")
    record_entry(by=told.gm, kingdom=told.horde, amount=7, reason="Secret")
    assert rows_of(told.ana, told, "kingdoms")[key] == then[key]
    update_kingdom(by=told.gm, kingdom=told.horde, name="The Horde")
    assert moment_of(rows_of(told.ana, told, "kingdoms")[key]) > moment_of(then[key])


def test_a_reading_moves_nothing_and_an_undo_does(told):
    then = rows_of(told.gm, told, "armies")
    assert rows_of(told.gm, told, "armies") == then, "read twice"
    change_army(by=told.gm, army=spare(told), count=400)
    changed = rows_of(told.gm, told, "armies")[str(told.spare.pk)]
    is_taken_back(told)
    assert moment_of(rows_of(told.gm, told, "armies")[str(told.spare.pk)]) > moment_of(changed)


def test_what_was_read_may_be_sent_back_twice(told):
    """An older `updated_at` is no fault; a body of a new thing has none."""
    api, address = api_of(told.gm), f"{ROOT}/armies/{told.spare.pk}/"
    read = api.get(address).json()
    for name in ("First", "Second"):
        answer = api.patch(address, {"name": name, "updated_at": read["updated_at"]})
        assert (answer.status_code, answer.json()["name"]) == (200, name)
    body = {"kingdom": str(told.crown.pk), "name": "Levy", "unit": UNIT, "count": 50, "updated_at": read["updated_at"]}
    assert api.post(f"{ROOT}/armies/", body).status_code == 400


def test_every_answer_with_an_army_tells_it(told):
    answer = api_of(told.gm).post(f"{ROOT}/armies/{told.spare.pk}/rest/", {})
    assert answer.status_code == 200
    assert moment_of(answer.json()["army"]) == moment_of(rows_of(told.gm, told, "armies")[str(told.spare.pk)])


def test_other_laws_tell_it_too(told):
    api, crown = api_of(told.walls.gm), told.walls.crown
    army = raise_units(by=told.walls.gm, kingdom=crown, name="Legion", sheet=units(LEGION))
    address = f"{ROOT}/armies/{army.pk}/"
    before = api.get(address).json()
    assert api.patch(address, {"name": "Renamed"}, format="json").status_code == 200
    assert moment_of(api.get(address).json()) > moment_of(before)


def test_ids_tell_when_they_were_made():
    """To the millisecond: by the last moment of it `first_id` goes too. An id of another version tells nothing."""
    now = timezone.now()
    key = uuid7()
    assert now <= made_at(key) < timezone.now() + timedelta(milliseconds=1)
    assert key >= first_id(made_at(key))
    assert not key >= first_id(made_at(key) + timedelta(microseconds=1))
    assert made_at(UUID("f" * 12 + "4fff8" + "f" * 15)) == EPOCH
    assert first_id(datetime.fromisoformat("1901-01-01T00:00:00Z")).int >> 80 == 0


def test_a_moment_before_all_ids_lists_everything(told):
    assert rows_of(told.gm, told, "armies", changed_since="1901-01-01T00:00:00Z") == rows_of(told.gm, told, "armies")


def test_an_imported_campaign_knows_when_its_things_changed(told):
    change_army(by=told.gm, army=spare(told), count=400)
    put_army(by=told.gm, army=spare(told), hex="H7")
    copy = bring_in(told.gm, taken_along(told.campaign)).campaign
    twin = Army.objects.get(campaign=copy, name=told.spare.name)
    parts = [dict(LastChange.objects.filter(kind="army", thing=army).values_list("part", "at")) for army in
             (told.spare.pk, twin.pk)]  # fmt: skip
    assert parts[0] == parts[1]
    assert parts[0].keys() == {"", "where"}


def test_a_list_asks_once_for_any_number_of_armies(told):
    """And nothing for each of them, whoever reads."""
    revealed(told)
    configure_map(by=told.gm, campaign=told.campaign, fog=True)
    asked = {}
    for _turn in range(2):
        for who in (told.gm, told.ana):
            with CaptureQueriesContext(
                connection,
            ) as queries:
                rows_of(who, told, "armies")
            asked.setdefault(who, []).append(sum("kingdom_lastchange" in one["sql"] for one in queries))
        names = [f"Levy {number}" for number in range(5)]
        raise_armies(by=told.gm, kingdom=told.horde, names=names, unit=UNIT, count=50, revealed=True)
    assert list(asked.values()) == [[1, 1], [1, 1]]


def test_rows_of_another_id_go_by_the_chronicle(told):
    """An army that rose in a battle has an id of another version."""
    risen = SimpleNamespace(pk=UUID("f" * 12 + "4fff8" + "f" * 15), campaign_id=told.campaign.pk, kingdom_id=None)
    with tried():
        load_updated("army", told.gm, [risen])
        assert risen._updated_at == EPOCH
        moment = timezone.now()
        LastChange.objects.create(campaign=told.campaign, kind="army", thing=risen.pk, at=moment)
        load_updated("army", told.gm, [risen])
        assert risen._updated_at == moment
