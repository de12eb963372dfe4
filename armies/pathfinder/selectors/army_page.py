"""The army sheet as a reader may see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from armies import locks
from armies.engagements import Engaged, engagement_of
from armies.pathfinder import words
from armies.pathfinder.marching import may_live_off_the_land, speed_of, teleports
from armies.pathfinder.models import PathfinderArmy, PathfinderCommander
from armies.pathfinder.recovery import recovery
from armies.pathfinder.selectors.market import Offer, market
from armies.pathfinder.selectors.people import StockLine, kingdom_stores
from armies.pathfinder.selectors.roster import sheet_of
from armies.pathfinder.selectors.warnings import Warning, warnings_of
from armies.pathfinder.spec import army_spec, commander_spec
from kingdom.models import Campaign, Kingdom, User
from kingdom.permissions import Leave
from kingdom.prepared import Prepared
from kingdom.selectors import is_gm, leave_of, ruleset_of, runs_kingdom, side_of
from rules.breakdown import Breakdown
from rules.content import Item
from rules.pathfinder.paper import device_of
from rules.text import Said


class AbilityLine(NamedTuple):
    """An ability as chosen: its item, number and options in words."""

    ability: Item
    value: int | None
    options: tuple[Said, ...]


class Held(NamedTuple):
    """A resource the army carries, and its weekly BP."""

    resource: Item
    quantity: int
    consumption: int


class TacticLine(NamedTuple):
    tactic: Item
    granted: bool
    may_forget: bool


class Roads(NamedTuple):
    """Hexes a day; whether it may live off the land, or teleports."""

    open: Breakdown
    forages: bool
    teleports: bool


@dataclass(frozen=True, slots=True)
class Orders:
    """What whoever runs the army may do with it. Absent for other readers."""

    busy: Said | None
    standing: bool
    gm: bool
    market: tuple[Offer, ...]
    receivers: tuple[PathfinderArmy, ...]
    candidates: tuple[PathfinderCommander, ...]
    teachable: tuple[Item, ...]
    rested_today: bool
    recovery: Breakdown
    roads: Roads | None

    @property
    def open(self) -> bool:
        return self.standing and self.busy is None


@dataclass(frozen=True, slots=True)
class ArmyPage:
    army: PathfinderArmy
    campaign: Campaign
    kingdom: Kingdom
    side: str
    sheet: Any | None
    rout_at: int | None
    warnings: tuple[Warning, ...]
    abilities: tuple[AbilityLine, ...]
    held: tuple[Held, ...]
    tactics: tuple[TacticLine, ...]
    lent: tuple[Item, ...]
    creature_type: Item | None
    stores: tuple[StockLine, ...]
    leader: PathfinderCommander | None
    leader_sheet: Any | None
    orders: Orders | None
    engaged: Engaged | None
    may: Mapping[str, Leave]

    @property
    def open(self) -> bool:
        """Whether its reader runs it and it takes orders."""
        return self.orders is not None and self.orders.open

    @property
    def meets(self) -> bool:
        """Whether the odds of a battle nobody fights can be asked."""
        return ruleset_of(self.campaign).workshop.known

    @property
    def device(self) -> str:
        """The charge on its shield."""
        return device_of(army_spec(self.army)) if self.sheet else str(self.army.unit["creature_type"])


def army_page(user: User, army: PathfinderArmy) -> ArmyPage:
    """Everything the sheet shows to this user (who may read it)."""
    campaign, ruleset = army.campaign, ruleset_of(army.campaign)
    sheet, leader = sheet_of(army), army.leader
    runs = runs_kingdom(user, army.kingdom)
    return ArmyPage(
        army=army,
        campaign=campaign,
        kingdom=army.kingdom,
        side=side_of(army.kingdom),
        sheet=sheet,
        rout_at=sheet.acr.floor if sheet and sheet.acr.floor else None,
        warnings=warnings_of(army),
        abilities=ability_lines(army.unit, ruleset),
        held=held_lines(army) if sheet else (),
        tactics=_tactics(army, runs, is_gm(user, campaign)),
        lent=_lent(army, ruleset) if sheet else (),
        creature_type=ruleset.creature_types.get(army.unit["creature_type"]),
        stores=tuple(kingdom_stores(user, army.kingdom)) if runs else (),
        leader=leader,
        leader_sheet=ruleset.commander_sheet(commander_spec(leader)) if leader else None,
        orders=_orders(user, army) if runs and sheet else None,
        engaged=engagement_of(army),
        may=leave_of(user, campaign),
    )


def ability_lines(unit: Mapping[str, Any], ruleset: Any) -> tuple[AbilityLine, ...]:
    return tuple(
        AbilityLine(
            ruleset.abilities[choice["ability"]],
            choice.get("value"),
            tuple(option_words(choice.get("options") or {}, ruleset)),
        )
        for choice in unit["abilities"]
        if choice["ability"] in ruleset.abilities
    )


def option_words(options: Mapping[str, Any], ruleset: Any) -> list[Said]:
    """Chosen options in words: names of what they point at, or of the option for a yes."""
    found: list[Said] = []
    for slug, value in options.items():
        if value is True:
            found.append(words.option_label(slug))
        elif isinstance(value, list | tuple):
            found.extend(word_for(item, ruleset) for item in value)
        elif value:
            found.append(word_for(str(value), ruleset))
    return found


def word_for(slug: str, ruleset: Any) -> Said:
    for catalogue in (ruleset.tactics, ruleset.abilities, ruleset.creature_types):
        if slug in catalogue:
            return catalogue[slug].name
    return words.choice_label(slug)


def held_lines(army: PathfinderArmy) -> tuple[Held, ...]:
    ruleset, spec = ruleset_of(army.campaign), army_spec(army)
    return tuple(
        Held(
            ruleset.resources[row.resource],
            row.quantity,
            ruleset.price(spec, row.resource, row.quantity).consumption,
        )
        for row in army.resources.all()
        if row.resource in ruleset.resources
    )


def _tactics(army: PathfinderArmy, runs: bool, gm: bool) -> tuple[TacticLine, ...]:
    known = ruleset_of(army.campaign).tactics
    return tuple(
        TacticLine(known[row.tactic], row.granted, gm or (runs and not row.granted))
        for row in army.tactics.all()
        if row.tactic in known
    )


def _lent(army: PathfinderArmy, ruleset: Any) -> tuple[Item, ...]:
    """Tactics the commander or a Tactician brings, outside the army's room (PF-1.10)."""
    own = {row.tactic for row in army.tactics.all()}
    found = dict.fromkeys(ruleset.bonus_tactics(army_spec(army)))
    return tuple(ruleset.tactics[slug] for slug in found if slug not in own)


