"""Log entries of events: a sentence each, with dice, numbers and breakdowns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rules.core.breakdown import Breakdown
from rules.core.text import Message, Said, Term, _, say, signed
from rules.law import LogEntry, Sum, Weight
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle_state import AFTERMATH, BattleState, Phase
from rules.pathfinder.battle.telling.sentences import TELL, name, tells
from rules.pathfinder.battle.telling.summary import STATUS_WORDS, phase_label
from rules.pathfinder.catalogue.conditions import MARKS

# Wording of the GM's overrides (PF-3.12). Slugs are never shown; additions are told as additions.

SET: Mapping[str, Term] = {
    "hp": _("The GM sets the hit points of {army} to {value}: {reason}"),
    "morale": _("The GM sets the morale of {army} to {value}: {reason}"),
    "om": _("The GM changes the OM of {army} by {value}: {reason}"),
    "dv": _("The GM changes the DV of {army} by {value}: {reason}"),
    "engines": _("The GM sets the siege engines of {army} to {value}: {reason}"),
    "status": _("GM ruling on {army} ({value}): {reason}"),
    "tactic": _("The GM gives {army} the tactic {value}: {reason}"),
    "strategy": _("The GM gives {army} the strategy {value}: {reason}"),
    "target": _("The GM sends {army} against {value}: {reason}"),
    "mark": _("The GM puts a mark on {army} ({value}): {reason}"),
    "ability": _("The GM gives {army} the ability {value}: {reason}"),
    "invincible": _("The GM makes {army} invincible against {value}: {reason}"),
}
TAKEN: Mapping[str, Term] = {
    "target": _("The GM removes the target of {army}: {reason}"),
    "mark": _("The GM removes a mark from {army} ({value}): {reason}"),
    "ability": _("The GM removes the ability {value} from {army}: {reason}"),
    "invincible": _("By GM ruling, the invincibility of {army} against {value} ends: {reason}"),
}
SIGNED = ("om", "dv", "morale")


@tells(e.Overridden)
def _overridden(b: BattleState, ev: e.Overridden) -> Message:
    if not ev.field:  # this reader may know neither what was changed nor why
        return say(_("The GM corrects {army}."), army=name(b, ev.army))
    taken = ev.value is None or (ev.field in ("mark", "ability", "invincible") and str(ev.value).startswith("-"))
    template = (TAKEN if taken else SET)[ev.field]
    return say(template, army=name(b, ev.army), value=_value(b, ev.field, ev.value), reason=ev.reason)


def _value(b: BattleState, field: str, value: int | str | None) -> Said | str | int | None:
    slug = "" if value is None else str(value)
    match field:
        case "tactic":
            return b.law.tactics[slug].name
        case "strategy":
            return b.law.strategies[slug].name
        case "status":
            return STATUS_WORDS[slug]
        case "target":
            return name(b, slug)
        case "invincible":
            return name(b, slug[1:])
        case "mark":
            return MARKS[slug[1:]].name
        case "ability":
            return _ability(b, slug[1:])
    return signed(value) if field in SIGNED and isinstance(value, int) else value


def _ability(b: BattleState, text: str) -> Said:
    """Name an ability with its value: "fast-healing 4"."""
    slug, _space, number = text.partition(" ")
    known = b.law.abilities[slug].name
    return say(Term("{ability} {number}"), ability=known, number=number) if number else known


NUMBERS = ("check", "against", "damage", "hp_before", "hp_after")
SUMS = (
    ("om", _("OM")),
    ("dv", _("DV")),
    ("damage_lines", _("Damage")),
    ("lines", _("Check")),
    ("foe_lines", _("Against")),
)
OF_THE_TARGET = ("dv", "foe_lines")  # breakdowns that show the figures of the other army
QUIET = (e.PhaseEnded, e.OrderGiven)  # headings and order locks already show these


def describe(battle: BattleState, event: e.Event) -> LogEntry:
    """Return the log entry of an event. `battle` is any state of the battle that knows its armies' names."""
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
        harmed=_harmed(battle, event),
    )


