"""Log entries of events: a sentence each, with dice and breakdowns. Also the requests for dice that people still have
to type.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from rules.breaking_point.battle.state import conditions as c
from rules.breaking_point.battle.state import events as e
from rules.breaking_point.battle.state.battle_state import AFTERMATH, ROUND, SETUP, BattleNow
from rules.breaking_point.battle.telling.sentences import TELL
from rules.breaking_point.battle.telling.words import name_of, phase_label, side_name
from rules.breaking_point.dice import DIE, MEAN, known, need_of, value_of, worth
from rules.core import dice
from rules.core.breakdown import Breakdown
from rules.core.dice import DiceNeeded, Roll
from rules.core.text import Message, Said, _, say
from rules.law import Closed, LogEntry, Sum, ThrownAnew, Weight, whole

# Log entries of events: a sentence each, with dice and breakdowns.

QUIET = (e.PhaseEnded, e.OrderGiven, e.Rests, e.SurpriseEnded, e.Heartened)
SUMS = (("lines", _("Test")), ("foe_lines", _("Difficulty")), ("power_lines", _("Power")))
TURNING = (e.Broke, e.BodyLeft, e.BattleEnded, e.SideWithdrawn)
HURTING = (e.Suffered, e.Broke, e.BodyLeft, e.SideWithdrawn)  # events that hurt the side of their own army
TELLING = (e.InitiativeSettled, e.Rallied, e.ReserveCommitted, e.ArmyJoined, e.WithdrawalTested)


def described(battle: BattleNow, event: e.Event) -> LogEntry:
    """Return the log entry of an event. `battle` is any state of the battle that knows its armies."""
    army = _army_of(battle, event)
    own, bonus = _check(event)
    side = _side_of(battle, event, army)
    return LogEntry(
        type=slug_of(type(event)),
        army=army,
        target=_army(battle, getattr(event, "target", "")),
        text=TELL[type(event)](battle, event),
        rolls=rolls_of(event),
        numbers=_numbers(event),
        rule=getattr(event, "rule", ""),
        sums=tuple(_sums(battle, event, army)),
        secret=isinstance(event, e.OrderGiven | e.OrderLost),
        side=side,
        quiet=isinstance(event, QUIET),
        begins=_begins(event),
        heading=isinstance(event, e.PhaseBegan),
        ends=phase_label(*event.phase) if isinstance(event, e.PhaseEnded) else None,
        weight=_weight(event),
        own=own,
        bonus=bonus,
        harmed=side if isinstance(event, HURTING) else None,
    )


def slug_of(kind: type) -> str:
    """Return the slug of a class: "DistanceChanged" gives "distance-changed"."""
    name = kind.__name__
    return "".join(f"-{c.lower()}" if c.isupper() and i else c.lower() for i, c in enumerate(name))


def rolls_of(event: e.Event) -> tuple[Roll, ...]:
    own: tuple[Roll, ...] = getattr(event, "rolls", ())
    return own + tuple(roll for other in getattr(event, "opposed", ()) for roll in other.rolls)


def _army_of(battle: BattleNow, event: e.Event) -> str:
    return _army(battle, getattr(event, "body", "")) or _army(battle, getattr(event, "army", ""))


def _army(battle: BattleNow, subject: str) -> str:
    """Return the army of a body, or the army itself."""
    body = battle.bodies.get(subject)
    return body.army if body is not None else subject if subject in battle.armies else ""


def _side_of(battle: BattleNow, event: e.Event, army: str) -> int | None:
    side = getattr(event, "side", None)
    if isinstance(side, int):
        return side
    return next((index for index, one in enumerate(battle.sides) if army in one.armies), None)


def _numbers(event: e.Event) -> dict[str, int]:
    match event:
        case e.Attacked() | e.Rallied():
            told = {"check": event.score, "against": event.against}
            return {name: number for name, number in told.items() if number is not None}
        case e.CommandTested():
            return {"check": event.score}
        case e.WithdrawalTested() if event.opposed:
            return {"check": event.score, "against": max(other.score for other in event.opposed)}
        case e.Suffered() if event.lost is not None:
            return {"damage": event.lost}
    return {}


def _check(event: e.Event) -> tuple[tuple[int, int] | None, int]:
    """Return which of the dice belong to the event's own check, as a range, and the bonus to their value (B-1)."""
    rolls, score = getattr(event, "rolls", ()), getattr(event, "score", None)
    return ((0, len(rolls)), score - worth(rolls)) if rolls and score is not None else (None, 0)


def _sums(battle: BattleNow, event: e.Event, army: str) -> Iterator[Sum]:
    for name, title in SUMS:
        if lines := getattr(event, name, ()):
            whose = _army(battle, getattr(event, "target", "")) if name == "foe_lines" else army
            yield Sum(title, Breakdown(lines), whose)


