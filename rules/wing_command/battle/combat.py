"""Combat (WC-8.1, 8.6): permitted targets, the modifiers of an attack, and the chance of each result."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from rules.adjustments import adjustment_lines
from rules.core.breakdown import Breakdown, Line
from rules.core.frozen_copy import remembered
from rules.core.text import Said, Term, _
from rules.hexbattle.chances import columns
from rules.hexbattle.field import Field, Token
from rules.hexbattle.ground import apart, on
from rules.hexes.terrain import DIFFICULT, INFILTRATION_ONLY
from rules.wing_command.battle.record.state import EXHAUSTED, FIT, ROUTED, SHAKEN, WINDED, HostState
from rules.wing_command.battle.situation import (
    enemies_in,
    engaged,
    fit_leader,
    friends,
    order_of,
    unseen,
    unseen_in,
)
from rules.wing_command.spec import ADJUSTABLE, HOLD, MELEE, MISSILE, UnitFigures

NONE, RECOIL, SHAKE, ROUT, DESTROY = "none", "recoil", "shaken", "routed", "destroyed"
BACKWARD = "attacker-recoils"
RESULTS: Mapping[str, tuple[str, ...]] = {
    MELEE: (BACKWARD, NONE, RECOIL, SHAKE, ROUT, DESTROY),
    MISSILE: (NONE, RECOIL, SHAKE, ROUT, DESTROY),
}
"""The columns of WC-8.1, mildest for the target first; also the slugs of a GM's report (W-57)."""
BOUNDS: Mapping[str, tuple[int, ...]] = {MELEE: (4, 6, 8, 10, 12), MISSILE: (7, 9, 11, 13)}
RESULT_WORDS: Mapping[str, Term] = {
    BACKWARD: _("the attacker recoils"),
    NONE: _("no effect"),
    RECOIL: _("recoil"),
    SHAKE: _("recoil and shaken"),
    ROUT: _("recoil and routed"),
    DESTROY: _("destroyed"),
}
WARD, WARD_BONUS, SUPPORT_MOST = "ward", 2, 2
RULE = "WC-8.1"
BOLT_SHOT, BOLT_RANGE = 4, 6


class Setting(NamedTuple):
    """Circumstances of an attack: the hex it comes from, and what the attacker did before."""

    source: str
    charged: bool = False
    out: bool = False
    duel: bool = False
    bolt: bool = False
    leader: bool | None = None
    """Whether a fit leader is stacked with the attacker there; None to take it from the current state."""
    tired: int = 0
    """Levels of fatigue it gains before the attack (second effort)."""


def result_of(how: str, total: int) -> str:
    """The column a total falls in."""
    return RESULTS[how][sum(total > bound for bound in BOUNDS[how])]


def chances(how: str, total: int) -> tuple[Fraction, ...]:
    """The exact chance of each column, for 2D6 plus this total."""
    return columns(total, BOUNDS[how])


def harm(how: str, total: int) -> Fraction:
    """The chance of at least a recoil."""
    first = RESULTS[how].index(RECOIL)
    return sum(chances(how, total)[first:], Fraction(0))


# Modifiers


def sum_of(state: HostState, attacker: str, target: str, how: str, setting: Setting) -> Breakdown:
    """The modifiers added to 2D6, line by line."""
    lines = _lines(state, attacker, target, how, setting)
    return Breakdown(tuple(Line(text, value, rule) for text, value, rule in lines if value))


type _Lines = list[tuple[Said, int, str]]


def _lines(state: HostState, attacker: str, target: str, how: str, setting: Setting) -> _Lines:
    own, other = state.units[attacker], state.units[target]
    fatigue = min(EXHAUSTED, own.fatigue + setting.tired)
    lines = [
        *_strength(own.own, how, bolt=setting.bolt),
        *_figure(other.own, "guard", _("Guard of the target"), -1),
        (_("Ward"), -WARD_BONUS if warded(state, target) else 0, "WC-7.4"),
        (_("The attacker is shaken"), -(own.morale == SHAKEN), RULE),
        (_("The attacker is out of breath"), -(fatigue == WINDED), RULE),
        (_("The attacker is exhausted"), -2 * (fatigue == EXHAUSTED), RULE),
        (_("Difficult ground"), -(sheltered(state, target)), RULE),
        (_("Leaving infiltration"), int(setting.out), RULE),
    ]
    if how == MISSILE:
        reach = BOLT_RANGE if setting.bolt else own.own.range
        far = 2 * apart(setting.source, state.token(target).at) > reach
        return [*lines, (_("Beyond half range"), -far, RULE)]
    lines += [
        (_("The target is shaken or routed"), int(other.morale >= SHAKEN), RULE),
        (_("The target is exhausted"), int(other.fatigue == EXHAUSTED), RULE),
    ]
    return [*lines, *_melee_lines(state, attacker, target, setting)]


def _strength(own: UnitFigures, how: str, *, bolt: bool) -> _Lines:
    if how == MELEE:
        return _figure(own, "melee", _("Melee attack"))
    return [(_("Shot"), BOLT_SHOT, RULE)] if bolt else _figure(own, "shot", _("Shot"))


def _figure(own: UnitFigures, name: str, label: Term, sign: int = 1) -> _Lines:
    """A figure of a unit, with its army's lasting adjustments in lines of their own."""
    given = tuple(adjustment_lines(own.adjustments, name, ADJUSTABLE.rule))
    plain = getattr(own, name) - sum(line.value for line in given)
    return [(label, sign * plain, RULE), *((line.label, sign * line.value, line.rule) for line in given)]


