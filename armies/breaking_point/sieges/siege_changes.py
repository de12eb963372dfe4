"""Changes that a siege makes, line by line: its state, the place, and the armies once it is over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Q

from armies.breaking_point.forces.specs import build_place, build_siege, list_army_ids, load_armies, state_of
from armies.breaking_point.models import FortifiedPlace, SiegeRow
from armies.models import Army
from core import text as kept_words
from core.text_search import build_phrase
from kingdom.chronicle.changes import Change
from kingdom.models import Kingdom
from kingdom.realms.figures import get_ruleset
from rules.breaking_point.losses import FLED, Spoil, added, baggage, guns, stores
from rules.breaking_point.siege.events import SiegeBattleEnded, SiegeEvent, in_words
from rules.breaking_point.siege.siege_battles import (
    FoughtBody,
    after_bodies,
    fates_of,
    losses_in_assault,
    losses_in_field,
    outcome_of,
)
from rules.breaking_point.siege.siege_ends import (
    NO_FATES,
    Fates,
    UnitLeft,
    captured,
    falls,
    fought,
    reckoned,
    winner_of,
)
from rules.breaking_point.siege.siege_state import ASSAULT, FOUGHT, HONOURS, Siege
from rules.breaking_point.siege.week import returning
from rules.breaking_point.spec import Place
from rules.core.dice import Roll
from rules.core.text import Said, _, by_number, say

# Draft armies: unsaved changes that sieges and weeks make to their documents.

FIGURES = ("sheet", "health", "health_max", "upkeep", "status", "place")


@dataclass
class ArmyDraft:
    """An army with its unsaved changes. `busy`: the last day on which a siege held it."""

    row: Army
    busy: int | None = None
    after: dict[str, Any] = field(default_factory=dict)

    def __getattr__(self, name: str) -> Any:
        if name in FIGURES:
            return self.after.get(name, getattr(self.row, name))
        raise AttributeError(name)

    def put(self, **figures: Any) -> None:
        self.after.update(figures)

    @property
    def document(self) -> dict[str, Any]:
        """Its document, as a copy to change."""
        if "sheet" not in self.after:
            self.put(sheet=deepcopy(self.row.sheet))
        found: dict[str, Any] = self.after["sheet"]
        return found

    @property
    def units(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.document["units"]
        return found

    def bear(self, losses: Iterable[UnitLeft]) -> None:
        """Applies the losses of a siege (B-47, B-48). A unit without men is removed; an army without men able to fight
        is defeated, and keeps its document for its readers.
        """
        before = deepcopy(self.document)
        for left in losses:
            unit = self.units[left.nth]
            _count_men(unit, left.strength, unit.get("wounded", 0) + left.wounded)
            if left.pieces is not None and unit.get("pieces") is not None:
                unit["pieces"] = min(unit["pieces"], left.pieces)
        if any(unit["strength"] for unit in self.units):
            self.after["sheet"]["units"] = [unit for unit in self.units if unit["strength"] or unit.get("wounded")]
            self._reckon()
        else:
            self.put(sheet=before, status=Army.Status.DEFEATED.value, health=0)

    def give_up_guns(self) -> list[Spoil]:
        """Takes all its guns away, since it is captured, and returns them as spoils (B-59)."""
        given = []
        for unit in self.units:
            if pieces := unit.get("pieces"):
                given.append(guns(self.row.name, unit["name"], pieces))
                unit["pieces"] = 0
        return given

    def take(self, taken: Iterable[Spoil]) -> None:
        """Adds to its spoils."""
        self.document["spoils"] = added(self.document.get("spoils", ()), taken)

    def rest(self) -> int:
        """A week of rest (B-69). Returns the number of wounded who recover."""
        back = 0
        for unit in self.units:
            wounded = unit.get("wounded", 0)
            returned = returning(wounded)
            if returned:
                _count_men(unit, unit["strength"] + returned, wounded - returned)
                back += returned
        if back:
            self._reckon()
        return back

    def _reckon(self) -> None:
        """Updates the columns derived from its document."""
        able = sum(unit["strength"] for unit in self.units)
        upkeep = get_ruleset(self.row.campaign).armies.measure(self.after["sheet"]).upkeep
        self.put(health=able, health_max=able + sum(unit.get("wounded", 0) for unit in self.units), upkeep=upkeep)

    def changes(self, rule: str, label: Said) -> Iterator[Change]:
        for name, value in self.after.items():
            before = getattr(self.row, name)
            if before != value:
                yield Change("army", str(self.row.pk), name, before, value, rule, label, self.row.name)


def _count_men(unit: dict[str, Any], able: int, wounded: int) -> None:
    """Sets the heads of a unit; `wounded` is left out of the document where it is 0."""
    unit["strength"] = able
    unit.pop("wounded", None)
    if wounded:
        unit["wounded"] = wounded


def list_drafts(armies: Mapping[str, Army]) -> dict[str, ArmyDraft]:
    return {key: ArmyDraft(army) for key, army in armies.items()}


RULE = "BP-8"


class ToldLine(NamedTuple):
    """A log line of a siege: day, text, rule id, and the dice with who typed them."""

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
    """The change of the siege's state. `members`: the sides' armies, where they differ from before."""
    sides = {name: row.state[name] for name in ("besiegers", "inside")} | dict(members)
    after = state_of(siege, sides, [line.to_json() for line in told])
    return Change("siege", str(row.pk), "state", row.state, after, RULE, _("The siege"), row.place.name)


class Settled(NamedTuple):
    """Changes of the place, and log lines of its fall."""

    changes: Sequence[Change] = ()
    told: Sequence[ToldLine] = ()


def settle(
    row: SiegeRow, siege: Siege, drafts: Mapping[str, ArmyDraft], day: int, before: Siege | None = None,
    fates: Fates = NO_FATES,
) -> Settled:  # fmt: skip
    """Ends a siege: applies losses and spoils to the drafts of its armies.

    Armies that surrender are captured; armies that leave with the honours of war, or flee, are no longer stationed
    there (B-56, B-59). `before`: the siege when a command or a battle ended it. `fates`: of units in that battle;
    armies that fled need a week (B-69).
    """
    winner = winner_of(before, siege) if before else None
    lefts = reckoned(siege, winner, fates, before)
    fled = {army for (army, _nth), fate in fates.items() if fate == FLED}
    for one in (*row.state["besiegers"], *row.state["inside"]):
        drafts[one].bear(left for left in lefts if left.army == one)
        if one in fled and drafts[one].status in Army.STANDING:
            drafts[one].put(status=Army.Status.ROUTED.value)
    if not falls(siege):
        return Settled()
    prisoners = captured(siege, fates, before)
    return Settled(list(_fallen(row, siege, drafts, prisoners)), list(_taken(row, siege, drafts, day, prisoners)))


def list_changes_after(
    row: SiegeRow, before: Siege, after: Siege, told: Sequence[ToldLine], drafts: Mapping[str, ArmyDraft],
    fates: Fates = NO_FATES,
) -> list[Change]:  # fmt: skip
    """Every change of a command, and of the siege's end if it is over."""
    settled, label, rule = Settled(), _("Experience, losses and spoils"), "B-50"
    if not after.running:
        settled = settle(row, after, drafts, row.campaign.day, before, fates)
        label, rule = _("Siege losses"), "B-48"
    changes = [build_siege_change(row, after, [*told, *settled.told]), *settled.changes]
    return changes + [change for draft in drafts.values() for change in draft.changes(rule, label)]


