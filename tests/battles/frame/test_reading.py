"""Who reads what: pages, log, replay and export, for everybody at the table and nobody else."""

from __future__ import annotations

import json
from typing import Any

import pytest

from battles.codec.storage import get_keeper
from battles.log import parts as log_parts
from battles.log.phases import is_told
from battles.log.queries import log_of
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from tests.battles.conftest import Client
from tests.battles.frame.conftest import play
from tests.rulesets.drivers import sides_of

PAGES = ("", "log/", "log/?before=2", "log/luck/", "replay/", "replay/?step=1", "aftermath/", "log.txt", "log.json")


@pytest.mark.slow
@pytest.mark.parametrize("who, code", [("gm", 200), ("ana", 200), ("viewer", 200), ("stranger", 404)])
def test_the_table_reads_a_battle_and_a_stranger_does_not(over, table, client, who, code):
    client.force_login(getattr(table, who))
    codes = {page: client.get(f"/battles/{over.battle.pk}/{page}").status_code for page in PAGES}
    assert codes == dict.fromkeys(PAGES, code)
    assert Client(getattr(table, who), over.battle).api.get(over.url).status_code == code


def told(table: Any, battle: Battle, who: str, client: Any) -> dict[str, str]:
    """All that somebody can read of what happened."""
    client.force_login(getattr(table, who))
    api = Client(getattr(table, who), battle)
    pages = [f"/battles/{battle.pk}/{page}" for page in ("", "replay/?step=99", "log.txt", "log.json")]
    return {
        **{page: client.get(page).getvalue().decode() for page in pages},
        "events": api.api.get(f"{api.url}events/").content.decode(),
    }


def test_what_is_secret_is_told_to_nobody_else(gm, table, driver, client):
    play(gm, driver.before_orders(table))
    mine = Client(table.ana, gm.battle)
    done = mine.ok(**driver.own(table))
    secret = done["events"][0]
    for who in ("gm", "ana"):
        assert str(secret["text"]) in told(table, gm.battle, who, client)["events"]
    for who in ("bo", "viewer"):
        for where, text in told(table, gm.battle, who, client).items():
            assert str(secret["text"]) not in text, (who, where)


def test_the_recorded_dice_tell_the_same_battle_again(over):
    replay = over.api.get(f"{over.url}replay/").json()
    assert (replay["identical"], replay["differs"]) == (True, None)
    assert replay["events"] == over.api.get(f"{over.url}events/").json()["results"]


def test_openings_commands_events_and_states_come_back_as_they_were_written(over):
    battle = Battle.objects.get(pk=over.battle.pk)
    engine = play_battle_state.get_engine(battle)
    keeper, state = get_keeper(engine), play_battle_state.load_opening_state(battle)
    assert keeper.dump_opening(keeper.load_opening(battle.opening)) == battle.opening
    for record in battle.records.order_by("seq"):
        events = keeper.load_events(record.events)
        assert keeper.dump_events(events) == record.events
        command = keeper.load_command(record.command)
        assert keeper.load_command(keeper.dump_command(command)) == command
        state = engine.fold(state, events)
        frozen = keeper.dump_frozen(engine.freeze(state))
        assert engine.thaw(keeper.load_opening(battle.opening), keeper.load_frozen(frozen)) == state
    assert state == play_battle_state.load_state(battle)


def test_the_log_goes_away_as_text_and_as_json(over, table, client):
    client.force_login(table.ana)
    text = client.get(f"/battles/{over.battle.pk}/log.txt").getvalue().decode()
    body = json.loads(client.get(f"/battles/{over.battle.pk}/log.json").getvalue())
    assert "The ford" in text
    assert body["events"]
    assert [event["seq"] for event in body["events"]] == sorted(event["seq"] for event in body["events"])


def test_a_form_of_the_page_does_what_the_api_does(gm, table, driver, client):
    """Undo is on every law's page."""
    play(gm, [driver.first(table)])
    client.force_login(table.gm)
    page = f"/battles/{gm.battle.pk}/"
    assert 'id="undo"' in client.get(page).content.decode()
    sent = client.post(f"{page}command/", {"type": "undo", "version": 2}, headers={"HX-Request": "true"})
    assert sent.status_code == 200
    assert gm.read()["version"] == 3
    late = client.post(f"{page}command/", {"type": "undo", "version": 2}, headers={"HX-Request": "true"})
    assert late.status_code == 412


def test_the_log_goes_on_part_by_part_until_its_beginning(over, table, client, monkeypatch):
    for bound, value in {"PHASES": 1, "LINES": 1, "MOST": 1, "FEW": 0}.items():
        monkeypatch.setattr(log_parts, bound, value)
    client.force_login(table.bo)
    page = client.get(f"/battles/{over.battle.pk}/").context["page"]
    parts = [page.told.part]
    while parts[-1].older:
        before = parts[-1].since
        parts.append(client.get(f"/battles/{over.battle.pk}/log/?before={before}").context["part"])
    found = [line.seq for part in parts for phase in part.phases for line in phase.lines]
    whole = log_of(page.battle, page.state, page.viewer)
    assert len(parts) > 1
    assert sorted(found) == [line.seq for line in whole if is_told(line)]


def test_every_line_of_the_log_has_an_address(over, table, client):
    client.force_login(table.bo)
    page = client.get(f"/battles/{over.battle.pk}/").context["page"]
    for phase in page.log:
        for line in phase.lines:
            assert client.get(f"/battles/{over.battle.pk}/log/{line.seq}/").context["line"] == line


def test_the_list_shows_it(gm, table, client):
    client.force_login(table.bo)
    assert "The ford" in client.get(f"/c/{table.campaign.pk}/battles/").content.decode()
    assert [side["name"] for side in sides_of(table)] == [side["name"] for side in gm.read()["sides"]]
