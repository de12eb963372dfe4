"""Dice on the pages: who throws them is remembered, what is typed is kept, a mistake costs nothing else."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from battles.field.next_focus import call_of
from battles.play import dice_session
from battles.play.battle_state import load_state
from kingdom.accounts.services import choose_settings
from rules.core.dice import Pinned
from rules.pathfinder.battle.orders.commands import End, GiveOrder, Next, Override, Resolve
from rules.pathfinder.battle.state.battle_state import Order
from tests.battles.conftest import Client, open_ford
from tests.battles.field.test_pages import as_, now, page_of, play, seen_by, send, text
from tests.everyday import at_most, everyday
from tests.worlds import built_once


@built_once
def ford(table):
    """Face to face: the first melee phase is about to be fought."""
    battle = open_ford(table)
    play(table, battle, Next(), Resolve(), Resolve())
    return battle


def switch(user, battle, dice, query="", **headers):
    return as_(user).post(reverse("battles:dice", args=[battle.pk]) + query, {"dice": dice}, headers=headers)


# Who throws them


def test_resolving_follows_the_choice_of_whoever_resolves(table, ford):
    choose_settings(by=table.gm, dice="typed")
    asked = send(table.gm, ford, type="resolve")
    assert [die.roll for die in asked.context["sent"].asked] == ["attack", "attack"]
    assert load_state(now(ford)).phase.number == 1
    choose_settings(by=table.gm, dice="server")
    assert send(table.gm, ford, type="resolve").status_code == 302
    assert {roll["source"] for roll in now(ford).records.latest("seq").dice} == {"rolled"}


def test_what_is_said_at_the_roll_goes_before_the_choice(table, ford):
    choose_settings(by=table.gm, dice="typed")
    assert send(table.gm, ford, type="resolve", how="rolled").status_code == 302


def test_the_switch_is_kept_and_shows_how_it_stands(table, ford):
    assert switch(table.gm, ford, "typed").url == reverse("battles:battle", args=[ford.pk])
    shown = text(page_of(table.gm, ford))
    assert 'id="dice-server" aria-pressed="false"' in shown
    assert 'id="dice-typed" aria-pressed="true"' in shown
    switch(table.gm, ford, "server")
    assert 'id="dice-server" aria-pressed="true"' in text(page_of(table.gm, ford))


def test_the_switch_leaves_the_page_as_it_was_looked_at(table, ford):
    assert switch(table.gm, ford, "typed", "?as=1&army=x").url.endswith("?as=1&army=x")


def test_a_choice_that_is_none_is_refused_and_nothing_changes(table, ford):
    refused = as_(table.gm).post(reverse("battles:dice", args=[ford.pk]), {"dice": "loaded"}, follow=True)
    assert "“loaded” isn’t allowed here. Use one of: server, typed." in text(refused)
    table.gm.refresh_from_db()
    assert not table.gm.types_dice


def test_the_switch_of_a_battle_one_may_not_see_is_not_found(table, ford, django_user_model):
    outsider = django_user_model.objects.create_user("outsider")
    assert switch(outsider, ford, "typed").status_code == 404


@pytest.mark.django_db
def test_a_new_account_has_the_server_roll_and_is_called_by_nothing(django_user_model):
    user = django_user_model.objects.create_user("new")
    assert (user.dice, user.sound, user.notices) == ("server", False, False)


# What is typed


def ask(user, battle, *faces, client=None, **fields):
    """The dice of the first melee phase, sent with these faces."""
    sent = {"how": "asked", "die": keys_of(battle), "face": list(faces), **fields}
    return send(user, battle, type="resolve", **sent)


def keys_of(battle):
    """What the panel calls the dice it asks for in that phase (`test_what_a_die_needs_stands_at_its_row…`)."""
    return [f"{army}|attack|20" for army in load_state(now(battle)).armies]


def rows(response):
    return [(die.typed, bool(die.error)) for die in response.context["sent"].asked]


def test_a_wrong_face_is_marked_at_its_row_and_everything_else_stays(table, ford):
    for wrong in at_most(("0", "1.5", "x"), full=("77", "0", "x", "1.5", "-3")):
        refused = ask(table.gm, ford, "14", wrong)
        assert refused.status_code == 422, wrong
        assert rows(refused) == [("14", False), (wrong, True)]
        assert refused.context["sent"].counts == {"typed": 1, "wrong": 1, "empty": 0}, wrong
        shown = text(refused)
        assert f"A d20 rolls 1 to 20. You entered {wrong}." in shown
        assert '<a href="#die-2"><b>Raiders</b>' in shown, wrong
        assert load_state(now(ford)).phase.number == 1, wrong


def test_asked_for_each_an_empty_die_is_marked_and_may_be_left_to_the_server(table, ford):
    refused = ask(table.gm, ford, "14", "")
    assert rows(refused) == [("14", False), ("", True)]
    assert refused.context["sent"].counts == {"typed": 1, "wrong": 0, "empty": 1}
    assert "Enter a result here." in text(refused)
    done = ask(table.gm, ford, "14", "", left="1")
    assert done.status_code != 422
    if done.status_code == 200:  # a later step: what was left to the server stays so
        assert [die.typed for die in done.context["sent"].dice] == ["14", "-"]


def test_with_the_rest_rolled_the_empty_dice_are_and_mine_stay(table, ford):
    assert ask(table.gm, ford, "14", "", how="rolled").status_code == 302
    told = {die["army"]: die["source"] for die in now(ford).records.latest("seq").dice if die["name"] == "attack"}
    assert told == {str(table.watch.pk): "typed", str(table.raiders.pk): "rolled"}


def test_a_wrong_face_is_marked_too_when_the_rest_is_rolled(table, ford):
    refused = ask(table.gm, ford, "77", "", how="rolled")
    assert rows(refused) == [("77", True), ("", False)]
    assert 'value="rolled" checked' in text(refused)


@pytest.mark.parametrize("several", everyday([" 14 ,;\n 3 ", "14\n3", "14;3", "14 3", "14,3"], first=1))
def test_several_dice_in_one_field_are_spread_over_the_rows(table, ford, several):
    done = ask(table.gm, ford, several, "", how="rolled")
    assert done.status_code == 302
    faces = [die["value"] for die in now(ford).records.latest("seq").dice if die["name"] == "attack"]
    assert faces == [14, 3]


def test_several_dice_fill_empty_rows_only_and_without_room_nothing_moves(table, ford):
    refused = ask(table.gm, ford, "14 3", "8")
    assert rows(refused) == [("14 3", True), ("8", False)]
    assert "You entered 2 dice, but only 1 fit" in text(refused)
    assert rows(ask(table.gm, ford, "14 3 20", "")) == [("14 3 20", True), ("", True)]


def test_a_mistake_among_several_is_marked_at_the_row_it_fell_into(table, ford):
    assert rows(ask(table.gm, ford, "14 77", "")) == [("14", False), ("77", True)]


def test_what_a_die_needs_stands_at_its_row_and_stays_there_with_a_mistake(table, ford):
    asked = send(table.gm, ford, type="resolve", how="asked")
    need = [die.need for die in asked.context["sent"].asked]
    assert need == ["Raiders, +9 against 18: hits on 10+", "Ironwatch, +8 against 19: hits on 12+"]
    keys = [die.key for die in asked.context["sent"].asked]
    assert keys == keys_of(ford)
    fields = {"how": "asked", "die": keys, "face": ["77", "3"], "need": need}
    refused = send(table.gm, ford, type="resolve", **fields)
    assert [die.need for die in refused.context["sent"].asked] == need


def test_what_may_follow_is_said_with_the_dice_and_stays_with_a_mistake(table, ford):
    asked = send(table.gm, ford, type="resolve", how="asked")
    follows = asked.context["sent"].follows
    assert follows.startswith("Hits can need more dice")
    assert text(asked).count(follows) == 2  # to read, and to be sent along
    assert follows in text(ask(table.gm, ford, "77", "3", follows=follows))


def test_the_api_says_of_dice_what_the_page_says(table, ford):
    rows = send(table.gm, ford, type="resolve", how="asked").context["sent"]
    told = Client(table.gm, ford).send(type="resolve", ask=True).json()
    assert [(ask["label"], ask["need"]) for ask in told["asks"]] == [(die.label, die.need) for die in rows.asked]
    assert told["follows"] == rows.follows


@pytest.mark.parametrize(
    ("faces", "told"),
    everyday([
        (("14", ""), "Ironwatch attacks 14"), (("14", "3"), "Ironwatch attacks 14, Raiders attacks 3"),
    ], first=1),
    ids=["some", "all"],
)  # fmt: skip
def test_dice_for_what_stood_before_are_told_and_not_used(table, ford, faces, told):
    keys, stale = keys_of(ford), now(ford).version
    play(table, ford, Resolve())
    fields = {"how": "asked", "version": stale, "die": keys, "face": faces}
    late = send(table.gm, ford, htmx=True, type="resolve", **fields)
    assert late.status_code == 412
    (said,) = (str(message) for message in late.context["messages"])
    assert said.endswith(f"Your dice weren’t used: {told}.")
    assert late.context["sent"] is None


def late(table, ford, *faces, between, **more):
    """What the GM sends who typed these faces, while somebody else did something."""
    keys, seen = keys_of(ford), now(ford).version
    between()
    return send(table.gm, ford, htmx=True, type="resolve", how="asked", version=seen, die=keys, face=faces, **more)


@pytest.mark.parametrize(
    "faces", everyday([[("14", "")], [("77", "3")], [("14", "3")]], first=2), ids=["some", "a wrong one", "all"]
)
def test_dice_are_kept_that_were_typed_while_somebody_gave_an_order(table, ford, faces):
    """They stand in their fields; nothing is thrown before they were looked at."""
    order = GiveOrder(Order(str(table.watch.pk), strategy="cautious"))
    stale = late(table, ford, *faces, between=lambda: play(table, ford, order))
    assert stale.status_code == 412
    assert [die.face for die in stale.context["sent"].asked] == [*faces]
    (said,) = (str(message) for message in stale.context["messages"])
    assert said.startswith("Someone else acted first. Your dice were kept")
    assert now(ford).version == stale.context["page"].battle.version
    assert load_state(now(ford)).phase.number == 1
    rows = stale.context["sent"]
    fields = {"how": "asked", "die": [die.key for die in rows.asked], "face": ["2", "3"]}
    assert send(table.gm, ford, type="resolve", **fields).status_code == 302


def test_the_server_s_dice_stay_what_they_are_while_typed_ones_are_carried_over(table, ford):
    """Which dice are asked for hinges on them: what is shown was asked by the dice that will fall."""
    order = GiveOrder(Order(str(table.watch.pk), strategy="cautious"))
    keys, seen = keys_of(ford), now(ford).version
    play(table, ford, order)
    client, address = as_(table.gm), reverse("battles:command", args=[ford.pk])
    fields = {"type": "resolve", "how": "asked", "version": seen, "die": keys, "face": ["14", ""], "left": "1"}
    secrets = []
    keep, pinning_secret = dice_session.new_dice_secret, lambda: secrets.append(keep()) or secrets[-1]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dice_session, "new_dice_secret", pinning_secret)
        client.post(address, fields)
    of_then, of_now = secrets
    assert client.session[dice_session.KEY]["secret"] == of_now != of_then


def test_dice_that_have_no_place_yet_are_told_and_others_are_asked_for(table, ford):
    """Whoever withdraws first throws for that; what is thrown then is asked for later."""
    order = GiveOrder(Order(str(table.watch.pk), tactic="withdraw", withdraw="range"))
    stale = late(table, ford, "14", "3", between=lambda: play(table, ford, order))
    assert {die.face for die in stale.context["sent"].asked} == {""}
    (said,) = (str(message) for message in stale.context["messages"])
    assert said.endswith("Your dice weren’t used: Ironwatch attacks 14, Raiders attacks 3.")


# A reload


def opened(table, ford, *faces):
    client = as_(table.gm)
    address, fields = reverse("battles:command", args=[ford.pk]), {"type": "resolve", "how": "asked"}
    fields["version"] = now(ford).version
    typed = {"die": keys_of(ford), "face": faces} if faces else {}
    client.post(address, {**fields, **typed})
    return client, reverse("battles:battle", args=[ford.pk])


def test_dice_asked_for_outlive_a_reload(table, ford):
    client, page = opened(table, ford)
    shown = client.get(page).context["sent"]
    assert [(die.roll, die.who) for die in shown.asked] == [("attack", "Ironwatch"), ("attack", "Raiders")]
    assert not shown.wrong


def test_dice_typed_with_a_mistake_outlive_a_reload(table, ford):
    client, page = opened(table, ford, "14", "77")
    assert rows(client.get(page)) == [("14", False), ("77", True)]


def test_kept_dice_are_discarded_when_the_battle_moves_on(table, ford):
    client, page = opened(table, ford, "14", "77")
    play(table, ford, Resolve())
    assert client.get(page).context["sent"] is None


def test_kept_dice_give_way_to_a_panel_and_are_put_away_by_going_back(table, ford):
    client, page = opened(table, ford)
    assert client.get(f"{page}?do=condition&what=fog").context["sent"] is None
    assert client.get(page).context["sent"].asked
    assert client.post(reverse("battles:dice_away", args=[ford.pk])).url == page
    assert client.get(page).context["sent"] is None


def test_the_servers_dice_are_no_others_after_going_back(table, ford):
    client, _page = opened(table, ford)
    secret = client.session["dice"]["secret"]
    client.post(reverse("battles:dice_away", args=[ford.pk]))
    opened_again = {"type": "resolve", "how": "asked", "version": now(ford).version}
    client.post(reverse("battles:command", args=[ford.pk]), opened_again)
    assert client.session["dice"]["secret"] == secret


def test_dice_that_all_fall_at_once_leave_nothing_in_the_session(table, ford):
    client = as_(table.gm)
    resolve = {"type": "resolve", "how": "rolled", "version": now(ford).version}
    with CaptureQueriesContext(connection) as asked:
        assert client.post(reverse("battles:command", args=[ford.pk]), resolve).status_code == 302
    assert "dice" not in client.session
    assert not [query for query in asked if query["sql"].startswith("UPDATE") and "session" in query["sql"]]


def test_with_the_rest_rolled_the_servers_dice_are_those_that_were_settled(table, ford, monkeypatch):
    """Who has seen some of them gets no others by another button."""
    client, _page = opened(table, ford)
    secret, used = client.session["dice"]["secret"], []
    monkeypatch.setattr(dice_session, "Pinned", lambda known: used.append(known) or Pinned(known))
    rolled = {"type": "resolve", "how": "rolled", "version": now(ford).version}
    assert client.post(reverse("battles:command", args=[ford.pk]), rolled).status_code == 302
    assert used == [secret]
    assert "dice" not in client.session


# The aftermath


def test_the_aftermath_begins_with_the_dice_of_whoever_types_his(table, ford):
    play(table, ford, Override(str(table.raiders.pk), "status", "routed", "test"), End("They ran", 0))
    address = reverse("battles:aftermath", args=[ford.pk])
    assert not as_(table.gm).get(address).context["form"].asked
    choose_settings(by=table.gm, dice="typed")
    client = as_(table.gm)
    asked = client.get(address).context["form"].asked
    assert [die.who for die in asked] == ["Ironwatch", "Ironwatch"]
    body = {"version": now(ford).version, "die": [die.key for die in asked]}
    wrong = client.post(address, {**body, "how": "asked", "face": ["20", "77"]})
    assert [(die.who, die.typed, bool(die.error)) for die in wrong.context["form"].asked] == [
        ("Ironwatch", "20", False), ("Ironwatch", "77", True),
    ]  # fmt: skip
    shown = client.post(address, {**body, "how": "rolled", "face": ["20", ""]})
    assert shown.context["proposal"].rolls[0].source == "typed"
    assert (
        client.post(address, {**body, "how": "rolled", "face": ["20", ""], "settled": 2, "do": "confirm"}).status_code
        == 302
    )


# What calls


def called(user, battle):
    call = call_of(seen_by(user, battle), user)
    return call.turn, call.done


def test_a_player_is_called_while_his_army_is_waited_for_and_the_gm_when_nobody_is(table, ford):
    assert [called(user, ford)[0] for user in (table.gm, table.ana, table.bo, table.viewer)] == [
        False,
        True,
        True,
        False,
    ]
    send(table.ana, ford, type="order", army=table.watch.pk)
    assert [called(user, ford)[0] for user in (table.gm, table.ana, table.bo)] == [False, False, True]
    send(table.bo, ford, type="order", army=table.raiders.pk)
    assert [called(user, ford)[0] for user in (table.gm, table.ana, table.bo)] == [True, False, False]


def test_every_phase_that_is_over_counts_and_the_outcome_too(table, ford):
    before = called(table.viewer, ford)[1]
    play(table, ford, Resolve())
    assert called(table.viewer, ford)[1] == before + 1
    send(table.gm, ford, type="end", reason="They ran", winner="0")
    assert called(table.viewer, ford)[1] > before + 1


def test_the_page_says_what_its_reader_wants_to_be_called_by(table, ford):
    plain = text(page_of(table.ana, ford))
    assert "data-turn" in plain
    assert not re.search(r"data-(sound|notices)\b", plain)
    choose_settings(by=table.ana, sound=True, notices=True)
    assert re.search(r"data-sound\s+data-notices\b", text(page_of(table.ana, ford)))
