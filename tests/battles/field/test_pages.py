"""The pages of a battle without a browser: what each reader gets, how refusals come back."""

from __future__ import annotations

import json
import re
from functools import cached_property
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from battles.field import page as pages
from battles.models import Battle
from battles.play import services as play_services
from battles.play.battle_state import load_state
from battles.play.services import undo
from rules.core.dice import TypedDie
from rules.pathfinder.battle.orders.commands import End, GiveOrder, Next, Override, Resolve
from rules.pathfinder.battle.state.battle_state import Order
from tests.battles.conftest import SPEARMAN, muster, open_ford
from tests.battles.steady import Steady
from tests.databases import tried
from tests.everyday import at_most, everyday
from tests.worlds import built_once


@built_once
def ford(table):
    return open_ford(table)


@built_once
def ended(table, ford):
    """The raiders ran, and the GM ended it."""
    play(table, ford, Next(), Override(str(table.raiders.pk), "status", "routed", "test"), End("They ran", 0))
    return now(ford)


def as_(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def page_of(user: Any, battle: Battle, query: str = "") -> Any:
    return as_(user).get(reverse("battles:battle", args=[battle.pk]) + query)


def seen_by(user: Any, battle: Battle, **look: Any) -> pages.BattlePage:
    """What their page is drawn of, where nothing hinges on its text."""
    return pages.load_battle_page(user, battle.pk, pages.Look(**look))


def now(battle: Battle) -> Battle:
    return Battle.objects.get(pk=battle.pk)


def play(table, battle: Battle, *commands: Any) -> None:
    for command in commands:
        seen = now(battle).version
        play_services.play(by=table.gm, battle_id=battle.pk, version=seen, command=command, server=Steady())


def send(user: Any, battle: Battle, htmx: bool = False, **fields: Any) -> Any:
    fields.setdefault("version", now(battle).version)
    headers = {"HX-Request": "true"} if htmx else {}
    return as_(user).post(reverse("battles:command", args=[battle.pk]), fields, headers=headers)


def text(response: Any) -> str:
    return response.getvalue().decode()


@pytest.mark.slow
def test_a_stranger_finds_no_battle_and_nobody_reads_without_an_account(table, ford):
    for name in ("battle", "aftermath", "replay", "log_text", "log_json"):
        address = reverse(f"battles:{name}", args=[ford.pk])
        assert as_(table.stranger).get(address).status_code == 404
        assert Client().get(address).status_code == 302


def test_the_partial_and_the_page_share_an_address(table, ford):
    address = reverse("battles:battle", args=[ford.pk])
    whole = as_(table.gm).get(address)
    part = as_(table.gm).get(address, headers={"HX-Request": "true"})
    assert "<html" in text(whole)
    assert "<html" not in text(part)
    assert 'id="battle"' in text(part)
    assert "HX-Request" in part["Vary"]


def test_a_player_sees_figures_of_his_own_army_only(table, ford):
    body = text(page_of(table.ana, ford))
    assert f'id="om-{table.watch.pk}"' in body
    assert f'id="om-{table.raiders.pk}"' not in body
    assert "Gruk" not in body


def test_a_revealed_army_shows_its_figures(table, ford):
    table.raiders.revealed = True
    table.raiders.save()
    assert f'id="om-{table.raiders.pk}"' in text(page_of(table.ana, ford))


def test_the_gm_sees_through_a_players_eyes_exactly_what_he_sees(table, ford):
    play(table, ford, Next(), Resolve())
    token = re.compile(r'name="csrfmiddlewaretoken" value="[^"]+"')
    borrowed = seen_by(table.gm, ford, side=0)
    drawn = page_of(table.ana, ford)
    own = drawn.context["page"]
    assert [c.figures for c in borrowed.cards] == [c.figures for c in own.cards]
    assert [c.chips for c in borrowed.cards] == [c.chips for c in own.cards]
    assert borrowed.log == own.log
    assert borrowed.tray is None
    assert token.search(text(drawn))


def test_only_the_gm_borrows_eyes(table, ford):
    assert page_of(table.ana, ford, "?as=1").status_code == 403


def test_a_lock_shows_who_is_ready_and_never_what_he_chose(table, ford):
    play(table, ford, Next())
    assert send(table.bo, ford, type="order", army=table.raiders.pk, tactic="withdraw").status_code == 302
    state = load_state(now(ford))
    assert state.orders[str(table.raiders.pk)].tactic == "withdraw"
    card = next(c for c in seen_by(table.ana, ford).cards if c.id == str(table.raiders.pk))
    assert (card.ready, card.form, card.choices) == ("in", None, None)
    assert page_of(table.ana, ford, f"?army={table.raiders.pk}").context["card"].form is None
    assert "withdraw" not in re.sub(r"(?s)<form.*?</form>", "", text(page_of(table.ana, ford))).lower()


def test_an_order_for_somebody_elses_army_is_forbidden(table, ford):
    play(table, ford, Next())
    assert send(table.ana, ford, type="order", army=table.raiders.pk, tactic="standard").status_code == 403
    assert send(table.viewer, ford, type="order", army=table.watch.pk).status_code == 403


def test_the_tray_is_the_gms(table, ford):
    for kind in ("resolve", "next", "undo", "override", "condition", "end", "interrupt", "reinforce"):
        assert send(table.ana, ford, type=kind).status_code == 403, kind


def test_a_form_that_no_page_sends_is_refused_and_nothing_is_done(table, ford):
    """It was taken for Undo."""
    before = Battle.objects.get(pk=ford.pk).version
    for kind in ("", "nonsense"):
        assert send(table.gm, ford, type=kind).status_code == 400
    assert Battle.objects.get(pk=ford.pk).version == before


def test_a_refused_order_comes_back_with_the_message_beside_its_field(table, ford):
    play(table, ford, Next(), Resolve(), Resolve())
    response = send(table.ana, ford, htmx=True, type="order", army=table.watch.pk, strategy="heroic")
    assert response.status_code == 422
    form = response.context["sent"]
    assert form.errors["strategy"]
    assert f'id="{form["strategy"].auto_id}_error"' in text(response)


def test_who_may_not_leave_is_offered_to_keep_its_distance(table):
    """R-59, R-62: the order form says why; the army beside it may leave."""
    ford = open_ford(table, cannot_leave=[str(table.raiders.pk)])
    play(table, ford, Next(), Resolve(), Resolve())
    page = page_of(table.gm, ford, f"?army={table.raiders.pk}")
    bound = page.context["card"].form
    free = page_of(table.gm, ford, f"?army={table.watch.pk}").context["card"].form
    assert [slug for slug, _label in bound.fields["withdraw"].choices] == ["range"]
    assert [slug for slug, _label in free.fields["withdraw"].choices] == ["leave", "range"]
    assert "Withdraw (keeps its distance: no way out)" in text(page)
    sent = send(table.bo, ford, type="order", army=table.raiders.pk, tactic="withdraw", withdraw="range")
    assert sent.status_code == 302


def test_what_was_taken_back_stays_to_be_read(table, ford):
    """Typed dice do not vanish with an undo: everybody at the table reads them, and who took them back."""
    play(table, ford, Next(), Resolve(), Resolve())
    play(table, ford, Override(str(table.raiders.pk), "hp", 44, "rested"))
    watch = TypedDie(str(table.watch.pk), "attack", (17,))
    order = GiveOrder(Order(str(table.watch.pk), target=str(table.raiders.pk)))
    play(table, ford, order, GiveOrder(Order(str(table.raiders.pk), target=None)))
    seen = {"by": table.gm, "battle_id": ford.pk}
    play_services.play(**seen, version=now(ford).version, command=Resolve(), typed=[watch])
    assert 'id="taken-back"' not in text(page_of(table.bo, ford))
    undo(**seen, version=now(ford).version)
    page = page_of(table.bo, ford)
    (gone,) = page.context["page"].taken_back
    assert (gone.by, [roll.value for line in gone.lines for roll in line.rolls]) == ("gm", [17])
    assert 'id="taken-back"' in text(page)
    assert all(roll.value != 17 for phase in page.context["page"].log for line in phase.lines for roll in line.rolls)


def test_an_order_taken_back_stays_secret(table, ford):
    play(table, ford, Next())
    play(table, ford, GiveOrder(Order(str(table.watch.pk), tactic="withdraw")))
    undo(by=table.gm, battle_id=ford.pk, version=now(ford).version)
    assert seen_by(table.bo, ford).taken_back == ()
    assert len(seen_by(table.ana, ford).taken_back) == 1


def test_somebody_acted_first(table, ford):
    """The page comes back as it is now, what was typed kept in it, and a message says why."""
    play(table, ford, Next())
    stale = now(ford).version
    play(table, ford, Resolve(), Resolve())
    response = send(
        table.ana, ford, htmx=True, version=stale, type="order", army=table.watch.pk, tactic="withdraw", let_go="on"
    )
    assert response.status_code == 412
    assert "Someone else acted first" in text(response)
    assert '<option value="withdraw" selected' in text(response)
    assert str(table.watch.pk) not in load_state(now(ford)).orders


def test_a_refresh_by_itself_leaves_alone_what_was_told(table, ford):
    address = reverse("battles:battle", args=[ford.pk])
    asked = {"HX-Request": "true"}
    assert 'id="messages"' in text(as_(table.gm).get(address, headers=asked))  # another army looked at
    assert 'id="messages"' not in text(as_(table.gm).get(address, headers={**asked, "HX-Trigger": "battle"}))


def test_an_order_that_is_no_longer_due_says_so_on_the_current_page(table, ford):
    """An outdated page of a battle that has ended. From a current page such an order stays forbidden."""
    play(table, ford, Next())
    late = now(ford).version
    play(table, ford, End("They ran", 0))
    order = {"type": "order", "army": table.watch.pk, "tactic": "withdraw"}
    response = send(table.ana, ford, version=late, **order)
    assert response.status_code == 412
    assert "Your orders weren’t used." in text(response)
    assert send(table.ana, ford, **order).status_code == 403
    assert send(table.bo, ford, version=late, **order).status_code == 403, "not theirs to order"
    several = as_(table.ana).post(reverse("battles:together", args=[ford.pk]), {"version": late, "what": "again"})
    assert several.status_code == 412


def test_orders_of_two_commanders_do_not_get_in_each_others_way(table, ford):
    play(table, ford, Next())
    seen = now(ford).version
    assert send(table.ana, ford, version=seen, type="order", army=table.watch.pk).status_code == 302
    assert send(table.bo, ford, version=seen, type="order", army=table.raiders.pk).status_code == 302
    assert set(load_state(now(ford)).orders) == {str(table.watch.pk), str(table.raiders.pk)}


def test_hold_the_line_and_target_reach_the_order(table, ford):
    play(table, ford, Next(), Resolve())
    send(table.ana, ford, type="order", army=table.watch.pk, target="hold", let_go="on")
    order = load_state(now(ford)).orders[str(table.watch.pk)]
    assert (order.target, order.let_go) == (None, True)


@pytest.mark.slow
def test_the_dice_are_asked_for_step_by_step_and_kept(table, ford):
    play(table, ford, Next(), Resolve(), Resolve())
    asked = send(table.gm, ford, type="resolve", how="asked")
    keys = [die.key for die in asked.context["sent"].asked]
    assert keys == [f"{table.watch.pk}|attack|20", f"{table.raiders.pk}|attack|20"]
    more = send(table.gm, ford, type="resolve", how="asked", die=keys, face=["19", "3"])
    state = load_state(now(ford))
    if more.status_code == 200:  # a second step: what was typed travels along
        assert [die.typed for die in more.context["sent"].dice] == ["19", "3"]
        assert state.phase.kind == "melee"
    else:
        assert [roll["value"] for roll in now(ford).records.latest("seq").dice][:2] == [19, 3]


@pytest.mark.slow
def test_a_die_left_empty_is_rolled_and_says_so(table, ford):
    play(table, ford, Next(), Resolve(), Resolve())
    keys = [f"{army.pk}|attack|20" for army in (table.watch, table.raiders)]
    first = send(table.gm, ford, type="resolve", how="rolled", die=keys, face=["12", ""])
    assert first.status_code == 302
    dice = now(ford).records.latest("seq").dice
    told = {die["army"]: (die["source"], die["by"]) for die in dice if die["name"] == "attack"}
    assert told[str(table.watch.pk)] == ("typed", "gm")
    assert told[str(table.raiders.pk)] == ("rolled", "")


@pytest.mark.slow
def test_an_impossible_face_is_refused_beside_its_die(table, ford):
    play(table, ford, Next(), Resolve(), Resolve())
    response = send(table.gm, ford, type="resolve", how="asked", die=f"{table.watch.pk}|attack|20", face="21")
    assert response.status_code == 422
    assert "A d20 rolls 1 to 20." in text(response)
    assert 'id="die-1-error"' in text(response)
    keys = [f"{army.pk}|attack|20" for army in (table.watch, table.raiders)]
    missing = text(send(table.gm, ford, type="resolve", how="asked", die=keys, face=["21", ""]))
    assert "One die isn’t valid. One die is missing." in missing


def test_dice_the_server_rolls_stay_the_same_from_step_to_step(table, ford):
    play(table, ford, Next(), Resolve(), Resolve())
    client = as_(table.gm)
    address, version = reverse("battles:command", args=[ford.pk]), now(ford).version
    keys = [f"{army.pk}|attack|20" for army in (table.watch, table.raiders)]
    body = {"type": "resolve", "how": "asked", "version": version, "die": keys, "face": ["-", "-"]}
    steps = [client.post(address, body) for _ in range(2)]
    if steps[0].status_code == 200:  # further dice hang on the first: the same are asked for again
        assert [d.key for d in steps[0].context["sent"].asked] == [d.key for d in steps[1].context["sent"].asked]
    else:
        assert steps[1].status_code == 412


def test_an_override_keeps_its_reason(table, ford):
    panel = page_of(table.gm, ford, f"?do=override&army={table.watch.pk}&what=hp")
    assert panel.context["forms"]["override"].army.id == str(table.watch.pk)
    assert send(table.gm, ford, type="override", army=table.watch.pk, field="hp", value="7").status_code == 422
    send(table.gm, ford, type="override", army=table.watch.pk, field="hp", value="7", reason="Fell off a bridge")
    assert load_state(now(ford)).armies[str(table.watch.pk)].hp == 7
    assert "Fell off a bridge" in text(page_of(table.gm, ford))


OVERRIDES: tuple[dict[str, str], ...] = (
    {"field": "om", "value": "-3"},
    {"field": "mark", "sign": "+", "value": "afraid"},
    {"field": "ability", "sign": "+", "value": "fast-healing", "number": "4"},
    {"field": "tactic", "value": "taunt"},
    {"field": "status", "value": "routed"},
    {"field": "target", "value": ""},
    {"field": "engines", "value": "2"},
)


def test_every_override_of_the_tray_is_one_the_rules_take(table, ford):
    play(table, ford, Next(), Resolve())
    for fields in OVERRIDES:
        with tried():
            response = send(table.gm, ford, type="override", army=table.watch.pk, reason="because", **fields)
            assert response.status_code == 302, (fields, text(response))


def test_conditions_are_set_and_lifted(table, ford):
    for slug, value in (("fog", {}), ("wind", {"value": "strong"}), ("heroes", {"value": "4"})):
        armies = [str(table.watch.pk)] if slug == "heroes" else []
        response = send(table.gm, ford, type="condition", condition=slug, armies=armies, **value)
        assert response.status_code == 302, text(response)
    fort = {"armies": [str(table.watch.pk)], "value": "6", "part": "wall", "material": "wood"}
    assert send(table.gm, ford, type="condition", condition="fortification", **fort).status_code == 302
    assert len(load_state(now(ford)).conditions) == 4
    assert send(table.gm, ford, type="lift", index="0").status_code == 302
    assert [c.condition for c in load_state(now(ford)).conditions] == ["wind", "heroes", "fortification"]


@pytest.mark.parametrize("called", everyday(["id", "spare (horde)", "Spare"], first=2))
def test_an_army_of_the_campaign_joins(table, ford, called):
    assert 'id="do-reinforce"' in text(page_of(table.gm, ford, "?rail=tools"))
    army = table.spare.pk if called == "id" else called
    assert send(table.gm, ford, type="reinforce", army=army, side="1").status_code == 302
    assert str(table.spare.pk) in load_state(now(ford)).armies
    assert 'id="do-reinforce"' not in text(page_of(table.gm, ford, "?rail=tools"))


def test_an_army_that_joins_is_searched_not_listed(table, ford):
    address = reverse("battles:reserves", args=[ford.pk])
    assert "Spare" not in text(page_of(table.gm, ford, "?rail=tools"))
    for typed, found in (("par", ["Spare (Horde)"]), ("horde", ["Spare (Horde)"]), ("iron", []), ("\0", [])):
        offered = text(as_(table.gm).get(address, {"army": typed}))
        assert re.findall(r'value="([^"]*)"', offered) == found, typed
    assert as_(table.bo).get(address).status_code == 403
    assert as_(table.stranger).get(address).status_code == 404


def test_a_name_that_says_too_little_is_refused_at_its_field(table, ford):
    muster(table.gm, table.crown, "Spare", SPEARMAN, 100)
    for army, why in (("Spare", "Several armies have this name"), ("Ironwatch", "No army with this name can join")):
        answer = send(table.gm, ford, htmx=True, type="reinforce", army=army, side="1")
        assert answer.status_code == 422
        assert why in answer.context["sent"].errors["army"][0]
    assert send(table.gm, ford, type="reinforce", army="Spare (Horde)", side="1").status_code == 302


def test_a_command_draws_its_page_once_after_it(table, ford, monkeypatch):
    """What the form needs of the page before is not the strip, the log, nor the figures of all armies."""
    play(table, ford, Next(), Resolve())
    drawn: list[str] = []
    for name in ("cards", "strip", "arms"):
        reckon = getattr(pages.FieldDrawn, name).func
        counted = cached_property(lambda field, name=name, reckon=reckon: drawn.append(name) or reckon(field))
        counted.__set_name__(pages.FieldDrawn, name)
        monkeypatch.setattr(pages.FieldDrawn, name, counted)
    assert send(table.gm, ford, htmx=True, type="resolve").status_code == 200
    assert sorted(drawn) == ["arms", "cards", "strip"]


def test_the_log_stays_open_as_far_as_its_reader_went(table, ford):
    walls = [Override(str(army.pk), "dv", 50, "Walls") for army in (table.watch, table.raiders)]
    play(table, ford, *walls, Next(), *[Resolve()] * 12)
    end = seen_by(table.bo, ford)
    back = page_of(table.bo, ford, "?since=20").context["page"]
    assert len(back.log) > len(end.log)
    assert back.told.part.since <= 20
    assert "data-since" not in text(page_of(table.bo, ford))
    assert f'data-since="{back.told.part.since}"' in text(page_of(table.bo, ford, "?since=20"))
    sent = send(table.bo, ford, htmx=True, type="order", army=table.raiders.pk, since=20)
    assert sent.context["page"].told.part.since <= 20


def test_undo_takes_the_last_command_back(table, ford):
    play(table, ford, Next())
    assert send(table.gm, ford, type="undo").status_code == 302
    assert load_state(now(ford)).phase.kind == "setup"
    response = send(table.gm, ford, type="undo")
    assert response.status_code == 422
    assert "Nothing to undo" in text(response)


def test_the_aftermath_is_proposed_confirmed_and_taken_back(table, ford):
    play(table, ford, Next())
    send(table.gm, ford, type="override", army=table.raiders.pk, field="status", value="routed", reason="test")
    send(table.gm, ford, type="end", reason="They ran", winner="0")
    address = reverse("battles:aftermath", args=[ford.pk])
    page = as_(table.gm).get(address)
    assert page.context["reckoning"].changed
    assert "The GM settles" in text(as_(table.ana).get(address))
    assert as_(table.ana).post(address, {"do": "confirm"}).status_code == 403
    client = as_(table.gm)
    confirmed = client.post(address, {"do": "confirm", "version": now(ford).version})
    assert (confirmed.status_code, confirmed["Location"]) == (302, address)
    table.raiders.refresh_from_db()
    assert table.raiders.status == "routed"
    assert "routed" in text(client.get(address))
    seen = text(as_(table.ana).get(address))
    assert "Raiders" not in seen.split('id="aftermath"')[1]
    undone = client.post(
        reverse("battles:command", args=[ford.pk]), {"type": "undo", "version": now(ford).version, "next": "aftermath"}
    )
    assert undone["Location"] == address
    assert "The aftermath is undone." in text(client.get(address))
    table.raiders.refresh_from_db()
    assert table.raiders.status == "ready"


def test_a_gm_whose_confirmation_was_overtaken_is_shown_what_stands(table, ended):
    address, client = reverse("battles:aftermath", args=[ended.pk]), as_(table.gm)
    asked = {"do": "confirm", "version": now(ended).version}
    assert client.post(address, asked).status_code == 302
    overtaken = client.post(address, asked, headers={"HX-Request": "true"})
    assert overtaken.status_code == 412
    assert "Someone else acted first" in text(overtaken)
    assert "confirmed" in text(overtaken)


def test_what_the_aftermath_leaves_open_is_chosen_with_dice_from_the_table(table, ended):
    client, address = as_(table.gm), reverse("battles:aftermath", args=[ended.pk])
    body = {"version": now(ended).version}
    asked = client.post(address, {**body, "how": "asked"})
    keys = [die.key for die in asked.context["form"].asked]
    assert keys == [f"{table.watch.pk}|loyalty-tactic|20", f"{table.watch.pk}|loyalty-boon|20"]
    assert client.post(address, {**body, "how": "asked", "die": keys, "face": ["31", "1"]}).status_code == 422
    dice = {"die": keys, "face": ["20", "1"]}
    proposed = client.post(address, {**body, **dice, "how": "asked"})
    question = f"choice-tactic:{table.watch.pk}"
    assert [field.name for field in proposed.context["form"].questions] == [question]
    wrong = client.post(address, {**body, **dice, question: "dancing", "do": "preview"})
    assert wrong.status_code == 422
    chosen = {**body, **dice, question: "taunt"}
    shown = client.post(address, {**chosen, "do": "preview"}).context["reckoning"].realms[0].deeds[0].news.shifts
    assert ["Taunt"] in [shift.after for shift in shown]
    assert not table.watch.tactics.exists()
    assert client.post(address, {**chosen, "do": "confirm"}).status_code == 302
    assert [known.tactic for known in table.watch.tactics.all()] == ["taunt"]


def test_every_step_of_a_replay_has_an_address(table, ford):
    play(table, ford, Next(), Resolve(), Resolve(), Resolve())
    address = reverse("battles:replay", args=[ford.pk])
    client = as_(table.gm)
    last = client.get(address).context["page"].last
    assert last > 4
    for step in range(last % at_most(3, full=1), last + 1, at_most(3, full=1)):
        page = client.get(address, {"step": step}).context["page"]
        assert page.step == step
    assert [c.hp for c in page.sides[0].cards] == [load_state(now(ford)).armies[str(table.watch.pk)].hp]
    first = client.get(address, {"step": 0}).context["page"]
    assert [c.hp for side in first.sides for c in side.cards] == [table.watch.hp, table.raiders.hp]
    assert client.get(address, {"step": "9999999"}).context["page"].step == last
    assert client.get(address, {"step": "x"}).context["page"].step == 0


def test_the_log_can_be_taken_away(table, ford):
    play(table, ford, Next(), GiveOrder(Order(str(table.raiders.pk), tactic="withdraw")), Resolve(), Resolve())
    plain = as_(table.ana).get(reverse("battles:log_text", args=[ford.pk]))
    assert "## Ranged" in text(plain)
    assert "attachment" in plain["Content-Disposition"]
    told = json.loads(text(as_(table.ana).get(reverse("battles:log_json", args=[ford.pk]))))["events"]
    assert "order-given" not in {event["type"] for event in told}
    assert {"seq", "type", "text", "rolls", "numbers", "rule"} <= told[0].keys()


@pytest.mark.slow
def test_the_log_costs_the_same_however_long_the_battle(table, ford, django_assert_max_num_queries):
    play(table, ford, Next(), Resolve())
    client, address = as_(table.gm), reverse("battles:battle", args=[ford.pk])
    client.get(address)
    with django_assert_max_num_queries(20) as few:
        client.get(address)
    spent = len(few.captured_queries)
    play(table, ford, Resolve(), Resolve(), Resolve())
    client.get(address)
    with django_assert_max_num_queries(spent):
        client.get(address)


def test_the_codex_is_searched_in_both_languages(table):
    address = reverse("battles:codex", args=[table.campaign.pk])
    client = as_(table.viewer)
    whole = client.get(address).context["page"]
    assert {kind.slug for kind in whole.kinds if kind.found} == {
        "tactics", "strategies", "conditions", "boons", "resources", "abilities", "offices", "buildings", "sizes",
        "marks", "rules",
    }  # fmt: skip
    assert client.get(address, {"q": "PF-3.7"}).context["page"].found == 6  # the rule, and the five steps
    taunt = client.get(address, {"q": "tauNT"}).context["page"]
    assert {e.slug for _label, entries in taunt.groups for e in entries} >= {"taunt"}
    only = client.get(address, {"kind": "strategies"}).context["page"]
    assert [label for label, _entries in only.groups] == ["Strategies"]
    assert "All chapters" in text(client.get(address, {"q": "zzz"}))
    assert as_(table.stranger).get(address).status_code == 404


def test_the_codex_tells_what_the_campaign_changed_and_what_it_does_without(table):
    address = reverse("battles:codex", args=[table.campaign.pk])
    table.campaign.house_rules = {
        "overlay": {"tactics": {"taunt": {"off": True}}, "resources": {"mounts": {"price": 4}}}
    }
    table.campaign.save()
    found = as_(table.viewer).get(address, {"q": "taunt", "kind": "tactics"})
    assert "switched off here" in text(found)
    assert "house rule" not in text(found)
    assert "house rule" in text(as_(table.viewer).get(address, {"q": "mounts", "kind": "resources"}))


def test_the_list_offers_a_new_battle_to_the_gm_only(table):
    address = reverse("battles:battle_list", args=[table.campaign.pk])
    assert reverse("battles:battle_new", args=[table.campaign.pk]) in text(as_(table.gm).get(address))
    assert reverse("battles:battle_new", args=[table.campaign.pk]) not in text(as_(table.ana).get(address))
    open_ford(table)
    page = as_(table.ana).get(address).context["page"]
    assert [line.name for line in page.running] == ["The ford"]
