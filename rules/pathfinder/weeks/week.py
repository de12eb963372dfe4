"""Days and weeks of one army (PF-7, PF-2.7, PF-1.9), and of all armies of a campaign in memory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from rules.core.breakdown import Breakdown
from rules.core.text import Said, _, say
from rules.pathfinder.spec import AbilityChoice, breaks, clamped
from rules.pathfinder.weeks.passage import Stretch
from rules.pathfinder.weeks.week_state import DISBANDED, READY, ROUTED, ArmyNow, KingdomWeek, Payment, Report

# Day: rest, regrowth and disease (PF-7.1, PF-7.3, PF-7.5).

HOURS = 24


def rest_lines(acr: int, *, rallied: bool = False) -> Breakdown:
    """Return the healing of a day of rest: ACR, twice if the kingdom's Loyalty check succeeded; at least 1 each
    (PF-7.1).
    """
    gain = max(1, acr)
    lines = Breakdown().plus(_("A day of rest: ACR"), gain, "PF-7.1")
    return lines.plus(_("Loyalty check passed: ACR added again"), gain if rallied else 0, "PF-7.1")


def regrowth_lines(abilities: Iterable[AbilityChoice]) -> Breakdown:
    """Return the hit points that regrow in a day out of battle (PF-7.5)."""
    lines = Breakdown()
    for choice in abilities:
        lines = lines.plus(*_regrown(choice))
    return lines


def _regrown(choice: AbilityChoice) -> tuple[Said, int, str]:
    """Return the line of an ability: each hour fast healing gives its value, regeneration half of it, at least 1
    (R-74).
    """
    match choice.ability, choice.value or 0:
        case "fast-healing", value:
            return _("Fast healing, each hour"), HOURS * value, "PF-7.5"
        case "regeneration", value if value:
            return _("Regeneration, each hour"), HOURS * max(1, value // 2), "PF-7.5"
    return _("Nothing more"), 0, "PF-7.5"


def limit(hp_max: int, *, half: bool) -> int:
    """Return the hit points up to which armies recover: all, or half by house rule (PF-7.1)."""
    return hp_max // 2 if half else hp_max


def healed(hp: int, gain: int, most: int) -> int:
    """Return hit points after a gain up to `most`. Hit points above that already are kept."""
    return max(hp, min(most, hp + gain))


def shrunk(penalty: int, days: int) -> int:
    """Return the penalty of a cured disease after this many days: 1 less each day (PF-7.3)."""
    return max(0, penalty - days)


def week_due(
    army: ArmyNow, *, land: bool = False, feast: bool = False, spared: bool = False, consumption: int | None = None
) -> Breakdown:
    """Return the army's cost this week in BP: Consumption, minus what it finds, plus used potions (PF-7.2).

    Living off the land halves Consumption, at least 1; then cannibalizing saves 1, at least 0. Potions are added last
    and never halved (R-73). A Consumption of 0 by house rule stays 0 (R-83). `spared`: it is in reserve, in a week in
    which no month begins (R-94). `consumption`: if it is no longer today's.
    """
    lines = Breakdown().plus(_("Consumption"), army.consumption if consumption is None else consumption, "PF-1.7")
    if spared:
        lines = lines.plus(_("In reserve: paid once a month"), -lines.total, "R-94")
    elif land:
        lines = lines.plus(_("Lives off the land"), min(0, max(1, lines.total // 2) - lines.total), "PF-2.9")
    if feast:
        lines = lines.plus(_("Cannibalizes"), max(0, lines.total - 1) - lines.total, "PF-9")
    return lines.plus(_("Potions drunk"), army.surcharge, "R-22")


class Claim(NamedTuple):
    """Claim of an army on its treasury in BP: this week, arrears, and whether this week is paid twice because it has no
    leader.
    """

    army: str
    due: int
    owed: int = 0
    double: bool = False


class Paid(NamedTuple):
    """Claims of an army, each paid or not."""

    week: bool
    arrears: bool = False
    double: bool = False


def share_out(treasury: int, claims: Iterable[Claim], first: Sequence[str] = ()) -> dict[str, Paid]:
    """Pay claims from the treasury, which never goes below 0 for armies.

    First come all armies' weeks, then arrears, then the second pay of leaderless armies. In each group the armies in
    `first` come first, then the cheapest, so that few go unpaid; ties go by id. A claim is paid in full or not at all.
    """
    claims = list(claims)
    places = {army: place for place, army in enumerate(first)}
    purse = _Purse(treasury, places)
    week = purse.meet(claims, lambda claim: claim.due)
    arrears = purse.meet((claim for claim in claims if claim.owed), lambda claim: claim.owed)
    double = purse.meet((claim for claim in claims if claim.double and claim.army in week), lambda claim: claim.due)
    return {
        claim.army: Paid(claim.army in week, not claim.owed or claim.army in arrears, claim.army in double)
        for claim in claims
    }


class _Purse:
    def __init__(self, treasury: int, places: Mapping[str, int]):
        self._left = max(0, treasury)
        self._places = places

    def meet(self, claims: Iterable[Claim], amount: Callable[[Claim], int]) -> set[str]:
        """Pay claims in order of precedence. Returns the armies paid."""
        met = set()
        for claim in sorted(claims, key=lambda claim: self._rank(claim.army, amount(claim))):
            if amount(claim) <= self._left:
                self._left -= amount(claim)
                met.add(claim.army)
        return met

    def _rank(self, army: str, amount: int) -> tuple[int, int, str]:
        place = self._places.get(army)
        return (place, 0, "") if place is not None else (len(self._places), amount, army)


@dataclass(frozen=True, slots=True)
class WeekEnd:
    """Army after its week. `spent` is what it took from the treasury, in BP. The `surcharge` is always settled."""

    morale: int
    disbanded: bool
    arrears: bool
    owed: int
    spent: int
    surcharge: int = 0


def end_of_week(army: ArmyNow, *, due: int, paid: Paid, led: bool, free: bool = False) -> WeekEnd:
    """Return the effect of pay and leadership on an army (PF-7.2, PF-2.7).

    Arrears cost 2 Morale as long as anything is owed. Morale of −5 or less, arrears included, disbands the army; that
    is tested before Morale is clamped (PF-1.9). `free`: its kingdom has no treasury, so old debts end unpaid.
    """
    owed = (0 if paid.arrears else army.owed) + (0 if paid.week else due)
    morale = army.morale - (0 if led or paid.double else 1)
    spent = due * (paid.week + paid.double) + (army.owed if paid.arrears and not free else 0)
    return WeekEnd(
        morale=clamped(morale),
        disbanded=breaks(morale, owed > 0),
        arrears=owed > 0,
        owed=owed,
        spent=spent,
    )


def status_after(army: ArmyNow, end: WeekEnd) -> str:
    return DISBANDED if end.disbanded else army.status


# Armies in memory: days and weeks army by army. Campaigns of usual size use it for proposals, and tests compare the
# tables of large ones with it.


FEW = 5  # deserters named at most


class Roster:
    """Armies of a campaign in memory, by id. Their figures change as time passes."""

    def __init__(self, armies: Iterable[ArmyNow]):
        self.armies = {army.id: army for army in sorted(armies, key=lambda army: army.id)}

    def standing(self) -> list[ArmyNow]:
        return [army for army in self.armies.values() if army.standing]

    def ill(self) -> Sequence[ArmyNow]:
        return [army for army in self.standing() if army.ill]

    def some(self, ids: Iterable[str]) -> Sequence[ArmyNow]:
        wanted = set(ids)
        return [army for army in self.standing() if army.id in wanted]

    def routed(self) -> Sequence[ArmyNow]:
        return [army for army in self.armies.values() if army.status == ROUTED]

    def fed(self) -> Sequence[ArmyNow]:
        return [army for army in self.standing() if army.foraging is not None]

    def feed(self, army: ArmyNow, left: int | None) -> None:
        self.armies[army.id] = replace(self.armies[army.id], foraging=left)

    def rally(self, ids: Sequence[str], day: int, report: Report) -> None:
        for key in ids:
            self._set(self.armies[key], day, report, "PF-6.2", _("Loyalty check passed"), status=READY)

    def settle(self, stretch: Stretch, report: Report) -> Mapping[str, int]:
        for army in self.standing():
            self._days(army, stretch, report)
        return self._week(stretch, report) if stretch.pays else {}

    def _set(self, army: ArmyNow, day: int, report: Report, rule: str, label: Said, **after: object) -> ArmyNow:
        """Set one or more figures for the same reason."""
        for field, value in after.items():
            report.change("army", army, field, value, rule, label, day)
        self.armies[army.id] = replace(army, **after)  # type: ignore[arg-type]
        return self.armies[army.id]

    def _days(self, army: ArmyNow, stretch: Stretch, report: Report) -> None:
        day = stretch.until
        army = self._recover(army, stretch, report)
        if army.drain:
            army = self._set(army, day, report, "PF-7.3", _("Energy drain ends after a day"), drain=0)
        if sick := stretch.illness.get(army.id):
            army = self._set(army, day, report, "PF-7.3", _("Disease"), disease=sick.disease)
            self._set(army, day, report, "PF-7.3", _("Stability check passed: cured"), ill=sick.ill)
        elif army.disease:
            left = shrunk(army.disease, stretch.days)
            self._set(army, day, report, "PF-7.3", _("Recovers from disease"), disease=left)

    def _recover(self, army: ArmyNow, stretch: Stretch, report: Report) -> ArmyNow:
        rest, regrown = recovery(army, stretch)
        most = limit(army.hp_max, half=stretch.plan.half)
        after = healed(army.hp, rest + regrown, most)
        label: Said = _("Rest") if rest else _("Wounds heal naturally")
        return self._set(army, stretch.until, report, "PF-7.1" if rest else "PF-7.5", label, hp=after)

    def _week(self, stretch: Stretch, report: Report) -> dict[str, int]:
        dues = {army.id: due_of(army, stretch) for army in self.standing()}
        paid = self._share_out(stretch, {key: due.total for key, due in dues.items()})
        weeks = {key: KingdomWeek(stretch.until, key, purse) for key, purse in stretch.treasuries.items()}
        for army in self.standing():
            week = self._end_week(army, stretch, dues[army.id], paid[army.id], report)
            weeks[army.kingdom] = _added(weeks[army.kingdom], week)
        report.weeks += weeks.values()
        return {key: week.spent for key, week in weeks.items() if week.armies}

    def _share_out(self, stretch: Stretch, dues: Mapping[str, int]) -> dict[str, Paid]:
        claims: dict[str, list[Claim]] = defaultdict(list)
        for army in self.standing():
            double = army.kingdom in stretch.doubling and not is_led(army, stretch)
            owed = 0 if army.kingdom in stretch.free else army.owed
            claims[army.kingdom].append(Claim(army.id, dues[army.id], owed, double))
        paid: dict[str, Paid] = {}
        for kingdom, asked in claims.items():
            paid |= share_out(stretch.treasuries[kingdom], asked, stretch.plan.choices.first)
        return paid

    def _end_week(self, army: ArmyNow, stretch: Stretch, due: Breakdown, paid: Paid, report: Report) -> KingdomWeek:
        """Apply the end of the week to the army. Returns its share of its kingdom's week."""
        led, day, free = is_led(army, stretch), stretch.until, army.kingdom in stretch.free
        spared = led or army.kingdom in stretch.spared
        end = end_of_week(army, due=due.total, paid=paid, led=spared, free=free)
        if not free:
            report.payments.append(
                Payment(day, army.kingdom, army.id, army.name, due, end.spent, paid.week,
                        paid.arrears and army.owed > 0, paid.double)
            )  # fmt: skip
        self._write_week(army, stretch, end, report)
        return KingdomWeek(
            day, army.kingdom, 0, 1, due.total, 0 if free else army.owed, end.spent, not paid.week, paid.double,
            not led, not (spared or paid.double), end.disbanded, (army.name,) if end.disbanded else (),
        )  # fmt: skip

    def _write_week(self, army: ArmyNow, stretch: Stretch, end: WeekEnd, report: Report) -> None:
        day = stretch.until
        army = self._set(army, day, report, "R-22", _("Potions settled"), surcharge=0)
        settled = _("No treasury: nothing is owed") if army.kingdom in stretch.free else _("Arrears paid")
        owing: Said = _("Week unpaid: Morale −2 until paid") if end.owed else settled
        army = self._set(army, day, report, "PF-7.2", owing, arrears=end.arrears, owed=end.owed)
        no_leader = say(_("No active commander in week {week}"), week=stretch.week)
        army = self._set(army, day, report, "PF-2.7", no_leader, morale=end.morale)
        if end.disbanded:
            army = self._set(army, day, report, "PF-1.9", _("Morale broken: the army disbands"), status=DISBANDED)
            self._set(army, day, report, "PF-1.9", _("Without an army"), commander=None)


