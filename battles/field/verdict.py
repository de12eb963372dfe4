"""Verdict strip at the top of the battle page, the last decision in a few words, and labels that change with its
state.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from itertools import tee
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext

from battles.codec import storage
from battles.log.phases import RUN
from battles.models import FORWARD, PASSED, Battle
from battles.play import battle_state as play_battle_state
from battles.play.event_log import RecordRead, read_standing
from battles.queries import list_halts
from battles.ruleset_ui import ArmyCard
from battles.setup.page import pick_colour
from core.text import render
from rules.aftermath import HURT
from rules.core.text import MINUS, Said, _, closed, say
from rules.law import Combatant, Fate, Halt, Summary, Verdict, Viewer

if TYPE_CHECKING:
    from battles.field.page import BattlePage


# Verdict strip at the top of the battle page: the last decision in a few words.

LOOK_BACK = 73  # most records that are read to find the last decision
SHOWN_BY_ARMY = 5  # with more armies the strip has a line for each side instead
NAMED_OF_A_SIDE = 3
ALIKE = _("{army}: {fate}.")
RESOLVED = _("{phase} resolved")


@dataclass(frozen=True)
class StripLine:
    """Line about an army, or about a side (`army` is ""). `share`: whether `lost` is a percentage."""

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
    """The strip of the last decision.

    `own`: (army, sentence) for the reader's own armies; `told`: these sentences as shown, with quiet armies merged into
    one. `seq`: number of the command; `fresh`: no command came since. `news`, `undo`: as in `Verdict`. `first_event`,
    `last_event`: events of the command. `passed`: its phases, if several; `by_itself`: the later ones passed because
    there was nothing to decide. `halts`: why the battle stopped, if it was told to go on.
    """

    title: Said
    lines: tuple[StripLine, ...]
    own: tuple[tuple[str, Said], ...]
    told: tuple[Said, ...]
    spoken: str
    seq: int
    fresh: bool
    news: Said | None = None
    undo: Said | None = None
    passed: tuple[Said, ...] = ()
    by_itself: bool = False
    halts: tuple[Halt, ...] = ()
    first_event: int = 0
    last_event: int = 0


def strip_of(
    battle: Battle,
    summary: Summary,
    viewer: Viewer,
    standing: Iterable[RecordRead],
    cards: Mapping[str, ArmyCard],
) -> Strip | None:
    """The strip of the last decision among these records, latest first; None before any decision."""
    found = _decisive(battle, standing)
    if found is None:
        return None
    record, fresh = found
    run = CommandRun(battle, _run_until(record, standing), viewer)
    verdict = run.verdict
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
        news=verdict.news,
        undo=verdict.undo,
        passed=run.phases,
        by_itself=PASSED in record.command,
        halts=run.halts,
        first_event=record.first_event,
        last_event=record.first_event + len(record.events) - 1,
    )


def _told(summary: Summary, fates: Iterable[Fate]) -> Iterator[Said]:
    """Sentences about the armies to which something happened, then one for each quiet fate they share."""
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
    """Records that are not undone, latest first, down to `LOOK_BACK`. Each is read from the database once."""

    def __init__(self, battle: Battle):
        (self._records,) = tee(read_standing(battle, LOOK_BACK), 1)

    def __iter__(self) -> Iterator[RecordRead]:
        return copy(self._records)  # iterates from the first record, over those already read too

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


def _run_until(record: RecordRead, standing: Iterable[RecordRead]) -> list[RecordRead]:
    """The record of the command, preceded by those with which the battle went on by itself to it, in order."""
    since = record.command.get(FORWARD, record.command.get(PASSED, record.version - 1))
    run = [record]
    for earlier in standing:
        if earlier.version <= since:
            break
        if earlier.seq < record.seq:
            run.append(earlier)
    return run[::-1]


class CommandRun:
    """Commands that were carried out together, in order, as a viewer may know them."""

    def __init__(self, battle: Battle, records: Sequence[RecordRead], viewer: Viewer):
        self.battle, self.records, self.viewer = battle, records, viewer
        self.engine = play_battle_state.get_engine(battle)
        self.states = [play_battle_state.state_before(battle, records[0])]
        for record in records:
            self.states.append(self.engine.fold(self.states[-1], record.events))

    @property
    def after(self) -> Any:
        return self.states[-1]

    def _known(self, records: Iterable[RecordRead]) -> tuple[Any, ...]:
        events = (event for record in records for event in record.events)
        seen = (self.engine.witnessed(self.after, event, self.viewer) for event in events)
        return tuple(event for event in seen if event is not None)

    @cached_property
    def verdict(self) -> Verdict:
        """One verdict about all of them together."""
        engine, viewer = self.engine, self.viewer
        before, after = engine.seen(self.states[0], viewer), engine.seen(self.after, viewer)
        verdict = engine.verdict(before, self._known(self.records), after)
        armies = play_battle_state.view_state(self.battle, self.after, viewer).summary.armies
        fates = tuple(_fate_told(fate, armies.get(fate.army)) for fate in verdict.fates)
        return verdict._replace(fates=fates, **self._named())

    def _named(self) -> dict[str, Said]:
        """Title of several phases, from first to last; only the last can be undone. Empty for one phase."""
        if len(self.phases) < 2:
            return {}
        title = say(_("{first} to {last}"), first=self.phases[0], last=self.phases[-1])
        return {"title": title, "undo": say(_("Undo {phase}"), phase=self.phases[-1])}

    @cached_property
    def phases(self) -> tuple[Said, ...]:
        """Labels of the phases that the command resolved; empty if it resolved only one."""
        if len(self.records) < 2:
            return ()
        told = zip(self.records, self.states, strict=False)
        found = [self.engine.summary(state).stage.label for record, state in told if self._is_phase(record)]
        return tuple(found) if len(found) > 1 else ()

    def _is_phase(self, record: RecordRead) -> bool:
        return self.engine.decisive(self.after, record.events)

    @cached_property
    def halts(self) -> tuple[Halt, ...]:
        if FORWARD not in self.records[-1].command:
            return ()
        engine, viewer = self.engine, self.viewer
        before, after = engine.seen(self.states[-2], viewer), engine.seen(self.after, viewer)
        return list_halts(self.battle, before, self._known(self.records[-1:]), after, viewer)


def _fate_told(fate: Fate, army: Combatant | None) -> Fate:
    """The fate without its loss in figures, where the army's health is told in words."""
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
    """The strip's text for screen readers."""
    told = (_in_a_word(summary, fate) for fate in verdict.fates if fate.army in summary.armies)
    title = gettext("{label}:").format(label=render(verdict.title))
    title = render(closed(verdict.news)) if verdict.news else title
    if not verdict.fates:
        return title if verdict.news else f"{render(say(RESOLVED, phase=verdict.title))}."
    return f"{title} {', '.join(told)}."


