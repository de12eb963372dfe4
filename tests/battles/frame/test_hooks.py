"""Webhooks hear of phases and of the end of battles, and that one was taken back."""

from __future__ import annotations

import json

from django.db import connection
from django.test.utils import CaptureQueriesContext, override_settings

from battles.aftermath.services import confirm_aftermath
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.play.services import undo
from battles.story.page import read_tale
from core.client_info import parse_networks
from core.text import render
from kingdom.chronicle.services import undo_last
from kingdom.models import Membership, WebhookDelivery
from kingdom.sharing.share_kinds import onlooker
from kingdom.webhooks import delivery, event_types
from kingdom.webhooks.services import create_webhook
from rules.narrative import tell_result
from tests.battles.frame.conftest import opened, play
from tests.kingdom.conftest import make_user, seat
from tests.worlds import built_once

RESOLVED, ENDED, ARMY, TURN = "battle.phase.resolved", "battle.ended", "army.changed", "battle.turn"


@built_once
def hook(table):
    given = {"url": "http://127.0.0.1:9/", "events": event_types.list_slugs(), "origin": "https://war.example.org"}
    with override_settings(WEBHOOKS_TO=parse_networks(["127.0.0.1"])):
        return create_webhook(by=table.gm, campaign=table.campaign, **given).webhook


def heard() -> list[tuple[str, bool]]:
    """What was told since it was last asked, with whether it was taken back."""
    rows = [(row.event, row.about.get("taken_back")) for row in WebhookDelivery.objects.order_by("id")]
    WebhookDelivery.objects.all().delete()
    return rows


@built_once
def fought(table, driver, hook) -> Battle:
    """Whoever is told heard of it."""
    gm = opened(table)
    assert play(gm, driver.until_over(table))["status"] == "aftermath"
    assert gm.battle
    gm.battle.refresh_from_db()
    return gm.battle


def resolves(battle) -> bool:
    """Whether orders are carried out under this law."""
    forecast = play_battle_state.get_engine(battle).forecast
    return forecast.commands and not forecast.by_turns


def test_the_end_is_told_with_its_version(fought):
    told = list(WebhookDelivery.objects.order_by("id"))
    assert [one.event for one in told if one.event == ENDED] == [ENDED]
    end = next(one for one in told if one.event == ENDED)
    assert end.about == {"battle": str(fought.pk), "version": fought.version, "taken_back": False}
    versions = [one.about["version"] for one in told]
    assert versions == sorted(versions)


def test_orders_carried_out_are_told_and_so_is_taking_them_back(table, driver, hook):
    gm = opened(table)
    play(gm, [*driver.before_dice(table), {**driver.thrown(table)}])
    battle = Battle.objects.get(pk=gm.battle.pk)
    told = [event for event, back in heard() if not back]
    assert (RESOLVED in told) == resolves(battle)
    if told and told[-1] == RESOLVED:
        undo(by=table.gm, battle_id=battle.pk, version=battle.version)
        assert (RESOLVED, True) in heard()


def awaited(api) -> list[int]:
    """The sides of which somebody is awaited."""
    told = api.read()
    armies = {one["army"] for one in told["awaiting"]}
    return [index for index, side in enumerate(told["sides"]) if not armies.isdisjoint(side["armies"])]


def test_whom_a_battle_waits_for_is_told_whenever_that_is_somebody_else(table, driver, hook):
    gm = opened(table)
    seen = [awaited(gm)]
    for command in [*driver.before_dice(table), driver.thrown(table)]:
        play(gm, [command])
        seen.append(awaited(gm))
    changes = [now for before, now in zip([[], *seen], seen, strict=False) if now != before]
    told = [row.about for row in WebhookDelivery.objects.filter(event=TURN).order_by("id")]
    assert [about["sides"] for about in told] == changes
    assert all(about.keys() == {"battle", "version", "sides", "taken_back"} for about in told)
    heard()
    gm.ok(type="undo")
    back = WebhookDelivery.objects.filter(event=TURN)
    assert [row.about["sides"] for row in back] == ([seen[-2]] if seen[-2] != seen[-1] else [])
    assert all(row.about["taken_back"] for row in back)


def test_a_channel_hears_whom_a_battle_waits_for(table, fought, hook):
    hook.shape, hook.language = "discord", "en"
    hook.save()
    sentence = event_types.get_event_type(TURN).sentence
    about = {"battle": str(fought.pk), "taken_back": False}
    assert sentence(table.campaign, {**about, "sides": [0, 1]}) == "“The ford” is waiting for Crown, Horde."
    assert sentence(table.campaign, {**about, "sides": []}) == "“The ford” is waiting for the GM."
    assert sentence(table.campaign, {**about, "battle": str(table.campaign.pk), "sides": []}) is None


