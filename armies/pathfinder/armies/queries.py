"""Queries for armies: rosters by kingdom, and the market with its prices (PF-5)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple
from uuid import UUID

from armies.forces.access import count_shown_armies, first_of, get_knowledge, list_first_armies
from armies.forces.busy import Engaged, find_engaged
from armies.forces.declared_figures import figures_on_paper
from armies.map.visibility import VisibleArmy, build_visible_army
from armies.models import rows_of
from armies.pathfinder.forces.specs import build_army_spec
from armies.pathfinder.models import PathfinderArmy, PathfinderCommander
from kingdom.access.queries import get_role, reads_all
from kingdom.models import Campaign, Kingdom, Knowledge, User
from kingdom.realms.figures import buildings_of, get_ruleset
from rules.core.breakdown import OnPaper
from rules.core.errors import IllegalCommand, Refusal
from rules.core.text import Said, _, say
from rules.pathfinder import sheet as paper
from rules.pathfinder.catalogue import traits
from rules.pathfinder.catalogue.items import Ability, Resource
from rules.pathfinder.ruleset import Price
from rules.pathfinder.spec import MASS_COMBAT_FIGURES, ArmySpec

# Rosters: armies in lists, by kingdom.

# Warnings for an army's owner.


class RosterWarning(NamedTuple):
    """A warning: one or two words, and what they mean."""

    slug: str
    word: Said
    text: Said

    @property
    def icon(self) -> str:
        return ICONS.get(self.slug, self.slug)


ICONS = {"arrears": "bp", "no-commander": "leaderless", "commander-away": "captive", "energy-drain": "undead"}


def list_warnings(army: PathfinderArmy) -> tuple[RosterWarning, ...]:
    """Warnings in this order: routed, arrears, no commander, ill, drained, in reserve. A fallen army has only its
    status.
    """
    if not army.standing:
        return (RosterWarning(army.status, FALLEN[army.status], _("No longer in service.")),)
    return tuple(
        found
        for found in (_routed(army), _arrears(army), _leaderless(army), _ill(army), _drained(army), _in_reserve(army))
        if found
    )


FALLEN = {
    "defeated": _("defeated"),
    "disbanded": _("disbanded"),
    "captured": _("captured"),
}


def _routed(army: PathfinderArmy) -> RosterWarning | None:
    if not army.routed:
        return None
    text = _("Can’t start a battle until its kingdom passes a Loyalty check in the upkeep phase (PF-6.2).")
    return RosterWarning("routed", _("routed"), text)


def _arrears(army: PathfinderArmy) -> RosterWarning | None:
    if not army.arrears:
        return None
    return RosterWarning("arrears", _("arrears"), _("−2 on morale checks until the arrears are paid (PF-7.2)."))


def _leaderless(army: PathfinderArmy) -> RosterWarning | None:
    free = army.kingdom.without_treasury
    if free and not army.kingdom.needs_commanders:
        return None
    paid = _("Loses 1 Morale each week unless double Consumption is paid (PF-2.7).")
    text = _("Loses 1 Morale each week (PF-2.7).") if free else paid
    if army.leader is None:
        return RosterWarning("no-commander", _("no commander"), text)
    if not army.leader.present:
        return RosterWarning("commander-away", _("commander away"), text)
    return None


def _ill(army: PathfinderArmy) -> RosterWarning | None:
    if army.ill and not army.disease:
        return RosterWarning("disease", _("ill"), _("Disease: −1 more to OM and DV each day until cured (PF-7.3)."))
    if not army.disease:
        return None
    return RosterWarning("disease", _("ill"), say(_("Disease: OM and DV −{penalty} (PF-7.3)."), penalty=army.disease))


def _drained(army: PathfinderArmy) -> RosterWarning | None:
    if not army.drain:
        return None
    text = say(_("Energy drain: OM and DV −{penalty} for a day (PF-7.3)."), penalty=army.drain)
    return RosterWarning("energy-drain", _("drained"), text)


def _in_reserve(army: PathfinderArmy) -> RosterWarning | None:
    if not army.in_reserve:
        return None
    if army.called_up is not None:
        text = say(_("Called up: ready on day {day} (R-94)."), day=army.called_up)
        return RosterWarning("reserve", _("called up"), text)
    return RosterWarning(
        "reserve", _("in reserve"), _("Paid once a month. It can’t march until it is called up (R-94).")
    )


def conditions_of(army: PathfinderArmy) -> list[str]:
    """Slugs of its lasting conditions."""
    return [slug for slug, held in (("disease", army.ill or army.disease), ("energy-drain", army.drain)) if held]


@dataclass(frozen=True, slots=True)
class RosterLine:
    """An army in a list. `sheet` is None where the reader may not read it; then `glimpse` has what they know besides
    the name.
    """

    army: PathfinderArmy
    sheet: Any | None
    warnings: tuple[RosterWarning, ...] = ()
    engaged: Engaged | None = None
    glimpse: VisibleArmy | None = None

    @property
    def leader(self) -> PathfinderCommander | None:
        return self.army.leader if self.sheet else None


def build_sheet(army: PathfinderArmy, *, unhurt: bool = False) -> Any | None:
    """The army's sheet; None where the rules no longer accept it. `unhurt`: as in `build_army_spec`."""
    try:
        return get_ruleset(army.campaign).sheet(build_army_spec(army, unhurt=unhurt))
    except Refusal:
        return None


