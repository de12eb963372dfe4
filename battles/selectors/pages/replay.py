"""A battle gone through step by step: one step for each line of its log."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from battles import folding
from battles.codec import storage
from battles.models import Battle
from battles.selectors.access import battle_for, eyes_of
from battles.selectors.log import LogLine, log_of
from battles.selectors.pages.battle import SideView
from battles.selectors.pages.cards import card_of
from battles.selectors.pages.chronicle import QUIET, Line, LogPhase, grouped, line_of
from battles.selectors.pages.ground import Chip, condition_chips, phase_name
from battles.selectors.pages.lists import colour_of
from kingdom.models import Campaign, User
from rules.pathfinder.battle import engine, events
from rules.pathfinder.battle.events import Event
from rules.pathfinder.battle.state import Battle as State
from rules.text import Said


@dataclass(frozen=True)
class Stop:
    """A phase one can jump to: the step of its first line."""

    label: Said
    step: int
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
    nearby: LogPhase | None
    numbers: dict[int, int]

    @property
    def previous(self) -> int | None:
        return self.step - 1 if self.step > 0 else None

    @property
    def next(self) -> int | None:
        return self.step + 1 if self.step < self.last else None

    @property
    def nearby_lines(self) -> list[tuple[int, Line]]:
        """The lines of the running phase with their steps, in the order they happened."""
        lines = self.nearby.lines if self.nearby else ()
        return [(self.numbers[line.seq], line) for line in reversed(lines)]


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
    phases = grouped(lines)
    numbers = {line.seq: index for index, line in enumerate(told, start=1)}
    return ReplayPage(
        battle=battle,
        campaign=battle.campaign,
        step=step,
        last=len(told),
        phase=phase_name(then.phase),
        line=line_of(here) if here else None,
        sides=tuple(_sides(then, eyes)),
        conditions=tuple(chip for chip, _condition in condition_chips(then)),
        stops=tuple(_stops(told, step)),
        nearby=next((p for p in phases if here and any(line.seq == here.seq for line in p.lines)), None),
        numbers=numbers,
    )


def _state_after(battle: Battle, seq: int) -> State:
    """The battle as it was right after the event with this number."""
    return engine.fold(folding.opened(battle), _events_until(battle, seq))


def _events_until(battle: Battle, seq: int) -> Iterator[Event]:
    for record in battle.records.filter(undone=False, first_event__lte=seq).order_by("seq"):
        yield from storage.load_events(record.events)[: seq - record.first_event + 1]


def _sides(state: State, eyes: object) -> Iterator[SideView]:
    for index, side in enumerate(state.sides):
        cards = tuple(card_of(state, army, eyes, None, set()) for army in side.armies)  # type: ignore[arg-type]
        yield SideView(index, side.name, colour_of(index), cards[0].crest if cards else "army", cards)


def _stops(told: list[LogLine], step: int) -> Iterator[Stop]:
    """The beginning of each phase; the one the step lies in is current."""
    starts = [(index, line.event) for index, line in enumerate(told, start=1)]
    begun = [(index, event.phase) for index, event in starts if isinstance(event, events.PhaseBegan)]
    for place, (index, phase) in enumerate(begun):
        until = begun[place + 1][0] if place + 1 < len(begun) else len(told) + 1
        yield Stop(phase_name(phase), index, index <= step < until)
