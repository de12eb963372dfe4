"""Realm law of mass combat (`rules.realm.RealmLaw`): kingdom sheets, derived figures, checks and buildings (PF-8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rules.core.breakdown import Breakdown
from rules.core.errors import demand
from rules.core.text import Term, _
from rules.pathfinder.kingdom_checks import (
    ANARCHY,
    ATTRIBUTES,
    SIDES_PER_DISTRICT,
    Building,
    control_dc,
    kingdom_check,
    settlement_defense,
)
from rules.pathfinder.rulebook import Rulebook
from rules.realm import (
    BriefFigure,
    Checks,
    KingdomCheck,
    Notice,
    RealmFigures,
    RealmSwitch,
    SheetFigure,
    TownStart,
    Ware,
    attributes_of,
)

MOST = 10_000
SIZE_MOST = 100_000
BP_MOST = 10_000_000
LOSES_A_HEX = 11  # Unrest from which the upkeep phase costs a hex (PF-8.4)

SHEET: Mapping[str, SheetFigure] = {
    **{
        slug: SheetFigure(name, -MOST, MOST, attribute=True, remembered=True) for slug, name in ATTRIBUTES.items()
    },
    "unrest": SheetFigure(_("Unrest"), 0, MOST, remembered=True),
    "size": SheetFigure(_("Size in hexes"), 0, SIZE_MOST, 1, remembered=True, hexes=True),
    "districts": SheetFigure(
        _("Settlement districts"), 0, SIZE_MOST,
        help=_("Only if you don’t track settlements here. Otherwise their districts are counted automatically."),
    ),
    "control_dc_modifier": SheetFigure(
        _("Control DC modifier"), -MOST, MOST, gm=True, help=_("Added to 20 + size + districts."),
    ),
    "control_dc_override": SheetFigure(
        _("Control DC set outright"), 0, MOST, None, gm=True, optional=True,
        help=_("Leave empty to calculate it from size and districts."),
    ),
    "consumption": SheetFigure(
        _("Consumption of the kingdom"), 0, BP_MOST, gm=True,
        help=_("BP per month, paid in the upkeep phase. Armies are paid extra each week."),
    ),
}  # fmt: skip

YOUNG = {"economy": 20, "loyalty": 18, "stability": 18, "size": 6, "treasury": 80}
TOWNS = {
    "town": TownStart(1, ("watchtower", "smithy", "herbalist")),
    "city": TownStart(2, ("castle", "city-wall", "city-wall", "barracks", "smithy", "stable", "temple")),
}

CHECKS = Checks(
    20, "control_dc", _("d20 + attribute − Unrest, against the control DC unless you enter another DC."), "PF-3.1"
)
LEADERLESS = RealmSwitch(
    _("Morale falls without a commander"),
    _("Counts only without a treasury. Otherwise armies always lose Morale in weeks without a commander."),
)
ANARCHY_WARNING = _("Anarchy: every kingdom check counts as 0 (PF-8.4).")
HEX_WARNING = _("Unrest of 11 or more: the upkeep phase costs a hex (PF-8.4).")


@dataclass(frozen=True, eq=False)
class Realm:
    """Kingdoms under this ruleset with its house rules."""

    law: Rulebook
    rule: str = "PF-8.1"
    leaderless: RealmSwitch = LEADERLESS
    market_rule: str = "PF-5"
    defeat_rule: str = "PF-6.1"
    checks: Checks = CHECKS

    @property
    def young(self) -> Mapping[str, int]:
        return YOUNG

    @property
    def towns(self) -> Mapping[str, TownStart]:
        return TOWNS

    @property
    def alignments(self) -> Sequence[str]:
        return self.law.alignments

    @property
    def sheet(self) -> Mapping[str, SheetFigure]:
        return SHEET

    @property
    def derived(self) -> Mapping[str, Term]:
        return {"control_dc": _("Control DC")}

    def derive(self, figures: RealmFigures) -> Mapping[str, Breakdown]:
        reckoned = control_dc(
            size=figures["size"] or 0,
            districts=figures["districts"] or 0,
            modifier=figures["control_dc_modifier"] or 0,
            override=figures["control_dc_override"],
        )
        return {"control_dc": reckoned}

    def glance(self, figures: RealmFigures) -> Sequence[BriefFigure]:
        """Return attributes, Unrest if there is any, and control DC."""
        values = [(name, figures[slug] or 0) for slug, name in attributes_of(self).items()]
        chips = [BriefFigure(name, value, value < 0) for name, value in values]
        unrest = figures["unrest"] or 0
        chips += [BriefFigure(SHEET["unrest"].name, unrest, True)] if unrest else []
        return [*chips, *(BriefFigure(self.derived[slug], sum_.total) for slug, sum_ in self.derive(figures).items())]

    def notices(self, figures: RealmFigures) -> Sequence[Notice]:
        """Warn of anarchy and of Unrest that costs a hex (PF-8.4)."""
        unrest = figures["unrest"] or 0
        if unrest >= ANARCHY:
            return (Notice(ANARCHY_WARNING, True),)
        return (Notice(HEX_WARNING, False),) if unrest >= LOSES_A_HEX else ()

    def check(self, *, attribute: str, figures: RealmFigures, dc: int, roll: int) -> KingdomCheck:
        value, unrest = figures[attribute] or 0, figures["unrest"] or 0
        return kingdom_check(attribute=attribute, value=value, unrest=unrest, dc=dc, roll=roll)

    @property
    def buildings(self) -> Mapping[str, Building]:
        return self.law.buildings

    def check_buildings(self, counted: Mapping[str, int], *, districts: int) -> None:
        """Raise `InvalidInput` for more walls or moats than the districts have sides (PF-8.3)."""
        most = districts * SIDES_PER_DISTRICT
        for slug, building in self.buildings.items():
            demand(
                not building.per_side or counted.get(slug, 0) <= most,
                _("{building}: at most {most}, one per district border."),
                field="/buildings",
                building=building.name,
                most=most,
            )

    def defense(self, buildings: Sequence[str], override: int | None) -> Breakdown:
        return settlement_defense(buildings, override)

    @property
    def buildings_help(self) -> Term:
        return _("Buildings decide what armies can buy. Walls and towers protect a fortified army.")

    @property
    def defense_help(self) -> Term:
        return _("No building here adds to Defense. Walls, a moat, barracks, a watchtower or a castle would.")

    @property
    def wares(self) -> Sequence[Ware]:
        """Resources that no house rule switches off, and where they are sold (PF-5)."""
        free = not self.law.house.buildings_required
        items = (item for item in self.law.resources.values() if not item.off)
        return [Ware(item, item.buildings, free or not item.buildings) for item in items]
