"""A kingdom that is dissolved by mistake comes back as it was, with all that went with it."""

from __future__ import annotations

import json
from copy import copy
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext

from armies.forces.services import remove_army
from armies.intel.services import hide_army
from armies.models import Army, Commander, Insight, Sighting
from armies.pathfinder.models import KingdomStock
from kingdom.chronicle.field_change import Blocked
from kingdom.chronicle.queries import list_entries
from kingdom.chronicle.services import undo_entry, undo_last
from kingdom.map.queries import load_map_state
from kingdom.map.services import claim_hexes, configure_map, make_map
from kingdom.members.services import remove_member, set_role
from kingdom.models import (
    Campaign,
    CampaignMap,
    ChronicleEntry,
    DeletedRow,
    Kingdom,
    KingdomPlayer,
    Knowledge,
    LastChange,
    LedgerEntry,
    MapKnowledge,
    Role,
    Settlement,
)
from kingdom.models.base import uuid7
from kingdom.realms.services import assign_players, dissolve_kingdom, found_kingdom, found_settlement
from kingdom.realms.treasury_services import record_entry
from rules.core.errors import IllegalCommand, Refusal
from tests.armies.conftest import appointed, raised
from tests.kingdom.archive.journeys import taken_along
from tests.kingdom.campaign.test_pages import text_of
from tests.kingdom.conftest import api_of, client_of
from tests.rows import write_rows
from tests.worlds import built_once

pytestmark = pytest.mark.django_db


def everything(campaign) -> dict[str, list[dict[str, Any]]]:
    """Every row of the campaign, but for what tells of deeds and which edition of the map it is."""
    models = [
        one
        for one in apps.get_models()
        if hasattr(one, "campaign") and one not in (ChronicleEntry, DeletedRow, LastChange)
    ]
    rows = {
        one._meta.label: list(one._default_manager.filter(campaign=campaign).order_by("pk").values()) for one in models
    }
    for drawn in rows["kingdom.CampaignMap"]:
        del drawn["version"], drawn["revision"]
    return {label: found for label, found in rows.items() if found}


@built_once
def realm(war):
    """The crown with something in every table that hangs on a kingdom."""
    make_map(by=war.gm, campaign=war.campaign)
    claim_hexes(by=war.gm, campaign=war.campaign, kingdom=war.crown, hexes=["A1", "B1", "C3"])
    claim_hexes(by=war.gm, campaign=war.campaign, kingdom=war.horde, hexes=["F5"])
    configure_map(by=war.gm, campaign=war.campaign, fog=True, sight=1)
    found_settlement(by=war.gm, kingdom=war.crown, name="Tatzlford", districts=2)
    KingdomStock.objects.create(
        campaign=war.campaign, kingdom=war.crown, resource="improved-armor", size="medium", quantity=3
    )
    Insight.objects.create(campaign=war.campaign, kingdom=war.crown, army=war.raiders, level=2)
    Insight.objects.create(campaign=war.campaign, kingdom=war.horde, realm=war.crown, level=1)
    Sighting.objects.create(campaign=war.campaign, kingdom=war.crown, army=war.raiders, hex="C7", day=0)
    Sighting.objects.create(campaign=war.campaign, kingdom=war.horde, army=war.levy, hex="C8", day=0)
    remove_army(by=war.gm, army=raised(war.gm, war.crown, "Struck before"))
    return war


def fresh(row):
    return type(row).objects.get(pk=row.pk)


def dissolved(war, kingdom=None) -> ChronicleEntry:
    dissolve_kingdom(by=war.gm, kingdom=fresh(kingdom or war.crown))
    return ChronicleEntry.objects.latest("seq")


