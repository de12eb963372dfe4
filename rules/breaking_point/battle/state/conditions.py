"""Conditions of a battlefield (BP-5, B-41 to B-43): ground, weather, and the GM's decisions."""

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
    """Kind of condition. `of` says what it is set on, "" for the field. `whole` is the range of its number, `usual` the
    default. `choices` are its words. `armies`: its value is an army of the side. `reasoned`: it needs a reason.
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
"""Kinds by slug, in the order in which they are offered."""


# Effects of a battlefield's conditions on everybody, computed once for each combination (BP-5, B-27).

type TerrainReason = tuple[Said, str]
"""Reason for a halving, and its rule."""


class ForTests:
    """Effects of a battlefield on tests at contact, or on those of shots."""

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
    """Yield the modifiers of combat. Of marks with the same word the first counts (B-43)."""
    told: set[str] = set()
    for mark in marks:
        value = mark.combat + (mark.aim if shooting else 0)
        if value and mark.once not in told:
            told |= {mark.once} if mark.once else set()
            yield Line(mark.name, value, mark.rule)


@dataclass(frozen=True, slots=True, eq=False)
class Terrain:
    """Effects of a battlefield. `marks` are its ground and weather, `effects` their combination. `crowded`: numbers do
    not count. `harsher` is the factor of all losses (B-46), or None. Compared by identity, because caches use it as a
    key.
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
