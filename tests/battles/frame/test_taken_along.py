"""A campaign with a battle behind it travels as a document, whatever its law."""

from __future__ import annotations

from battles.log.queries import check_replay
from battles.models import Battle
from kingdom.chronicle.services import undo_last
from tests.battles.frame.test_world import settle
from tests.kingdom.archive.journeys import ID, bring_in, but_for_ids, differences, taken_along


def test_taken_along_and_brought_in_it_is_the_same_but_for_ids(over, table, driver, client):
    """Its battle replays, its page opens, and its last entry is undone there as it is here."""
    settle(over, table, driver)
    before = taken_along(table.campaign)
    arrival = bring_in(table.gm, before)
    after = taken_along(arrival.campaign)
    assert arrival.warnings == ()
    assert differences(but_for_ids(after), but_for_ids(before)) == []
    assert set(ID.findall(str(after))) & set(ID.findall(str(before))) == set()
    there = Battle.objects.get(campaign=arrival.campaign)
    assert check_replay(there).identical
    client.force_login(table.gm)
    assert client.get(f"/battles/{there.pk}/").status_code == 200
    assert undo_last(by=table.gm, campaign=arrival.campaign).seq == undo_last(by=table.gm, campaign=table.campaign).seq
