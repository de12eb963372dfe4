"""What is struck from the rolls by mistake comes back as it was."""

from __future__ import annotations

import pytest

from armies.forces.services import remove_army
from armies.models import Army, Commander
from armies.pathfinder.armies.trade_services import disband_army
from armies.pathfinder.commanders.command_services import assign_commander
from armies.pathfinder.commanders.services import remove_commander, update_commander
from armies.pathfinder.models import PathfinderArmy, PathfinderCommander
from armies.weeks.services import confirm_time
from kingdom.campaign.services import create_campaign, update_campaign
from kingdom.chronicle.services import undo_entry, undo_last
from kingdom.models import ChronicleEntry
from kingdom.models.base import uuid7
from kingdom.realms.services import dissolve_kingdom, found_kingdom
from rules.core.errors import IllegalCommand, Refusal
from tests.armies.conftest import appointed, orc, raised
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
    with pytest.raises(IllegalCommand, match="Ser Vell now leads another army: Other"):
        undo_entry(by=war.gm, entry=entry)


def test_it_does_not_come_back_without_its_commander_or_its_kingdom(war):
    entry = struck(war)
    remove_commander(by=war.gm, commander=war.vell)
    with pytest.raises(IllegalCommand, match="Levy’s commander no longer exists"):
        undo_entry(by=war.gm, entry=entry)
    undo_last(by=war.gm, campaign=war.campaign)
    dissolve_kingdom(by=war.gm, kingdom=fresh(war.crown))
    with pytest.raises(IllegalCommand, match="The kingdom Levy belonged to no longer exists"):
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
    with pytest.raises(IllegalCommand, match=r"Levy.*Undo that event first"):
        undo_entry(by=war.gm, entry=entry)
    assert not Commander.objects.filter(pk=war.vell.pk).exists()


def test_what_another_law_wrote_stays_with_it(war):
    for army in Army.objects.all():
        remove_army(by=war.gm, army=army)
    entry = ChronicleEntry.objects.latest("seq")
    for commander in Commander.objects.all():
        remove_commander(by=war.gm, commander=commander.pathfindercommander)
    update_campaign(by=war.gm, campaign=fresh(war.campaign), ruleset="coin")
    with pytest.raises(IllegalCommand, match="belongs to a ruleset"):
        undo_entry(by=war.gm, entry=entry)


def test_nobody_is_told_all_that_is_kept(war):
    """It says who has spies in the army, and that is the GM's."""
    entry = struck(war)
    assert entry.struck.get().whole["columns"]["name"] == "Levy"
    for reader in (war.gm, war.ana):
        told = api_of(reader).get(f"/api/v1/campaigns/{war.campaign.pk}/chronicle/").content.decode()
        assert "health_max" not in told
        assert "whole" not in told


def on_its_way(war, until: int) -> None:
    stops = ["A7", *("ABCDEFG"[day] + "7" for day in range(1, until + 1))]
    way = {"since": 0, "path": stops, "stops": stops, "manner": [], "wear": 0}
    PathfinderArmy.objects.filter(pk=war.levy.pk).update(hex=stops[0], route=way, marching_until=until)


def passes(war, days: int) -> None:
    confirm_time(by=war.gm, campaign=fresh(war.campaign), days=days, lenient=True)


def test_an_army_on_its_way_comes_back_on_the_day_it_was_struck(war):
    on_its_way(war, until=3)
    before = rows(war.levy.pk)
    entry = struck(war)
    undo_last(by=war.gm, campaign=war.campaign)
    assert rows(war.levy.pk) == before
    entry = struck(war)
    passes(war, 1)
    with pytest.raises(IllegalCommand, match="Levy: on the march when deleted on day 0"):
        undo_entry(by=war.gm, entry=entry)
    undo_last(by=war.gm, campaign=war.campaign)
    undo_entry(by=war.gm, entry=entry)
    assert rows(war.levy.pk) == before


def test_an_army_that_has_arrived_keeps_its_way(war):
    """Who takes the march back later finds it as it was."""
    on_its_way(war, until=1)
    passes(war, 2)
    before = rows(war.levy.pk)
    entry = struck(war)
    passes(war, 1)
    undo_entry(by=war.gm, entry=entry)
    assert rows(war.levy.pk) == before


def test_an_army_does_not_come_back_under_a_dead_man(war):
    entry = struck(war)
    update_commander(by=war.gm, commander=fresh(war.vell), status="killed")
    with pytest.raises(IllegalCommand, match="Ser Vell is not free"):
        undo_entry(by=war.gm, entry=entry)


def test_an_army_comes_back_by_the_law_of_the_day(war):
    PathfinderArmy.objects.filter(pk=war.levy.pk).update(upkeep=99)
    struck(war)
    undo_last(by=war.gm, campaign=war.campaign)
    assert fresh(war.levy).upkeep == 1


def test_a_commander_does_not_come_back_to_an_army_that_fights_or_stands_no_more(war, busy):
    remove_commander(by=war.gm, commander=war.vell)
    entry = ChronicleEntry.objects.latest("seq")
    busy.add(war.levy.pk)
    with pytest.raises(IllegalCommand, match="Levy fights"):
        undo_entry(by=war.gm, entry=entry)
    busy.clear()
    disband_army(by=war.gm, army=fresh(war.levy))
    with pytest.raises(IllegalCommand, match="Levy: no longer an army"):
        undo_entry(by=war.gm, entry=entry)
    assert not Commander.objects.filter(pk=war.vell.pk).exists()


