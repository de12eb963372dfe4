"""Conditions of a battlefield (BP-5, B-41 to B-43): its ground, its weather, and the GM's words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from rules.breaking_point.battle.state.battle_state import FieldMark
from rules.breaking_point.ground import GROUNDS, HALF, MARKS, FieldEffects, GroundMark, effects_of
from rules.breaking_point.ground import WEATHER as WEATHERS
from rules.breaking_point.spec import RANGES
from rules.core.breakdown import Line
from rules.core.text import Said, Term, _

GROUND, WEATHER, WORD = "ground", "weather", "word"
OPEN = "open"
NARROW, SITE, NO_SURPRISE, COVER, SURROUNDED = "narrow", "site", "no-surprise", "cover", "surrounded"
DISTANCE, CIRCUMSTANCES, RADIO, CHIEF = "distance", "circumstances", "radio", "chief"
DUSK, FLYERS, EQUIPPED, INVESTED = "dusk", "flyers", "equipped", "invested"
RETREAT, UNTESTED = "retreat", "untested"

OF_SIDE, OF_BODY = "side", "body"
COVER_USUAL, COVER_MOST, CIRCUMSTANCES_MOST, RETREAT_MOST, DUSK_MOST = 5, 10, 10, 5, 999


class ConditionKind(NamedTuple):
    """`of`: for what it is set, "" for the field. `whole`: its numbers, from and to; `usual`: where none is given.

    `choices`: its words; `armies`: its value is an army of the side; `reasoned`: it is told with a reason.
    """

    slug: str
    name: Term
    family: str
    rule: str
    of: str = ""
    whole: tuple[int, int] | None = None
    usual: int | None = None
    choices: tuple[str, ...] = ()
    armies: bool = False
    reasoned: bool = False


_ALL = (
    *(ConditionKind(mark.slug, mark.name, GROUND, mark.rule) for mark in GROUNDS.values() if mark.slug != OPEN),
    *(ConditionKind(mark.slug, mark.name, WEATHER, mark.rule) for mark in WEATHERS.values()),
    ConditionKind(NARROW, _("Narrow ground"), WORD, "BP-4.5"),
    ConditionKind(SITE, _("Inaccessible site"), WORD, "BP-8"),
    ConditionKind(NO_SURPRISE, _("No surprise possible"), WORD, "B-41"),
    ConditionKind(COVER, _("Cover"), WORD, "BP-4.4", OF_BODY, (1, COVER_MOST), COVER_USUAL),
    ConditionKind(SURROUNDED, _("Surrounded"), WORD, "B-37", OF_BODY),
    ConditionKind(DISTANCE, _("Distance"), WORD, "BP-4.4", choices=RANGES),
    ConditionKind(CIRCUMSTANCES, _("Circumstances"), WORD, "B-16", OF_SIDE, (-CIRCUMSTANCES_MOST, CIRCUMSTANCES_MOST)),
    ConditionKind(RADIO, _("Radio"), WORD, "BP-4.1", OF_SIDE),
    ConditionKind(CHIEF, _("Chief"), WORD, "B-15", OF_SIDE, armies=True),
    ConditionKind(DUSK, _("Dusk after round"), WORD, "B-45", whole=(1, DUSK_MOST)),
    ConditionKind(FLYERS, _("Flyers’ power multiplied"), WORD, "BP-8", whole=(2, 3), usual=2),
    ConditionKind(EQUIPPED, _("Equipped for the assault"), WORD, "B-53"),
    ConditionKind(INVESTED, _("Place invested"), WORD, "B-56"),
    ConditionKind(RETREAT, _("Retreat"), WORD, "B-82", OF_SIDE, (-RETREAT_MOST, RETREAT_MOST), reasoned=True),
    ConditionKind(UNTESTED, _("No command test"), WORD, "B-81"),
)
CONDITIONS: Mapping[str, ConditionKind] = {kind.slug: kind for kind in _ALL}
"""By slug, in the order in which they are offered."""


# Terrain: what a battlefield's conditions come to for everybody on it, computed once for each set of them (BP-5,
# B-27).

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
        any(mark.kind in (NARROW, SITE) for mark in conditions),
        None if effects.losses == 1 else effects.losses,
    )
