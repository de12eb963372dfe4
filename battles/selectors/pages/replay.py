"""A battle gone through step by step: one step for each line of its log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from uuid import UUID

from battles import folding
from battles.codec import storage
from battles.models import Battle
from battles.selectors.access import Eyes, battle_for, eyes_of
from battles.selectors.log import LogLine, log_of
from battles.selectors.pages.battle import SideView
from battles.selectors.pages.cards import card_of
from battles.selectors.pages.chronicle import QUIET, Line, line_of
from battles.selectors.pages.ground import NO_WORDS, Chip, condition_chips, phase_name
from battles.selectors.pages.lists import colour_of
from kingdom.models import Campaign, User
from rules.pathfinder.battle import engine, events
from rules.pathfinder.battle.events import Event
from rules.pathfinder.battle.state import SETUP, Phase
from rules.pathfinder.battle.state import Battle as State
from rules.text import Said


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
    step: int
    last: int
    phase: Said
    line: Line | None
    sides: tuple[SideView, ...]
    conditions: tuple[Chip, ...]
    stops: tuple[Stop, ...]
    nearby: tuple[tuple[int, Line], ...]

    @property
    def previous(self) -> int | None:
        return self.step - 1 if self.step > 0 else None

    @property
    def next(self) -> int | None:
        return self.step + 1 if self.step < self.last else None


def replay_page(user: User, battle_id: UUID, step: int) -> ReplayPage:
    """The battle after its `step`th line (the nearest one there is). Raises Http404 for strangers."""
    battle = battle_for(user, battle_id)
    now = folding.state_of(battle)
    eyes = eyes_of(user, battle, now)
    lines = log_of(battle, now, eyes)
    told = [line for line in lines if not isinstance(line.event, QUIET)]
    step = max(0, min(step, len(told)))
    here = told[step - 1] if step else None
    then = _state_after(battle, here.seq if here else 0)
    stops = tuple(_stops(told, step))
    return ReplayPage(
        battle=battle,
        campaign=battle.campaign,
        step=step,
        last=len(told),
        phase=phase_name(then.phase),
        line=line_of(here) if here else None,
        sides=tuple(_sides(then, eyes)),
        conditions=tuple(chip for chip, _condition in condition_chips(then)),
        stops=stops,
        nearby=tuple(_nearby(told, stops, step)),
    )


def _state_after(battle: Battle, seq: int) -> State:
    """The battle as it was right after the event with this number."""
    return engine.fold(folding.opened(battle), _events_until(battle, seq))


def _events_until(battle: Battle, seq: int) -> Iterator[Event]:
    for record in battle.records.filter(undone=False, first_event__lte=seq).order_by("seq"):
        yield from storage.load_events(record.events)[: seq - record.first_event + 1]


def _sides(state: State, eyes: Eyes) -> Iterator[SideView]:
    for index, side in enumerate(state.sides):
        cards = tuple(replace(card_of(state, army, eyes, None, set()), ready="") for army in side.armies)
        yield SideView(index, side.name, colour_of(index), cards)


def _stops(told: list[LogLine], step: int) -> Iterator[Stop]:
    """The opening and the beginning of each phase; the one the step lies in is current."""
    begun = [(0, phase_name(Phase(SETUP)))]
    for index, line in enumerate(told, start=1):
        if isinstance(line.event, events.PhaseBegan):
            begun.append((index, phase_name(line.event.phase)))
    for (start, label), (end, _label) in pairwise([*begun, (len(told) + 1, NO_WORDS)]):
        yield Stop(label, start, end, start <= step < end)


def _nearby(told: list[LogLine], stops: Iterable[Stop], step: int) -> Iterator[tuple[int, Line]]:
    """The lines of the phase the step lies in, with their steps, in the order they happened."""
    here = next(stop for stop in stops if stop.current)
    for index in range(max(here.step, 1), here.end):
        yield index, line_of(told[index - 1])
