"""Page object of a replay: one step for each line of the log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any
from uuid import UUID

from battles.field.page import SideView, sides_of
from battles.field.table import find_bearers
from battles.log.phases import PageLine, build_line
from battles.log.queries import LogLine, log_of
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.queries import get_battle_for, get_viewer
from battles.ruleset_ui import BattleUI, get_battle_ui
from kingdom.models import Campaign, Kingdom, User
from rules.core.text import Said, Term


@dataclass(frozen=True)
class Stop:
    """A phase one can jump to: its first step, and the first step after it."""

    label: Said
    step: int
    end: int
    current: bool


@dataclass(frozen=True)
class ReplayPage:
    """`step` 0 is the field as the battle opened; `line` is what happened at the step."""

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
    bearers: Mapping[str, Kingdom]
    slim = crowded = False
    picking = ""
    """Nobody is picked: nothing can be ordered of what is over."""

    @property
    def previous(self) -> int | None:
        return self.step - 1 if self.step > 0 else None

    @property
    def next(self) -> int | None:
        return self.step + 1 if self.step < self.last else None


def replay_page(user: User, battle_id: UUID, step: int) -> ReplayPage:
    """The battle after its `step`th line (the nearest one there is). Raises Http404 for strangers."""
    return replay_seen(user, get_battle_for(user, battle_id), step)


def replay_seen(user: User, battle: Battle, step: int) -> ReplayPage:
    """The same of a battle in hand."""
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
        bearers=find_bearers(battle, summary),
    )


def _stops(told: list[LogLine], step: int, opening: Said) -> Iterator[Stop]:
    """The opening and the beginning of each phase; the one the step lies in is current."""
    begun: list[tuple[int, Said]] = [(0, opening)]
    for index, line in enumerate(told, start=1):
        if line.entry.heading and line.entry.begins is not None:
            begun.append((index, line.entry.begins))
    for (start, label), (end, _label) in pairwise([*begun, (len(told) + 1, Term(""))]):
        yield Stop(label, start, end, start <= step < end)


def _nearby(told: list[LogLine], stops: Iterable[Stop], step: int) -> Iterator[tuple[int, PageLine]]:
    """The lines of the phase the step lies in, with their steps, in the order they happened."""
    here = next(stop for stop in stops if stop.current)
    for index in range(max(here.step, 1), here.end):
        yield index, build_line(told[index - 1])
