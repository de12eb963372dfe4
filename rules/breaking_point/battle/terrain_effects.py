"""Terrain: what a battlefield's conditions come to for everybody on it, computed once for each set of them (BP-5,
B-27).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from rules.breaking_point.battle import conditions as c
from rules.breaking_point.battle.battle_state import FieldMark
from rules.breaking_point.ground import HALF, MARKS, FieldEffects, GroundMark, effects_of
from rules.core.breakdown import Line
from rules.core.text import Said

type TerrainReason = tuple[Said, str]
"""Why something is halved, and the rule."""


class ForTests:
    """What a battlefield does to tests at contact, or to those of shots."""

    __slots__ = ("cover", "exposures", "halvings", "weather")

    def __init__(self, marks: tuple[GroundMark, ...], *, shooting: bool):
        self.halvings: tuple[TerrainReason, ...] = tuple(
            (mark.name, mark.rule) for mark in marks if (mark.shot if shooting else mark.contact) == HALF
        )
        self.weather = tuple(_weather(marks, shooting=shooting))
        self.exposures: tuple[TerrainReason, ...] = tuple(
            (mark.name, mark.rule) for mark in marks if shooting and mark.exposed
        )
        covers = (Line(mark.name, mark.shelter + (mark.cover if shooting else 0), mark.rule) for mark in marks)
        self.cover = tuple(line for line in covers if line.value)


def _weather(marks: tuple[GroundMark, ...], *, shooting: bool) -> Iterator[Line]:
    """What weighs on combat; of marks that share a word the first stands for all (B-43)."""
    told: set[str] = set()
    for mark in marks:
        value = mark.combat + (mark.aim if shooting else 0)
        if value and mark.once not in told:
            told |= {mark.once} if mark.once else set()
            yield Line(mark.name, value, mark.rule)


@dataclass(frozen=True, slots=True, eq=False)
class Terrain:
    """`marks`: ground and weather, as they were set; `effects`: what it all comes to. `crowded`: numbers count nothing.

    `harsher`: by what all losses are greater (B-46), None for nothing. Equal to itself alone: what is reckoned from it
    is kept under it.
    """

    marks: tuple[GroundMark, ...]
    effects: FieldEffects
    contact: ForTests
    shots: ForTests
    crowded: bool
    harsher: Fraction | None

    def of(self, *, shooting: bool) -> ForTests:
        return self.shots if shooting else self.contact


@lru_cache(maxsize=256)
def terrain_of(conditions: tuple[FieldMark, ...]) -> Terrain:
    marks = tuple(MARKS[mark.kind] for mark in conditions if mark.kind in MARKS)
    effects = effects_of(tuple(mark.slug for mark in marks))
    return Terrain(
        marks,
        effects,
        ForTests(marks, shooting=False),
        ForTests(marks, shooting=True),
        any(mark.kind in (c.NARROW, c.SITE) for mark in conditions),
        None if effects.losses == 1 else effects.losses,
    )