def test_a_dissolved_kingdom_comes_back_with_all_that_was_its(realm):
    before, struck = everything(realm.campaign), list(DeletedRow.objects.values())
    dissolved(realm)
    for model in (Army, Commander, Settlement, LedgerEntry, KingdomPlayer, MapKnowledge, KingdomStock):
        assert not model.objects.filter(kingdom=realm.crown.pk).exists(), model
    assert not load_map_state(CampaignMap.objects.get()).of(realm.crown.pk)
    undo_last(by=realm.gm, campaign=realm.campaign)
    assert everything(realm.campaign) == before
    assert list(DeletedRow.objects.filter(pk__in=[one["id"] for one in struck]).values()) == struck
    undo_last(by=realm.gm, campaign=realm.campaign)
    assert Army.objects.filter(name="Struck before").exists(), "what was struck before comes back after it"


def test_nothing_is_kept_of_it_twice(realm):
    entry = dissolved(realm)
    kinds = sorted(one.kind for one in entry.struck.all())
    assert kinds == ["army", "commander", "kingdom", "settlement", "settlement"]
    (kept,) = (one.whole for one in entry.struck.filter(kind="kingdom"))
    assert kept["hung"].keys() == {
        "insight.kingdom", "insight.realm", "kingdomplayer.kingdom", "kingdomstock.kingdom", "ledgerentry.kingdom",
        "mapknowledge.kingdom", "sighting.kingdom",
    }  # fmt: skip


def test_two_gms_dissolve_it_once(war):
    entry = dissolved(war)
    dissolve_kingdom(by=war.gm, kingdom=war.crown)
    assert ChronicleEntry.objects.latest("seq") == entry


def test_a_player_who_left_since_or_only_watches_does_not_run_it_again(war):
    assign_players(by=war.gm, kingdom=fresh(war.crown), players=[war.ana, war.bo])
    record_entry(by=war.ana, kingdom=fresh(war.crown), amount=5, reason="Toll")
    dissolved(war)
    remove_member(by=war.gm, campaign=fresh(war.campaign), user=war.ana)
    set_role(by=war.gm, campaign=fresh(war.campaign), user=war.bo, role=Role.VIEWER)
    undo_last(by=war.gm, campaign=war.campaign)
    assert not KingdomPlayer.objects.filter(kingdom=war.crown.pk).exists()
    assert [one.by for one in LedgerEntry.objects.filter(kingdom=war.crown.pk, amount=5)] == [None]
    assert fresh(war.crown).treasury == LedgerEntry.objects.filter(kingdom=war.crown.pk).latest("seq").balance


def test_hexes_that_somebody_else_claims_by_now_are_given_back_first(realm):
    entry = dissolved(realm)
    claim_hexes(by=realm.gm, campaign=realm.campaign, kingdom=realm.horde, hexes=["B1"])
    with pytest.raises(Blocked, match="Undo that event first"):
        undo_entry(by=realm.gm, entry=entry)
    assert not Kingdom.objects.filter(pk=realm.crown.pk).exists()
    undo_last(by=realm.gm, campaign=realm.campaign)
    undo_entry(by=realm.gm, entry=entry)
    assert load_map_state(CampaignMap.objects.get()).of(realm.crown.pk)


def test_what_was_founded_in_it_is_taken_back_after_it_stands_again(war):
    found_settlement(by=war.gm, kingdom=war.crown, name="Tatzlford")
    founded = ChronicleEntry.objects.latest("seq")
    entry = dissolved(war)
    with pytest.raises(Blocked, match=r"was deleted.*Undo that event first") as refused:
        undo_entry(by=war.gm, entry=founded)
    assert refused.value.entry == entry


def test_the_name_of_a_hidden_army_stays_hidden_when_its_kingdom_is_dissolved(war):
    hide_army(by=war.gm, army=war.levy, hidden=True)
    war.levy.refresh_from_db()
    entry = ChronicleEntry.objects.filter(names__contains=[war.levy.pk]).latest("seq")
    ChronicleEntry.objects.filter(pk=entry.pk).update(private=False)

    def told(user) -> bool:
        return list_entries(user, war.campaign).filter(pk=entry.pk).exists()

    assert (told(war.gm), told(war.bo)) == (True, False)
    dissolved(war)
    assert (told(war.gm), told(war.bo)) == (True, False)
    undo_last(by=war.gm, campaign=war.campaign)
    assert (told(war.gm), told(war.bo)) == (True, False)


