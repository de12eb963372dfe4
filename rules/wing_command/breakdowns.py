"""Breakdowns of a wing's figures: troops, characters, commander, points and upkeep. Each line names its rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from rules.army_law import number_titles
from rules.core.breakdown import Breakdown
from rules.core.text import Said, _, say
from rules.wing_command.figures import Tables, points_of, type_of, upkeep_of
from rules.wing_command.spec import CHAOTIC, IRREGULAR, Spell, UnitFigures
from rules.wing_command.starter import ABILITIES, CHARACTERS, PROFILES, casting_limit
from rules.wing_command.wing import WingCharacter, WingCommander, WingSheet, WingTroop

CONTENT, DOCUMENT, ABILITY, MODIFIER, PRICES = "WC-10", "C-2", "WC-1.4", "WC-3.2", "C-8"
FIGURES = ("move", "melee", "shot", "range", "guard")
HEADS: Mapping[str, Said] = {
    "move": _("Move"), "melee": _("Melee attack"), "shot": _("Shot"), "range": _("Range"), "guard": _("Guard"),
    "points": _("Points"),
}  # fmt: skip
BETTER_MELEE, BETTER_GUARD = _("Better in melee"), _("Better guard")
LEVELS = tuple(ABILITIES)

type Lines = Mapping[str, Breakdown]


class SpellChance(NamedTuple):
    """A spell of a caster's art: its aptitude, and the highest result of 2D6 that succeeds (WC-7.1, WC-7.2)."""

    spell: Spell
    aptitude: Breakdown
    limit: int


def troop_lines(troop: WingTroop, tables: Tables) -> Lines:
    """The breakdown of each figure of a troop and of its points: its type's, plus its steps of quality."""
    kind = type_of(troop, tables)
    found = {name: _one(kind.name, getattr(kind, name), CONTENT) for name in FIGURES}
    found["melee"] = found["melee"].plus(BETTER_MELEE, troop.melee, CONTENT)
    found["guard"] = found["guard"].plus(BETTER_GUARD, troop.guard, CONTENT)
    if kind.shot:
        found["shot"] = found["shot"].plus(BETTER_MELEE, troop.melee, CONTENT)
    found["points"] = _one(kind.name, kind.points, PRICES)
    for label, steps in ((BETTER_MELEE, troop.melee), (BETTER_GUARD, troop.guard)):
        found["points"] = found["points"].plus(label, steps, PRICES)
    return found


def character_lines(character: WingCharacter) -> Lines:
    """The breakdown of each figure of a character."""
    kind = CHARACTERS[character.kind]
    return {name: _one(kind.name, getattr(kind, name), CONTENT) for name in FIGURES}


def commander_lines(commander: WingCommander) -> Lines:
    """The breakdown of each figure of a commander."""
    return {name: _one(HEADS[name], getattr(commander, name), DOCUMENT) for name in FIGURES}


def titles_of(sheet: WingSheet, tables: Tables) -> list[Said]:
    """The display names of the troops: their own or their type's, numbered where a type occurs several times."""
    return number_titles([(troop.name, type_of(troop, tables).name) for troop in sheet.troops])


def points_lines(sheet: WingSheet, tables: Tables) -> Breakdown:
    """The points of a wing, troop by troop."""
    found = Breakdown()
    for title, troop in zip(titles_of(sheet, tables), sheet.troops, strict=True):
        found = found.plus(title, troop_lines(troop, tables)["points"].total, PRICES)
    return found


def upkeep_lines(sheet: WingSheet, tables: Tables) -> Breakdown:
    """The upkeep of a wing in BP per week (C-5)."""
    points = points_of(sheet, tables)
    return _one(say(_("{points} points ÷ 4, rounded up"), points=points), upkeep_of(points), "C-5")


def command_test_lines(ability: str, profile: str, tables: Tables) -> Breakdown:
    """The highest result that passes a command test, before states and distance (WC-3)."""
    found = _one(say(_("Command ability {ability}"), ability=ability), tables.abilities[ability].threshold, ABILITY)
    return found.plus(PROFILES[IRREGULAR].name, -1, MODIFIER) if profile == IRREGULAR else found


def order_points(ability: str, profile: str, tables: Tables) -> Said:
    """The number of order points rolled, before states, in words (WC-4.2)."""
    if profile == CHAOTIC:
        return _("none: chaotic characters can’t give special orders")
    if profile != IRREGULAR:
        return say(_("1D3 × {factor}"), factor=tables.abilities[ability].factor)
    lower = LEVELS.index(ability) + 1
    if lower == len(LEVELS):
        return _("1 (irregular: one level below E)")
    factor = tables.abilities[LEVELS[lower]].factor
    return say(_("1D3 × {factor} (irregular: as {ability})"), factor=factor, ability=LEVELS[lower])


def spells_of(figures: UnitFigures, tables: Tables, bonus: int = 0) -> Iterator[SpellChance]:
    """The spells of a caster's art. `bonus`: to aptitude, from the campaign's house rule."""
    for spell in tables.spells.values():
        if figures.art and spell.art == figures.art and not spell.off:
            found = _one(_("Magic level"), figures.level, "WC-7.2")
            found = found.plus(_("Difficulty"), -spell.difficulty, "WC-7.4")
            found = found.plus(_("Pentacle"), figures.pentacle, "WC-7.2")
            found = found.plus(_("House rule"), bonus, "WC-HOUSE")
            yield SpellChance(spell, found, casting_limit(found.total))


def _one(label: Said, value: int, rule: str) -> Breakdown:
    return Breakdown().plus(label, value, rule)
