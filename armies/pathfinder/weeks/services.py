"""Services for passing days: by the rules, in the tables, and as listed changes (PF-7, PF-8.4)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction

from armies.forces.busy import FightsOfLate, load_recent_battles
from armies.models import Army
from armies.models.routes import read_route
from armies.pathfinder.models import PathfinderArmy
from armies.pathfinder.models.army import STORED, PathfinderArmyQuerySet
from armies.pathfinder.weeks import mapping
from armies.pathfinder.weeks.adjustment_ends import end_adjustments
from armies.pathfinder.weeks.bulk_update import WeekRows
from armies.pathfinder.weeks.week_choices import (
    Choosers,
    ChosenNames,
    list_kept_changes,
    load_choices,
    merge_running_choices,
    read_choices,
)
from armies.weeks.passage import Passage, TimeEvent, TimeNote, TimeProposal, TreasuryMove, tell_recovered, tell_unpaid
from kingdom.access.decorators import internal
from kingdom.chronicle import changes as chronicle_changes
from kingdom.chronicle.changes import Change
from kingdom.chronicle.transaction import Recording
from kingdom.map.queries import MapState, find_hex, get_extent_figure, load_map_state
from kingdom.map.tracked_fields import build_line
from kingdom.models import Campaign, CampaignMap, Kingdom, Settlement
from kingdom.models.base import make_natural_key
from kingdom.models.calendar import DAYS_A_WEEK
from kingdom.realms.figures import get_ruleset
from rules.core.text import Said, Term, _, say
from rules.hexes.geometry import Hex, Why, first_to_go, label_of
from rules.pathfinder.travel import LAND
from rules.pathfinder.weeks import PLANNED, ArmyNow, DatedChange, Payment, Report, TimePlan, pass_time
from rules.pathfinder.weeks.week import Roster, limit
from rules.pathfinder.weeks.week_state import week_end

# Hexes lost to upkeep, where a kingdom's size follows the map (PF-8.4).

RULE = "PF-8.4"
WHY: Mapping[Why, Term] = {
    Why.FAR_FROM_TOWNS: _("{kingdom} lost {hex}: of its hexes without a town or army, the farthest from its towns."),
    Why.FAR_OUT: _("{kingdom} lost {hex}: of its hexes without an army, the farthest from the center of its land."),
    Why.ALL_HELD: _("{kingdom} lost {hex}. An army or a town stands on every hex it still claims."),
}


class LostLand(NamedTuple):
    """Result of `land_lost`: the changes of the map, and a note for each lost hex."""

    changes: tuple[Change, ...] = ()
    notes: tuple[TimeNote, ...] = ()


def land_lost(campaign: Campaign, changes: Iterable[DatedChange]) -> LostLand:
    """Return the hexes that kingdoms lose by these changes of their sizes; none if sizes don't follow the map. An
    archived map loses its hexes too: otherwise they would be back when it is used again.
    """
    sizes = [change for change in changes if (change.kind, change.field) == ("kingdom", "size")]
    follows = CampaignMap.objects.filter(campaign=campaign, sizes=True) if sizes else None
    drawn = follows.first() if follows is not None and get_extent_figure(campaign) == "size" else None
    if drawn is None:
        return LostLand()
    lost: dict[str, set[Hex]] = {change.id: set() for change in sizes}
    found = [one for change in sizes for one in _of(drawn, change, lost[change.id])]
    return LostLand(tuple(change for change, _note in found), tuple(note for _change, note in found))


def _of(drawn: CampaignMap, change: DatedChange, lost: set[Hex]) -> Iterator[tuple[Change, TimeNote]]:
    """Hexes that one kingdom loses until it has as many as its size says, or for an archived map, as many as
    the size was reduced by. `lost`: those of earlier months; it grows.
    """
    land, kingdom = load_map_state(drawn), UUID(change.id)
    towns, armies = _towns(land, kingdom), _armies(land, kingdom, change.day)
    assert isinstance(change.before, int)
    assert isinstance(change.after, int)
    left = change.after
    if drawn.put_away:
        left = max(0, len(land.of(kingdom) - lost) - (change.before - change.after))
    while len(own := land.of(kingdom) - lost) > left:
        at, why = first_to_go(own, towns, armies)
        lost.add(at)
        label = label_of(at)
        yield (
            build_line(label, "claim", change.id, None, RULE),
            TimeNote(say(WHY[why], kingdom=change.subject, hex=label), RULE),
        )


def _towns(land: MapState, kingdom: UUID) -> set[Hex]:
    rows = Settlement.objects.filter(kingdom=kingdom).exclude(hex="").values_list("hex", flat=True)
    return {at for label in rows if (at := find_hex(land.field, label))}


def _armies(land: MapState, kingdom: UUID, day: int) -> set[Hex]:
    """Hexes of the kingdom's armies on that day, without hidden ones, which the border would reveal."""
    rows = Army.objects.filter(kingdom=kingdom, hidden=False, status__in=Army.STANDING).exclude(hex="")
    places = {way.at(day) if (way := read_route(route)) else hex for hex, route in rows.values_list("hex", "route")}
    return {at for label in places if (at := find_hex(land.field, label))}


