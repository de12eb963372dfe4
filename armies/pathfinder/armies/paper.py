"""Printed army of mass combat."""

from __future__ import annotations

from armies.pathfinder.armies.roster import build_sheet
from armies.pathfinder.forces.specs import build_army_spec
from armies.pathfinder.models import PathfinderArmy
from kingdom.realms.figures import get_ruleset
from rules.core.paper import OnPaper
from rules.pathfinder import paper

FIGURES = ("om", "dv", "morale_check", "speed", "consumption")


def on_paper(army: PathfinderArmy) -> OnPaper:
    """Its sheet; its name and its hit points alone where the rules no longer accept it."""
    sheet = build_sheet(army)
    if sheet is None:
        kingdom = str(army.kingdom_id)
        return OnPaper(str(army.pk), army.name, army.hp, army.hp_max, kingdom=kingdom, measure=paper.MEASURE)
    figures = {slug: getattr(sheet, slug) for slug in FIGURES}
    law = get_ruleset(army.campaign)
    return paper.on_paper(law, build_army_spec(army), figures, health=army.hp, health_max=army.hp_max)
