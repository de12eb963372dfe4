"""Army documents of THUCIDIDE fantasy: reading, measuring and describing contingents (C-3 … C-7), their losses, and
conversion of armies of other rulesets (TF-8, the bridge).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from rules.aftermath import Muster, MusteredLeader, MusteredTroops, TroopTag
from rules.army_law import DocumentSheets, FromAfar, one_figure, without_version
from rules.core.breakdown import shared
from rules.core.errors import demand
from rules.core.shapes import shape_of
from rules.core.text import Said, Term, UnitName, _, by_number, say
from rules.hexbattle.field import numbered
from rules.law import Measure
from rules.thucidide_fantasy.contingent import ContingentCommander, ContingentSheet, ContingentUnit
from rules.thucidide_fantasy.figures import (
    NO_MASTER,
    Tables,
    commander_figures,
    points_of,
    rate_of,
    type_of,
    unit_figures,
    upkeep_of,
)
from rules.thucidide_fantasy.spec import (
    CASTER,
    CAVALRY,
    ELITE,
    FANATIC,
    GENERAL,
    GUARD,
    HEAVY,
    HERO,
    INFANTRY,
    LIGHT,
    MEDIUM,
    RECRUITS,
    REGULAR,
    TENACIOUS,
    UNDEAD,
    VERY_HEAVY,
    BorneTrait,
    CharacterFigures,
    CharacterSpec,
    ContingentSpec,
    House,
    TroopType,
    UnitFigures,
    UnitSpec,
    Weapon,
)
from rules.thucidide_fantasy.starter import CHARACTERS, DEATH, FATE_DIE, ISOLATED_MOVE, KINDS, WEIGHTS, WOUND

# Conversion of armies of other rulesets into contingents (TF-8, the bridge). The result can be edited during setup.

UNITS_BY_SIZE: Mapping[str, int] = {"medium": 1, "large": 2, "huge": 4, "gargantuan": 6, "colossal": 8}
"""Number of units by army size. Smaller sizes give one weak unit."""
WEAK, NORMAL = 3, 4
"""Stands of a weak and a normal unit (TF-1.9)."""
SINGLE, HUGE_FROM = "fine", 8
"""An army of size "fine" with at least this rating becomes one huge monster."""
WEIGHT_FROM: tuple[tuple[int, str], ...] = ((6, VERY_HEAVY), (4, HEAVY), (1, MEDIUM))
"""Least protection for each weight; below that the unit is light."""
TYPES: Mapping[tuple[str, str], str] = {
    (INFANTRY, LIGHT): "foot-light", (INFANTRY, MEDIUM): "foot-medium", (INFANTRY, HEAVY): "foot-heavy",
    (INFANTRY, VERY_HEAVY): "foot-heavy", (CAVALRY, LIGHT): "riders-light", (CAVALRY, MEDIUM): "riders-medium",
    (CAVALRY, HEAVY): "riders-heavy", (CAVALRY, VERY_HEAVY): "riders-heavy",
}  # fmt: skip
"""The nearest type of troops for each kind and weight."""
CLAWS: tuple[tuple[int, str], ...] = ((8, "very-strong-claw"), (2, "strong-claw"))
CLAW, LANCE, SPEAR, BOW, BREATH = "claw", "lance", "spear", "bow", "flame-thrower-light"
RECRUITS_MOST = Fraction(1, 3)
EXPERIENCE_FROM: tuple[tuple[int, str], ...] = ((6, GUARD), (3, ELITE))
TRAITS: tuple[tuple[TroopTag, str], ...] = (
    ("flies", "flyer"), ("unseen", "blur"), ("magic-proof", "bell"), ("hard-to-hurt", "invulnerable"),
    ("inspires", "morale"), ("frightens", "threat"), ("unnatural", "hindrance"), ("undead", UNDEAD),
)  # fmt: skip
LEVEL_FROM: tuple[tuple[int, str], ...] = ((12, "great"), (6, "normal"))
CASTER_MORE = 2
"""Spell points of a caster in addition to their caster level."""


def contingent_from(muster: Muster, tables: Tables | None = None) -> ContingentSpec:
    """The army as a contingent of side 0.

    Raises `InvalidInput` for undead without a master, and if the
    campaign's tables lack something the bridge uses.
    """
    known = tables or Tables()
    characters = (*_leader(muster.leader, known), *_caster(muster.caster))
    units = _units(muster, characters, known)
    return ContingentSpec(muster.id, muster.name, 0, units, characters, muster.kingdom)


def _units(muster: Muster, characters: tuple[CharacterSpec, ...], tables: Tables) -> tuple[UnitSpec, ...]:
    """As many units as the army's size gives, shared among its kinds of troops in proportion to their worth."""
    counts = shared(UNITS_BY_SIZE.get(muster.size, 1), [kind.worth for kind in muster.troops])
    found = [kind for kind, count in zip(muster.troops, counts, strict=True) for _unit in range(count)]
    units = []
    for name, kind in zip(numbered([kind.name for kind in found]), found, strict=True):
        figures = figures_of(kind, muster.size, tables)
        units.append(UnitSpec(name, figures, figures.stands, _master(name, figures, characters)))
    return tuple(units)


