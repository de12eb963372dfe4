"""Services for passing days: sieges by their own weeks, then wounded, routed armies and upkeep by the calendar's weeks
(B-57, B-69).

Nothing is written here: the frame writes and undoes the returned changes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from django.db.models import F, Q

from armies.breaking_point.forces.specs import build_siege, list_army_ids, load_armies
from armies.breaking_point.models import RUNNING, SiegeRow
from armies.breaking_point.sieges.siege_changes import (
    ArmyDraft,
    ToldLine,
    build_siege_change,
    describe_events,
    list_drafts,
    settle,
)
from armies.models import Army, rows_of
from armies.weeks.passage import Passage, PassingPurses, TimeEvent, TimeNote, TimeProposal, sum_upkeep, tell_recovered
from armies.weeks.ruleset_weeks import load_recent_deeds
from core.clean_input import parse_uuid
from kingdom.chronicle.changes import Change
from kingdom.models import Campaign
from kingdom.models.calendar import DAYS_A_WEEK
from kingdom.realms.figures import get_ruleset
from rules.breaking_point.siege.events import SiegeEvent
from rules.breaking_point.siege.siege_ends import terms
from rules.breaking_point.siege.siege_state import BROKEN, OPEN, Siege
from rules.breaking_point.siege.week import week
from rules.core.dice import Roll
from rules.core.errors import InvalidInput, demand
from rules.core.text import Said, _, by_number, say

TERMS_CHOICE = "terms"
RETURNED = by_number(
    "Day {day}. {army}: {count} wounded fighter returned.", "Day {day}. {army}: {count} wounded fighters returned."
)
DAY = _("Day {day}. {what}")
RULE, UPKEEP_RULE = "B-69", "B-69"


def list_running_sieges(campaign: Campaign) -> list[SiegeRow]:
    rows = SiegeRow.objects.filter(campaign=campaign, status__in=RUNNING).select_related("place__kingdom")
    return list(rows.order_by("id"))


def find_next_week(row: SiegeRow, after: int) -> int:
    """The first day after `after` on which a week of the siege ends."""
    return after + DAYS_A_WEEK - (after - row.began) % DAYS_A_WEEK


def upkeep_of(campaign: Campaign, *, but: Collection[str] = ()) -> Mapping[str, int]:
    """Upkeep of each kingdom for a week, in BP by its id; empty unless the house rules ask for it. `but`: ids of armies
    that are gone by then.
    """
    return sum_upkeep(campaign, but=but) if get_ruleset(campaign).house.upkeep else {}


def propose(passage: Passage) -> TimeProposal:
    """Preview of the effects of these days."""
    return BreakingPointPassing(passage).propose()


class SiegeDraft:
    """A siege with its unsaved changes."""

    def __init__(self, row: SiegeRow, siege: Siege):
        self.row, self.siege = row, siege
        self.told: list[ToldLine] = []
        self.others: list[Change] = []


class BreakingPointPassing:
    """One passage of time. Everything it reads is read once."""

    def __init__(self, passage: Passage):
        self._passage, self._campaign = passage, passage.campaign
        self._house = get_ruleset(self._campaign).house
        self._lately = load_recent_deeds(self._campaign)
        self._dice = passage.dice()
        self._notes: list[TimeNote] = []
        self._warnings: list[Said] = []
        self._events: list[TimeEvent] = []
        self._rolls: list[Roll] = []
        self._purses = PassingPurses(passage)
        self._read()

    def _read(self) -> None:
        rows = list_running_sieges(self._campaign)
        besieged = load_armies(rows)
        self._sieges = {str(row.pk): SiegeDraft(row, build_siege(row, besieged)) for row in rows}
        self._armies = list_drafts(besieged | self._recovering())
        self._held = {one: key for key, draft in self._sieges.items() for one in list_army_ids(draft.row.state)}
        self._heard = _terms_asked(self._passage.choices, self._sieges)

    def _recovering(self) -> dict[str, Army]:
        """Armies with wounded, or routed, by id."""
        hurt = Q(health__lt=F("health_max")) | Q(status=Army.Status.ROUTED)
        rows = rows_of(Army).filter(hurt, campaign=self._campaign, status__in=Army.STANDING)
        return {str(army.pk): army for army in rows.complete().order_by("pk")}

    def propose(self) -> TimeProposal:
        since, until = self._passage.since, self._passage.until
        for day in range(since + 1, until + 1):
            for draft in self._sieges.values():
                if draft.siege.running and (day - draft.row.began) % DAYS_A_WEEK == 0:
                    self._besiege(draft, day)
            self._purses.fall(day)
            if day % DAYS_A_WEEK == 0:
                self._rest(day)
                self._warnings += self._purses.pay_armies(self._upkeep(), day)
        self._dice.finish()
        return TimeProposal(
            since=since,
            until=until,
            changes=tuple(self._changes()),
            notes=tuple(self._notes),
            warnings=tuple(self._warnings),
            rolls=tuple(self._rolls),
            moves=tuple(self._purses.moves),
            events=(*self._events, *self._purses.events),
        )

    # Sieges.

    def _besiege(self, draft: SiegeDraft, day: int) -> None:
        """A week of a siege. One that waits for an answer or a battle does not go on, and gives a warning."""
        if draft.siege.status != OPEN:
            self._waits(draft)
            return
        draft.siege, events = week(draft.siege, self._dice, plain=self._house.plain_die)
        self._tell(draft, events, day)
        if draft.siege.status == OPEN and str(draft.row.pk) in self._heard and draft.siege.hears:
            draft.siege, event = terms(draft.siege, self._dice, plain=self._house.plain_die, told=True)
            self._tell(draft, [event], day)
        if not draft.siege.running:
            self._over(draft, day)

    def _waits(self, draft: SiegeDraft) -> None:
        broken = _(
            "{place}: the garrison must first choose between surrender and sortie. Until then, this siege is on hold."
        )
        fought = _("{place}: a battle of this siege is still in progress. Until it is over, the siege is on hold.")
        warning = say(broken if draft.siege.status == BROKEN else fought, place=draft.row.place.name)
        if warning not in self._warnings:
            self._warnings.append(warning)

    def _tell(self, draft: SiegeDraft, events: Collection[SiegeEvent], day: int) -> None:
        lines = describe_events(events, draft.row.place.name, day)
        draft.told += lines
        for event, line in zip(events, lines, strict=True):
            self._rolls += line.rolls
            roll = line.rolls[0] if line.rolls else None
            text = say(DAY, day=day, what=line.text)
            self._notes.append(TimeNote(text, line.rule, roll, getattr(event, "score", None)))

    def _over(self, draft: SiegeDraft, day: int) -> None:
        settled = settle(draft.row, draft.siege, self._armies, day)
        draft.others += settled.changes
        draft.told += settled.told
        self._notes += [TimeNote(say(DAY, day=day, what=line.text), line.rule) for line in settled.told]
        for one in list_army_ids(draft.row.state):
            del self._held[one]
            self._armies[one].busy = day

    # Armies.

    def _rest(self, day: int) -> None:
        """A week of rest: wounded return to armies that neither marched nor fought; routed armies become ready
        (B-69).
        """
        for key, draft in self._armies.items():
            if key in self._held or not self._in_peace(draft, day):
                continue
            if rallied := draft.status == Army.Status.ROUTED:
                draft.put(status=Army.Status.READY.value)
            back = draft.rest() if draft.status == Army.Status.READY and self._lately.rests(draft.row, day) else 0
            if back:
                self._notes.append(TimeNote(say(RETURNED, day=day, army=draft.row.name, count=back), RULE))
            whole = draft.health >= draft.row.health_max
            if rallied or (back and whole):
                self._events.append(tell_recovered(draft.row.name, day, RULE, whole=whole))

    def _in_peace(self, draft: ArmyDraft, day: int) -> bool:
        besieged = draft.busy is not None and draft.busy > day - DAYS_A_WEEK
        return not besieged and self._lately.at_peace(str(draft.row.pk), day)

    # Upkeep.

    def _upkeep(self) -> Mapping[str, int]:
        gone = [key for key, draft in self._armies.items() if draft.status not in Army.STANDING]
        return upkeep_of(self._campaign, but=gone)

    # Changes.

    def _changes(self) -> Iterator[Change]:
        for draft in self._sieges.values():
            if draft.told:
                yield build_siege_change(draft.row, draft.siege, draft.told)
                yield from draft.others
        for army in self._armies.values():
            yield from army.changes(RULE, _("A week passed"))
        yield from self._purses.changes(UPKEEP_RULE)


def _terms_asked(choices: Mapping[str, Any], sieges: Mapping[str, Any]) -> frozenset[str]:
    """Ids of sieges in which to offer terms. Raises `InvalidInput` with the pointer."""
    for name in choices:
        if name != TERMS_CHOICE:
            raise InvalidInput(say(_("Unknown choice. Use one of: {known}."), known=TERMS_CHOICE), f"/choices/{name}")
    asked = choices.get(TERMS_CHOICE, [])
    if not isinstance(asked, list):
        raise InvalidInput(_("Send a list of ids."), f"/choices/{TERMS_CHOICE}")
    return frozenset(_siege_id(one, place, sieges) for place, one in enumerate(asked))


def _siege_id(given: object, place: int, sieges: Mapping[str, Any]) -> str:
    pointer = f"/choices/{TERMS_CHOICE}/{place}"
    key = str(parse_uuid(given) or "")
    demand(key, _("This isn’t a valid id."), field=pointer)
    if key not in sieges:
        raise InvalidInput(_("This siege doesn’t exist in this campaign."), pointer)
    return key