NAMED = 500  # armies that are named; for more, lines are counted by kingdom and rule
ARMY_FIGURES = ("hp", "morale", "status", "arrears", "owed", "disease", "ill", "drain", "surcharge", "commander")
# Figures that the frame writes one by one; all others are written in bulk.
SINGLY = frozenset({"foraging"})
BY_LEDGER = frozenset({"treasury", "armies"})
FULL_SPEED = _("{army}: living off the land this week, but on the march at full speed. The speed should be halved.")
HALF_SPEED = _("{army}: half speed to live off the land, but “Live off the land” isn’t chosen for this week.")


@dataclass(frozen=True, slots=True, kw_only=True)
class WeekProposal(TimeProposal):
    """Proposal with its plan and payments."""

    plan: TimePlan
    payments: tuple[Payment, ...]

    @property
    def weighed(self) -> Any:
        return [self._choices, [[*pay[:4], pay.due.total, *pay[5:]] for pay in self.payments]]

    @property
    def _choices(self) -> dict[str, list[str]]:
        """Ids by choice; only those of `first` have an order."""
        chosen = asdict(self.plan.running or self.plan.choices) | {"later": self.plan.choices.land}
        return {name: list(ids) if name == "first" else sorted(ids) for name, ids in chosen.items()}


def propose(passage: Passage) -> WeekProposal:
    """Preview of the effects of these days. All writes are rolled back."""
    return _Passing(passage).propose()


def confirm(passage: Passage) -> WeekProposal:
    """Carry out the proposal in the armies' tables, and return it."""
    return _Passing(passage).confirm()


def _fights(campaign: Campaign) -> FightsOfLate:
    """Battles of the armies since the week began."""
    return load_recent_battles(campaign, campaign.day - campaign.day % DAYS_A_WEEK)


def _plan(passage: Passage, fights: FightsOfLate, who: Choosers, before: ChosenNames) -> TimePlan:
    campaign, choices = passage.campaign, passage.choices
    return TimePlan(
        since=passage.since,
        until=passage.until,
        months=frozenset(campaign.dates.month_starts(passage.since, passage.until)),
        choices=read_choices(who, choices),
        running=merge_running_choices(who, choices, before),
        rallied=mapping.rallied(campaign),
        fighting=fights.fighting,
        fought=fights.fought,
        half=get_ruleset(campaign).house.recovery_cap == "half",
        reserve_weeks=mapping.find_reserve_weeks(campaign, passage.since, passage.until),
    )


