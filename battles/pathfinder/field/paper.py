"""Printed sheets of mass combat armies in a battle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.core.paper import OnPaper, PaperAid
from rules.core.text import NO_WORDS
from rules.law import Figures, Summary, Viewer
from rules.pathfinder import paper
from rules.pathfinder.battle.state.battle_state import BattleState

FIGURES = ("om", "dv", "morale_check")


def on_paper(state: BattleState, summary: Summary, figures: Figures, viewer: Viewer) -> Mapping[str, OnPaper]:
    """Return every army with its figures, or with only name and hit points if the reader may not know more."""
    return {army: _on_paper(state, summary, army, figures, viewer) for army in summary.armies}


def _on_paper(state: BattleState, summary: Summary, army_id: str, figures: Figures, viewer: Viewer) -> OnPaper:
    army = state.armies[army_id]
    if army_id not in viewer.reads:
        device = paper.device_of(army.spec)
        if army_id in state.worded:
            words = summary.armies[army_id].words
            return OnPaper(army_id, army.name, 0, 0, about=words or NO_WORDS, kingdom=army.spec.kingdom, charge=device)
        return OnPaper(
            army_id, army.name, army.hp, army.hp_max,
            kingdom=army.spec.kingdom, charge=device, measure=paper.MEASURE,
        )  # fmt: skip
    known = figures.get(army_id, {})
    shown = {slug: known[slug] for slug in FIGURES if slug in known}
    return paper.on_paper(state.law, army.spec, shown, health=army.hp, health_max=army.hp_max)


def aids(state: BattleState) -> Sequence[PaperAid]:
    return (paper.strategies_on_paper(state.law),)
