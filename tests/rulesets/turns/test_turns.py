"""What a law that takes turns asks of the frame: whose turn, step by step, owners, answers, hiding, taking back."""

from __future__ import annotations

from battles.play import battle_state as play_battle_state
from tests.battles.conftest import Client
from tests.battles.frame.conftest import opened, play
from tests.rulesets.turns.driver import DRIVER as road


def test_whose_turn_it_is_is_the_laws_word(gm, ana, bo, table):
    assert [awaited["army"] for awaited in gm.read()["awaiting"]] == [str(table.watch.pk)]
    assert ana.read()["legal"] == ["step", "strike", "flank"]
    assert bo.read()["legal"] == []
    refused = bo.send(**road.step(table.raiders, 5))
    assert (refused.status_code, refused.json()["detail"]) == (409, "It is not its turn.")
    ana.ok(**road.step(table.watch, 5))
    assert bo.read()["legal"] == ["step", "strike", "flank"]


def test_what_is_legal_answers_for_what_is_picked(ana, table):
    line, scouts = road.unit(table.watch), road.unit(table.watch, "scouts")
    assert ana.read()["deeds"] == [line, scouts]
    picked = ana.api.get(ana.url, {"pick": line}).json()
    assert picked["deeds"] == ["step:3", "step:5"]
    assert ana.api.get(ana.url, {"pick": scouts}).json()["deeds"] == ["step:2"]
    assert ana.api.get(ana.url, {"pick": road.unit(table.raiders)}).json()["deeds"] == [line, scouts]


def test_a_command_stops_and_asks_the_other_side(struck, ana, bo, table):
    key = road.unit(table.raiders)
    assert [pending["key"] for pending in bo.read()["pending"]] == [key]
    assert [option["slug"] for option in bo.read()["pending"][0]["options"]] == ["stand", "yield"]
    assert "pending" not in ana.read()
    assert ana.send(**road.answer(key, "yield")).status_code == 403
    assert bo.send(**road.step(table.raiders, 6)).status_code == 409
    bo.ok(**road.answer(key, "yield"))
    assert "pending" not in bo.read()
    late = bo.send(**road.answer(key, "yield"))
    told = "It isn’t your turn to answer. You can give these commands: step, strike, flank."
    assert (late.status_code, late.json()["detail"]) == (409, told)


def test_what_is_pending_survives_a_cold_process_and_goes_with_what_asked(struck, bo, table):
    play_battle_state._states.clear()
    asked = bo.read()["pending"]
    struck.ok(type="undo")
    play_battle_state._states.clear()
    assert "pending" not in bo.read()
    struck.ok(**road.strike(table.watch, road.unit(table.raiders)))
    assert bo.read()["pending"] == asked
    bo.ok(**road.answer(asked[0]["key"], "stand"))
    struck.ok(type="undo")
    assert bo.read()["pending"] == asked


def test_who_answers_may_type_his_die(struck, bo, table):
    key = road.unit(table.raiders)
    asks = bo.send(**road.answer(key, "stand"), ask=True).json()["asks"]
    (ask,) = asks
    assert ask.pop("label")
    assert ask == {"army": key, "roll": "clash", "die": "d2", "need": None, "sides": ["heads", "tails"]}
    answer = bo.ok(**road.answer(key, "stand"), dice=[{"army": key, "roll": "clash", "values": ["tails"]}])
    assert answer["events"][0]["rolls"][0]["sides"] == ["tails"]
    assert road.unit(table.watch) not in [unit["unit"] for unit in answer["units"]]


def test_a_player_takes_back_his_own_last_command_while_nothing_was_rolled_or_revealed(gm, ana, bo, table):
    ana.ok(**road.step(table.watch, 5))
    assert bo.send(type="undo").status_code == 403
    assert ana.ok(type="undo")["version"] == 3
    assert ana.send(type="undo").status_code == 403, "nothing of theirs stands any more"


def test_not_once_somebody_else_has_acted(ana, bo, table):
    ana.ok(**road.step(table.watch, 5))
    bo.ok(**road.step(table.raiders, 7))
    assert ana.send(type="undo").status_code == 412


