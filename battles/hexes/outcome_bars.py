"""Outcomes of an attack, as a bar and in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from battles.hexes.places import percent
from core.text import render
from rules.hexbattle.board import Piece

TONES = 5


class Slice(NamedTuple):
    """A piece of the bar of outcomes, in thousandths, with its colour step."""

    at: int
    wide: int
    tone: int


def slices(pieces: Sequence[Piece]) -> list[Slice]:
    """The bar of outcomes; each piece is as wide as its chance."""
    found, at = [], 0
    for number, piece in enumerate(pieces):
        wide = round(1000 * piece.chance)
        if wide:
            found.append(Slice(at, wide, tone_of(piece, number, len(pieces))))
        at += wide
    return found


def tone_of(piece: Piece, number: int, count: int) -> int:
    """The colour step of a result, 0 to 5; by default derived from its position among `count` results."""
    if piece.tone is not None:
        return piece.tone
    return 1 + (number * (TONES - 1)) // max(1, count - 1)


def in_words(pieces: Sequence[Piece]) -> str:
    """The possible results with their chances, in words."""
    return ", ".join(f"{percent(piece.chance)} {render(piece.label)}" for piece in pieces if piece.chance)
