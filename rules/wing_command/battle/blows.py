"""Results of an attack, a duel or a firebolt, step by step (WC-8.2 … 8.5, W-25), and their headline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from rules.core.breakdown import Breakdown
from rules.core.dice import Roll
from rules.hexbattle.common import Destroyed
from rules.hexbattle.moving import Mover, reach, steps_of
from rules.wing_command.battle.combat import (
    BACKWARD,
    DESTROY,
    NONE,
    RECOIL,
    RESULTS,
    ROUT,
    SHAKE,
    Setting,
    result_of,
    sum_of,
)
from rules.wing_command.battle.demoralisation import lose, roll_demoralisation
from rules.wing_command.battle.movement import gait_of, may_stand, pace_of, recoil_hex
from rules.wing_command.battle.record import events as e
from rules.wing_command.battle.record.state import EXHAUSTED, FIT, ROUTED, SHAKEN, Clash, HostState
from rules.wing_command.battle.run import Run, faces
from rules.wing_command.battle.situation import engaged
from rules.wing_command.spec import GM, GROUND, MELEE

# Results of an attack, a duel or a firebolt, step by step (WC-8.2 … 8.5, W-25).

FATE_LOST = 4
"""A character of a destroyed troop is lost on this result or less (WC-8.5)."""


def setting_of(state: HostState, blow: Clash) -> Setting:
    """The circumstances of an attack."""
    return Setting(state.token(blow.attacker).at, blow.charged, blow.out, blow.duel, blow.bolt)


def strike(run: Run, blow: Clash) -> None:
    """Execute an attack: roll its dice, or ask the GM for the result (W-35)."""
    found = sum_of(run.state, blow.attacker, blow.target, blow.how, setting_of(run.state, blow))
    if run.state.options.combat == GM:
        run.emit(e.BlowAsked(blow, found.lines))
        return
    rolls = run.roll(blow.attacker, "duel" if blow.duel else blow.how)
    run.checkpoint()
    total = faces(rolls) + found.total
    settle(run, blow, result_of(blow.how, total), rolls, found, total)


def settle(
    run: Run, blow: Clash, result: str, rolls: tuple[Roll, ...] = (), found: Breakdown | None = None, total: int = 0
) -> None:
    """Apply a result, in the order of W-25. `found` is None for a result the GM reported."""
    by_gm, lines = found is None, found.lines if found else ()
    if blow.duel:
        told = e.DuelFought(
            blow.attacker, blow.target, blow.how, rolls, lines, total, result, by_gm, charged=blow.charged
        )
        run.emit(told)
    else:
        carried = _carried(run.state, blow.attacker) if blow.charged else ()
        run.emit(
            e.Attacked(
                blow.attacker, blow.target, blow.how, rolls, lines, total, result, by_gm, blow.bolt, blow.charged,
                carried,
            )
        )  # fmt: skip
    left = run.state.token(blow.target).at
    source = run.state.token(blow.attacker).at
    riders = _apply(run, blow, result, source)
    _come_out(run, blow)
    if blow.charged and not (blow.duel and run.state.units[blow.attacker].charged):
        tire(run, blow.attacker)
    _fates(run, riders, source, left)
    if blow.follow and not blow.duel and not blow.bolt and blow.how == MELEE:
        follow(run, blow.attacker, left, blow.stay)
    roll_demoralisation(run)


def _carried(state: HostState, troop: str) -> tuple[str, ...]:
    """The characters who came along with a charging troop and haven't acted."""
    if state.units[troop].character:
        return ()
    riders = state.field.characters(state.token(troop).at)
    return tuple(one.id for one in riders if state.units[one.id].moved and not state.units[one.id].acted)


def _apply(run: Run, blow: Clash, result: str, source: str) -> list[str]:
    """Apply the result itself. Returns the characters of a troop it destroyed."""
    target = blow.target
    if result == BACKWARD:
        if not blow.duel:
            _thrown_back(run, blow)
        return []
    if result == NONE:
        return []
    riders = [one.id for one in run.state.field.characters(run.state.token(target).at)]
    riders = [] if run.state.units[target].character else riders
    hurt(run, target, result, source, alone=blow.duel)
    return riders if run.state.token(target).gone else []


