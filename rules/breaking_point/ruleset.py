"""Ruleset of breaking points: entry point for apps, and musters of armies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from rules.adjustments import Adjustable
from rules.aftermath import Muster, MusteredLeader, MusteredTroops, TroopTag, size_of
from rules.breaking_point.arms import Tables
from rules.breaking_point.battle.battle_law import Fights
from rules.breaking_point.catalogues import catalogues_of
from rules.breaking_point.documents import HostDocuments
from rules.breaking_point.figures import is_heavy, mean, unit_force
from rules.breaking_point.forecast.forecast_law import Prospects
from rules.breaking_point.house import HOUSE_RULES, house_of, tables_of
from rules.breaking_point.lines import command_lines
from rules.breaking_point.spec import ADJUSTABLE, SHOOTING, Host, House, Unit
from rules.breaking_point.workshop.workshop_law import HostWorkshop
from rules.core.text import Said, _
from rules.house import HouseRules
from rules.law import BattleLaw, Catalogue, ExplainedTerm, Law, LawHistory, WorkshopLaw, since
from rules.travel import PlainTravel

# Terms of breaking point that newcomers are told.

TERMS: Mapping[str, ExplainedTerm] = {
    "power": ExplainedTerm(_("Attack power"), _("The losses that a unit can cause in melee.")),
    "fire-power": ExplainedTerm(_("Fire power"), _("The losses that a unit can cause by shooting.")),
    "force": ExplainedTerm(_("Force"), _("What a unit can take: strength × (toughness + armor).")),
    "combat": ExplainedTerm(_("Combat"), _("How good the troops are. Defense and breaking point follow from it.")),
    "breaking": ExplainedTerm(
        _("Breaking point"), _("The share of its force that a group can lose. If it loses more, it routs.")
    ),
    "round": ExplainedTerm(_("Round of battle"), _("One exchange of blows: each group may attack or shoot once.")),
    "command-test": ExplainedTerm(
        _("Command test"),
        _("One die plus command: a side 2 ahead strikes first, a side 5 ahead also surprises the enemy."),
    ),
    "losses": ExplainedTerm(
        _("Loss levels"), _("Engaged, battered, decimated, annihilated, by the share of force lost.")
    ),
}


GREEN, REGULAR, VETERAN, ELITE = 1, 4, 7, 10
"""Least combat of each quality (BP-2.5); below the first troops are poor."""
RATINGS = ((ELITE, Fraction(8)), (VETERAN, Fraction(4)), (REGULAR, Fraction(2)), (GREEN, Fraction(1)))
POOR = Fraction(1, 3)
SPIRITS = ((ELITE, 2), (VETERAN, 1), (REGULAR, 0), (GREEN, -1))
LOWEST_SPIRIT = -2
MONSTROUS, MONSTER_RATING = 50, Fraction(8)
"""Toughness from which troops are monsters, and the least rating of a monster."""
HEAVY, LIGHT = 4, 1
"""Protection of heavy troops, and of troops with any armour."""
TROLLS, DINOSAURS = "trolls", "dinosaurs"


def muster_of(host: Host) -> Muster | None:
    """Convert an army into a muster. None if nobody can fight: the wounded go to no battle (B-48)."""
    units = [unit for unit in host.units if unit.strength]
    if not units:
        return None
    heads = sum(unit.strength for unit in units)
    leader = host.commander
    return Muster(
        host.id,
        host.name,
        host.kingdom,
        size_of(heads),
        tuple(_troops(unit) for unit in units),
        heads,
        heads + sum(unit.wounded for unit in host.units),
        spirit=_spirit(units),
        leader=MusteredLeader(leader.id, leader.name, command_lines(leader, units).total) if leader else None,
    )


def _spirit(units: Sequence[Unit]) -> int:
    """Return the spirit for the quality of the mean combat of those who fight (BP-2.5, BP-2.7)."""
    combat = mean(units, lambda unit: unit.combat)
    return next((spirit for least, spirit in SPIRITS if combat >= least), LOWEST_SPIRIT)


def _rating(unit: Unit) -> Fraction:
    """Return the challenge rating for its quality. A monster has at least `MONSTER_RATING`."""
    rating = next((rating for least, rating in RATINGS if unit.combat >= least), POOR)
    return max(rating, MONSTER_RATING) if unit.machine is None and unit.type.toughness >= MONSTROUS else rating


def _troops(unit: Unit) -> MusteredTroops:
    force, rating, tags = unit_force(unit), _rating(unit), frozenset(_tags(unit))
    return MusteredTroops(unit.name, unit.strength, force, rating, tags, _protection(unit))


def _protection(unit: Unit) -> int:
    return HEAVY if is_heavy(unit) else LIGHT if unit.armour else 0


def _tags(unit: Unit) -> Iterator[TroopTag]:
    kind = unit.type
    if kind.flies:
        yield "flies"
    if kind.mounted:
        yield "rides"
    if kind.slug == TROLLS:
        yield "giant"
    if unit.group == SHOOTING:
        yield "shoots"
    if is_heavy(unit):
        yield "armored"
    if kind.slug == DINOSAURS:
        yield "beast"
        yield "animal"
    if kind.never:
        yield "undead"
        yield "mindless"


# Changes by version. A battle opened under an older version continues under the newest and says so.
HISTORY: LawHistory = (
    ("2", _("the armor to beat is that of the most common machine type")),
    (
        "3",
        _("rulings B-70 to B-82 on cover, melees, garrison shots, withdrawals and cavalry in sieges"),
    ),
)
VERSION = HISTORY[-1][0]


class BreakingPoint(Law):
    """`rules.law.Law` of armies that fight by attack power, force and breaking point."""

    slug = "breaking-point"
    name = _("Breaking point")
    about = _("Armies of any age, built from units and weapons. A group flees once it has lost too much of its force.")
    version = VERSION
    family = "breaking_point"
    terms = TERMS

    def __init__(self, house: House | None = None):
        self._house = house or House()

    @property
    def house(self) -> House:
        """House rules of this campaign."""
        return self._house

    def changes_since(self, version: str) -> tuple[Said, ...]:
        return since(HISTORY, version)

    def with_house(self, stored: Mapping[str, Any]) -> BreakingPoint:
        return BreakingPoint(house_of(stored))

    @property
    def house_rules(self) -> HouseRules:
        return HOUSE_RULES

    @cached_property
    def tables(self) -> Tables:
        """Weapons, machines and types of this campaign, with its changes and its own entries."""
        return tables_of(self.house.overlay, self.house.own)

    @cached_property
    def catalogues(self) -> Mapping[str, Catalogue]:
        return catalogues_of(self.tables)

    @cached_property
    def armies(self) -> HostDocuments:
        """The law of army documents (BP-2)."""
        return HostDocuments(self.tables, self.house)

    @property
    def adjustable(self) -> Adjustable:
        """Figures of armies that the GM may adjust (B-41)."""
        return ADJUSTABLE

    @cached_property
    def battle(self) -> BattleLaw:
        """The law of battles (BP-4, BP-8, BP-9)."""
        return Fights(self.house, forecast=Prospects())

    @cached_property
    def travel(self) -> PlainTravel:
        """The law of marches. The rules are silent, so the GM sets the hexes of a day (B-69)."""
        return PlainTravel(self.house.march, "B-69")

    @cached_property
    def workshop(self) -> WorkshopLaw:
        return HostWorkshop(self.house)


BREAKING_POINT = BreakingPoint()
