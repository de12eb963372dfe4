"""The GM's hand in THUCIDIDE fantasy by page and API: traits, cards, masters, effects, graves, each taken back."""

from __future__ import annotations

from typing import Any

import pytest

from battles.models import Battle
from rules.thucidide_fantasy.battle.situation import under
from rules.thucidide_fantasy.battle.spells.aiming import graves
from tests.everyday import everyday, spread
from tests.rulesets.browsing import plain
from tests.rulesets.gm_hand import API, PAGE, REASON, WAYS, Deed, GMHand, of_the_day
from tests.rulesets.thucidide_fantasy import hosts
from tests.worlds import built_once


@built_once
def setting_up(table) -> Battle:
    """Before the battle; its combats are reported from a table."""
    return hosts.opened(table, combat="table")


@built_once
def fought(table) -> Battle:
    """In the battle, reported from a table: the giant spider fell, and shackles lie on E7."""
    battle = hosts.begun(table, combat="table")
    hand = GMHand(table.gm, battle)
    for what, field, value in ((hosts.unit(battle, "Giant spider"), "stands", 0), ("E7", "effect:shackles", 2)):
        hand.client.ok(type="override", what=what, field=field, value=value, reason=REASON)
    return Battle.objects.get(pk=battle.pk)


@pytest.fixture
def hand(table, fought) -> GMHand:
    return GMHand(table.gm, fought)


def left_of(state: Any, what: str, effect: str) -> int:
    timer = under(state, what, effect)
    return timer.left if timer else 0


def deeds_of(battle: Battle) -> list[Deed]:
    """One of each kind; each is done in the battle as it stands."""
    pikes, mage, bones, fell = (hosts.unit(battle, name) for name in ("Pikes", "Court mage", "Bones", "Giant spider"))
    chief = hosts.unit(battle, "Chief Dark host")
    cards = hosts.state_of(battle).people[mage].cards
    return [
        Deed(pikes, {"deed": "trait:+armour"}, "trait", "+armour", lambda now: now.units[pikes].own.has("armour")),
        Deed(bones, {"deed": "trait:-undead"}, "trait", "-undead", lambda now: now.units[bones].master == ""),
        Deed(mage, {"deed": "trait:+morale"}, "trait", "+morale", lambda now: now.people[mage].own.has("morale")),
        Deed(mage, {"deed": "card:+terror"}, "card", "+terror", lambda now: "terror" in now.people[mage].cards),
        Deed(mage, {"deed": f"card:-{cards[0]}"}, "card", f"-{cards[0]}",
             lambda now: now.people[mage].cards == cards[1:]),
        Deed(bones, {"deed": f"master:{chief}"}, "master", chief, lambda now: now.units[bones].master == chief),
        Deed(bones, {"deed": "master:"}, "master", "", lambda now: now.units[bones].master == ""),
        Deed(pikes, {"deed": "begin:speed", "turns": "2"}, "effect:speed", 2,
             lambda now: left_of(now, pikes, "speed") == 2),
        Deed("E8", {"deed": "begin:darkness", "turns": "1"}, "effect:darkness", 1,
             lambda now: left_of(now, "E8", "darkness") == 1),
        Deed("E7", {"deed": "set:shackles", "turns": "5"}, "effect:shackles", 5,
             lambda now: left_of(now, "E7", "shackles") == 5),
        Deed("E7", {"deed": "end:shackles"}, "effect:shackles", 0, lambda now: left_of(now, "E7", "shackles") == 0),
        Deed(fell, {"deed": "grave:", "hex": "d9"}, "grave", "D9", lambda now: list(graves(now)) == [("D9", fell)]),
        Deed(fell, {"deed": "no-grave:"}, "grave", "", lambda now: list(graves(now)) == []),
    ]  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_tf_9_the_gm_gives_takes_begins_and_ends_and_each_is_taken_back_to_the_digit(hand, way):
    for deed in of_the_day(deeds_of(hand.battle), way):
        hand.do_and_undo(way, deed)


def test_tf_9_each_is_refused_once_beside_its_field_and_nothing_is_done(hand):
    pikes, mage, bones, fell = (
        hosts.unit(hand.battle, name) for name in ("Pikes", "Court mage", "Bones", "Giant spider")
    )
    before = hand.frozen
    refused = (
        (pikes, {"deed": "trait:+moon"}, "trait", "+moon", "This choice isn’t available"),
        (mage, {"deed": "card:-rebound"}, "card", "-rebound", "This choice isn’t available"),
        (bones, {"deed": f"master:{mage}"}, "master", mage, "This choice isn’t available"),
        (pikes, {"deed": "begin:speed"}, "effect:speed", -1, "Enter how many turns it lasts."),
        (pikes, {"deed": "begin:speed", "turns": "31"}, "effect:speed", 31, "At most 30"),
        (pikes, {"deed": "end:speed"}, "effect:speed", 0, "This choice isn’t available"),
        ("Z99", {"deed": "begin:darkness", "turns": "1"}, "effect:darkness", 1, "isn’t in the battle"),
        (fell, {"deed": "grave:"}, "grave", None, "Enter the hex of the grave."),
        (fell, {"deed": "grave:", "hex": "Z99"}, "grave", "Z99", "Z99 isn’t on the map"),
    )  # fmt: skip
    for on, form, field, value, words in refused:
        answer = hand.post("by_hand", on=on, reason=REASON, **form)
        assert answer.status_code == 422, (form, answer.status_code)
        assert words in plain(answer.content.decode()), form
        if value is None:
            continue
        answer = hand.client.send(type="override", what=on, field=field, value=value, reason=REASON)
        assert answer.status_code in (400, 409), (field, answer.content)
        assert answer.json()["errors"][0]["pointer"] in ("/value", "/what", "/field"), field
    no_reason = hand.post("by_hand", on=pikes, deed="trait:+armour", reason="")
    assert no_reason.status_code == 422
    assert hand.frozen == before


