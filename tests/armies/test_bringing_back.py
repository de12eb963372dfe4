"""What is struck from the rolls by mistake comes back as it was."""

from __future__ import annotations

import pytest

from armies.models import Army, Commander
from armies.pathfinder.services.command import assign_commander
from armies.pathfinder.services.commanders import remove_commander
from armies.services.raising import remove_army
from kingdom.models import ChronicleEntry
from kingdom.services.campaigns import update_campaign
from kingdom.services.kingdoms import dissolve_kingdom
from kingdom.services.undoing import undo_entry, undo_last
from rules.errors import IllegalCommand
from tests.armies.conftest import appointed, raised
from tests.kingdom.conftest import api_of

pytestmark = pytest.mark.django_db


def fresh(row):
    return type(row).objects.get(pk=row.pk)


def struck(war) -> ChronicleEntry:
    remove_army(by=war.gm, army=fresh(war.levy))
    assert not Army.objects.filter(pk=war.levy.pk).exists()
    return ChronicleEntry.objects.latest("seq")


def rows(pk) -> dict:
    return Army.objects.values().get(pk=pk)


def test_an_army_comes_back_under_whoever_led_it(war):
    before = rows(war.levy.pk)
    entry = struck(war)
    remove_army(by=war.gm, army=war.levy)  # by two GMs at once: once
    assert ChronicleEntry.objects.latest("seq") == entry
    undo_last(by=war.gm, campaign=war.campaign)
    assert rows(war.levy.pk) == before
    assert fresh(war.levy).commander.pathfindercommander == war.vell


def test_it_does_not_come_back_while_its_commander_leads_another_one(war):
    entry = struck(war)
    assign_commander(by=war.gm, army=raised(war.gm, war.crown, "Other"), commander=war.vell)
    with pytest.raises(IllegalCommand, match="Ser Vell leads another army now: Other"):
        undo_entry(by=war.gm, entry=entry)


def test_it_does_not_come_back_without_its_commander_or_its_kingdom(war):
    entry = struck(war)
    remove_commander(by=war.gm, commander=war.vell)
    with pytest.raises(IllegalCommand, match="The commander of Levy is gone"):
        undo_entry(by=war.gm, entry=entry)
    undo_last(by=war.gm, campaign=war.campaign)
    dissolve_kingdom(by=war.gm, kingdom=fresh(war.crown))
    with pytest.raises(IllegalCommand, match="The kingdom Levy belonged to is gone"):
        undo_entry(by=war.gm, entry=entry)
    assert not Army.objects.filter(pk=war.levy.pk).exists()


def test_a_commander_comes_back_at_the_head_of_his_army(war):
    before = Commander.objects.values().get(pk=war.vell.pk)
    remove_commander(by=war.gm, commander=war.vell)
    assert fresh(war.levy).commander is None
    undo_last(by=war.gm, campaign=war.campaign)
    assert Commander.objects.values().get(pk=war.vell.pk) == before
    assert fresh(war.levy).commander_id == war.vell.pk


def test_a_commander_does_not_come_back_to_an_army_that_another_one_leads(war):
    remove_commander(by=war.gm, commander=war.vell)
    entry = ChronicleEntry.objects.latest("seq")
    assign_commander(by=war.gm, army=fresh(war.levy), commander=appointed(war.gm, war.crown, "Gorth"))
    with pytest.raises(IllegalCommand, match=r"Levy.*Undo that first"):
        undo_entry(by=war.gm, entry=entry)
    assert not Commander.objects.filter(pk=war.vell.pk).exists()


def test_what_another_law_wrote_stays_with_it(war):
    for army in Army.objects.all():
        remove_army(by=war.gm, army=army)
    entry = ChronicleEntry.objects.latest("seq")
    for commander in Commander.objects.all():
        remove_commander(by=war.gm, commander=commander.pathfindercommander)
    update_campaign(by=war.gm, campaign=fresh(war.campaign), ruleset="coin")
    with pytest.raises(IllegalCommand, match="belongs to another ruleset"):
        undo_entry(by=war.gm, entry=entry)


def test_nobody_is_told_all_that_is_kept(war):
    """It says who has spies in the army, and that is the GM's."""
    entry = struck(war)
    line = entry.changes[0]
    assert line["whole"]["columns"]["name"] == "Levy"
    for reader in (war.gm, war.ana):
        told = api_of(reader).get(f"/api/v1/campaigns/{war.campaign.pk}/chronicle/").content.decode()
        assert "health_max" not in told
        assert "whole" not in told
