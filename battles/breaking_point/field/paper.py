"""Printed sheets of armies in a battle: a box for each percent of the force, grey from the breaking point on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from armies.breaking_point.armies.paper import AIDS
from battles.breaking_point.field.cards import KEY_NAMES, SHOWN
from rules.breaking_point.battle.state.battle_state import UNIT, BattleNow, Body
from rules.breaking_point.battle.telling.words import body_name
from rules.breaking_point.losses import share
from rules.core.breakdown import Breakdown
from rules.core.paper import OnPaper, PaperAid, PaperFigure, PaperList
from rules.core.text import NO_WORDS, _, say
from rules.law import Combatant, Figures, Summary, Viewer

WHOLE = 100
MEASURE = _("Percent of the force")


def on_paper(state: BattleNow, summary: Summary, figures: Figures, viewer: Viewer) -> Mapping[str, OnPaper]:
    """Return every army with its bodies, or with only its name and remaining share if the reader may not know more."""
    return {army.id: _on_paper(state, army, figures, army.id in viewer.reads) for army in summary.armies.values()}


def _on_paper(state: BattleNow, army: Combatant, figures: Figures, known: bool) -> OnPaper:
    bodies = state.of_army(army.id)
    found = figures.get(army.id, {})
    leader = army.leader_name if known else ""
    if army.words is not None:
        return OnPaper(army.id, army.name, 0, 0, about=army.words, kingdom=army.kingdom, charge="army")
    whole = OnPaper(army.id, army.name, WHOLE * army.health // max(1, army.health_max), WHOLE, leader=leader,
                    kingdom=army.kingdom, charge="army", measure=MEASURE)  # fmt: skip
    if not known or not bodies:
        return whole
    parts = tuple(_part(state, whole, body, found) for body in bodies)
    return parts[0] if len(parts) == 1 else replace(whole, parts=parts)


def _part(state: BattleNow, whole: OnPaper, body: Body, found: Mapping[str, Breakdown]) -> OnPaper:
    """Return a body as a part, with its own boxes and breaking point."""
    brink = 0 if body.breaking is None else max(0, WHOLE - body.breaking)
    one = len(state.of_army(body.army)) == 1
    return replace(
        whole,
        id=body.id,
        health=max(0, WHOLE - share(body.losses, body.force)),
        about=NO_WORDS if one and body.formation.kind != UNIT else KEY_NAMES.get(body.key) or body_name(state, body),
        brink=brink,
        brink_help=_("gray: beyond the breaking point") if brink else NO_WORDS,
        figures=tuple(_figures(body, found)),
        lists=() if body.masked else (_units(state, body),),
    )


def _figures(body: Body, found: Mapping[str, Breakdown]) -> Iterator[PaperFigure]:
    """Yield this body's figures, of the same kinds as its army's other bodies; powers only where there are any."""
    for slug, label, _title in SHOWN:
        every = [lines.total for name, lines in found.items() if name.startswith(f"{slug}:")]
        lines = found.get(f"{slug}:{body.key}")
        if lines is not None and (any(every) or slug not in ("power", "fire-power")):
            yield PaperFigure(label, lines.total, lines.lines, plain=True)


def _units(state: BattleNow, body: Body) -> PaperList:
    units = (say(_("{heads} × {unit} ({combat})"), heads=u.strength, unit=u.name, combat=u.combat)
             for u in state.units(body))  # fmt: skip
    return PaperList(body_name(state, body), tuple(units))


def aids(state: BattleNow) -> Sequence[PaperAid]:
    return AIDS