def load_rosters(user: User, campaign: Campaign, kingdoms: Sequence[Kingdom]) -> dict[UUID, list[RosterLine]]:
    """First armies of each of these kingdoms that the user knows of, standing ones first. Two queries."""
    lines: dict[UUID, list[RosterLine]] = defaultdict(list)
    if get_role(user, campaign) is None:
        return lines
    engaged, of = find_engaged(campaign), {kingdom.pk: kingdom for kingdom in kingdoms}
    for army in sorted(_first_known(user, campaign, kingdoms), key=lambda army: not army.standing):
        _ready(army, campaign, of[army.kingdom_id])
        lines[army.kingdom_id].append(_line(army, engaged.get(army.pk)))
    return lines


def _first_known(user: User, campaign: Campaign, kingdoms: Sequence[Kingdom]) -> Iterable[PathfinderArmy]:
    asked = [kingdom.pk for kingdom in kingdoms], count_shown_armies(len(kingdoms))
    if reads_all(user, campaign):
        rows = first_of(*asked, rows_of(PathfinderArmy))
    else:
        rows = list_first_armies(user, *asked, PathfinderArmy)
    return rows.listed()  # type: ignore[attr-defined]


def kingdom_roster(kingdom: Kingdom, armies: Iterable[PathfinderArmy]) -> list[RosterLine]:
    """Roster of these armies of one kingdom (loaded by `listed`), for a reader of its sheets."""
    engaged, found = find_engaged(kingdom.campaign), list(armies)
    for army in found:
        _ready(army, kingdom.campaign, kingdom)
    return [_line(army, engaged.get(army.pk)) for army in found]


def _ready(army: PathfinderArmy, campaign: Campaign, kingdom: Kingdom) -> None:
    army.campaign, army.kingdom = campaign, kingdom  # one object, so that roles and house rules are read once


def _line(army: PathfinderArmy, engaged: Engaged | None) -> RosterLine:
    if get_knowledge(army) < Knowledge.ALL:
        return RosterLine(
            army,
            None,
            engaged=engaged and engaged.for_enemies(army.campaign),
            glimpse=build_visible_army(army, engaged),
        )
    return RosterLine(army, build_sheet(army), list_warnings(army), engaged)


# Printed armies.

FIGURES = ("om", "dv", "morale_check", "speed", "consumption")


def on_paper(army: PathfinderArmy) -> OnPaper:
    """The sheet for print; only name and hit points where the rules no longer accept it."""
    sheet = build_sheet(army)
    if sheet is None:
        kingdom = str(army.kingdom_id)
        return OnPaper(str(army.pk), army.name, army.hp, army.hp_max, kingdom=kingdom, measure=paper.MEASURE)
    figures = {slug: getattr(sheet, slug) for slug in FIGURES}
    law = get_ruleset(army.campaign)
    printed = paper.on_paper(law, build_army_spec(army), figures, health=army.hp, health_max=army.hp_max)
    return replace(printed, figures=(*printed.figures, *figures_on_paper(army, MASS_COMBAT_FIGURES)))


