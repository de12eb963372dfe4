"""Workshop of breaking point: the odds of battles nobody fights."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rules.breaking_point.battle.state import conditions as c
from rules.breaking_point.battle.state.battle_state import ASSAULT, FIELD, BattleNow, FieldMark, Opening
from rules.breaking_point.spec import FORTIFICATIONS, Host, House, Place, Unit
from rules.breaking_point.workshop.levers import levers
from rules.breaking_point.workshop.setting import MatchUp, Plan, begun, check_match_up, meetings
from rules.core.text import Said, Term, _, say, signed
from rules.core.workshop import Dial, Lever, WorkshopLaw

# Dials: everything of a battle that can be turned by steps, to see what would make it even.

PART, WHOLE, MOST_PARTS = 5, 100, 60
"""Head counts are turned by so many per cent, to three times what they are."""
MOST_BONUS, MOST_ARMOUR = 10, 8
KINDS = tuple(FORTIFICATIONS.values())
LIKE_PLAN: tuple[tuple[str, Term, int], ...] = (
    ("combat", _("Another combat {value} for {army}"), MOST_BONUS),
    ("defense", _("Another defense {value} for {army}"), MOST_BONUS),
    ("circumstances", _("Circumstances {value} for {army}"), c.CIRCUMSTANCES_MOST),
)


def dials(asked: MatchUp) -> tuple[Dial, ...]:
    """For each army: head count, combat, defense, command, armour, cover, and a place of its own."""
    return tuple(dial for host in asked.opening.armies for dial in _of_army(asked, host))


def _of_army(asked: MatchUp, host: Host) -> Iterator[Dial]:
    yield _head_count(asked, host)
    for slug, words, most in LIKE_PLAN:
        yield _planned(asked, host, slug, words, most)
    if all(unit.machine is None for unit in host.units):
        yield _armour(asked, host)
        yield from _walls(asked, host)
    if any(unit.group == "shooting" for foe in asked.opening.armies if foe.id != host.id for unit in foe.units):
        yield _planned(asked, host, "cover", _("Cover {value} for {army}"), c.COVER_MOST)


def scaled(unit: Unit, percent: int) -> Unit:
    """So many per cent of its heads, and of the pieces they serve; one at least."""
    pieces = None if unit.pieces is None else max(1, (unit.pieces * percent + WHOLE // 2) // WHOLE)
    return replace(unit, strength=max(1, (unit.strength * percent + WHOLE // 2) // WHOLE), pieces=pieces)


def _head_count(asked: MatchUp, host: Host) -> Dial:
    def with_share(step: int) -> Host:
        return replace(host, units=tuple(scaled(unit, PART * step) for unit in host.units))

    def says(step: int) -> Said:
        now, heads = (sum(unit.strength for unit in one.units) for one in (host, with_share(step)))
        return say(_("{count} heads in {army} instead of {now}"), army=host.name, count=heads, now=now)

    return Dial("count", host.id, WHOLE // PART, 1, MOST_PARTS, lambda step: asked.with_host(with_share(step)), says)


def _planned(asked: MatchUp, host: Host, figure: str, words: Term, most: int) -> Dial:
    """What the GM's hand would add to a figure."""
    now = getattr(asked.plan(host.id), figure)

    def says(step: int) -> Said:
        return say(words, army=host.name, value=signed(step))

    return Dial(figure, host.id, now, min(now, 0), max(now, most),
                lambda step: asked.with_plan(host.id, **{figure: step}), says)  # fmt: skip


def _armour(asked: MatchUp, host: Host) -> Dial:
    def at(step: int) -> MatchUp:
        units = tuple(replace(unit, armour=unit.armour + step) for unit in host.units)
        return asked.with_host(replace(host, units=units))

    def says(step: int) -> Said:
        return say(_("Armour {value} for every head of {army}"), army=host.name, value=signed(step))

    return Dial("armour", host.id, 0, 0, MOST_ARMOUR, at, says)


def _walls(asked: MatchUp, host: Host) -> Iterator[Dial]:
    """A place, properly held; none where the other holds one."""
    holder = asked.assaulted
    if holder is not None and holder.id != host.id:
        return
    place = asked.opening.place
    now = 0 if place is None else 1 + KINDS.index(place.kind)

    def says(step: int) -> Said:
        if not step:
            return say(_("{army} in the open"), army=host.name)
        return say(_("{army} behind this: {what}"), army=host.name, what=KINDS[step - 1].name)

    yield Dial("walls", host.id, now, 0, len(KINDS), lambda step: held(asked, host.id, step), says)


def held(asked: MatchUp, army: str, step: int, garrison: int | None = None) -> MatchUp:
    """This army in a place of its kind (from 1, the weakest first), with a garrison of its heads; 0: in the open."""
    if not step:
        return asked.with_opening(kind=FIELD, place=None)
    kind, heads = KINDS[step - 1], sum(unit.strength for unit in asked.host(army).units)
    place = Place("", str(kind.name), kind, garrison or max(kind.least, heads))
    return asked.with_opening(kind=ASSAULT, place=place, defender=asked.side_of(army))


@dataclass(frozen=True, slots=True)
class HostWorkshop(WorkshopLaw):
    house: House
    known = True
    thrown, swept, at_once, most_pairs = 2000, 1000, 10, 5_000

    def question(self, opening: Opening, bearings: Mapping[str, Plan]) -> MatchUp:
        return MatchUp(self.house, opening, bearings)

    def check(self, question: MatchUp) -> None:
        check_match_up(question)

    def begun(self, question: MatchUp) -> BattleNow:
        return begun(question)

    def meetings(self, first: Host, others: Sequence[Host], field: tuple[FieldMark, ...]) -> Sequence[BattleNow]:
        return meetings(self.house, first, others, field)

    def levers(self, question: MatchUp) -> Sequence[Lever]:
        return levers(question)

    def dials(self, question: MatchUp) -> Sequence[Dial]:
        return dials(question)
