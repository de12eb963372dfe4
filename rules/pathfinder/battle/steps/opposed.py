"""Step 5: taunts, withdrawals, and wear by siege engines (PF-3.5, PF-3.10, R-30 to R-33)."""

from __future__ import annotations

from rules.core.breakdown import Line
from rules.core.dice import Roll
from rules.core.text import _
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle_state import ArmyInBattle, Fort, Mark
from rules.pathfinder.battle.state.view import engines_at_work, forts_of, wearable
from rules.pathfinder.battle.steps.run import PhaseRun
from rules.pathfinder.catalogue import traits as t
from rules.pathfinder.catalogue.effects import Situation
from rules.pathfinder.figures import morale_lines, total

TAUNT_DC = 10


def taunt(run: PhaseRun) -> None:
    for army in run.acting():
        if army.target is None or army.tactic == "standard" or not run.view(army.id).has(t.TAUNTS):
            continue
        target = run.army(army.target)
        if (held := target.mark("withstood-taunt")) is None or held.amount < 2:
            _taunt(run, army, target)
            run.dice.checkpoint()  # an army that has withstood two taunts is not taunted a third time


def _taunt(run: PhaseRun, army: ArmyInBattle, target: ArmyInBattle) -> None:
    success, told = run.check(target, "taunt", "taunt", TAUNT_DC + army.acr)
    run.emit(e.TauntChecked(target.id, army.id, success, **told))  # type: ignore[arg-type]
    mark = Mark("withstood-taunt") if success else Mark("taunted", army.id, run.tick)
    run.mark(target.id, mark, "R-33", by=army.id)
    run.doom(target, success)


def plan_attacks(run: PhaseRun) -> None:
    """Plan the Offense checks as declared: attacker, target and mode (R-26)."""
    run.plan = []
    for army in run.acting():
        if army.target is None or run.barred(army):
            continue
        mode = run.mode(army.id, army.target)
        if run.able(army.id, mode) and not run.out_of_reach(army, run.army(army.target), mode):
            run.plan.append((army.id, army.target, mode))


def lost_attacks(run: PhaseRun) -> None:
    """Report attacks that reach nobody: the target is gone, hovering, burrowing or out of range."""
    planned = {attacker for attacker, _target, _mode in run.plan}
    acting = run.acting()
    if len(planned) == len(acting):
        return
    for army in acting:
        if army.id in planned or army.target is None or run.barred(army):
            continue
        target = run.army(army.target)
        mode = run.mode(army.id, target.id)
        why = run.out_of_reach(army, target, mode)
        if not why and not run.able(army.id, mode):
            why = _why_no_shot(run, army)
        if why:
            run.emit(e.AttackLost(army.id, target.id, why, rule="R-26" if why == "hovering" else "PF-3.8"))


def _why_no_shot(run: PhaseRun, army: ArmyInBattle) -> str:
    if run.digging(army):
        return "burrowing"
    return "wind" if run.view(army.id).has(t.RANGED) else "no-shot"


def withdraw(run: PhaseRun) -> None:
    withdrawing = [army for army in run.acting() if army.tactic == "withdraw" and not run.order(army.id).surrender]
    if not withdrawing:
        return
    for army in withdrawing:
        _withdraw(run, army)
        run.dice.checkpoint()  # an army that has left cannot stop others
    _replan(run)


def _withdraw(run: PhaseRun, army: ArmyInBattle) -> None:
    opponents = [foe for foe, target, _m in run.plan if target == army.id and _still_attacks(run, foe, army.id)]
    beaten = _oppose(run, army, opponents)
    keeps_range = not run.may_leave(army) or run.order(army.id).withdraw == "range"
    outcome = _outcome(len(beaten), len(opponents), keeps_range)
    run.emit(e.WithdrawalDecided(army.id, outcome, tuple(opponents)))
    if outcome == "leaves":
        run.leave(army.id, "withdrawn", "PF-3.10")
        return
    run.mark(army.id, Mark("withdrawing", at=run.tick), "PF-3.10")
    if outcome == "range" and run.melee:
        run.at_range |= {pair for foe in opponents for pair in ((army.id, foe), (foe, army.id))}
    if outcome == "pursued" and not keeps_range:
        run.mark(army.id, Mark("leaving", at=run.tick), "R-31")


def _still_attacks(run: PhaseRun, foe: str, target: str) -> bool:
    """Whether this opponent is still there and able to attack. An earlier withdrawal may keep it at a range at which it
    cannot shoot (R-61).
    """
    return run.army(foe).status == "fighting" and run.able(foe, run.mode(foe, target))


def _outcome(beaten: int, opponents: int, keeps_range: bool) -> str:
    if beaten == opponents:
        return "range" if keeps_range else "leaves"
    return "pursued" if beaten else "stays"


