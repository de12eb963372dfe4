"""Services for passing time: propose, confirm in one transaction, undo."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction

from armies.adjustments.queries import end_adjustments
from armies.models import Army
from armies.weeks.army_moves import (
    arrivals,
    breaking_off,
    homecomings,
    list_final_encounters,
    list_passed_encounters,
    list_still_marching,
    lost,
    move_on,
    split_held_up,
)
from armies.weeks.passage import MOST_DAYS, DiceTable, Passage, Steps, TimeProposal, list_emptied, secret_of
from armies.weeks.ruleset_weeks import get_weeks_ui
from core.clean_input import DAY_MAX
from kingdom.access.decorators import gm_only
from kingdom.access.queries import require_gm
from kingdom.chronicle import changes as chronicle_changes
from kingdom.models import Campaign, ChronicleEntry, Kingdom, LedgerEntry, User
from kingdom.realms import treasury_services
from rules.core.dice import TypedDie
from rules.core.errors import StaleProposal, demand, require
from rules.core.text import _, say


class StaleDay(StaleProposal):
    """The campaign has changed since the proposal (HTTP 412). Nothing was written."""


@gm_only
@transaction.atomic
def propose_time(
    *,
    by: User,
    campaign: Campaign,
    days: int,
    choices: Mapping[str, Any] | None = None,
    typed: Iterable[TypedDie] = (),
    ask: bool = False,
    lenient: bool = False,
) -> TimeProposal:
    """Preview of the effects of the next days (GM). Writes nothing.

    The server's dice stay the same until something happens, so that the confirmed result is the one shown. `lenient`:
    ignores spare typed dice. Raises `InvalidInput`, `DiceNeeded`.
    """
    require_gm(by, campaign)
    passage = _passage(by, campaign, days, choices, DiceTable(tuple(typed), ask, lenient))
    return _foreseen(passage, *_lived(passage, passage.life.propose))


@gm_only
@transaction.atomic
def confirm_time(
    *,
    by: User,
    campaign: Campaign,
    days: int,
    choices: Mapping[str, Any] | None = None,
    typed: Iterable[TypedDie] = (),
    ask: bool = False,
    lenient: bool = False,
    day: int | None = None,
    mark: str | None = None,
) -> ChronicleEntry:
    """Lets the days pass (GM): one transaction, one chronicle entry.

    `day`: day of the proposal; `mark`: its mark. Raises `StaleDay` if either has changed, so that neither a double
    click nor a second GM lets a week pass twice. Always pass the mark when people confirm. Raises `InvalidInput`,
    `DiceNeeded`.
    """
    require_gm(by, campaign)
    campaign = chronicle_changes.lock(campaign)
    _refuse_other_day(campaign, day)
    passage = _passage(by, campaign, days, choices, DiceTable(tuple(typed), ask, lenient))
    try:
        proposal, _moving = _lived(passage, passage.life.confirm)
        if mark is not None and mark != proposal.mark:
            raise StaleDay(_("Something has changed since this preview was made. Check it again."))
        return _enter(passage, proposal)
    except IntegrityError as error:
        raise StaleDay(_("These days have already passed. Choose a later day.")) from error


@gm_only
@transaction.atomic
def choose_week(*, by: User, campaign: Campaign, choices: Mapping[str, Any]) -> Campaign:
    """Stores choices for the running week (GM). No time passes.

    Choices left out stay as they are. Raises `InvalidInput` with the pointer.
    """
    require_gm(by, campaign)
    campaign = chronicle_changes.lock(campaign)
    if changes := get_weeks_ui(campaign).choose(campaign, choices):
        text = say(_("Choices saved for week {week}."), week=campaign.week)
        chronicle_changes.apply_held(campaign=campaign, changes=changes, by=by, kind="army", text=text, private=True)
    return campaign


def _refuse_other_day(campaign: Campaign, day: int | None) -> None:
    if day is not None and day != campaign.day:
        template = _("It is now day {now}, not day {day}, because time has passed. Check the preview again.")
        raise StaleDay(say(template, now=campaign.day, day=day), "/day")


def _passage(
    by: User, campaign: Campaign, days: object, choices: Mapping[str, Any] | None, table: DiceTable
) -> Passage:
    whole = isinstance(days, int) and not isinstance(days, bool) and 1 <= days <= MOST_DAYS
    demand(whole, _("Enter {least} to {most} days."), field="/days", least=1, most=MOST_DAYS)
    assert isinstance(days, int)
    require(
        campaign.day + days <= DAY_MAX, _("A campaign can last {most} days at most. Choose fewer days."), most=DAY_MAX
    )
    return Passage(
        campaign=campaign,
        by=by,
        since=campaign.day,
        until=campaign.day + days,
        choices={} if choices is None else choices,
        table=table,
        life=get_weeks_ui(campaign),
        steps=Steps(),
        secret=secret_of(campaign),
    )


def _lived(passage: Passage, live: Callable[[Passage], TimeProposal]) -> tuple[TimeProposal, list[Army]]:
    """The ruleset's proposal with the day itself and the arrivals, and the marching armies that nothing holds up.

    Arrivals are loaded first, for the ruleset may end the army that arrives.
    """
    held, moving = split_held_up(passage)
    back, there = homecomings(passage), arrivals(passage, [army.pk for army in held])
    proposal = live(replace(passage, marching=(*held, *moving)))
    campaign, label = passage.campaign, _("Time passes")
    day = chronicle_changes.Change(
        "campaign", str(campaign.pk), "day", passage.since, passage.until, passage.life.rules.time, label, campaign.name
    )
    ended = () if passage.life.ends_adjustments else end_adjustments(campaign, passage.until)
    changes = (day, *proposal.changes, *ended, *back.changes, *there.changes, *breaking_off(passage, held))
    notes = (*proposal.notes, *back.notes, *there.notes)
    events = (*proposal.events, *list_emptied(proposal), *back.events, *there.events)
    return replace(proposal, changes=changes, notes=notes, events=events), moving


def _foreseen(passage: Passage, proposal: TimeProposal, moving: Sequence[Army]) -> TimeProposal:
    """The proposal with notes about marching armies, which only previews show."""
    return replace(
        proposal,
        notes=(*proposal.notes, *list_still_marching(passage, moving)),
        warnings=(
            *proposal.warnings,
            *list_passed_encounters(passage, moving),
            *list_final_encounters(passage, moving, lost(proposal)),
        ),
    )


def _enter(passage: Passage, proposal: TimeProposal) -> ChronicleEntry:
    _settle_ledgers(passage.by, proposal)
    entry = chronicle_changes.apply_held(
        campaign=passage.campaign,
        changes=proposal.changes,
        by=passage.by,
        kind=ChronicleEntry.Kind.WEEK,
        text=proposal.text,
        kingdoms={UUID(change.subject_id) for change in proposal.changes if change.subject_kind == "kingdom"},
    )
    passage.steps.write(entry, passage.since, passage.until)
    move_on(passage)
    return entry


def _settle_ledgers(by: User, proposal: TimeProposal) -> None:
    """Writes one ledger entry for each kingdom and reason. Refuses everything if a treasury has changed since it was
    read.
    """
    ids = sorted({move.kingdom for move in proposal.moves})
    rows = {str(row.pk): row for row in Kingdom.objects.select_for_update().filter(pk__in=ids).order_by("pk")}
    held = {key: row.treasury for key, row in rows.items()}
    moves = []
    for move in proposal.moves:
        row, before = rows[move.kingdom], held[move.kingdom]
        template = _("{kingdom}’s treasury has changed since. Check the preview again.")
        require(before == move.before, template, kingdom=row.name)
        own = LedgerEntry.Origin.PLANNED if move.planned else ""
        if move.after != before:
            moves.append(treasury_services.Move(row, move.after - before, move.reason, move.day, own))
        held[move.kingdom] = move.after
    treasury_services.append_many(moves, source=LedgerEntry.Origin.WEEK, by=by)
