"""Army documents of wing command: reading, measuring and describing wings (C-2, C-4, C-5), and conversion of armies of
other rulesets into wings (WC-10, the bridge).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction

from rules.aftermath import Muster, MusteredLeader, MusteredTroops, TroopTag
from rules.army_law import DocumentSheets, FromAfar, one_figure
from rules.core.breakdown import shared
from rules.core.text import Said, Term, _, by_number, say
from rules.hexbattle.field import numbered
from rules.law import Measure
from rules.wing_command.figures import (
    SERGEANT,
    SERGEANT_NAME,
    Tables,
    character_figures,
    commander_figures,
    points_of,
    troop_figures,
    type_of,
    upkeep_of,
)
from rules.wing_command.spec import (
    ADVANCE,
    AUTONOMOUS,
    CHAOTIC,
    IRREGULAR,
    REGULAR,
    House,
    UnitFigures,
    UnitSpec,
    WingSpec,
)
from rules.wing_command.starter import CHARACTERS, LEVEL_MOST
from rules.wing_command.wing import (
    FIRE,
    MAGE,
    MORALE_LEAST,
    MORALE_MOST,
    USUAL_MORALE,
    WingCharacter,
    WingCommander,
    WingSheet,
    WingTroop,
)

# Army documents of wing command: reading, measuring and describing wings (C-2, C-4, C-5).

ABOUT = by_number("about {count} troop", "about {count} troops")


class WingDocuments(DocumentSheets):
    """Army documents (`rules.law.SheetLaw`) for wings, with the shape `WingSheet`."""

    health = _("Troops")

    def __init__(self, tables: Tables, house: House):
        troops = {slug: troop.name for slug, troop in tables.troops.items() if not troop.off}
        super().__init__(WingSheet, {"troops": troops}, WingCommander)
        self.tables = tables
        self.upkeep = _("Build Points per week") if house.upkeep else None

    def measured(self, sheet: WingSheet) -> Measure:
        """Its number of troops, and its weekly upkeep in BP."""
        points = points_of(sheet, self.tables)
        upkeep = upkeep_of(points) if self.upkeep else 0
        return Measure(len(sheet.troops), upkeep, say(Term("{troops}"), troops=self._counted(sheet)), len(sheet.troops))

    def seen(self, sheet: WingSheet) -> FromAfar:
        """The army as readers without its sheet see it: its types of troops, and their number rounded to one figure
        (C-4).
        """
        kinds = dict.fromkeys(type_of(troop, self.tables).name for troop in sheet.troops)
        size = say(ABOUT, count=one_figure(len(sheet.troops)))
        return FromAfar(say(Term("{kinds}"), kinds=list(kinds)), size)

    def _counted(self, sheet: WingSheet) -> list[Said]:
        counts = Counter(type_of(troop, self.tables).name for troop in sheet.troops)
        return [say(_("{count} × {troop}"), count=count, troop=name) for name, count in counts.items()]


# Conversion of armies of other rulesets into wings (WC-10, the bridge). The result can be edited during setup.

TROOPS_BY_SIZE: Mapping[str, int] = {"medium": 2, "large": 3, "huge": 4, "gargantuan": 6, "colossal": 8}
"""Number of troops by army size. Smaller sizes give one troop (W-18)."""
LEVY_MOST, STRONG, VERY_STRONG = Fraction(1, 3), 4, 8
"""Ratings of one creature: up to the first, troops are levies; from the second they are better in melee, from the third
better guarded too.
"""
TYPES: tuple[tuple[TroopTag, str], ...] = (
    ("flies", "griffins"),
    ("rides", "riders"),
    ("throws-rocks", "trolls"),
    ("giant", "trolls"),
    ("shoots", "archers"),
    ("armored", "heavy-foot"),
)
"""The type for each tag; the first match counts. Troops without a match are levies, beasts or foot."""
ABILITY_FROM: tuple[tuple[int, str], ...] = ((15, "A"), (12, "B"), (9, "C"), (6, "D"))


def wing_from(muster: Muster, tables: Tables | None = None) -> WingSpec:
    """The army as a wing of side 0, with the order *advance*.

    Raises `InvalidInput` if the campaign's tables no longer have a type the bridge uses.
    """
    known = tables or Tables()
    units = (*_troops(muster, known), _leader(muster.leader), *_mage(muster.caster))
    morale = min(MORALE_MOST, max(MORALE_LEAST, USUAL_MORALE + muster.spirit))
    prestige = muster.leader.rank if muster.leader else 0
    return WingSpec(muster.id, muster.name, 0, units, ADVANCE, morale, muster.kingdom, prestige)


def _troops(muster: Muster, tables: Tables) -> tuple[UnitSpec, ...]:
    """As many troops as the army's size gives, shared among its kinds in proportion to their worth."""
    counts = shared(TROOPS_BY_SIZE.get(muster.size, 1), [kind.worth for kind in muster.troops])
    found = [(kind, troop_of(kind, tables)) for kind, count in zip(muster.troops, counts, strict=True)
             for _troop in range(count)]  # fmt: skip
    names = numbered([kind.name for kind, _figures in found])
    return tuple(UnitSpec(name, figures) for name, (_kind, figures) in zip(names, found, strict=True))


def troop_of(kind: MusteredTroops, tables: Tables) -> UnitFigures:
    """The figures of one troop of this kind."""
    melee, guard = kind.rating >= STRONG, kind.rating >= VERY_STRONG
    troop = WingTroop(type_for(kind), melee=int(melee), guard=int(guard), infiltrate="infiltrates" in kind.tags)
    return troop_figures(troop, tables)._replace(profile=class_of(kind))


def type_for(kind: MusteredTroops) -> str:
    for tag, slug in TYPES:
        if tag in kind.tags:
            return slug
    if kind.rating <= LEVY_MOST:
        return "levy"
    return "beasts" if "beast" in kind.tags else "foot"


def class_of(kind: MusteredTroops) -> str:
    """The command class of these troops, whatever is usual for their type."""
    if kind.tags & {"animal", "mindless"}:
        return CHAOTIC
    return IRREGULAR if "chaotic" in kind.tags else REGULAR


def ability_of(rank: int) -> str:
    return next((ability for least, ability in ABILITY_FROM if rank >= least), "E")


def _leader(leader: MusteredLeader | None) -> UnitSpec:
    """The army's commander as leader of the wing; a sergeant if it has none."""
    if leader is None:
        return UnitSpec(SERGEANT_NAME, commander_figures(SERGEANT), True, True)
    profile = AUTONOMOUS if leader.autonomous else REGULAR
    return UnitSpec(
        leader.name, commander_figures(WingCommander(ability_of(leader.rank), profile)), True, True, leader.id
    )


def _mage(caster: int) -> tuple[UnitSpec, ...]:
    if caster < 1:
        return ()
    name = CHARACTERS[MAGE].name
    mage = WingCharacter(str(name), MAGE, art=FIRE, level=min(LEVEL_MOST, caster))
    return (UnitSpec(name, character_figures(mage), True, False, mage.name),)
