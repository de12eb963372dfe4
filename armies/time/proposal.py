"""What passing time would do, before anybody confirms it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any, NamedTuple

from kingdom import world
from rules.breakdown import Breakdown
from rules.dice import Roll
from rules.text import Said, _, say


class TimeNote(NamedTuple):
    """What is said beside the changes: checks made, with their dice and sums."""

    text: Said
    rule: str
    roll: Roll | None = None
    sum: Breakdown | None = None


class TreasuryMove(NamedTuple):
    """A treasury before and after, and what for: an entry of its ledger, of that day. `kingdom`: its id."""

    kingdom: str
    before: int
    after: int
    reason: Said
    day: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeProposal:
    """What days `since` to `until` do: changes, notes and warnings, the dice behind them. A law puts more below it.

    `changes` are written line by line (`kingdom.world`), but for those `kept`: the life writes them itself, and takes
    them back. `moves` are what armies and the like cost or bring, one by one; a line in `changes` that is kept tells
    each treasury before and after.
    """

    since: int
    until: int
    changes: tuple[world.Change, ...] = ()
    notes: tuple[TimeNote, ...] = ()
    warnings: tuple[Said, ...] = ()
    rolls: tuple[Roll, ...] = ()
    moves: tuple[TreasuryMove, ...] = ()

    @property
    def days(self) -> int:
        return self.until - self.since

    @property
    def weighed(self) -> Any:
        """What else has to be as it was shown when it is confirmed (JSON): choices as they count, who is paid."""
        return None

    @property
    def mark(self) -> str:
        """One for the days, the choices, the dice and every figure shown: confirming names it."""
        lines = [[*change.place, world.plain(change.before), world.plain(change.after)] for change in self.changes]
        dice = [[*roll[:5]] for roll in self.rolls]
        body = json.dumps([self.since, self.until, lines, dice, self.weighed], default=str)
        return hashlib.sha256(body.encode()).hexdigest()[:32]

    @property
    def text(self) -> Said:
        if self.days == 1:
            return say(_("A day goes by: day {until}."), until=self.until)
        template = _("{days} days go by: day {since} to {until}.")
        return say(template, days=self.days, since=self.since, until=self.until)
