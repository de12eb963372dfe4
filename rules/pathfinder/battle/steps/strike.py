"""Steps 6 to 8: Offense checks, damage and its after-effects (PF-3.5, PF-3.6, R-40 to R-45)."""

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

# Figures of one army's attack on another before any die is rolled, cached while nothing changes.
#
# They depend on the sources, stances and marks of both armies, on what the conditions read, and on the field. While
# those are the same, the battle reuses the lines. A phase then costs only its dice and its log.

type Factor = tuple[int, int, Said, str]  # numerator, denominator, label, rule

MOST_KEPT = 4096


EXTRA_DIE = 4


class ExtraDie(NamedTuple):
    """d4 that adds to the damage of a hit. Evasion halves that of a breath (R-41)."""

    label: Said
    rule: str
    halved: bool = False

    def worth(self, face: int) -> int:
        return max(1, face // 2) if self.halved else face


BREATH = ExtraDie(_("Breath"), "PF-9")
EVADED_BREATH = ExtraDie(_("Breath, halved by evasion"), "R-41", halved=True)


class Exchange(NamedTuple):
    """Figures of one army's attack on another. `spared` says why the target takes no damage, or "". `extra` are the
    dice added by a hit, breath before channel, one for each source (R-41). `least` is the house rules' minimum damage
    of a hit.
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
    """Return the figures of an attack between these two in their current state, from the cache if possible."""
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
    """Return why a rule spares the target all damage, or "" (PF-9, R-40, R-42)."""
    if foe.marks and foe.army.invincible_to(me.id):
        return "invincible"
    incorporeal = foe.profile.works(t.INCORPOREAL, me.profile)
    if me.profile.works(t.SWARM) and (incorporeal or foe.profile.works(t.HARD_TO_HURT, me.profile)):
        return "swarm"
    return "incorporeal" if incorporeal and not magical(me, foe) else ""


def magical(me: ArmyView, foe: ArmyView) -> bool:
    """Whether attacks are magical: by magic weapons, ki pool, a declared judgment, or the GM's mark (R-42)."""
    if me.profile.works(t.MAGICAL, foe.profile) or me.id in me.battle.opening.magical:
        return True
    judged = any(mark.kind == "judgment" and mark.detail == "magic" for mark in me.marks)
    return judged and "judgment" not in foe.profile.immune


def damage_factors(me: ArmyView, foe: ArmyView) -> list[Factor]:
    """Return the factors of this attack's damage (PF-3.6, R-13, R-42)."""
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
    """Return the channelled energies that hurt this target, except those used for healing this phase (R-41)."""
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
"""Face after which an army makes no Offense check in the next phase (PF-3.6)."""


def attack(run: PhaseRun) -> None:
    """Make every planned attack with the current figures. Damage is applied in attack order."""
    run.look()
    for attacker, target, mode in run.plan:
        run.attacks.append(strike(run, attacker, target, mode, "attack"))
    run.dice.checkpoint()


def hold_and_trip(run: PhaseRun) -> None:
    """Apply trip and grab to their targets before the blows (R-26, R-29)."""
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
    """Make one Offense check and apply its damage."""
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
    """Return the damage of an Offense check with this face. `extra` is the value of further dice (PF-3.6, R-40)."""
    margin = face + pair.om_total - pair.dv_total
    if pair.spared or (margin <= 0 and face != HIGHEST):
        return 0
    return damage_of(pair, margin, extra) if margin > 0 else 1


def damage_of(pair: Exchange, margin: int, extra: int = 0) -> int:
    """Return damage = (margin + modifiers) × factors, at least 1. A base of 0 or less gives the house rules' minimum
    (R-40).
    """
    base = margin + pair.bonus_total + extra
    if base <= 0:
        return pair.least
    return _multiplied(base, pair.factors) if pair.factors else base


def _multiplied(base: int, factors: tuple[Factor, ...]) -> int:
    """Multiply by all factors, round down once, and leave at least 1."""
    share = Fraction(1)
    for numerator, denominator, _label, _rule in factors:
        share *= Fraction(numerator, denominator)
    return max(1, int(base * share))


class Extra(NamedTuple):
    """Further dice of a hit and their value."""

    rolls: tuple[Roll, ...]
    lines: tuple[Line, ...]
    worth: int


NOTHING_MORE = Extra((), (), 0)


def _roll_extra(run: PhaseRun, attacker: str, dice: tuple[ExtraDie, ...]) -> Extra:
    """Roll the further dice of a check that hits (R-41)."""
    rolls = tuple([run.roll(attacker, "extra", EXTRA_DIE) for _die in dice])
    lines = tuple([Line(die.label, die.worth(roll.value), die.rule) for die, roll in zip(dice, rolls, strict=True)])
    return Extra(rolls, lines, total(lines))


def damage_lines(pair: Exchange, margin: int, extra: tuple[Line, ...]) -> tuple[Line, ...]:
    """Return the breakdown of a hit's damage. The sum equals `damage_of`."""
    lines = (Line(ABOVE_DV, margin, "PF-3.6"), *pair.bonus, *extra)
    base = margin + pair.bonus_total + (total(extra) if extra else 0)
    if base <= 0:
        return (*lines, Line(say(_("A hit deals at least {least}"), least=pair.least), pair.least - base, "R-40"))
    return (*lines, *_factored(base, pair.factors)) if pair.factors else lines


def _factored(base: int, factors: tuple[Factor, ...]) -> list[Line]:
    """Return a line for each factor that changes the damage."""
    lines, now = [], base
    for count, (_numerator, _denominator, label, rule) in enumerate(factors, 1):
        after = _multiplied(base, factors[:count])
        if after != now:
            lines.append(Line(label, after - now, rule))
        now = after
    return lines


# Steps 7 and 8: after-effects of damage, fear, and weather (PF-3.5, R-40, R-43 to R-45).

FEAR_DC = 10
FRIGHTENS = frozenset({t.FRIGHTENS, t.UNNATURAL})
LINGERS = frozenset({t.PARALYSES, t.DRAINS, t.SICKENS, t.BLEEDS})


def aftereffects(run: PhaseRun) -> None:
    """Apply after-effects in attack order, for each attack that computed at least 1 damage (R-40)."""
    hurtful = [attack for attack in run.attacks if whole(attack.damage) > 0]
    for attack in hurtful:
        linger_on(run, attack)
        _break_engine(run, attack)
    run.dice.checkpoint()
    for attack in hurtful:
        _frighten(run, attack)
    run.dice.checkpoint()


def linger_on(run: PhaseRun, attack: e.Attacked) -> None:
    """Apply paralysis, energy drain, disease and bleeding, for attacks and parting shots (R-51)."""
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
    """Whether `me` paralyses `foe`: by some printed name to which the target is not immune; the vortex needs the target
    on water (R-4).
    """
    names = me.profile.traits.get(t.PARALYSES, ())
    return any(n not in foe.profile.immune and (n != "vortex" or foe.under("on-water")) for n in names)


def bleeding(me: ArmyView, foe: ArmyView) -> str:
    """Return the first bleeding ability to which the target is not immune, or "" (R-43)."""
    names = me.profile.traits.get(t.BLEEDS, ())
    return next((name for name in names if name not in foe.profile.immune), "")


def _break_engine(run: PhaseRun, attack: e.Attacked) -> None:
    """Make Siegebreaker's second Offense check against the same DV. Success destroys one engine (PF-3.11)."""
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
    """Make a fear check for each army that frightens it. Failing while afraid dooms it to rout (R-45)."""
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
    """Whether `me` frightens `foe`: by fear, or by an unnatural aura on armies of or with animals. Immunity to fear
    stops both (R-4, R-45).
    """
    if t.FEAR_IMMUNITY in foe.profile.immune:
        return False
    aura = me.profile.works(t.UNNATURAL, foe.profile) and t.ANIMALS in foe.profile.traits
    return aura or me.profile.works(t.FRIGHTENS, foe.profile)


def weather(run: PhaseRun) -> None:
    """Take 1 hp from every army in a sandstorm (PF-4)."""
    if not run.draft.battle.conditions:
        return
    for army in run.draft.on_field():
        if army.hp > 0 and run.view(army.id).under("sandstorm"):
            run.emit(e.Wounded(army.id, 1, "sandstorm", army.hp, army.hp - 1, rule="PF-4"))
