"""Page object of a commander, for one reader, and queries for commanders, stores and offices of a kingdom."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import QuerySet

from armies.forces import busy as forces_busy
from armies.pathfinder.forces.specs import build_commander_spec
from armies.pathfinder.models import ArmyResource, KingdomStock, PathfinderArmy, PathfinderCommander
from kingdom.access.permissions import Leave
from kingdom.access.queries import is_gm, reads_kingdom, runs_kingdom
from kingdom.approvals.serializers import leave_of
from kingdom.campaign.page import get_colour
from kingdom.models import Campaign, Kingdom, User
from kingdom.realms.figures import get_ruleset
from rules.core.content import Item
from rules.core.text import Said, _, say
from rules.pathfinder.catalogue.items import Boon
from rules.pathfinder.leadership import taught_refusal

# Page object of a commander, for one reader.


class BoonLine(NamedTuple):
    """A boon of the catalogue: whether they have it, or what they lack to learn it."""

    boon: Boon
    known: bool
    office: bool
    active: bool
    tactics: tuple[Item, ...]
    why: Said | None
    teachable: bool
    """Whether they do not have it yet, or may take it again (Bonus Tactic)."""

    @property
    def may_learn(self) -> bool:
        return self.why is None and self.teachable


@dataclass(frozen=True, slots=True)
class CommanderOrders:
    """Actions open to users who run the kingdom. None for other readers."""

    gm: bool
    busy: Said | None
    tactics: tuple[Item, ...]

    @property
    def open(self) -> bool:
        return self.busy is None


@dataclass(frozen=True, slots=True)
class CommanderPage:
    commander: PathfinderCommander
    campaign: Campaign
    kingdom: Kingdom
    side: str
    sheet: Any
    army: PathfinderArmy | None
    office: Item | None
    boons: tuple[BoonLine, ...]
    orders: CommanderOrders | None
    may: dict[str, Leave]

    @property
    def room(self) -> int:
        """Number of boons that may still be learned."""
        return max(0, self.sheet.room)

    @property
    def known(self) -> tuple[BoonLine, ...]:
        return tuple(line for line in self.boons if line.known or line.office)

    @property
    def open(self) -> tuple[BoonLine, ...]:
        """Boons they could learn now."""
        return tuple(line for line in self.boons if line.may_learn)

    @property
    def missing(self) -> tuple[BoonLine, ...]:
        """Boons they cannot learn, each with the reason."""
        return tuple(line for line in self.boons if not (line.known or line.office or line.may_learn))


def commander_page(user: User, commander: PathfinderCommander) -> CommanderPage:
    ruleset = get_ruleset(commander.campaign)
    sheet = ruleset.commander_sheet(build_commander_spec(commander))
    led = commander.led
    return CommanderPage(
        commander=commander,
        campaign=commander.campaign,
        kingdom=commander.kingdom,
        side=get_colour(commander.kingdom),
        sheet=sheet,
        army=led,
        office=ruleset.offices.get(commander.office) if commander.office else None,
        boons=tuple(_line(ruleset, sheet, state) for state in sheet.boons),
        orders=_orders(user, commander, led),
        may=leave_of(user, commander.campaign),
    )


def _line(ruleset: Any, sheet: Any, state: Any) -> BoonLine:
    tactics = tuple(ruleset.tactics[slug] for slug in state.tactics if slug in ruleset.tactics)
    why = state.why or _no_room(sheet, state)
    return BoonLine(state.boon, state.known, state.office, state.active, tactics, why, state.may_be_learned)


def _no_room(sheet: Any, state: Any) -> Said | None:
    """Why no boon at all can be learned (PF-2.4); None if one can."""
    if sheet.room > 0 or not state.may_be_learned:
        return None
    return say(
        _("No room for another boon: {known} of {most} known."),
        known=sheet.boons_max - sheet.room,
        most=sheet.boons_max,
    )


def _orders(user: User, commander: PathfinderCommander, led: PathfinderArmy | None) -> CommanderOrders | None:
    if not runs_kingdom(user, commander.kingdom):
        return None
    law = get_ruleset(commander.campaign)
    return CommanderOrders(
        gm=is_gm(user, commander.campaign),
        busy=forces_busy.explain_busy(led) if led else None,
        tactics=tuple(tactic for slug, tactic in law.tactics.items() if taught_refusal(law, slug) is None),
    )


# Queries for commanders, stores and offices of a kingdom.


class CommanderLine(NamedTuple):
    commander: PathfinderCommander
    sheet: Any
    office: Item | None
    army: Any


class StockLine(NamedTuple):
    pk: UUID
    resource: Item
    size: Item
    quantity: int


def commander_lines(kingdom: Kingdom, commanders: Iterable[PathfinderCommander]) -> list[CommanderLine]:
    """These commanders of the kingdom with their figures."""
    for row in (found := list(commanders)):
        row.campaign = kingdom.campaign
    ruleset = get_ruleset(kingdom.campaign)
    return [
        CommanderLine(
            row,
            ruleset.commander_sheet(build_commander_spec(row)),
            ruleset.offices.get(row.office) if row.office else None,
            row.led,
        )
        for row in found
    ]


def commanders_in(kingdom: Kingdom) -> QuerySet[PathfinderCommander]:
    """All commanders of the kingdom, free or not."""
    return PathfinderCommander.objects.filter(kingdom=kingdom)


def stores_in(kingdom: Kingdom) -> QuerySet[KingdomStock]:
    return KingdomStock.objects.filter(kingdom=kingdom)


def carries(army_id: UUID, resource: str) -> bool:
    """Whether the army has this resource."""
    return ArmyResource.objects.filter(army=army_id, resource=resource).exists()


def kingdom_stores(user: User, kingdom: Kingdom) -> list[StockLine]:
    """Content of the kingdom's stores; empty for users who may not read the kingdom."""
    if not reads_kingdom(user, kingdom):
        return []
    ruleset = get_ruleset(kingdom.campaign)
    return [
        StockLine(row.pk, ruleset.resources[row.resource], ruleset.sizes[row.size], row.quantity)
        for row in KingdomStock.objects.filter(kingdom=kingdom)
        if row.resource in ruleset.resources
    ]


# Offices of a kingdom and their holders (PF-2.6).


class Seat(NamedTuple):
    """An office with its holders, and the boons it gives them."""

    office: Item
    holders: tuple[PathfinderCommander, ...]
    boons: tuple[Item, ...]


class Offices(NamedTuple):
    held: tuple[Seat, ...]
    vacant: tuple[Item, ...]


def offices_of(kingdom: Kingdom) -> Offices:
    """Every office of the ruleset, in order. One query. Dead commanders hold none."""
    law = get_ruleset(kingdom.campaign)
    living = (
        PathfinderCommander.objects.filter(kingdom=kingdom)
        .exclude(status=PathfinderCommander.Status.KILLED)
        .exclude(office=None)
    )
    holders = list(living)
    seats = [
        Seat(office, found, _boons(law.boons, found))
        for slug, office in law.offices.items()
        if (found := tuple(one for one in holders if one.office == slug))
    ]
    taken = {one.office for one in holders}
    return Offices(tuple(seats), tuple(office for slug, office in law.offices.items() if slug not in taken))


def _boons(known: dict[str, Item], holders: tuple[PathfinderCommander, ...]) -> tuple[Item, ...]:
    chosen = dict.fromkeys(one.office_boon for one in holders if one.office_boon in known)
    return tuple(known[slug] for slug in chosen if slug)
