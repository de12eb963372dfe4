"""Page object of a replay: one step for each line of the log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any
from uuid import UUID

from battles.field.field_ui import FieldAsked
from battles.field.look import Look
from battles.field.page_parts import SideView, sides_of
from battles.field.table import find_arms
from battles.log.phases import PageLine, build_line
from battles.log.queries import LogLine, log_of
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.queries import get_battle_for, get_viewer
from battles.ruleset_ui import BattleUI, get_battle_ui
from kingdom.models import Campaign, User
from kingdom.models.heraldry import Arms
from rules.core.text import Said, Term


@dataclass(frozen=True)
class Stop:
    """Phase to jump to: its first step, and the first step after it."""

    label: Said
    step: int
    end: int
    current: bool


@dataclass(frozen=True)
class ReplayPage:
    """Page of a replay. `step` 0 is the opening; `line` is the event of the step."""

    battle: Battle
    campaign: Campaign
    ui: BattleUI
    step: int
    last: int
    phase: Said
    line: PageLine | None
    sides: tuple[SideView, ...]
    conditions: tuple[Any, ...]
    stops: tuple[Stop, ...]
    nearby: tuple[tuple[int, PageLine], ...]
    arms: Mapping[str, Arms]
    law_field: Any = None
    gm: bool = False
    event: int = 0
    """The number of the step's event; 0 for the opening."""
    slim = crowded = False
    picking = ""
    """No army is picked, because a finished battle takes no orders."""

    @property
    def previous(self) -> int | None:
        return self.step - 1 if self.step > 0 else None

    @property
    def next(self) -> int | None:
        return self.step + 1 if self.step < self.last else None


def replay_page(user: User, battle_id: UUID, step: int) -> ReplayPage:
    """Return the battle after line number `step` (or the nearest). Raises Http404 for strangers."""
    return replay_seen(user, get_battle_for(user, battle_id), step)


def replay_seen(user: User, battle: Battle, step: int) -> ReplayPage:
    """Return the replay page of a loaded battle."""
    law = play_battle_state.get_law(battle)
    ui, now = get_battle_ui(law), play_battle_state.load_state(battle)
    viewer = get_viewer(user, battle, now)
    lines = log_of(battle, play_battle_state.view_state(battle, now, viewer).state, viewer)
    told = [line for line in lines if not line.entry.quiet]
    step = max(0, min(step, len(told)))
    here = told[step - 1] if step else None
    event = here.seq if here else 0
    position = play_battle_state.view_state(battle, play_battle_state.fold_until(battle, event), viewer)
    then, summary = position.state, position.summary
    figures = play_battle_state.load_figures(battle, event)
    stops = tuple(_stops(told, step, summary.stages[0][0].label))
    shown = FieldAsked(battle, then, summary, viewer, Look(), event=event)
    return ReplayPage(
        battle=battle,
        campaign=battle.campaign,
        ui=ui,
        step=step,
        last=len(told),
        phase=summary.stage.label,
        line=build_line(here) if here else None,
        sides=tuple(sides_of(summary, ui.cards(then, summary, figures, viewer, None))),
        conditions=tuple(ui.conditions(then)),
        stops=stops,
        nearby=tuple(_nearby(told, stops, step)),
        arms=find_arms(battle, summary),
        law_field=ui.field(shown),
        gm=viewer.gm,
        event=event,
    )


def _stops(told: list[LogLine], step: int, opening: Said) -> Iterator[Stop]:
    """Yield the opening and the beginning of each phase. The one of the current step is marked."""
    begun: list[tuple[int, Said]] = [(0, opening)]
    for index, line in enumerate(told, start=1):
        if line.entry.heading and line.entry.begins is not None:
            begun.append((index, line.entry.begins))
    for (start, label), (end, _label) in pairwise([*begun, (len(told) + 1, Term(""))]):
        yield Stop(label, start, end, start <= step < end)


def _nearby(told: list[LogLine], stops: Iterable[Stop], step: int) -> Iterator[tuple[int, PageLine]]:
    """Yield the lines of the current phase with their steps, in order."""
    here = next(stop for stop in stops if stop.current)
    for index in range(max(here.step, 1), here.end):
        yield index, build_line(told[index - 1])