class _Passing:
    """One passage of time. Everything it reads is read once."""

    def __init__(self, passage: Passage):
        self._passage, self._campaign = passage, passage.campaign
        self._kingdoms = mapping.map_kingdoms(self._campaign)
        self._names = {kingdom.id: kingdom.name for kingdom in self._kingdoms}
        self._fights = _fights(self._campaign)
        self._before = load_choices(self._campaign)
        self._plan = _plan(passage, self._fights, Choosers(self._campaign, self._names), self._before)
        self._armies = mapping.list_standing(self._campaign)

    def propose(self) -> WeekProposal:
        if (armies := self._few(self._armies)) is not None:
            return self._by_the_law(Roster(armies), _told(armies))
        with transaction.atomic():  # A large campaign is computed in its tables and rolled back.
            proposal = self._in_the_tables(None)
            transaction.set_rollback(True)
        return proposal

    def confirm(self) -> WeekProposal:
        """The rules compute the result, and SQL writes it. Both must agree."""
        if (armies := self._few(self._armies.locked())) is None:
            return self._in_the_tables(None)
        roster = Roster(armies)
        proposal = self._by_the_law(roster, _told(armies))
        self._in_the_tables(armies)
        hold_to_the_law(roster)
        return proposal

    def _few(self, armies: PathfinderArmyQuerySet) -> list[ArmyNow] | None:
        """All armies, or None if there are too many to name."""
        found = mapping.map_armies(armies, self._plan.since, most=NAMED + 1)
        return found if len(found) <= NAMED else None

    def _by_the_law(self, roster: Roster, names: Mapping[str, str]) -> WeekProposal:
        return self._pass(roster, names, detailed=True)

    def _in_the_tables(self, few: list[ArmyNow] | None) -> WeekProposal:
        counted = mapping.count_armies(few) if few is not None else self._armies.aggregate(**mapping.COUNTED)
        later = None if few is None else {army.id: army.later for army in few if army.later}
        ranks = WeekRows(self._campaign, names=self._names, steps=self._passage.steps, later=later, **counted)
        return self._pass(ranks, None if few is None else _told(few), detailed=few is not None)

    def _pass(self, troops: Roster | WeekRows, names: Mapping[str, str] | None, *, detailed: bool) -> WeekProposal:
        dice = self._passage.dice()
        report = Report(dice, detailed=detailed)
        self._warn(report, names)
        pass_time(self._kingdoms, troops, self._plan, report)
        dice.finish()
        whole = {key: limit(army.hp_max, half=self._plan.half) for key, army in getattr(troops, "armies", {}).items()}
        written = self._written(report, grouped=not detailed)
        changes = (*written.changes, *self._ended(troops, detailed=detailed))
        return replace(written, changes=changes, events=tuple(self._events(report, whole)))

    def _ended(self, troops: Roster | WeekRows, *, detailed: bool) -> Iterable[Change]:
        """Changes that end adjustments; none by the tables where the rules tell them."""
        plan = self._plan
        if isinstance(troops, WeekRows):
            return () if detailed else end_adjustments(self._campaign, plan.until, plan.fighting)
        until = {key: army.adjusted_until for key, army in troops.armies.items()}
        ids = [key for key, last in until.items() if last is not None and last < plan.until]
        known = {key: troops.armies[key].hp for key in ids}
        return end_adjustments(self._campaign, plan.until, plan.fighting, known) if ids else ()

    def _events(self, report: Report, whole: Mapping[str, int]) -> Iterator[TimeEvent]:
        """Events: armies that have recovered as far as rest goes, and armies that cannot be paid."""
        for change in report.changes:
            healed = change.kind == "army" and change.field == "hp" and change.id in whole
            if healed and change.before < change.after >= whole[change.id]:  # type: ignore[operator]
                yield tell_recovered(change.subject, change.day, change.rule)
        for week in report.weeks:
            if week.unpaid:
                yield tell_unpaid(self._names[week.kingdom], week.day, "PF-7.2")

    def _warn(self, report: Report, names: Mapping[str, str] | None) -> None:
        if fighting := self._called([*self._plan.fighting][:NAMED], names):
            template = _(
                "In a battle: {armies}. These armies don’t rest, and the passing of time doesn’t affect their battle."
            )
            report.warn(say(template, armies=", ".join(fighting)))
        unseen = self._plan.choices_of(week_end(self._plan.since)).feast - self._fights.won
        for name in self._called(unseen, names):
            report.warn(say(_("{army}: no recorded victory this week. Cannibalism requires corpses."), army=name))
        for said in self._unlike_its_march():
            report.warn(said)

    def _unlike_its_march(self) -> Iterator[Said]:
        """Warnings for armies that set out before it was chosen whether they live off the land, which halves
        Consumption and speed (PF-2.9).
        """
        feeding = self._plan.choices_of(week_end(self._plan.since)).land
        known = sorted(self._passage.marching, key=lambda army: make_natural_key(army.name))
        for army in known:
            by_land = bool(army.way and LAND in army.way.manner)
            if by_land != (str(army.pk) in feeding):
                yield say(HALF_SPEED if by_land else FULL_SPEED, army=army.name)

    def _called(self, ids: Collection[str], names: Mapping[str, str] | None) -> list[str]:
        """Return the names of those among these armies that stand, in order."""
        if names is None:
            names = {str(pk): name for pk, name in self._armies.filter(pk__in=ids).values_list("pk", "name")}
        return sorted((names[one] for one in ids if one in names), key=make_natural_key)

    def _written(self, report: Report, *, grouped: bool) -> WeekProposal:
        plan = self._plan
        kept = list_kept_changes(self._campaign, plan.until, plan.choices, plan.running or plan.choices, self._before)
        lost = land_lost(self._campaign, report.changes)
        return WeekProposal(
            since=plan.since,
            until=plan.until,
            changes=(*_lines(report.changes), *lost.changes, *kept),
            notes=(*(TimeNote(*note) for note in report.notes), *lost.notes),
            warnings=tuple(report.warnings),
            rolls=tuple(report.rolls),
            moves=tuple(_move(change) for change in report.changes if change.field == "treasury"),
            plan=plan,
            payments=tuple(report.payments),
            grouped=grouped,
        )


