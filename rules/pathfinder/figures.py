"""Figures with their lines: OM, DV, damage and morale checks, from the sources in force.

One reader for sheets and battles: a `View` shows it an army.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rules.core.breakdown import Line
from rules.core.text import Said, _, say
from rules.pathfinder.catalogue import traits as t
from rules.pathfinder.catalogue.effects import (
    DV,
    FOE_DV,
    FOE_OM,
    OM,
    Active,
    HeldMark,
    Modifier,
    Sense,
    Situation,
    Stat,
    View,
)
from rules.pathfinder.catalogue.marks import MARKS
from rules.pathfinder.catalogue.resources import ARMOUR


def lines_of(stat: Stat, s: Situation) -> Iterator[Line]:
    """The lines the army's own sources, tactic, marks and conditions give to this figure."""
    me = s.me
    for modifier, active in me.effects(stat):
        yield from _line(modifier, active, s)
    for mark in me.marks:
        yield from _mark_lines(stat, s, mark)


def foe_lines(stat: Stat, s: Situation) -> Iterator[Line]:
    """What the other army does to this figure of `s.me` (invisibility)."""
    if s.foe is None:
        return
    turned = s.turned()
    for modifier, active in s.foe.effects(stat):
        holds = modifier.when is None or modifier.when(turned) is True
        if holds and not active.blocked_by(s.me.profile.immune):
            yield from _mitigated(modifier, active, s, _value(modifier, active, turned))


def _value(modifier: Modifier, active: Active, s: Situation) -> int:
    return modifier.value if isinstance(modifier.value, int) else modifier.value(s, active.value)


def _line(modifier: Modifier, active: Active, s: Situation) -> Iterator[Line]:
    if modifier.when is not None and modifier.when(s) is not True:
        return
    value = _value(modifier, active, s)
    if s.foe is not None and (_refused(active, s.foe, value) or _armour_ignored(modifier, active, s.me, s.foe)):
        return
    yield from _mitigated(modifier, active, s, value)


def _refused(active: Active, foe: View, value: int) -> bool:
    """Immunity refuses an enemy's ability its benefits; what the ability costs them stays (PF-9)."""
    return value > 0 and active.blocked_by(foe.profile.immune)


def _armour_ignored(modifier: Modifier, active: Active, me: View, foe: View) -> bool:
    """Incorporeal and swarming attackers ignore armour resources (PF-9)."""
    if modifier.stat is not DV or active.source.slug not in ARMOUR:
        return False
    return foe.profile.works(t.INCORPOREAL, me.profile) or foe.profile.works(t.SWARM, me.profile)


def _mitigated(modifier: Modifier, active: Active, s: Situation, value: int) -> Iterator[Line]:
    """The line, after keen senses, favoured terrain and evasion have had their say (R-2, R-12, R-16)."""
    name: Said = active.source.name
    factor = _share(modifier, active, s)
    if factor == 1 or value == 0:
        if value:
            yield Line(name, value, active.source.rule)
        return
    left = half(value) if factor == 2 else 0
    if left:
        yield Line(say(_("{what}, halved"), what=name), left, active.source.rule)


def half(value: int) -> int:
    """Half a bonus or penalty, its size rounded down (R-2)."""
    return value // 2 if value >= 0 else -(-value // 2)


def _share(modifier: Modifier, active: Active, s: Situation) -> int:
    """1 the whole, 2 a half, 0 nothing."""
    if modifier.sense:
        return sense_share(s.me, modifier.sense, s.foe)
    if s.foe is None:
        return 1
    if modifier.terrain and modifier.value and s.foe.profile.works(t.FAVORED_TERRAIN, s.me.profile):
        return 2
    spell = modifier.stat is OM and active.source.slug == "spellcasting"
    return 2 if spell and s.foe.profile.works(t.EVASION, s.me.profile) else 1


def sense_share(me: View, sense: Sense, foe: View | None = None) -> int:
    """How much of a hindrance to the senses an army suffers: 1 the whole, 2 a half, 0 nothing (R-12)."""
    profile, other = me.profile, foe.profile if foe is not None else None
    if profile.works(t.BLINDSIGHT, other):
        return 0
    if sense == "darkness" and profile.works(t.SEES_IN_DARKNESS, other):
        return 0
    if sense == "dim-light" and profile.works(t.SEES_IN_DIM_LIGHT, other):
        return 0
    if sense == "invisibility" and me.sees_invisible(foe):
        return 0
    return 2 if profile.works(t.KEEN_SENSES, other) else 1


def _mark_lines(stat: Stat, s: Situation, mark: HeldMark) -> Iterator[Line]:
    effect = MARKS[mark.kind]
    if not effect.modifiers:
        return
    marked = Situation(s.me, s.foe, s.mode, purpose=s.purpose, deed=s.deed, mark=mark)
    active = Active(effect, 0, (mark.source,) if mark.source else ())
    for modifier in effect.modifiers:
        if modifier.stat is not stat or (modifier.when is not None and modifier.when(marked) is not True):
            continue
        value = _value(modifier, active, marked) * max(1, mark.amount)
        if value and not (s.foe is not None and _refused(active, s.foe, value)):
            label: Said = (
                say(_("{what} × {count}"), what=effect.name, count=mark.amount) if mark.amount > 1 else effect.name
            )
            yield Line(label, value, effect.rule)


def om_lines(s: Situation) -> tuple[Line, ...]:
    """Offense Modifier of `s.me` (against `s.foe` if known): floor(ACR) + modifiers (PF-1.5)."""
    return (Line(_("ACR"), s.me.acr, "PF-1.5"), *lines_of(OM, s), *foe_lines(FOE_OM, s), *s.me.situation_lines(OM, s))


def dv_lines(s: Situation) -> tuple[Line, ...]:
    """Defense Value of `s.me` (against the attacker `s.foe` if known): 10 + floor(ACR) + modifiers (PF-1.5)."""
    base = (Line(_("Base"), 10, "PF-1.5"), Line(_("ACR"), s.me.acr, "PF-1.5"))
    return (*base, *lines_of(DV, s), *foe_lines(FOE_DV, s), *s.me.situation_lines(DV, s))


def morale_lines(s: Situation, extra: Iterable[Line] = ()) -> tuple[Line, ...]:
    """What is added to d20 in a morale check made for `s.purpose` (PF-3.1)."""
    return (*s.me.morale_lines(), *lines_of(Stat.MORALE, s), *extra)


def total(lines: Iterable[Line]) -> int:
    return sum([line[1] for line in lines])
