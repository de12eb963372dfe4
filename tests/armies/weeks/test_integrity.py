"""A week is applied once: not by a double click, a retry, two GMs at once, or a process that dies halfway."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time as clock
from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from armies.models import TimeStep
from armies.pathfinder.models import ArmyWeek, PathfinderArmy
from armies.pathfinder.weeks import mapping
from armies.pathfinder.weeks.bulk_update import WeekRows
from armies.weeks import services as time
from kingdom.chronicle.services import undo_entry
from kingdom.models import Campaign, ChronicleEntry, Kingdom, LedgerEntry, Membership
from kingdom.realms.treasury_services import spend
from rules.core.dice import Pinned
from rules.core.errors import IllegalCommand, Refusal
from rules.pathfinder.weeks import Report, TimePlan, pass_time
from tests.armies.conftest import raised
from tests.armies.weeks.conftest import now, pass_days, set_army, treasury
from tests.databases import tried
from tests.kingdom.conftest import make_user

ROOT = Path(__file__).resolve().parents[3]
SECRET = "ab" * 32


def state(war: Any) -> tuple[Any, ...]:
    """Everything a week may touch."""
    return (
        now(war.campaign).day,
        sorted(PathfinderArmy.objects.values_list("pk", "health", "morale", "status", "owed", "arrears")),
        sorted(Kingdom.objects.values_list("pk", "treasury", "unrest")),
        LedgerEntry.objects.count(),
        ArmyWeek.objects.count(),
        TimeStep.objects.count(),
        ChronicleEntry.objects.filter(kind="week").count(),
    )


def test_a_second_click_finds_another_day_and_changes_nothing(quiet):
    pass_days(quiet.gm, quiet.campaign, day=0)
    before = state(quiet)
    with pytest.raises(time.StaleDay, match="It is now day 7"):
        pass_days(quiet.gm, quiet.campaign, day=0)
    assert state(quiet) == before


def test_a_proposal_that_would_be_otherwise_by_now_is_not_confirmed(quiet):
    proposal = time.propose_time(by=quiet.gm, campaign=quiet.campaign, days=7)
    set_army(quiet.raiders, morale=-2)
    before = state(quiet)
    with pytest.raises(time.StaleDay, match="Something has changed"):
        pass_days(quiet.gm, quiet.campaign, day=0, mark=proposal.mark)
    assert state(quiet) == before


def test_a_day_is_reached_once_by_the_table_itself(quiet):
    pass_days(quiet.gm, quiet.campaign)
    with pytest.raises(IntegrityError), transaction.atomic():
        TimeStep.objects.create(campaign=quiet.campaign, since=3, day=7)


def test_applying_an_applied_week_changes_no_row(quiet):
    pass_days(quiet.gm, quiet.campaign)
    before = state(quiet)
    Campaign.objects.filter(pk=quiet.campaign.pk).update(day=0)  # as if somebody had turned the clock back
    with pytest.raises(time.StaleDay, match="already passed"):
        pass_days(quiet.gm, quiet.campaign, day=0)
    Campaign.objects.filter(pk=quiet.campaign.pk).update(day=7)
    assert state(quiet) == before


def test_a_treasury_that_moved_meanwhile_stops_the_week(quiet, monkeypatch):
    real = WeekRows.settle

    def meanwhile(self: WeekRows, *args: Any) -> Any:
        answer = real(self, *args)
        Kingdom.objects.filter(pk=quiet.crown.pk).update(treasury=3)
        return answer

    monkeypatch.setattr(WeekRows, "settle", meanwhile)
    with pytest.raises(IllegalCommand, match="Crown of Restov’s treasury has changed since"):
        pass_days(quiet.gm, quiet.campaign)


def test_tables_that_come_to_another_end_than_the_law_write_nothing(quiet, monkeypatch):
    from armies.pathfinder.weeks import bulk_sql

    assert "morale = w.morale_after" in bulk_sql.PASS_WEEK
    monkeypatch.setattr(bulk_sql, "PASS_WEEK", bulk_sql.PASS_WEEK.replace("morale = w.morale_after", "morale = 4"))
    before = state(quiet)
    with pytest.raises(AssertionError, match="the law says"):
        pass_days(quiet.gm, quiet.campaign)
    assert state(quiet) == before


def test_the_treasury_is_the_sum_of_its_ledger_through_weeks_and_undos(quiet):
    for days in (3, 11, 7):
        entry = pass_days(quiet.gm, quiet.campaign, days)
    undo_entry(by=quiet.gm, entry=entry)
    for kingdom in (quiet.crown, quiet.horde):
        total = sum(LedgerEntry.objects.filter(kingdom=kingdom).values_list("amount", flat=True))
        assert treasury(kingdom) == total


@pytest.mark.django_db(transaction=True)
def test_two_gms_at_once_let_one_week_pass(quiet):
    second = make_user("second")
    Membership.objects.create(campaign=quiet.campaign, user=second, role="gm")
    answers = at_once(
        lambda: time.confirm_time(by=quiet.gm, campaign=now(quiet.campaign), days=7, day=0),
        lambda: time.confirm_time(by=second, campaign=now(quiet.campaign), days=7, day=0),
    )
    assert sorted(type(answer).__name__ for answer in answers) == ["ChronicleEntry", "StaleDay"]
    assert (now(quiet.campaign).day, treasury(quiet.crown), TimeStep.objects.count()) == (7, 199, 1)


@pytest.mark.django_db(transaction=True)
def test_a_purchase_and_a_week_at_once_leave_the_treasury_equal_to_its_ledger(quiet):
    def buys() -> Any:
        return spend(by=quiet.gm, kingdom=now(quiet.crown), amount=50, reason="Walls", source="purchase")

    at_once(buys, lambda: time.confirm_time(by=quiet.gm, campaign=now(quiet.campaign), days=7, day=0), buys)
    total = sum(LedgerEntry.objects.filter(kingdom=quiet.crown).values_list("amount", flat=True))
    assert treasury(quiet.crown) == total


def at_once(*deeds: Any) -> list[Any]:
    """Each in a thread of its own; answers what they answered or refused."""
    answers: list[Any] = []
    start = threading.Barrier(len(deeds))

    def run(deed: Any) -> None:
        start.wait()
        try:
            answers.append(deed())
        except Refusal as refusal:
            answers.append(refusal)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(deed,)) for deed in deeds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return answers


DIES = """
import sys, time as clock
import django
django.setup()
from django.db import connection
connection.settings_dict["NAME"] = sys.argv[1]
from armies.weeks import services as time
from armies.pathfinder.weeks import bulk_update
from armies.pathfinder.weeks import bulk_sql as sql
from kingdom.models import Campaign, User

