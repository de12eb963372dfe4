"""Phases of a battle's log for pages, latest first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from battles.forecast.odds_page import format_signed
from battles.log.queries import LogLine, names_of
from battles.setup.page import pick_colour
from core.text import render
from rules.core.dice import Roll
from rules.core.text import NO_WORDS, Message, Said, _, closed, say
from rules.law import BattleLaw, DieSide, Summary, Weight

SPOKEN = 3
RUN = 3  # consecutive equal lines from which on they are joined into one
LIKEWISE = _("{sentence} Also: {others}.")


@dataclass(frozen=True)
class PageLine:
    """Event on a page: a sentence, its dice, and the breakdowns that it unfolds."""

    seq: int
    colour: str
    type: str
    text: Said
    rule: str
    rolls: tuple[Roll, ...]
    faces: tuple[Said | int | DieSide, ...]
    sums: tuple[tuple[Said, Any], ...]
    check: int | None = None
    against: int | None = None
    army: str = ""
    weight: Weight = Weight.USUAL
    why: Said | None = None
    own: tuple[int, int] | None = None
    bonus: int | None = None

    @property
    def turning(self) -> bool:
        return self.weight == Weight.TURNING

    @property
    def telling(self) -> bool:
        return self.weight == Weight.TELLING

    @property
    def dice(self) -> tuple[tuple[Roll, str | DieSide], ...]:
        """Dice with their faces."""
        return tuple(
            (roll, face if isinstance(face, DieSide) else render(face))
            for roll, face in zip(self.rolls, self.faces, strict=True)
        )

    @property
    def checked(self) -> tuple[tuple[Roll, str | DieSide], ...]:
        """Dice up to the last one of the check, after which its sum is shown."""
        return self.dice if self.own is None else self.dice[: self.own[1]]

    @property
    def further(self) -> tuple[tuple[Roll, str | DieSide], ...]:
        """Dice after the check: rolled against it, or for damage."""
        return () if self.own is None else self.dice[self.own[1] :]

    @property
    def unfolds(self) -> bool:
        return bool(self.sums) or self.why is not None


@dataclass(frozen=True)
class LogPhase:
    """Phase of the log. `label` is None if the log starts within an unknown phase. `begins` is the number of the event
    that began it, 0 if that event was not read.
    """

    label: Said | None
    lines: tuple[PageLine, ...]
    begins: int = 0

    @property
    def headlines(self) -> tuple[str, ...]:
        """Latest sentences, for screen readers: turning points first."""
        told = sorted(self.lines, key=lambda line: not line.turning)
        return tuple(render(line.text) for line in told[:SPOKEN])


def build_line(told: LogLine) -> PageLine:
    entry = told.entry
    side = entry.side
    return PageLine(
        seq=told.seq,
        colour="" if side is None else pick_colour(side),
        type=entry.type,
        text=entry.text,
        rule=entry.rule,
        rolls=tuple(entry.rolls),
        faces=tuple(get_die_face(roll, told.die_sides) for roll in entry.rolls),
        sums=tuple((found.title, found.breakdown) for found in entry.sums),
        check=entry.numbers.get("check"),
        against=entry.numbers.get("against"),
        army=entry.army or "",
        weight=entry.weight,
        why=told.why,
        own=entry.own,
        bonus=None if entry.own is None or "check" not in entry.numbers else entry.bonus,
    )


def get_die_face(roll: Roll, die_sides: Mapping[str, tuple[DieSide, ...]]) -> Said | int | DieSide:
    """Return what the die shows: a number, or the name or drawing of its side."""
    sides = die_sides.get(roll.name, ())
    if not sides:
        return roll.value
    side = sides[roll.value - 1]
    return side if side.glyph else side.name


@dataclass(frozen=True)
class TakenBack:
    """Undone command: its events with their dice, and who undid it."""

    by: str
    at: datetime
    lines: tuple[PageLine, ...]


def taken_back(lines: Iterable[LogLine]) -> tuple[TakenBack, ...]:
    """Return the undone commands, latest first. Nothing disappears from the log."""
    found: dict[int, list[LogLine]] = {}
    for told in lines:
        if told.undone and is_told(told):
            found.setdefault(told.record.seq, []).append(told)
    gone = sorted(found.values(), key=lambda own: own[0].record.undone_at or own[0].at, reverse=True)
    names = names_of(own[0].record.undone_by for own in gone)
    return tuple(_taken_back(own, names.get(own[0].record.undone_by, "")) for own in gone)


def _taken_back(own: list[LogLine], by: str) -> TakenBack:
    record = own[0].record
    return TakenBack(by, record.undone_at or record.at, tuple(map(build_line, own)))


def newest_first(lines: Iterable[LogLine], first: Said | None) -> tuple[LogPhase, ...]:
    """Return the phases with events and their lines, both latest first. Consecutive equal sentences are joined."""
    told = [phase for phase in group_by_phase(lines, first) if phase.lines]
    return tuple(replace(phase, lines=tuple(_folded(phase.lines[::-1]))) for phase in reversed(told))


def _folded(lines: Iterable[PageLine]) -> Iterator[PageLine]:
    run: list[PageLine] = []
    whose = ""
    for line in lines:
        differs = _differs(run[-1], line) if run else ""
        if differs and whose in ("", differs):
            whose = differs
            run.append(line)
            continue
        yield from _as_one(run, whose)
        run, whose = [line], ""
    yield from _as_one(run, whose)


def _as_one(run: list[PageLine], whose: str) -> Iterable[PageLine]:
    if len(run) < RUN:
        return run
    first, *more = run
    others = [line.text.params[whose] for line in more if isinstance(line.text, Message)]
    return (replace(first, text=say(LIKEWISE, sentence=closed(first.text), others=others)),)


def _differs(one: PageLine, other: PageLine) -> str:
    """Return the parameter in which two otherwise equal sentences differ, or ""."""
    if _but_for_the_words(one) != _but_for_the_words(other) or one.rolls or one.unfolds:
        return ""
    first, second = one.text, other.text
    if not (isinstance(first, Message) and isinstance(second, Message) and first.template == second.template):
        return ""
    names = [name for name, value in first.params.items() if second.params.get(name) != value]
    return names[0] if len(names) == 1 else ""


def _but_for_the_words(line: PageLine) -> PageLine:
    return replace(line, seq=0, army="", text=NO_WORDS)


def group_by_phase(lines: Iterable[LogLine], first: Said | None) -> list[LogPhase]:
    """Group lines by phase, in order. `first` is the phase of the first line."""
    found: list[tuple[Said | None, int, list[PageLine]]] = [(first, 0, [])]
    for told in lines:
        if told.entry.begins is not None and told.entry.begins != found[-1][0]:
            found.append((told.entry.begins, told.seq, []))
        if is_told(told):
            found[-1][-1].append(build_line(told))
    return [LogPhase(label, tuple(own), begins) for label, begins, own in found if own or label != first]


def is_told(told: LogLine) -> bool:
    """Whether the event is a line of the log. Of undone commands secret orders are too."""
    entry = told.entry
    return not (entry.heading or entry.quiet) or (told.undone and entry.secret)


def luck_of(
    lines: Iterable[LogLine], engine: BattleLaw, state: Any, summary: Summary
) -> tuple[tuple[str, str, str], ...]:
    """Return (side, colour, how far its dice fell above or below average), if the law measures it."""
    sums = engine.luck(state, [told.event for told in lines])
    return (
        ()
        if not sums
        else tuple(
            (side.name, pick_colour(index), format_signed(sums.get(index, 0.0)))
            for index, side in enumerate(summary.sides)
        )
    )
