"""The GM's hand in wing command by page and API: a spell face down, effects, each taken back to the digit."""

from __future__ import annotations

from typing import Any

import pytest

from battles.models import Battle
from tests.battles.wing_command.conftest import unit_of
from tests.everyday import everyday
from tests.rulesets.browsing import plain
from tests.rulesets.gm_hand import PAGE, REASON, WAYS, Deed, GMHand, of_the_day
from tests.worlds import built_once


@built_once
def begun(hosts, fresh) -> Battle:
    """In the battle, reported by the GM: a mage of fire, who is the captain, and a wall of fire on E7."""
    hand = GMHand(hosts.gm, fresh)
    captain = unit_of(fresh, hosts.crown_wings[0], "Captain of Ironwatch")
    hand.client.ok(type="option", name="combat", value="gm")
    hand.client.ok(type="edit_unit", unit=captain, fields={"art": "fire", "level": 3})
    hand.client.ok(type="line_up", wings=[str(army.pk) for army in (*hosts.crown_wings, *hosts.horde_wings)])
    hand.client.ok(type="start")
    for what, field, value in ((captain, "spell", "firebolt"), ("E7", "effect:fire-wall", 2)):
        hand.client.ok(type="override", what=what, field=field, value=value, reason=REASON)
    return Battle.objects.get(pk=fresh.pk)


@pytest.fixture
def hand(hosts, begun) -> GMHand:
    return GMHand(hosts.gm, begun)


@pytest.fixture
def captain(hosts, begun) -> str:
    return unit_of(begun, hosts.crown_wings[0], "Captain of Ironwatch")


@pytest.fixture
def foot(hosts, begun) -> str:
    return unit_of(begun, hosts.crown_wings[0], "Foot 1")


def left_of(state: Any, what: str, effect: str) -> int:
    return next((one.left for one in state.field.timers if one.effect == effect and what in one.on), 0)


def deeds_of(captain: str, foot: str) -> list[Deed]:
    return [
        Deed(captain, {"deed": "spell:fire-wall"}, "spell", "fire-wall",
             lambda now: now.units[captain].spell == "fire-wall"),
        Deed(captain, {"deed": "spell:"}, "spell", "", lambda now: now.units[captain].spell == ""),
        Deed(foot, {"deed": "begin:ward", "turns": "2"}, "effect:ward", 2, lambda now: left_of(now, foot, "ward") == 2),
        Deed("E8", {"deed": "begin:mire", "turns": "1"}, "effect:mire", 1, lambda now: left_of(now, "E8", "mire") == 1),
        Deed("E7", {"deed": "set:fire-wall", "turns": "5"}, "effect:fire-wall", 5,
             lambda now: left_of(now, "E7", "fire-wall") == 5),
        Deed("E7", {"deed": "end:fire-wall"}, "effect:fire-wall", 0, lambda now: left_of(now, "E7", "fire-wall") == 0),
    ]  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_wc_11_the_gm_gives_takes_begins_and_ends_and_each_is_taken_back_to_the_digit(hand, captain, foot, way):
    for deed in of_the_day(deeds_of(captain, foot), way):
        hand.do_and_undo(way, deed)


def test_wc_11_each_is_refused_once_beside_its_field_and_nothing_is_done(hand, captain, foot):
    before = hand.frozen
    refused = (
        (captain, {"deed": "spell:ward"}, "spell", "ward", "This choice isn’t available"),
        (foot, {"deed": "spell:firebolt"}, "spell", "firebolt", "This choice isn’t available"),
        (foot, {"deed": "begin:ward"}, "effect:ward", -1, "Enter how many turns it lasts."),
        (foot, {"deed": "begin:ward", "turns": "31"}, "effect:ward", 31, "At most 30"),
        (foot, {"deed": "end:ward"}, "effect:ward", 0, "This choice isn’t available"),
        ("Z99", {"deed": "begin:mire", "turns": "1"}, "effect:mire", 1, "isn’t in the battle"),
    )  # fmt: skip
    for on, form, field, value, words in refused:
        answer = hand.post("by_hand", on=on, reason=REASON, **form)
        assert answer.status_code == 422, (form, answer.status_code)
        assert words in plain(answer.content.decode()), form
        answer = hand.client.send(type="override", what=on, field=field, value=value, reason=REASON)
        assert answer.status_code in (400, 409), (field, answer.content)
        assert answer.json()["errors"][0]["pointer"] in ("/value", "/what", "/field"), field
    assert hand.frozen == before


def test_the_form_lists_only_what_can_be_done_there(hosts, hand, captain, foot):
    tools = hand.page("")
    for words in ("Spells and effects…", "An effect on a hex…", "Hexes with an effect"):
        assert words in tools, words
    told = hand.page(f"&do=by_hand&army={captain}")
    assert 'label="Put a spell face down"' in told
    assert 'label="Take the spell away"' in told
    assert 'value="begin:mire"' in hand.page("&do=by_hand&army=e8"), "a hex may be typed in small letters"
    assert 'label="Put a spell face down"' not in hand.page(f"&do=by_hand&army={foot}")
    assert "do-by_hand" not in GMHand(hosts.ana, hand.battle).page("")
    assert (
        GMHand(hosts.ana, hand.battle).post("by_hand", on=foot, deed="begin:ward", turns=1, reason="x").status_code
        == 403
    )


@pytest.mark.parametrize("way", everyday(WAYS, first=1))
def test_w_35_while_an_attack_waits_for_the_report_the_gm_moves_nobody_of_it(hosts, hand, captain, foot, way):
    levy = unit_of(hand.battle, hosts.horde_wings[0], "Levy 1")
    hand.client.ok(type="roll_initiative", dice=[
        {"army": str(army.pk), "roll": "initiative", "values": [face]}
        for army, face in ((hosts.crown_wings[0], 6), (hosts.horde_wings[0], 1))])  # fmt: skip
    for side in (0, 1):
        hand.client.ok(type="pass", side=side)
    for what, at in ((foot, "E9"), (levy, "E8")):
        hand.client.ok(type="override", what=what, field="at", value=at, reason=REASON)
    hand.client.ok(type="take_wing", wing=str(hosts.crown_wings[0].pk))
    hand.client.ok(type="act", unit=foot, attack={"target": levy, "how": "melee"})
    for deed in deeds_of(captain, foot)[:3]:
        hand.do_and_undo(way, deed)
    waits = hand.frozen
    if way == PAGE:
        answer = hand.post("override", on=levy, field="at", value="A1", reason=REASON)
        assert "Levy 1: pending attack" in plain(answer.content.decode())
    else:
        answer = hand.client.send(type="override", what=levy, field="at", value="A1", reason=REASON)
        assert "pending attack. Enter its result first" in answer.json()["errors"][0]["detail"]
    assert (answer.status_code, hand.frozen) == (422 if way == PAGE else 409, waits)
    hand.client.ok(type="report", result="shaken")
    assert hand.state.units[levy].morale == 1