def _fallen(row: SiegeRow, siege: Siege, drafts: Mapping[str, ArmyDraft], prisoners: bool) -> Iterator[Change]:
    for one in row.state["inside"]:
        draft = drafts[one]
        if prisoners and draft.status != Army.Status.DEFEATED:
            draft.put(status=Army.Status.CAPTURED.value)
        yield station(draft.row, row.place, None)
    taker = drafts[siege.besieged_by].row
    before, after = str(row.place.kingdom_id), str(taker.kingdom_id)
    if before != after:
        label = _("Fortified place taken")
        yield Change("place", str(row.place.pk), "kingdom", before, after, RULE, label, row.place.name)


def _taken(
    row: SiegeRow, siege: Siege, drafts: Mapping[str, ArmyDraft], day: int, prisoners: bool
) -> Iterator[ToldLine]:
    """Gives a place's guns and stores to its besiegers, except after the honours of war (B-49, B-59)."""
    if siege.status == HONOURS:
        return
    taken: list[Spoil] = []
    for one in row.state["inside"] if prisoners else ():
        taken += [*drafts[one].give_up_guns(), baggage(drafts[one].row.name)]
    taken.append(stores(row.place.name))
    taker = drafts[siege.besieged_by]
    if taker.status in Army.STANDING:
        taker.take(taken)
        count = sum(spoil.get("count", 0) for spoil in taken)
        template = GUNS_AND_STORES if count else _("The stores of {place} go to {army}.")
        yield ToldLine(day, say(template, army=taker.row.name, count=count, place=row.place.name), "B-59")


