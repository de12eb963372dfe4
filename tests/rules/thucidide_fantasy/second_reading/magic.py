"""Casting (TF-6, T-12, T-13, T-36, T-62, T-78, T-91)."""

from __future__ import annotations

from typing import Any

from tests.rules.thucidide_fantasy.second_reading.host import (
    Piece,
    Situation,
    menaced,
    demand,
    on_table,
)

READ: dict[str, Any] = {}


def caster_of(now: Situation, caster: str) -> Piece:
    demand(now["phase"] == "spells", "only in the spell phase")
    piece = now["pieces"].get(caster)
    demand(piece and on_table(piece) and piece["side"] == now["side"], "not yours")
    demand(piece["announced"] and not piece["cast"], "has not announced")
    return piece


def decline(now: Situation, caster: str) -> None:
    caster_of(now, caster)["cast"] = True


def cast(now: Situation, dice: Any, caster: str, spell: str, targets: list[str]) -> None:
    piece = caster_of(now, caster)
    demand(not menaced(now, piece), "an enemy is beside")
    demand(not piece["stirred"] and not piece["fought"], "has moved or fought")
    demand(spell in READ, "not read")
