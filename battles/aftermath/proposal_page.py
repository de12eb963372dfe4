"""Page object of an aftermath's proposal: each kingdom with its armies, each army with its commander.

Changes of one figure are one shift with its causes; remarks, dice and choices stand with whom they are about.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from battles.ruleset_ui import WordedChange
from core.text import render
from kingdom.models import Kingdom
from rules.core.breakdown import Breakdown
from rules.core.dice import Roll
from rules.core.text import Said
from rules.law import Band, DieSide

ARMY, COMMANDER, OTHER = "army", "commander", "other"
WON, LOST = "won", "lost"


@dataclass(frozen=True)
class Cause:
    """One change of a figure in words. `by`: by how much, where it is a number."""

    words: WordedChange
    by: int | None


@dataclass(frozen=True)
class Shift:
    """A figure as it was and as it becomes, and why: its causes in their order."""

    place: tuple[str, str, str]
    subject: str
    causes: tuple[Cause, ...]

    @property
    def field(self) -> Said:
        return self.causes[0].words.field

    @property
    def before(self) -> Any:
        return self.causes[0].words.before

    @property
    def after(self) -> Any:
        return self.causes[-1].words.after

    @property
    def number(self) -> bool:
        return all(cause.by is not None for cause in self.causes)

    @property
    def sole(self) -> WordedChange | None:
        """Its cause, where there is one alone."""
        return self.causes[0].words if len(self.causes) == 1 else None


@dataclass(frozen=True)
class FigureLine:
    """Figures with the one cause they share, or a figure with several (`words` is None)."""

    words: WordedChange | None
    shifts: tuple[Shift, ...]

    @property
    def why(self) -> str:
        """The cause, unless it only repeats what one of them becomes ("defeated")."""
        told = render(self.words.label) if self.words else ""
        return "" if told in [shift.after for shift in self.shifts] else told


def lines_of(shifts: Iterable[Shift]) -> list[FigureLine]:
    """Figures that change for the same reason stand in one line."""
    found: dict[Any, list[Shift]] = defaultdict(list)
    for shift in shifts:
        found[(render(shift.sole.label), shift.sole.rule) if shift.sole else shift.place].append(shift)
    return [FigureLine(alike[0].sole, tuple(alike)) for alike in found.values()]


@dataclass(frozen=True)
class RemarkTold:
    """A remark with its dice, each with what it shows. `figures`: what changes by a fate and by nothing else."""

    text: Said
    rule: str
    dice: tuple[tuple[Roll, Said | int | DieSide], ...]
    sum: Breakdown | None
    scale: tuple[Band, ...]
    figures: tuple[Shift, ...] = ()


@dataclass(frozen=True)
class News:
    """What is told of one of them. `dice`: (what for, the die, what it shows) of those no remark tells of; `asks`: the
    choices that are open.
    """

    shifts: tuple[Shift, ...] = ()
    told: tuple[RemarkTold, ...] = ()
    moments: tuple[RemarkTold, ...] = ()
    dice: tuple[tuple[Said, Roll, Said | int | DieSide], ...] = ()
    asks: tuple[Any, ...] = ()

    def __bool__(self) -> bool:
        return any((self.shifts, self.told, self.moments, self.dice, self.asks))


NONE = News()


@dataclass(frozen=True)
class Deed:
    """An army or a commander. `small`: one thing to know of it; `health`: the shift of an army's health."""

    kind: str
    id: str
    name: str
    news: News
    small: Said | str = ""
    crest: str = ""
    gone: bool = False
    health: Shift | None = None

    @property
    def lines(self) -> list[FigureLine]:
        return lines_of(self.news.shifts)


@dataclass(frozen=True)
class Reason:
    """Why figures of a kingdom change, and which."""

    words: WordedChange
    parts: tuple[tuple[Said, Cause], ...]


@dataclass(frozen=True)
class RealmAfter:
    """A kingdom, or a side of none. `fate`: "won", "lost" or neither; `standing`: how many of its armies fight on."""

    id: str
    name: str
    kingdom: Kingdom | None
    colour: str
    fate: str
    standing: int
    total: int
    news: News
    deeds: tuple[Deed, ...]

    @property
    def figures(self) -> tuple[Shift, ...]:
        return tuple(shift for shift in self.news.shifts if shift.number)

    @property
    def lines(self) -> list[FigureLine]:
        """What is no number."""
        return lines_of(shift for shift in self.news.shifts if not shift.number)

    @property
    def tells(self) -> bool:
        """Whether anything is told of it beside its figures."""
        news = self.news
        return any((self.lines, news.told, news.moments, news.dice, news.asks))

    @property
    def why(self) -> list[Reason]:
        """The causes of its figures, each with all it does."""
        found: dict[tuple[str, str], list[tuple[Said, Cause]]] = defaultdict(list)
        for shift in self.figures:
            for cause in shift.causes:
                found[render(cause.words.label), cause.words.rule].append((shift.field, cause))
        return [Reason(parts[0][1].words, tuple(parts)) for parts in found.values()]


@dataclass(frozen=True)
class WouldBeTakenBack:
    """What undoing takes back of one kind of thing: which figures, and whose."""

    kind: str
    fields: tuple[Said, ...]
    subjects: tuple[str, ...]


@dataclass(frozen=True)
class AftermathLaidOut:
    """`besides`: what is told of the battle as a whole; `others`: of whoever is no army, commander or kingdom of it."""

    realms: tuple[RealmAfter, ...]
    others: tuple[Deed, ...]
    besides: News
    dice: tuple[tuple[Roll, Said | int | DieSide], ...]
    undoing: tuple[WouldBeTakenBack, ...]

    def __bool__(self) -> bool:
        return any((self.realms, self.others, self.besides))

    @property
    def changed(self) -> bool:
        return bool(self.undoing)
