"""Page object of an aftermath's proposal: each kingdom with its armies, each army with its commander.

All changes of one figure are shown as one shift with several causes. Remarks, dice and choices are shown with the army,
commander or kingdom they are about.
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
    """One change of a figure in words. `by`: its amount, None where the figure is no number."""

    words: WordedChange
    by: int | None


@dataclass(frozen=True)
class Shift:
    """A figure before and after, with the causes of the change in order."""

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
        """The cause, if there is only one."""
        return self.causes[0].words if len(self.causes) == 1 else None


@dataclass(frozen=True)
class FigureLine:
    """A line of figures with one common cause, or one figure with several (then `words` is None)."""

    words: WordedChange | None
    shifts: tuple[Shift, ...]

    @property
    def why(self) -> str:
        """The cause's text; "" where it only repeats the new value of a figure ("defeated")."""
        told = render(self.words.label) if self.words else ""
        return "" if told in [shift.after for shift in self.shifts] else told


def lines_of(shifts: Iterable[Shift]) -> list[FigureLine]:
    """Lines of the shifts; those with one common cause share a line."""
    found: dict[Any, list[Shift]] = defaultdict(list)
    for shift in shifts:
        found[(render(shift.sole.label), shift.sole.rule) if shift.sole else shift.place].append(shift)
    return [FigureLine(alike[0].sole, tuple(alike)) for alike in found.values()]


@dataclass(frozen=True)
class RemarkTold:
    """A remark with its dice, each with the face it shows. `figures`: shifts that the remark alone explains."""

    text: Said
    rule: str
    dice: tuple[tuple[Roll, Said | int | DieSide], ...]
    sum: Breakdown | None
    scale: tuple[Band, ...]
    figures: tuple[Shift, ...] = ()


@dataclass(frozen=True)
class News:
    """Everything about one army, commander or kingdom.

    `dice`: (roll's name, roll, face) of dice that belong to no remark. `asks`: open choices.
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
    """An army or a commander. `small`: a short note; `health`: the shift of an army's health."""

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
    """A cause that changes figures of a kingdom, with its parts: (figure, cause)."""

    words: WordedChange
    parts: tuple[tuple[Said, Cause], ...]


@dataclass(frozen=True)
class RealmAfter:
    """A kingdom, or a side's armies without one. `fate`: "won", "lost" or ""; `standing`: how many of its armies fight
    on.
    """

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
        """Lines of the shifts that are no numbers."""
        return lines_of(shift for shift in self.news.shifts if not shift.number)

    @property
    def tells(self) -> bool:
        """Whether there is anything besides its figures."""
        news = self.news
        return any((self.lines, news.told, news.moments, news.dice, news.asks))

    @property
    def why(self) -> list[Reason]:
        """The causes of its figures, each with everything it changes."""
        found: dict[tuple[str, str], list[tuple[Said, Cause]]] = defaultdict(list)
        for shift in self.figures:
            for cause in shift.causes:
                found[render(cause.words.label), cause.words.rule].append((shift.field, cause))
        return [Reason(parts[0][1].words, tuple(parts)) for parts in found.values()]


@dataclass(frozen=True)
class WouldBeTakenBack:
    """Changes that undoing the aftermath would revert, for one kind of row: names of the fields and of their owners."""

    kind: str
    fields: tuple[Said, ...]
    subjects: tuple[str, ...]


@dataclass(frozen=True)
class AftermathLaidOut:
    """The whole layout. `besides`: news of the battle itself; `others`: those who are no army, commander or kingdom in
    it.
    """

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
