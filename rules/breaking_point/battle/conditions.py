"""Conditions of a battlefield (BP-5, B-41 to B-43): its ground, its weather, and the GM's words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rules.breaking_point.ground import GROUNDS
from rules.breaking_point.ground import WEATHER as WEATHERS
from rules.breaking_point.spec import RANGES
from rules.core.text import Term, _

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
    ConditionKind(INVESTED, _("The place is invested"), WORD, "B-56"),
    ConditionKind(RETREAT, _("Retreat"), WORD, "B-82", OF_SIDE, (-RETREAT_MOST, RETREAT_MOST), reasoned=True),
    ConditionKind(UNTESTED, _("No command test"), WORD, "B-81"),
)
CONDITIONS: Mapping[str, ConditionKind] = {kind.slug: kind for kind in _ALL}
"""By slug, in the order in which they are offered."""
