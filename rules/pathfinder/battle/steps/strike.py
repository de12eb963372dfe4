"""Step 6: Offense checks and damage (PF-3.6, R-40, R-41)."""

from __future__ import annotations

from fractions import Fraction

from rules.breakdown import Line
from rules.dice import Roll
from rules.pathfinder import traits as t
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle import Mark
from rules.pathfinder.effects import Deed, Mode
from rules.pathfinder.figures import total
from rules.pathfinder.traits import Trait
from rules.text import _, say

from .exchange import Exchange, Factor, exchange
from .run import PhaseRun

NATURAL_20 = (Line(_("Natural 20"), 1, "PF-3.6"),)
HOLD: tuple[tuple[Trait, str], ...] = ((t.TRIPS, "tripped"), (t.GRABS, "grabbed"))
HOLDS = frozenset(trait for trait, _mark in HOLD)
ABOVE_DV = _("Check above DV")


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
        if HOLDS.isdisjoint(mine.traits):
            continue
        for trait, kind in HOLD:
            if mine.works(trait, victim.profile):
                run.emit(e.Marked(target, Mark(kind, at=run.tick), by=attacker, rule="R-29"))


def strike(run: PhaseRun, attacker: str, target: str, mode: Mode, kind: Deed) -> e.Attacked:
    """One Offense check with everything it does to hit points."""
    pair = exchange(run.views[attacker], run.views[target], mode, kind)
    roll = run.roll(attacker, kind, 20)
    check, against = roll.value + pair.om_total, pair.dv_total
    rolls: tuple[Roll, ...] = (roll,)
    lines: tuple[Line, ...] = ()
    damage = 0
    if check > against and not pair.spared:
        extra, extra_lines = _extra_dice(run, attacker, pair, roll.known)
        rolls += extra
        lines, damage = damage_of(pair, check - against, extra_lines, run.draft.battle.law.house.minimum_damage)
    elif roll.value == 20 and not pair.spared:
        lines, damage = NATURAL_20, 1
    before = run.draft.armies[target].hp
    lost = min(damage, before)
    event = e.Attacked(
        attacker, target, kind, mode, rolls, check, against, pair.om, pair.dv, lines, damage, lost,
        before, before - lost, pair.spared, bars=roll.value == 1,
    )  # fmt: skip
    run.emit(event)
    return event


def _extra_dice(run: PhaseRun, attacker: str, pair: Exchange, known: bool) -> tuple[tuple[Roll, ...], tuple[Line, ...]]:
    """Breath before channel, one die a source (R-41); called for when the check is known to hit."""
    if not known or (not pair.breathes and not pair.channels):
        return (), ()
    rolls, lines = [], []
    if pair.breathes:
        roll = run.roll(attacker, "extra", 4)
        rolls.append(roll)
        halved = Line(_("Breath, halved by evasion"), max(1, roll.value // 2), "R-41")
        lines.append(halved if pair.evaded else Line(_("Breath"), roll.value, "PF-9"))
    for _trait, name in pair.channels:
        roll = run.roll(attacker, "extra", 4)
        rolls.append(roll)
        lines.append(Line(name, roll.value, "R-41"))
    return tuple(rolls), tuple(lines)


def damage_of(pair: Exchange, margin: int, extra: tuple[Line, ...], minimum: int) -> tuple[tuple[Line, ...], int]:
    """base = margin + modifiers; a base of 0 or less gives the house minimum, else × factors, at least 1 (R-40)."""
    lines = (Line(ABOVE_DV, margin, "PF-3.6"), *pair.bonus, *extra)
    base = margin + pair.bonus_total + (total(extra) if extra else 0)
    if base <= 0:
        return (*lines, Line(say(_("A hit deals at least {least}"), least=minimum), minimum - base, "R-40")), minimum
    if pair.factors:
        lines = (*lines, *_factored(base, pair.factors))
        return lines, total(lines)
    return lines, base


def _factored(base: int, factors: tuple[Factor, ...]) -> list[Line]:
    """A line for each factor; the product is rounded once, and leaves at least 1."""
    lines, share, now = [], Fraction(1), base
    for numerator, denominator, label, rule in factors:
        share *= Fraction(numerator, denominator)
        after = max(1, int(base * share))
        if after != now:
            lines.append(Line(label, after - now, rule))
        now = after
    return lines
