"""A command asks for a hex, a number, a choice and a die: by page and API, through reloads and undo."""

from __future__ import annotations

from typing import Any

from battles.codec.storage import get_keeper
from battles.log.queries import check_replay
from battles.play import battle_state as play_battle_state
from rules.hexes.geometry import Hex, at_place
from tests.rulesets.turns.driver import DRIVER as road

FITS: dict[str, Any] = {"back": "G1", "guards": 2, "going": "fast", "again": None}


def answer(table: Any, **changed: Any) -> dict[str, Any]:
    return {"type": "answer", "key": road.unit(table.raiders), "answers": {**FITS, **changed}}


def sent(client: Any, table: Any, **changed: Any) -> dict[str, Any]:
    """The form of the page as its reader sends it."""
    fields = {"back": "G1", "guards": "2", "going": "fast", "again": "", **changed}
    told = {f"answer-{name}": value for name, value in fields.items()}
    return {"type": "answer", "version": client.read()["version"], "key": road.unit(table.raiders), **told}


def places(client: Any) -> dict[str, int]:
    return {unit["unit"]: unit["at"] for unit in client.read()["units"]}


def test_the_api_says_what_is_asked_and_within_which_bounds(flanked, bo, ana, table):
    (pending,) = bo.read()["pending"]
    assert (pending["key"], pending["options"]) == (road.unit(table.raiders), [])
    back, guards, going, again = pending["asks"]
    assert (back["kind"], [option["slug"] for option in back["options"]]) == (
        "hex",
        ["A1", "B1", "C1", "F1", "G1", "H1"],
    )
    assert (guards["kind"], guards["low"], guards["high"]) == ("number", 0, 3)
    assert (going["kind"], [option["slug"] for option in going["options"]]) == ("choice", ["slowly", "fast"])
    assert (again["kind"], [die["value"] for die in again["dice"]]) == ("die", [2, 5])
    assert "pending" not in ana.read()


def test_the_answer_is_carried_out_and_replayed(flanked, bo, table):
    done = bo.ok(**answer(table, again=0), dice=[{"army": road.unit(table.watch), "roll": "flank", "values": [6]}])
    assert done["events"][0]["text"] == "Raiders, line falls back to G1 fast, with 2 guards."
    assert [roll["values"] for roll in done["events"][0]["rolls"]] == [[6]]
    assert places(bo)[road.unit(table.raiders)] == 7
    assert check_replay(flanked.battle).identical


def test_a_die_may_be_left_to_lie_and_a_hex_written_small(flanked, bo, table):
    done = bo.ok(**answer(table, back="g1"))
    assert done["events"][0]["rolls"] == []
    assert places(bo)[road.unit(table.raiders)] == 7


WRONG = (
    ({"back": "D1"}, "/answers/back", "Choose one of these hexes: A1, B1, C1, F1, G1, H1."),
    ({"back": None}, "/answers/back", "Choose one of these hexes: A1, B1, C1, F1, G1, H1."),
    ({"guards": 4}, "/answers/guards", "Enter a whole number from 0 to 3."),
    ({"guards": "2"}, "/answers/guards", "Enter a whole number from 0 to 3."),
    ({"going": "merrily"}, "/answers/going", "Choose one of: slowly, fast."),
    ({"again": 2}, "/answers/again", "Enter the index of a die from 0 to 1, or null to keep them all."),
    ({"why": "so"}, "/answers/why", "Unknown question. Open now: back, guards, going, again."),
    ({"guards": True}, "/answers/guards", "Must be a word from the list, a whole number or null."),
    ({"guards": [1]}, "/answers/guards", "Must be a word from the list, a whole number or null."),
)


def test_what_does_not_fit_is_refused_with_its_pointer_and_what_would_do(flanked, bo, table):
    version = bo.read()["version"]
    for changed, pointer, said in WRONG:
        refused = bo.send(**answer(table, **changed))
        errors = [(error["pointer"], error["detail"]) for error in refused.json()["errors"]]
        assert (refused.status_code, errors) == (400, [(pointer, said)]), changed
    several = bo.send(**answer(table, guards=9, going="")).json()["errors"]
    assert [error["pointer"] for error in several] == ["/answers/going"], "what has no shape is said first"
    several = bo.send(**answer(table, guards=9, going="x")).json()["errors"]
    assert [error["pointer"] for error in several] == ["/answers/guards", "/answers/going"]
    chosen = bo.send(**answer(table), choice="stand")
    assert [error["pointer"] for error in chosen.json()["errors"]] == ["/choice"]
    assert bo.read()["version"] == version


def test_an_answer_nobody_asked_for_is_told_what_would_do(gm, bo, ana, table):
    told = "It isn’t your turn to answer. You can give these commands: step, strike, flank."
    refused = ana.send(type="answer", key=road.unit(table.watch))
    assert (refused.status_code, refused.json()["detail"]) == (409, told)
    refused = bo.send(**answer(table))
    told = "Nothing for you to do at the moment."
    assert (refused.status_code, refused.json()["detail"]) == (409, told)


def test_another_question_is_told_which_one_is_asked(flanked, bo, table):
    refused = bo.send(type="answer", key=road.unit(table.raiders, "scouts"), answers=FITS)
    key = road.unit(table.raiders)
    told = f"This question is no longer open. Open now: “{key}” (Raiders, line is flanked.)."
    assert (refused.status_code, refused.json()["detail"]) == (409, told)


