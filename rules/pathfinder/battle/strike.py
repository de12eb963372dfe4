"""Step 6: Offense checks and damage (PF-3.6, R-40 to R-42)."""

from __future__ import annotations

from fractions import Fraction

from rules.breakdown import Line
from rules.content import DAMAGE
from rules.dice import Roll
from rules.pathfinder import traits as t
from rules.pathfinder.figures import Situation, dv_lines, lines_of, om_lines, total
from rules.text import Said, _, say

from . import events as e
from .run import PhaseRun
from .state import Mark
from .view import ArmyView, damage_share

type Factor = tuple[int, int, Said, str]  # numerator, denominator, label, rule


def attack(run: PhaseRun) -> None:
    """Every planned attack, from the figures of this moment; damage falls in the order of attacks."""
    _hold_and_trip(run)
    battle = run.draft.frozen()
    run.views = {army.id: ArmyView(battle, army) for army in run.draft.on_field()}
    for attacker, target, mode in run.plan:
        run.attacks.append(strike(run, attacker, target, mode, "attack"))
    run.dice.checkpoint()


def _hold_and_trip(run: PhaseRun) -> None:
    """Trip and grab take hold of their targets before blows fall (R-26, R-29)."""
    for attacker, target, mode in run.plan:
        if mode != "melee":
            continue
        works, victim = run.army(attacker).profile.works, run.army(target)
        for trait, kind in ((t.TRIPS, "tripped"), (t.GRABS, "grabbed")):
            if works(trait, victim.profile):
                run.emit(e.Marked(target, Mark(kind, at=run.tick), by=attacker, rule="R-29"))


def strike(run: PhaseRun, attacker: str, target: str, mode: str, kind: str) -> e.Attacked:
    """One Offense check with everything it does to hit points."""
    me, foe = run.views[attacker], run.views[target]
    s = Situation(me, foe, mode, deed=kind)
    om, dv = om_lines(s), dv_lines(Situation(foe, me, mode, deed=kind))
    roll = run.roll(attacker, kind, 20)
    check, against = roll.value + total(om), total(dv)
    spared = spared_by(me, foe)
    rolls: tuple[Roll, ...] = (roll,)
    lines: tuple[Line, ...] = ()
    if check > against and not spared:
        extra, extra_lines = _extra_dice(run, me, foe, mode)
        rolls += extra
        lines = damage_lines(s, check - against, extra_lines, run.draft.battle.law.house.minimum_damage)
    elif roll.value == 20 and not spared:
        lines = (Line(_("Natural 20"), 1, "PF-3.6"),)
    before = run.army(target).hp
    damage = total(lines)
    lost = min(damage, before)
    event = e.Attacked(
        attacker, target, kind, mode, rolls, check, against, om, dv, lines, damage, lost, before, before - lost, spared
    )
    run.emit(event)
    return event


def spared_by(me: ArmyView, foe: ArmyView) -> str:
    """Why the target takes no damage by rule, or "" (PF-9, R-40, R-42)."""
    incorporeal = foe.profile.works(t.INCORPOREAL, me.profile)
    if me.profile.works(t.SWARM) and (incorporeal or foe.profile.works(t.HARD_TO_HURT, me.profile)):
        return "swarm"
    return "incorporeal" if incorporeal and not magical(me, foe) else ""


def magical(me: ArmyView, foe: ArmyView) -> bool:
    """Magic weapons, ki pool, judgment so declared, or units the GM marks (R-42)."""
    if me.profile.works(t.MAGICAL, foe.profile) or me.id in me.battle.opening.magical:
        return True
    return any(mark.kind == "judgment" and mark.detail == "magic" for mark in me.marks)


def _extra_dice(run: PhaseRun, me: ArmyView, foe: ArmyView, mode: str) -> tuple[tuple[Roll, ...], tuple[Line, ...]]:
    """Breath before channel, one die a source (R-41)."""
    rolls, lines = [], []
    if me.profile.works(t.BREATH, foe.profile):
        roll = run.roll(me.id, "extra", 4)
        evaded = foe.profile.works(t.EVASION, me.profile)
        rolls.append(roll)
        lines.append(Line(_("Breath, halved by evasion"), max(1, roll.value // 2), "R-41") if evaded
                     else Line(_("Breath"), roll.value, "PF-9"))  # fmt: skip
    for trait, name in _channels(me, foe, mode):
        if me.profile.works(trait, foe.profile):
            roll = run.roll(me.id, "extra", 4)
            rolls.append(roll)
            lines.append(Line(name, roll.value, "R-41"))
    return tuple(rolls), tuple(lines)


def _channels(me: ArmyView, foe: ArmyView, mode: str) -> list[tuple[str, Said]]:
    """The channelled energies that hurt this target, unless spent on healing this phase (R-41)."""
    if mode != "melee":
        return []
    undead = t.UNDEAD in foe.profile.traits or foe.creature_type == "undead"
    construct = t.CONSTRUCT in foe.profile.traits or foe.creature_type == "construct"
    healing = {mark.detail for mark in me.marks if mark.kind == "channels"}
    found: list[tuple[str, Said]] = []
    if not undead and not construct and "channel-negative-energy" not in healing:
        found.append((t.CHANNELS_NEGATIVE, _("Negative energy")))
    if undead and not healing & {"channel-positive-energy", "lay-on-hands"}:
        found.append((t.CHANNELS_POSITIVE, _("Positive energy")))
    return found


def damage_lines(s: Situation, margin: int, extra: tuple[Line, ...], minimum: int) -> tuple[Line, ...]:
    """base = margin + modifiers; a base of 0 or less gives the house minimum, else × factors, at least 1 (R-40)."""
    lines = [Line(_("Check above DV"), margin, "PF-3.6")]
    if s.mode == "melee":
        strategy = s.me.battle.law.strategies[s.me.army.strategy]
        if strategy.damage:
            lines.append(Line(strategy.name, strategy.damage, strategy.rule))
    lines += [*lines_of(DAMAGE, s), *extra]
    base = total(lines)
    if base <= 0:
        return (*lines, Line(say(_("A hit deals at least {least}"), least=minimum), minimum - base, "R-40"))
    return (*lines, *_factored(base, damage_factors(s.me, s.foe)))


def _factored(base: int, factors: list[Factor]) -> list[Line]:
    """A line for each factor; the product is rounded once, and leaves at least 1."""
    lines, share, now = [], Fraction(1), base
    for numerator, denominator, label, rule in factors:
        share *= Fraction(numerator, denominator)
        after = max(1, int(base * share))
        if after != now:
            lines.append(Line(label, after - now, rule))
        now = after
    return lines


def damage_factors(me: ArmyView, foe: ArmyView) -> list[Factor]:
    """What multiplies the damage of this attack (PF-3.6, R-13, R-42)."""
    found: list[Factor] = []
    if me.battle.conditions and (fog := damage_share(me)) is not None:
        found.append((fog[0], fog[1], fog[2], "R-13"))
    if foe.profile.works(t.SWARM, me.profile):
        found.append((3, 2, _("Swarm, by magic"), "PF-9") if magical(me, foe) else (1, 2, _("Swarm"), "PF-9"))
    if foe.profile.works(t.INCORPOREAL, me.profile):
        found.append((1, 2, _("Incorporeal"), "PF-9"))
    return found
