"""Bulk update of a campaign's armies over a stretch of time, in a few statements for any number of armies."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection

from armies.pathfinder.models import PathfinderArmy
from armies.pathfinder.weeks import bulk_sql
from armies.pathfinder.weeks.adjustment_ends import LaterConsumption, load_later
from armies.pathfinder.weeks.mapping import list_standing, map_armies
from armies.weeks.passage import Steps
from kingdom.models import Campaign
from rules.core.text import Term, _, say
from rules.pathfinder.weeks import ArmyNow
from rules.pathfinder.weeks.passage import Stretch
from rules.pathfinder.weeks.week import Claim, Paid
from rules.pathfinder.weeks.week_state import Report

# Payments as cut-offs: the last claim that each treasury can meet, in order of precedence (PF-7.2). The order is that
# of `rules.pathfinder.weeks.week.share_out`: armies named first one by one, then the cheapest, equal ones by id. So of
# each kind of claim everything up to one (amount, id) is met and nothing beyond. Millions of rows are compared with it
# instead of being ranked.


class PaymentCutoff(NamedTuple):
    """The last claim that is met."""

    amount: int
    army: UUID


EVERYTHING = PaymentCutoff(2**62, UUID(int=2**128 - 1))
NOBODY = UUID(int=0)
NOTHING = PaymentCutoff(-1, NOBODY)


@dataclass(slots=True)
class Treasury:
    """A kingdom's cut-offs for this week's pay, for old debts, and for the double pay of armies without a commander."""

    kingdom: str
    week: PaymentCutoff = EVERYTHING
    arrears: PaymentCutoff = EVERYTHING
    double: PaymentCutoff = NOTHING


@dataclass(slots=True)
class Treasuries:
    """Cut-offs of every kingdom, and what the armies named first get."""

    purses: list[Treasury] = field(default_factory=list)
    first: dict[str, Paid] = field(default_factory=dict)


class Asked(NamedTuple):
    """Sums of a kingdom's claims, without those of armies named first."""

    week: int
    arrears: int
    double: int


KINDS = ("week", "arrears", "double")


def fill(stretch: Stretch, params: Mapping[str, Any]) -> Treasuries:
    """Cut-offs of a week. One query if all treasuries suffice, else at most one more for each kind of claim."""
    asked, first = _asked(params), _first(stretch, params)
    fillings = [
        _Filling(
            kingdom, treasury, first.get(kingdom, []), stretch.plan.choices.first,
            asked.get(kingdom, Asked(0, 0, 0)), doubles=kingdom in stretch.doubling,
        )
        for kingdom, treasury in sorted(stretch.treasuries.items())
    ]  # fmt: skip
    for kind in KINDS:
        poor = [filling for filling in fillings if not filling.meets(kind)]
        if poor:
            _cut(kind, poor, params)
    return Treasuries(
        [one.purse for one in fillings], {army: paid for one in fillings for army, paid in one.named.items()}
    )


def _cut(kind: str, poor: Sequence[_Filling], params: Mapping[str, Any]) -> None:
    """Sets the cut-offs of this kind of claim for all kingdoms that cannot meet everything, in one query."""
    asked: dict[str, Any] = {
        "poor": [UUID(one.purse.kingdom) for one in poor],
        "left": [one.left for one in poor],
        "paid_amount": [one.purse.week.amount for one in poor],
        "paid_army": [one.purse.week.army for one in poor],
    }
    with connection.cursor() as cursor:
        cursor.execute(bulk_sql.CUT[kind], {**params, **asked})
        edges = {str(row[0]): row[1:] for row in cursor.fetchall()}
    for one in poor:
        amount, army, spent = edges.get(one.purse.kingdom, (EVERYTHING.amount, EVERYTHING.army, 0))
        one.take(kind, PaymentCutoff(amount, army or NOBODY), int(spent))


def _asked(params: Mapping[str, Any]) -> dict[str, Asked]:
    with connection.cursor() as cursor:
        cursor.execute(bulk_sql.ASKED, params)
        return {str(row[0]): Asked(*map(int, row[1:])) for row in cursor.fetchall()}


def _first(stretch: Stretch, params: Mapping[str, Any]) -> dict[str, list[Claim]]:
    if not stretch.plan.choices.first:
        return {}
    claims: dict[str, list[Claim]] = {}
    with connection.cursor() as cursor:
        cursor.execute(bulk_sql.FIRST, params)
        for army, kingdom, due, owed, double in cursor.fetchall():
            claims.setdefault(str(kingdom), []).append(Claim(str(army), due, owed, double))
    return claims