def _master(name: UnitName, figures: UnitFigures, characters: tuple[CharacterSpec, ...]) -> str:
    """The key of an undead unit's master: the army's commander, or else its caster; "" for other units."""
    if not figures.has(UNDEAD):
        return ""
    demand(characters, NO_MASTER, name=name)
    return characters[0].key


def figures_of(kind: MusteredTroops, size: str, tables: Tables) -> UnitFigures:
    """The figures of one unit of these troops."""
    if size == SINGLE and kind.rating >= HUGE_FROM:
        return _monster(kind, tables)
    troops, weight = kind_of(kind), weight_of(kind)
    rate, experience = rate_of(troops, weight, tables), tables.experiences[experience_of(kind)]
    blade, missile = tables.weapons[weapon_of(kind)], _missile(kind, tables)
    return UnitFigures(
        TYPES[troops, weight], troops, WEIGHTS[weight].level, NORMAL if size in UNITS_BY_SIZE else WEAK,
        rate.move, rate.calm, rate.fixed, blade.slug, missile.slug if missile else "", blade.assault, blade.melee,
        missile.shot if missile else 0, missile.range if missile else 0, missile is not None and missile.fire,
        experience.slug, experience.dice, temper_of(kind), traits_of(kind),
    )  # fmt: skip


def _monster(kind: MusteredTroops, tables: Tables) -> UnitFigures:
    """The figures of a single huge monster: a dragon or a mammoth, with the traits of the original army added."""
    own = unit_figures(ContingentUnit("dragon" if "dragon" in kind.tags else "mammoth"), tables)
    more = tuple(one for one in traits_of(kind) if not own.has(one.trait))
    return own._replace(traits=(*own.traits, *more), temper=temper_of(kind))


def kind_of(kind: MusteredTroops) -> str:
    """Cavalry for mounted troops, beasts and animals; infantry for all others."""
    return CAVALRY if kind.tags & {"rides", "beast", "animal"} else INFANTRY


def weight_of(kind: MusteredTroops) -> str:
    return next((weight for least, weight in WEIGHT_FROM if kind.protection >= least), LIGHT)


def weapon_of(kind: MusteredTroops) -> str:
    """Lances for mounted troops, claws by rating for beasts, spears for all others."""
    if "rides" in kind.tags:
        return LANCE
    if not kind.tags & {"beast", "animal", "dragon"}:
        return SPEAR
    return next((claw for least, claw in CLAWS if kind.rating >= least), CLAW)


def _missile(kind: MusteredTroops, tables: Tables) -> Weapon | None:
    """The ranged weapon, or None. Fire breath replaces other missiles."""
    if "breathes-fire" in kind.tags:
        return tables.weapons[BREATH]
    return tables.weapons[BOW] if "shoots" in kind.tags else None


def experience_of(kind: MusteredTroops) -> str:
    """The experience of these troops, by their rating."""
    if kind.rating <= RECRUITS_MOST:
        return RECRUITS
    return next((slug for least, slug in EXPERIENCE_FROM if kind.rating >= least), REGULAR)