def _harmed(battle: BattleState, event: e.Event) -> int | None:
    """Return the side that the event hurts: of an army that is hit, breaks, or leaves the field."""
    match event:
        case e.Attacked(target=hurt):
            held = battle.armies.get(hurt)
        case e.Wounded() | e.Left() | e.LastStand() | e.RoutChecked(success=False) | e.FearChecked(success=False):
            held = battle.armies.get(event.army)
        case _:
            return None
    return held.side if held else None


def _begins(event: e.Event) -> Said | None:
    """Return the heading that starts with this event, or None."""
    if isinstance(event, e.PhaseBegan):
        return phase_label(event.phase)
    afterwards = isinstance(event, e.BattleClosed | e.BattleReopened | e.RolledAnew)
    return phase_label(Phase(AFTERMATH)) if afterwards else None


def _hidden(event: e.Event) -> bool:
    """Whether the event is bookkeeping of the engine, whose cause is already told."""
    match event:
        case e.Marked(mark=mark):
            return MARKS[mark.kind].hidden
        case e.Unmarked(kind=kind):
            return MARKS[kind].hidden
    return False


def _weight(event: e.Event) -> Weight:
    """Return the weight of an event: broken, fallen, fled and last-standing armies turn the battle; holding or being
    afraid is worth a look.
    """
    match event:
        case e.Left() | e.LastStand() | e.BattleEnded() | e.RoutChecked(success=False):
            return Weight.TURNING
        case e.RoutChecked() | e.FearChecked(success=False) | e.WithdrawalDecided() | e.ArmyJoined() | e.DistanceKept():
            return Weight.TELLING
        case e.Ambushed(success=True) | e.EngineAttacked(success=True) | e.Spawned():
            return Weight.TELLING
    return Weight.USUAL


def slug_of(kind: type) -> str:
    """Return the slug of a class: "FortWorn" gives "fort-worn"."""
    name = kind.__name__
    return "".join(f"-{c.lower()}" if c.isupper() and i else c.lower() for i, c in enumerate(name))


def _target_of(event: e.Event) -> str:
    return str(getattr(event, "target", None) or getattr(event, "by", None) or "")


def _numbers(event: e.Event) -> Iterator[tuple[str, int]]:
    """Return the figures that the reader may know."""
    return ((name, found) for name in NUMBERS if (found := getattr(event, name, None)) is not None)


def _check(event: e.Event) -> tuple[tuple[int, int] | None, int]:
    """Return which of the dice belong to the check, as a range, and the bonus. Of repeated rolls the last counts
    (PF-2.9, R-30); damage dice follow the die of an attack (R-41).
    """
    rolls, check = getattr(event, "rolls", ()), getattr(event, "check", None)
    if not rolls or check is None:
        return None, 0
    at = {e.RoutChecked: len(rolls) - 1, e.WithdrawalOpposed: len(rolls) - 2}.get(type(event), 0)
    return (at, at + 1), check - rolls[at].value


def _counts(event: e.Event) -> bool:
    return bool(getattr(event, "rolls", ())) or isinstance(event, (e.Attacked, e.Healed, e.Wounded))


def _sums(event: e.Event, army: str) -> Iterator[Sum]:
    for member, title in SUMS:
        if lines := getattr(event, member, ()):
            yield Sum(title, Breakdown(lines), _target_of(event) if member in OF_THE_TARGET else army)


def luck(battle: BattleState, events: Iterable[e.Event]) -> dict[int, float]:
    """Return by side how far its d20s fell above or below average in sum."""
    sums = dict.fromkeys(range(len(battle.sides)), 0.0)
    for event in events:
        fell = () if isinstance(event, e.RolledAnew) else getattr(event, "rolls", ())
        for roll in fell:
            army = battle.armies.get(roll.army)
            if army is not None and roll.die == 20:
                sums[army.side] += roll.value - 10.5
    return sums