class _Filling:
    """Distribution of one treasury: each kind of claim is paid before the next."""

    def __init__(
        self, kingdom: str, treasury: int, named: Sequence[Claim], first: Sequence[str], asked: Asked, *, doubles: bool
    ):
        self.purse = Treasury(kingdom)
        self.left = max(0, treasury)
        self._claims = sorted(named, key=lambda claim: first.index(claim.army))
        self._asked = asked
        self._doubles = doubles
        self._met: dict[str, set[str]] = {}

    @property
    def named(self) -> dict[str, Paid]:
        """Paid claims of the armies that the GM put first, by army id."""
        met = self._met
        return {
            claim.army: Paid(
                claim.army in met["week"], not claim.owed or claim.army in met["arrears"], claim.army in met["double"]
            )
            for claim in self._claims
        }

    def meets(self, kind: str) -> bool:
        """Pays the armies named first. Returns whether the rest meets all other claims of this kind."""
        self._met[kind] = set()
        for army, amount in self._named_claims(kind):
            if amount <= self.left:
                self.left -= amount
                self._met[kind].add(army)
        if kind == "double" and not self._doubles:
            return True
        total: int = getattr(self._asked, kind)
        if total > self.left:
            return False
        self.take(kind, EVERYTHING, total)
        return True

    def take(self, kind: str, cut: PaymentCutoff, spent: int) -> None:
        setattr(self.purse, kind, cut)
        self.left -= spent

    def _named_claims(self, kind: str) -> Iterator[tuple[str, int]]:
        for claim in self._claims:
            if kind == "week":
                yield claim.army, claim.due
            elif kind == "arrears" and claim.owed:
                yield claim.army, claim.owed
            elif kind == "double" and claim.double and claim.army in self._met["week"]:
                yield claim.army, claim.due


SLICE = 50_000  # armies in one statement
SMALL = 2_000  # armies that fit into a statement's ordinary memory
WORK_MEM = "64MB"  # holds a slice in memory
LOWEST, HIGHEST = UUID(int=0), UUID(int=2**128 - 1)

# Counts of `bulk_sql.PASS_WEEK` after kingdom and spending: reason and rule id.
TALLIED: Sequence[tuple[Term, str]] = (
    (_("Unpaid armies (Morale −2 until paid): {count}"), "PF-7.2"),
    (_("Armies whose arrears are paid: {count}"), "PF-7.2"),
    (_("Armies without a commander paid double: {count}"), "PF-2.7"),
    (_("Armies without an active commander (Morale −1): {count}"), "PF-2.7"),
    (_("Armies that recover hit points: {count}"), "PF-7.1"),
    (_("Armies that replace potions they drank: {count}"), "R-22"),
    (_("Armies ill or recovering from disease: {count}"), "PF-7.3"),
    (_("Armies recovered from energy drain: {count}"), "PF-7.3"),
    (_("Armies disbanded by broken morale: {count}"), "PF-1.9"),
)


