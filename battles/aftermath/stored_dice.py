"""Stored dice of an aftermath: a battle keeps the dice of its confirmations, even of undone ones."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from battles.codec import storage
from battles.models import Battle
from battles.play.battle_state import get_engine
from rules.core.dice import Roll, by_name


@dataclass(frozen=True, slots=True)
class AftermathDice:
    """Dice kept for an aftermath. `throw`: number of rerolls that are not undone. Undoing a reroll brings the earlier
    dice back.
    """

    battle_id: UUID
    throw: int
    dice: tuple[Roll, ...]


def load_earlier_choices(battle: Battle) -> dict[str, str]:
    """Choices of the confirmation that was undone last, by the question's key; empty without one. One query."""
    close = type(get_engine(battle).closing()).__name__
    undone = battle.records.filter(command__is=close, undone=True).order_by("-seq")
    command = undone.values_list("command", flat=True).first()
    return dict(command.get("choices", {})) if command else {}


def load_stored_dice(battle: Battle) -> AftermathDice:
    """The dice kept for the present number of rerolls. One query over confirmations (undone ones too) and rerolls."""
    engine = get_engine(battle)
    close, again = type(engine.closing()).__name__, type(engine.throwing_anew(())).__name__
    records = battle.records.filter(command__is__in=(close, again)).order_by("seq")
    told = list(records.values_list("command", "undone"))
    throw = sum(command["is"] == again and not undone for command, undone in told)
    kept: dict[tuple[str, str], list[Roll]] = {}
    for command, _undone in told:
        if command["is"] == close and command.get("throw", 0) == throw:
            for whose, rolls in by_name(storage.load_dice(command.get("rolls", ()))).items():
                kept[whose] = max(kept.get(whose, []), rolls, key=len)
    return AftermathDice(battle.pk, throw, tuple(roll for rolls in kept.values() for roll in rolls))