def _begins(event: e.Event) -> Said | None:
    return phase_label(*event.phase) if isinstance(event, e.PhaseBegan) else None


def afterwards() -> Said:
    """Return the heading of the aftermath."""
    return phase_label(AFTERMATH, 1)


def _weight(event: e.Event) -> Weight:
    if isinstance(event, TURNING) or (isinstance(event, e.Rallied) and event.success):  # a rally undoes a turning point
        return Weight.TURNING
    return Weight.TELLING if isinstance(event, TELLING) else Weight.USUAL


def luck_of(battle: BattleNow, events: Iterable[e.Event]) -> dict[int, float]:
    """Return by side how far its open dice fell above or below average in sum (B-1)."""
    sums = dict.fromkeys(range(len(battle.sides)), 0.0)
    for event in events:
        if isinstance(event, Closed | ThrownAnew):
            continue
        for side, rolls in _thrown(battle, event):
            if side is not None and rolls and rolls[0].die == DIE:
                sums[side] += worth(rolls, plain=battle.house.plain_die) - MEAN
    return sums


def _thrown(battle: BattleNow, event: e.Event) -> Iterator[tuple[int | None, tuple[Roll, ...]]]:
    own: tuple[Roll, ...] = getattr(event, "rolls", ())
    if own:
        yield _side_of(battle, event, _army_of(battle, event)), own
    for other in getattr(event, "opposed", ()):
        yield other.side, other.rolls


def fought(events: Iterable[e.Event]) -> bool:
    """Whether the command test or a round was resolved, or the battle ended."""
    return any(
        isinstance(event, e.BattleEnded) or (isinstance(event, e.PhaseEnded) and event.phase.kind != SETUP)
        for event in events
    )


# Needs of dice still to be typed (BP-4.1, BP-4.2, BP-4.4, BP-4.11). Only the GM rolls dice, so nothing has to be
# hidden.

FOLLOWS = (
    ({"pursuit", "riposte"}, _("Routed groups may be rallied; their die comes later.")),
    (
        {"contact"},
        _("Groups that strike later roll their own dice next, followed by pursuits and rallies."),
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
STRIKES_FIRST = _("strikes first if ahead by 2")
SURPRISES = _("strikes first if ahead by 2; by 5, surprises too")
GETS_AWAY = _("gets away if ahead by 2; by 5, with guns and baggage; routed if behind by 5")
KEEPS_TOGETHER = _("gets away if ahead by 2; by 5, with guns and baggage")
HOLDS_FAST = _("gets away if ahead by 2")


def foretold(battle: BattleNow, happened: Iterable[e.Event], needed: DiceNeeded) -> DiceNeeded:
    """Return requests for the dice needed, each with its target and a note on further dice that may follow. `battle` is
    the state in that step.
    """
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
    """Return the target of a command test, in words. Each side rolls once against all others (B-17)."""
    tests = [other for other in happened if isinstance(other, e.CommandTested)]
    if event.side in [other.side for other in happened if isinstance(other, e.WithdrawalDeclared)]:
        own = (body.id for body in battle.on_field(event.side))
        stake = _of_leaving(battle, own)
    else:
        stake = STRIKES_FIRST if battle.holds(c.NO_SURPRISE) else SURPRISES
    foes = _sides(battle, (other.side for other in tests if other.side != event.side))
    return _opposed(battle, event.rolls, event.score, foes, stake)


def _withdrawal(battle: BattleNow, event: e.WithdrawalTested, roll: Roll) -> Message:
    """Return the target of a withdrawal, in words: one die against the best of those that oppose it (B-35)."""
    for other in event.opposed:
        if roll in other.rolls:
            return _opposed(battle, other.rolls, other.score, name_of(battle, event.army), HOLDS_FAST)
    foes = _sides(battle, (other.side for other in event.opposed))
    return _opposed(battle, event.rolls, event.score, foes, _of_leaving(battle, event.bodies))


def _of_leaving(battle: BattleNow, bodies: Iterable[str]) -> Said:
    """Return the possible results of a withdrawal, in words. Bodies that never break cannot be routed (B-11)."""
    routs = any(not battle.bodies[body].never_breaks for body in bodies)
    return GETS_AWAY if routs else KEEPS_TOGETHER


def _sides(battle: BattleNow, sides: Iterable[int]) -> str:
    return ", ".join(side_name(battle, side) for side in sides)


def _opposed(battle: BattleNow, rolls: Sequence[Roll], score: int, foes: Said | str, stake: Said) -> Message:
    faces, bonus = known(rolls), score - worth(rolls, plain=battle.house.plain_die)
    if not faces:
        return say(OPPOSED, bonus=bonus, foes=foes, stake=stake)
    return say(TAKEN_OFF if faces[0] == 1 else ADDED, bonus=bonus + value_of(faces), foes=foes, stake=stake)
