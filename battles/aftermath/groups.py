"""Grouping of an aftermath: changes, remarks, choices and dice by whom they are about, in the order of sides."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from battles.aftermath.proposal_page import (
    ARMY,
    COMMANDER,
    LOST,
    NONE,
    OTHER,
    WON,
    AftermathLaidOut,
    Cause,
    Deed,
    News,
    RealmAfter,
    RemarkTold,
    Shift,
    WouldBeTakenBack,
)
from battles.log.phases import get_die_face
from battles.ruleset_ui import WordedChange
from battles.setup.page import pick_colour
from core.text import render
from kingdom.chronicle.changes import Change
from kingdom.models import Kingdom
from rules.core.dice import Roll
from rules.core.text import Said, Term
from rules.law import Combatant, DieSide, Remark, Summary


@dataclass(frozen=True)
class Found:
    """Everything to lay out. `words`: the changes in words; `asks`: choices, each with the id of whom it is about."""

    changes: Sequence[Change]
    words: Sequence[WordedChange]
    remarks: Sequence[Remark] = ()
    asks: Sequence[tuple[str, Any]] = ()
    rolls: Sequence[Roll] = ()


@dataclass(frozen=True)
class Ground:
    """The battle of the aftermath.

    `crests`: of its armies. `shown`: armies with a line even without news. `rolls` and `die_sides`: names of rolls,
    symbols of dice. `health`: the field of an army's health.
    """

    summary: Summary
    bearers: Mapping[str, Kingdom]
    crests: Mapping[str, str]
    shown: Collection[str]
    rolls: Mapping[str, Said]
    die_sides: Mapping[str, tuple[DieSide, ...]]
    health: str

    def face(self, roll: Roll) -> tuple[Roll, Said | int | DieSide]:
        return roll, get_die_face(roll, self.die_sides)

    def realm_of(self, army: Combatant) -> str:
        known = self.bearers.get(army.id)
        return str(known.pk) if known else f"side-{army.side}"


def laid_out(ground: Ground, found: Found) -> AftermathLaidOut:
    shifts = fold_changes(found.changes, found.words)
    news = _Sorter(ground, found, shifts).news()
    armies = ground.summary.armies
    leaders = {army.leader for army in armies.values() if army.leader}
    at_home = {*armies, *leaders, *(str(one.pk) for one in ground.bearers.values())}
    names = {shift.place[1]: shift.subject for shift in shifts}
    return AftermathLaidOut(
        realms=tuple(_realms(ground, news)),
        others=tuple(Deed(OTHER, who, names[who], own) for who, own in news.items() if who not in {*at_home, ""}),
        besides=news.get("", NONE),
        dice=tuple(ground.face(roll) for roll in found.rolls),
        undoing=tuple(_undoing(shifts)),
    )


def owner_of(thrower: str) -> str:
    """Id of the army that a unit's id begins with; any other id unchanged."""
    return thrower.partition(":")[0]


def fold_changes(changes: Iterable[Change], words: Iterable[WordedChange]) -> list[Shift]:
    """Merges changes of one figure into one shift with several causes, in the order of the figures' first change."""
    found: dict[tuple[str, str, str], tuple[str, list[Cause]]] = {}
    for change, said in zip(changes, words, strict=True):
        _subject, causes = found.setdefault(change.place, (change.subject, []))
        causes.append(Cause(said, _difference(change)))
    return [Shift(place, subject, tuple(causes)) for place, (subject, causes) in found.items()]


def _difference(change: Change) -> int | None:
    sides = (change.before, change.after)
    counts = all(isinstance(side, int) and not isinstance(side, bool) for side in sides)
    return change.after - change.before if counts else None


@dataclass
class _Pile:
    """News about one army, commander or kingdom, while it is collected."""

    shifts: list[Shift] = field(default_factory=list)
    told: list[RemarkTold] = field(default_factory=list)
    moments: list[RemarkTold] = field(default_factory=list)
    dice: list[tuple[Said, Roll, Said | int | DieSide]] = field(default_factory=list)
    asks: list[Any] = field(default_factory=list)

    def news(self) -> News:
        return News(tuple(self.shifts), tuple(self.told), tuple(self.moments), tuple(self.dice), tuple(self.asks))


