"""R-81: the same stretch of days comes to the same world however it is cut."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.core.dice import Pinned, Roll
from rules.pathfinder.weeks import ArmyNow, Choices, KingdomNow, Report, TimePlan, pass_time
from rules.pathfinder.weeks.week import Roster
from rules.pathfinder.weeks.week_state import week_end
from tests.everyday import at_most

SECRET = "c7" * 32
WEEKLY = ("land", "feast", "away", "there", "double")


army = st.builds(
    ArmyNow,
    id=st.just(""), kingdom=st.sampled_from("kl"), hp=st.integers(0, 40), hp_max=st.just(40), acr=st.integers(0, 5),
    rank=st.sampled_from([4, 6, 7]), regrowth=st.sampled_from([0, 0, 24]), morale=st.integers(-4, 2),
    status=st.sampled_from(["ready", "ready", "routed"]), owed=st.sampled_from([0, 0, 5]), ill=st.booleans(),
    disease=st.integers(0, 3), drain=st.integers(0, 1), consumption=st.integers(0, 6), surcharge=st.integers(0, 3),
    commander=st.sampled_from([None, "c", "c"]), free=st.sampled_from([True, True, False]),
    back_on=st.sampled_from([None, None, 9, 11, 12, 16]), active_days=st.sampled_from([7, 7, 3, 2]),
    led_days=st.integers(0, 4), led_to=st.integers(0, 7), marching_until=st.sampled_from([None, None, 9, 12, 16]),
    rested_on=st.sampled_from([None, 7]), foraging=st.sampled_from([None, 0, 1, 2]),
)  # fmt: skip
picks = st.lists(st.booleans(), min_size=5, max_size=5)


@st.composite
def stretches(draw: Any) -> tuple[Any, ...]:
    armies = [replace(one, id=f"a{place}", name=f"A{place}", arrears=one.owed > 0)
              for place, one in enumerate(draw(st.lists(army, min_size=1, max_size=5)))]  # fmt: skip
    chosen = {name: frozenset(one.id for one, flag in zip(armies, draw(picks), strict=False) if flag)
              for name in ("march", "land", "feast", "away", "there")}  # fmt: skip
    realms = {name: frozenset(draw(st.sets(st.sampled_from("kl")))) for name in ("double", "rally", "income")}
    since, days = draw(st.integers(7, 9)), draw(st.integers(2, 24))
    cuts = sorted(draw(st.sets(st.integers(since + 1, since + days - 1), max_size=5)))
    months = frozenset(draw(st.sets(st.integers(since + 1, since + days), max_size=2)))
    kingdoms = [KingdomNow(key, key, loyalty=4, stability=5, economy=9, size=5, treasury=draw(st.integers(-5, 90)),
                           consumption=draw(st.integers(0, 9)), override=15) for key in "kl"]  # fmt: skip
    plan = TimePlan(since, since + days, months, Choices(**chosen, **realms), rallied={"k": True},
                fought=frozenset(["a0"]), half=draw(st.booleans()))  # fmt: skip
    return kingdoms, armies, plan, [since, *cuts, since + days]


def world_after(kingdoms: Any, armies: Any, pieces: Any) -> Any:
    muster, dice = Roster(armies), Pinned(SECRET)
    realms = {one.id: one for one in kingdoms}
    asked: Counter[tuple[str, str]] = Counter()
    for plan in pieces:
        report = Report(dice)
        realms = pass_time(realms.values(), muster, plan, report)
        asked.update((roll.army, roll.name) for roll in report.rolls)
    return realms, {key: replace(one, rested_on=None) for key, one in muster.armies.items()}, asked


def pieces_of(plan: TimePlan, stops: list[int]) -> list[TimePlan]:
    """What was chosen for the week is kept; nobody chooses it again. Later weeks are chosen as they come."""
    later = replace(plan.choices, feast=frozenset())
    found = []
    for since, until in pairwise(stops):
        first, opens = week_end(since) == week_end(plan.since), since == plan.since
        found.append(replace(
            plan, since=since, until=until, months=frozenset(day for day in plan.months if since < day <= until),
            choices=later, running=plan.choices if first else later,
            rallied=plan.rallied if opens else {}, fought=plan.fought if opens else frozenset(),
        ))  # fmt: skip
    return found


@settings(max_examples=at_most(15, full=400))
@given(stretches())
def test_r81_any_cut_of_a_stretch_gives_the_same_world(drawn):
    kingdoms, armies, plan, stops = drawn
    assert world_after(kingdoms, armies, pieces_of(plan, stops)) == world_after(kingdoms, armies, [plan])


HUGE = ArmyNow("a", "Horde", "k", rank=6, consumption=6, commander="c")
LAND = Choices(land=frozenset("a"))


@pytest.mark.parametrize("cuts", [[7, 14], [7, 9, 14], [3, 7, 9, 14], [1, 7, 13, 14]])
def test_r81_a_march_in_the_week_is_not_forgotten_however_the_week_is_cut(cuts):
    """7 + 7 and 7 + 2 + 5 days cost the same: a hex that bears a week, then another one, reached on day 9."""
    pieces = [TimePlan(since, until, choices=LAND) for since, until in zip([0, *cuts], cuts, strict=False)]
    muster, realms = Roster([replace(HUGE, foraging=None)]), {"k": KingdomNow("k", "K", treasury=90)}
    dice = {"a": iter([1, 1])}
    for plan in pieces:
        if plan.since == 7:
            muster.armies["a"] = replace(muster.armies["a"], marching_until=9)
        report = Report(Faces(dice))
        realms = pass_time(realms.values(), muster, plan, report)
    assert realms["k"].treasury == 90 - 3 - 3


class Faces:
    def __init__(self, faces: Any):
        self._faces = faces

    def roll(self, army: str, name: str, die: int) -> Roll:
        return Roll(army, name, die, next(self._faces[army]))

    def checkpoint(self) -> None: ...

    def finish(self) -> None: ...


def test_r81_corpses_feed_the_week_they_were_chosen_for_and_no_other():
    army = ArmyNow("a", "Ghouls", "k", consumption=6, commander="c")
    chosen = Choices(feast=frozenset("a"))
    muster, realms = Roster([army]), {"k": KingdomNow("k", "K", treasury=90)}
    for plan in (TimePlan(0, 3, choices=chosen), TimePlan(3, 14, running=chosen)):
        realms = pass_time(realms.values(), muster, plan, Report(Pinned(SECRET)))
    assert realms["k"].treasury == 90 - 5 - 6
