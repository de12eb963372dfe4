"""What a siege changes in the world, line by line: its own state, the place, and the armies when it is over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from armies.breaking_point.models import FortifiedPlace, SiegeRow
from armies.breaking_point.sieges.drafts import ArmyDraft
from armies.breaking_point.sieges.reading import state_of
from armies.models import Army
from kingdom import text as kept_words
from kingdom.world import Change
from rules.breaking_point.siege.ends import captured, falls, reckoned, winner_of
from rules.breaking_point.siege.events import SiegeEvent
from rules.breaking_point.siege.state import Side, Siege
from rules.breaking_point.siege.words import in_words
from rules.dice import Roll
from rules.text import Said, _

RULE = "BP-8"


class ToldLine(NamedTuple):
    """A sentence of a siege: on which day, by which rule, and the faces of its die."""

    day: int
    text: Said
    rule: str
    rolls: tuple[Roll, ...] = ()

    def to_json(self) -> dict[str, Any]:
        faces = [roll.value for roll in self.rolls]
        return {"day": self.day, "text": kept_words.to_json(self.text), "rule": self.rule, "dice": faces}


def told_of(events: Iterable[SiegeEvent], place: str, day: int) -> list[ToldLine]:
    return [ToldLine(day, in_words(event, place), event.rule, getattr(event, "rolls", ())) for event in events]


def of_siege(row: SiegeRow, siege: Siege, told: Sequence[ToldLine], members: Mapping[str, list[str]] = {}) -> Change:
    """The line of the siege itself. `members`: of its sides, where these are others than before."""
    sides = {name: row.state[name] for name in ("besiegers", "inside")} | members
    after = state_of(siege, sides, [line.to_json() for line in told])
    return Change("siege", str(row.pk), "state", row.state, after, RULE, _("The siege"), row.place.name)


def settle(row: SiegeRow, siege: Siege, drafts: Mapping[str, ArmyDraft], winner: Side | None = None) -> list[Change]:
    """A siege that is over: what is left of every army goes into its draft; answers what becomes of the place.

    Who surrenders is captured; who leaves with the honours of war, or flees, stands there no more (B-56, B-59).
    """
    lefts = reckoned(siege, winner)
    for one in (*row.state["besiegers"], *row.state["inside"]):
        drafts[one].bear(left for left in lefts if left.army == one)
    return list(_fallen(row, siege, drafts)) if falls(siege) else []


def after_command(
    row: SiegeRow, before: Siege, after: Siege, told: Sequence[ToldLine], drafts: Mapping[str, ArmyDraft]
) -> list[Change]:
    """Every line of what was commanded, and of the end where it is one."""
    changes = [of_siege(row, after, told)]
    if after.running:
        return changes
    changes += settle(row, after, drafts, winner_of(before, after))
    label: Said = _("Losses of the siege")
    return changes + [change for draft in drafts.values() for change in draft.changes("B-48", label)]


def _fallen(row: SiegeRow, siege: Siege, drafts: Mapping[str, ArmyDraft]) -> Iterator[Change]:
    for one in row.state["inside"]:
        draft = drafts[one]
        if captured(siege) and draft.status != Army.Status.DEFEATED:
            draft.put(status=Army.Status.CAPTURED.value)
        yield station(draft.row, row.place, None)
    taker = drafts[siege.besieged_by].row
    before, after = str(row.place.kingdom_id), str(taker.kingdom_id)
    if before != after:
        label = _("The place has fallen")
        yield Change("place", str(row.place.pk), "kingdom", before, after, RULE, label, row.place.name)


def station(army: Army, before: FortifiedPlace | None, after: FortifiedPlace | None) -> Change:
    """The army moves into a place, or out of it."""
    places = [str(place.pk) if place else None for place in (before, after)]
    return Change("station", str(army.pk), "place", *places, RULE, _("Garrison"), army.name)