class WeekRows:
    """`CampaignArmies` of the rules, in PostgreSQL. It works in the caller's transaction, which has locked the
    campaign.
    """

    def __init__(
        self, campaign: Campaign, *, slice_size: int = SLICE, armies: int | None = None, ill: int | None = None,
        fed: int | None = None, steps: Steps | None = None, names: Mapping[str, str] | None = None,
        later: LaterConsumption | None = None,
    ):  # fmt: skip
        """`armies`, `ill`, `fed`: numbers of standing armies, and of those ill or fed by their hex, if counted already.
        `names`: of the kingdoms by id, if known. `later`: consumption after adjustments end, by army, if read already.
        """
        self._campaign = campaign
        self._slice = slice_size
        self._armies = armies
        self._ill = ill
        self._fed = fed
        self._food: dict[str, int | None] = {}
        self._steps = steps or Steps()
        self._realms = names
        self._later = later

    def ill(self) -> Sequence[ArmyNow]:
        return self._now(ill=True) if self._ill != 0 else []

    def some(self, ids: Iterable[str]) -> Sequence[ArmyNow]:
        wanted = list(ids)
        return self._now(pk__in=wanted) if wanted else []

    def routed(self) -> Sequence[ArmyNow]:
        return self._now(status=PathfinderArmy.Status.ROUTED)

    def fed(self) -> Sequence[ArmyNow]:
        began = list(self._now(foraging__isnull=False)) if self._fed != 0 else []
        later = self._food.keys() - {army.id for army in began}
        return sorted((army for army in (*began, *self.some(later)) if army.foraging is not None), key=_by_id)

    def feed(self, army: ArmyNow, left: int | None) -> None:
        """Remembers the food left. The chronicle's changes write it once time has passed."""
        self._food[army.id] = left

    def _now(self, **which: Any) -> Sequence[ArmyNow]:
        rows = map_armies(list_standing(self._campaign).filter(**which), self._campaign.day)
        return [replace(army, foraging=self._food.get(army.id, army.foraging)) for army in rows]

    def rally(self, ids: Sequence[str], day: int, report: Report) -> None:
        if not ids:
            return
        _run(bulk_sql.RALLY, {"ids": _uuids(ids), "campaign": self._campaign.pk, "until": day})
        if not report.detailed:
            names = self._names()
            for kingdom, count in Counter(army.kingdom for army in self.some(ids)).items():
                label = say(_("Routed armies that rally: {count}"), count=count)
                report.tally(kingdom, names[kingdom], count, "PF-6.2", label, day)

    def settle(self, stretch: Stretch, report: Report) -> Mapping[str, int]:
        """Carries one step out. Returns what each kingdom spent."""
        self._steps.reach(stretch.since, stretch.until)
        params = self._params(stretch)
        if stretch.pays:
            params |= list_cutoffs(fill(stretch, params))
        passing = bulk_sql.PASS_WEEK if stretch.pays else bulk_sql.PASS_DAYS
        tallies: dict[UUID, Counter[int]] = {}
        for above, up_to in self._slices(params):
            for kingdom, *counts in fetch_rows(passing, {**params, "above": above, "up_to": up_to}):
                tallies.setdefault(kingdom, Counter()).update(dict(enumerate(counts)))
        if not report.detailed:
            self._tell(stretch, tallies, report)
        return {str(kingdom): tally[0] for kingdom, tally in tallies.items()} if stretch.pays else {}

    def _slices(self, params: Mapping[str, Any]) -> Iterator[tuple[UUID, UUID]]:
        """Ranges of ids with at most a slice of armies each."""
        ends: list[UUID] = []
        if self._armies is None or self._armies > SMALL:
            _run("SELECT set_config('work_mem', %(enough)s, true)", {"enough": WORK_MEM})
        if self._armies is None or self._armies > self._slice:
            ends = [row[0] for row in fetch_rows(bulk_sql.SLICES, {**params, "slice": self._slice})]
        return zip([LOWEST, *ends], [*ends, HIGHEST], strict=True)

    def _params(self, stretch: Stretch) -> dict[str, Any]:
        plan, choices = stretch.plan, stretch.choices
        kingdoms = sorted(stretch.treasuries or self._names())
        sick = sorted(stretch.illness)
        return {
            "campaign": self._campaign.pk,
            "since": stretch.since,
            "until": stretch.until,
            "days": stretch.days,
            "opens": stretch.opens,
            "half": plan.half,
            "reserves_pay": stretch.pays_reserves,
            "land": _uuids(stretch.land),
            "feast": _uuids(choices.feast),
            "march": _uuids(plan.choices.march),
            "away": _uuids(choices.away),
            "there": _uuids(choices.there),
            "today": plan.since,
            "later": json.dumps(self._consumption_on(stretch)),
            "first": _uuids(plan.choices.first),
            "double": _uuids(stretch.doubling),
            "free": _uuids(stretch.free),
            "spared": _uuids(stretch.spared),
            "fighting": _uuids(plan.fighting),
            "fought": _uuids(plan.fought),
            "kingdoms": _uuids(kingdoms),
            "rallied": [passed for key in kingdoms for passed in _from_each_day(stretch, key)],
            "sick": _uuids(sick),
            "sick_disease": [stretch.illness[key].disease for key in sick],
            "sick_ill": [stretch.illness[key].ill for key in sick],
            **list_cutoffs(Treasuries([Treasury(key) for key in kingdoms])),
        }

    def _consumption_on(self, stretch: Stretch) -> dict[str, int]:
        """Consumption of armies whose adjustments have ended by the end of the stretch, by id."""
        if not stretch.pays:
            return {}
        if self._later is None:
            self._later = load_later(self._campaign)
        found = {}
        for key, ends in self._later.items():
            ended = [bp for last, bp in ends if last < stretch.until]
            if ended and key not in stretch.plan.fighting:
                found[key] = ended[-1]
        return found

    def _names(self) -> Mapping[str, str]:
        if self._realms is None:
            self._realms = {str(pk): name for pk, name in self._campaign.kingdoms.values_list("pk", "name")}
        return self._realms

    def _tell(self, stretch: Stretch, tallies: Mapping[UUID, Counter[int]], report: Report) -> None:
        names = self._names()
        for kingdom, tally in sorted(tallies.items()):
            for place, (label, rule) in enumerate(TALLIED, start=1):
                if count := tally[place]:
                    said = say(label, count=count)
                    report.tally(str(kingdom), names[str(kingdom)], count, rule, said, stretch.until)


def _by_id(army: ArmyNow) -> str:
    return army.id


def _from_each_day(stretch: Stretch, kingdom: str) -> list[int]:
    """Number of Loyalty checks passed from each day of the stretch on; the last one is 0."""
    passed = stretch.rallied.get(kingdom, (False,) * stretch.days)
    return [sum(passed[day:]) for day in range(stretch.days + 1)]


def list_cutoffs(purses: Treasuries) -> dict[str, Any]:
    """The cut-offs as arrays, in the order of the kingdoms."""
    found: dict[str, Any] = {}
    for kind in ("week", "arrears", "double"):
        cuts = [getattr(one, kind) for one in purses.purses]
        found[f"{kind}_amount"] = [cut.amount for cut in cuts]
        found[f"{kind}_army"] = [cut.army for cut in cuts]
    named = sorted(purses.first)
    return {
        **found,
        "named": _uuids(named),
        "named_week": [purses.first[key].week for key in named],
        "named_arrears": [purses.first[key].arrears for key in named],
        "named_double": [purses.first[key].double for key in named],
    }


def _uuids(ids: Iterable[str]) -> list[UUID]:
    return [UUID(key) for key in ids]


def _run(statement: str, params: Mapping[str, Any]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, params)


def fetch_rows(statement: str, params: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, params)
        return cursor.fetchall()