def _oppose(run: PhaseRun, army: ArmyInBattle, opponents: list[str]) -> list[str]:
    """Roll once for the withdrawing army and once for each opponent that needs a roll (R-30, R-32). Returns the
    opponents beaten.
    """
    verdicts = {foe: without_dice(run, army, run.army(foe)) for foe in opponents}
    roll = run.roll(army.id, "withdraw", 20) if None in verdicts.values() else None
    lines = _withdrawal_lines(run, army, opponents)
    beaten = []
    for foe, verdict in verdicts.items():
        if verdict is not None:
            success, why = verdict
            run.emit(e.WithdrawalOpposed(army.id, foe, success, why=why, rule="R-32"))
        else:
            assert roll is not None
            success = _opposed_roll(run, army, foe, roll, lines)
        if success:
            beaten.append(foe)
    return beaten


def without_dice(run: PhaseRun, army: ArmyInBattle, foe: ArmyInBattle) -> tuple[bool, str] | None:
    """Return an automatic result as (beaten, reason), or None if dice decide."""
    if army.profile.works(t.ALWAYS_WITHDRAWS, foe.profile):
        return True, "always"
    if army.profile.works(t.INVISIBLE, foe.profile) and not run.view(foe.id).sees_invisible(run.view(army.id)):
        return True, "unseen"
    if run.order(foe.id).let_go:
        return True, "let-go"
    if army.invincible_to(foe.id):
        return True, "invincible"
    if t.MINDLESS in foe.profile.traits:
        return False, "mindless"
    return None


def _withdrawal_lines(run: PhaseRun, army: ArmyInBattle, opponents: list[str]) -> tuple[Line, ...]:
    held = sum(
        run.army(foe).profile.works(t.GRABS, army.profile)
        and run.mode(foe, army.id) == "melee"
        and not army.invincible_to(foe)
        for foe in opponents
    )
    grabbed = (Line(_("Grabbed"), -2 * held, "R-29"),) if held else ()
    return morale_lines(Situation(run.view(army.id), purpose="withdraw"), grabbed)


def _opposed_roll(run: PhaseRun, army: ArmyInBattle, foe: str, roll: Roll, lines: tuple[Line, ...]) -> bool:
    """Make one opposed check. On a tie the higher bonus wins; if equal too, both roll again (PF-3.10, R-30)."""
    against = morale_lines(Situation(run.view(foe), run.view(army.id), purpose="stop"))
    mine, theirs = total(lines), total(against)
    rolls = [roll, run.roll(foe, "withdraw", 20)]
    ours, foes = rolls[0], rolls[1]
    while ours.known and foes.known and ours.value + mine == foes.value + theirs and mine == theirs:
        run.dice.checkpoint()
        ours, foes = run.roll(army.id, "withdraw", 20), run.roll(foe, "withdraw", 20)
        rolls += [ours, foes]
    check, opposed = ours.value + mine, foes.value + theirs
    success = check > opposed or (check == opposed and mine > theirs)
    run.emit(e.WithdrawalOpposed(army.id, foe, success, tuple(rolls), check, opposed, lines, against))
    return success


def _replan(run: PhaseRun) -> None:
    """Plan the attacks that remain after withdrawals. The others are lost (R-21, R-31)."""
    kept = []
    for attacker, target, _old in run.plan:
        if run.army(attacker).status != "fighting":
            continue
        mode = run.mode(attacker, target)
        why = "gone" if run.army(target).status != "fighting" else ""
        if not why and not run.able(attacker, mode):
            why = _why_no_shot(run, run.army(attacker))
        if why:
            run.emit(e.AttackLost(attacker, target, why))
        else:
            kept.append((attacker, target, mode))
    run.plan = kept


def wear_down_walls(run: PhaseRun) -> None:
    """Wear down fortifications: each engine takes 1d4 off those that its army attacks in melee (R-14, R-15)."""
    if not run.draft.battle.forts:
        return
    unsure: set[str] = set()  # forts that may have nothing left once the dice asked for are typed
    for attacker, target, mode in run.plan:
        engines = engines_at_work(run.view(attacker))
        if mode != "melee" or engines < 1:
            continue
        standing = [fort for fort in forts_of(run.view(target)) if wearable(fort) > 0]
        if all(fort.id in unsure for fort in standing):
            continue
        rolls = tuple(run.roll(attacker, "siege", 4) for _engine in range(engines))
        _wear(run, attacker, target, standing, rolls)
        if not all(roll.known for roll in rolls):
            unsure |= {fort.id for fort in standing}


def _wear(run: PhaseRun, attacker: str, target: str, standing: list[Fort], rolls: tuple[Roll, ...]) -> None:
    """Wear down one fortification. What is left over goes to the next around the same army; the
    dice are recorded once.
    """
    left = sum(roll.value for roll in rolls)
    for fort in standing:
        worn = min(left, wearable(fort))
        if worn:
            run.emit(e.FortWorn(attacker, fort.id, target, worn, wearable(fort) - worn, rolls))
        left, rolls = left - worn, ()