def _thrown_back(run: Run, blow: Clash) -> None:
    """Make the attacker recoil, if it can, and tire."""
    threat = run.state.token(blow.target).at
    recoil(run, blow.attacker, threat, alone=False)
    tire(run, blow.attacker)


class BlowOutcome(NamedTuple):
    """The effect of a result on its target: the worst that happens to it, and whether it stays where it is."""

    result: str
    stays: bool = True


WORSE: Mapping[str, str] = {RECOIL: SHAKE, SHAKE: ROUT, ROUT: DESTROY}


def outcome_of(state: HostState, unit: str, result: str, threat: str, *, alone: bool = False) -> BlowOutcome:
    """The effect of a result on a unit: it recoils first; if it can't, it suffers the next worse result in place
    (W-10). A second shock routs the shaken and destroys the routed (WC-8.2).
    """
    morale = state.units[unit].morale
    if result in (BACKWARD, NONE, DESTROY):
        return BlowOutcome(result)
    if morale == ROUTED and result != RECOIL:
        return BlowOutcome(DESTROY)
    stays = not recoil_hex(state, unit, threat, together=_recoil_with(state, unit, alone=alone))
    if not stays and result == RECOIL:
        return BlowOutcome(RECOIL, stays)
    result = WORSE[result] if stays else result
    if morale == ROUTED:
        return BlowOutcome(DESTROY)
    return BlowOutcome(ROUT if result == SHAKE and morale == SHAKEN else result, stays)


def hurt(run: Run, unit: str, result: str, source: str, *, alone: bool = False) -> None:
    """Apply a result to a unit."""
    found = outcome_of(run.state, unit, result, source, alone=alone)
    if not found.stays:
        recoil(run, unit, source, alone=alone)
    if found.result == DESTROY:
        lose(run, unit)
    elif found.result == SHAKE:
        shake(run, unit)
    elif found.result == ROUT:
        rout(run, unit)


def _recoil_with(state: HostState, unit: str, *, alone: bool) -> tuple[str, ...]:
    """The characters who recoil with a troop; a duellist recoils alone."""
    if alone or state.units[unit].character:
        return ()
    return tuple(one.id for one in state.field.characters(state.token(unit).at))


def recoil(run: Run, unit: str, threat: str, *, alone: bool) -> bool:
    """Make a unit recoil one hex; False if it can't."""
    state = run.state
    token = state.token(unit)
    riders = _recoil_with(state, unit, alone=alone)
    at = recoil_hex(state, unit, threat, together=riders)
    if not at:
        return False
    before = state.field
    for one in (unit, *riders):
        run.emit(e.Recoiled(one, (token.at, at), run.place_seen(one, at)))
    run.sights(before)
    return True


def shake(run: Run, unit: str) -> None:
    """Shake a unit. If shaken already it routs, if routed it is destroyed (WC-8.2)."""
    morale = run.state.units[unit].morale
    if morale == FIT:
        run.emit(e.Shaken(unit, run.seen(unit)))
    elif morale == SHAKEN:
        rout(run, unit)
    else:
        lose(run, unit)


def rout(run: Run, unit: str) -> None:
    """Rout a unit; fit characters with a troop are shaken (WC-8.5)."""
    run.emit(e.Routed(unit, run.seen(unit)))
    if run.state.units[unit].character:
        return
    for one in run.state.field.characters(run.state.token(unit).at):
        if run.state.units[one.id].morale == FIT:
            run.emit(e.Shaken(one.id, run.seen(one.id)))


def tire(run: Run, unit: str) -> None:
    """Raise a unit's fatigue by one level, unless it is exhausted or gone."""
    fatigue = run.state.units[unit].fatigue
    if fatigue < EXHAUSTED and not run.state.token(unit).gone:
        run.emit(e.Tired(unit, fatigue + 1, run.seen(unit)))


def _come_out(run: Run, blow: Clash) -> None:
    """End the infiltration of both units after an attack and any recoil (W-47)."""
    for unit in (blow.attacker, blow.target):
        if run.state.units[unit].infiltrating and run.state.token(unit).standing:
            run.emit(e.PostureTaken(unit, GROUND))


