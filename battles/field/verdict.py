"""Verdict strip at the top of a battle's page: what was decided last, for everybody, in few words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from itertools import tee
from typing import Any

from django.utils.translation import gettext

from battles.log.phases import RUN
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.play.event_log import RecordRead, read_standing
from battles.ruleset_ui import ArmyCard
from battles.setup.page import pick_colour
from core.text import render
from rules.core.text import MINUS, Said, _, say
from rules.law import Combatant, Fate, Summary, Verdict, Viewer
from rules.verdicts import HURT

LOOK_BACK = 73  # records: the last is news, or orders were given since
SHOWN_BY_ARMY = 5  # more, and the strip sums up by side
NAMED_OF_A_SIDE = 3
ALIKE = _("{army}: {fate}.")


@dataclass(frozen=True)
class StripLine:
    """An army, or a side. `army` is "" for a side. `share`: what it lost is told in hundredths."""

    army: str
    side: int
    name: str
    lost: int
    word: Said | None
    text: Said | str
    gone: bool = False
    mine: bool = False
    share: bool = False
    crest: str = "flag"

    @property
    def id(self) -> str:
        return self.army

    @property
    def colour(self) -> str:
        return pick_colour(self.side)


@dataclass(frozen=True)
class Strip:
    """`own`: sentences for the reader about their own armies; `told`: the same as they are shown, many to whom nothing
    happened as one. `seq`: of the command; `fresh`: none came since.
    """

    title: Said
    lines: tuple[StripLine, ...]
    own: tuple[tuple[str, Said], ...]
    told: tuple[Said, ...]
    spoken: str
    seq: int
    fresh: bool


def strip_of(
    battle: Battle,
    summary: Summary,
    viewer: Viewer,
    standing: Iterable[RecordRead],
    cards: Mapping[str, ArmyCard],
) -> Strip | None:
    """From the records that stand, latest first; None before anything was decided."""
    found = _decisive(battle, standing)
    if found is None:
        return None
    record, fresh = found
    verdict = _verdict(battle, record, viewer)
    fates = [fate for fate in verdict.fates if fate.army in summary.armies]
    mine = frozenset() if viewer.gm else viewer.armies
    return Strip(
        title=verdict.title,
        lines=tuple(_lines(summary, fates, cards, mine)),
        own=tuple((fate.army, fate.own) for fate in fates if fate.army in mine),
        told=tuple(_told(summary, [fate for fate in fates if fate.army in mine])),
        spoken=_spoken(summary, verdict),
        seq=record.seq,
        fresh=fresh,
    )


def _told(summary: Summary, fates: Iterable[Fate]) -> Iterator[Said]:
    """What happened to some of them, then whom nothing happened to."""
    quiet: dict[str, list[Fate]] = {}
    for fate in fates:
        if fate.lost or fate.gone or fate.word == HURT:
            yield fate.own
        else:
            quiet.setdefault(str(fate.word), []).append(fate)
    for alike in quiet.values():
        if len(alike) < RUN:
            yield from (fate.own for fate in alike)
        else:
            yield say(ALIKE, army=[summary.armies[fate.army].name for fate in alike], fate=alike[0].word)


class Standing:
    """The records that stand, latest first, as far back as is worth reading; each is read once."""

    def __init__(self, battle: Battle):
        (self._records,) = tee(read_standing(battle, LOOK_BACK), 1)

    def __iter__(self) -> Iterator[RecordRead]:
        return copy(self._records)  # from the first on, with what others have read

    @property
    def last(self) -> RecordRead | None:
        return next(iter(self), None)


def _decisive(battle: Battle, standing: Iterable[RecordRead]) -> tuple[RecordRead, bool] | None:
    engine, state = play_battle_state.get_engine(battle), None
    for place, record in enumerate(standing):
        state = play_battle_state.load_state(battle) if state is None else state
        if engine.decisive(state, record.events):
            return record, place == 0
    return None


def _verdict(battle: Battle, record: RecordRead, viewer: Viewer) -> Verdict:
    """As this viewer may know it."""
    engine = play_battle_state.get_engine(battle)
    events = record.events
    before = play_battle_state.state_before(battle, record)
    after = engine.fold(before, events)
    seen: tuple[Any, ...] = tuple(engine.witnessed(after, event, viewer) for event in events)
    known = tuple(event for event in seen if event is not None)
    verdict = engine.verdict(engine.seen(before, viewer), known, engine.seen(after, viewer))
    armies = play_battle_state.view_state(battle, after, viewer).summary.armies
    return verdict._replace(fates=tuple(_fate_told(fate, armies.get(fate.army)) for fate in verdict.fates))


def _fate_told(fate: Fate, army: Combatant | None) -> Fate:
    """No loss in figures of whose health there are none."""
    if army is None or army.words is None or not fate.lost:
        return fate
    return fate._replace(lost=0, word=fate.word if fate.gone else HURT, text=army.words)


def _lines(
    summary: Summary, fates: list[Fate], cards: Mapping[str, ArmyCard], mine: Collection[str]
) -> Iterator[StripLine]:
    if len(fates) > SHOWN_BY_ARMY:
        yield from _by_side(summary, fates)
        return
    for fate in fates:
        army = summary.armies[fate.army]
        word = fate.word if fate.gone or not fate.lost else None
        yield StripLine(
            army.id, army.side, army.name, fate.lost, word, fate.text, fate.gone, army.id in mine, army.share,
            cards[army.id].crest,
        )  # fmt: skip


def _by_side(summary: Summary, fates: list[Fate]) -> Iterator[StripLine]:
    for index, side in enumerate(summary.sides):
        own = [fate for fate in fates if summary.armies[fate.army].side == index]
        if not own:
            continue
        telling = sorted((f for f in own if f.lost or f.gone), key=lambda fate: (not fate.gone, -fate.lost))
        told = [_in_a_word(summary, fate) for fate in telling[:NAMED_OF_A_SIDE]]
        share = any(summary.armies[fate.army].share for fate in own)
        lost = 0 if share else sum(fate.lost for fate in own)
        word = None if lost or (share and telling) else next((fate.word for fate in own if not fate.gone), own[0].word)
        yield StripLine("", index, side.name, lost, word, " · ".join(told))


def _in_a_word(summary: Summary, fate: Fate) -> str:
    army = summary.armies[fate.army]
    said = render(fate.word) if fate.gone or not fate.lost else f"{MINUS}{fate.lost}{' %' if army.share else ''}"
    return f"{army.name} {said}"


def _spoken(summary: Summary, verdict: Verdict) -> str:
    """For whoever listens to the page."""
    told = (_in_a_word(summary, fate) for fate in verdict.fates if fate.army in summary.armies)
    title = gettext("{label}:").format(label=render(verdict.title))
    return f"{title} {', '.join(told)}."