def _added(week: KingdomWeek, more: KingdomWeek) -> KingdomWeek:
    counts = (had + has for had, has in zip(week[3:-1], more[3:-1], strict=True))
    return KingdomWeek._make((*week[:3], *counts, (week.deserters + more.deserters)[:FEW]))


def due_of(army: ArmyNow, stretch: Stretch) -> Breakdown:
    """Return the army's cost this week. An army of a kingdom without a treasury costs nothing."""
    if army.kingdom in stretch.free:
        return Breakdown()
    fights = army.id in stretch.plan.fighting
    return week_due(
        army,
        land=army.id in stretch.land,
        feast=army.id in stretch.choices.feast,
        spared=army.reserved(stretch.until) and not stretch.pays_reserves,
        consumption=army.consumption if fights else army.consumption_on(stretch.until),
    )


def is_led(army: ArmyNow, stretch: Stretch) -> bool:
    """Whether the army has an active commander in the ending week: by the days counted, or by the GM's correction."""
    return army.led_in(stretch.until, away=stretch.choices.away, there=stretch.choices.there)


def recovery(army: ArmyNow, stretch: Stretch) -> tuple[int, int]:
    """Return the hit points gained by rest and by regrowth in a stretch, before the limit (PF-7.1, PF-7.5). Days on
    which the army fights, marches or has already rested are no days of rest.
    """
    plan = stretch.plan
    if army.id in plan.fighting:
        return 0, 0
    rested = stretch.opens and army.rested_on == stretch.since
    busy = days_before_rest(army, stretch, rested=rested)
    rallied = sum(stretch.rallied.get(army.kingdom, ())[busy:])
    return max(1, army.acr) * (stretch.days - busy + rallied), army.regrowth * (stretch.days - rested)


def days_before_rest(army: ArmyNow, stretch: Stretch, *, rested: bool) -> int:
    """Return how many days of the stretch pass before the army rests."""
    if army.id in stretch.plan.choices.march:
        return stretch.days
    lost = stretch.opens and (rested or army.id in stretch.plan.fought)
    marched = max(0, (army.marching_until or 0) - stretch.since)
    return min(stretch.days, max(int(lost), marched))