def _melee_lines(state: HostState, attacker: str, target: str, setting: Setting) -> _Lines:
    if setting.duel:
        return [(_("Charge bonus"), int(setting.charged), RULE)]
    held = stands_firm(state, target)
    leader = led_from(state, attacker, setting.source) if setting.leader is None else setting.leader
    return [
        (_("Charge bonus"), int(setting.charged and not held), RULE),
        (_("Supported by other troops"), supports(state, attacker, target), RULE),
        (_("Leader with the attacker"), int(leader), RULE),
        (_("The target holds its ground"), -held, RULE),
    ]


def warded(state: HostState, unit: str) -> bool:
    """Whether a ward protects a unit."""
    return bool(state.field.timers) and any(timer.effect == WARD for timer in on(state.field.timers, unit))


def sheltered(state: HostState, target: str) -> bool:
    """Whether the terrain shields the target; never in high flight (W-52)."""
    if state.units[target].high:
        return False
    return state.field.ground.terrain(state.token(target).at).footing in (DIFFICULT, INFILTRATION_ONLY)


def stands_firm(state: HostState, target: str) -> bool:
    """Whether the target is a fit troop bound by *hold* that hasn't moved this turn."""
    own = state.units[target]
    return not own.character and own.morale == FIT and not own.moved and order_of(state, target) == HOLD


def supports(state: HostState, attacker: str, target: str) -> int:
    """The number of other visible, unrouted friendly troops beside the target at its height, at most 2."""
    token = state.token(target)
    near = frozenset(state.field.ground.around(token.at))
    high, hidden = state.units[target].high, unseen(state, token.side)
    count = 0
    for friend in friends(state, state.side_of(attacker)):
        if friend.at in near and not friend.character and friend.id != attacker and friend.id not in hidden:
            own = state.units[friend.id]
            count += own.morale != ROUTED and own.high == high
    return min(SUPPORT_MOST, count)


def led_from(state: HostState, attacker: str, source: str) -> bool:
    """Whether a fit leader is stacked with the attacker on a hex."""
    here = state.field.at(source)
    return any(one.id != attacker and one.side == state.side_of(attacker) and fit_leader(state, one.id) for one in here)


# Who may attack whom


def meets(state: HostState, token: Token) -> bool:
    """Whether an attack on its hex strikes this unit: a troop, or a character if the enemy sees no troop there."""
    return not token.character or troop_seen(state, token) is None


def troop_seen(state: HostState, token: Token) -> Token | None:
    """The troop on a unit's hex that the other side sees; None if it sees none."""
    return _troop_seen_in(state.field, token)


def _troop_seen_in(field: Field, token: Token) -> Token | None:
    troop = field.troop(token.at)
    return None if troop is None or troop.id in unseen_in(field, 1 - token.side) else troop


def why_not_strike(
    state: HostState, attacker: str, target: Token, how: str, source: str, *, met: bool = False
) -> Said | None:
    """Why a unit can't attack another from a hex, by melee or shot; None if it can.

    `met`: the attack strikes it, as far as its side knows before it moves.
    """
    own, other = state.units[attacker], state.units[target.id]
    if own.morale == ROUTED:
        return _("Routed units can’t fight.")
    if not met and not meets(state, target):
        return _("Attack the troop in this hex instead.")
    if how == MELEE:
        return why_not_melee(state, attacker, target, source)
    if not own.own.shot:
        return _("This unit can’t shoot.")
    if engaged(state, attacker, at=source):
        return _("Engaged units can’t shoot.")
    return why_out_of_shot(state, source, target, own.own.range, flying=(own.high, other.high))


def why_not_melee(state: HostState, attacker: str, target: Token, source: str) -> Said | None:
    """Why a unit on `source` can't attack this enemy in melee; None if it can."""
    own, other = state.units[attacker], state.units[target.id]
    if apart(source, target.at) != 1:
        return _("The target isn’t next to the unit.")
    if own.high != other.high:
        return _("For melee, attacker and target have to be at the same height.")
    if own.character and stacked_at(state, attacker, source):
        return _("A character in a stack can only attack in a duel, or with their own shot.")
    return None


def stacked_at(state: HostState, character: str, source: str) -> bool:
    """Whether a friendly troop stands on a hex."""
    troop = state.field.troop(source)
    return troop is not None and troop.id != character and troop.side == state.side_of(character)


def why_out_of_shot(
    state: HostState, source: str, target: Token, reach: int, *, flying: tuple[bool, bool]
) -> Said | None:
    """Why a target is out of range or sight (WC-8.6); None if it isn't."""
    far = apart(source, target.at)
    if not 1 <= far <= reach:
        return _("The target is out of range.")
    if not state.field.ground.sees(source, target.at, flying=flying):
        return _("The target is out of sight.")
    return None


def targets(state: HostState, attacker: str) -> tuple[Token, ...]:
    """The enemies that a unit's side sees and an attack can strike."""
    return _met_by(state.field, state.side_of(attacker))


@remembered
def _met_by(field: Field, side: int) -> tuple[Token, ...]:
    found = enemies_in(field, side)
    return tuple(token for token in found if not token.character or _troop_seen_in(field, token) is None)
