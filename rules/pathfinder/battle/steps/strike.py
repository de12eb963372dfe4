"""Step 6: Offense checks and damage (PF-3.6, R-40, R-41)."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from rules.core.breakdown import Line
from rules.core.dice import Roll
from rules.core.text import _, say
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle_state import Mark
from rules.pathfinder.battle.steps.exchange import EXTRA_DIE, Exchange, ExtraDie, Factor, exchange
from rules.pathfinder.battle.steps.run import PhaseRun
from rules.pathfinder.catalogue import traits as t
from rules.pathfinder.catalogue.effects import AttackKind, Mode
from rules.pathfinder.catalogue.traits import Trait
from rules.pathfinder.figures import total

NATURAL_20 = (Line(_("Natural 20"), 1, "PF-3.6"),)
HOLD: tuple[tuple[Trait, str], ...] = ((t.TRIPS, "tripped"), (t.GRABS, "grabbed"))
HOLDS = frozenset(trait for trait, _mark in HOLD)
ABOVE_DV = _("Check above DV")
HIGHEST = 20
BARS = 1
"""The face after which an army makes no Offense check in the next phase (PF-3.6)."""


def attack(run: PhaseRun) -> None:
    """Every planned attack, from the figures of this moment; damage falls in the order of attacks."""
    run.look()
    for attacker, target, mode in run.plan:
        run.attacks.append(strike(run, attacker, target, mode, "attack"))
    run.dice.checkpoint()


def hold_and_trip(run: PhaseRun) -> None:
    """Trip and grab take hold of their targets before blows fall (R-26, R-29)."""
    for attacker, target, mode in run.plan:
        if mode != "melee":
            continue
        mine, victim = run.army(attacker).profile, run.army(target)
        if HOLDS.isdisjoint(mine.traits) or victim.invincible_to(attacker):
            continue
        for trait, kind in HOLD:
            if mine.works(trait, victim.profile):
                run.mark(target, Mark(kind, at=run.tick), "R-29", by=attacker)


def strike(run: PhaseRun, attacker: str, target: str, mode: Mode, kind: AttackKind) -> e.Attacked:
    """One Offense check with everything it does to hit points."""
    pair = exchange(run.views[attacker], run.views[target], mode, kind)
    roll = run.roll(attacker, kind, 20)
    face = roll.value
    check, against = face + pair.om_total, pair.dv_total
    rolls: tuple[Roll, ...] = (roll,)
    lines: tuple[Line, ...] = ()
    if check > against and not pair.spared:
        extra = _roll_extra(run, attacker, pair.extra) if pair.extra and roll.known else NOTHING_MORE
        rolls += extra.rolls
        damage = outcome(pair, face, extra.worth)
        lines = damage_lines(pair, check - against, extra.lines)
    elif damage := outcome(pair, face):
        lines = NATURAL_20
    before = run.draft.armies[target].hp
    lost = min(damage, before)
    event = e.Attacked(
        attacker, target, kind, mode, rolls, check, against, pair.om, pair.dv, lines, damage, lost,
        before, before - lost, pair.spared, bars=face == BARS,
    )  # fmt: skip
    run.emit(event)
    return event


def outcome(pair: Exchange, face: int, extra: int = 0) -> int:
    """The damage of an Offense check with this face, `extra` from further dice (PF-3.6, R-40)."""
    margin = face + pair.om_total - pair.dv_total
    if pair.spared or (margin <= 0 and face != HIGHEST):
        return 0
    return damage_of(pair, margin, extra) if margin > 0 else 1


def damage_of(pair: Exchange, margin: int, extra: int = 0) -> int:
    """base = margin + modifiers; a base of 0 or less gives the house minimum, else × factors, at least 1 (R-40)."""
    base = margin + pair.bonus_total + extra
    if base <= 0:
        return pair.least
    return _multiplied(base, pair.factors) if pair.factors else base


def _multiplied(base: int, factors: tuple[Factor, ...]) -> int:
    """The product is rounded once, and leaves at least 1."""
    share = Fraction(1)
    for numerator, denominator, _label, _rule in factors:
        share *= Fraction(numerator, denominator)
    return max(1, int(base * share))


class Extra(NamedTuple):
    """Further dice of a hit as they fell, and what they are worth."""

    rolls: tuple[Roll, ...]
    lines: tuple[Line, ...]
    worth: int


NOTHING_MORE = Extra((), (), 0)


def _roll_extra(run: PhaseRun, attacker: str, dice: tuple[ExtraDie, ...]) -> Extra:
    """Called for when the check is known to hit (R-41)."""
    rolls = tuple([run.roll(attacker, "extra", EXTRA_DIE) for _die in dice])
    lines = tuple([Line(die.label, die.worth(roll.value), die.rule) for die, roll in zip(dice, rolls, strict=True)])
    return Extra(rolls, lines, total(lines))


def damage_lines(pair: Exchange, margin: int, extra: tuple[Line, ...]) -> tuple[Line, ...]:
    """Where the damage of a hit comes from; their sum is `damage_of`."""
    lines = (Line(ABOVE_DV, margin, "PF-3.6"), *pair.bonus, *extra)
    base = margin + pair.bonus_total + (total(extra) if extra else 0)
    if base <= 0:
        return (*lines, Line(say(_("A hit deals at least {least}"), least=pair.least), pair.least - base, "R-40"))
    return (*lines, *_factored(base, pair.factors)) if pair.factors else lines


def _factored(base: int, factors: tuple[Factor, ...]) -> list[Line]:
    """A line for each factor."""
    lines, now = [], base
    for count, (_numerator, _denominator, label, rule) in enumerate(factors, 1):
        after = _multiplied(base, factors[:count])
        if after != now:
            lines.append(Line(label, after - now, rule))
        now = after
    return lines
