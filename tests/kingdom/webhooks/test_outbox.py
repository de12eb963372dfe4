"""What happens is told with its transaction, or not at all; each kind of event with what it is about."""

from __future__ import annotations

from contextlib import suppress

import pytest
from django.db import transaction

from armies.weeks.services import confirm_time
from kingdom.access.decorators import ApprovalRequested
from kingdom.approvals.services import refuse_request
from kingdom.campaign.services import update_campaign
from kingdom.chronicle.services import undo_last
from kingdom.models import ApprovalRequest, ChronicleEntry, WebhookDelivery
from kingdom.realms.treasury_services import record_entry
from kingdom.webhooks import event_types
from kingdom.webhooks.services import create_webhook, delete_webhook, switch_webhook, update_webhook
from tests.kingdom.webhooks.conftest import ORIGIN, work_off


def told(hook, event=""):
    rows = WebhookDelivery.objects.filter(webhook=hook).order_by("id")
    return [row.about for row in rows if not event or row.event == event]


def test_there_are_the_events_of_the_issue():
    assert event_types.list_slugs() == [
        "army.changed", "battle.begun", "battle.ended", "battle.phase.resolved", "battle.turn", "request.answered",
        "request.made", "time.advanced",
    ]  # fmt: skip


def test_time_that_passes_is_told_and_so_is_taking_it_back(hook, table):
    confirm_time(by=table.gm, campaign=table.campaign, days=3)
    entry = ChronicleEntry.objects.get(kind="week")
    undo_last(by=table.gm, campaign=table.campaign)
    common = {"entry": str(entry.pk), "version": entry.seq}
    assert told(hook) == [
        {**common, "day": 3, "taken_back": False},
        {**common, "day": 0, "taken_back": True},
    ]


def test_what_is_rolled_back_is_told_to_nobody(hook, table, listener):
    with suppress(ZeroDivisionError), transaction.atomic():
        confirm_time(by=table.gm, campaign=table.campaign, days=3)
        assert told(hook)
        1 / 0  # noqa: B018
    assert told(hook) == []
    work_off()
    assert listener.heard == []


def test_a_request_is_told_once_and_its_trial_is_not(hook, table):
    update_campaign(by=table.gm, campaign=table.campaign, players_may={"treasury": "ask"})
    for _turn in range(2):
        with pytest.raises(ApprovalRequested):
            record_entry(by=table.ana, kingdom=table.crown, amount=5, reason="Found it")
    assert told(hook) == [{"request": str(ApprovalRequest.objects.get().pk), "kind": "treasury", "day": 0}]


def test_only_whoever_listens_is_told(hook, table, listener):
    made = create_webhook(
        by=table.gm, campaign=table.campaign, url=listener.url, events=["battle.ended"], origin=ORIGIN
    )
    confirm_time(by=table.gm, campaign=table.campaign, days=1)
    switch_webhook(by=table.gm, webhook=hook, on=False)
    confirm_time(by=table.gm, campaign=table.campaign, days=1)
    assert (len(told(hook)), len(told(made.webhook))) == (1, 0)
    switch_webhook(by=table.gm, webhook=hook, on=True)
    update_webhook(by=table.gm, webhook=hook, events=["army.changed"])
    confirm_time(by=table.gm, campaign=table.campaign, days=1)
    assert len(told(hook)) == 1
    delete_webhook(by=table.gm, webhook=hook)
    assert not WebhookDelivery.objects.exists()


def test_another_campaign_is_none_of_its_business(hook, table):
    from kingdom.campaign.services import create_campaign

    other = create_campaign(by=table.gm, name="Other", ruleset="combat-de-masse")
    confirm_time(by=table.gm, campaign=other, days=1)
    assert told(hook) == []


def test_nobody_listens_costs_one_query_and_one_for_mails_where_there_are_some(table, django_assert_num_queries):
    from kingdom.webhooks.event_types import tell

    for event, queries in (("time.advanced", 2), ("army.changed", 1)):
        tell(table.campaign.pk, event, {})
        with django_assert_num_queries(queries):
            tell(table.campaign.pk, event, {})


def test_an_answer_is_told_without_what_was_asked(hook, table):
    update_campaign(by=table.gm, campaign=table.campaign, players_may={"treasury": "ask"})
    with pytest.raises(ApprovalRequested):
        record_entry(by=table.ana, kingdom=table.crown, amount=5, reason="Found it")
    petition = ApprovalRequest.objects.get()
    refuse_request(by=table.gm, petition=petition, reason="No treasure here")
    assert told(hook, "request.answered") == [
        {"request": str(petition.pk), "kind": "treasury", "day": 0, "answer": "refused"}
    ]
    assert event_types.get_event_type("request.answered").sentence(table.campaign, {}) == (
        "The GM has answered a request."
    )