real, done = bulk_update.fetch_rows, []

def slowly(statement, params):
    rows = real(statement, params)
    done.extend([statement] if statement == sql.PASS_WEEK else [])
    if len(done) == 2:  # two slices are written, more are to come
        print("halfway", flush=True)
        clock.sleep(60)
    return rows

bulk_update.fetch_rows = slowly
bulk_update.SLICE = 2
bulk_update.WeekRows.__init__.__kwdefaults__["slice_size"] = 2
time.confirm_time(by=User.objects.get(username="gm"), campaign=Campaign.objects.get(pk=sys.argv[2]), days=7, day=0)
"""


@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
def test_a_process_killed_between_two_slices_leaves_nothing(quiet):
    for place in range(5):
        raised(quiet.gm, quiet.horde, f"Band {place}")
    before = state(quiet)
    process = subprocess.Popen(
        [sys.executable, "-c", DIES, connection.settings_dict["NAME"], str(quiet.campaign.pk)],
        cwd=ROOT, env={**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings_test"}, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout
    assert process.stdout.readline().strip() == "halfway", process.stderr and process.stderr.read()
    os.kill(process.pid, signal.SIGKILL)
    process.wait(20)
    assert state(quiet) == before
    wait_for_the_lock(quiet.campaign)
    pass_days(quiet.gm, quiet.campaign, day=0)
    assert (now(quiet.campaign).day, now(quiet.raiders).morale) == (7, -1)


def wait_for_the_lock(campaign: Campaign) -> None:
    """The server notices that the other end is gone."""
    for _attempt in range(100):
        try:
            with transaction.atomic():
                Campaign.objects.select_for_update(nowait=True).get(pk=campaign.pk)
            return
        except Exception:
            clock.sleep(0.1)
    raise AssertionError("the dead process still holds the campaign")


def test_a_slice_more_or_less_makes_no_difference(quiet):
    for place in range(5):
        set_army(raised(quiet.gm, quiet.horde, f"Band {place}"), hp=1 + place)
    ends = []
    for size in (1, 2, 50):
        with tried():
            ranks = WeekRows(quiet.campaign, slice_size=size)
            pass_time(mapping.map_kingdoms(quiet.campaign), ranks, TimePlan(0, 7), Report(Pinned(SECRET)))
            ends.append(sorted(PathfinderArmy.objects.values_list("pk", "health")))
    assert ends[0] == ends[1] == ends[2]
