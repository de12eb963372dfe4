"""What the builder's lists offer: the law's tables by name, each with what is to be known of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from armies.breaking_point import words
from armies.breaking_point.forms.posted import OWN, Json
from kingdom.text import render
from rules.breaking_point.spec import SHOOTING, Unit
from rules.breaking_point.starter import (
    ARMOURS,
    MACHINES,
    MACHINES_BY_SLUG,
    QUALITIES,
    STARTERS,
    UNIT_TYPES,
    WEAPONS,
    quality_of,
)

type Choices = list[tuple[Any, Any]]

NOTHING = ("", "–")
MEN, MACHINES_TO_BEGIN, CREW_COMBAT = 100, 10, 5
QUALITY_NUMBERS = {quality.slug: quality.usual for quality in QUALITIES}


@dataclass(frozen=True, slots=True)
class Offers:
    """The choices of each list, in the reader's language."""

    types: Choices
    weapons: Choices
    armours: Choices
    machines: Choices
    qualities: Choices


def offers_of(law: Any) -> Offers:
    own = (OWN, _("one of their own…"))
    return Offers(
        types=_by_name((slug, render(kind.name)) for slug, kind in UNIT_TYPES.items()),
        weapons=[NOTHING, *_weapons(law), own],
        armours=[NOTHING, *_armours(law)],
        machines=[NOTHING, *_by_name((slug, render(one.name)) for slug, one in MACHINES_BY_SLUG.items()), own],
        qualities=[NOTHING, *((one.slug, _quality(one)) for one in QUALITIES)],
    )


def _by_name(pairs: Iterable[tuple[str, str]]) -> Choices:
    return sorted(pairs, key=lambda pair: pair[1].casefold())


def _quality(quality: Any) -> str:
    return f"{render(quality.name)} ({quality.usual})"


def _weapons(law: Any) -> Choices:
    """The campaign's own first, then those of contact and those that shoot, each with its figures."""
    kept = law.house.weapons
    groups = (
        (_("Of the campaign"), kept.values()),
        (_("Of contact"), [one for slug, one in WEAPONS.items() if not one.shoots and slug not in kept]),
        (_("Shooting"), [one for slug, one in WEAPONS.items() if one.shoots and slug not in kept]),
    )
    return [
        (title, _by_name((one.slug, render(words.weapon(one))) for one in found)) for title, found in groups if found
    ]


def _armours(law: Any) -> Choices:
    """Each by the figure that counts in this world (B-12)."""
    told = ((slug, render(one.name), figure) for slug, one in ARMOURS.items() if (figure := worn(law, slug)))
    return [(slug, f"{name} ({figure})") for slug, name, figure in told if not ARMOURS[slug].adds]


def worn(law: Any, slug: str) -> int | None:
    """What a piece of armour counts in this world: halved where that is its manner (B-12)."""
    armour = ARMOURS.get(slug)
    if armour is None:
        return None
    return armour.worn if law.house.halved_armour else armour.full


def starters() -> Choices:
    """Units to begin from: of men, and of each machine."""
    men = _by_name((slug, render(one.name)) for slug, one in STARTERS.items())
    machines = _by_name((slug, render(one.name)) for slug, one in MACHINES_BY_SLUG.items())
    return [(_("Troops"), men), (_("Machines"), machines)]


def starter_of(slug: str) -> Json:
    """A unit to begin with in the shape of the document; an empty one of infantry for a slug nobody knows."""
    if slug in STARTERS:
        return _as_json(STARTERS[slug].unit(MEN), STARTERS[slug].name)
    if slug in MACHINES_BY_SLUG:
        name = render(MACHINES_BY_SLUG[slug].name)
        return {"name": name, "type": MACHINES, "strength": MACHINES_TO_BEGIN, "combat": CREW_COMBAT,
                "group": SHOOTING, "machine": slug}  # fmt: skip
    return {"type": "infantry", "group": "contact", "armour": 0}


def _as_json(unit: Unit, name: Any) -> Json:
    own = {"toughness": unit.toughness} if unit.toughness != unit.type.toughness else {}
    pieces = {"pieces": unit.pieces} if unit.pieces is not None else {}
    never = {"never": True} if unit.never and not unit.type.never else {}
    weapons = [weapon.slug for weapon in unit.weapons]
    return {"name": render(name), "type": unit.type.slug, "strength": unit.strength, "combat": unit.combat,
            "armour": unit.armour, "group": unit.group, "weapons": weapons, **own, **pieces, **never}  # fmt: skip


def about(unit: Mapping[str, Any]) -> str:
    """A unit as it is typed so far, in a few words."""
    kind, combat = UNIT_TYPES.get(str(unit.get("type"))), unit.get("combat")
    told = (
        str(unit.get("strength", "")),
        render(kind.name) if kind else "",
        render(quality_of(combat).name) if isinstance(combat, int) else "",
    )
    return " · ".join(filter(None, told))
