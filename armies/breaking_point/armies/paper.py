"""Printed armies: cards, and the order of battle in the layout of the rules' document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from armies.breaking_point.armies.page import FigureShown, GroupShown, build_sheet, group_of, list_sums
from armies.breaking_point.forces import words
from armies.breaking_point.forces.specs import build_leader, load_adjusted_units
from armies.models import Army
from rules.breaking_point.spec import CONTACT, Unit
from rules.core.breakdown import OnPaper, PaperAid, PaperFigure, PaperList
from rules.core.text import NO_WORDS, Said, Term, _, say

ROWS, FEWER_ROWS = 8, 4  # blank rows in the document's tables
STATES: tuple[tuple[Term, tuple[Said, ...]], ...] = (
    (_("engaged"), (_("combat −1"),)),
    (_("battered"), (_("combat −2"), _("power halved"))),
    (_("decimated"), (_("combat −5"), _("power halved"))),
    (_("routed"), (_("combat −5"), _("power and defense halved"))),
)
AIDS = (PaperAid(_("States"), STATES),)


def on_paper(army: Army) -> OnPaper:
    """The army's card, with a box for each point of force, grey from the point where it breaks. Only name and health
    where the ruleset no longer accepts the units.
    """
    units, leader = load_adjusted_units(army), army.commander.name if army.commander else ""
    head: dict[str, Any] = {"id": str(army.pk), "name": army.name, "leader": leader, "kingdom": str(army.kingdom_id),
                            "charge": "army"}  # fmt: skip
    if not units:
        return OnPaper(health=army.health, health_max=army.health_max, **head)
    sheet, (command, *_rest) = build_sheet(units), list_sums(build_leader(army), units)
    total = sheet.total
    brink = 0 if total.breaking_value is None else max(0, total.force - total.breaking_value)
    return OnPaper(
        health=total.force,
        health_max=total.force,
        about=say(_("Strength: {strength}"), strength=total.strength),
        measure=words.FORCE,
        brink=brink,
        brink_help=NO_WORDS if total.breaking_value is None else _("gray: beyond the breaking point"),
        figures=tuple(_figures((*sheet.figures, command))),
        lists=tuple(PaperList(group.title, tuple(_unit(line.unit) for line in group.lines)) for group in sheet.groups),
        **head,
    )


def _figures(shown: Sequence[FigureShown]) -> Iterator[PaperFigure]:
    kept = ("power", "fire-power", "combat", "contact-combat", "shot-combat", "defense", "breaking", "mobility",
            "command")  # fmt: skip
    for figure in shown:
        if figure.id in kept and figure.value is not None:
            yield PaperFigure(figure.label, figure.value, figure.breakdown.lines, plain=True)


def _unit(unit: Unit) -> Said:
    return say(_("{heads} × {unit} ({combat})"), heads=unit.strength, unit=unit.name, combat=unit.combat)


@dataclass(frozen=True, slots=True)
class OrderTable:
    """A table of the order of battle, with states to tick off. `blank`: empty rows to write in. `fights`: names and
    force of what suffers losses and breaks as one: the whole table, or in a fleet each unit (BP-9).
    """

    title: Said
    group: GroupShown | None
    blank: range
    fights: tuple[tuple[str, int | None], ...]


@dataclass(frozen=True, slots=True)
class OrderOfBattle:
    army: Army
    command: FigureShown | None
    tables: tuple[OrderTable, ...]


def order_of_battle(army: Army) -> OrderOfBattle:
    """Main force, support and reserve. Without melee units everything is the main force, as in a fleet."""
    units = tuple(enumerate(load_adjusted_units(army)))
    field, reserve = [one for one in units if not one[1].reserve], [one for one in units if one[1].reserve]
    main = [one for one in field if one[1].group == CONTACT] or field
    fleet = all(unit.machine is not None for _place, unit in units)
    support = [one for one in field if one not in main]
    command = next(iter(list_sums(build_leader(army), [unit for _place, unit in units])), None)
    return OrderOfBattle(
        army,
        command if units else None,
        (
            _table("main", _("Main force"), main, ROWS, fleet),
            _table("support", _("Support (archers, guns, fire from the air)"), support, FEWER_ROWS, fleet),
            _table("reserve", _("Reserve"), reserve, FEWER_ROWS, fleet),
        ),
    )


def _table(slug: str, title: Said, found: list[tuple[int, Unit]], rows: int, fleet: bool) -> OrderTable:
    group = group_of(slug, title, found) if found else None
    whole: tuple[tuple[str, int | None], ...] = (("", group.total.force if group else None),)
    each = tuple((line.unit.name, line.force.value) for line in group.lines) if group and fleet else whole
    return OrderTable(title, group, range(max(1, rows - len(found))), each)
