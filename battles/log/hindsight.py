"""Hindsight of one reader on a finished battle: its dice, and the stored effects of those on the chances."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple
from uuid import UUID

from battles.codec.odds_json import load_weighed
from battles.models import Battle, Weighing
from battles.play import battle_state as play_battle_state
from battles.play.event_log import list_standing_records, replay_states
from battles.queries import get_battle_for, get_viewer
from kingdom.models import User
from rules.core.errors import require
from rules.core.odds import EXACT, SIMULATED, Method
from rules.core.text import _
from rules.law import AFTERMATH, CLOSED, BattleLaw, Stage, Summary, Viewer
from rules.odds.hindsight import Fairness, Fought, Moment, Weighed, ended, fairness
from rules.odds.tasks import Task

WEIGHED = "rules.odds.hindsight.weighed"
OVER = (AFTERMATH, CLOSED)


class DiceFell(NamedTuple):
    """Command whose dice were rolled. `event` is the number of its first event."""

    record: UUID
    event: int


class Sure(NamedTuple):
    """Dice with known effect on the chances, and their phase."""

    cast: DiceFell
    weighed: Weighed
    stage: Stage


class Hindsight(NamedTuple):
    """Luck of a battle. `casts` are the dice by step of `fairness`, `error` is the largest of all chances. `guessed`
    are armies whose figures the reader does not know.
    """

    fairness: Fairness
    casts: tuple[tuple[DiceFell, ...], ...]
    method: Method
    error: float
    guessed: tuple[str, ...]


@dataclass(frozen=True)
class LookedBack:
    """Finished battle as its reader saw it. `summary` is its end."""

    battle: Battle
    engine: BattleLaw
    viewer: Viewer
    summary: Summary

    @cached_property
    def casts(self) -> tuple[DiceFell, ...]:
        """Dice of the battle in order, without those of its aftermath. One query, nothing is folded."""
        rows = self.battle.records.filter(undone=False).exclude(dice=[]).order_by("seq")
        return tuple(DiceFell(*row) for row in rows.values_list("pk", "first_event"))

    @cached_property
    def known(self) -> str:
        """Key of what the viewer knows: the GM everything, others what they command and read."""
        viewer = self.viewer
        return "all" if viewer.gm else hashlib.sha256(viewer.knowledge.encode()).hexdigest()

    def tasks(self, casts: Sequence[DiceFell]) -> list[Task]:
        """Return the tasks for these dice, which are in order. Three queries."""
        records = list_standing_records(self.battle)
        events = {record.pk: record.events for record in records}
        before = replay_states(self.battle, records, (cast.event - 1 for cast in casts))
        return [self._task(cast, state, events[cast.record]) for cast, state in zip(casts, before, strict=True)]

    def _task(self, cast: DiceFell, before: Any, events: tuple[Any, ...]) -> Task:
        now = play_battle_state.build_field(self.battle, before)
        return Task(WEIGHED, (Fought(now, events), self.viewer), f"{WEIGHED} {cast.record} {self.known}")

    def around(self, casts: Sequence[DiceFell]) -> tuple[Any, Any]:
        """Return the states before the first of these dice and after the last. Five queries."""
        last = self.battle.records.only("first_event", "events").get(pk=casts[-1].record)
        ends = casts[0].event - 1, last.first_event + len(last.events) - 1
        before, after = (play_battle_state.fold_until(self.battle, end) for end in ends)
        return before, after

    def kept(self) -> dict[UUID, Weighed | None]:
        """Return the stored effects of the dice by record. One query."""
        rows = Weighing.objects.filter(record__battle=self.battle, known=self.known)
        return {record: load_weighed(found) for record, found in rows.values_list("record_id", "found")}

    def told(self, found: Mapping[UUID, Weighed | None]) -> Hindsight:
        """Return the luck. `found` holds the effects of all dice."""
        known = [(cast, weighed) for cast in self.casts if (weighed := found[cast.record]) is not None]
        sure = [Sure(*one, stage) for one, stage in zip(known, self._stages(known), strict=True)]
        moments = [Moment(one.stage, one.weighed.before, one.weighed.after) for one in sure]
        summed = fairness(moments, ended(self.engine.summary(play_battle_state.load_state(self.battle))))
        by_step = tuple(tuple(one.cast for one in sure if one.stage[:2] == step.stage[:2]) for step in summed.steps)
        simulated = any(one.weighed.method == SIMULATED for one in sure)
        error = max((one.weighed.error for one in sure), default=0.0)
        return Hindsight(summed, by_step, SIMULATED if simulated else EXACT, error, self._guessed())

    def _stages(self, known: Sequence[tuple[DiceFell, Weighed]]) -> Iterator[Stage]:
        """Yield the phases of these dice. Three queries if some were not stored with their chances."""
        unwritten = [cast.event - 1 for cast, weighed in known if weighed.phase is None]
        states = replay_states(self.battle, list_standing_records(self.battle), unwritten) if unwritten else iter(())
        for _cast, weighed in known:
            yield self.engine.stage(*weighed.phase) if weighed.phase else self.engine.summary(next(states)).stage

    def _guessed(self) -> tuple[str, ...]:
        armies = self.summary.armies.values()
        return tuple(a.name for a in armies if not self.viewer.knows(a.id))


def looked_back(user: User, battle_id: UUID | str) -> LookedBack:
    """Return a finished battle for its reader. Raises Http404 for strangers, `IllegalCommand` during the battle and for
    a law without forecasts.
    """
    back = look_back(user, get_battle_for(user, battle_id))
    require(back.engine.forecast.known, _("This ruleset doesn’t calculate the luck of the dice."))
    require(back.summary.status in OVER, _("The battle isn’t over: the fairness of its dice is shown afterwards."))
    return back


def look_back(user: User, battle: Battle) -> LookedBack:
    """Return a loaded battle for a member of its campaign."""
    now = play_battle_state.load_state(battle)
    viewer = get_viewer(user, battle, now)
    return LookedBack(
        battle, play_battle_state.get_engine(battle), viewer, play_battle_state.view_state(battle, now, viewer).summary
    )


def find_kept_hindsight(back: LookedBack) -> Hindsight | None:
    """Return the luck if all effects are stored, else None. Two queries."""
    found = back.kept()
    return back.told(found) if all(cast.record in found for cast in back.casts) else None


def may_look_back(back: LookedBack) -> bool:
    return back.engine.forecast.known and back.summary.status in OVER
