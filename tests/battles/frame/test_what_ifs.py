"""A what-if of every law's battle: branched at any command, played on, without an aftermath."""

from __future__ import annotations

from battles.log.branch_services import branch_battle
from battles.log.queries import check_replay
from battles.models import Battle, BattleArmy
from battles.play import battle_state as play_battle_state
from tests.battles.conftest import Client
from tests.battles.frame.conftest import play


def test_branched_at_any_command_it_is_the_battle_as_it_was(table, decided):
    records = list(decided.records.order_by("seq"))
    for record in records[:: max(1, len(records) // 5)]:
        branch = branch_battle(by=table.gm, battle_id=decided.pk, at=record.first_event)
        assert play_battle_state.refold(branch) == play_battle_state.fold_until(decided, branch.branched_at)
        assert check_replay(branch).identical
    assert not BattleArmy.objects.exclude(battle=decided).exists()


def test_it_is_fought_to_its_end_and_its_page_offers_no_aftermath(gm, table, driver, fresh, client):
    branch = branch_battle(by=table.gm, battle_id=fresh.pk, at=0)
    there = Client(table.gm, branch)
    over = play(there, driver.until_over(table))
    assert (over["status"], "aftermath" in over["legal"]) == ("closed", False)
    assert "it has no aftermath" in there.send(type="aftermath", confirm=True).json()["detail"]
    client.force_login(table.gm)
    page = client.get(f"/battles/{branch.pk}/")
    assert page.status_code == 200
    assert f"/battles/{branch.pk}/aftermath/" not in page.content.decode()
    assert client.get(f"/battles/{branch.pk}/report/").status_code == 200
    assert Battle.objects.get().version == fresh.version