# Market: what an army may buy, the prices, and what prevents a purchase (PF-5).

POTIONS = "healing-potions"
FREE = Price(0, 0)


class Offer(NamedTuple):
    """A resource on offer: price in BP, BP per week, and reasons against it. Only the `building` can be waived. In a
    kingdom without a treasury it costs nothing.
    """

    resource: Resource
    price: int
    consumption: int
    unfit: Said | None
    building: Said | None
    missing_bp: int

    @property
    def open(self) -> bool:
        return not (self.unfit or self.building or self.missing_bp)


def missing_building(army: PathfinderArmy, item: Resource, buildings: set[str] | None = None) -> Said | None:
    """Message that names the missing building; None if the army can buy the resource in its kingdom."""
    if not get_ruleset(army.campaign).house.buildings_required or not item.buildings:
        return None
    standing = buildings_of(army.kingdom) if buildings is None else buildings
    if standing & set(item.buildings) or (item.slug == POTIONS and has_brewers(army)):
        return None
    known = get_ruleset(army.campaign).buildings
    names = [known[slug].name for slug in item.buildings]
    return say(
        _("{resource}: {kingdom} must have a settlement with one of these buildings ({buildings})."),
        resource=item.name,
        kingdom=army.kingdom.name,
        buildings=names,
    )


def has_brewers(army: PathfinderArmy) -> bool:
    """Whether an army of the kingdom brews potions for all its armies (PF-9)."""
    abilities = get_ruleset(army.campaign).abilities
    ours = PathfinderArmy.objects.filter(kingdom=army.kingdom_id, status__in=PathfinderArmy.STANDING).values_list(
        "sheet__unit", flat=True
    )
    return any(_brews(choice, abilities) for unit in ours for choice in unit["abilities"])


def _brews(choice: dict[str, Any], abilities: Mapping[str, Ability]) -> bool:
    ability = abilities.get(choice["ability"])
    if ability is None or ability.off:
        return False
    return traits.BREWS in ability.traits or choice.get("options", {}).get("choice") == "cauldron"


def market(army: PathfinderArmy) -> tuple[Offer, ...]:
    """Every resource that the army lacks, or may have more of, with what prevents the purchase."""
    buildings = buildings_of(army.kingdom)
    owned = {row.resource for row in army.resources.all()}
    offered = (item for item in get_ruleset(army.campaign).resources.values() if item.several or item.slug not in owned)
    spec = build_army_spec(army, unhurt=True)
    return tuple(_offer(army, spec, item, buildings) for item in offered)


def _offer(army: PathfinderArmy, spec: ArmySpec, item: Resource, buildings: set[str]) -> Offer:
    ruleset = get_ruleset(army.campaign)
    price = ruleset.price(spec, item.slug) if not army.kingdom.without_treasury else FREE
    missing = max(0, price.bp - army.kingdom.treasury) if price.bp else 0
    unfit, building = _why_unfit(ruleset, spec, item), missing_building(army, item, buildings)
    return Offer(item, price.bp, price.consumption, unfit, building, missing)


def _why_unfit(ruleset: Any, spec: ArmySpec, item: Resource) -> Said | None:
    """Why the army cannot use it (PF-5.1), or already has something better; None if it can."""
    try:
        ruleset.refuse_resource(spec, item.slug)
    except IllegalCommand as refusal:
        return refusal.message
    return None


def receivers_of(army: PathfinderArmy) -> tuple[PathfinderArmy, ...]:
    """Other standing armies of the kingdom, with their names and numbers only."""
    standing = PathfinderArmy.objects.filter(kingdom=army.kingdom_id, status__in=PathfinderArmy.STANDING)
    return tuple(standing.exclude(pk=army.pk).only("name", "sheet"))


def candidates_for(kingdom: Kingdom) -> tuple[PathfinderCommander, ...]:
    """Free commanders of the kingdom who lead no army, with their names only."""
    free = PathfinderCommander.Status.FREE
    return tuple(PathfinderCommander.objects.filter(kingdom=kingdom, status=free, army=None).only("name"))
