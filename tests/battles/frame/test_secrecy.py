"""Who finds a battle and opens one, and through whose eyes it is looked at, whatever its law."""

from __future__ import annotations

from dataclasses import replace

from battles.play import battle_state as play_battle_state
from battles.queries import get_viewer, viewer_as
from tests.battles.conftest import Client
from tests.battles.frame.conftest import play
from tests.rulesets.drivers import sides_of


def test_a_stranger_finds_nothing_and_who_has_no_key_neither(gm, table, driver):
    stranger = Client(table.stranger, gm.battle)
    for path in ("", "events/", "replay/"):
        assert stranger.api.get(stranger.url + path).status_code == 404
    assert stranger.send(**driver.first(table)).status_code == 404
    assert stranger.api.get("/api/v1/battles/").json()["results"] == []
    assert Client(None, gm.battle).api.get(gm.url).status_code == 401


def test_what_is_the_gms_nobody_else_commands(gm, table, driver):
    play(gm, driver.before_dice(table)[:-1])
    version = gm.read()["version"]
    spare = {"type": "reinforce", "army": str(table.spare.pk), "side": "Horde"}
    for who in ("ana", "bo", "viewer"):
        reader = Client(getattr(table, who), gm.battle)
        for command in (spare, {"type": "aftermath"}, {"type": "aftermath", "confirm": True}):
            assert reader.send(**command).status_code == 403, (who, command)
    assert Client(table.viewer, gm.battle).send(type="undo").status_code == 403
    assert gm.read()["version"] == version


def test_the_gm_looks_through_a_players_eyes(gm, table):
    state = play_battle_state.load_state(gm.battle)
    as_ana = viewer_as(gm.battle, state, [table.crown.pk])
    assert as_ana == replace(get_viewer(table.ana, gm.battle, state), user="")


def test_only_the_gm_opens_a_battle(table):
    body = {"campaign": str(table.campaign.pk), "name": "Mine", "sides": sides_of(table)}
    for who, code in (("ana", 403), ("viewer", 403), ("stranger", 404)):
        assert Client(getattr(table, who)).api.post("/api/v1/battles/", body).status_code == code
