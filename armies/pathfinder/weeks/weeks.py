"""`WeeksUI` of mass combat: days, weeks and months, and what falls due in them (PF-7, PF-8.4, PF-2.7)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection
from django.http import QueryDict
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from armies.models import TimeStep
from armies.pathfinder.weeks import bulk_sql, services
from armies.pathfinder.weeks.forms import ROLLS, Offers, WeekForm, list_offers, list_paid_weeks
from armies.pathfinder.weeks.mapping import TroopTotals, has_reserves, load_troop_totals
from armies.pathfinder.weeks.outlook import foresee
from armies.pathfinder.weeks.week_choices import ChosenNames, choose, chosen_in_words, load_choices
from armies.ruleset_ui import Cited
from armies.weeks.passage import DueLine
from armies.weeks.treasury_outlook import far_ahead
from kingdom.access.queries import is_gm
from kingdom.api.fields import LineSerializer, serialize_lines
from kingdom.campaign.queries import kingdoms_read
from kingdom.chronicle import changes
from kingdom.models import Campaign, ChronicleEntry, Kingdom, User
from rules.core.errors import require
from rules.core.text import Said, Term, _, say
from rules.pathfinder.weeks import Payment
from rules.pathfinder.weeks.ahead import Foretold
from rules.pathfinder.weeks.week_state import KingdomWeek
from rules.treasury_projection import HORIZON, Outgoings, weeks_paid

# Due payments, checks and recoveries of the coming days (PF-7.2, PF-2.7).

# Due lines, before anybody lets time pass.


class DuePayments(NamedTuple):
    """A due line of a kingdom. `bad`: whether it means trouble."""

    day: int
    rule: str
    text: Said
    bad: bool


def falls_due(campaign: Campaign, kingdoms: Sequence[Kingdom]) -> Iterator[DueLine]:
    """Due lines of these kingdoms, which have their settlements loaded. A constant number of queries."""
    troops = load_troop_totals(kingdoms)
    foretold = foresee(campaign, kingdoms, troops=troops)
    for kingdom in kingdoms:
        yield from _of_kingdom(campaign, kingdom, foretold[str(kingdom.pk)], troops[kingdom.pk])


def _of_kingdom(campaign: Campaign, kingdom: Kingdom, foretold: Foretold, bodies: TroopTotals) -> Iterator[DueLine]:
    """Due lines of one kingdom."""
    month, week = _of_month(campaign, kingdom, bodies), _of_week(foretold, free=kingdom.without_treasury)
    for day, rule, text, bad in (*week, *month, *_of_bodies(campaign, bodies)):
        yield DueLine(day, campaign.dates.date(day), kingdom, text, rule, bad)


def _of_week(foretold: Foretold, *, free: bool) -> Iterator[DuePayments]:
    """The end of the running week without further decisions. `free`: without a treasury, so nobody is paid."""
    week = foretold.week
    if week.armies and not free:
        yield DuePayments(week.day, "PF-7.2", _pay(week), foretold.short)
    if week.owed:
        yield DuePayments(week.day, "PF-7.2", say(_("Arrears owed: {bp} BP."), bp=week.owed), True)
    if week.unpaid:
        yield DuePayments(
            week.day, "PF-7.2", say(_("Unpaid armies: {count}. Morale −2 until paid."), count=week.unpaid), True
        )
    if week.losing:
        template = _("Armies without an active commander: {count}. Morale −1 each unless paid double.")
        text = say(_("Armies without an active commander: {count}. Morale −1 each.") if free else template,
                   count=week.losing)  # fmt: skip
        yield DuePayments(week.day, "PF-2.7", text, True)
    if week.doubled:
        text = say(_("Armies without an active commander, paid double: {count}."), count=week.doubled)
        yield DuePayments(week.day, "PF-2.7", text, False)
    if week.deserting:
        text = say(
            _("Armies disbanded by broken morale: {count} ({names})."), count=week.deserting, names=deserters(week)
        )
        yield DuePayments(week.day, "PF-1.9", text, True)


def deserters(week: KingdomWeek) -> str:
    """Names of the armies that will desert; only the first few."""
    return ", ".join((*week.deserters, *["…"][: week.deserting > len(week.deserters)]))


def _of_month(campaign: Campaign, kingdom: Kingdom, bodies: TroopTotals) -> Iterator[DuePayments]:
    month = campaign.dates.next_month(campaign.day)
    if not kingdom.without_treasury:
        yield DuePayments(month, "PF-8.4", _upkeep(kingdom), kingdom.unrest >= 10)
    if bodies.routed:
        text = say(_("Routed armies: {count}. A Loyalty check for each."), count=bodies.routed)
        yield DuePayments(month, "PF-6.2", text, False)


def _of_bodies(campaign: Campaign, bodies: TroopTotals) -> Iterator[DuePayments]:
    tomorrow = campaign.day + 1
    if bodies.drained:
        yield DuePayments(
            tomorrow, "PF-7.3", say(_("Armies recovered from energy drain: {count}."), count=bodies.drained), False
        )
    if bodies.ill:
        text = say(_("Ill armies: {count}. −1 more each day and a Stability check."), count=bodies.ill)
        yield DuePayments(tomorrow, "PF-7.3", text, True)
    if bodies.recovering:
        text = say(_("Armies recovered from disease by then: {count}."), count=bodies.recovering)
        yield DuePayments(campaign.day + bodies.worst, "PF-7.3", text, False)


def _pay(week: KingdomWeek) -> Said:
    template = _("Consumption: {bp} BP for {count} armies (treasury {before} → {after}).")
    if week.armies == 1:
        template = _("Consumption: {bp} BP for one army (treasury {before} → {after}).")
    return say(template, bp=week.spent, count=week.armies, before=week.purse, after=week.purse - week.spent)


def _upkeep(kingdom: Kingdom) -> Said:
    if not kingdom.consumption:
        return _("Upkeep phase: Stability check.")
    return say(_("Upkeep phase: Stability check, Consumption of {bp} BP."), bp=kingdom.consumption)


NOTHING = Outgoings()
SHOWN = 6  # kingdoms on the campaign's page


@dataclass(frozen=True, slots=True)
class Due:
    """The end of a kingdom's week without further decisions. `weekly`: BP that its armies cost in it; `reserve`: BP a
    month for those in reserve. `later`: the payments of the weeks after it.
    """

    kingdom: Kingdom
    foretold: Foretold
    weekly: int = 0
    reserve: int = 0
    later: Outgoings = NOTHING

    @property
    def week(self) -> KingdomWeek:
        return self.foretold.week

    @property
    def pays(self) -> bool:
        return not self.kingdom.without_treasury

    @property
    def weeks_left(self) -> int | None:
        """Weeks that can be paid in full, as in the outlook; None for years."""
        if self.kingdom.without_treasury:
            return None
        lasts = weeks_paid(far_ahead(self.kingdom, self.later, first=self.foretold.asked))
        return lasts if lasts < HORIZON else None

    @property
    def trouble(self) -> bool:
        """Whether armies will be unpaid, lose Morale or desert."""
        return self.foretold.short or bool(self.week.unpaid or self.week.losing or self.week.deserting)

    @property
    def deserters(self) -> str:
        """Names of the armies that will desert; only the first few."""
        return deserters(self.week)


class Dues(NamedTuple):
    """Kingdoms that pay armies, those in trouble first, with kingdoms without a treasury whose armies are in trouble;
    `rest`: how many are left out. `payers`: how many pay; `spent`: what they pay; `before` and `after`: sums of their
    treasuries. In BP.
    """

    shown: list[Due]
    rest: int
    payers: int
    spent: int
    before: int
    after: int


def list_weekly_due(user: User, campaign: Campaign, chosen: ChosenNames | None = None) -> list[Due]:
    """The end of the week for kingdoms the user reads, by name."""
    return dues_of(campaign, kingdoms_read(user, campaign), chosen)


def in_short(dues: Sequence[Due]) -> Dues:
    told = sorted(
        (due for due in dues if due.week.armies and (due.pays or due.trouble)), key=lambda due: not due.trouble
    )
    paying = [due for due in told if due.pays]
    return Dues(
        told[:SHOWN],
        len(told[SHOWN:]),
        len(paying),
        spent=sum(due.week.spent for due in paying),
        before=sum(due.kingdom.treasury for due in paying),
        after=sum(due.foretold.after for due in paying),
    )


def dues_of(campaign: Campaign, kingdoms: Sequence[Kingdom], chosen: ChosenNames | None = None) -> list[Due]:
    """Dues of these kingdoms, whose settlements must be loaded."""
    troops = load_troop_totals(kingdoms)
    foretold = foresee(campaign, kingdoms, chosen, troops)
    spares = has_reserves(campaign)
    return [_due_of(one, foretold[str(one.pk)], troops[one.pk], spares=spares) for one in kingdoms]


def _due_of(kingdom: Kingdom, foretold: Foretold, totals: TroopTotals, *, spares: bool) -> Due:
    """`spares`: whether armies in reserve are spared the weekly payment."""
    if kingdom.without_treasury:
        return Due(kingdom, foretold)
    every = totals.upkeep + totals.reserve
    resting, stays = (totals.resting, totals.reserve) if spares else (0, 0)
    later = Outgoings(every - stays, kingdom.consumption, reserve=stays)
    return Due(kingdom, foretold, every - resting, resting, later)


# `WeeksUI` of mass combat: days, weeks and months (PF-7, PF-8.4).

# Members of a proposal in the API, besides the frame's: payments.


class PaymentSerializer(serializers.Serializer):
    """Claim of an army on its kingdom for a week, and the payment, in BP."""

    day = serializers.IntegerField()
    kingdom = serializers.CharField()
    army = serializers.CharField()
    name = serializers.CharField()
    due = serializers.IntegerField(source="due.total")
    spent = serializers.IntegerField()
    paid = serializers.BooleanField()
    arrears_paid = serializers.BooleanField(source="arrears")
    double = serializers.BooleanField()
    breakdown = serializers.SerializerMethodField()

    @extend_schema_field(LineSerializer(many=True))
    def get_breakdown(self, payment: Payment) -> list[Any]:
        return serialize_lines(payment.due)


class WeekMembers(serializers.Serializer):
    payments = PaymentSerializer(many=True)
    grouped = serializers.BooleanField(
        help_text="The armies are too many to name: lines count them by kingdom and rule."
    )


# Undo of passed days, from the records of each step.

DATED = frozenset({"rested_on"})  # count on their day only


def restore(step: TimeStep) -> None:
    """Undoes the step. Raises `IllegalCommand` that names an army which has changed since."""
    params: dict[str, Any] = {"campaign": step.campaign_id, "day": step.day}
    with connection.cursor() as cursor:
        cursor.execute(bulk_sql.OVERTAKEN, params)
        moved = cursor.fetchone()
        name = moved[0] if moved else ""
        why = _("{army}: changed or deleted since. Undo the later change first.")
        require(not moved, why, army=name or "–")
        cursor.execute(bulk_sql.RESTORE, params)
        cursor.execute(bulk_sql.FORGET, params)


def find_touched(time: ChronicleEntry, other: ChronicleEntry) -> Said | None:
    """The army that both this passage of time and the other entry changed; None for none. The passage lists its armies
    only by number.
    """
    days = list(TimeStep.objects.filter(entry=time).values_list("day", flat=True))
    places: dict[str, list[UUID]] = defaultdict(list)
    for change in changes.list_changes(other):
        if change.subject_kind == "army" and change.field in bulk_sql.TOUCHED:
            places[change.field].append(UUID(change.subject_id))
    found = (_name(time, days, field, ids) for field, ids in places.items())
    return next((say(Term("{name}"), name=name) for name in found if name), None)


def _name(time: ChronicleEntry, days: list[int], field: str, ids: list[UUID]) -> str | None:
    params: dict[str, Any] = {"campaign": time.campaign_id, "days": days, "ids": ids}
    with connection.cursor() as cursor:
        cursor.execute(bulk_sql.touched(field), params)
        row = cursor.fetchone()
    return row[0] if row else None


class PathfinderLife:
    rules = Cited(time="PF-7", back="PF-2.5", freed="PF-2.8", arrives="PF-1.8")
    rolls = ROLLS
    choices_template = "armies/pathfinder/weeks/choices.html"
    proposal_template = "armies/pathfinder/weeks/paid.html"
    panel_template = "armies/pathfinder/weeks/due.html"
    choices_doc = "`pay_double` also true or false for all kingdoms."
    members = WeekMembers
    dated = DATED
    burdens = frozenset({"arrears", "owed", "disease", "ill", "drain", "surcharge"})
    strength = "hp"
    ends_adjustments = True

    propose, confirm = staticmethod(services.propose), staticmethod(services.confirm)
    restore, touched = staticmethod(restore), staticmethod(find_touched)
    due, chosen, choose = staticmethod(falls_due), staticmethod(load_choices), staticmethod(choose)
    offers, shown = staticmethod(list_offers), staticmethod(list_paid_weeks)

    def form(self, campaign: Campaign, offers: Offers, data: QueryDict | None = None) -> WeekForm:
        return WeekForm(data, campaign=campaign, offers=offers)

    def panel(self, user: User, campaign: Campaign) -> Mapping[str, Any]:
        """Cost of the week for each kingdom the user reads."""
        chosen = load_choices(campaign, campaign.kingdoms.all())
        dues = in_short(list_weekly_due(user, campaign, chosen))
        told = chosen_in_words(campaign, chosen) if is_gm(user, campaign) else []
        sums = {"payers": dues.payers, "spent": dues.spent, "before": dues.before, "after": dues.after}
        return {"dues": dues.shown, "rest": dues.rest, "chosen": told, **sums}
