"""Page object of the army sheet, for one reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from armies.adjustments.queries import ArmyAdjustments, list_adjustments
from armies.forces.busy import Engaged, Hold, find_hold
from armies.forces.declared_figures import list_shown
from armies.models import Army
from armies.pathfinder.armies.queries import (
    Offer,
    RosterWarning,
    build_sheet,
    candidates_for,
    list_warnings,
    market,
    receivers_of,
)
from armies.pathfinder.commanders.page import StockLine, kingdom_stores
from armies.pathfinder.forces.specs import (
    build_army_spec,
    build_commander_spec,
    compute_recovery,
    compute_speed,
    may_live_off_the_land,
    teleports,
)
from armies.pathfinder.forces.words import choice_label, option_label
from armies.pathfinder.models import ArmyResource, PathfinderArmy, PathfinderCommander
from armies.pathfinder.weeks.week_choices import feeds_this_week
from kingdom.access.permissions import Leave
from kingdom.access.queries import is_gm, reads_kingdom, runs_kingdom
from kingdom.approvals.serializers import leave_of
from kingdom.campaign.page import get_colour
from kingdom.models import Campaign, Kingdom, User
from kingdom.realms.figures import get_ruleset
from rules.core.breakdown import Breakdown
from rules.core.content import Item
from rules.core.text import Said, Term
from rules.pathfinder.sheet import device_of
from rules.pathfinder.spec import MASS_COMBAT_FIGURES
from rules.pathfinder.travel import pace

# Page object of the army sheet, for one reader.


class AbilityLine(NamedTuple):
    """A chosen ability, with its number, and its options in words."""

    ability: Item
    value: int | None
    options: tuple[Said, ...]


class Held(NamedTuple):
    """A resource the army carries, and its BP per week."""

    resource: Item
    quantity: int
    consumption: int


class TacticLine(NamedTuple):
    tactic: Item
    granted: bool
    may_forget: bool


class Roads(NamedTuple):
    """Hexes a day this week; whether the army may live off the land; whether it teleports."""

    open: Breakdown
    forages: bool
    teleports: bool


@dataclass(frozen=True)
class Orders:
    """Orders that the reader can give, loaded when first used. Only for readers who run the army."""

    army: PathfinderArmy
    gm: bool
    busy: Said | None

    @property
    def standing(self) -> bool:
        return self.army.standing

    @property
    def open(self) -> bool:
        return self.standing and self.busy is None

    @property
    def corrects(self) -> bool:
        """Whether the GM may still correct its sheet: it no longer stands, and is not busy."""
        return self.gm and not self.standing and self.busy is None

    @cached_property
    def market(self) -> tuple[Offer, ...]:
        return market(self.army)

    @cached_property
    def receivers(self) -> tuple[PathfinderArmy, ...]:
        return receivers_of(self.army)

    @cached_property
    def candidates(self) -> tuple[PathfinderCommander, ...]:
        return candidates_for(self.army.kingdom)

    @cached_property
    def teachable(self) -> tuple[Item, ...]:
        return _teachable(self.army) if self.gm else ()

    @property
    def rested_today(self) -> bool:
        return self.army.rested_on == self.army.campaign.day

    @cached_property
    def recovery(self) -> Breakdown:
        return compute_recovery(self.army)

    @cached_property
    def roads(self) -> Roads | None:
        return _roads(self.army) if self.army.standing else None


@dataclass(frozen=True)
class ArmyPage:
    """The sheet for this user, who may read it; parts are loaded when first used."""

    user: User
    army: PathfinderArmy

    @property
    def campaign(self) -> Campaign:
        return self.army.campaign

    @property
    def kingdom(self) -> Kingdom:
        return self.army.kingdom

    @cached_property
    def side(self) -> str:
        return get_colour(self.army.kingdom)

    @property
    def unpaid(self) -> bool:
        """Whether its kingdom has no treasury, for readers of the kingdom: the army costs nothing."""
        return self.kingdom.without_treasury and reads_kingdom(self.user, self.kingdom)

    @cached_property
    def unhurt(self) -> Any | None:
        """The sheet without wounds, which change nothing that is taken from it here; None where the rules refuse the
        army.
        """
        return build_sheet(self.army, unhurt=True)

    @cached_property
    def sheet(self) -> Any | None:
        return build_sheet(self.army)

    @property
    def rout_at(self) -> int | None:
        """Most hit points at which a rout check is due; None for none."""
        return self.unhurt.acr.floor or None if self.unhurt else None

    @cached_property
    def warnings(self) -> tuple[RosterWarning, ...]:
        return list_warnings(self.army)

    @cached_property
    def shown(self) -> Sequence[tuple[Said, Said]]:
        """Further declared figures, with labels."""
        return list_shown(self.army, MASS_COMBAT_FIGURES)

    @cached_property
    def adjusting(self) -> ArmyAdjustments:
        return list_adjustments(self.army, adjusts=bool(self.open and self.orders and self.orders.gm))

    @cached_property
    def abilities(self) -> tuple[AbilityLine, ...]:
        return ability_lines(self.army.unit, get_ruleset(self.army.campaign))

    @cached_property
    def held(self) -> tuple[Held, ...]:
        return held_lines(self.army) if self.unhurt else ()

    @cached_property
    def tactics(self) -> tuple[TacticLine, ...]:
        return _tactics(self.army, self._runs, is_gm(self.user, self.army.campaign))

    @cached_property
    def lent(self) -> tuple[Item, ...]:
        return _lent(self.army, get_ruleset(self.army.campaign)) if self.unhurt else ()

    @property
    def alignment(self) -> Term:
        return Term(self.army.unit["alignment"])

    @property
    def creature_type(self) -> Item | None:
        found: Item | None = get_ruleset(self.army.campaign).creature_types.get(self.army.unit["creature_type"])
        return found

    @cached_property
    def stores(self) -> tuple[StockLine, ...]:
        return tuple(kingdom_stores(self.user, self.army.kingdom)) if self._runs else ()

    @property
    def leader(self) -> PathfinderCommander | None:
        return self.army.leader

    @cached_property
    def leader_sheet(self) -> Any | None:
        return (
            get_ruleset(self.army.campaign).commander_sheet(build_commander_spec(self.leader)) if self.leader else None
        )

    @cached_property
    def orders(self) -> Orders | None:
        if not self._runs or not self.unhurt:
            return None
        return Orders(self.army, is_gm(self.user, self.army.campaign), self._hold.reason)

    @property
    def engaged(self) -> Engaged | None:
        return self._hold.engaged

    @cached_property
    def _hold(self) -> Hold:
        return find_hold(self.army)

    @cached_property
    def may(self) -> Mapping[str, Leave]:
        return leave_of(self.user, self.army.campaign)

    @cached_property
    def _runs(self) -> bool:
        return runs_kingdom(self.user, self.army.kingdom)

    @property
    def open(self) -> bool:
        """Whether the reader runs the army and it can take orders."""
        return self.orders is not None and self.orders.open

    @property
    def leaves(self) -> bool:
        """Whether it is disbanded and left resources that the reader may distribute now."""
        orders, over = self.orders, self.army.status == Army.Status.DISBANDED
        return bool(orders and over and self.may["disband"].offered and self.held and orders.busy is None)

    @property
    def meets(self) -> bool:
        """Whether the ruleset has an odds workshop."""
        return get_ruleset(self.campaign).workshop.known

    @property
    def reforms(self) -> bool:
        """Whether the campaign lets armies be divided and combined (R-94)."""
        return bool(get_ruleset(self.campaign).house.reform)

    @property
    def device(self) -> str:
        """The charge on its shield."""
        unit = self.army.unit
        return device_of(build_army_spec(self.army, unhurt=True)) if self.unhurt else str(unit["creature_type"])


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
    """Chosen options in words: names of what they refer to, or the option's own name for a yes."""
    found: list[Said] = []
    for slug, value in options.items():
        if value is True:
            found.append(option_label(slug))
        elif isinstance(value, list | tuple):
            found.extend(word_for(item, ruleset) for item in value)
        elif value:
            found.append(word_for(str(value), ruleset))
    return found


