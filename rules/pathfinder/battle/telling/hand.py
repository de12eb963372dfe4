"""Wording of the GM's overrides (PF-3.12): never a slug, and what is added is told as added."""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.text import Message, Said, Term, _, say, signed
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle_state import BattleState
from rules.pathfinder.battle.telling.sentences import name, tells
from rules.pathfinder.battle.telling.summary import STATUS_WORDS
from rules.pathfinder.catalogue.marks import MARKS

SET: Mapping[str, Term] = {
    "hp": _("The GM sets the hit points of {army} to {value}: {reason}"),
    "morale": _("The GM sets the morale of {army} to {value}: {reason}"),
    "om": _("The GM changes the OM of {army} by {value}: {reason}"),
    "dv": _("The GM changes the DV of {army} by {value}: {reason}"),
    "engines": _("The GM sets the siege engines of {army} to {value}: {reason}"),
    "status": _("The GM rules on {army} ({value}): {reason}"),
    "tactic": _("The GM gives {army} the tactic {value}: {reason}"),
    "strategy": _("The GM gives {army} the strategy {value}: {reason}"),
    "target": _("The GM sends {army} against {value}: {reason}"),
    "mark": _("The GM puts a mark on {army} ({value}): {reason}"),
    "ability": _("The GM gives {army} the ability {value}: {reason}"),
    "invincible": _("The GM rules {army} invincible to {value}: {reason}"),
}
TAKEN: Mapping[str, Term] = {
    "target": _("The GM leaves {army} without a target: {reason}"),
    "mark": _("The GM takes a mark from {army} ({value}): {reason}"),
    "ability": _("The GM takes from {army} the ability {value}: {reason}"),
    "invincible": _("The GM rules {army} no longer invincible to {value}: {reason}"),
}
SIGNED = ("om", "dv", "morale")


@tells(e.Overridden)
def _overridden(b: BattleState, ev: e.Overridden) -> Message:
    if not ev.field:  # neither what nor why is told to this reader
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
    """An ability may carry its number: "fast-healing 4"."""
    slug, _space, number = text.partition(" ")
    known = b.law.abilities[slug].name
    return say(Term("{ability} {number}"), ability=known, number=number) if number else known