def _orders(user: User, army: PathfinderArmy) -> Orders:
    gm = is_gm(user, army.campaign)
    return Orders(
        busy=locks.why_busy(army),
        standing=army.standing,
        gm=gm,
        market=market(army),
        receivers=receivers_of(army),
        candidates=candidates_for(army.kingdom),
        teachable=_teachable(army) if gm else (),
        rested_today=army.rested_on == army.campaign.day,
        recovery=recovery(army),
        roads=_roads(army) if army.standing else None,
    )


def _roads(army: PathfinderArmy) -> Roads:
    speed = speed_of(army)
    return Roads(speed, may_live_off_the_land(army), teleports(army))


def receivers_of(army: PathfinderArmy) -> tuple[PathfinderArmy, ...]:
    """Other standing armies of the kingdom."""
    return tuple(_ask_receivers(army.kingdom_id, army.pk))


_ask_receivers = Prepared(
    lambda kingdom, army: PathfinderArmy.objects.filter(kingdom=kingdom, status__in=PathfinderArmy.STANDING).exclude(
        pk=army
    ),
    UUID,
    UUID,
)


def candidates_for(kingdom: Kingdom) -> tuple[PathfinderCommander, ...]:
    """Free commanders of the kingdom who lead no army."""
    return tuple(_ask_candidates(kingdom.pk))


_ask_candidates = Prepared(
    lambda kingdom: PathfinderCommander.objects.filter(
        kingdom=kingdom, status=PathfinderCommander.Status.FREE, army=None
    ),
    UUID,
)


def _teachable(army: PathfinderArmy) -> tuple[Item, ...]:
    """Tactics the army does not know and that have to be learned."""
    known = {row.tactic for row in army.tactics.all()}
    return tuple(
        tactic
        for slug, tactic in ruleset_of(army.campaign).tactics.items()
        if slug not in known and not tactic.always_known
    )
