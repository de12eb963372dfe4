"""Undo out of order, and of what a rule would refuse today: what was comes back, or the refusal says what to do."""

from __future__ import annotations

import pytest
from django.test import Client

from armies.forces.services import remove_army
from armies.models import Army
from armies.pathfinder.armies.reform_services import WantedArmy, reform_armies
from armies.pathfinder.commanders.command_services import assign_commander
from armies.pathfinder.commanders.services import remove_commander, update_commander
from armies.pathfinder.forces import tracked_fields
from armies.pathfinder.models import PathfinderArmy, PathfinderCommander, UnitType
from armies.pathfinder.unit_types import services as unit_types
from kingdom.chronicle.field_change import Blocked
from kingdom.chronicle.services import undo_entry, undo_last
from kingdom.models import ChronicleEntry
from rules.core.errors import IllegalCommand
from tests.armies.conftest import appointed, orc, raised

pytestmark = pytest.mark.django_db


def latest() -> ChronicleEntry:
    return ChronicleEntry.objects.latest("seq")


def fresh(row):
    return type(row).objects.get(pk=row.pk)


def led_elsewhere(war) -> tuple[ChronicleEntry, ChronicleEntry]:
    """Vell loses Levy by a reform and then leads Third, which is deleted. Returns the reform and the deletion."""
    gorth = appointed(war.gm, war.crown, "Gorth")
    second, third = (raised(war.gm, war.crown, name) for name in ("Second", "Third"))
    assign_commander(by=war.gm, army=second, commander=gorth)
    levy, second = fresh(war.levy), PathfinderArmy.objects.get(pk=second.pk)
    parts = [WantedArmy(levy.count, levy, commander=gorth), WantedArmy(second.count, second)]
    reform_armies(by=war.gm, army=levy, others=[second], parts=parts)
    reform = latest()
    assign_commander(by=war.gm, army=third, commander=fresh(war.vell))
    remove_army(by=war.gm, army=fresh(third))
    return reform, latest()


def test_an_army_whose_commander_an_undo_gave_back_to_another_says_whom_to_remove(war):
    reform, deletion = led_elsewhere(war)
    undo_entry(by=war.gm, entry=reform)
    assert fresh(war.levy).commander_id == war.vell.pk
    with pytest.raises(Blocked, match="Ser Vell now leads another army: Levy"):
        undo_entry(by=war.gm, entry=deletion)
    page = Client()
    page.force_login(war.gm)
    told = page.post(f"/c/{war.campaign.pk}/chronicle/{deletion.pk}/undo/", follow=True).content.decode()
    assert f'Remove them from that command first. <a href="/armies/{war.levy.pk}/">Go to the army</a>' in told
    assign_commander(by=war.gm, army=fresh(war.levy), commander=None)
    undo_entry(by=war.gm, entry=deletion)
    assert Army.objects.get(name="Third").commander_id == war.vell.pk


def test_undone_in_order_nothing_is_in_the_way(war):
    reform, deletion = led_elsewhere(war)
    for _entry in range(3):
        undo_last(by=war.gm, campaign=war.campaign)
    assert {fresh(reform).undone, fresh(deletion).undone} == {True}
    assert fresh(war.levy).commander_id == war.vell.pk


def test_a_command_that_another_undo_filled_says_whom_to_remove(war):
    assign_commander(by=war.gm, army=fresh(war.levy), commander=None)
    first, third = latest(), raised(war.gm, war.crown, "Third")
    assign_commander(by=war.gm, army=third, commander=fresh(war.vell))
    assign_commander(by=war.gm, army=fresh(third), commander=None)
    last = latest()
    undo_entry(by=war.gm, entry=first)
    with pytest.raises(Blocked) as refused:
        undo_entry(by=war.gm, entry=last)
    assert refused.value.army == war.levy.pk


def test_a_commander_who_is_gone_leads_to_the_entry_that_deleted_them(war):
    remove_army(by=war.gm, army=fresh(war.levy))
    deletion = latest()
    remove_commander(by=war.gm, commander=fresh(war.vell))
    with pytest.raises(Blocked) as refused:
        undo_entry(by=war.gm, entry=deletion)
    assert refused.value.entry == latest()


def test_an_army_comes_back_under_a_commander_who_was_a_captive_before(war):
    """PF-2.8: a captive keeps the command until somebody else takes it."""
    PathfinderCommander.objects.filter(pk=war.vell.pk).update(status="captured")
    remove_army(by=war.gm, army=fresh(war.levy))
    undo_last(by=war.gm, campaign=war.campaign)
    assert fresh(war.levy).commander_id == war.vell.pk


def test_an_army_does_not_come_back_under_a_commander_who_is_a_captive_since(war):
    remove_army(by=war.gm, army=fresh(war.levy))
    deletion = latest()
    update_commander(by=war.gm, commander=fresh(war.vell), status="captured")
    with pytest.raises(Blocked, match="Ser Vell is not free") as refused:
        undo_entry(by=war.gm, entry=deletion)
    assert refused.value.entry == latest()
    undo_last(by=war.gm, campaign=war.campaign)
    undo_entry(by=war.gm, entry=deletion)


def saved(war, name: str) -> UnitType:
    return unit_types.save_unit_type(by=war.gm, campaign=war.campaign, unit={**orc(), "name": name})


def test_a_unit_type_of_an_overfull_library_comes_back_unless_another_took_its_room(war, monkeypatch):
    """An imported campaign may have more of them than may be added."""
    first = saved(war, "First")
    saved(war, "Second")
    monkeypatch.setattr(tracked_fields, "MOST_TYPES", 1)
    unit_types.remove_unit_type(by=war.gm, unit_type=first)
    deletion = latest()
    undo_entry(by=war.gm, entry=deletion)
    unit_types.remove_unit_type(by=war.gm, unit_type=fresh(first))
    deletion = latest()
    saved(war, "Third")
    with pytest.raises(IllegalCommand, match="unit types of its own at most"):
        undo_entry(by=war.gm, entry=deletion)
