"""Time passes: proposed, then confirmed in one transaction, then perhaps undone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction

from armies.time.coming import homecomings
from armies.time.life import life_for
from armies.time.passage import DiceTable, Passage, Steps, secret_of
from armies.time.proposal import TimeProposal
from armies.time.spans import MOST_DAYS
from kingdom import world
from kingdom.models import Campaign, ChronicleEntry, Kingdom, LedgerEntry, User
from kingdom.selectors import require_gm
from kingdom.services import treasury
from kingdom.warrants import gm_only
from rules.dice import TypedDie
from rules.errors import IllegalCommand, demand, require
from rules.text import _, say


class StaleDay(IllegalCommand):
    """The campaign is no longer as the proposal saw it (HTTP 412). Nothing has changed."""


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
    """What the next days would do (GM). Nothing is written.

    The server's dice stay the same until something happens: what is confirmed is what was shown. `lenient`
    ignores typed dice nobody needs. Raises `InvalidInput`, `DiceNeeded`.
    """
    require_gm(by, campaign)
    passage = _passage(by, campaign, days, choices, DiceTable(tuple(typed), ask, lenient))
    return _whole(passage, life_for(campaign).propose(passage))


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
    """Let the days pass (GM): one transaction, one chronicle entry.

    `day` is the day the proposal was made on, `mark` its mark: raises `StaleDay` if either is no longer right, so
    neither a second click nor a second GM lets a week pass twice. Whoever confirms for a person names the mark.
    Raises `InvalidInput`, `DiceNeeded`.
    """
    require_gm(by, campaign)
    campaign = world.lock(campaign)
    _refuse_other_day(campaign, day)
    passage = _passage(by, campaign, days, choices, DiceTable(tuple(typed), ask, lenient))
    proposal = _lived(passage)
    if mark is not None and mark != proposal.mark:
        raise StaleDay(_("Something has changed since the proposal was made. Look at it again."))
    return _enter(passage, proposal)


@gm_only
@transaction.atomic
def choose_week(*, by: User, campaign: Campaign, choices: Mapping[str, Any]) -> Campaign:
    """Choose, or choose anew, what holds until the running week ends (GM); no time passes.

    What is not given stays as it was. Raises `InvalidInput` with the pointer.
    """
    require_gm(by, campaign)
    campaign = world.lock(campaign)
    if changes := life_for(campaign).choose(campaign, choices):
        text = say(_("Chosen for week {week}."), week=campaign.week)
        world.apply(campaign=campaign, changes=changes, by=by, kind="army", text=text, private=True)
    return campaign


def _refuse_other_day(campaign: Campaign, day: int | None) -> None:
    if day is not None and day != campaign.day:
        template = _("It is day {now} by now, not day {day}: time has passed meanwhile. Look at it again.")
        raise StaleDay(say(template, now=campaign.day, day=day), "/day")


def _passage(
    by: User, campaign: Campaign, days: object, choices: Mapping[str, Any] | None, table: DiceTable
) -> Passage:
    whole = isinstance(days, int) and not isinstance(days, bool) and 1 <= days <= MOST_DAYS
    demand(whole, _("From {least} to {most} days."), field="/days", least=1, most=MOST_DAYS)
    assert isinstance(days, int)
    return Passage(
        campaign=campaign,
        by=by,
        since=campaign.day,
        until=campaign.day + days,
        choices={} if choices is None else choices,
        table=table,
        steps=Steps(campaign),
        secret=secret_of(campaign),
    )


def _lived(passage: Passage) -> TimeProposal:
    """What the life has done, with every day of the passage reached."""
    try:
        proposal = life_for(passage.campaign).confirm(passage)
        passage.steps.complete(passage.since, passage.until)
    except IntegrityError as error:
        raise StaleDay(_("These days have passed already.")) from error
    return _whole(passage, proposal)


def _whole(passage: Passage, proposal: TimeProposal) -> TimeProposal:
    """With the day itself, and who comes home."""
    life = life_for(passage.campaign)
    changes, notes = homecomings(passage, life)
    campaign, label = passage.campaign, _("Time passes")
    day = world.Change(
        "campaign", str(campaign.pk), "day", passage.since, passage.until, life.rules.time, label, campaign.name
    )
    return replace(proposal, changes=(day, *proposal.changes, *changes), notes=(*proposal.notes, *notes))


def _enter(passage: Passage, proposal: TimeProposal) -> ChronicleEntry:
    _settle_ledgers(passage.by, proposal)
    entry = world.apply(
        campaign=passage.campaign,
        changes=proposal.changes,
        by=passage.by,
        kind=ChronicleEntry.Kind.WEEK,
        text=proposal.text,
        kingdoms={UUID(change.subject_id) for change in proposal.changes if change.subject_kind == "kingdom"},
    )
    passage.steps.belong_to(entry)
    return entry


def _settle_ledgers(by: User, proposal: TimeProposal) -> None:
    """One entry for each kingdom and reason. A treasury that moved since it was read stops everything."""
    ids = sorted({move.kingdom for move in proposal.moves})
    rows = {str(row.pk): row for row in Kingdom.objects.select_for_update().filter(pk__in=ids).order_by("pk")}
    held = {key: row.treasury for key, row in rows.items()}
    moves = []
    for move in proposal.moves:
        row, before = rows[move.kingdom], held[move.kingdom]
        template = _("The treasury of {kingdom} moved meanwhile. Look at it again.")
        require(before == move.before, template, kingdom=row.name)
        moves.append(treasury.Move(row, move.after - before, move.reason, move.day))
        held[move.kingdom] = move.after
    treasury.append_many(moves, source=LedgerEntry.Origin.WEEK, by=by)
