"""Steps 6 to 8: Offense checks, damage and what it leaves behind (PF-3.5, PF-3.6, R-40 to R-45)."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from rules.core.breakdown import Line
from rules.core.dice import Roll
from rules.core.text import Said, _, say
from rules.law import whole
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle_state import Mark
from rules.pathfinder.battle.state.view import ArmyView, damage_share
from rules.pathfinder.battle.steps.run import PhaseRun
from rules.pathfinder.catalogue import traits as t
from rules.pathfinder.catalogue.effects import DAMAGE, SIEGEBREAKER, AttackKind, Mode, Situation
from rules.pathfinder.catalogue.traits import Trait
from rules.pathfinder.figures import dv_lines, lines_of, om_lines, total

# What one army's attack on another comes to before any die is rolled, computed once while nothing changes.
#
# Figures depend on what gives them (the two armies' sources, stances and marks), on what its conditions read, and on
# the field. While those are the same the lines are the same, so a battle keeps them: a phase then costs its dice and
# its log.

type Factor = tuple[int, int, Said, str]  # numerator, denominator, label, rule

MOST_KEPT = 4096


EXTRA_DIE = 4


class ExtraDie(NamedTuple):
    """A d4 that adds to the damage of a hit; evasion halves that of a breath (R-41)."""

    label: Said
    rule: str
    halved: bool = False

    def worth(self, face: int) -> int:
        return max(1, face // 2) if self.halved else face


BREATH = ExtraDie(_("Breath"), "PF-9")
EVADED_BREATH = ExtraDie(_("Breath, halved by evasion"), "R-41", halved=True)


class Exchange(NamedTuple):
    """OM and DV with their totals, why the target is spared if it is, damage modifiers and factors.

    `extra`: the dice a hit adds, breath before channel, one a source (R-41). `least`: the house minimum of a hit.
    """

    om: tuple[Line, ...]
    om_total: int
    dv: tuple[Line, ...]
    dv_total: int
    spared: str
    bonus: tuple[Line, ...]
    bonus_total: int
    factors: tuple[Factor, ...]
    extra: tuple[ExtraDie, ...]
    least: int


def exchange(me: ArmyView, foe: ArmyView, mode: Mode, kind: AttackKind) -> Exchange:
    """The pairing of these two, as they stand."""
    memo = me.battle.memo
    key: tuple[object, ...] = (me.sources, foe.sources, mode, kind)
    if reads := me.reads | foe.reads:
        key += (me.facts(reads), foe.facts(reads))
    found: Exchange | None = memo.get(key)
    if found is None:
        if len(memo) >= MOST_KEPT:
            memo.clear()
        found = memo[key] = reckoned(me, foe, mode, kind)
    return found


def reckoned(me: ArmyView, foe: ArmyView, mode: Mode, kind: AttackKind) -> Exchange:
    s = Situation(me, foe, mode, deed=kind)
    om, dv = om_lines(s), dv_lines(Situation(foe, me, mode, deed=kind))
    bonus = _damage_modifiers(me, s)
    return Exchange(
        om, total(om), dv, total(dv),
        spared_by(me, foe),
        bonus, total(bonus),
        tuple(damage_factors(me, foe)),
        (*_breath(me, foe), *_channels(me, foe, mode)),
        me.battle.law.house.minimum_damage,
    )  # fmt: skip


def _damage_modifiers(me: ArmyView, s: Situation) -> tuple[Line, ...]:
    strategy = me.battle.law.strategies[me.army.strategy]
    fierce = s.mode == "melee" and strategy.damage
    return (*((Line(strategy.name, strategy.damage, strategy.rule),) if fierce else ()), *lines_of(DAMAGE, s))


def spared_by(me: ArmyView, foe: ArmyView) -> str:
    """Why the target takes no damage by rule, or "" (PF-9, R-40, R-42)."""
    if foe.marks and foe.army.invincible_to(me.id):
        return "invincible"
    incorporeal = foe.profile.works(t.INCORPOREAL, me.profile)
    if me.profile.works(t.SWARM) and (incorporeal or foe.profile.works(t.HARD_TO_HURT, me.profile)):
        return "swarm"
    return "incorporeal" if incorporeal and not magical(me, foe) else ""


def magical(me: ArmyView, foe: ArmyView) -> bool:
    """Magic weapons, ki pool, judgment so declared, or units the GM marks (R-42)."""
    if me.profile.works(t.MAGICAL, foe.profile) or me.id in me.battle.opening.magical:
        return True
    judged = any(mark.kind == "judgment" and mark.detail == "magic" for mark in me.marks)
    return judged and "judgment" not in foe.profile.immune


def damage_factors(me: ArmyView, foe: ArmyView) -> list[Factor]:
    """What multiplies the damage of this attack (PF-3.6, R-13, R-42)."""
    found: list[Factor] = []
    if me.battle.conditions and (fog := damage_share(me, foe)) is not None:
        found.append((fog[0], fog[1], fog[2], "R-13"))
    if foe.profile.works(t.SWARM, me.profile):
        found.append((3, 2, _("Swarm, by magic"), "PF-9") if magical(me, foe) else (1, 2, _("Swarm"), "PF-9"))
    if foe.profile.works(t.INCORPOREAL, me.profile):
        found.append((1, 2, _("Incorporeal"), "PF-9"))
    return found


def _breath(me: ArmyView, foe: ArmyView) -> tuple[ExtraDie, ...]:
    if not me.profile.works(t.BREATH, foe.profile):
        return ()
    return (EVADED_BREATH if foe.profile.works(t.EVASION, me.profile) else BREATH,)


def _channels(me: ArmyView, foe: ArmyView, mode: Mode) -> list[ExtraDie]:
    """The channelled energies that hurt this target, unless spent on healing this phase (R-41)."""
    if mode != "melee":
        return []
    undead = t.UNDEAD in foe.profile.traits or foe.creature_type == "undead"
    construct = t.CONSTRUCT in foe.profile.traits or foe.creature_type == "construct"
    abilities = me.battle.law.abilities
    spent = [abilities[mark.detail] for mark in me.marks if mark.kind == "channels" and mark.detail in abilities]
    healing = {trait for ability in spent for trait in ability.traits}
    found: list[tuple[Trait, Said]] = []
    if not undead and not construct and t.CHANNELS_NEGATIVE not in healing:
        found.append((t.CHANNELS_NEGATIVE, _("Negative energy")))
    if undead and t.CHANNELS_POSITIVE not in healing:
        found.append((t.CHANNELS_POSITIVE, _("Positive energy")))
    return [ExtraDie(name, "R-41") for trait, name in found if me.profile.works(trait, foe.profile)]


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


# Steps 7 and 8: what damage leaves behind, fear, and the weather (PF-3.5, R-40, R-43 to R-45).

FEAR_DC = 10
FRIGHTENS = frozenset({t.FRIGHTENS, t.UNNATURAL})
LINGERS = frozenset({t.PARALYSES, t.DRAINS, t.SICKENS, t.BLEEDS})


def aftereffects(run: PhaseRun) -> None:
    """In the order of the attacks, for each that computed at least 1 damage (R-40)."""
    hurtful = [attack for attack in run.attacks if whole(attack.damage) > 0]
    for attack in hurtful:
        linger_on(run, attack)
        _break_engine(run, attack)
    run.dice.checkpoint()
    for attack in hurtful:
        _frighten(run, attack)
    run.dice.checkpoint()


def linger_on(run: PhaseRun, attack: e.Attacked) -> None:
    """Paralysis, energy drain, disease and bleeding, of attacks and parting shots alike (R-51)."""
    me, foe = run.views[attack.army], run.views[attack.target]
    if LINGERS.isdisjoint(me.profile.traits):
        return
    if paralyses(me, foe):
        run.mark(foe.id, Mark("paralysed"), "R-44", by=me.id)
    if me.profile.works(t.DRAINS, foe.profile):
        run.mark(foe.id, Mark("drained"), "R-44", by=me.id)
    if me.profile.works(t.SICKENS, foe.profile) and run.army(foe.id).mark("ill") is None:
        run.mark(foe.id, Mark("ill"), "PF-7.3", by=me.id)
    if attack.mode == "melee" and (cause := bleeding(me, foe)):
        run.mark(foe.id, Mark("bleeding", me.id, detail=cause), "R-43", by=me.id)


def paralyses(me: ArmyView, foe: ArmyView) -> bool:
    """By some printed name the target is not immune to; the vortex needs it on water (R-4)."""
    names = me.profile.traits.get(t.PARALYSES, ())
    return any(n not in foe.profile.immune and (n != "vortex" or foe.under("on-water")) for n in names)


def bleeding(me: ArmyView, foe: ArmyView) -> str:
    """The first bleed-like ability the target is not immune to, or "" (R-43)."""
    names = me.profile.traits.get(t.BLEEDS, ())
    return next((name for name in names if name not in foe.profile.immune), "")


def _break_engine(run: PhaseRun, attack: e.Attacked) -> None:
    """Siegebreaker: a second Offense check against the same DV destroys one engine (PF-3.11)."""
    me = run.views[attack.army]
    if run.army(attack.target).engines < 1 or not me.has(t.BREAKS_SIEGE):
        return
    mode: Mode = "melee" if attack.mode == "melee" else "shot"
    s = Situation(me, run.views[attack.target], mode, deed="siegebreaker")
    lines: tuple[Line, ...] = (*attack.om, *lines_of(SIEGEBREAKER, s))
    roll = run.roll(me.id, "siegebreaker", 20)
    check = roll.value + total(lines)
    against = whole(attack.against)
    success = check > against
    bars = roll.value == 1
    run.emit(e.EngineAttacked(me.id, attack.target, (roll,), check, against, success, lines, bars=bars))


def _frighten(run: PhaseRun, attack: e.Attacked) -> None:
    """One check for each army that frightened it; failing while already afraid dooms it (R-45)."""
    me, foe = run.views[attack.army], run.views[attack.target]
    target = run.army(foe.id)
    if target.hp == 0 or FRIGHTENS.isdisjoint(me.profile.traits) or not frightens(me, foe):
        return
    success, told = run.check(target, "fear", "fear", FEAR_DC + me.acr)
    run.emit(e.FearChecked(foe.id, me.id, success, **told))  # type: ignore[arg-type]
    if success:
        return
    run.doom(target, success)
    if not run.afraid(target) and target.mark("afraid", run.tick + 1) is None:
        run.mark(foe.id, Mark("afraid", me.id, run.tick + 1), "R-45", by=me.id)


def frightens(me: ArmyView, foe: ArmyView) -> bool:
    """Fear, or an unnatural aura against armies of or with animals; immunity to fear stops both (R-4, R-45)."""
    if t.FEAR_IMMUNITY in foe.profile.immune:
        return False
    aura = me.profile.works(t.UNNATURAL, foe.profile) and t.ANIMALS in foe.profile.traits
    return aura or me.profile.works(t.FRIGHTENS, foe.profile)


def weather(run: PhaseRun) -> None:
    """A sandstorm takes 1 hp from every army it reaches (PF-4)."""
    if not run.draft.battle.conditions:
        return
    for army in run.draft.on_field():
        if army.hp > 0 and run.view(army.id).under("sandstorm"):
            run.emit(e.Wounded(army.id, 1, "sandstorm", army.hp, army.hp - 1, rule="PF-4"))
