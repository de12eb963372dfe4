"""Ruleset object of wing command, the entry point for the apps, and its catalogues."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from rules.adjustments import Adjustable
from rules.core.content import Item
from rules.core.text import Said, Term, _, say
from rules.hexes.terrain import MAP_RULINGS
from rules.house import HouseRules
from rules.law import BattleLaw, Catalogue, ExplainedTerm, Law, LawHistory, since
from rules.wing_command.battle.law import WingBattles
from rules.wing_command.documents import WingDocuments
from rules.wing_command.figures import Tables
from rules.wing_command.house import HOUSE_RULES, house_of, tables_of
from rules.wing_command.rulings import READINGS, RULES
from rules.wing_command.spec import ADJUSTABLE, CharacterKind, CommandAbility, House, Spell, TroopType
from rules.wing_command.starter import ARTS, CHARACTERS, ORDERS, POSTURES, PROFILES, STATES

# Catalogues of wing command: the items a reader can look up, by kind, with their figures in words.

FIGURES = (
    "tag", "large", "move", "melee", "shot", "range", "guard", "command_class", "points", "fly", "infiltrate", "level",
    "factor", "threshold", "bonus", "art", "difficulty", "far",
)  # fmt: skip


def catalogues_of(tables: Tables) -> dict[str, Catalogue]:
    """All catalogues, with the figures of a campaign's tables."""
    found: dict[str, tuple[Term, Mapping[str, Item]]] = {
        "troops": (_("Troops"), tables.troops),
        "characters": (_("Characters"), CHARACTERS),
        "abilities": (_("Command abilities"), tables.abilities),
        "profiles": (_("Profiles and classes"), PROFILES),
        "orders": (_("Standing orders"), ORDERS),
        "postures": (_("Postures"), POSTURES),
        "states": (_("States"), STATES),
        "spells": (_("Spells"), tables.spells),
        "rules": (_("Rules"), {**RULES, **READINGS, **MAP_RULINGS}),
    }
    return {kind: Catalogue(label, items, _facts, FIGURES) for kind, (label, items) in found.items()}


def _facts(item: Any) -> Iterator[Said]:
    match item:
        case TroopType():
            yield from _of_troop(item)
        case CharacterKind():
            yield from _fighting(item)
            if item.level:
                yield say(_("magic level {level}"), level=item.level)
        case CommandAbility():
            yield say(_("order points 1D3 × {factor}"), factor=item.factor)
            yield say(_("command test {threshold} or less"), threshold=item.threshold)
            yield say(_("initiative +{bonus}"), bonus=item.bonus)
        case Spell():
            yield ARTS[item.art]
            yield say(_("difficulty {difficulty}"), difficulty=item.difficulty)
            yield say(_("range {range}"), range=item.far)


def _of_troop(item: TroopType) -> Iterator[Said]:
    yield _("large") if item.large else _("small")
    yield from _fighting(item)
    yield PROFILES[item.command_class].name
    yield say(_("points {points}"), points=item.points)
    if item.fly:
        yield _("flies")
    if item.infiltrate:
        yield _("infiltrates")


def _fighting(item: TroopType | CharacterKind) -> Iterator[Said]:
    yield say(_("move {move}"), move=item.move)
    yield say(_("melee {melee}"), melee=item.melee)
    if item.shot:
        yield say(_("shot {shot}, range {range}"), shot=item.shot, range=item.range)
    yield say(_("guard {guard}"), guard=item.guard)


# Ruleset object of wing command, the entry point for the apps.

HISTORY: LawHistory = (("1", _("First version")),)
VERSION = HISTORY[-1][0]


TERMS: Mapping[str, ExplainedTerm] = {
    "wing": ExplainedTerm(_("Wing"), _("Up to eight troops and their characters. In a campaign, one army.")),
    "leader": ExplainedTerm(_("Wing leader"), _("The commander of a wing. Their ability, A to E, decides its orders.")),
    "standing-order": ExplainedTerm(
        _("Standing order"), _("What a wing’s troops do when nobody tells them otherwise: attack, advance or hold.")
    ),
    "order-points": ExplainedTerm(
        _("Order points"), _("What a leader rolls in each turn and spends on special orders.")
    ),
    "wing-morale": ExplainedTerm(
        _("Morale marker"), _("From 4 to 12: how steady a wing is. Its tests succeed with 2d6 up to this number.")
    ),
    "broken-wing": ExplainedTerm(
        _("Broken wing"),
        _("A wing that has lost half its troops, or the share the campaign sets. Its order is retreat from then on."),
    ),
    "demoralization": ExplainedTerm(
        _("Demoralization"),
        _("A wing tests for each unit it loses. All wings test if the army leader is lost."),
    ),
}


class WingCommand(Law):
    """Ruleset (`rules.law.Law`) of battles between two hosts on a hex map, led by the commanders of their wings."""

    slug = "wing-command"
    name = _("Wing command")
    about = _("Battles on a hex map in which each army is a wing: its leader’s orders decide what its troops can do.")
    version = VERSION
    family = "wing_command"
    terms = TERMS

    def __init__(self, house: House | None = None):
        self._house = house or House()

    @property
    def house(self) -> House:
        """The house rules of this campaign."""
        return self._house

    def changes_since(self, version: str) -> tuple[Said, ...]:
        return since(HISTORY, version)

    def with_house(self, stored: Mapping[str, Any]) -> WingCommand:
        return WingCommand(house_of(stored))

    @property
    def house_rules(self) -> HouseRules:
        return HOUSE_RULES

    @cached_property
    def tables(self) -> Tables:
        """Troops, abilities and spells, with the campaign's changes and own types."""
        return tables_of(self.house.overlay, self.house.own)

    @cached_property
    def catalogues(self) -> Mapping[str, Catalogue]:
        return catalogues_of(self.tables)

    @cached_property
    def armies(self) -> WingDocuments:
        """The law of army documents (C-2)."""
        return WingDocuments(self.tables, self.house)

    @property
    def adjustable(self) -> Adjustable:
        """Figures of armies that the GM may adjust."""
        return ADJUSTABLE

    @cached_property
    def battle(self) -> BattleLaw:
        """The battle law."""
        return WingBattles(self.house, self.tables)


WING_COMMAND = WingCommand()