def word_for(slug: str, ruleset: Any) -> Said:
    for catalogue in (ruleset.tactics, ruleset.abilities, ruleset.creature_types):
        if slug in catalogue:
            return catalogue[slug].name
    return choice_label(slug)


def held_lines(army: PathfinderArmy) -> tuple[Held, ...]:
    ruleset, spec = get_ruleset(army.campaign), build_army_spec(army, unhurt=True)
    return tuple(
        Held(
            ruleset.resources[row.resource],
            row.quantity,
            _weekly(ruleset, spec, row),
        )
        for row in army.resources.all()
        if row.resource in ruleset.resources
    )


def _weekly(ruleset: Any, spec: Any, row: ArmyResource) -> int:
    """BP per week of a resource; 0 for one that a house rule has switched off."""
    off = ruleset.resources[row.resource].off
    return 0 if off else int(ruleset.price(spec, row.resource, row.quantity).consumption)


def _tactics(army: PathfinderArmy, runs: bool, gm: bool) -> tuple[TacticLine, ...]:
    known = get_ruleset(army.campaign).tactics
    return tuple(
        TacticLine(known[row.tactic], row.granted, gm or (runs and not row.granted))
        for row in army.tactics.all()
        if row.tactic in known
    )


def _lent(army: PathfinderArmy, ruleset: Any) -> tuple[Item, ...]:
    """Tactics from the commander or a Tactician, which take none of the army's room (PF-1.10)."""
    own = {row.tactic for row in army.tactics.all()}
    found = dict.fromkeys(ruleset.bonus_tactics(build_army_spec(army, unhurt=True)))
    return tuple(ruleset.tactics[slug] for slug in found if slug not in own)


def _roads(army: PathfinderArmy) -> Roads:
    today = pace(compute_speed(army), land=feeds_this_week(army))
    return Roads(today, may_live_off_the_land(army), teleports(army))


def _teachable(army: PathfinderArmy) -> tuple[Item, ...]:
    """Tactics that the army does not know and may be granted."""
    law, spec = get_ruleset(army.campaign), build_army_spec(army, unhurt=True)
    found = law.tactics.items()
    return tuple(tactic for slug, tactic in found if law.learn_tactic_refusal(spec, slug, granted=True) is None)
