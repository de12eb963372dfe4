"""The days that are to pass, as the law's life is handed them: which, by whose word, with what dice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.utils.crypto import salted_hmac

from armies.models import TimeStep
from kingdom.models import Campaign, ChronicleEntry, User
from kingdom.selectors import last_standing_entry
from rules.dice import Dice, Typed, TypedDie
from rules.pinned import Pinned


class DiceTable(NamedTuple):
    """The dice on the table: those typed, whether missing ones are asked for, and whether spare ones are ignored."""

    typed: Sequence[TypedDie] = ()
    ask: bool = False
    lenient: bool = False


class Steps:
    """The days a passage reaches, written down as it reaches them: no day is reached twice.

    A life that does its work in several steps says where each ends; days it cuts nowhere are one step.
    """

    def __init__(self, campaign: Campaign):
        self._campaign = campaign
        self._made: list[TimeStep] = []

    def reach(self, since: int, day: int) -> TimeStep:
        """Raises `IntegrityError` for a day that was reached before."""
        step = TimeStep.objects.create(campaign=self._campaign, since=since, day=day)
        self._made.append(step)
        return step

    def complete(self, since: int, until: int) -> None:
        """Reach day `until` if no step has yet."""
        reached = self._made[-1].day if self._made else since
        if reached < until:
            self.reach(reached, until)

    def belong_to(self, entry: ChronicleEntry) -> None:
        TimeStep.objects.filter(pk__in=[step.pk for step in self._made]).update(entry=entry)


@dataclass(frozen=True, slots=True)
class Passage:
    """From day `since` (today) to day `until`. `choices` as they were sent: lists of ids and the like, by name."""

    campaign: Campaign
    by: User
    since: int
    until: int
    choices: Mapping[str, Any]
    table: DiceTable
    steps: Steps
    secret: str = field(repr=False)

    @property
    def days(self) -> int:
        return self.until - self.since

    def dice(self) -> Dice:
        """The dice of this passage, from the first one on, each time it is asked: they fall the same each time.

        Between two steps of its work a life calls `checkpoint`, and `finish` in the end.
        """
        server = Pinned(self.secret)
        kind = _Forgiving if self.table.lenient else Typed
        return kind(self.table.typed, by=self.by.get_username(), ask=self.table.ask, server=server)


class _Forgiving(Typed):
    """A page keeps the dice typed for choices that were changed since."""

    def finish(self) -> None:
        self.checkpoint()


def secret_of(campaign: Campaign) -> str:
    """Nobody can foresee it, and it is another one as soon as something has happened."""
    last = last_standing_entry(campaign)
    moment = f"{campaign.pk}|{campaign.day}|{last.pk if last else ''}"
    return salted_hmac("armies.time", moment, algorithm="sha256").hexdigest()
