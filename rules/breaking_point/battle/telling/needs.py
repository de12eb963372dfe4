"""Needs of dice still to be typed (BP-4.1, BP-4.2, BP-4.4, BP-4.11). Only the GM rolls dice, so nothing has to be
hidden.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from rules.breaking_point.battle.state import conditions as c
from rules.breaking_point.battle.state import events as e
from rules.breaking_point.battle.state.battle_state import ROUND, BattleNow
from rules.breaking_point.battle.telling.narrate import rolls_of
from rules.breaking_point.battle.telling.words import name_of, side_name
from rules.breaking_point.dice import known, need_of, value_of, worth
from rules.core import dice
from rules.core.dice import DiceNeeded, Roll
from rules.core.text import Message, Said, _, say
from rules.law import whole

FOLLOWS = (
    ({"pursuit", "riposte"}, _("Routed groups may be rallied; their die comes later.")),
    (
        {"contact"},
        _("Later strikers roll their own dice next, followed by pursuits and rallies."),
    ),
    ({"shot"}, _("More shots and attacks roll their own dice, followed by pursuits and rallies.")),
    ({"command", "withdraw"}, _("Shots and attacks roll their own dice, followed by pursuits and rallies.")),
)
BEFORE_BATTLE = (
    FOLLOWS[0],
    ({"command"}, _("Groups routed as they withdraw may be pursued and rallied; those dice come later.")),
)

OPPOSED = _("{bonus:+} against {foes}: {stake}")
ADDED = _("{bonus:+} so far, plus this die, against {foes}: {stake}")
TAKEN_OFF = _("{bonus:+} so far, minus this die, against {foes}: {stake}")
STRIKES_FIRST = _("ahead by 2 strikes first")
SURPRISES = _("ahead by 2 strikes first, by 5 surprises too")
GETS_AWAY = _("ahead by 2 gets away, by 5 with guns and baggage; behind by 5 is routed")
KEEPS_TOGETHER = _("ahead by 2 gets away, by 5 with guns and baggage")
HOLDS_FAST = _("ahead by 2 gets away")


def foretold(battle: BattleNow, happened: Iterable[e.Event], needed: DiceNeeded) -> DiceNeeded:
    """Return the dice needed, with what each has to reach and what may follow. `battle` is the state in that step."""
    events = tuple(happened)
    withdrawing = any(isinstance(event, e.WithdrawalDeclared) for event in events)
    following = FOLLOWS if battle.phase.kind == ROUND else BEFORE_BATTLE if withdrawing else ()
    return dice.foretold(needed, events, rolls_of, partial(_need, battle, events), following)


def _need(battle: BattleNow, happened: tuple[e.Event, ...], event: e.Event, roll: Roll) -> Said | None:
    plain = battle.house.plain_die
    match event:
        case e.Attacked():
            target, score, against = name_of(battle, event.target), whole(event.score), whole(event.against)
            return need_of(target, event.rolls, score, against, plain=plain)
        case e.Rallied():
            return need_of(name_of(battle, event.body), event.rolls, event.score, whole(event.against), plain=plain)
        case e.CommandTested():
            return _command(battle, happened, event)
        case e.WithdrawalTested():
            return _withdrawal(battle, event, roll)
    return None


def _command(battle: BattleNow, happened: tuple[e.Event, ...], event: e.CommandTested) -> Message:
    """Say what a command test needs. Each side rolls once against all others (B-17)."""
    tests = [other for other in happened if isinstance(other, e.CommandTested)]
    if event.side in [other.side for other in happened if isinstance(other, e.WithdrawalDeclared)]:
        own = (body.id for body in battle.on_field(event.side))
        stake = _of_leaving(battle, own)
    else:
        stake = STRIKES_FIRST if battle.holds(c.NO_SURPRISE) else SURPRISES
    foes = _sides(battle, (other.side for other in tests if other.side != event.side))
    return _opposed(battle, event.rolls, event.score, foes, stake)


def _withdrawal(battle: BattleNow, event: e.WithdrawalTested, roll: Roll) -> Message:
    """Say what a withdrawal needs: one die against the best of those that oppose it (B-35)."""
    for other in event.opposed:
        if roll in other.rolls:
            return _opposed(battle, other.rolls, other.score, name_of(battle, event.army), HOLDS_FAST)
    foes = _sides(battle, (other.side for other in event.opposed))
    return _opposed(battle, event.rolls, event.score, foes, _of_leaving(battle, event.bodies))


def _of_leaving(battle: BattleNow, bodies: Iterable[str]) -> Said:
    """Say what is at stake for a withdrawal. Bodies that never break cannot be routed (B-11)."""
    routs = any(not battle.bodies[body].never_breaks for body in bodies)
    return GETS_AWAY if routs else KEEPS_TOGETHER


def _sides(battle: BattleNow, sides: Iterable[int]) -> str:
    return ", ".join(side_name(battle, side) for side in sides)


def _opposed(battle: BattleNow, rolls: Sequence[Roll], score: int, foes: Said | str, stake: Said) -> Message:
    faces, bonus = known(rolls), score - worth(rolls, plain=battle.house.plain_die)
    if not faces:
        return say(OPPOSED, bonus=bonus, foes=foes, stake=stake)
    return say(TAKEN_OFF if faces[0] == 1 else ADDED, bonus=bonus + value_of(faces), foes=foes, stake=stake)
