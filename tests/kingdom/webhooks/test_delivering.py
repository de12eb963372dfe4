"""What waits is brought to its address: again and again until it comes through, by the clock of the scheme."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.core import mail
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from standardwebhooks.webhooks import Webhook as Receiver

from armies.weeks.services import confirm_time
from kingdom.models import DeliveryState, Webhook, WebhookAttempt, WebhookDelivery, WebhookState
from kingdom.webhooks import delivery as webhooks_delivery
from kingdom.webhooks.addresses import Answered
from kingdom.webhooks.delivery import LATE, LEASE, PATIENCE, QUICK, WAITS, deliver, look_after, take_lease
from kingdom.webhooks.services import rotate_secret, send_again, send_test, switch_webhook
from rules.core.errors import IllegalCommand
from tests.kingdom.webhooks.conftest import ORIGIN, answer, work_off
from tests.kingdom.webhooks.workers import fill
from tests.worlds import built_once

NOON = datetime(2027, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def clock(monkeypatch):
    """Time stands still until it is moved; no wait is longer than it must be."""
    monkeypatch.setattr(webhooks_delivery.random, "uniform", lambda least, most: least)
    with time_machine.travel(NOON, tick=False) as moved:
        yield moved


@built_once
def passed(table, bot):
    """Time has passed, and one webhook is to be told."""
    with time_machine.travel(NOON, tick=False):
        confirm_time(by=table.gm, campaign=table.campaign, days=7)
    return WebhookDelivery.objects.get()


@pytest.fixture
def week(passed, hook, clock):
    """The same, and somebody listens."""
    return passed


def tried_for_days(week):
    """In vain: but for the last two attempts."""
    WebhookDelivery.objects.filter(pk=week.pk).update(tries=len(WAITS) - 1)
    Webhook.objects.update(failing_since=NOON + timedelta(seconds=WAITS[-1]) - PATIENCE)


def again(row):
    row.refresh_from_db()
    return row


def test_it_comes_through_signed_thin_and_with_its_links(week, hook, table, listener):
    work_off()
    (heard,) = listener.heard
    body = Receiver(hook.secret).verify(heard.body, heard.headers)
    assert body == {
        "type": "time.advanced",
        "timestamp": NOON.isoformat(),
        "data": {
            "campaign": str(table.campaign.pk),
            "entry": week.about["entry"],
            "version": week.about["version"],
            "day": 7,
            "taken_back": False,
            "links": {
                "api": f"{ORIGIN}/api/v1/campaigns/{table.campaign.pk}/chronicle/",
                "page": f"{ORIGIN}/c/{table.campaign.pk}/chronicle/{week.about['entry']}/",
            },
        },
    }
    assert heard.headers["webhook-id"] == week.message_id
    assert (again(week).state, week.tries, week.attempts.get().status) == (DeliveryState.DELIVERED, 1, 204)
    work_off()
    assert len(listener.heard) == 1


def test_it_is_tried_ten_times_in_three_days_and_then_given_up(week, hook, listener, clock):
    """Always the same words under the same id, each time signed anew."""
    listener.then = lambda handler: answer(handler, 500, "broken\nhere")
    for wait in WAITS:
        work_off()
        clock.shift(timedelta(seconds=wait - 1))
        work_off()
        clock.shift(timedelta(seconds=1))
    assert (again(week).state, week.tries, len(listener.heard)) == (DeliveryState.WAITING, 9, 9)
    work_off()
    assert (again(week).state, week.tries, len(listener.heard)) == (DeliveryState.GIVEN_UP, 10, 10)
    assert timezone.now() - NOON == timedelta(hours=75, minutes=35, seconds=5)
    assert (len(set(listener.ids())), len({one.body for one in listener.heard})) == (1, 1)
    assert len({one.headers["webhook-timestamp"] for one in listener.heard}) == 10
    assert {(one.status, one.trouble, one.answer) for one in week.attempts.all()} == {(500, "refused", "broken\nhere")}
    assert again(hook).state == WebhookState.OFF
    clock.shift(timedelta(days=9))
    work_off()
    assert len(listener.heard) == 10


def test_after_days_without_an_answer_it_is_switched_off_and_the_gms_are_told(
    week, hook, table, listener, clock, django_capture_on_commit_callbacks
):
    EmailAddress.objects.create(user=table.gm, email="gm@example.org", verified=True, primary=True)
    EmailAddress.objects.create(user=table.ana, email="ana@example.org", verified=True, primary=True)
    listener.status = 500
    tried_for_days(week)
    with django_capture_on_commit_callbacks(execute=True):
        for wait in (WAITS[-1], 0):
            work_off()
            clock.shift(timedelta(seconds=wait))
    assert again(hook).state == WebhookState.OFF
    (letter,) = mail.outbox
    assert letter.to == ["gm@example.org"]
    assert f"{ORIGIN}/webhooks/{hook.pk}/" in letter.body
    confirm_time(by=table.gm, campaign=table.campaign, days=7)
    assert WebhookDelivery.objects.count() == 1
    listener.status = 204
    switch_webhook(by=table.gm, webhook=again(hook), on=True)
    confirm_time(by=table.gm, campaign=table.campaign, days=7)
    work_off()
    assert listener.heard[-1].json["data"]["day"] == 21


def test_one_message_that_is_given_up_switches_nothing_off_where_others_come_through(
    week, hook, table, listener, clock
):
    def only_tests(handler):
        answer(handler, 204 if "webhook.test" in listener.heard[-1].body else 500, "")

    listener.then = only_tests
    tried_for_days(week)
    work_off()
    send_test(by=table.gm, webhook=hook)
    work_off()
    clock.shift(timedelta(seconds=WAITS[-1]))
    work_off()
    assert again(week).state == DeliveryState.GIVEN_UP
    assert again(hook).state == WebhookState.ON
    assert mail.outbox == []


def test_who_says_he_is_gone_is_asked_no_more(week, hook, listener):
    listener.status = 410
    work_off()
    assert (again(week).state, again(hook).state) == (DeliveryState.GIVEN_UP, WebhookState.OFF)


@pytest.mark.parametrize(("asked", "wait"), [("60", 60), ("1", 5), ("9999999", 86_400)])
def test_who_asks_for_patience_gets_it_within_reason(week, listener, asked, wait):
    listener.then = lambda handler: answer(handler, 429, "", Retry_After=asked)
    work_off()
    assert again(week).next_at == NOON + timedelta(seconds=wait)


def test_where_nobody_answers_the_rest_of_its_messages_waits_half_a_minute(week, hook, table, listener, clock):
    """Each would cost a worker ten seconds."""
    listener.then = lambda handler: handler.connection.close()
    confirm_time(by=table.gm, campaign=table.campaign, days=7)
    send_test(by=table.gm, webhook=hook)
    work_off()
    assert len(listener.heard) == 1
    clock.shift(timedelta(seconds=29))
    work_off()
    assert len(listener.heard) == 1
    listener.then = None
    clock.shift(timedelta(seconds=1))
    work_off()
    assert len(listener.heard) == 4
    assert not WebhookDelivery.objects.exclude(state=DeliveryState.DELIVERED).exists()


def test_messages_go_in_the_order_of_what_happened(week, hook, table, listener, clock):
    for _turn in range(2):
        clock.shift(timedelta(seconds=1))
        confirm_time(by=table.gm, campaign=table.campaign, days=1)
    work_off()
    assert [one.json["data"]["day"] for one in listener.heard] == [7, 8, 9]


def test_paused_it_hears_nothing_and_what_waited_goes_on_afterwards(week, hook, table, listener):
    switch_webhook(by=table.gm, webhook=hook, on=False)
    confirm_time(by=table.gm, campaign=table.campaign, days=1)
    work_off()
    assert listener.heard == []
    with pytest.raises(IllegalCommand):
        send_test(by=table.gm, webhook=hook)
    switch_webhook(by=table.gm, webhook=hook, on=True)
    work_off()
    assert [one.json["data"]["day"] for one in listener.heard] == [7]


def test_a_message_is_sent_again_under_its_own_id(week, hook, table, listener):
    work_off()
    rotated = rotate_secret(by=table.gm, webhook=hook)
    sent = WebhookDelivery.objects.select_related("webhook__campaign").get()
    send_again(by=table.gm, delivery=sent)
    work_off()
    assert (len(listener.heard), len(set(listener.ids()))) == (2, 1)
    for secret in (hook.secret, rotated.secret):  # the old one signs along today
        Receiver(secret).verify(listener.heard[1].body, listener.heard[1].headers)
    assert WebhookAttempt.objects.count() == 2


def test_a_test_says_nothing_happened_and_there_is_one_at_a_time(hook, table, listener):
    assert send_test(by=table.gm, webhook=hook).pk == send_test(by=table.gm, webhook=hook).pk
    work_off()
    (heard,) = listener.heard
    assert heard.json["type"] == "webhook.test"


def test_a_webhook_that_is_deleted_while_something_is_under_way(week, hook, listener, monkeypatch):
    listener.status, send = 500, webhooks_delivery.post

    def deleted_meanwhile(*given):
        said = send(*given)
        Webhook.objects.all().delete()
        return said

    monkeypatch.setattr(webhooks_delivery, "post", deleted_meanwhile)
    work_off()
    assert (len(listener.heard), WebhookAttempt.objects.count()) == (1, 0)


def killed_at_it() -> Webhook:
    """The webhook a worker had in hand when it died, with the task that it will never end."""
    (task,) = DBTaskResult.objects.ready()
    task.claim("killed")
    held = take_lease(slow_too=True)
    assert held
    return held


def test_what_a_killed_worker_was_at_another_takes_up(week, hook, table, listener, clock):
    """It stays in hand for a while, and then nobody believes that any more."""
    killed_at_it()
    clock.shift(LEASE - timedelta(seconds=1))
    assert look_after() == 0
    send_test(by=table.gm, webhook=hook)
    work_off()
    assert listener.heard == []
    clock.shift(timedelta(seconds=1))
    assert look_after() == 1
    assert look_after() == 0
    work_off()
    assert (again(week).state, listener.ids()[0], len(listener.heard)) == (DeliveryState.DELIVERED, week.message_id, 2)


def test_a_message_whose_task_is_lost_waits_for_none_that_is_to_be_tried_tomorrow(week, hook, listener, clock):
    killed_at_it()
    clock.shift(LEASE + LATE)
    webhooks_delivery.come_again(hook.pk, timezone.now() + timedelta(days=1))
    assert look_after() == 1


@pytest.mark.parametrize(
    ("status", "state", "tries"), [(204, DeliveryState.DELIVERED, 1), (500, DeliveryState.WAITING, 0)]
)
def test_who_was_taken_for_dead_and_comes_back_hinders_nobody(week, hook, listener, clock, status, state, tries):
    """Their attempt is written down; what they brought through has come through, and else it is another's to decide."""
    late = killed_at_it()
    clock.shift(LEASE)
    other = take_lease(slow_too=True)
    listener.status = status
    webhooks_delivery._send(late)
    assert again(hook).taken_by == other.taken_by
    assert (again(week).state, week.tries, week.attempts.get().status) == (state, tries, status)


