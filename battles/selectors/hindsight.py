"""A battle that is over, looked back at by one reader: its dice, and what is known already of what they did."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple
from uuid import UUID

from battles import folding
from battles.codec import storage
from battles.codec.hindsight import load_weighed
from battles.models import Battle, Weighing
from battles.selectors.access import battle_for, viewer_of
from battles.selectors.odds import require_forecast
from kingdom.models import User
from rules.errors import require
from rules.fairness import Fairness, Moment, fairness
from rules.hindsight import Fought, Weighed, ended
from rules.law import AFTERMATH, CLOSED, BattleLaw, Stage, Summary, Viewer
from rules.odds import EXACT, SIMULATED, Method
from rules.tasks import Task
from rules.text import _

WEIGHED = "rules.hindsight.weighed"
OVER = (AFTERMATH, CLOSED)


class DiceFell(NamedTuple):
    """A command whose dice fell. States are whole: what is told of them is asked for its reader."""

    record: UUID
    stage: Stage
    before: Any
    events: tuple[Any, ...]
    after: Any


class Hindsight(NamedTuple):
    """`casts`: those whose chances are known, by step of `fairness`. `error`: of the least sure of all chances.

    `guessed`: the armies whose figures this reader does not know.
    """

    fairness: Fairness
    casts: tuple[tuple[DiceFell, ...], ...]
    method: Method
    error: float
    guessed: tuple[str, ...]


@dataclass(frozen=True)
class LookedBack:
    """`summary`: the end of the battle as this reader saw it."""

    battle: Battle
    engine: BattleLaw
    viewer: Viewer
    summary: Summary

    @cached_property
    def casts(self) -> tuple[DiceFell, ...]:
        """Those of the battle, first to last; what fell after it is none of them. One query."""
        return tuple(_casts(self.battle, self.engine))

    @cached_property
    def known(self) -> str:
        """Names what he knows: the GM everything, others what they command and read."""
        viewer = self.viewer
        return "all" if viewer.gm else hashlib.sha256(viewer.knowledge.encode()).hexdigest()

    def task(self, cast: DiceFell) -> Task:
        now = folding.field_now(self.battle, cast.before)
        return Task(WEIGHED, (Fought(now, cast.events), self.viewer), f"{WEIGHED} {cast.record} {self.known}")

    def kept(self) -> dict[UUID, Weighed | None]:
        """What was told of its dice before, by record. One query."""
        rows = Weighing.objects.filter(record__battle=self.battle, known=self.known)
        return {record: load_weighed(found) for record, found in rows.values_list("record_id", "found")}

    def told(self, found: Mapping[UUID, Weighed | None]) -> Hindsight:
        """What all of it comes to. `found`: of every cast."""
        sure = [(cast, weighed) for cast in self.casts if (weighed := found[cast.record]) is not None]
        moments = [Moment(cast.stage, weighed.before, weighed.after) for cast, weighed in sure]
        summed = fairness(moments, ended(self.engine.summary(folding.state_of(self.battle))))
        by_step = tuple(
            tuple(cast for cast, _weighed in sure if cast.stage[:2] == step.stage[:2]) for step in summed.steps
        )
        simulated = any(weighed.method == SIMULATED for _cast, weighed in sure)
        error = max((weighed.error for _cast, weighed in sure), default=0.0)
        return Hindsight(summed, by_step, SIMULATED if simulated else EXACT, error, self._guessed())

    def _guessed(self) -> tuple[str, ...]:
        armies = self.summary.armies.values()
        return tuple(a.name for a in armies if not self.viewer.knows(a.id))


def looked_back(user: User, battle_id: UUID | str) -> LookedBack:
    """Raises Http404 for strangers, `IllegalCommand` while it is fought, and where its law foretells nothing."""
    back = back_at(user, battle_for(user, battle_id))
    require_forecast(folding.law_of(back.battle))
    require(back.summary.status in OVER, _("The battle is not over yet: how fair its dice were is told afterwards."))
    return back


def back_at(user: User, battle: Battle) -> LookedBack:
    """A battle in hand, for a member of its campaign."""
    now = folding.state_of(battle)
    viewer = viewer_of(user, battle, now)
    return LookedBack(battle, folding.engine_of(battle), viewer, folding.seen(battle, now, viewer).summary)


def kept_hindsight(back: LookedBack) -> Hindsight | None:
    """What is known of all its dice, None where something is still to be reckoned. Two queries."""
    found = back.kept()
    return back.told(found) if all(cast.record in found for cast in back.casts) else None


def may_look_back(back: LookedBack) -> bool:
    return back.engine.forecast.known and back.summary.status in OVER


def _casts(battle: Battle, engine: BattleLaw) -> Iterator[DiceFell]:
    keeper, state = storage.keeper_of(engine), folding.opened(battle)
    for pk, events, dice in battle.records.filter(undone=False).order_by("seq").values_list("pk", "events", "dice"):
        before, happened = state, keeper.load_events(events)
        state = engine.fold(state, happened)
        if dice and (summary := engine.summary(before)).status not in OVER:
            yield DiceFell(pk, summary.stage, before, happened, state)
