"""Changes of the world by a siege, line by line: its state, the place, and the armies when it is over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from armies.breaking_point.models import FortifiedPlace, SiegeRow
from armies.breaking_point.sieges.draft_armies import ArmyDraft
from armies.breaking_point.sieges.specs import state_of
from armies.models import Army
from core import text as kept_words
from kingdom.chronicle.changes import Change
from kingdom.models import Kingdom
from rules.breaking_point.losses import FLED
from rules.breaking_point.siege.events import SiegeEvent, in_words
from rules.breaking_point.siege.siege_ends import NO_FATES, Fates, captured, falls, reckoned, winner_of
from rules.breaking_point.siege.siege_state import HONOURS, Siege, SiegeParty
from rules.breaking_point.spoils import Spoil, baggage, stores
from rules.core.dice import Roll
from rules.core.text import Said, _, by_number, say

RULE = "BP-8"


class ToldLine(NamedTuple):
    """A sentence of a siege: on which day, by which rule, and the faces of its die, with who typed them."""

    day: int
    text: Said
    rule: str
    rolls: tuple[Roll, ...] = ()

    def to_json(self) -> dict[str, Any]:
        faces, typed = [roll.value for roll in self.rolls], [roll.by for roll in self.rolls]
        kept = {"day": self.day, "text": kept_words.dump_said(self.text), "rule": self.rule, "dice": faces}
        return {**kept, "typed_by": typed} if any(typed) else kept


def describe_events(events: Iterable[SiegeEvent], place: str, day: int) -> list[ToldLine]:
    return [ToldLine(day, in_words(event, place), event.rule, getattr(event, "rolls", ())) for event in events]


def build_siege_change(
    row: SiegeRow, siege: Siege, told: Sequence[ToldLine], members: Mapping[str, list[str]] = {}
) -> Change:
    """The line of the siege itself. `members`: of its sides, where these are others than before."""
    sides = {name: row.state[name] for name in ("besiegers", "inside")} | dict(members)
    after = state_of(siege, sides, [line.to_json() for line in told])
    return Change("siege", str(row.pk), "state", row.state, after, RULE, _("The siege"), row.place.name)


class Settled(NamedTuple):
    """What becomes of the place, and what is told of its fall."""

    changes: Sequence[Change] = ()
    told: Sequence[ToldLine] = ()


def settle(
    row: SiegeRow, siege: Siege, drafts: Mapping[str, ArmyDraft], day: int, winner: SiegeParty | None = None,
    fates: Fates = NO_FATES,
) -> Settled:  # fmt: skip
    """A siege that is over: what is left of every army goes into its draft, with what it takes.

    Who surrenders is captured; who leaves with the honours of war, or flees, stands there no more (B-56, B-59).
    `fates`: of units in the battle that ended it; who fled needs their week (B-69).
    """
    lefts = reckoned(siege, winner, fates)
    fled = {army for (army, _nth), fate in fates.items() if fate == FLED}
    for one in (*row.state["besiegers"], *row.state["inside"]):
        drafts[one].bear(left for left in lefts if left.army == one)
        if one in fled and drafts[one].status in Army.STANDING:
            drafts[one].put(status=Army.Status.ROUTED.value)
    if not falls(siege):
        return Settled()
    return Settled(list(_fallen(row, siege, drafts)), list(_taken(row, siege, drafts, day)))


def list_changes_after(
    row: SiegeRow, before: Siege, after: Siege, told: Sequence[ToldLine], drafts: Mapping[str, ArmyDraft],
    fates: Fates = NO_FATES,
) -> list[Change]:  # fmt: skip
    """Every line of what was commanded, and of the end where it is one."""
    settled, label, rule = Settled(), _("What it has learnt, lost and taken"), "B-50"
    if not after.running:
        settled = settle(row, after, drafts, row.campaign.day, winner_of(before, after), fates)
        label, rule = _("Losses of the siege"), "B-48"
    changes = [build_siege_change(row, after, [*told, *settled.told]), *settled.changes]
    return changes + [change for draft in drafts.values() for change in draft.changes(rule, label)]


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


def _taken(row: SiegeRow, siege: Siege, drafts: Mapping[str, ArmyDraft], day: int) -> Iterator[ToldLine]:
    """Guns and stores of a place that did not leave with the honours of war go to who besieged it (B-49, B-59)."""
    if siege.status == HONOURS:
        return
    taken: list[Spoil] = []
    for one in row.state["inside"] if captured(siege) else ():
        taken += [*drafts[one].give_up_guns(), baggage(drafts[one].row.name)]
    taken.append(stores(row.place.name))
    taker = drafts[siege.besieged_by]
    if taker.status in Army.STANDING:
        taker.take(taken)
        count = sum(spoil.get("count", 0) for spoil in taken)
        template = GUNS_AND_STORES if count else _("{army} takes the stores of {place}.")
        yield ToldLine(day, say(template, army=taker.row.name, count=count, place=row.place.name), "B-59")


def paid(payer: Kingdom, paid_to: Kingdom, money: int) -> list[Change]:
    """Money that was offered with terms that were taken (B-80)."""
    label = _("Money for terms")
    return [
        Change("kingdom", str(one.pk), "treasury", one.treasury, one.treasury + moved, "B-80", label, one.name)
        for one, moved in ((payer, -money), (paid_to, money))
    ]


GUNS_AND_STORES = by_number(
    "{army} takes a gun and the stores of {place}.", "{army} takes {count} guns and the stores of {place}."
)


def station(army: Army, before: FortifiedPlace | None, after: FortifiedPlace | None) -> Change:
    """The army moves into a place, or out of it."""
    left, entered = (str(place.pk) if place else None for place in (before, after))
    return Change("station", str(army.pk), "place", left, entered, RULE, _("Garrison"), army.name)