def test_a_commander_comes_back_to_an_army_that_stood_no_more_when_he_was_struck(war):
    PathfinderArmy.objects.filter(pk=war.levy.pk).update(status="captured")
    remove_commander(by=war.gm, commander=war.vell)
    undo_last(by=war.gm, campaign=war.campaign)
    assert fresh(war.levy).commander_id == war.vell.pk


def test_what_was_no_army_by_these_rules_comes_back_as_it_was(war):
    PathfinderArmy.objects.filter(pk=war.levy.pk).update(sheet={**fresh(war.levy).sheet, "count": 1})
    before = rows(war.levy.pk)
    struck(war)
    undo_last(by=war.gm, campaign=war.campaign)
    assert rows(war.levy.pk) == before


def test_a_captive_whose_day_has_come_meanwhile_comes_back_free(war):
    PathfinderCommander.objects.filter(pk=war.vell.pk).update(status="captured", away_until=5, ransom=3)
    PathfinderArmy.objects.filter(pk=war.levy.pk).update(commander=None)
    remove_commander(by=war.gm, commander=fresh(war.vell))
    entry = ChronicleEntry.objects.latest("seq")
    passes(war, 7)
    undo_entry(by=war.gm, entry=entry)
    assert (fresh(war.vell).status, fresh(war.vell).ransom) == ("free", None)


def test_a_day_that_is_none_brings_nothing_back(war):
    """Of a document somebody else wrote."""
    on_its_way(war, until=3)
    entry = struck(war)
    kept = entry.struck.get()
    for day in ("x", None, [1]):
        kept.whole["day"] = day
        kept.save()
        with pytest.raises(Refusal):
            undo_entry(by=war.gm, entry=entry)


def test_two_gms_strike_a_commander_once(war):
    assign_commander(by=war.gm, army=fresh(war.levy), commander=None)
    remove_commander(by=war.gm, commander=war.vell)
    entry = ChronicleEntry.objects.latest("seq")
    remove_commander(by=war.gm, commander=war.vell)
    assert ChronicleEntry.objects.latest("seq") == entry


def test_who_is_gone_is_called_by_his_name_in_the_entry(war, client):
    remove_commander(by=war.gm, commander=war.vell)
    client.force_login(war.gm)
    page = client.get(f"/c/{war.campaign.pk}/chronicle/").content.decode()
    assert str(war.vell.pk) not in page
    client.force_login(war.ana)
    assert str(war.vell.pk) not in client.get(f"/c/{war.campaign.pk}/chronicle/").content.decode()


NO_COMMANDERS = (
    {"boons": [3]}, {"level": "x"}, {"kingdom_id": 5}, {"kingdom_id": None}, {"name": " "}, {"status": "asleep"},
)  # fmt: skip


def test_what_no_commander_can_be_is_brought_back_by_no_undo(war):
    """Of a document somebody else wrote."""
    remove_commander(by=war.gm, commander=war.vell)
    entry = ChronicleEntry.objects.latest("seq")
    kept = entry.struck.get()
    columns = kept.whole["columns"]
    for wrong in NO_COMMANDERS:
        kept.whole["columns"] = columns | wrong
        kept.save()
        with pytest.raises(Refusal):
            undo_entry(by=war.gm, entry=entry)
        assert not Commander.objects.filter(pk=war.vell.pk).exists()


HUNG = [
    {"sighting.army": [{"columns": {"hex": "?!", "day": 1}}]}, {"foundryactor.army": [{"columns": {"actor": [1]}}]},
    {"armytactic.army": [{"columns": {"tactic": None}}]}, {"armytactic.army": 3}, {"armytactic.army": [3]},
]  # fmt: skip


def test_what_cannot_hang_on_an_army_is_brought_back_by_no_undo(war):
    entry = struck(war)
    kept = entry.struck.get()
    ids = {"army_id": str(war.levy.pk), "kingdom_id": str(war.horde.pk)}
    for hung in HUNG:
        for name, many in hung.items():
            for one in many if isinstance(many, list) else ():
                if isinstance(one, dict):
                    one["columns"] |= {"id": str(uuid7()), **ids}
            kept.whole["hung"] = {name: many}
        kept.save()
        with pytest.raises(Refusal):
            undo_entry(by=war.gm, entry=fresh(entry))
        assert not Army.objects.filter(pk=war.levy.pk).exists(), hung


WRITTEN = [str, lambda pk: pk.hex, lambda pk: pk.int, lambda pk: {"x": 1}]


def test_no_line_puts_an_army_into_a_kingdom_of_another_campaign(war):
    """Of a document somebody else wrote."""
    elsewhere = create_campaign(by=war.gm, name="Elsewhere", ruleset="combat-de-masse")
    other = found_kingdom(by=war.gm, campaign=elsewhere, name="Other")
    entry = struck(war)
    line = entry.changes[0]
    for written in WRITTEN:
        told = {"name": "Spy", "unit": orc(), "count": 100, "kingdom": written(other.pk)}
        entry.changes = [{**line, "field": "created", "before": told, "after": None}]
        entry.save()
        with pytest.raises(Refusal):
            undo_entry(by=war.gm, entry=fresh(entry))
        assert not Army.objects.filter(name="Spy").exists(), told
