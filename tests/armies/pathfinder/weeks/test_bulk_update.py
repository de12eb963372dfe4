"""The tables do what the law says, army by army."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from armies.pathfinder.models import ArmyWeek, PathfinderArmy, PathfinderCommander
from armies.pathfinder.weeks import mapping
from armies.pathfinder.weeks.bulk_update import WeekRows
from armies.pathfinder.weeks.services import ARMY_FIGURES
from kingdom.models import Campaign, Kingdom
from rules.core.dice import Pinned
from rules.pathfinder.weeks import Choices, Report, TimePlan, pass_time
from rules.pathfinder.weeks.week import Roster
from rules.pathfinder.weeks.week_state import reserve_weeks
from tests.everyday import at_most

SECRET = "5e" * 32


@dataclass
class Drawn:
    """A random small campaign: rows, and how much time passes with which choices."""

    armies: list[dict[str, Any]]
    treasuries: list[int]
    days: int
    since: int
    months: frozenset[int]
    picks: dict[str, list[bool]] = field(default_factory=dict)
    half: bool = False
    free: tuple[bool, bool] = (False, False)
    needs: bool = False


army = st.fixed_dictionaries(
    {
        "kingdom": st.integers(0, 1),
        "hp": st.integers(0, 40),
        "hp_max": st.integers(1, 40),
        "acr": st.integers(0, 9),
        "regrowth": st.sampled_from([0, 0, 24]),
        "morale": st.integers(-4, 4),
        "status": st.sampled_from(["ready", "ready", "routed", "disbanded", "captured"]),
        "owed": st.sampled_from([0, 0, 1, 3, 7]),
        "flagged": st.booleans(),
        "disease": st.sampled_from([0, 0, 1, 3]),
        "ill": st.sampled_from([False, False, True]),
        "drain": st.sampled_from([0, 0, 2]),
        "consumption": st.sampled_from([1, 1, 2, 5]),
        "surcharge": st.sampled_from([0, 0, 3]),
        "count": st.sampled_from([100, 500]),
        "leader": st.sampled_from([None, "free", "free", "captured", "soon", "late", "coming", "killed"]),
        "led_days": st.integers(0, 7),
        "led_to": st.integers(0, 9),
        "rested": st.sampled_from([None, 0, 1]),
        "marching": st.sampled_from([None, None, 1, 4]),
        "days_with": st.sampled_from([7, 7, 3, 2]),
        "foraging": st.sampled_from([None, 0, 1]),
        "reserved": st.sampled_from([None, None, 0, 3, 7]),
        "called_up": st.sampled_from([None, None, 7, 11]),
    }
)
LISTS = ("march", "land", "feast", "away", "there", "first", "fighting", "fought", "began")


@st.composite
def campaigns(draw: Any) -> Drawn:
    armies = draw(st.lists(army, min_size=2, max_size=7))
    since, days = draw(st.integers(0, 8)), draw(st.sampled_from([2, 7, 9, 15]))
    flags = st.lists(st.booleans(), min_size=len(armies), max_size=len(armies))
    return Drawn(
        armies=armies,
        treasuries=draw(st.lists(st.integers(-3, 30), min_size=2, max_size=2)),
        days=days,
        since=since,
        months=frozenset(draw(st.sets(st.integers(since + 1, since + days), max_size=2))),
        picks={name: draw(st.one_of(st.just([False] * len(armies)), flags)) for name in LISTS},
        half=draw(st.booleans()),
        free=draw(st.tuples(st.booleans(), st.sampled_from([False, False, True]))),
        needs=draw(st.booleans()),
    )


def rows_of(drawn: Drawn) -> tuple[Campaign, list[PathfinderArmy], list[Kingdom]]:
    campaign = Campaign.objects.create(name="C", ruleset="combat-de-masse", day=drawn.since)
    kingdoms = [
        Kingdom.objects.create(campaign=campaign, name=str(place), loyalty=10, stability=9, economy=-1,
                               unrest=place * 9, treasury=bp, consumption=2, without_treasury=drawn.free[place],
                               needs_commanders=drawn.needs)
        for place, bp in enumerate(drawn.treasuries)
    ]  # fmt: skip
    return campaign, [_army(campaign, kingdoms, drawn, figures) for figures in drawn.armies], kingdoms


def _army(campaign: Campaign, kingdoms: list[Kingdom], drawn: Drawn, figures: dict[str, Any]) -> PathfinderArmy:
    figures = dict(figures)
    kingdom, leader, flagged = kingdoms[figures.pop("kingdom")], figures.pop("leader"), figures.pop("flagged")
    rested, marching, active = figures.pop("rested"), figures.pop("marching"), figures.pop("days_with")
    commander = None
    if leader:
        away = {"soon": drawn.since + 2, "late": drawn.since + 6, "coming": drawn.since + 3}.get(leader)
        status = {"captured": "captured", "coming": "captured", "killed": "killed"}.get(leader, "free")
        commander = PathfinderCommander.objects.create(campaign=campaign, kingdom=kingdom, name="V", status=status,
                                             away_until=away, active_days=active)  # fmt: skip
    figures["hp"] = min(figures["hp"], figures["hp_max"])
    figures["arrears"] = flagged or figures["owed"] > 0
    figures["marching_until"] = marching and drawn.since + marching
    figures["reserved_on"] = figures.pop("reserved")
    figures["rested_on"] = None if rested is None else drawn.since - rested
    return PathfinderArmy.objects.create(
        campaign=campaign, kingdom=kingdom, name="A", unit={}, commander=commander, **figures
    )


def plan_of(drawn: Drawn, armies: list[PathfinderArmy], kingdoms: list[Kingdom]) -> TimePlan:
    standing = [army.status in ("ready", "routed") for army in armies]
    picked = {
        name: [str(army.pk) for army, flag, up in zip(armies, flags, standing, strict=True) if flag and up]
        for name, flags in drawn.picks.items()
    }
    crown = frozenset({str(kingdoms[0].pk)})
    choices = Choices(
        march=frozenset(picked["march"]), land=frozenset(picked["land"]), feast=frozenset(picked["feast"]),
        away=frozenset(picked["away"]), there=frozenset(picked["there"]), first=tuple(reversed(picked["first"])),
        double=crown, rally=crown, income=crown, no_upkeep=crown if drawn.half else frozenset(),
    )  # fmt: skip
    running = replace(choices, land=frozenset(picked["began"]), away=frozenset(picked["there"])) if drawn.half else None
    return TimePlan(drawn.since, drawn.since + drawn.days, drawn.months, choices, running=running,
                rallied=dict.fromkeys(crown, drawn.half), fighting=frozenset(picked["fighting"]),
                fought=frozenset(picked["fought"]), half=drawn.half,
                reserve_weeks=reserve_weeks(drawn.months))  # fmt: skip


class TablesFollowTheLaw(TestCase):
    @settings(max_examples=at_most(6, full=settings.default.max_examples))
    @given(campaigns())
    def test_any_campaign_comes_to_the_same_end_by_the_tables_as_by_the_law(self, drawn):
        campaign, armies, kingdoms = rows_of(drawn)
        plan = plan_of(drawn, armies, kingdoms)
        before = {str(army.pk): figures_of(army) for army in armies}
        muster = Roster(mapping.map_armies(mapping.list_standing(campaign), campaign.day))
        realms = mapping.map_kingdoms(campaign)
        told, counted = Report(Pinned(SECRET)), Report(Pinned(SECRET), detailed=False)
        by_law = pass_time(realms, muster, plan, told)
        by_table = pass_time(realms, WeekRows(campaign, slice_size=2), plan, counted)
        assert by_table == by_law
        assert told.rolls == counted.rolls
        for row in PathfinderArmy.objects.filter(campaign=campaign):
            if known := muster.armies.get(str(row.pk)):
                assert figures_of(row) == tuple(getattr(known, name) for name in ARMY_FIGURES)
            else:
                assert figures_of(row) == before[str(row.pk)]
        assert_paid(campaign, told, by_law, realms, plan)


def figures_of(army: PathfinderArmy) -> tuple[Any, ...]:
    figures = [getattr(army, name) for name in ARMY_FIGURES[:-1]]
    return (*figures, str(army.commander_id) if army.commander_id else None)


def assert_paid(campaign: Campaign, told: Report, kingdoms: Any, realms: Any, plan: TimePlan) -> None:
    """Every payment has its row; what the treasuries lost to armies is what the rows say."""
    rows = {(row.day, str(row.army_id)): row for row in ArmyWeek.objects.filter(campaign=campaign, due__isnull=False)}
    assert {(pay.day, pay.army): (pay.due.total, pay.spent, pay.double) for pay in told.payments} == {
        key: (row.due, row.paid, row.doubled) for key, row in rows.items()
    }