def test_nor_once_a_coin_has_fallen_or_somebody_was_found(gm, ana, bo, table):
    play(gm, road.before_dice(table))
    key = road.unit(table.raiders)
    bo.ok(**road.answer(key, "stand"), dice=[{"army": key, "roll": "clash", "values": ["tails"]}])
    assert bo.send(type="undo").status_code == 403
    bo.ok(**road.step(table.raiders, 4))
    ana.ok(**road.step(table.watch, 3, "scouts"))
    stumbled = bo.ok(**road.step(table.raiders, 3))
    assert [event["type"] for event in stumbled["events"]] == ["revealed", "turn"]
    assert road.unit(table.watch, "scouts") in units(bo)
    assert bo.send(type="undo").status_code == 403
    gm.ok(type="undo")
    assert road.unit(table.watch, "scouts") not in units(bo)


def test_the_owner_of_a_unit_commands_it_and_nothing_else(table):
    table.watch.sheet["scouts"] = str(table.viewer.pk)
    table.watch.save()
    gm = opened(table)
    owner, scouts = Client(table.viewer, gm.battle), road.unit(table.watch, "scouts")
    assert owner.read()["deeds"] == [scouts]
    assert owner.send(**road.step(table.watch, 5)).status_code == 403
    owner.ok(**road.step(table.watch, 2, "scouts"))
    assert owner.ok(type="undo")["deeds"] == [scouts]


def units(client: Client) -> set[str]:
    return {unit["unit"] for unit in client.read()["units"]}


def test_what_is_hidden_is_not_there_for_others(gm, ana, bo, table, client):
    scouts = road.unit(table.watch, "scouts")
    assert scouts in units(ana) & units(gm)
    assert scouts not in units(bo)
    client.force_login(table.bo)
    for page in ("", "replay/", "log.txt", "log.json", "aftermath/"):
        assert "scouts" not in client.get(f"/battles/{gm.battle.pk}/{page}").getvalue().decode().replace(
            "Raiders, scouts", ""
        )
    whole = next(army for army in bo.read()["armies"] if army["army"] == str(table.watch.pk))
    assert (whole["health"], whole["health_max"]) == (1, 1)


def test_a_list_shows_what_everybody_may_know(gm, ana, table):
    listed = ana.api.get("/api/v1/battles/").json()["results"][0]
    assert [army["hp"] for side in listed["sides"] for army in side["armies"]] == [1, 1]


def test_a_refusal_does_not_betray_what_is_hidden(gm, ana, table):
    """A hidden unit and one that never was are refused in the same words."""
    hidden, never = road.unit(table.raiders, "scouts"), road.unit(table.raiders, "dragons")
    for unit in (hidden, never):
        refused = ana.send(**road.strike(table.watch, unit))
        assert (refused.status_code, refused.json()["detail"]) == (400, "There is no such unit here.")
        refused = ana.send(type="step", unit=unit, to=8)
        assert (refused.status_code, refused.json()["detail"]) == (400, "There is no such unit here.")


def test_the_page_goes_step_by_step(gm, table, client):
    client.force_login(table.ana)
    page, line = f"/battles/{gm.battle.pk}/", road.unit(table.watch)
    assert f"?pick={line}".replace(":", "%3A") in client.get(page).content.decode()
    picked = client.get(page, {"pick": line}).content.decode()
    assert 'value="step:5"' in picked
    sent = {"type": "deed", "version": 1, "unit": line, "deed": "step:5"}
    done = client.post(f"{page}command/", sent, headers={"HX-Request": "true"})
    assert done.status_code == 200
    assert 'id="undo"' in done.content.decode()
    assert client.post(f"{page}command/", {"type": "undo", "version": 2}).status_code == 302
    assert gm.read()["version"] == 3


def test_the_page_asks_who_is_struck_at_and_takes_his_die(struck, table, client):
    client.force_login(table.bo)
    page, key = f"/battles/{struck.battle.pk}/", road.unit(table.raiders)
    assert 'value="stand"' in client.get(page).content.decode()
    version = struck.read()["version"]
    sent = {"type": "answer", "version": version, "key": key, "choice": "stand"}
    asked = client.post(f"{page}command/", {**sent, "how": "asked"}, headers={"HX-Request": "true"}).content.decode()
    assert 'name="side-0" value="tails"' in asked
    refused = client.post(f"{page}command/", {**sent, "die": f"{key}|clash|2", "face": "edge", "how": "asked"})
    assert "Choose one of its sides." in refused.content.decode()
    die = {"die": f"{key}|clash|2", "face": "tails", "how": "asked"}
    done = client.post(f"{page}command/", {**sent, **die}, headers={"HX-Request": "true"})
    assert "Ironwatch, line falls." in done.content.decode()
    assert "tails" in done.content.decode()