class _Sorter:
    """Sorts everything by whom it is about."""

    def __init__(self, ground: Ground, found: Found, shifts: Iterable[Shift]):
        self.ground, self.found = ground, found
        self.piles: defaultdict[str, _Pile] = defaultdict(_Pile)
        armies = ground.summary.armies.values()
        self.risen = {army.name: army.id for army in armies if army.risen_from}
        self.known = {*ground.summary.armies, *(army.leader for army in armies)}
        self.known |= {str(one.pk) for one in ground.bearers.values()}
        for shift in shifts:
            self.piles[self.whose(shift)].shifts.append(shift)

    def whose(self, shift: Shift) -> str:
        """Id of whom the shift is about. An army that rose in the battle gets another id on confirmation and is found
        by its name.
        """
        kind, who, _field = shift.place
        return self.risen.get(shift.subject, who) if kind == ARMY and who not in self.known else who

    def news(self) -> dict[str, News]:
        for remark in self.found.remarks:
            self._remark(remark)
        for about, ask in self.found.asks:
            self.piles[self._home(about)].asks.append(ask)
        told = {roll for remark in self.found.remarks for roll in remark.rolls}
        for roll in self.found.rolls:
            if roll not in told:
                name = self.ground.rolls.get(roll.name, Term(roll.name))
                self.piles[self._home(roll.army)].dice.append((name, *self.ground.face(roll)))
        return {who: pile.news() for who, pile in self.piles.items()}

    def _remark(self, remark: Remark) -> None:
        pile = self.piles[self._home(remark.about)]
        dice = tuple(self.ground.face(roll) for roll in remark.rolls)
        figures = self._by_it_alone(pile, remark) if remark.moment else ()
        told = RemarkTold(remark.text, remark.rule, dice, remark.sum, remark.scale, figures)
        (pile.moments if remark.moment else pile.told).append(told)

    def _by_it_alone(self, pile: _Pile, remark: Remark) -> tuple[Shift, ...]:
        """Takes the shifts with the remark's own text as their cause out of the pile: the remark shows them."""
        own = [shift for shift in pile.shifts if shift.sole and render(shift.sole.label) == render(remark.text)]
        pile.shifts = [shift for shift in pile.shifts if shift not in own]
        return tuple(own)

    def _home(self, about: str) -> str:
        return next((one for one in (about, owner_of(about)) if one in self.known), "")


def _realms(ground: Ground, news: Mapping[str, News]) -> Iterator[RealmAfter]:
    camps: defaultdict[str, list[Combatant]] = defaultdict(list)
    for side in ground.summary.sides:
        for army in side.armies:
            known = ground.summary.armies[army]
            camps[ground.realm_of(known)].append(known)
    for key, armies in camps.items():
        own = news.get(key, NONE)
        deeds = [deed for army in armies for deed in _deeds(ground, army, news)]
        if deeds or own:
            yield _realm(ground, key, armies, own, tuple(deeds))


def _realm(ground: Ground, key: str, armies: Sequence[Combatant], own: News, deeds: tuple[Deed, ...]) -> RealmAfter:
    kingdom = ground.bearers.get(armies[0].id)
    return RealmAfter(
        id=key,
        name=kingdom.name if kingdom else ground.summary.sides[armies[0].side].name,
        kingdom=kingdom,
        colour=pick_colour(armies[0].side),
        fate=_fate(ground.summary, {army.side for army in armies}),
        standing=sum(army.fighting for army in armies),
        total=len(armies),
        news=own,
        deeds=deeds,
    )


def _fate(summary: Summary, sides: Collection[int]) -> str:
    """`WON` or `LOST`; "" without a winner, or for a kingdom with armies on several sides."""
    winner = summary.outcome.winner if summary.outcome else None
    if winner is None or len(sides) > 1:
        return ""
    return WON if winner in sides else LOST


def _deeds(ground: Ground, army: Combatant, news: Mapping[str, News]) -> Iterator[Deed]:
    own = news.get(army.id, NONE)
    if own or army.id in ground.shown:
        health = next((shift for shift in own.shifts if shift.place[2] == ground.health), None)
        crest = ground.crests.get(army.id, "")
        yield Deed(ARMY, army.id, army.name, own, army.in_the_end, crest, not army.fighting, health)
    if army.leader and (led := news.get(army.leader, NONE)):
        yield Deed(COMMANDER, army.leader, army.leader_name, led, army.name)


def _undoing(shifts: Iterable[Shift]) -> Iterator[WouldBeTakenBack]:
    kinds: defaultdict[str, list[Shift]] = defaultdict(list)
    for shift in shifts:
        kinds[shift.place[0]].append(shift)
    for kind, own in kinds.items():
        fields = {render(shift.field): shift.field for shift in own}
        yield WouldBeTakenBack(kind, tuple(fields.values()), tuple(dict.fromkeys(shift.subject for shift in own)))
