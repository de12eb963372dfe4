"""Events in words: one sentence each, with the dice, the numbers and the sums behind them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rules.core.breakdown import Breakdown
from rules.core.text import Said, _
from rules.law import LogEntry, Sum, Weight
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle_state import AFTERMATH, BattleState, Phase
from rules.pathfinder.battle.telling import hand  # noqa: F401 its sentences too
from rules.pathfinder.battle.telling.sentences import TELL
from rules.pathfinder.battle.telling.summary import phase_label
from rules.pathfinder.catalogue.marks import MARKS

NUMBERS = ("check", "against", "damage", "hp_before", "hp_after")
SUMS = (
    ("om", _("OM")),
    ("dv", _("DV")),
    ("damage_lines", _("Damage")),
    ("lines", _("Check")),
    ("foe_lines", _("Against")),
)
OF_THE_TARGET = ("dv", "foe_lines")  # what was rolled against are the other army's figures
QUIET = (e.PhaseEnded, e.OrderGiven)  # the headings and the locks say it already


def describe(battle: BattleState, event: e.Event) -> LogEntry:
    """The event for the log. `battle` is any state of that battle which knows the armies' names."""
    army = getattr(event, "army", "")
    held = battle.armies.get(army)
    own, bonus = _check(event)
    return LogEntry(
        type=slug_of(type(event)),
        army=army,
        target=_target_of(event),
        text=TELL[type(event)](battle, event),
        rolls=getattr(event, "rolls", ()),
        numbers=dict(_numbers(event)) if _counts(event) else {},
        rule=event.rule,
        sums=tuple(_sums(event, army)),
        secret=isinstance(event, e.OrderGiven),
        side=held.side if held else None,
        quiet=isinstance(event, QUIET) or _hidden(event),
        begins=_begins(event),
        heading=isinstance(event, e.PhaseBegan),
        ends=phase_label(event.phase) if isinstance(event, e.PhaseEnded) else None,
        weight=_weight(event),
        own=own,
        bonus=bonus,
    )


def _begins(event: e.Event) -> Said | None:
    """The heading under which the log goes on."""
    if isinstance(event, e.PhaseBegan):
        return phase_label(event.phase)
    afterwards = isinstance(event, e.BattleClosed | e.BattleReopened | e.RolledAnew)
    return phase_label(Phase(AFTERMATH)) if afterwards else None


def _hidden(event: e.Event) -> bool:
    """The engine's own notes: what they come of has told it."""
    match event:
        case e.Marked(mark=mark):
            return MARKS[mark.kind].hidden
        case e.Unmarked(kind=kind):
            return MARKS[kind].hidden
    return False


def _weight(event: e.Event) -> Weight:
    """Who broke, fell, fled or fought their last turns the battle; who held or was afraid is worth a look."""
    match event:
        case e.Left() | e.LastStand() | e.BattleEnded() | e.RoutChecked(success=False):
            return Weight.TURNING
        case e.RoutChecked() | e.FearChecked(success=False) | e.WithdrawalDecided() | e.ArmyJoined() | e.DistanceKept():
            return Weight.TELLING
        case e.Ambushed(success=True) | e.EngineAttacked(success=True) | e.Spawned():
            return Weight.TELLING
    return Weight.USUAL


def slug_of(kind: type) -> str:
    """ "FortWorn" → "fort-worn"."""
    name = kind.__name__
    return "".join(f"-{c.lower()}" if c.isupper() and i else c.lower() for i, c in enumerate(name))


def _target_of(event: e.Event) -> str:
    return str(getattr(event, "target", None) or getattr(event, "by", None) or "")


def _numbers(event: e.Event) -> Iterator[tuple[str, int]]:
    """Those its reader may know."""
    return ((name, found) for name in NUMBERS if (found := getattr(event, name, None)) is not None)


def _check(event: e.Event) -> tuple[tuple[int, int] | None, int]:
    """Where among the dice the one of its check lies, and what was added to it.

    Of rolls made again the last counts (PF-2.9, R-30); behind the die of an attack lie those of its damage (R-41).
    """
    rolls, check = getattr(event, "rolls", ()), getattr(event, "check", None)
    if not rolls or check is None:
        return None, 0
    at = {e.RoutChecked: len(rolls) - 1, e.WithdrawalOpposed: len(rolls) - 2}.get(type(event), 0)
    return (at, at + 1), check - rolls[at].value


def _counts(event: e.Event) -> bool:
    return bool(getattr(event, "rolls", ())) or isinstance(event, (e.Attacked, e.Healed, e.Wounded))


def _sums(event: e.Event, army: str) -> Iterator[Sum]:
    for name, title in SUMS:
        if lines := getattr(event, name, ()):
            yield Sum(title, Breakdown(lines), _target_of(event) if name in OF_THE_TARGET else army)


def luck(battle: BattleState, events: Iterable[e.Event]) -> dict[int, float]:
    """By side, how far its d20s fell above or below average in all."""
    sums = dict.fromkeys(range(len(battle.sides)), 0.0)
    for event in events:
        fell = () if isinstance(event, e.RolledAnew) else getattr(event, "rolls", ())
        for roll in fell:
            army = battle.armies.get(roll.army)
            if army is not None and roll.die == 20:
                sums[army.side] += roll.value - 10.5
    return sums