def test_what_is_asked_survives_a_cold_process_and_undo(flanked, bo, table):
    asked = bo.read()["pending"]
    play_battle_state._states.clear()
    assert bo.read()["pending"] == asked
    bo.ok(**answer(table))
    flanked.ok(type="undo")
    play_battle_state._states.clear()
    assert bo.read()["pending"] == asked
    flanked.ok(type="undo")
    assert "pending" not in bo.read()


def test_a_hex_is_kept_by_its_name_as_a_value_and_as_a_key(flanked, bo, table):
    bo.ok(**answer(table))
    battle = flanked.battle
    battle.refresh_from_db()
    engine, state = play_battle_state.get_engine(battle), play_battle_state.load_state(battle)
    assert state.guards == {at_place(6, 0): 2}
    kept = get_keeper(engine).dump_frozen(state)
    assert kept["guards"] == {"G1": 2}
    found = get_keeper(engine).load_frozen(kept)
    assert found == state
    assert all(type(key) is Hex for key in found.guards)
    record = battle.records.latest("seq")
    assert record.events[0]["to"] == "G1"


def test_the_page_asks_and_takes_the_answer(flanked, bo, table, client):
    client.force_login(table.bo)
    page = f"/battles/{flanked.battle.pk}/"
    drawn = client.get(page).content.decode()
    assert 'data-hexes="back"' in drawn
    assert '<option value="G1">' in drawn
    assert 'min="0" max="3"' in drawn or ('min="0"' in drawn and 'max="3"' in drawn)
    assert "the flank: 5" in drawn
    done = client.post(f"{page}command/", sent(bo, table), headers={"HX-Request": "true"})
    assert done.status_code == 200, done.content.decode()
    assert places(bo)[road.unit(table.raiders)] == 7


def test_the_page_keeps_what_was_sent_and_says_beside_the_field_what_would_do(flanked, bo, table, client):
    client.force_login(table.bo)
    page = f"/battles/{flanked.battle.pk}/"
    for field, value in (("guards", "7"), ("back", "D1"), ("again", "9"), ("going", "")):
        refused = client.post(f"{page}command/", sent(bo, table, **{field: value}), headers={"HX-Request": "true"})
        drawn = refused.content.decode()
        assert refused.status_code == 422, field
        assert f'name="answer-{field}"' in drawn
        assert "aria-invalid" in drawn, field
        assert 'value="fast"' in drawn


def test_a_die_thrown_again_is_typed_where_its_reader_types_dice(flanked, bo, table, client):
    client.force_login(table.bo)
    page = f"/battles/{flanked.battle.pk}/"
    body = sent(bo, table, again="1")
    asked = client.post(f"{page}command/", {**body, "how": "asked"}, headers={"HX-Request": "true"}).content.decode()
    assert 'id="dice-form"' in asked
    assert 'name="answer-back" value="G1"' in asked
    again = client.get(page).content.decode()
    assert 'id="dice-form"' in again, "what is being typed outlives a reload"
    die = {"die": f"{road.unit(table.watch)}|flank|6", "face": "4", "how": "asked"}
    done = client.post(f"{page}command/", {**body, **die}, headers={"HX-Request": "true"})
    assert done.status_code == 200
    assert bo.read()["version"] == body["version"] + 1


def test_symbols_are_typed_by_slug_or_by_number(struck, bo, table):
    key = road.unit(table.raiders)
    for wrong in (0, 3, "edge", True):
        dice = [{"army": key, "roll": "clash", "values": [wrong]}]
        refused = bo.send(**road.answer(key, "stand"), dice=dice)
        (error,) = refused.json()["errors"]
        assert (refused.status_code, error["pointer"]) == (400, "/dice/0/values/0")
        assert error["detail"] == "Use one of heads, tails, or the number of a die face, 1 to 2."
    done = bo.ok(**road.answer(key, "stand"), dice=[{"army": key, "roll": "clash", "values": [2]}])
    assert done["events"][0]["rolls"][0]["sides"] == ["tails"]


def test_what_is_wrong_with_an_answer_as_a_whole_is_said_once(struck, bo, table, client):
    client.force_login(table.bo)
    address, version = f"/battles/{struck.battle.pk}/command/", bo.read()["version"]
    answer = {"type": "answer", "version": version, "key": road.unit(table.raiders), "choice": "flee"}
    told = {"flee": "Choose one of: stand, yield.", "other": "This question is no longer open. Open now: "}
    for sent, said in ((answer, told["flee"]), ({**answer, "key": "nothing"}, told["other"])):
        refused = client.post(address, sent, headers={"HX-Request": "true"})
        assert refused.status_code == 422
        assert refused.content.decode().count(said) == 1
        assert 'value="stand"' in refused.content.decode(), "the question is still there"
    assert bo.read()["version"] == version


def test_an_answer_to_what_was_taken_back_meanwhile_is_not_lost_without_a_word(flanked, bo, table, client):
    client.force_login(table.bo)
    body = sent(bo, table)
    flanked.ok(type="undo")
    stale = client.post(f"/battles/{flanked.battle.pk}/command/", body, headers={"HX-Request": "true"})
    assert stale.status_code == 412
    assert "Someone else acted first." in stale.content.decode()