def test_the_chronicle_tells_players_that_it_is_dissolved_and_no_more(war):
    entry = dissolved(war)
    page = text_of(client_of(war.bo).get(f"/c/{war.campaign.pk}/chronicle/"))
    assert "Crown of Restov was deleted." in page
    assert "Levy" not in page
    told = api_of(war.bo).get(f"/api/v1/campaigns/{war.campaign.pk}/chronicle/").content.decode()
    assert "Levy" not in told
    assert "Ser Vell" not in told
    assert "whole" not in told
    assert entry.kingdoms == [war.crown.pk]


def test_it_asks_as_little_of_many_armies_as_of_few(war):
    """What is kept is read table by table; each army that comes back is looked at for itself."""
    with CaptureQueriesContext(connection) as few:
        dissolved(war)
    undo_last(by=war.gm, campaign=war.campaign)
    for number in range(3):
        raised(war.gm, war.crown, f"Levy {number}", commander=appointed(war.gm, war.crown, f"Odo {number}"))
        found_settlement(by=war.gm, kingdom=war.crown, name=f"Town {number}")
    with CaptureQueriesContext(connection) as many:
        dissolved(war)
    assert len(many) == len(few)


WRONG = ({"treasury": 7}, {"name": " "}, {"size": -1}, {"planned": [3]}, {"arms": {"x": 1}}, {"unrest": "x"})


def test_what_no_kingdom_can_be_is_brought_back_by_no_undo(war):
    """Of a document somebody else wrote."""
    entry = dissolved(war)
    kept = entry.struck.get(kind="kingdom")
    columns = kept.whole["columns"]
    for wrong in WRONG:
        kept.whole["columns"] = columns | wrong
        kept.save()
        with pytest.raises(Refusal):
            undo_entry(by=war.gm, entry=fresh(entry))
        assert not Kingdom.objects.filter(pk=war.crown.pk).exists(), wrong


def test_no_undo_takes_a_kingdom_away(war):
    """Of a document somebody else wrote."""
    entry = dissolved(war, found_kingdom(by=war.gm, campaign=war.campaign, name="Other"))
    undo_entry(by=war.gm, entry=entry)
    (line,) = entry.changes
    told = ChronicleEntry.objects.latest("seq")
    told.changes, told.undone_at = [{**line, "before": False, "after": True}], None
    told.save()
    with pytest.raises(IllegalCommand, match="deleted for good"):
        undo_entry(by=war.gm, entry=told)
    assert Kingdom.objects.filter(name="Other").exists()


def test_the_notice_of_it_offers_to_take_it_back(war, client):
    client.force_login(war.gm)
    page = client.post(f"/kingdoms/{war.crown.pk}/dissolve/", {"typed": "Crown of Restov"}, follow=True)
    entry = ChronicleEntry.objects.latest("seq")
    assert "Crown of Restov deleted." in text_of(page)
    assert f"/chronicle/{entry.pk}/undo/" in page.content.decode()


def test_programs_dissolve_it_and_take_it_back(war):
    api = api_of(war.gm)
    address = f"/api/v1/kingdoms/{war.crown.pk}/"
    before = api.get(address)
    assert api.delete(address, headers={"If-Match": before["ETag"]}).status_code == 204
    assert api.get(address).status_code == 404
    entry = ChronicleEntry.objects.latest("seq")
    assert (
        api.post(f"/api/v1/campaigns/{war.campaign.pk}/undo/", {"entry": str(entry.pk)}, format="json").status_code
        == 200
    )
    assert {**api.get(address).json(), "updated_at": ""} == {**before.json(), "updated_at": ""}


def test_what_was_seen_of_an_army_that_is_hidden_by_now_is_not_known_again(realm):
    entry = dissolved(realm)
    hide_army(by=realm.gm, army=fresh(realm.raiders), hidden=True)
    undo_entry(by=realm.gm, entry=entry)
    assert not Sighting.objects.filter(army=realm.raiders.pk).exists()


