"""Figures of armies and commanders in the shape of the API."""

from __future__ import annotations

from collections.abc import Sequence

from armies.breaking_point.armies.figure_tables import GROUPS, list_sums
from armies.breaking_point.forces.specs import build_general, load_units
from armies.models import Army, Commander
from kingdom.api.fields import serialize_lines
from rules.breaking_point import lines
from rules.breaking_point.figures import BodyFigures, body_figures
from rules.breaking_point.reading import Json
from rules.breaking_point.spec import Unit


def army_json(army: Army) -> Json | None:
    """Figures of the army and its groups, with breakdowns; None where the ruleset no longer accepts the units."""
    units = load_units(army)
    if not units:
        return None
    opened = {name: serialize_lines(found) for name, found in lines.body_lines(units).items()}
    return {**_body(body_figures(units)), "groups": dict(_groups(units)), "breakdown": opened}


def _groups(units: Sequence[Unit]) -> list[tuple[str, Json]]:
    found = []
    for slug, group, reserve, _title in GROUPS:
        own = [unit for unit in units if unit.group == group and unit.reserve == reserve]
        if own:
            found.append((slug.replace("-", "_"), _body(body_figures(own))))
    return found


def _body(figures: BodyFigures) -> Json:
    force = figures.force
    return {
        **figures_json(figures),
        "thresholds": {"battered": -(-force // 2), "decimated": force, "annihilated": 2 * force},
    }


def figures_json(figures: BodyFigures) -> Json:
    plain = ("strength", "power", "fire_power", "force", "combat", "defense", "breaking_value", "mobility", "range")
    return {**{name: getattr(figures, name) for name in plain}, "breaking_point": figures.breaking}


def units_json(army: Army) -> list[Json]:
    """Stored units, each with its own figures as `sheet`, null where the ruleset no longer accepts the army."""
    units = load_units(army)
    sheets = [figures_json(body_figures([unit])) for unit in units]
    kept = army.sheet.get("units", ())
    return [{**unit, "sheet": sheets[place] if sheets else None} for place, unit in enumerate(kept)]


def sums_json(commander: Commander) -> Json:
    """Modifiers to the dice of command, rally and terms, with breakdowns."""
    sums = list_sums(build_general(commander))
    opened = {shown.id: serialize_lines(shown.breakdown) for shown in sums}
    return {**{shown.id: shown.value for shown in sums}, "breakdown": opened}
