"""Demoralisation of wings (WC-5), wings that break, and the end of a battle for want of wings that fight (WC-9.8)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from rules.core.breakdown import Breakdown
from rules.core.text import Said, _
from rules.hexbattle import ending
from rules.hexbattle.chances import two_dice_at_most
from rules.hexbattle.common import Destroyed, Withdrawn
from rules.hexbattle.field import Ended, Token
from rules.wing_command.battle.record import events as e
from rules.wing_command.battle.record.state import HostState, Wing
from rules.wing_command.battle.run import Loss, Run, faces

# Demoralisation of wings (WC-5), and wings that break (WC-9.8).

MARKER_LEAST = 4
LEADER, ARMY_LEADER = 1, 2
FLED = "fled"


def lose(run: Run, unit: str, *, how: str = "") -> None:
    """Remove a unit: destroyed, or fled from the map (`how`). `roll_demoralisation` rolls the tests it causes."""
    state = run.state
    token, own = state.token(unit), state.units[unit]
    led = state.led_by(unit)
    run.lost.append(Loss(unit, own.wing, token.side, led.id if led else "", state.is_army_leader(unit)))
    seen = run.seen(unit)
    run.emit(Withdrawn(unit, token.at, seen, how) if how else Destroyed(unit, token.at, seen))


def modifiers(wing: Wing, loss: Loss) -> Breakdown:
    """The modifiers of a wing's test for a lost unit (WC-5.2)."""
    found = Breakdown()
    if loss.led == wing.id:
        found = found.plus(_("Loss of its leader"), LEADER, "WC-5.2")
    if loss.army_leader:
        found = found.plus(_("Loss of the army leader"), ARMY_LEADER, "WC-5.2")
    return found


def morale_chance(morale: int, extra: int) -> Fraction:
    """The chance that a wing passes its test; no result is automatic."""
    return two_dice_at_most(morale - extra)


def tested_by(state: HostState, loss: Loss) -> tuple[Wing, ...]:
    """The wings that test for a loss: the unit's own, or its whole side for the army leader, except empty ones
    (W-3).
    """
    own = [wing for wing in state.wings_of(loss.side) if loss.army_leader or wing.id == loss.wing]
    return tuple(wing for wing in own if any(True for _unit in state.standing(wing)))


def roll_demoralisation(run: Run) -> None:
    """Roll one test for each lost unit and wing, in order, asking for all dice at once; then break wings."""
    tests = [(loss, wing.id) for loss in _in_order(run) for wing in tested_by(run.state, loss)]
    rolled = [(loss, wing, run.roll(wing, "demoralisation")) for loss, wing in tests]
    if rolled:
        run.checkpoint()
    for loss, wing_id, rolls in rolled:
        wing = run.state.wings[wing_id]
        extra = modifiers(wing, loss)
        success = faces(rolls) + extra.total <= wing.morale
        run.emit(e.WingTested(wing_id, loss.unit, rolls, extra.lines, wing.morale, success))
        if not success:
            run.emit(e.MoraleLowered(wing_id, max(MARKER_LEAST, wing.morale - 1), wing.shaken + 1))
    run.lost = []
    break_wings(run)


def _in_order(run: Run) -> list[Loss]:
    """The losses, by side in order, then as the units were lost: the troop first (W-25)."""
    first = run.state.first
    return sorted(run.lost, key=lambda loss: loss.side != first)


def has_lost_its_share(state: HostState, wing: Wing) -> bool:
    """Whether a wing has lost enough of its initial troops to break (W-31): destroyed, fled or withdrawn."""
    lost = wing.troops - sum(not state.units[unit].character for unit in state.members(wing))
    return wing.troops > 0 and lost * 100 >= state.options.break_share * wing.troops


def break_wings(run: Run) -> None:
    """Break the wings that have lost their share; they retreat from now on."""
    for wing in run.state.wings_in_order:
        if not wing.broken and has_lost_its_share(run.state, wing):
            run.emit(e.WingBroken(wing.id))


# End of a battle (WC-9.8, W-31, W-50): all wings of a side broken, retreating or empty, or the turn limit.

REASONS: Mapping[str, Said] = {
    ending.TURN_LIMIT: _("The turn limit is reached: the side that lost the smaller share of its troops wins."),
    ending.ALL_LOST: _("All wings of {loser} are broken, in retreat or empty."),
}


def out_of_it(state: HostState, wing: Wing) -> bool:
    """Whether a wing is broken, retreating or empty. A wing with a reserve isn't empty (W-32)."""
    return wing.broken or wing.retreats or next(iter(state.members(wing)), None) is None


def defeated(state: HostState, side: int) -> bool:
    """Whether all wings of a side are broken, retreating or empty."""
    return all(out_of_it(state, wing) for wing in state.wings_of(side))


def check_victory(run: Run) -> None:
    """End the battle if a side is defeated; a draw if both are."""
    if run.state.field.ended:
        return
    found = ending.when_lost(run.state.field, lambda side: defeated(run.state, side))
    if found is not None:
        run.emit(found)


def at_the_limit(state: HostState) -> Ended:
    """The end at the turn limit: the side with the smaller share of losses wins; equal shares are a draw."""
    return ending.at_the_limit(state.field, is_troop)


def is_troop(token: Token) -> bool:
    return ending.is_troop(token)