def test_an_end_that_is_taken_back_is_told_as_such(table, fought):
    heard()
    undo(by=table.gm, battle_id=fought.pk, version=fought.version)
    told = heard()
    assert (ENDED, True) in told
    assert {back for _event, back in told} == {True}


def test_closing_ends_nothing_a_second_time_and_tells_of_armies(table, fought):
    heard()
    confirm_aftermath(by=table.gm, battle_id=fought.pk, version=fought.version)
    told = heard()
    assert {event for event, _back in told} <= {ARMY}
    undo_last(by=table.gm, campaign=table.campaign)
    assert heard() == [(event, True) for event, _back in told]


def test_a_channel_of_players_is_told_a_sentence(table, fought, hook):
    hook.shape, hook.language = "discord", "fr"
    hook.save()
    end = WebhookDelivery.objects.select_related("webhook", "campaign").get(event=ENDED)
    told = json.loads(delivery.build_body(end))
    assert told.keys() == {"content", "allowed_mentions"}
    assert told["allowed_mentions"] == {"parse": []}
    assert told["content"].startswith("Fin de la bataille «\N{NO-BREAK SPACE}The ford\N{NO-BREAK SPACE}». ")
    assert told["content"].endswith(f" <https://war.example.org/battles/{fought.pk}/>")


def test_a_channel_hears_who_won_and_what_it_cost_with_the_picture(table, fought, hook):
    """No more than whoever has a share link may know, and nothing of an end that was undone."""
    hook.shape, hook.language = "discord", "en"
    hook.save()
    end = WebhookDelivery.objects.select_related("webhook", "campaign").get(event=ENDED)
    onlooking = read_tale(onlooker(table.campaign), fought)
    body = delivery.build_body(end)
    said = json.loads(body)["content"].replace("\\", "")
    assert all(render(sentence) in said for sentence in tell_result(onlooking))
    attached = delivery.attach_picture(end, body)
    assert attached.content_type.startswith("multipart/form-data; boundary=")
    assert body[1:-1].encode() in attached.body
    assert b"\x89PNG" in attached.body
    end.about = {**end.about, "taken_back": True}
    assert delivery.attach_picture(end, body) is None
    assert "undone" in delivery.build_body(end)
    hook.shape = "standard"
    hook.save()
    assert delivery.attach_picture(WebhookDelivery.objects.select_related("webhook").get(event=ENDED), body) is None


def test_a_battle_that_begins_is_told_and_so_is_its_setup_again(table, driver, hook):
    """Where nothing is set up, it begins when it is opened."""
    play(opened(table), [*driver.before_dice(table), driver.thrown(table)])
    assert heard().count(("battle.begun", False)) == 1
    about = {"battle": str(Battle.objects.get().pk), "taken_back": False}
    assert event_types.get_event_type("battle.begun").sentence(table.campaign, about) == (
        "“The ford” has begun. In the field: Crown, Horde."
    )


def test_names_command_nothing_in_a_channel(table, fought, hook):
    fought.name = "@everyone **x** [a](https://evil.example) <@1>"
    fought.save()
    hook.shape = "discord"
    hook.save()
    end = WebhookDelivery.objects.select_related("webhook", "campaign").get(event=ENDED)
    body = delivery.build_body(end)
    assert r"\\@everyone \\*\\*x\\*\\* \\[a\\]\\(https://evil.example\\) \\<\\@1\\>" in body


def test_a_battle_is_named_at_a_query_for_all_seats_and_where_none_sits_yet(table, fought):
    sentence = event_types.get_event_type(ENDED).sentence
    about = {"battle": str(fought.pk), "taken_back": False}
    for number in range(5):
        seat(table.gm, table.campaign, make_user(f"more{number}"), "player")
    assert "The ford" in sentence(table.campaign, about)
    with CaptureQueriesContext(connection) as asked:
        sentence(table.campaign, about)
    before = len(asked)
    seat(table.gm, table.campaign, make_user("one-more"), "player")
    with CaptureQueriesContext(connection) as asked:
        sentence(table.campaign, about)
    assert len(asked) == before
    Membership.objects.filter(campaign=table.campaign, role="player").delete()
    assert "The ford" in sentence(table.campaign, about)
