"""Wing command played by page and API: what may be done by whom, refusals in words, the GM's report, spells, undo."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client as Browser

from battles.models import Battle
from battles.play.battle_state import load_state
from tests.battles.conftest import Client
from tests.rulesets.browsing import Reader
from tests.rulesets.wing_command import hosts
from tests.rulesets.wing_command.test_secrecy import face, wing


def override(gm: Client, what: str, field: str, value: Any) -> None:
    gm.ok(type="override", what=what, field=field, value=value, reason="for a test")


def to_action(gm: Client) -> None:
    """Both sides pass."""
    gm.ok(type="pass", side=0)
    gm.ok(type="pass", side=1)


def page_of(user: Any, battle: Battle, query: str = "") -> Any:
    browser = Browser()
    browser.force_login(user)
    answer = browser.get(f"/battles/{battle.pk}/{query}")
    assert answer.status_code == 200
    return answer


def chosen(user: Any, battle: Battle, **picks: str) -> Any:
    """What the button of the foot sends with these picks."""
    browser = Browser()
    browser.force_login(user)
    version = Battle.objects.get(pk=battle.pk).version
    told = {"type": "chosen", "version": version, **picks, **{f"look-{name}": value for name, value in picks.items()}}
    return browser.post(f"/battles/{battle.pk}/command/", told, headers={"HX-Request": "true"})


def refused(client: Client, words: str, **command: Any) -> None:
    answer = client.send(**command)
    assert answer.status_code == 409, answer.content
    assert words in answer.json()["detail"]


# Who and when (WC-11)


def test_only_who_owns_a_wing_acts_with_it(gm, ana, bo, table, begun):
    to_action(gm)
    own = wing(table, "crown", 0)
    assert bo.send(type="take_wing", wing=own).status_code == 403
    assert Client(table.viewer, begun).send(type="take_wing", wing=own).status_code == 403
    ana.ok(type="take_wing", wing=own)
    assert bo.send(type="end_wing").status_code == 403
    refused(ana, "still have to obey their order", type="end_wing")


def test_the_battle_says_where_it_stands_and_what_each_unit_is(ana, table, begun):
    told = ana.read()
    assert told["turn"] == {"number": 1, "limit": 12, "phase": "command", "side": 0, "active": None}
    assert (told["initiative"], told["waits_for_report"], told["distribution"]) == (0, False, None)
    crown = told["wings"][0]
    assert (crown["order"], crown["morale"], crown["shaken"], crown["broken"]) == ("attack", 8, 0, False)
    assert crown["leader"] == hosts.unit(begun, "Chief C1")
    riders = next(unit for unit in told["units"] if unit["name"] == "Riders 1")
    assert riders["figures"] == {"move": 5, "melee": 4, "shot": 0, "range": 0, "guard": 3}
    assert (riders["own"]["class"], riders["own"]["profile"], riders["own"]["size"]) == ("regular", None, "small")
    assert told["map_version"]


# WC-T 9


def test_wc_t_9_deeds_of_the_command_phase_are_refused_in_words(gm, ana, table, begun):
    chief, mage = hosts.unit(begun, "Chief C2"), hosts.unit(begun, "Mirel")
    refused(ana, "spell", type="cast", character=mage)
    override(gm, wing(table, "crown", 1), "order", "retreat")
    refused(ana, "retreat", type="change_order", character=chief, order="hold")
    override(gm, wing(table, "crown", 1), "order", "attack")
    override(gm, mage, "at", "B12")
    refused(ana, "alone", type="choose_spell", character=mage, spell="firebolt")
    override(gm, mage, "at", "B13")
    ana.ok(type="choose_spell", character=mage, spell="firebolt")
    refused(ana, "already acted", type="choose_spell", character=mage, spell="firebolt")
    head = hosts.unit(begun, "Chief C1")
    ana.ok(type="distribute", character=head, dice=[face(head, "points", 1)])
    refused(ana, "Characters can’t give orders to themselves", type="give_order", unit=head)
    ana.ok(type="give_order", unit=hosts.unit(begun, "Riders 1"))
    refused(ana, "Points left", type="give_order", unit=hosts.unit(begun, "Riders 2"))
    ana.ok(type="end_distribution")
    refused(ana, "already acted", type="distribute", character=head)


def test_wc_t_9_acts_are_refused_in_words(gm, ana, table, begun):
    to_action(gm)
    for number in range(3):
        override(gm, wing(table, "crown", number), "order", "hold")
    ana.ok(type="take_wing", wing=wing(table, "crown", 1))
    foot, champion = hosts.unit(begun, "Foot 1"), hosts.unit(begun, "Kadrin")
    own = next(
        u["unit"] for u in ana.read()["units"] if u["own"]["wing"] == wing(table, "crown", 1) and u["name"] == "Foot 1"
    )
    refused(ana, "at most 1 hex", type="act", unit=own, to="F10")
    refused(ana, "Only units of the acting wing can act", type="act", unit=foot if foot != own else champion, to="A11")
    override(gm, wing(table, "crown", 1), "order", "attack")
    override(gm, own, "fatigue", 2)
    foe = hosts.unit(begun, "Beasts of the horde 1")
    override(gm, foe, "at", "F11")
    attack = {"target": foe, "how": "melee"}
    refused(ana, "can’t charge", type="act", unit=own, attack=attack, charge=True)
    refused(ana, "can’t shoot", type="act", unit=own, attack={**attack, "how": "missile"})
    override(gm, champion, "morale", 1)
    refused(ana, "Shaken and routed characters", type="duel", character=champion, target=hosts.unit(begun, "Brakk"))


def test_what_no_picks_come_to_is_refused_on_the_page_and_nothing_happens(gm, table, begun):
    to_action(gm)
    before = Battle.objects.get(pk=begun.pk).version
    answer = chosen(table.ana, begun, unit=hosts.unit(begun, "Foot 1"), to="A1")
    assert answer.status_code == 422
    assert "This isn’t possible anymore" in answer.content.decode()
    assert Battle.objects.get(pk=begun.pk).version == before


# The page


def test_whose_turn_it_is_stands_on_the_page(gm, table, begun):
    mine, theirs = page_of(table.ana, begun), page_of(table.bo, begun)
    assert "You command" in mine.content.decode()
    assert "Crown commands" in theirs.content.decode()
    assert (mine.context["page"].your_turn, theirs.context["page"].your_turn) == (True, False)
    to_action(gm)
    assert "Choose the wing to act" in page_of(table.ana, begun).content.decode()


def test_one_button_carries_the_battle_on_for_the_gm_and_for_players(table):
    battle = hosts.opened(table)
    gm = hosts.place_all(table, battle)
    gm.ok(type="start")
    for user in (table.gm, table.ana):
        body = page_of(user, battle).content.decode()
        assert body.count('id="go"') == 1
        assert "Roll initiative" in body
    assert chosen(table.bo, battle).status_code == 200
    assert gm.read()["turn"]["phase"] == "command"


def test_a_character_is_told_their_ability_threshold_and_chances(table, begun):
    chief = hosts.unit(begun, "Chief C1").rpartition(":")[2]
    body = page_of(table.ana, begun, f"?unit={chief}").content.decode()
    for words in ("Command ability", "4 to 12 order points", "Command test", "threshold 9", "Give special orders"):
        assert words in body
    assert "pick=distribute" in body


def test_an_order_is_given_in_two_taps_each_with_its_price(gm, ana, table, begun):
    head, unit = hosts.unit(begun, "Chief C1"), hosts.unit(begun, "Heavy foot")
    ana.ok(type="distribute", character=head, dice=[face(head, "points", 6)])
    page = page_of(table.ana, begun)
    view = page.context["page"].law_field
    assert len(view.priced) == len([u for u in ana.read()["units"] if u["side"] == 0]) - 1
    assert chosen(table.ana, begun, target=unit.rpartition(":")[2]).status_code == 200
    assert ana.read()["distribution"]["points"] == 12 - 1
    told = next(one for one in ana.read()["units"] if one["unit"] == unit)
    assert told["own"]["special_order"]


def test_what_goes_with_an_act_stays_picked(gm, ana, table, begun):
    to_action(gm)
    ana.ok(type="take_wing", wing=wing(table, "crown", 2))
    riders, foe = hosts.unit(begun, "Riders 1"), hosts.unit(begun, "Riders")
    override(gm, foe, "at", "K8")
    query = {"unit": riders.rpartition(":")[2], "target": foe.rpartition(":")[2]}
    view = page_of(table.ana, begun, "?" + "&".join(f"{k}={v}" for k, v in query.items())).context["page"].law_field
    acts = {act.slug: view.act_href(act) for act in view.beside}
    assert {"charge:no", "follow:no"} <= acts.keys()
    other = page_of(table.ana, begun, acts["charge:no"])
    legal = other.context["page"].legal
    assert legal.confirm.command.charge is False
    assert "Attack" in str(legal.confirm.button)
    left = other.context["page"].law_field
    follow = page_of(table.ana, begun, left.act_href(next(a for a in left.beside if a.slug == "follow:no")))
    command = follow.context["page"].legal.confirm.command
    assert (command.charge, command.follow) == (False, False)


# The GM


def test_the_gm_reports_what_came_of_an_attack(table):
    battle = hosts.opened(table)
    gm = hosts.place_all(table, battle)
    gm.ok(type="option", name="combat", value="gm")
    gm.ok(type="start")
    gm.ok(type="roll_initiative", dice=[face(wing(table, "crown", 0), "initiative", 6),
                                        face(wing(table, "horde", 0), "initiative", 1)])  # fmt: skip
    to_action(gm)
    ana = Client(table.ana, battle)
    ana.ok(type="take_wing", wing=wing(table, "crown", 2))
    riders, foe = hosts.unit(battle, "Riders 1"), hosts.unit(battle, "Riders")
    override(gm, foe, "at", "K8")
    answer = chosen(table.ana, battle, unit=riders, target=foe, pick="melee")
    assert answer.status_code == 200
    assert ana.read()["waits_for_report"]
    assert ": waiting for the GM to enter the result" in page_of(table.ana, battle).content.decode()
    assert chosen(table.ana, battle, pick="recoil").status_code == 422
    body = page_of(table.gm, battle).content.decode()
    assert all(words in body for words in ("no effect", "destroyed", "the attacker recoils"))
    assert chosen(table.gm, battle, pick="recoil").status_code == 200
    told = gm.api.get(f"{gm.url}events/").json()["results"]
    assert any(event["type"] == "attacked" for event in told)
    assert not gm.read()["waits_for_report"]


@pytest.mark.parametrize("by_answer", [True, False], ids=["answer", "aim"])
def test_a_spell_that_succeeds_asks_for_its_target(gm, ana, table, begun, by_answer):
    mage, foe = hosts.unit(begun, "Mirel"), hosts.unit(begun, "Levy 1")
    ana.ok(type="choose_spell", character=mage, spell="firebolt")
    override(gm, mage, "activated", False)
    override(gm, mage, "at", "B13")
    override(gm, foe, "at", "B9")
    told = ana.ok(type="cast", character=mage, dice=[face(mage, "spell", 1, 1)])
    assert [one["key"] for one in told["pending"]] == ["aim"]
    view = page_of(table.ana, begun).context["page"].law_field
    assert [one.target for one, _href, _on in view.targets] == [foe]
    bolt = [face(mage, "missile", 1, 1)]
    command = {"type": "answer", "key": "aim", "choice": foe} if by_answer else {"type": "aim", "target": foe}
    ana.ok(**command, dice=bolt)
    assert "pending" not in ana.read()


def test_a_player_takes_back_a_move_and_no_die(gm, ana, table, begun):
    to_action(gm)
    ana.ok(type="take_wing", wing=wing(table, "crown", 2))
    riders, foe = hosts.unit(begun, "Riders 1"), hosts.unit(begun, "Riders")
    ana.ok(type="act", unit=riders, to="K10")
    assert "Undo the move" in page_of(table.ana, begun).content.decode()
    ana.ok(type="undo")
    override(gm, foe, "at", "K8")
    ana.ok(type="act", unit=riders, to="K9", attack={"target": foe}, dice=[face(riders, "melee", 2, 2)])
    assert ana.send(type="undo").status_code == 403
    assert gm.send(type="undo").status_code == 200


def test_the_gm_sets_a_state_by_hand_on_the_page(gm, table, begun):
    riders = hosts.unit(begun, "Riders 1")
    browser = Browser()
    browser.force_login(table.gm)
    form = browser.get(f"/battles/{begun.pk}/?do=override&army={riders}&what=fatigue").content.decode()
    assert "Exhausted" in form
    sent = {"type": "override", "on": riders, "field": "fatigue", "value": "2", "reason": "a long march",
            "version": Battle.objects.get(pk=begun.pk).version}  # fmt: skip
    answer = browser.post(f"/battles/{begun.pk}/command/", sent, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    told = next(one for one in gm.read()["units"] if one["unit"] == riders)
    assert "Exhausted" in told["states"]
    for field, value, now in (("profile", "autonomous", None), ("infiltrate", "yes", True), ("large", "yes", True)):
        browser.get(f"/battles/{begun.pk}/?do=override&army={riders}&what={field}")
        told = {**sent, "field": field, "value": value, "version": Battle.objects.get(pk=begun.pk).version}
        answer = browser.post(f"/battles/{begun.pk}/command/", told, headers={"HX-Request": "true"})
        assert answer.status_code == (422 if now is None else 200), field
        assert now is None or getattr(load_state(Battle.objects.get(pk=begun.pk)).units[riders].own, field) is now
    refused = {**sent, "field": "art", "value": "", "version": Battle.objects.get(pk=begun.pk).version}
    answer = browser.post(f"/battles/{begun.pk}/command/", refused, headers={"HX-Request": "true"})
    assert (answer.status_code, "Only characters have this value." in answer.content.decode()) == (422, True)
    chief = hosts.unit(begun, "Chief C1")
    told = {**sent, "on": chief, "field": "ability", "value": "E", "version": refused["version"]}
    assert browser.post(f"/battles/{begun.pk}/command/", told, headers={"HX-Request": "true"}).status_code == 200
    assert load_state(Battle.objects.get(pk=begun.pk)).units[chief].own.ability == "E"
    sent = {**sent, "value": "", "version": Battle.objects.get(pk=begun.pk).version}
    assert browser.post(f"/battles/{begun.pk}/command/", sent, headers={"HX-Request": "true"}).status_code == 422


def test_the_order_of_battle_is_printed_by_wing_with_what_its_reader_knows(table):
    """WC-11, H-5: hexes of the enemy once both sides are ready, hidden scouts never."""
    battle = hosts.opened(table)
    gm, sheet = hosts.place_all(table, battle), f"/battles/{battle.pk}/order-of-battle/"
    gm.ok(type="place", unit=hosts.unit(battle, "Night eyes"), at="A1")
    placed = load_state(Battle.objects.get(pk=battle.pk))
    levy = next(token for token in placed.field.tokens.values() if str(token.name) == "Levy 1")
    for who, told in (("gm", True), ("bo", True), ("ana", False)):
        markup = Reader(getattr(table, who)).markup(sheet)
        assert bool(re.search(f"<td>{levy.name}</td>\\s*<td>{levy.at}</td>", markup)) is told, who
    gm.ok(type="start")
    for who, told in (("gm", True), ("bo", True), ("ana", False), ("viewer", False)):
        markup = Reader(getattr(table, who)).markup(sheet)
        assert ("Night eyes" in markup) is told, who
        assert re.search(f"<td>{levy.name}</td>\\s*<td>{levy.at}</td>", markup), who
        assert [f"{side.armies[0].name}: Units" in markup for side in (table.crown, table.horde)] == [True, True]


MELEE_OF_36 = {0: (6, 9, 11, 7, 3, 0), 1: (3, 7, 11, 9, 5, 1), 2: (1, 5, 9, 11, 7, 3), 3: (0, 3, 7, 11, 9, 6)}
"""WC-T 6."""


def test_wc_t_6_a_target_that_is_picked_tells_its_sum_and_the_chances_of_its_column(gm, ana, table, begun):
    to_action(gm)
    ana.ok(type="take_wing", wing=wing(table, "crown", 2))
    riders, foe = hosts.unit(begun, "Riders 1"), hosts.unit(begun, "Riders")
    override(gm, foe, "at", "K8")
    told = ana.api.get(f"{ana.url}?pick={riders}").json()["choices"]
    target = next(one for one in told if one["what"] == "target" and one["id"] == foe)
    total = int(target["throw"].replace(" ", "").removeprefix("2D6") or 0)
    assert sum(Fraction(one["chance"]) for one in target["outcomes"]) == 1
    found = [one for one in MELEE_OF_36[total] if one]
    assert [36 * Fraction(one["chance"]) for one in target["outcomes"] if Fraction(one["chance"])] == found
    assert target["sum"]
