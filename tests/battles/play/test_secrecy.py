"""Who sees and does what: a GM all, a player their own, a viewer figures but no orders.

What holds under every law, strangers first: `frame`.
"""

from __future__ import annotations

from typing import Any

import pytest

from armies.forces.services import reveal_army
from tests.battles.conftest import Client
from tests.worlds import built_once

ORDER = {"type": "order", "strategy": "reckless"}
HIDDEN = ("om", "dv", "morale", "breakdown", "order")


@built_once
def melee(battle, table) -> Any:
    """The first melee phase is open and both armies have their orders."""
    gm = Client(table.gm, battle)
    for command in ({"type": "next"}, {"type": "resolve"}, {"type": "resolve"}):
        gm.ok(**command)
    Client(table.ana, battle).ok(**ORDER, army=str(table.watch.pk))
    Client(table.bo, battle).ok(**ORDER, army=str(table.raiders.pk))
    return battle


def card(table: Any, battle: Any, who: str, army: Any) -> dict[str, Any]:
    read = Client(getattr(table, who), battle).read()
    return next(found for found in read["armies"] if found["army"] == str(army.pk))


def test_figures_and_orders_of_the_raiders(melee, table):
    for who, figures, order in (
        ("gm", True, True), ("ana", False, False), ("bo", True, True), ("viewer", True, False),
    ):  # fmt: skip
        shown = card(table, melee, who, table.raiders)
        for figure in ("om", "dv", "morale", "breakdown"):
            assert (shown[figure] is not None) is figures, (who, figure)
        assert (shown["order"] is not None) is order, who
        assert (shown["name"], shown["status"]) == ("Raiders", "fighting"), "what stands on a field can be seen"
        assert shown["hp"] <= shown["hp_max"] == 44


def test_what_the_gm_reveals_everybody_reads_but_not_its_orders(melee, table):
    reveal_army(by=table.gm, army=table.raiders, revealed=True)
    shown = card(table, melee, "ana", table.raiders)
    assert shown["om"] == 8
    assert shown["order"] is None


def test_orders_in_the_log_are_for_those_who_gave_them(melee, table):
    names = {str(table.watch.pk): "Ironwatch", str(table.raiders.pk): "Raiders"}
    for who, sees in (("gm", {"Ironwatch", "Raiders"}), ("ana", {"Ironwatch"}), ("bo", {"Raiders"}), ("viewer", set())):
        reader = Client(getattr(table, who), melee)
        for path in ("events/", "replay/"):
            body = reader.api.get(reader.url + path).json()
            orders = [event for event in body.get("results") or body["events"] if event["type"] == "order-given"]
            assert {names[event["army"]] for event in orders} == sees, (who, path)


def test_the_answer_to_an_order_does_not_tell_the_enemy(melee, table):
    answer = Client(table.ana, melee).ok(**ORDER, army=str(table.watch.pk))
    assert "order" in [key for key in answer["armies"][0] if answer["armies"][0][key]]
    assert answer["armies"][1]["order"] is None


def test_sums_of_hidden_figures_are_left_out_of_the_log(melee, table):
    Client(table.gm, melee).ok(type="resolve")
    labels = {}
    for who in ("gm", "ana", "bo"):
        reader = Client(getattr(table, who), melee)
        events = reader.api.get(f"{reader.url}events/").json()["results"]
        attack = next(e for e in events if e["type"] == "attacked" and e["army"] == str(table.watch.pk))
        labels[who] = {found["label"] for found in attack["sums"]}
    assert {"OM", "DV"} <= labels["gm"]
    assert "OM" in labels["ana"]
    assert "DV" not in labels["ana"]
    assert "DV" in labels["bo"]
    assert "OM" not in labels["bo"]


FOR_THE_GM = (
    {"type": "resolve"},
    {"type": "next", "kind": "ranged"},
    {"type": "undo"},
    {"type": "end", "reason": "I win"},
    {"type": "interrupt"},
    {"type": "condition", "condition": "fog"},
    {"type": "aftermath"},
    {"type": "aftermath", "confirm": True},
)


@pytest.mark.slow
def test_only_the_gm_runs_the_battle(melee, table):
    version = Client(table.gm, melee).read()["version"]
    for who in ("ana", "bo", "viewer"):
        player = Client(getattr(table, who), melee)
        for command in FOR_THE_GM:
            assert player.send(version, **command).status_code == 403, (who, command)
        assert Client(table.gm, melee).read()["version"] == version, who


@pytest.mark.slow
def test_who_orders_the_raiders(melee, table):
    for who, code in (("gm", 200), ("ana", 403), ("bo", 200), ("viewer", 403), ("stranger", 404)):
        assert Client(getattr(table, who), melee).send(**ORDER, army=str(table.raiders.pk)).status_code == code, who


def test_who_reinforces_and_overrides(melee, table):
    for who in ("ana", "bo", "viewer"):
        player = Client(getattr(table, who), melee)
        assert player.send(type="reinforce", army=str(table.spare.pk), side="Horde").status_code == 403, who
        override = {"type": "override", "army": str(table.watch.pk), "field": "hp", "value": 1, "reason": "no"}
        assert player.send(**override).status_code == 403, who


def test_what_is_legal_is_what_may_be_done(melee, table):
    commanded = {"gm": {"watch", "raiders"}, "ana": {"watch"}, "bo": {"raiders"}, "viewer": set()}
    for who, legal in (("gm", 8), ("ana", 1), ("bo", 1), ("viewer", 0)):
        read = Client(getattr(table, who), melee).read()
        assert len(read["legal"]) == legal, who
        mine = {str(getattr(table, army).pk) for army in commanded[who]}
        assert {choices["army"] for choices in read["choices"]} == mine, who


def forecast_of(battle: Any, user: Any, **asked: Any) -> dict[str, Any]:
    reader = Client(user, battle)
    answer = reader.api.post(f"{reader.url}forecast/", {"matrix": True, **asked})
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_no_hidden_figure_and_no_secret_order_moves_a_forecast(melee, table):
    """Two worlds that look alike to ana: their forecast is the same to the last digit, and the GM's is not. It says
    where it guesses.
    """
    gm, raiders = Client(table.gm, melee), str(table.raiders.pk)
    before = {who: forecast_of(melee, getattr(table, who)) for who in ("ana", "gm")}
    told = {who: forecast["sides"][0] for who, forecast in before.items()}
    assert told["ana"]["low"] < told["ana"]["win"] < told["ana"]["high"]
    assert told["gm"]["low"] == told["gm"]["win"] == told["gm"]["high"]
    Client(table.bo, melee).ok(type="order", army=raiders, strategy="defensive", target=None)
    for field, value in (("dv", 9), ("om", -6), ("morale", -2), ("engines", 3)):
        gm.ok(type="override", army=raiders, field=field, value=value, reason="hidden")
    after = {who: forecast_of(melee, getattr(table, who)) for who in ("ana", "gm")}
    assert after["ana"] == before["ana"]
    assert after["gm"] != before["gm"]
