"""Steps 7 and 8: what damage leaves behind, fear, and the weather (PF-3.5, R-40, R-43 to R-45)."""

from __future__ import annotations

from rules.core.breakdown import Line
from rules.law import whole
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle_state import Mark
from rules.pathfinder.battle.state.view import ArmyView
from rules.pathfinder.battle.steps.run import PhaseRun
from rules.pathfinder.catalogue import traits as t
from rules.pathfinder.catalogue.effects import SIEGEBREAKER, Mode, Situation
from rules.pathfinder.figures import lines_of, total

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
