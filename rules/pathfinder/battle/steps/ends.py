"""Ends of armies and of the battle: defeat, rout, parting shots, last stands (PF-3.5, PF-3.9, R-43, R-50 to R-54)."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from rules.core.breakdown import Line
from rules.law import whole
from rules.pathfinder.battle.orders.options import range_refusal
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle_state import (
    FIGHTING,
    MELEE,
    RANGED,
    TACTICS,
    ArmyInBattle,
    BattleState,
    Mark,
    Phase,
    Result,
    Status,
)
from rules.pathfinder.battle.state.opening import figures_of
from rules.pathfinder.battle.state.view import can_shoot, wind_allows
from rules.pathfinder.battle.steps.run import PhaseRun, healed
from rules.pathfinder.battle.steps.strike import linger_on, strike
from rules.pathfinder.catalogue import traits as t
from rules.pathfinder.catalogue.effects import Situation
from rules.pathfinder.figures import morale_lines, total
from rules.pathfinder.spec import BY_RANK, ArmySpec, parse_cr

# Steps 9 to 11: defeat, rout, parting shots, and the end of the battle (PF-3.9, R-50 to R-54).

ROUT_DC = 15


def fall(run: PhaseRun, army_id: str, fate: Status) -> bool:
    """Let the army suffer its fate, unless ferocity gives it a last stand (R-52). Returns whether it has left the
    field.
    """
    army = run.army(army_id)
    ferocious = t.FEROCIOUS in army.profile.traits and army.mark("last-stand") is None
    if ferocious and run.draft.enemies(army):
        run.emit(e.LastStand(army_id, fate))
        return False
    if fate == "routed" and army_id in run.draft.battle.opening.cannot_leave:
        run.leave(army_id, "captured", "PF-3.9")
        return False
    by = army.felled_by if fate == "defeated" else ""
    run.leave(army_id, fate, "PF-6.1" if fate == "defeated" else "PF-3.9", by=by)
    if fate == "defeated":
        _spawn(run, army, by)
    return True


def _spawn(run: PhaseRun, fallen: ArmyInBattle, by: str) -> None:
    """Create spawn: heal the maker, or raise a smaller army of its kind (R-54)."""
    maker = run.draft.armies.get(by)
    if maker is None or maker.status != FIGHTING or maker.hp == 0 or not spawns_from(maker, fallen):
        return
    spec = spawn_of(run, maker) if run.order(by).spawn == "army" else None
    run.emit(e.Spawned(by, fallen.id))
    if spec is not None:
        figures = figures_of(run.draft.battle.law, spec)
        run.emit(e.ArmyJoined(spec.id, spec, maker.side, by=by, rule="R-54", entered=figures))
    elif maker.mark("last-stand") is None:
        after = healed(maker.hp, maker.hp_max, 2 * maker.acr)
        run.emit(e.Healed(by, after - maker.hp, "create-spawn", maker.hp, after, "R-54"))


def spawns_from(maker: ArmyInBattle, fallen: ArmyInBattle) -> bool:
    """Whether the fallen army turns into spawn: it is living and no smaller than the maker (PF-9)."""
    lifeless = {t.UNDEAD, t.CONSTRUCT} & fallen.profile.traits.keys()
    lifeless_type = fallen.spec.unit.creature_type in ("undead", "construct")
    living = not lifeless and not lifeless_type
    return living and fallen.rank >= maker.rank and maker.profile.works(t.SPAWNS, fallen.profile)


def spawn_of(run: PhaseRun, maker: ArmyInBattle) -> ArmySpec | None:
    """Return an army of the maker's unit two sizes smaller; None below fine or ACR 1/8."""
    if maker.rank < 2:
        return None
    size = BY_RANK[maker.rank - 2]
    if parse_cr(maker.spec.unit.cr).step + size.step < 0:
        return None
    number = 1 + sum(army.startswith(f"{maker.id}~") for army in run.draft.armies)
    name = f"{maker.spec.name} {number + 1}"
    return ArmySpec(f"{maker.id}~{number}", name, maker.spec.unit, size.units, kingdom=maker.spec.kingdom)


def defeat_and_rout(run: PhaseRun) -> None:
    """Resolve steps 9 and 10: defeats, then rout checks, then parting shots at all who routed together."""
    field = run.draft.on_field()
    if fallen := [army for army in field if army.hp == 0 and not run.waits(army)]:
        for army in fallen:
            _defeat(run, army)
        field = run.draft.on_field()
    shaken = [army for army in field if army.marks or (army.lost_hp and army.hp <= army.acr)]
    if shaken:
        routed = [army.id for army in shaken if not run.waits(army) and _routs(run, army)]
        run.dice.checkpoint()
        part(run, [army_id for army_id in routed if fall(run, army_id, "routed")])


