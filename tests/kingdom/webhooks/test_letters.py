"""Mails about a campaign: time that passes, for whoever wants them; an answer, for whoever asked."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.urls import reverse

from armies.weeks.services import confirm_time
from kingdom.access.decorators import ApprovalRequested
from kingdom.accounts.services import choose_settings
from kingdom.approvals.services import refuse_request
from kingdom.campaign.services import update_campaign
from kingdom.chronicle.services import undo_last
from kingdom.members.services import remove_member
from kingdom.models import ApprovalRequest, User
from kingdom.realms.treasury_services import record_entry
from tests.kingdom.webhooks.conftest import work_off
from tests.worlds import built_once


@built_once
def readers(table):
    for user in (table.gm, table.ana, table.bo):
        EmailAddress.objects.create(user=user, email=f"{user.username}@example.org", verified=True, primary=True)
        choose_settings(by=user, mails=["time.advanced", "request.answered"])
    return table


@pytest.fixture
def posted(django_capture_on_commit_callbacks) -> Callable[[], dict[str, str]]:
    """What people were sent since it was last asked."""

    def sent() -> dict[str, str]:
        with django_capture_on_commit_callbacks(execute=True):
            work_off()
        found = {one.to[0].partition("@")[0]: f"{one.subject}\n{one.body}" for one in mail.outbox}
        mail.outbox.clear()
        return found

    return sent


def test_time_that_passes_is_told_to_those_who_ask_but_not_to_who_let_it_pass_nor_that_it_was_undone(readers, posted):
    confirm_time(by=readers.gm, campaign=readers.campaign, days=3)
    told = posted()
    assert told.keys() == {"ana", "bo"}
    assert told["ana"].startswith(f"{readers.campaign.name}: Time has passed\nTime has passed. It is day 3")
    undo_last(by=readers.gm, campaign=readers.campaign)
    assert posted() == {}


def test_whoever_has_left_since_is_told_nothing(readers, posted):
    confirm_time(by=readers.gm, campaign=readers.campaign, days=3)
    remove_member(by=readers.gm, campaign=readers.campaign, user=readers.bo)
    assert "bo" not in posted()


def test_an_answer_is_for_whoever_asked(readers, posted):
    update_campaign(by=readers.gm, campaign=readers.campaign, players_may={"treasury": "ask"})
    with pytest.raises(ApprovalRequested):
        record_entry(by=readers.ana, kingdom=readers.crown, amount=5, reason="Found it")
    refuse_request(by=readers.gm, petition=ApprovalRequest.objects.get(), reason="No treasure here")
    told = posted()
    assert told.keys() == {"ana"}
    assert "Your request was refused: “" in told["ana"]
    assert "No treasure here" in told["ana"]


def test_the_settings_offer_every_kind_and_say_where_mails_go(readers):
    client = Client()
    client.force_login(readers.ana)
    page = client.get(reverse("kingdom:account")).text
    assert "Sent to ana@example.org." in page
    assert page.count('name="mails"') == 4
    client.post(reverse("kingdom:account"), {"language": "", "dice": "server", "mails": ["battle.turn"]})
    assert User.objects.get(pk=readers.ana.pk).mails == ["battle.turn"]
    EmailAddress.objects.all().delete()
    assert "Confirm an email address first" in client.get(reverse("kingdom:account")).text


def test_a_battle_asks_once_whether_it_shall_call(readers):
    client = Client()
    client.force_login(readers.ana)
    nothing = (False, False)
    for answer, found in (("sound", (True, False)), ("both", (True, True)), ("none", nothing), ("", nothing)):
        client.post(reverse("kingdom:call_offer"), {"answer": answer})
        user = User.objects.get(pk=readers.ana.pk)
        assert (user.sound, user.notices, user.call_offered) == (*found, True), answer
