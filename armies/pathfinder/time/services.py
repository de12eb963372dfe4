"""Time passes: proposed, then confirmed in one transaction, then perhaps undone (PF-7, PF-8.4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Count, Q
from django.utils.crypto import salted_hmac

from armies.fights import Deeds, deeds_of
from armies.models import TimeStep
from armies.pathfinder.models import PathfinderArmy
from armies.pathfinder.models.army import STORED
from armies.pathfinder.time import reading
from armies.pathfinder.time.choices import read_choices, running_choices
from armies.pathfinder.time.chosen import WEEKLY, chosen_for, line_of, names_of, week_of
from armies.pathfinder.time.proposal import Proposal, written
from armies.pathfinder.time.ranks import Ranks
from kingdom import world
from kingdom.calendar import DAYS_A_WEEK
from kingdom.models import Campaign, ChronicleEntry, Kingdom, LedgerEntry, User
from kingdom.selectors import last_standing_entry, require_gm, ruleset_of
from kingdom.services import treasury
from kingdom.warrants import gm_only
from rules.dice import Dice, Typed, TypedDie
from rules.errors import IllegalCommand, demand, require
from rules.pathfinder.time import Plan, Report, pass_time
from rules.pathfinder.time.roster import Roster
from rules.pathfinder.time.state import week_end
from rules.pinned import Pinned
from rules.text import _, say

MOST_DAYS = 366
NAMED = 500  # armies; beyond, lines are counted by kingdom and rule
ARMY_FIGURES = ("hp", "morale", "status", "arrears", "owed", "disease", "ill", "drain", "surcharge", "commander")


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
) -> Proposal:
    """What the next days would do (GM). Nothing is written.

    The server's dice stay the same until something happens: what is confirmed is what was shown. `lenient`
    ignores typed dice nobody needs. Raises `InvalidInput`, `DiceNeeded`.
    """
    require_gm(by, campaign)
    deeds = _deeds(campaign)
    plan = _plan(campaign, days, choices or {}, deeds)
    return _Passing(by, campaign, plan, deeds, Table(tuple(typed), ask, lenient)).propose()


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
    deeds = _deeds(campaign)
    plan = _plan(campaign, days, choices or {}, deeds)
    return _Passing(by, campaign, plan, deeds, Table(tuple(typed), ask, lenient)).confirm(mark)


@gm_only
@transaction.atomic
def choose_week(*, by: User, campaign: Campaign, choices: Mapping[str, Any]) -> Campaign:
    """Choose, or choose anew, what holds until the running week ends (GM, R-81); no time passes.

    What is not given stays as it was. Raises `InvalidInput` with the pointer.
    """
    require_gm(by, campaign)
    campaign = world.lock(campaign)
    for name in choices:
        demand(name in WEEKLY, _("This is not chosen for a week. Known: {known}."), field=f"/choices/{name}",
               known=", ".join(sorted(WEEKLY)))  # fmt: skip
    week = week_of(campaign.day)
    holds = running_choices(campaign, choices) or read_choices(campaign, choices)
    if changes := line_of(week, chosen_for(campaign, week), names_of(holds)):
        text = say(_("Chosen for week {week}."), week=week + 1)
        world.apply(campaign=campaign, changes=changes, by=by, kind="army", text=text, private=True)
    return campaign


def _refuse_other_day(campaign: Campaign, day: int | None) -> None:
    if day is not None and day != campaign.day:
        template = _("It is day {now} by now, not day {day}: time has passed meanwhile. Look at it again.")
        raise StaleDay(say(template, now=campaign.day, day=day), "/day")


def _deeds(campaign: Campaign) -> Deeds:
    """What the armies did since the week began."""
    return deeds_of(campaign, campaign.day - campaign.day % DAYS_A_WEEK)


def _plan(campaign: Campaign, days: object, choices: Mapping[str, Any], deeds: Deeds) -> Plan:
    whole = isinstance(days, int) and not isinstance(days, bool) and 1 <= days <= MOST_DAYS
    demand(whole, _("From {least} to {most} days."), field="/days", least=1, most=MOST_DAYS)
    assert isinstance(days, int)
    until = campaign.day + days
    return Plan(
        since=campaign.day,
        until=until,
        months=frozenset(campaign.dates.month_starts(campaign.day, until)),
        choices=read_choices(campaign, choices),
        running=running_choices(campaign, choices),
        rallied=reading.rallied(campaign),
        fighting=deeds.fighting,
        fought=deeds.fought,
        half=ruleset_of(campaign).house.recovery_cap == "half",
        returning=reading.returning(campaign, until),
    )


class Table(NamedTuple):
    """The dice on the table: those typed, whether missing ones are asked for, and whether spare ones are ignored."""

    typed: Sequence[TypedDie]
    ask: bool
    lenient: bool


class _Passing:
    """One passage of time, proposed or done."""

    def __init__(self, by: User, campaign: Campaign, plan: Plan, deeds: Deeds, table: Table):
        self._by, self._campaign, self._plan = by, campaign, plan
        self._deeds, self._table = deeds, table
        self._armies = reading.standing(campaign)
        self._kingdoms = reading.kingdoms_now(campaign)
        fed = Count("pk", filter=Q(foraging__isnull=False))
        self._seen = self._armies.aggregate(armies=Count("pk"), ill=Count("pk", filter=Q(ill=True)), fed=fed)
        self._named = self._seen["armies"] <= NAMED

    def propose(self) -> Proposal:
        if self._named:
            return self._by_the_law(Roster(reading.armies_now(self._armies, self._plan.since)))
        with transaction.atomic():  # a large campaign's tables reckon it, and forget it again
            proposal = self._in_the_tables(self._ranks())
            transaction.set_rollback(True)
        return proposal

    def _ranks(self) -> Ranks:
        return Ranks(self._campaign, **self._seen)

    def confirm(self, mark: str | None) -> ChronicleEntry:
        ranks = self._ranks()
        try:
            proposal = self._confirm_named(ranks) if self._named else self._in_the_tables(ranks)
        except IntegrityError as error:
            raise StaleDay(_("These days have passed already.")) from error
        if mark is not None and mark != proposal.mark:
            raise StaleDay(_("Something has changed since the proposal was made. Look at it again."))
        return self._enter(proposal, ranks)

    def _confirm_named(self, ranks: Ranks) -> Proposal:
        """The law says what happens, the tables do it; they may not come to another end."""
        list(self._armies.locked().values_list("pk"))
        muster = Roster(reading.armies_now(self._armies, self._plan.since))
        proposal = self._by_the_law(muster)
        self._in_the_tables(ranks)
        hold_to_the_law(muster)
        return proposal

    def _by_the_law(self, muster: Roster) -> Proposal:
        return self._pass(muster, detailed=True)

    def _in_the_tables(self, ranks: Ranks) -> Proposal:
        return self._pass(ranks, detailed=self._named)

    def _pass(self, troops: Roster | Ranks, *, detailed: bool) -> Proposal:
        dice = self._dice()
        report = Report(dice, detailed=detailed)
        self._warn(report)
        pass_time(self._kingdoms, troops, self._plan, report)
        dice.finish()
        return written(self._campaign, self._plan, report, grouped=not self._named)

    def _warn(self, report: Report) -> None:
        ids = [*self._plan.fighting][:NAMED]
        if names := self._armies.filter(pk__in=ids).order_by("name").values_list("name", flat=True):
            template = _(
                "In a battle: {armies}. No rest for them, and their battle does not see what time does to them."
            )
            report.warn(say(template, armies=", ".join(names)))
        unseen = self._plan.choices_of(week_end(self._plan.since)).feast - self._deeds.won
        for name in self._armies.filter(pk__in=unseen).order_by("name").values_list("name", flat=True):
            report.warn(say(_("No battle won by {army} this week is on record: were there corpses?"), army=name))

    def _dice(self) -> Dice:
        server = Pinned(self._secret())
        kind = _Forgiving if self._table.lenient else Typed
        return kind(self._table.typed, by=self._by.get_username(), ask=self._table.ask, server=server)

    def _secret(self) -> str:
        """Nobody can foresee it, and it is another one as soon as something has happened."""
        last = last_standing_entry(self._campaign)
        moment = f"{self._campaign.pk}|{self._campaign.day}|{last.pk if last else ''}"
        return salted_hmac("armies.time", moment, algorithm="sha256").hexdigest()

    def _enter(self, proposal: Proposal, ranks: Ranks) -> ChronicleEntry:
        self._settle_ledgers(proposal)
        entry = world.apply(
            campaign=self._campaign,
            changes=proposal.changes,
            by=self._by,
            kind=ChronicleEntry.Kind.WEEK,
            text=proposal.text,
            kingdoms={UUID(change.subject_id) for change in proposal.changes if change.subject_kind == "kingdom"},
        )
        TimeStep.objects.filter(pk__in=[step.pk for step in ranks.steps]).update(entry=entry)
        return entry

    def _settle_ledgers(self, proposal: Proposal) -> None:
        """One entry for each kingdom and reason. A treasury that moved since it was read stops everything."""
        ids = sorted({change.id for change in proposal.moves})
        rows = {str(row.pk): row for row in Kingdom.objects.select_for_update().filter(pk__in=ids).order_by("pk")}
        held = {key: row.treasury for key, row in rows.items()}
        moves = []
        for change in proposal.moves:
            row = rows[change.id]
            require(held[change.id] == change.before, _("The treasury of {kingdom} moved meanwhile. Look at it again."),
                    kingdom=row.name)  # fmt: skip
            assert isinstance(change.after, int)
            moves.append(treasury.Move(row, change.after - held[change.id], change.label, change.day))
            held[change.id] = change.after
        treasury.append_many(moves, source=LedgerEntry.Origin.WEEK, by=self._by)


class _Forgiving(Typed):
    """A page keeps the dice typed for choices that were changed since."""

    def finish(self) -> None:
        self.checkpoint()


def hold_to_the_law(muster: Roster) -> None:
    """The tables are what the law says. Raises `AssertionError` otherwise, which takes everything back."""
    rows = PathfinderArmy.objects.filter(pk__in=muster.armies).values_list(
        "pk", *(STORED.get(name, name) for name in ARMY_FIGURES)
    )
    for pk, *figures in rows:
        army = muster.armies[str(pk)]
        figures[-1] = str(figures[-1]) if figures[-1] else None
        if figures != [getattr(army, name) for name in ARMY_FIGURES]:
            raise AssertionError(f"{army.id}: the table says {figures}, the law says {army}")