def _defeat(run: PhaseRun, army: ArmyInBattle) -> None:
    """Defeat an army without hit points. Regeneration waits for the end of the phase, except in a last stand (R-52,
    R-53).
    """
    if army.mark("last-stand") is not None or t.REGENERATES not in army.profile.traits:
        fall(run, army.id, "defeated")


def _routs(run: PhaseRun, army: ArmyInBattle) -> bool:
    """Whether the army routs: its last stand is over, it panicked, or it fails its rout check (PF-3.9, R-45, R-52)."""
    if army.hp == 0:
        return False
    if army.marks and (army.mark("last-stand") is not None or army.mark("doomed", run.tick) is not None):
        return True
    return army.lost_hp > 0 and army.hp <= army.acr and not _stands_firm(run, army)


def _stands_firm(run: PhaseRun, army: ArmyInBattle) -> bool:
    """Make the rout check, with the reroll of Hold the Line if ordered (PF-3.9). Returns whether it is passed."""
    if never_routs(army):
        run.emit(e.RoutChecked(army.id, True, automatic=True))
        return True
    lines = rout_lines(run, army)
    rolls = [run.roll(army.id, "rout", 20)]
    bonus = total(lines)
    if rolls[0].known and not withstands(bonus, rolls[0].value) and may_hold(run, army):
        rolls.append(run.roll(army.id, "rout-reroll", 20))
    firm = withstands(bonus, rolls[-1].value)
    run.emit(e.RoutChecked(army.id, firm, tuple(rolls), rolls[-1].value + bonus, ROUT_DC, lines))
    return firm


def never_routs(army: ArmyInBattle) -> bool:
    """Whether the army passes rout checks without dice."""
    return t.PASSES_ROUT in army.profile.traits or t.MINDLESS in army.profile.traits


def rout_lines(run: PhaseRun, army: ArmyInBattle) -> tuple[Line, ...]:
    """Return the lines of its bonus to rout checks."""
    return morale_lines(Situation(run.view(army.id), purpose="rout"))


def withstands(bonus: int, face: int) -> bool:
    """Whether this face passes the rout check (PF-3.9)."""
    return face + bonus >= ROUT_DC


@lru_cache(maxsize=256)
def chance_to_stand(bonus: int, reroll: bool) -> Fraction:
    """Return the chance to pass the rout check; with a reroll the second result counts (PF-3.9)."""
    passed = Fraction(sum(withstands(bonus, face) for face in range(1, 21)), 20)
    return passed + (1 - passed) * passed if reroll else passed


def may_hold(run: PhaseRun, army: ArmyInBattle) -> bool:
    """Whether the army may reroll a failed rout check (PF-2.9, R-23, R-45, R-58)."""
    barred = army.mark("rage") is not None or run.afraid(army)
    return run.order(army.id).hold_the_line and t.HOLDS_THE_LINE in army.profile.traits and not barred


def part(run: PhaseRun, routed: list[str]) -> None:
    """Resolve parting shots with the figures of step 6. Armies that rout together make none (R-51)."""
    everybody = run.draft.battle.law.house.parting_shots == "all"
    shots = []
    for target in routed:
        for army in run.draft.on_field():
            hostile = everybody or army.side != run.army(target).side
            if hostile and may_part(run, army, target):
                shots.append((army.id, target))
    for attacker, target in shots:
        _parting_shot(run, attacker, target)
    run.dice.checkpoint()
    for target in routed:
        if run.army(target).hp == 0:
            run.leave(target, "defeated", "PF-3.9", by=run.army(target).felled_by)
            _spawn(run, run.army(target), run.army(target).felled_by)


def may_part(run: PhaseRun, army: ArmyInBattle, target: str) -> bool:
    """Whether the army makes a parting shot at this routing army (PF-3.9, R-51)."""
    here = army.id in run.present and army.id in run.views and target in run.views
    if not here or run.waits(army) or army.hp == 0:
        return False
    if run.barred(army) or run.digging(army):
        return False
    mode, view = run.mode(army.id, target), run.views[army.id]
    if run.out_of_reach(army, run.army(target), mode):
        return False
    return mode == "melee" or (can_shoot(view) and wind_allows(view))


def _parting_shot(run: PhaseRun, attacker: str, target: str) -> None:
    shot = strike(run, attacker, target, run.mode(attacker, target), "parting")
    if whole(shot.damage) > 0:
        linger_on(run, shot)


