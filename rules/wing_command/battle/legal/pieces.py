"""Parts of the legal choices: targets with modifiers and chances, confirming buttons, percentages."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from rules.core.breakdown import Breakdown
from rules.core.errors import Refusal
from rules.core.text import Said, Term, _, say, signed
from rules.hexbattle.board import Confirm, Piece, Target
from rules.hexbattle.moving import Way
from rules.hexbattle.tokens import Token
from rules.wing_command.battle.acting import planned
from rules.wing_command.battle.combat import (
    BACKWARD,
    DESTROY,
    NONE,
    RECOIL,
    RESULT_WORDS,
    RESULTS,
    ROUT,
    SHAKE,
    Setting,
    chances,
    harm,
    sum_of,
)
from rules.wing_command.battle.legal.selection import EXIT, PickedAct
from rules.wing_command.battle.record import commands as c
from rules.wing_command.battle.record.state import EXHAUSTED, HostState
from rules.wing_command.spec import (
    ADVANCE,
    ATTACK,
    CLOSE_FLIGHT,
    GROUND,
    HIGH_FLIGHT,
    HOLD,
    INFILTRATING,
    MELEE,
    RETREAT,
)
from rules.wing_command.starter import FATIGUES

AT_LEAST_RECOIL = _("recoil or worse")
ORDER_GLYPHS = {ATTACK: "g-swords", ADVANCE: "g-run", HOLD: "g-shield", RETREAT: "g-return"}
POSTURE_GLYPHS = {GROUND: "g-move", INFILTRATING: "g-hood", CLOSE_FLIGHT: "g-wing", HIGH_FLIGHT: "g-wing"}
"""Drawings of orders and postures."""
TONES = {BACKWARD: 0, NONE: 1, RECOIL: 2, SHAKE: 3, ROUT: 4, DESTROY: 5}


def percent(chance: Fraction) -> int:
    """A chance in per cent, rounded."""
    return round(100 * chance)


def pieces(how: str, total: int, *, duel: bool = False) -> tuple[Piece, ...]:
    """The results of an attack with their chances, mildest first.

    In a duel, results against the attacker count as no effect (WC-8.8).
    """
    found = dict(zip(RESULTS[how], chances(how, total), strict=True))
    if duel and BACKWARD in found:
        found[NONE] += found.pop(BACKWARD)
    return tuple(Piece(slug, RESULT_WORDS[slug], chance, TONES[slug]) for slug, chance in found.items())


def sum_lines(found: Breakdown) -> tuple[Said, ...]:
    return tuple(say(_("{label}: {value}"), label=line.label, value=signed(line.value)) for line in found.lines)


def throw(total: int) -> str:
    """The roll in short, such as "2D6 + 3"."""
    if not total:
        return "2D6"
    return f"2D6 {'+' if total > 0 else '−'} {abs(total)}"


LABELS: dict[tuple[str, bool, bool], Term] = {
    (MELEE, False, False): _("Attack {foe}"),
    (MELEE, True, False): _("Charge {foe}"),
    (MELEE, False, True): _("Duel with {foe}"),
    (MELEE, True, True): _("Duel with {foe}, charging"),
}
SHOOT, SHOOT_DUEL = _("Shoot at {foe}"), _("Duel with {foe} by shot")


def label_of(how: str, foe: str, *, charged: bool = False, duel: bool = False) -> Said:
    words = LABELS[how, charged, duel] if how == MELEE else SHOOT_DUEL if duel else SHOOT
    return say(words, foe=foe)


def target_of(state: HostState, attacker: str, foe: Token, how: str, setting: Setting) -> Target:
    """An enemy as a target, with the modifiers and chances of an attack."""
    found = sum_of(state, attacker, foe.id, how, setting)
    total, name = found.total, state.name_in_side(foe.id)
    return Target(
        foe.id, foe.at, name, f"duel-{how}" if setting.duel else how, setting.source, harm(how, total),
        AT_LEAST_RECOIL, pieces(how, total, duel=setting.duel), sum_lines(found), throw(total),
        label_of(how, name, charged=setting.charged, duel=setting.duel),
        pick=f"duel-{how}" if setting.duel else how, icon=_icon(how, setting),
    )  # fmt: skip


def _icon(how: str, setting: Setting) -> str:
    if how != MELEE:
        return "g-arrows"
    return "g-charge" if setting.charged else "g-swords"


def note_of(target: Target) -> Said:
    """The roll and its chance of harm, in words."""
    assert target.chance is not None
    told = {"throw": target.throw, "percent": percent(target.chance), "what": target.chance_label}
    return say(_("{throw} · {percent}% {what}"), **told)


def price_of(cost: int, points: int, fatigue: int | None) -> Said:
    """The cost of a move in words. `fatigue`: the unit's fatigue after a second effort (W-22), None without one."""
    if fatigue is None:
        return say(_("{cost} of {points} points"), cost=cost, points=points)
    after = FATIGUES[min(EXHAUSTED, fatigue)]
    return say(_("{cost} points, a second effort; then: {state}"), cost=cost, state=after)


def confirm(command: Any, title: Said, *, throws: bool = False, note: Said | str = "") -> Confirm:
    """A confirming button whose label is its title."""
    return Confirm(command, title, title, note, throws)


def first[T](found: Iterable[T]) -> T | None:
    return next(iter(found), None)


# Confirmation of an action: its command, its title, and why the law refuses it


def command_of(unit: str, picked: PickedAct, target: Target | None, way: Way | None, effort: bool) -> c.UnitAct:
    """The command of the picked action. `effort`: whether its way takes a second effort."""
    path = way.hexes[1:] if way else ()
    attack = c.Strike(target.target, target.how) if target else None
    leaves = picked.act == EXIT
    charge, follow = (picked.charge, picked.follow) if attack and attack.how == MELEE else (None, None)
    return c.UnitAct(unit, path, "", picked.posture, effort, attack, charge, follow, picked.stay, leaves)


def refusal_of(state: HostState, command: c.UnitAct) -> Said | None:
    """Why the law refuses an action; None if it accepts it."""
    try:
        planned(state, command)
    except Refusal as refusal:
        return refusal.message
    return None


def title_of(state: HostState, unit: str, command: c.UnitAct, target: Target | None) -> Said:
    """The full description of what happens ("Riders to F6: Charge the Levy")."""
    name = state.name_in_side(unit)
    moves = (
        say(_("{unit} to {hex}"), unit=name, hex=command.path[-1]) if command.path else say(Term("{unit}"), unit=name)
    )
    if command.exit:
        return say(_("{unit} leaves the map"), unit=name)
    if target is not None:
        return say(_("{move}: {deed}"), move=moves, deed=target.label)
    return moves if command.path else say(_("{unit} stays"), unit=name)