def paid(payer: Kingdom, paid_to: Kingdom, money: int) -> list[Change]:
    """Changes of treasuries by the money of accepted terms (B-80). A kingdom without a treasury gains nothing."""
    label = _("Money offered in terms")
    return [
        Change("kingdom", str(one.pk), "treasury", one.treasury, one.treasury + moved, "B-80", label, one.name)
        for one, moved in ((payer, -money), (paid_to, money))
        if not one.without_treasury
    ]


GUNS_AND_STORES = by_number(
    "A gun and the stores of {place} go to {army}.", "{count} guns and the stores of {place} go to {army}."
)


def station(army: Army, before: FortifiedPlace | None, after: FortifiedPlace | None) -> Change:
    """The change that stations an army in a place, or takes it out."""
    left, entered = (str(place.pk) if place else None for place in (before, after))
    return Change("station", str(army.pk), "place", left, entered, RULE, _("Garrison"), army.name)


# Battles of sieges (B-55): what armies bring along, and what the end of a battle does to the siege. Losses are kept
# once: while a siege lasts, the armies' documents keep their heads and the siege keeps the points.

NOTHING: Mapping[str, Mapping[str, Any]] = {}


@dataclass(frozen=True, slots=True)
class SiegeBattle:
    """An assault or a battle in the open for which a siege waits.

    `place`: the stormed place, None in the open. `losses`: points that each unit has lost before, as the battle's
    opening needs them. `invested`: whether the place is invested (B-56).
    """

    row: SiegeRow
    place: Place | None
    losses: Mapping[str, int]
    invested: bool
    besiegers: tuple[str, ...]
    garrison: tuple[str, ...]


def find_siege_battle(armies: Iterable[str | UUID]) -> SiegeBattle | None:
    """The battle of a siege that needs one of these armies; None if there is none."""
    waiting = SiegeRow.objects.filter(status__in=FOUGHT, armies__army__in=list(armies)).distinct()
    row = waiting.select_related("campaign", "place__kingdom").first()
    return None if row is None else battle_of(row)


def is_wanted_in_siege(army: Army) -> bool:
    """Whether a siege waits for a battle with this army."""
    return SiegeRow.objects.filter(status__in=FOUGHT, armies__army=army.pk).exists()


def fortified_place(armies: Iterable[str | UUID], name: str) -> FortifiedPlace | None:
    """The place in which one of these armies is stationed, or a place of this name that their kingdoms hold; None
    without one.
    """
    wanted = list(armies)
    named = Q(name__plain=build_phrase(name), kingdom__armies__in=wanted)
    return FortifiedPlace.objects.filter(Q(stationed__army__in=wanted) | named).distinct().first()


def battle_of(row: SiegeRow) -> SiegeBattle:
    siege = build_siege(row, load_armies([row]))
    storming = siege.status == ASSAULT
    losses = losses_in_assault(siege) if storming else losses_in_field(siege)
    return SiegeBattle(
        row=row,
        place=build_place(row.place) if storming else None,
        losses={unit: points for unit, points in losses.items() if points},
        invested=siege.invested,
        besiegers=tuple(row.state["besiegers"]),
        garrison=tuple(row.state["inside"]),
    )


def changes_after(
    row: SiegeRow, bodies: Sequence[FoughtBody], found: Mapping[str, Mapping[str, Any]] = NOTHING
) -> list[Change]:
    """Changes that the end of a siege's battle makes in the siege, and if it ends the siege, in armies and place.

    `found`: figures that the battle gives to the siege's armies (`armies_of_siege`) by id: experience and guns. They
    are part of the returned changes, so the caller must not write them again.
    """
    armies = load_armies([row])
    before = build_siege(row, armies)
    after = fought(after_bodies(before, bodies), outcome_of(before, bodies))
    told = describe_events([SiegeBattleEnded(after.status)], row.place.name, row.campaign.day)
    drafts = list_drafts(armies)
    for one, figures in found.items():
        drafts[one].put(**deepcopy(dict(figures)))
    return list_changes_after(row, before, after, told, drafts, fates_of(bodies))


def armies_of_siege(row: SiegeRow) -> frozenset[str]:
    """Ids of the armies whose losses the siege keeps."""
    return frozenset(list_army_ids(row.state))