def test_a_document_without_people_names_none_of_those_who_ran_it(realm):
    record_entry(by=realm.ana, kingdom=fresh(realm.crown), amount=5, reason="Toll")
    dissolved(realm)
    for named in (True, False):
        written = json.dumps(taken_along(fresh(realm.campaign), named=named))
        assert [str(one.pk) in written for one in (realm.ana, realm.gm)] == [named, named]


def test_what_two_dissolved_kingdoms_know_of_each_other_comes_back_whichever_is_undone_first(realm):
    before = everything(realm.campaign)
    crown, horde = dissolved(realm), dissolved(realm, realm.horde)
    undo_entry(by=realm.gm, entry=crown)
    assert not Insight.objects.exists(), "it waits for the other one"
    undo_entry(by=realm.gm, entry=horde)
    assert everything(realm.campaign) == before


def test_what_hung_on_an_army_too_comes_back_with_whichever_comes_last(realm):
    before = everything(realm.campaign)
    remove_army(by=realm.gm, army=fresh(realm.raiders))
    struck = ChronicleEntry.objects.latest("seq")
    entry = dissolved(realm)
    for one in (struck, entry):
        undo_entry(by=realm.gm, entry=one)
    assert everything(realm.campaign) == before


def test_a_long_ledger_comes_back_in_few_questions(war):
    for number in range(3):
        record_entry(by=war.gm, kingdom=fresh(war.crown), amount=5, reason=f"Toll {number}")
    costs = []
    for more in (0, 20):
        write_rows(more_lines(fresh(war.crown), more))
        dissolved(war)
        with CaptureQueriesContext(connection) as asked:
            undo_last(by=war.gm, campaign=war.campaign)
        costs.append(len(asked))
    assert costs[0] == costs[1]
    assert LedgerEntry.objects.filter(kingdom=war.crown.pk).count() > 20


def more_lines(kingdom: Kingdom, count: int) -> list[LedgerEntry]:
    """As many more lines of its ledger, by turns one in and the same out again."""
    rows = [copy(kingdom.ledger.latest("seq")) for _number in range(count)]
    for number, row in enumerate(rows):
        come = number % 2 == 0
        row.pk, row.seq, row.amount, row.balance = uuid7(), row.seq + number + 1, 1 if come else -1, row.balance + come
    return rows


def test_of_a_document_nothing_hangs_on_a_kingdom_that_has_lines_of_its_own(war):
    """It would pass by what is asked of an army that comes back."""
    entry = dissolved(war)
    kept = entry.struck.get(kind="kingdom")
    army = entry.struck.get(kind="army")
    kept.whole["hung"]["army.kingdom"] = [{"columns": {**army.whole["columns"], "id": str(uuid7()), "name": "Spy"}}]
    kept.save()
    undo_entry(by=war.gm, entry=entry)
    assert not Army.objects.filter(name="Spy").exists()


def test_who_claimed_something_is_called_by_the_name_of_the_dissolved_kingdom(realm):
    dissolved(realm)
    page = text_of(client_of(realm.gm).get(f"/c/{realm.campaign.pk}/chronicle/"))
    assert str(realm.crown.pk) not in page


def test_names_that_others_know_nothing_of_stay_so_when_their_kingdom_is_dissolved(war):
    Campaign.objects.filter(pk=war.campaign.pk).update(others_known=Knowledge.NOTHING)
    entry = ChronicleEntry.objects.filter(names__contains=[war.levy.pk]).latest("seq")
    ChronicleEntry.objects.filter(pk=entry.pk).update(private=False)

    def told(user) -> bool:
        return list_entries(user, fresh(war.campaign)).filter(pk=entry.pk).exists()

    assert (told(war.gm), told(war.bo)) == (True, False)
    dissolved(war)
    assert (told(war.gm), told(war.bo)) == (True, False)


def test_what_is_gone_with_its_kingdom_leads_to_the_entry_to_undo_first(war):
    remove_army(by=war.gm, army=fresh(war.levy))
    struck = ChronicleEntry.objects.latest("seq")
    entry = dissolved(war)
    with pytest.raises(Blocked, match="The kingdom Levy belonged to no longer exists") as refused:
        undo_entry(by=war.gm, entry=struck)
    assert refused.value.entry == entry