# Fates of the characters of a destroyed troop


def _fates(run: Run, riders: list[str], source: str, at: str) -> None:
    """Decide the fates of a destroyed troop's characters: moved to the nearest friendly troop, thrown back, or lost.

    In the order of wings, and of places in a wing.
    """
    if not riders:
        return
    order = {unit: place for place, unit in enumerate(one for w in run.state.wings_in_order for one in w.members)}
    riders.sort(key=lambda one: order.get(one, 0))
    rolled = [(one, run.roll(one, "fate")) for one in riders]
    run.checkpoint()
    for one, rolls in rolled:
        goes = refuge(run.state, one, source) if faces(rolls) > FATE_LOST else ""
        run.emit(e.FateDecided(one, rolls, bool(goes), goes, run.place_seen(one, goes) if goes else run.seen(one)))
        if not goes:
            lose(run, one)


def refuge(state: HostState, character: str, threat: str) -> str:
    """The hex of the nearest friendly troop within their move (W-26), else the hex they are thrown back to, else ""."""
    token = state.token(character)
    foes = frozenset(other.at for other in state.field.enemies(token.side))
    mover = Mover(gait_of(state, character), pace_of(state, character).points, closed=foes)
    found = reach(state.field.ground, mover, token.at)
    troops = [at for at in found if at != token.at and (troop := state.field.troop(at)) and troop.side == token.side]
    free = [at for at in troops if may_stand(state, character, at)]
    if free:
        return min(free, key=lambda at: (found[at], state.field.ground.numbers[at]))
    return recoil_hex(state, character, threat)


# Following


def may_follow(state: HostState, unit: str, at: str) -> bool:
    """Whether a unit can enter the hex its enemy left: empty, with ground it can enter (W-43)."""
    token = state.token(unit)
    if not token.standing or state.units[unit].morale == ROUTED or state.field.at(at):
        return False
    ground = state.field.ground
    steps = steps_of(ground, gait_of(state, unit))
    price = steps.price(ground.numbers[token.at], ground.numbers[at]) if at in ground.around(token.at) else 0
    return bool(price) and may_stand(state, unit, at)


def follow(run: Run, unit: str, at: str, stay: tuple[str, ...]) -> None:
    """Move the attacker into the hex its target left, with the characters who can go along (W-54)."""
    if not may_follow(run.state, unit, at):
        return
    start = run.state.token(unit).at
    before = run.state.field
    riders = companions(run.state, unit, at, stay=stay)
    for one in (unit, *riders):
        run.emit(e.FollowedUp(one, (start, at), run.place_seen(one, at)))
    run.sights(before)


def companions(state: HostState, troop: str, at: str, *, stay: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The characters on a troop's hex who can go along with it to another hex (W-9, W-54)."""
    token = state.token(troop)
    if state.units[troop].character or not token.at:
        return ()
    return tuple(
        one.id
        for one in state.field.characters(token.at)
        if one.id not in stay and _goes_along(state, one.id, troop) and may_stand(state, one.id, at, without=(troop,))
    )


def _goes_along(state: HostState, character: str, troop: str) -> bool:
    own = state.units[character]
    if own.high != state.units[troop].high:
        return False
    return not (own.acted or own.morale == ROUTED or engaged(state, character))


# News of an attack: what happened to the target, if it is worse than the result.

FATES: Mapping[type, int] = {
    kind: RESULTS[MELEE].index(result) for kind, result in ((e.Shaken, SHAKE), (e.Routed, ROUT), (Destroyed, DESTROY))
}
"""The severity of each event, as the index of the melee result."""


def fate_of(blow: e.Attacked | e.DuelFought, events: Sequence[Any]) -> Any | None:
    """The event that shows what happened to an attack's target, if worse than its result (WC-8.2, 8.3); else None."""
    own = [event for event in events if type(event) in FATES and event.unit == blow.target]
    worst = max(own, key=lambda event: FATES[type(event)], default=None)
    worse = worst is not None and FATES[type(worst)] > RESULTS[MELEE].index(blow.result)
    return worst if worse else None
