"""Weeks of armies with a declared document: recovery in a quiet week, and upkeep (C-5, C-7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db.models import F, Q

from armies.models import Army, rows_of
from armies.ruleset_ui import Cited
from armies.weeks.passage import (
    DueLine,
    Passage,
    PassingPurses,
    TimeEvent,
    TimeProposal,
    sum_upkeep,
    tell_recovered,
    upkeep_due,
)
from armies.weeks.ruleset_weeks import NoLife, list_routed, load_recent_deeds, rallies_due, refuse_choices
from kingdom.campaign.queries import kingdoms_read
from kingdom.chronicle.changes import Change
from kingdom.models import Campaign, Kingdom, User
from kingdom.models.calendar import DAYS_A_WEEK
from kingdom.realms.figures import get_ruleset
from rules.core.errors import Refusal
from rules.core.text import Said, _

REST_RULE, UPKEEP_RULE = "C-7", "C-5"
WEEK = _("Week without battle")


class DocumentLife(NoLife):
    """At the end of a week each army that did not fight in it recovers by its ruleset (`rested`), an army that had fled
    is ready again, and each kingdom pays upkeep as far as its treasury reaches.
    """

    rules = Cited(time=REST_RULE)
    panel_template = "armies/documents/week.html"

    def propose(self, passage: Passage) -> TimeProposal:
        refuse_choices(passage.choices)
        return DocumentPassing(passage).propose()

    def due(self, campaign: Campaign, kingdoms: Sequence[Kingdom]) -> Iterator[DueLine]:
        """Upkeep of these kingdoms at the end of the week, and routed armies that are ready again."""
        yield from upkeep_due(campaign, kingdoms, upkeep_of(campaign), UPKEEP_RULE)
        if routed := list_routed(kingdoms):
            yield from rallies_due(campaign, kingdoms, routed, load_recent_deeds(campaign), REST_RULE)

    def panel(self, user: User, campaign: Campaign) -> Mapping[str, Any]:
        return {"due": list(self.due(campaign, kingdoms_read(user, campaign)))}


def upkeep_of(campaign: Campaign) -> Mapping[str, int]:
    """Upkeep of each kingdom for a week, in BP by its id; empty where armies cost nothing."""
    return {} if get_ruleset(campaign).armies.upkeep is None else sum_upkeep(campaign)


class DocumentPassing:
    """One passage of time. Everything it reads is read once."""

    def __init__(self, passage: Passage):
        self._passage, self._law = passage, get_ruleset(passage.campaign).armies
        self._purses = PassingPurses(passage)
        self._lately = load_recent_deeds(passage.campaign)
        self._warnings: list[Said] = []
        self._events: list[TimeEvent] = []
        hurt = Q(health__lt=F("health_max")) | Q(status=Army.Status.ROUTED)
        rows = rows_of(Army).filter(hurt, campaign=passage.campaign, status__in=Army.STANDING)
        self._armies = list(rows.complete().order_by("pk"))
        self._after: dict[Any, dict[str, Any]] = {army.pk: {} for army in self._armies}

    def propose(self) -> TimeProposal:
        since, until = self._passage.since, self._passage.until
        for day in range(since + 1, until + 1):
            self._purses.fall(day)
            if day % DAYS_A_WEEK == 0:
                self._rest(day)
                self._warnings += self._purses.pay_armies(upkeep_of(self._passage.campaign), day)
        return TimeProposal(
            since=since,
            until=until,
            changes=tuple(self._changes()),
            warnings=tuple(self._warnings),
            moves=tuple(self._purses.moves),
            events=(*self._events, *self._purses.events),
        )

    def _rest(self, day: int) -> None:
        for army in self._armies:
            if self._lately.at_peace(str(army.pk), day):
                before = {"health": army.health, "status": army.status} | self._after[army.pk]
                self._after[army.pk] |= self._rested(army, self._after[army.pk])
                self._events += self._recovered(army, before, before | self._after[army.pk], day)

    def _recovered(
        self, army: Army, before: Mapping[str, Any], after: Mapping[str, Any], day: int
    ) -> Iterator[TimeEvent]:
        """The event of an army that became whole, or ready again, this week."""
        whole, rallied = after["health"] >= army.health_max, after["status"] != before["status"]
        if rallied or (whole and before["health"] < after["health"]):
            yield tell_recovered(army.name, day, REST_RULE, whole=whole)

    def _rested(self, army: Army, after: Mapping[str, Any]) -> dict[str, Any]:
        """Changed columns of a resting army; empty where the ruleset no longer accepts the document."""
        try:
            document = self._law.rested(after.get("sheet", army.sheet))
            measure = self._law.measure(document)
        except Refusal:
            return {}
        found: dict[str, Any] = {}
        before = self._law.measure(after.get("sheet", army.sheet))
        if measure.fit is not None and measure != before:
            found = {"sheet": {**document, "version": self._law.version}, "health": measure.fit}
        if army.health:
            found["status"] = Army.Status.READY.value
        return found

    def _changes(self) -> Iterator[Change]:
        for army in self._armies:
            for name, value in self._after[army.pk].items():
                before = getattr(army, name)
                if before != value:
                    yield Change("army", str(army.pk), name, before, value, REST_RULE, WEEK, army.name)
        yield from self._purses.changes(UPKEEP_RULE)


LIFE = DocumentLife()
