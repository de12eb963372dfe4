"""The treasury is the sum of its ledger, whatever happens."""

from __future__ import annotations

import threading

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import Sum
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kingdom.campaign.services import create_campaign
from kingdom.models import Kingdom, LedgerEntry, User
from kingdom.realms.services import found_kingdom
from kingdom.realms.treasury_services import record_entry, spend
from rules.core.errors import IllegalCommand, InvalidInput
from tests.databases import tried
from tests.everyday import at_most


def assert_sound(kingdom: Kingdom) -> None:
    """The treasury, the sum and every running balance agree."""
    entries = list(LedgerEntry.objects.filter(kingdom=kingdom).order_by("seq"))
    running = 0
    for seq, entry in enumerate(entries, start=1):
        running += entry.amount
        assert (entry.seq, entry.balance) == (seq, running)
    assert Kingdom.objects.get(pk=kingdom.pk).treasury == running


def test_the_opening_balance_is_an_entry(crown):
    entry = LedgerEntry.objects.get(kingdom=crown)
    assert (entry.seq, entry.amount, entry.balance, entry.source) == (1, 21, 21, "opening")
    assert_sound(crown)


def test_spending_takes_what_is_there_and_names_what_is_missing(gm, crown):
    spend(by=gm, kingdom=crown, amount=20, reason="Magic armor", source="purchase")
    with pytest.raises(IllegalCommand) as refused:
        spend(by=gm, kingdom=crown, amount=5, reason="Mounts", source="purchase")
    assert "needs 4 BP more" in str(refused.value)
    spend(by=gm, kingdom=crown, amount=1, reason="Bread", source="purchase")
    assert crown.treasury == 0
    assert_sound(crown)


def test_entries_by_hand_may_leave_a_debt(gm, crown):
    record_entry(by=gm, kingdom=crown, amount=-30, reason="Kingdom consumption")
    assert crown.treasury == -9
    assert_sound(crown)


def test_amounts_that_are_none_are_refused(gm, crown):
    for amount in (0, 10**8, -(10**8), "5", None, True, 1.5):
        with pytest.raises(InvalidInput) as refused:
            record_entry(by=gm, kingdom=crown, amount=amount, reason="odd")
        assert refused.value.field == "/amount", amount
        assert_sound(crown)


@pytest.mark.parametrize("amount", [0, -5])
def test_spending_nothing_or_less_is_refused(gm, crown, amount):
    with pytest.raises(InvalidInput):
        spend(by=gm, kingdom=crown, amount=amount, reason="odd", source="purchase")
    assert crown.treasury == 21


def test_an_entry_needs_a_reason(gm, crown):
    for reason in ("", "  ", "x" * 201, None):
        with pytest.raises(InvalidInput) as refused:
            record_entry(by=gm, kingdom=crown, amount=1, reason=reason)
        assert refused.value.field == "/reason", reason


@settings(max_examples=at_most(6, full=60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(amounts=st.lists(st.integers(-50, 50), max_size=12))
def test_the_treasury_is_the_sum_after_any_run_of_entries(gm, crown, amounts):
    with tried():
        kingdom = Kingdom.objects.get(pk=crown.pk)
        for amount in amounts:
            if amount > 0:
                record_entry(by=gm, kingdom=kingdom, amount=amount, reason="gift")
            elif amount < 0:
                spend_or_not(gm, kingdom, -amount)
        assert kingdom.treasury >= 0
        assert_sound(kingdom)
        assert LedgerEntry.objects.filter(kingdom=kingdom).aggregate(sum=Sum("amount"))["sum"] == kingdom.treasury


def spend_or_not(gm: User, kingdom: Kingdom, amount: int) -> None:
    held = kingdom.treasury
    try:
        spend(by=gm, kingdom=kingdom, amount=amount, reason="goods", source="purchase")
        assert amount <= held
    except IllegalCommand:
        assert amount > held


def test_the_database_refuses_two_entries_of_one_number_and_an_entry_of_nothing(crown):
    fields = {"campaign": crown.campaign, "kingdom": crown, "day": 0, "reason": "x"}
    for seq, amount in ((1, 5), (2, 0)):
        with pytest.raises(IntegrityError), transaction.atomic():
            LedgerEntry.objects.create(seq=seq, amount=amount, balance=21 + amount, **fields)


@pytest.mark.django_db(transaction=True)
def test_of_two_purchases_at_once_only_one_goes_through():
    gm = User.objects.create_user("gm")
    campaign = create_campaign(by=gm, name="C", ruleset="combat-de-masse")
    kingdom = found_kingdom(by=gm, campaign=campaign, name="K", treasury=10)
    start, outcomes = threading.Barrier(2), []

    def buy() -> None:
        try:
            start.wait(timeout=10)
            own = Kingdom.objects.get(pk=kingdom.pk)
            spend(by=gm, kingdom=own, amount=7, reason="horses", source="purchase")
            outcomes.append("bought")
        except IllegalCommand:
            outcomes.append("refused")
        finally:
            connection.close()

    threads = [threading.Thread(target=buy) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=20)
    assert sorted(outcomes) == ["bought", "refused"]
    assert Kingdom.objects.get(pk=kingdom.pk).treasury == 3
    assert_sound(kingdom)
