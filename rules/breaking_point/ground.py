"""Ground and weather: the effects of each, and of several together (BP-5, B-42, B-43)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import NamedTuple

from rules.breaking_point.spec import Unit
from rules.core.content import Item
from rules.core.text import _

HALF = Fraction(1, 2)
WHOLE = Fraction(1)


@dataclass(frozen=True, slots=True)
class GroundMark(Item):
    """Ground or weather of a battlefield, with the same effects on all bodies.

    `no_charge`: cavalry, chariots and elephants fight as foot; `no_chariots`: only chariots do. `contact` and `shot`
    are factors of the powers. `cover` is a bonus to defense against shots, `shelter` to any defense, after all halvings
    (B-27). `exposed`: defense against shots is halved once more. `command` is a modifier of the command test without
    radio, `combat` of all combat tests, `aim` of shots only. `once`: of marks with the same word only the worst counts.
    `losses` is a factor, before the cap (B-46). `near`: the distance is short. `rubble` is the GM's greatest bonus to
    infantry against machines.
    """

    no_charge: bool = False
    no_chariots: bool = False
    contact: Fraction = WHOLE
    shot: Fraction = WHOLE
    cover: int = 0
    shelter: int = 0
    exposed: bool = False
    command: int = 0
    combat: int = 0
    aim: int = 0
    once: str = ""
    losses: Fraction = WHOLE
    near: bool = False
    rubble: int = 0


def _by_slug(*marks: GroundMark) -> Mapping[str, GroundMark]:
    return {mark.slug: mark for mark in marks}


GROUNDS = _by_slug(
    GroundMark("open", _("Open ground"), "BP-5", _("No modifiers.")),
    GroundMark("forest", _("Forest"), "BP-5", _("No charges. Defense +5 against shots."), no_charge=True, cover=5),
    GroundMark("rough", _("Rough ground"), "BP-5", _("War chariots fight as infantry."), no_chariots=True),
    GroundMark("very-rough", _("Very rough ground"), "BP-5", _(
        "Cavalry and war chariots fight as infantry."
    ), no_charge=True),
    GroundMark("swamp", _("Swamp"), "BP-5", _("Cavalry and war chariots fight as infantry."), no_charge=True),
    GroundMark(
        "mud", _("Mud"), "BP-5",
        _("No charges. Power at contact is halved. Defense against shots is halved once more."),
        no_charge=True, contact=HALF, exposed=True,
    ),
    GroundMark(
        "town", _("Town"), "BP-5",
        _("Power is halved, defense +5, short distance. The GM may give infantry up to +10 against machines."),
        contact=HALF, shot=HALF, shelter=5, near=True, rubble=10,
    ),
)  # fmt: skip

WEATHER = _by_slug(
    GroundMark(
        "visibility", _("Bad visibility"), "B-43", _("−2 on combat tests, and on command tests without a radio."),
        command=-2, combat=-2,
    ),
    GroundMark("night", _("Night"), "B-43", _("−4 on shooting tests. Doesn’t add to a gale."), aim=-4, once="dark"),
    GroundMark("gale", _("Gale"), "B-43", _("−4 on shooting tests. Doesn’t add to night."), aim=-4, once="dark"),
    GroundMark("blind", _("Shooters blinded"), "B-43", _("The power of shots is halved."), shot=HALF),
    GroundMark("heat", _("Heat"), "B-43", _("−2 on combat tests. Doesn’t add to cold."), combat=-2, once="climate"),
    GroundMark("cold", _("Cold"), "B-43", _("−2 on combat tests. Doesn’t add to heat."), combat=-2, once="climate"),
    GroundMark("harsh", _("Harsh weather"), "B-46", _("All losses grow by a tenth."), losses=Fraction(11, 10)),
)  # fmt: skip

MARKS = {**GROUNDS, **WEATHER}


class FieldEffects(NamedTuple):
    """Combined effects of a battlefield on everybody; members as in `GroundMark`. `exposures` is the number of
    additional halvings.
    """

    no_charge: bool
    no_chariots: bool
    contact: Fraction
    shot: Fraction
    cover: int
    shelter: int
    exposures: int
    command: int
    combat: int
    aim: int
    losses: Fraction
    near: bool
    rubble: int


def effects_of(slugs: Collection[str], *, radio: bool = False) -> FieldEffects:
    """Combine these grounds and weathers: all add up (BP-5). Raises KeyError for an unknown slug."""
    marks = [MARKS[slug] for slug in dict.fromkeys(slugs)]
    return FieldEffects(
        no_charge=any(mark.no_charge for mark in marks),
        no_chariots=any(mark.no_chariots for mark in marks),
        contact=prod((mark.contact for mark in marks), start=WHOLE),
        shot=prod((mark.shot for mark in marks), start=WHOLE),
        cover=sum(mark.cover for mark in marks),
        shelter=sum(mark.shelter for mark in marks),
        exposures=sum(mark.exposed for mark in marks),
        command=0 if radio else sum(mark.command for mark in marks),
        combat=_once(marks, "combat"),
        aim=_once(marks, "aim"),
        losses=prod((mark.losses for mark in marks), start=WHOLE),
        near=any(mark.near for mark in marks),
        rubble=max((mark.rubble for mark in marks), default=0),
    )


def _once(marks: Collection[GroundMark], figure: str) -> int:
    """Return the sum of a figure; of marks with the same word only the worst."""
    worst: dict[str, int] = {}
    for mark in marks:
        key = mark.once or mark.slug
        worst[key] = min(worst.get(key, 0), getattr(mark, figure))
    return sum(worst.values())


def can_charge(unit: Unit, field: FieldEffects) -> bool:
    """Whether this ground lets a unit charge (BP-2.2, B-7). Units that charge anywhere need no ground."""
    if unit.type.anywhere:
        return True
    return not (field.no_charge or (field.no_chariots and unit.type.chariots))
