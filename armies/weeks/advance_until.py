"""Search for the day of an event up to which time can pass: an arrival, a recovery, an empty treasury.

It uses a proposal of the coming weeks, with the server's dice and without later decisions. An ordinary proposal of the
days found then shows what they do.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from armies.weeks.passage import TimeEvent, TimeProposal, TimeStop
from armies.weeks.services import propose_time
from core.clean_input import DAY_MAX
from kingdom.models import Campaign, User
from kingdom.models.calendar import DAYS_A_WEEK
from rules.core.errors import InvalidInput
from rules.core.text import Term, _, say

MOST_WEEKS = 52
NOTHING: Mapping[TimeStop, Term] = {
    TimeStop.ARRIVAL: _("No army arrives in the next {weeks} weeks. Choose how many days to advance."),
    TimeStop.RECOVERY: _(
        "No army recovers and no commander returns in the next {weeks} weeks. Choose how many days to advance."
    ),
    TimeStop.EMPTY_TREASURY: _("No treasury runs out in the next {weeks} weeks. Choose how many days to advance."),
}
TOO_MANY = _("This campaign has too many armies to look for one that recovers. Choose how many days to advance.")


def find_days(*, by: User, campaign: Campaign, stop: TimeStop, choices: Mapping[str, Any] | None = None) -> int:
    """Days from today to the first of these events (GM). Raises `InvalidInput` where there is none."""
    most = max(1, min(MOST_WEEKS * DAYS_A_WEEK, DAY_MAX - campaign.day))
    proposal = propose_time(by=by, campaign=campaign, days=most, choices=choices)
    if events := list_events(proposal, stop):
        return events[0].day - campaign.day
    if stop == TimeStop.RECOVERY and proposal.grouped:
        raise InvalidInput(TOO_MANY, "/to")
    raise InvalidInput(say(NOTHING[stop], weeks=MOST_WEEKS), "/to")


def list_events(proposal: TimeProposal, stop: TimeStop) -> list[TimeEvent]:
    """Events of this kind, soonest first."""
    return sorted((event for event in proposal.events if event.kind == stop), key=lambda event: event.day)
