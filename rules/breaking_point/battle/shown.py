"""Figures of every army as they are now, body by body, and how long a round is (BP-1, B-3)."""

from __future__ import annotations

from rules.breaking_point.battle.battle_state import ASSAULT, BattleNow, Body
from rules.breaking_point.battle.field_figures import (
    CONTACT_USE,
    SHOT_USE,
    army_command,
    combat_lines,
    defense_lines,
    power_lines,
)
from rules.core.breakdown import Breakdown, Line
from rules.core.text import _
from rules.law import Figures

LONGER_ROW, SECONDS_BELOW, SECONDS_FROM = 10_000, (3, 5), (9, 25)
"""Seconds for a head: below 10 000 heads on the field 0.6, from there on 0.36, as (much, little)."""


def figures_of_all(battle: BattleNow) -> Figures:
    """By army; slugs are a figure and the body's key: "power:contact". "command" is the army's: where
    nobody leads it that of its troops on the field, as its tests have it (B-15).
    """
    found: dict[str, dict[str, Breakdown]] = {}
    for army in battle.armies:
        own = battle.of_army(army)
        shown = {f"{name}:{body.key}": lines for body in own for name, lines in body_figures_now(battle, body).items()}
        there = [body for body in own if body.on_field] or own
        found[army] = {**shown, "command": army_command(battle, army, there)}
    return found


def body_figures_now(battle: BattleNow, body: Body) -> dict[str, Breakdown]:
    """A body's figures, without a target."""
    found = {
        "power": power_lines(battle, body, CONTACT_USE),
        "fire-power": power_lines(battle, body, SHOT_USE),
        "combat": combat_lines(battle, body, SHOT_USE if body.shoots_only else CONTACT_USE),
        "defense": defense_lines(battle, body, CONTACT_USE),
        "force": Breakdown((Line(_("Force"), body.force, "BP-2.4"),)).plus(_("Losses"), -body.losses, "BP-4.6"),
        "mobility": Breakdown((Line(_("Mobility"), body.formation.mobility, "B-13"),)),
    }
    if body.value is not None:
        found["breaking"] = Breakdown((Line(_("Breaking value"), body.value, "BP-2.5"),))
    return found


def seconds_of_a_round(battle: BattleNow) -> int:
    """How long one round lasts, by all heads at the start; twice as long in an assault (BP-1, B-3). Who does not know
    all of them knows it about (B-18).
    """
    opening = battle.opening
    known = (formation.heads for formation in opening.formations)
    heads = sum(known) or sum(unit.strength for host in opening.armies for unit in host.units)
    much, little = SECONDS_FROM if heads >= LONGER_ROW else SECONDS_BELOW
    return heads * much * (2 if battle.kind == ASSAULT else 1) // little