def temper_of(kind: MusteredTroops) -> str:
    """Fanatic for mindless troops, tenacious for brave ones, else ""."""
    if "mindless" in kind.tags:
        return FANATIC
    return TENACIOUS if "brave" in kind.tags else ""


def traits_of(kind: MusteredTroops) -> tuple[BorneTrait, ...]:
    return tuple(BorneTrait(trait) for tag, trait in TRAITS if tag in kind.tags)


def level_of(rank: int) -> str:
    """The command level of a leader of this rank."""
    return next((level for least, level in LEVEL_FROM if rank >= least), "poor")


def _leader(leader: MusteredLeader | None, tables: Tables) -> tuple[CharacterSpec, ...]:
    """The army's commander as a general. If a side has several generals, all but one lead as sub-generals (T-84)."""
    if leader is None:
        return ()
    figures = commander_figures(ContingentCommander(GENERAL, level_of(leader.rank)), tables)
    return (CharacterSpec(leader.name, figures, True, leader.id),)


def _caster(level: int) -> tuple[CharacterSpec, ...]:
    if level < 1:
        return ()
    name = CHARACTERS[CASTER].name
    figures = CharacterFigures(CASTER, points=level + CASTER_MORE, move=ISOLATED_MOVE, calm=ISOLATED_MOVE)
    return (CharacterSpec(name, figures, key=str(name)),)


# Losses of an army after a battle, and recovery in a quiet week (C-6, C-7), applied to documents.

FLED, WOUNDED, DEAD_OR_PRISONER = "fled", "wounded", "dead-or-prisoner"


class ArmyToll(NamedTuple):
    """Losses of an army in a battle.

    `stands`: the stands left of each unit, by its index in the document; 0 if destroyed, missing if unchanged. `gone`:
    names of characters who are dead or captured. `won`: whether its side won.
    """

    stands: Mapping[int, int]
    gone: Collection[str] = ()
    won: bool = False


def after_battle(sheet: ContingentSheet, toll: ArmyToll, tables: Tables, survivors: int) -> ContingentSheet | None:
    """The army's document with its losses applied; None if no unit is left.

    `survivors`: the stands that return of a destroyed unit whose side won.
    """
    units = [
        _after(unit, type_of(unit, tables), toll.stands.get(place), survivors if toll.won else 0)
        for place, unit in enumerate(sheet.units)
    ]
    left = tuple(unit for unit in units if unit is not None)
    if not left:
        return None
    characters = tuple(one for one in sheet.characters if one.name not in toll.gone)
    return ContingentSheet(tuple(_mastered(unit, toll.gone) for unit in left), characters)


def _after(unit: ContingentUnit, own: TroopType, stands: int | None, survivors: int) -> ContingentUnit | None:
    """The unit with its remaining stands, or with the survivors if destroyed, at most as many as entered the battle;
    None if none are left.
    """
    if stands is None:
        return unit
    left = min(unit.whole(own), stands) if stands > 0 else min(unit.whole(own) - unit.lost, survivors)
    return unit._replace(lost=unit.whole(own) - left) if left > 0 else None


def _mastered(unit: ContingentUnit, gone: Collection[str]) -> ContingentUnit:
    """The unit with its default master, if the master it names is gone."""
    return unit._replace(master="") if unit.master in gone else unit


def rested(sheet: ContingentSheet, stands: int = 1) -> ContingentSheet:
    """The document after a week without battle: each unit recovers `stands` stands, up to its full strength (C-7)."""
    return sheet._replace(units=tuple(unit._replace(lost=max(0, unit.lost - stands)) for unit in sheet.units))


# Fates (TF-4.7)


def fate(dice: Sequence[int]) -> str:
    """The fate of a character from 1D6 for each stand lost; the highest die counts. Without dice they got away."""
    highest = max(dice, default=0)
    if highest >= DEATH:
        return DEAD_OR_PRISONER
    return WOUNDED if highest >= WOUND else FLED


def death_from(dice: Sequence[int]) -> int:
    """The least result of one more die that means death instead of capture, unless the table agreed on one: 6, less 1
    for each further 6.
    """
    return max(1, DEATH - max(0, sum(die >= DEATH for die in dice) - 1))


