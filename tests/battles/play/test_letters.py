"""Mails about battles: by each member's choice, in their language, to those it concerns, not for what has passed."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.tasks import TaskResultStatus
from django.utils import timezone
from django_tasks_db.management.commands import db_worker
from django_tasks_db.models import DBTaskResult

from battles.play import services as play_services
from battles.play.services import remind_awaited
from config.ops.worker import _hand_of
from kingdom.accounts.services import choose_settings
from kingdom.webhooks.event_types import list_letters
from rules.core.errors import InvalidInput
from rules.pathfinder.battle.orders.commands import GiveOrder, Next
from rules.pathfinder.battle.state.battle_state import Order
from tests.battles.field.test_pages import now
from tests.worlds import built_once

ALL = [slug for slug, _label in list_letters()]


@built_once
def readers(table):
    """Ana, bo and the GM want every mail; bo has confirmed no address."""
    for user, language in ((table.gm, "en"), (table.ana, "fr"), (table.bo, "en")):
        EmailAddress.objects.create(
            user=user, email=f"{user.username}@example.org", verified=user != table.bo, primary=True
        )
        choose_settings(by=user, language=language, mails=ALL)
    return table


@pytest.fixture(autouse=True)
def _one_connection(monkeypatch, settings):
    """The test's transaction outlives a look of the worker."""
    settings.SITE_URL = "https://war.example.org"
    monkeypatch.setattr(db_worker, "close_old_connections", lambda: None)


@pytest.fixture
def posted(django_capture_on_commit_callbacks) -> Callable[..., dict[str, str]]:
    """What people were sent since it was last asked; with `later` also what was to wait."""

    def sent(*, later: bool = False) -> dict[str, str]:
        if later:
            DBTaskResult.objects.update(run_after=timezone.now() - timedelta(seconds=1))
        with django_capture_on_commit_callbacks(execute=True):
            _hand_of().run()
        found = {one.to[0].partition("@")[0]: one.body for one in mail.outbox}
        mail.outbox.clear()
        return found

    return sent


def play(table, battle, *commands) -> None:
    for command in commands:
        play_services.play(by=table.gm, battle_id=battle.pk, version=now(battle).version, command=command)


def test_a_battle_that_begins_is_told_to_those_who_asked_but_not_to_who_began_it(readers, battle, posted):
    play(readers, battle, Next())
    told = posted()
    assert told.keys() == {"ana"}
    said = " ".join(told["ana"].split())
    assert said.startswith("« The ford » a commencé. En présence : Crown, Horde.")
    assert f"https://war.example.org/battles/{battle.pk}/" in said
    assert said.endswith("Ces e-mails peuvent être désactivés dans les réglages du compte.")


def test_whoever_lets_a_battle_wait_has_a_mail_and_whoever_acts_in_time_has_none(readers, battle, posted):
    play(readers, battle, Next())
    posted()
    assert posted() == {}, "ten minutes are not over"
    assert {who: "attend vos ordres" in body for who, body in posted(later=True).items()} == {"ana": True}
    play(readers, battle, GiveOrder(Order(str(readers.watch.pk))), GiveOrder(Order(str(readers.raiders.pk))))
    assert {who: "waiting for your orders" in body for who, body in posted(later=True).items()} == {"gm": True}


def test_what_was_seen_to_within_ten_minutes_is_not_told(readers, battle, posted):
    play(readers, battle, Next(), GiveOrder(Order(str(readers.watch.pk))))
    posted()
    assert "ana" not in posted(later=True)


def test_who_wants_no_mail_has_none_and_an_unknown_event_is_refused(readers, battle, posted):
    choose_settings(by=readers.ana, mails=["time.advanced", "time.advanced"])
    assert readers.ana.mails == ["time.advanced"]
    play(readers, battle, Next())
    assert posted(later=True) == {}
    assert not DBTaskResult.objects.filter(queue_name="mail", status="FAILED").exists()
    with pytest.raises(InvalidInput):
        choose_settings(by=readers.ana, mails=["battle.lost"])


def test_a_reminder_is_the_only_mail_about_itself(readers, battle, posted):
    """It was sent at once, to everybody awaited: whoever chose mails about turns has no second one, and none fails."""
    play(readers, battle, Next())
    posted(later=True)
    remind_awaited(by=readers.gm, battle_id=battle.pk)
    mail.outbox.clear()
    assert posted(later=True) == {}
    assert not DBTaskResult.objects.filter(status=TaskResultStatus.FAILED).exists()