def test_whose_attempt_took_long_is_slow_until_one_is_soon_over(week, hook, table, listener, clock, monkeypatch):
    took = [QUICK + 1, QUICK]
    monkeypatch.setattr(webhooks_delivery, "post", lambda *_given: Answered(204, "", milliseconds=took.pop(0)))
    work_off()
    assert not again(hook).quick
    assert take_lease(slow_too=False) is None
    send_test(by=table.gm, webhook=hook)
    work_off()
    assert again(hook).quick


def test_turns_go_round(week, hook, table, listener, clock):
    """Who has much to be told is told no more of it than others who wait."""
    other = Webhook.objects.get(pk=hook.pk)
    other.pk, other.url, other._state.adding = None, listener.url.replace("/hook", "/other"), True
    other.save()
    for webhook in (hook, other):
        fill(webhook, 3)
    listener.then = lambda handler: (clock.shift(timedelta(seconds=1)), answer(handler, 204, ""))
    work_off()
    assert [one.path[:5] for one in listener.heard] == ["/hook", "/othe", "/hook", "/othe", "/hook", "/othe", "/hook"]


def test_a_task_that_failed_is_not_the_end(week, listener, clock, monkeypatch):
    with monkeypatch.context() as broken:
        broken.setattr(webhooks_delivery, "post", lambda *_given: 1 / 0)
        work_off()
    clock.shift(timedelta(minutes=1))
    assert look_after() == 1
    work_off()
    assert again(week).state == DeliveryState.DELIVERED


def test_for_a_webhook_that_is_gone_there_is_nothing_to_do(week, hook):
    gone = str(hook.pk)
    hook.delete()
    deliver.call(gone)
    assert not WebhookDelivery.objects.exists()


def test_words_beyond_ascii_are_signed_as_they_are_sent(table, listener, hook, clock):
    hook.shape, hook.language = "discord", "fr"
    hook.save()
    confirm_time(by=table.gm, campaign=table.campaign, days=1)
    work_off()
    (heard,) = listener.heard
    assert "passé" in heard.json["content"]
    Receiver(hook.secret).verify(heard.body, heard.headers)