def end_phase(run: PhaseRun) -> None:
    """Resolve step 11: regeneration fails while enemies stand, withdrawing armies leave, last stands without enemies
    end.
    """
    field = run.draft.on_field()
    standing = {army.side for army in field if army.hp > 0}
    for army in field:
        if army.hp == 0 and army.mark("last-stand") is None and standing - {army.side}:
            fall(run, army.id, "defeated")
    for army in run.draft.on_field():
        if not army.marks:
            continue
        if army.mark("leaving", run.tick) is not None and run.may_leave(army):
            run.leave(army.id, "withdrawn", "R-31")
        elif army.mark("surrendering", run.tick) is not None and army.mark("last-stand") is None:
            run.mark(army.id, Mark("surrendered"), "R-88")
            run.leave(army.id, "captured", "R-88")
        elif (dug := army.mark("burrowing", run.tick)) is not None:
            run.mark(army.id, Mark("burrowed", dug.other), "R-14")
    end_last_stands(run, [army for army in run.draft.on_field() if not run.draft.enemies(army)])
    conclude(run)


def end_last_stands(run: PhaseRun, armies: list[ArmyInBattle]) -> None:
    """Apply the fates that ferocity has delayed: no enemy is left on the field, or the battle is broken off (R-52)."""
    for army in armies:
        if army.mark("last-stand") is not None:
            fall(run, army.id, "defeated" if army.hp == 0 else "routed")


def conclude(run: PhaseRun) -> None:
    """End the phase, and the battle if at most one side is left. Otherwise the next phase begins."""
    sides = {army.side for army in run.draft.on_field()}
    over = len(sides) < 2
    at_range = not over and keep_distance(run)
    if at_range:
        run.emit(e.DistanceKept())
    then = e.BattleEnded(Result(next(iter(sides), None))) if over else e.PhaseBegan(next_phase(run, at_range=at_range))
    run.draft.tell(e.PhaseEnded(run.phase, risen=_risen(run)), then)


def _risen(run: PhaseRun) -> tuple[str, ...]:
    """Return the armies that arose in this melee phase. It does not count as one of theirs (R-84)."""
    return tuple(army.id for army in run.draft.on_field() if army.id not in run.present) if run.melee else ()


def keep_distance(run: PhaseRun) -> bool:
    """Whether each side has an army that can shoot and all of these have orders to stay at range (R-89)."""
    if run.phase.kind != RANGED or not any(order.stay_at_range for order in run.orders.values()):
        return False
    field = run.draft.on_field()
    shooting = [army for army in field if army.id in run.present and may_stay_at_range(run.draft.battle, army)]
    ordered = all(run.order(army.id).stay_at_range for army in shooting)
    return ordered and {army.side for army in shooting} == {army.side for army in field}


def may_stay_at_range(battle: BattleState, army: ArmyInBattle) -> bool:
    return range_refusal(battle, army) is None


def next_phase(run: PhaseRun, *, at_range: bool = False) -> Phase:
    kind = RANGED if at_range or run.phase.kind == TACTICS else MELEE
    if kind == run.phase.kind:
        return Phase(kind, run.phase.number + 1, run.tick + 1)
    return numbered((*run.draft.battle.phases, run.phase), kind, run.tick + 1)


def numbered(phases: tuple[Phase, ...], kind: str, tick: int) -> Phase:
    """Return the next phase of its kind, counted since the last set-up."""
    number = 1
    for phase in reversed(phases):
        if phase.kind == "setup":
            break
        number += phase.kind == kind
    return Phase(kind, number, tick)


# Step 1: bleeding, then fast healing and regeneration, then defeat at 0 hp (PF-3.5, R-43).


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
            return  # this bleeding may have killed it


def resisted(army: ArmyInBattle, cause: str) -> int:
    """Return the reduction of poison damage: half the value of poison resistance (R-43)."""
    if cause not in army.profile.poisons or t.RESISTS_POISON not in army.profile.traits:
        return 0
    return army.profile.values["poison-resistance"] // 2


def _mend(run: PhaseRun, army: ArmyInBattle) -> None:
    if army.mark("last-stand") is not None:
        return  # a last stand cannot heal
    for ability, amount in mending(army):
        now = run.army(army.id)
        if now.hp < now.hp_max:
            after = healed(now.hp, now.hp_max, amount)
            run.emit(e.Healed(army.id, after - now.hp, ability, now.hp, after, "PF-9"))


def mending(army: ArmyInBattle) -> list[tuple[str, int]]:
    """Return the abilities that heal it each phase, with the amount: half their value (PF-9)."""
    if t.FAST_HEALS not in army.profile.traits:
        return []
    held = (ability for ability in ("fast-healing", "regeneration") if ability in army.profile.choices)
    return [(ability, army.profile.values[ability] // 2) for ability in held]
