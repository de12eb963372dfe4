"""Throws of symbol dice (TF-1.6, TF-1.7): hits, confirmations, flags, and their exact chances.

A throw is a value, used both for rolling and for its chances, so that they agree.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from rules.hexbattle import chances
from rules.hexbattle.chances import ONE
from rules.thucidide_fantasy.spec import Ladder

GREEN, BLUE, RED, FLAG, LETTER, ADVANTAGE = 1, 2, 3, 4, 5, 6
COLOURS = (GREEN, BLUE, RED)
BY_STRENGTH = (RED, BLUE, GREEN)
"""The colors, in the order in which levels of protection let them hit."""
USUAL_LADDER = (
    Ladder(3, 0, True), Ladder(3), Ladder(2), Ladder(1), Ladder(1, 3), Ladder(1, 2), Ladder(1, 1),
)  # fmt: skip


class Throw(NamedTuple):
    """A throw of dice at a target.

    `by`, `at`: attacker and target. `name`: of the roll. `confirms`: the faces that confirm a loss, in stages (T-46).
    `flags`: faces that count as flags. `letters`: whether letters win counters. `fire`: losses count as by fire.
    `lights`: an advantage lights flammable ground. `foul`: a foul touch. `advantage`: advantages hit any weight, by
    assault or support.
    """

    name: str
    by: str
    at: str
    dice: int
    hits: tuple[int, ...]
    confirms: tuple[tuple[int, ...], ...] = ()
    flags: tuple[int, ...] = (FLAG,)
    letters: bool = True
    fire: bool = False
    lights: bool = False
    foul: bool = False
    advantage: bool = False


def faces_that_hit(ladder: Sequence[Ladder], level: int, *, advantage: bool) -> tuple[int, ...]:
    """The faces that hit a level. `advantage`: it is an assault, or the attacker is supported in melee (TF-1.7)."""
    rung = _rung(ladder, level)
    hits = BY_STRENGTH[: rung.hits]
    return (*hits, ADVANTAGE) if advantage or rung.advantage else hits


def stages_of(
    ladder: Sequence[Ladder], level: int, *, invulnerable: bool = False, fire_proof: bool = False
) -> tuple[tuple[int, ...], ...]:
    """The stages that confirm a loss: the level's own, then invulnerability, then fire protection (T-46)."""
    confirms = _rung(ladder, level).confirms
    own = (BY_STRENGTH[:confirms],) if confirms else ()
    return (*own, *((COLOURS,) if invulnerable else ()), *((COLOURS,) if fire_proof else ()))


def _rung(ladder: Sequence[Ladder], level: int) -> Ladder:
    return ladder[max(1, min(level, len(ladder))) - 1]


def count(faces: Iterable[int], among: Sequence[int]) -> int:
    """The number of dice that show one of these faces."""
    return sum(face in among for face in faces)


# Chances


class ThrowResult(NamedTuple):
    """What a throw comes to: losses, flags, and whether it shows an advantage."""

    lost: int
    flags: int
    advantage: bool


@lru_cache(maxsize=1 << 12)
def losses_and_flags(
    dice: int, hits: tuple[int, ...], confirms: tuple[tuple[int, ...], ...], flags: tuple[int, ...], most: int
) -> dict[ThrowResult, Fraction]:
    """The chance of each number of losses and flags, with or without an advantage. Losses above `most` count as
    `most`.
    """
    faces = tuple((int(face in hits), int(face in flags), int(face == ADVANTAGE)) for face in range(1, 7))
    found: dict[ThrowResult, Fraction] = {}
    for (struck, raised, advantages), chance in chances.symbols(dice, faces).items():
        for lost, share in enumerate(_kept(struck, confirms)):
            key = ThrowResult(min(lost, most), raised, advantages > 0)
            found[key] = found.get(key, Fraction(0)) + chance * share
    return found


@lru_cache(maxsize=1 << 10)
def _kept(struck: int, confirms: tuple[tuple[int, ...], ...]) -> tuple[Fraction, ...]:
    """The chance of each number of hits being confirmed in every stage, out of `struck` hits."""
    kept = (*(Fraction(0) for _none in range(struck)), ONE)
    for stage in confirms:
        kept = chances.confirmed(kept, Fraction(len(stage), 6))
    return kept


@lru_cache(maxsize=1 << 12)
def losses(
    dice: int, hits: tuple[int, ...], confirms: tuple[tuple[int, ...], ...] = (), most: int = 1 << 10
) -> tuple[Fraction, ...]:
    """The chance of each number of losses, from 0 to the number of dice or `most`, which includes all above."""
    kept = chances.pool(dice, tuple(int(face in hits) for face in range(1, 7)))
    for stage in confirms:
        kept = chances.confirmed(kept, Fraction(len(stage), 6))
    return chances.capped(kept, min(most, dice))


@lru_cache(maxsize=1 << 12)
def mean_losses(
    dice: int, hits: tuple[int, ...], confirms: tuple[tuple[int, ...], ...] = (), most: int = 1 << 10
) -> float:
    """The expected losses."""
    return float(chances.mean(losses(dice, hits, confirms, most)))