def fates_of(stands: int) -> dict[str, int]:
    """For each fate, the number of the 6ⁿ possible rolls that give it, with n stands lost."""
    below, safe = (DEATH - 1) ** stands, (WOUND - 1) ** stands
    return {DEAD_OR_PRISONER: FATE_DIE**stands - below, WOUNDED: below - safe, FLED: safe}


# Army documents of THUCIDIDE fantasy: reading, measuring and describing contingents (C-3, C-4, C-5).

SHEET, COMMANDER_SHEET = shape_of(ContingentSheet), shape_of(ContingentCommander)
ABOUT = by_number("about {count} stand", "about {count} stands")


class ContingentDocuments(DocumentSheets):
    """Army documents (`rules.law.SheetLaw`) for contingents, with the shape `ContingentSheet`."""

    health = _("Number of stands")

    def __init__(self, tables: Tables, house: House):
        super().__init__(ContingentSheet, tables._asdict(), ContingentCommander)
        self.tables, self._house = tables, house
        self.upkeep = _("Build Points per week") if house.upkeep else None

    @property
    def known(self) -> Mapping[str, Any]:
        """The names that a new document may use, and the usual spell points of casters."""
        return {**self.catalogues, "limits": {"points": self._house.supply_points}}

    def read(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """The document in its normal form. Raises `InvalidInput` with a pointer for every problem.

        Only here is the cost of cards checked, so that existing documents survive a rise in spell costs.
        """
        return self.shape.write(self.shape.read_document(without_version(document), "", self.known))

    def sheet_of(self, document: Mapping[str, Any]) -> ContingentSheet:
        """The sheet in a document. Raises `InvalidInput` if the law doesn't accept it."""
        sheet: ContingentSheet = self.value_of(document)
        return sheet

    def commander_of(self, document: Mapping[str, Any]) -> ContingentCommander:
        """The commander in a document, with defaults for missing members; rank null means a hero.

        Raises `InvalidInput`.
        """
        commander: ContingentCommander = COMMANDER_SHEET.read_document(_ranked(document), "", self.catalogues)
        return commander

    def read_commander(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """A commander's document in its normal form. Raises `InvalidInput` with a pointer for every problem."""
        return COMMANDER_SHEET.write(COMMANDER_SHEET.read_document(_ranked(document), "", self.known))

    def rested(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """The document after a week without battle (C-7)."""
        return self.shape.write(rested(self.sheet_of(document), self._house.stands_back))

    def measured(self, army: ContingentSheet) -> Measure:
        """Full strength in stands, weekly upkeep in BP, the units in words, and the stands now (C-4, C-5)."""
        points = points_of(army, self.tables, self._house.supply_points)
        upkeep = upkeep_of(points) if self._house.upkeep else 0
        whole = sum(unit.whole(type_of(unit, self.tables)) for unit in army.units)
        lost = sum(unit.lost for unit in army.units)
        return Measure(whole, upkeep, say(Term("{units}"), units=self._counted(army)), whole - lost)

    def seen(self, army: ContingentSheet) -> FromAfar:
        """The army as readers without its sheet see it: the kinds of troops, and the number of stands rounded to one
        figure (C-4).
        """
        kinds = dict.fromkeys(KINDS[type_of(unit, self.tables).kind].name for unit in army.units)
        stands = self.measured(army).fit or 0
        return FromAfar(say(Term("{kinds}"), kinds=list(kinds)), say(ABOUT, count=one_figure(stands)))

    def _counted(self, army: ContingentSheet) -> list[Said]:
        counts = Counter(type_of(unit, self.tables).name for unit in army.units)
        return [say(_("{count} × {troop}"), count=count, troop=name) for name, count in counts.items()]


def _ranked(document: Mapping[str, Any]) -> Any:
    """A commander's document with rank null replaced by "hero" (C-3)."""
    body = without_version(document)
    if isinstance(body, dict) and "rank" in body and body["rank"] is None:
        return {**body, "rank": HERO}
    return body
