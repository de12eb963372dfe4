"""Default names of a battle's sides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from django.utils.translation import gettext as _

from armies.models import Army
from core.clean_input import parse_uuid
from kingdom.models import Campaign


class ArmyAndKingdom(NamedTuple):
    """Name of an army and of its kingdom."""

    army: str
    kingdom: str


def name_sides(campaign: Campaign, sides: Any) -> Any:
    """The sides of a request, with names for those that have none.

    A side is named after its kingdom; where another side has or would get that name, after its first army. Malformed
    sides are returned unchanged, for the reader to refuse.
    """
    if not isinstance(sides, list | tuple) or not any(map(_nameless, sides)):
        return sides
    known = _known(campaign, sides)
    given = ["" if _nameless(side) else _given(side) for side in sides]
    names = name_empty_sides(given, [_armies(side, known) for side in sides])
    return [{**side, "name": name} if _nameless(side) else side for side, name in zip(sides, names, strict=True)]


def name_empty_sides(given: Sequence[str], armies: Sequence[Sequence[ArmyAndKingdom]]) -> list[str]:
    """Names of the sides, with one for each that is "". `armies`: those on each side."""
    own = {at: _kingdom(armies[at]) for at, name in enumerate(given) if not name}
    named = [name for name in given if name]
    wanted, taken = Counter([*named, *own.values()]), set(named)
    found = list(given)
    for at, kingdom in own.items():
        name = _("Side %(number)s") % {"number": at + 1}
        if kingdom:
            name = kingdom if wanted[kingdom] == 1 else armies[at][0].army
        found[at] = _distinct(name, taken)
        taken.add(found[at])
    return found


def _given(side: Any) -> str:
    return str(side["name"]).strip() if isinstance(side, Mapping) and side.get("name") else ""


def _nameless(side: Any) -> bool:
    return isinstance(side, Mapping) and side.get("name") in (None, "")


def _ids(side: Any) -> list[UUID]:
    armies = side.get("armies") if isinstance(side, Mapping) else None
    return [key for key in map(parse_uuid, armies) if key] if isinstance(armies, list | tuple) else []


def _known(campaign: Campaign, sides: Iterable[Any]) -> dict[UUID, ArmyAndKingdom]:
    """Names of the armies on nameless sides, by id."""
    ids = [key for side in sides if _nameless(side) for key in _ids(side)]
    rows = Army.objects.filter(campaign=campaign, pk__in=ids).values_list("pk", "name", "kingdom__name")
    return {pk: ArmyAndKingdom(army, kingdom) for pk, army, kingdom in rows}


def _armies(side: Any, known: Mapping[UUID, ArmyAndKingdom]) -> list[ArmyAndKingdom]:
    return [known[key] for key in _ids(side) if key in known]


def _kingdom(armies: Sequence[ArmyAndKingdom]) -> str:
    """Name of the one kingdom they all belong to; "" where there are several."""
    kingdoms = {army.kingdom for army in armies}
    return kingdoms.pop() if len(kingdoms) == 1 else ""


def _distinct(name: str, taken: set[str]) -> str:
    """The name, with a number behind it where it is taken."""
    number, found = 1, name
    while found in taken:
        number += 1
        found = f"{name} {number}"
    return found
