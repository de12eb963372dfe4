"""Catalogues of wing command: the items a reader can look up, by kind, with their figures in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rules.core.content import Item
from rules.core.text import Said, Term, _, say
from rules.hexes.rulings import MAP_RULINGS
from rules.law import Catalogue
from rules.wing_command.figures import Tables
from rules.wing_command.readings import READINGS
from rules.wing_command.rulings import RULES
from rules.wing_command.spec import CharacterKind, CommandAbility, Spell, TroopType
from rules.wing_command.starter import ARTS, CHARACTERS, ORDERS, POSTURES, PROFILES, STATES

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
