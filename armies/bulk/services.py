"""Services for orders to many armies: one transaction, one entry, one undo."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.db import transaction

from armies.bulk.bulk_proposal import ManyProposal, carry_out, get_deed, load_picked, require_ordered, share_campaign
from armies.bulk.many_deeds import ManyOrder, read_options
from kingdom.access.decorators import RequestedChange, needs_approval
from kingdom.chronicle.transaction import record_changes
from kingdom.models import Campaign, ChronicleEntry, User
from rules.core.errors import StaleProposal, require
from rules.core.text import _


def refuse_stale(seen: str, now: str) -> None:
    """Raise `StaleProposal` where the proposal of this mark would be another one now."""
    if seen != now:
        raise StaleProposal(_("Something has changed since this preview was made. Check it again."))


class ManyDone(NamedTuple):
    """What was done, and the entry that tells it."""

    proposal: ManyProposal
    entry: ChronicleEntry


def _ordered(given: Mapping[str, Any]) -> RequestedChange:
    """Leave is asked for the deed; what its asker saw counts no more when it is granted."""
    kind = get_deed(given["campaign"], given["deed"]).kind
    return RequestedChange((kind,) if kind else (), {name: value for name, value in given.items() if name != "mark"})


@needs_approval("armies.together.order_armies", "march", "appoint", "buy", wish=_ordered)
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
    """Have these armies (ids) do it. One that cannot is left as it is; where none can nothing is done.

    `mark` is that of the proposal somebody has seen: raises `StaleProposal` if it would be another one now. Raises
    `InvalidInput`, and `IllegalCommand` where none of them can.
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
        proposal = carry_out(kind(ManyOrder(by, campaign, rows, chosen, falls=True)))
        require(proposal.done, _("None of these armies can do that: {why}"), why=proposal.lines[0].text)
        proposal.deed.write(proposal.done)
        told.text = proposal.deed.told(proposal.done)
    assert told.entry is not None
    return ManyDone(proposal, told.entry)
