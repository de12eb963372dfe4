"""Step 1: bleeding, then fast healing and regeneration, then those at 0 hp fall (PF-3.5, R-43)."""

from __future__ import annotations

from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle_state import ArmyInBattle
from rules.pathfinder.battle.steps.ends import fall
from rules.pathfinder.battle.steps.run import PhaseRun, healed
from rules.pathfinder.catalogue import traits as t


def linger(run: PhaseRun) -> None:
    for army in run.draft.on_field():
        if army.marks:
            _bleed(run, army)
    run.dice.checkpoint()
    for army in run.draft.on_field():
        if t.FAST_HEALS in army.profile.traits:
            _mend(run, army)
    for army in run.draft.on_field():
        if army.hp == 0 and army.mark("last-stand") is None and t.REGENERATES not in army.profile.traits:
            fall(run, army.id, "defeated")


def _bleed(run: PhaseRun, army: ArmyInBattle) -> None:
    marks = [mark for mark in army.marks if mark.kind == "bleeding"]
    if not marks:
        return
    run.emit(e.Unmarked(army.id, "bleeding", rule="R-43"))
    for mark in marks:
        now = run.army(army.id)
        if now.hp == 0:
            return
        roll = run.roll(army.id, "bleed", 6)
        amount = max(0, roll.value - resisted(army, mark.detail))
        lost = min(amount, now.hp)
        run.emit(e.Wounded(army.id, amount, mark.detail, now.hp, now.hp - lost, (roll,), by=mark.other, rule="R-43"))
        if not roll.known:
            return  # it may be dead of this one


def resisted(army: ArmyInBattle, cause: str) -> int:
    """Poison resistance takes half its value off poison (R-43)."""
    if cause != "poison" or t.RESISTS_POISON not in army.profile.traits:
        return 0
    return army.profile.values["poison-resistance"] // 2


def _mend(run: PhaseRun, army: ArmyInBattle) -> None:
    if army.mark("last-stand") is not None:
        return  # it cannot heal
    for ability, amount in mending(army):
        now = run.army(army.id)
        if now.hp < now.hp_max:
            after = healed(now.hp, now.hp_max, amount)
            run.emit(e.Healed(army.id, after - now.hp, ability, now.hp, after, "PF-9"))


def mending(army: ArmyInBattle) -> list[tuple[str, int]]:
    """What heals it each phase, and how much: half its value (PF-9)."""
    if t.FAST_HEALS not in army.profile.traits:
        return []
    held = (ability for ability in ("fast-healing", "regeneration") if ability in army.profile.choices)
    return [(ability, army.profile.values[ability] // 2) for ability in held]