def test_the_form_lists_only_what_can_be_done_there(hand):
    pikes, bones, fell = (hosts.unit(hand.battle, name) for name in ("Pikes", "Bones", "Giant spider"))
    tools = hand.page("")
    for words in ("Traits, cards, effects, graves…", "An effect on a hex…", "Fallen units", "Hexes with an effect"):
        assert words in tools, words
    told = hand.page(f"&do=by_hand&army={pikes}")
    assert 'label="Give a trait"' in told
    for label in ("Give a card", "Choose the master", "Grave"):
        assert f'label="{label}"' not in told, label
    assert 'label="Choose the master"' in hand.page(f"&do=by_hand&army={bones}")
    told = hand.page(f"&do=by_hand&army={fell}")
    assert 'label="Grave"' in told
    assert 'label="Give a trait"' not in told
    assert "This isn’t in the battle" in hand.page("&do=by_hand&army=Z99")
    assert "There is nothing to give" in hand.page("&do=by_hand&army=0")


def test_players_and_spectators_have_no_hand(table, fought):
    pikes = hosts.unit(fought, "Pikes")
    for who in (table.ana, table.viewer):
        own = GMHand(who, fought)
        before = own.frozen
        assert own.post("by_hand", on=pikes, deed="trait:+armour", reason=REASON).status_code == 403
        assert "do-by_hand" not in own.page("")
        assert own.frozen == before


# While a throw waits for the GM's report


@pytest.mark.parametrize("way", everyday(WAYS, first=1))
def test_t_40_while_a_throw_waits_the_gm_sets_what_they_like_but_moves_nobody_of_it(table, fought, way):
    hand = GMHand(table.gm, fought)
    heavy, ogres, pikes = (hosts.unit(fought, name) for name in ("Heavy foot 1", "Ogres", "Pikes"))
    for what, field, value in ((heavy, "at", "H8"), (ogres, "at", "H7"), (heavy, "activated", True)):
        hand.client.ok(type="override", what=what, field=field, value=value, reason=REASON)
    for _phase in range(2):
        hand.client.ok(type="end_phase")
    hand.client.ok(type="attack", unit=heavy, target=ogres)
    assert hand.state.fight.asks == "report"
    for deed in spread(deeds_of(fought), 3):
        hand.do_and_undo(way, deed)
    waits = hand.frozen
    if way == PAGE:
        answer = hand.post("override", on=ogres, field="at", value="A1", reason=REASON)
        assert "Ogres: pending roll" in plain(answer.content.decode())
    else:
        answer = hand.client.send(type="override", what=ogres, field="at", value="A1", reason=REASON)
        assert "pending roll. Answer it first" in answer.json()["errors"][0]["detail"]
    assert (answer.status_code, hand.frozen) == (422 if way == PAGE else 409, waits)
    hand.client.ok(type="override", what=pikes, field="at", value="A9", reason=REASON)
    hand.client.ok(type="report", stands=1, flags=0, hexes=0, counters=0)
    assert hand.state.units[ogres].stands == hand.state.units[ogres].start - 1


# Before the battle


@pytest.mark.parametrize("way", everyday(WAYS, first=1))
def test_tf_9_a_trait_given_before_the_battle_is_taken_away_again_and_both_are_undone(table, setting_up, way):
    hand = GMHand(table.gm, setting_up)
    pikes = hosts.unit(setting_up, "Pikes")

    def grant(trait: str, *, on: bool) -> Any:
        if way == API:
            return hand.client.send(type="grant", unit=pikes, trait=trait, on=on)
        return hand.post("grant", unit=pikes, deed=f"trait:{'+' if on else '-'}{trait}")

    begun = hand.frozen
    assert grant("invulnerable", on=True).status_code in (200, 302)
    given = hand.frozen
    assert 'value="trait:-invulnerable"' in hand.page(f"&do=grant&army={pikes}")
    assert grant("invulnerable", on=False).status_code in (200, 302)
    assert hand.frozen == begun
    assert "takes a trait away from Pikes" in plain(hand.reader.markup(f"/battles/{setting_up.pk}/log/"))
    hand.client.ok(type="undo")
    assert hand.frozen == given
    hand.client.ok(type="undo")
    assert hand.frozen == begun
    assert grant("invulnerable", on=False).status_code == (422 if way == PAGE else 409)
    assert grant("moon", on=True).status_code == (422 if way == PAGE else 400)
    assert hand.frozen == begun
