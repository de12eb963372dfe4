"""Services for the treasury: BP move only by ledger entries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from django.db import transaction
from django.db.models import Max
from django.shortcuts import get_object_or_404

from core import text as words
from core.clean_input import BP_MAX, REASON_MAX, clean_text, clean_whole
from kingdom.access.decorators import internal, needs_approval
from kingdom.access.queries import require_runs
from kingdom.chronicle.transaction import Recording, record_changes
from kingdom.models import Kingdom, LedgerEntry, User
from rules.core.errors import IllegalCommand, demand, require
from rules.core.text import Message, Said, Term, _, say, signed

TreasuryFollower = Callable[[Kingdom, Recording], None]
"""`follower(kingdom, told)` is called when a kingdom loses its treasury, inside the recording of that change."""


def refuse_without_treasury(kingdom: Kingdom) -> None:
    """Raise `IllegalCommand` if the kingdom has no treasury."""
    text = _("{kingdom} has no treasury. The GM can give it one on the kingdom’s form.")
    require(not kingdom.without_treasury, text, kingdom=kingdom.name)


ENTERED = _("{kingdom}, ledger: {amount} BP ({reason}).")


@needs_approval("kingdom.record_entry", "treasury")
@transaction.atomic
def record_entry(
    *, by: User, kingdom: Kingdom, amount: int, reason: str | Said, source: str = LedgerEntry.Origin.MANUAL
) -> LedgerEntry:
    """Enter BP gained (positive) or paid (negative) in the ledger (whoever runs the kingdom).

    An entry made by hand is also recorded in the chronicle; others are part of another record. The treasury may fall
    below 0; the ruleset says what follows. Raises `InvalidInput`, `IllegalCommand` for a kingdom without a treasury,
    Http404 if it is dissolved meanwhile.
    """
    require_runs(by, kingdom)
    refuse_without_treasury(kingdom)
    amount = clean_whole(amount, field="/amount", least=-BP_MAX, most=BP_MAX)
    demand(amount, _("An entry of 0 BP changes nothing. Enter another amount."), field="/amount")
    reason = _clean_reason(reason)
    if source != LedgerEntry.Origin.MANUAL:
        return append(kingdom=kingdom, amount=amount, reason=reason, source=source, by=by)
    text = say(ENTERED, kingdom=kingdom.name, amount=signed(amount), reason=reason)
    with record_changes(by=by, campaign=kingdom.campaign, kind="kingdom", on=[("kingdom", kingdom)], text=text):
        return append(kingdom=kingdom, amount=amount, reason=reason, source=source, by=by)


@internal
@transaction.atomic
def spend(*, by: User, kingdom: Kingdom, amount: int, reason: str | Said, source: str) -> LedgerEntry | None:
    """Pay `amount` BP (1 or more) from the treasury. A kingdom without a treasury pays nothing and gets no entry.

    Raises `IllegalCommand` naming the missing BP, or Http404.

    The kingdom is locked, so that two purchases at once cannot spend the same BP.
    """
    require_runs(by, kingdom)
    amount = clean_whole(amount, field="/amount", least=1, most=BP_MAX)
    rows = Kingdom.objects.select_for_update().only("treasury", "without_treasury")
    row = get_object_or_404(rows, pk=kingdom.pk)
    if row.without_treasury:
        return None
    if (held := row.treasury) < amount:
        raise IllegalCommand(
            say(
                _("{kingdom} has {held} BP. It needs {missing} BP more to pay {amount}."),
                kingdom=kingdom.name,
                held=held,
                missing=amount - held,
                amount=amount,
            )
        )
    return append(kingdom=kingdom, amount=-amount, reason=_clean_reason(reason), source=source, by=by)


class Move(NamedTuple):
    """BP gained or paid: the kingdom (its row locked and fresh), the amount, the reason, the day, and the source if it
    differs from that of the others.
    """

    kingdom: Kingdom
    amount: int
    reason: str | Said
    day: int
    source: str = ""


@internal
@transaction.atomic
def append(
    *, kingdom: Kingdom, amount: int, reason: str | Said, source: str, by: User | None, day: int | None = None
) -> LedgerEntry:
    """Add an entry and update the treasury, without a check of permission. Raises Http404."""
    rows = Kingdom.objects.select_for_update(of=("self",)).select_related("campaign")
    row = get_object_or_404(rows, pk=kingdom.pk)
    move = Move(row, amount, reason, row.campaign.day if day is None else day)
    (entry,) = append_many([move], source=source, by=by)
    kingdom.treasury = entry.balance
    return entry


@internal
@transaction.atomic
def open_ledger(*, by: User, kingdom: Kingdom, amount: int) -> None:
    """Make `amount` BP the opening balance of a new kingdom; 0 adds no entry. Without a check of permission."""
    if amount:
        append(kingdom=kingdom, amount=amount, reason=_("Opening balance"), source=LedgerEntry.Origin.OPENING, by=by)


@internal
@transaction.atomic(savepoint=False)
def append_many(moves: Sequence[Move], *, source: str, by: User | None) -> list[LedgerEntry]:
    """Add entries of any number of kingdoms, in this order, in three queries, without a check of permission."""
    kingdoms = {move.kingdom.pk: move.kingdom for move in moves}
    counted = LedgerEntry.objects.filter(kingdom__in=kingdoms).order_by().values("kingdom").annotate(last=Max("seq"))
    seqs = dict(counted.values_list("kingdom", "last"))
    entries = []
    for kingdom, amount, reason, day, own in moves:
        seqs[kingdom.pk] = seqs.get(kingdom.pk, 0) + 1
        kingdom.treasury += amount
        entries.append(
            LedgerEntry(
                campaign_id=kingdom.campaign_id,
                kingdom=kingdom,
                seq=seqs[kingdom.pk],
                day=day,
                amount=amount,
                balance=kingdom.treasury,
                reason=words.dump_said(reason),
                source=own or source,
                by=by,
            )
        )
    LedgerEntry.objects.bulk_create(entries)
    Kingdom.objects.bulk_update(kingdoms.values(), ["treasury"])
    return entries


def _clean_reason(reason: str | Said) -> str | Said:
    """Return the reason. Translatable text passes; a user's text is validated."""
    if isinstance(reason, Message | Term):
        return reason
    return clean_text(reason, field="/reason", most=REASON_MAX)