def _told(armies: Iterable[ArmyNow]) -> dict[str, str]:
    return {army.id: army.name for army in armies}


def _move(change: DatedChange) -> TreasuryMove:
    assert isinstance(change.before, int)
    assert isinstance(change.after, int)
    return TreasuryMove(change.id, change.before, change.after, change.label, change.day, change.rule == PLANNED)


def _lines(changes: Iterable[DatedChange]) -> list[chronicle_changes.Change]:
    """Changes for the chronicle. Repeated changes of an army's figure by one rule become one."""
    lines: list[chronicle_changes.Change] = []
    places: dict[Any, int] = {}
    for change in changes:
        line = _line(change)
        key = (line.place, line.rule)
        if line.kept and change.kind == "army" and key in places:
            earlier = lines[places[key]]
            lines[places[key]] = replace(earlier, after=line.after, label=line.label)
            continue
        places[key] = len(lines)
        lines.append(line)
    return [line for line in lines if line.before != line.after]


def _line(change: DatedChange) -> chronicle_changes.Change:
    kept = change.field not in SINGLY if change.kind == "army" else change.field in BY_LEDGER
    return chronicle_changes.Change(
        change.kind, change.id, change.field, change.before, change.after, change.rule, change.label, change.subject,
        kept=kept,
    )  # fmt: skip


@internal
def forgive_arrears(kingdom: Kingdom, told: Recording) -> None:
    """Cancels the arrears that a kingdom owes its armies, since it no longer has a treasury."""
    rows = PathfinderArmy.objects.filter(kingdom=kingdom, arrears=True)
    owed = list(rows.values_list("pk", flat=True))
    told.watch(("army", pk) for pk in owed)
    rows.filter(pk__in=owed).update(owed=0, arrears=False)


def hold_to_the_law(roster: Roster) -> None:
    """Checks that the tables equal the rules' result. Raises `AssertionError`, which rolls everything back."""
    rows = PathfinderArmy.objects.filter(pk__in=roster.armies).values_list(
        "pk", *(STORED.get(name, name) for name in ARMY_FIGURES)
    )
    for pk, *figures in rows:
        army = roster.armies[str(pk)]
        figures[-1] = str(figures[-1]) if figures[-1] else None
        if figures != [getattr(army, name) for name in ARMY_FIGURES]:
            raise AssertionError(f"{army.id}: the table says {figures}, the law says {army}")