# Labels of the battle page that change with its state: the latest news, the window's title, the undo button.


def news_of(page: BattlePage) -> Said | None:
    """The latest news: how the battle ended, else the ruleset's headline of the last decision, else its phase."""
    if page.outcome or page.strip is None:
        return page.outcome
    return page.strip.news or say(RESOLVED, phase=page.strip.title)


def title_of(page: BattlePage) -> str:
    """Title of the window: "Your turn" where sides take turns, the latest news, and the battle's name."""
    turn = page.ui.by_turns and page.your_turn and not page.borrowed
    told = [_("Your turn") if turn else "", page.news or "", page.battle.name]
    return " · ".join(render(one) for one in told if one)


def undo_label_of(page: BattlePage) -> Said:
    """Label of the undo button. It names a phase, what the ruleset names, or the army whose orders it takes back; else
    it only says "Undo", or "Undo these orders" for orders given together.
    """
    if page.last is not None and page.last.by_engine and page.ui.by_turns:
        return _("Undo the computer’s turn")
    if page.last is not None and page.last.ends_the_battle:
        return _("Undo the end of the battle")
    if page.strip is not None and page.strip.fresh:
        return page.strip.undo or say(_("Undo {phase}"), phase=page.strip.title)
    if page.last is not None and page.last.together is not None:
        return _("Undo these orders")
    army = ordered_last(page)
    return say(_("Undo {army}’s orders"), army=page.names[army]) if army in page.names else _("Undo")


def ordered_last(page: BattlePage) -> str:
    """Id of the army that the last command ordered; "" where it was no order, or ordered several armies."""
    if page.last is None or page.last.together is not None:
        return ""
    keeper = storage.get_keeper(play_battle_state.get_engine(page.battle))
    return page.ui.army_of(keeper.load_command(page.last.command))
