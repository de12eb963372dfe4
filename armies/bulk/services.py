"""Services for orders to several armies: one transaction, one chronicle entry, one undo."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.db import transaction

from armies.bulk.many_deeds import (
    ManyOrder,
    ManyProposal,
    carry_out,
    get_deed,
    load_picked,
    read_options,
    require_ordered,
)
from armies.forces.access import share_campaign
from kingdom.access.decorators import RequestedChange, needs_approval
from kingdom.chronicle.transaction import record_changes
from kingdom.models import Campaign, ChronicleEntry, User
from rules.core.errors import StaleProposal, require
from rules.core.text import _


def refuse_stale(seen: str, now: str) -> None:
    """Raises `StaleProposal` where the present proposal has another mark than the one that was seen."""
    if seen != now:
        raise StaleProposal(_("Something has changed since this preview was made. Check it again."))


class ManyDone(NamedTuple):
    """The order that was carried out, and its chronicle entry."""

    proposal: ManyProposal
    entry: ChronicleEntry


def _ordered(given: Mapping[str, Any]) -> RequestedChange:
    """Request for the deed. The mark is dropped: a request is granted later, when the proposal has changed."""
    kind = get_deed(given["campaign"], given["deed"]).kind
    return RequestedChange((kind,) if kind else (), {name: value for name, value in given.items() if name != "mark"})


@needs_approval("armies.together.order_armies", "march", "appoint", "buy", "raise", wish=_ordered)
@transaction.atomic
def order_armies(
    *,
    by: User,
    campaign: Campaign,
    deed: str,
    armies: Sequence[str],
    options: Mapping[str, Any],
    mark: str | None = None,
) -> ManyDone:
    """Makes these armies (ids) carry out the deed. An army that cannot stays as it is.

    `mark`: the mark of the proposal that the user confirms. Raises `StaleProposal` if the proposal would differ now,
    `InvalidInput`, and `IllegalCommand` where none of the armies can.
    """
    kind = get_deed(campaign, deed)
    require_ordered(by, campaign, kind)
    with record_changes(by=by, campaign=campaign, kind="army", rule=kind.rule) as told:
        chosen = read_options(kind, options)
        asked = kind(ManyOrder(by, campaign, load_picked(by, campaign, armies), chosen))
        told.watch([*(("army", army) for army in asked.setting.armies), *asked.touches()])
        if mark is not None:
            refuse_stale(mark, carry_out(asked).mark)
        held = told.rows("army")
        rows = [held[str(army.pk)] for army in asked.setting.armies]
        share_campaign(campaign, rows)
        proposal = carry_out(kind(ManyOrder(by, campaign, rows, chosen, falls=True, record=told)))
        require(proposal.done, _("None of these armies can do that: {why}"), why=proposal.lines[0].text)
        proposal.deed.write(proposal.done)
        told.text = proposal.deed.told(proposal.done)
    assert told.entry is not None
    return ManyDone(proposal, told.entry)
