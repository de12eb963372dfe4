"""Losses in points (BP-4.12, B-47), and spoils that an army takes along (B-49, B-59)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple, assert_never

from rules.breaking_point.spec import NameText, Unit
from rules.core.breakdown import shared as shared
from rules.core.shapes import OneOf, WholeNumber, Wrong
from rules.core.text import Said, _, say
from rules.core.viewers import WHOLE


def unit_key(army: str, unit: int) -> str:
    """Return the id of a unit across armies."""
    return f"{army}:{unit}"


def army_of_unit(key: str) -> str:
    """Return the army of a unit id. An army's own id is returned unchanged."""
    return key.partition(":")[0]


def share(points: int, force: int) -> int:
    """Return losses in percent of a force, rounded down, but at least 1 for any loss, so that the state of a body does
    not change.
    """
    return max(min(points, 1), points * WHOLE // max(1, force))


def lasting(points: int, shares: Sequence[int], *, victor: bool = False) -> tuple[int, ...]:
    """Return each unit's share of a body's lasting losses after the battle. A victor first recovers half, rounded down
    (B-48).
    """
    return shared(points - points // 2 if victor else points, shares)


def men_out(unit: Unit, points: int, factor: int = 1) -> int:
    """Return the heads that a unit loses by these points, at most all (B-47). `factor` is that of its place."""
    return min(unit.strength, points // (unit.a_head * factor))


FLED, ANNIHILATED, SURRENDERED = "fled", "annihilated", "surrendered"
BEATEN = (FLED, ANNIHILATED, SURRENDERED)
"""Statuses of bodies that leave their wounded to the enemy."""


class Toll(NamedTuple):
    """Fate of heads that are out of action or have surrendered."""

    dead: int = 0
    wounded: int = 0
    prisoners: int = 0


def toll(out: int, *, victor: bool = False, status: str = "", standing: int = 0) -> Toll:
    """Split heads out of action into dead, wounded and prisoners (B-48).

    The victor's are all dead. Of others half are dead, rounded up, the rest wounded. If a body left its wounded behind,
    they are prisoners; if it surrendered, so is everybody. `standing` is the number of heads not out of action.
    """
    if victor:
        return Toll(out)
    dead, wounded = out - out // 2, out // 2
    if status not in BEATEN:
        return Toll(dead, wounded)
    return Toll(dead, prisoners=wounded + (standing if status == SURRENDERED else 0))


def toll_of(unit: Unit, out: int, *, victor: bool = False, status: str = "") -> Toll:
    """Split a unit's heads that are out of action. Machines out of action are destroyed (B-68)."""
    left = unit.strength - out
    if unit.machine is None:
        return toll(out, victor=victor, status=status, standing=left)
    return Toll(out, prisoners=left if status == SURRENDERED and not victor else 0)


# Spoils: guns without crews, baggage, stores of a place (B-49, B-59).


type What = Literal["pieces", "baggage", "stores"]
PIECES, BAGGAGE, STORES = "pieces", "baggage", "stores"
KINDS = (PIECES, BAGGAGE, STORES)
SOME_THINGS = _("Must be a list of at most {most} entries.")
SPOILS_MOST, COUNT_MOST, ALL, HALF = 60, 100_000, 100, 50

type Spoil = dict[str, Any]


def guns(of: str, name: str, count: int) -> Spoil:
    """Return spoils of this many guns of the army `of`, from its unit `name`."""
    return {"what": PIECES, "of": of, "name": name, "count": count}


def baggage(of: str, share: int = ALL) -> Spoil:
    """Return spoils of a share of an army's baggage, in percent."""
    return {"what": BAGGAGE, "of": of, "share": share}


def stores(place: str) -> Spoil:
    """Return spoils of all stores of a place."""
    return {"what": STORES, "of": place, "share": ALL}


def added(held: Iterable[Spoil], more: Iterable[Spoil]) -> list[Spoil]:
    """Merge spoils: guns of one unit are added up, of shares the larger counts."""
    found: dict[tuple[str, str, str], Spoil] = {}
    for spoil in (*held, *more):
        key = spoil["what"], spoil["of"], spoil.get("name", "")
        before = found.get(key, {})
        told = {"count": before.get("count", 0) + spoil["count"]} if "count" in spoil else {}
        told |= {"share": max(before.get("share", 0), spoil["share"])} if "share" in spoil else {}
        found[key] = {**spoil, **told}
    return list(found.values())


class SpoilTaken(NamedTuple):
    """Entry of spoils in a document: guns have `name` and `count`, everything else `share`."""

    what: Annotated[str, OneOf(KINDS)]
    of: NameText
    name: NameText = ""
    count: Annotated[int, WholeNumber(1, COUNT_MOST)] | None = None  # type: ignore[assignment] # shadows tuple.count
    share: Annotated[int, WholeNumber(1, ALL)] | None = None

    def judged(self, wrong: Wrong) -> SpoilTaken:
        if self.what != PIECES:
            return self._replace(name="", count=None, share=self.share or ALL)
        if not self.name:
            wrong("name", _("Enter a name of 1 to 120 characters."))
        if self.count is None:
            wrong("count", _("Enter a whole number from {low} to {high}."), low=1, high=COUNT_MOST)
        return self._replace(share=None)


def in_words(spoil: Mapping[str, Any]) -> Said:
    """Describe one entry of spoils."""
    what: What = spoil["what"]
    match what:
        case "pieces":
            template = _("guns taken from {unit} ({army}): {count}")
            return say(template, count=spoil["count"], unit=spoil["name"], army=spoil["of"])
        case "stores":
            return say(_("the stores of {place}"), place=spoil["of"])
        case "baggage":
            whole = spoil["share"] >= ALL
            return say(_("all the baggage of {army}") if whole else _("half the baggage of {army}"), army=spoil["of"])
        case _:
            assert_never(what)
