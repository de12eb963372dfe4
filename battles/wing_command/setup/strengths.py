"""Strengths of the sides while a battle is set up: points, troops and wings, of those the reader knows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from armies.models import Army
from battles.field.page import BattlePage
from battles.setup.page import pick_colour
from kingdom.realms.figures import get_ruleset
from rules.core.text import Said, by_number, say
from rules.wing_command.figures import points_of

TROOPS = by_number("{count} troop", "{count} troops")
WINGS = by_number("{count} wing", "{count} wings")


class SideStrength(NamedTuple):
    side: int
    colour: str
    name: str
    points: int
    troops: Said
    wings: Said


def list_strengths(page: BattlePage) -> Iterator[SideStrength]:
    """The GM reads both sides, players those they command. None of armies whose campaign has another ruleset."""
    if page.other_rules is not None:
        return
    law, tables = get_ruleset(page.campaign).armies, get_ruleset(page.campaign).tables
    sheets = dict(Army.objects.filter(seats__battle=page.battle).values_list("pk", "sheet"))
    points = {str(army): points_of(law.value_of(sheet), tables) for army, sheet in sheets.items()}
    for side, team in enumerate(page.summary.sides):
        if not all(page.gm or page.viewer.commands(army) for army in team.armies):
            continue
        troops = sum(page.summary.armies[army].health_max for army in team.armies)
        whole = sum(points.get(army, 0) for army in team.armies)
        counted = say(TROOPS, count=troops), say(WINGS, count=len(team.armies))
        yield SideStrength(side, pick_colour(side), team.name, whole, *counted)
