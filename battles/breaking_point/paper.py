"""Armies of breaking points in a battle, for printing: a box for each hundredth of the force, grey where it breaks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from armies.breaking_point.selectors.paper import AIDS
from battles.breaking_point.pages.cards import KEY_NAMES, SHOWN
from rules.breakdown import Breakdown
from rules.breaking_point.battle.state import BattleNow, Body
from rules.breaking_point.battle.telling.words import body_name
from rules.law import Combatant, Figures, Summary, Viewer
from rules.paper import OnPaper, PaperAid, PaperFigure, PaperList
from rules.text import NO_WORDS, Said, _, say

WHOLE = 100
MEASURE = _("Hundredths of the force")


def on_paper(state: BattleNow, summary: Summary, figures: Figures, viewer: Viewer) -> Mapping[str, OnPaper]:
    """Every army with its bodies, or with its name and the share it has left where the reader may not know more."""
    return {army.id: _on_paper(state, army, figures, army.id in viewer.reads) for army in summary.armies.values()}


def _on_paper(state: BattleNow, army: Combatant, figures: Figures, known: bool) -> OnPaper:
    bodies = state.of_army(army.id)
    brink = _brink(bodies) if known else 0
    return OnPaper(
        army.id,
        army.name,
        WHOLE * army.health // max(1, army.health_max),
        WHOLE,
        leader=army.leader_name if known else "",
        kingdom=army.kingdom,
        charge="army",
        measure=MEASURE,
        brink=brink,
        brink_help=_("grey: beyond the breaking point") if brink else NO_WORDS,
        figures=tuple(_figures(bodies, figures.get(army.id, {}))) if known else (),
        lists=tuple(_units(state, body) for body in bodies if not body.masked) if known else (),
    )


def _brink(bodies: Sequence[Body]) -> int:
    """Of an army that is one body; of several each has its own."""
    first = bodies[0].breaking if len(bodies) == 1 else None
    return max(0, WHOLE - first) if first is not None else 0


def _figures(bodies: Sequence[Body], found: Mapping[str, Breakdown]) -> Iterator[PaperFigure]:
    for body in bodies:
        for slug, label, _title in SHOWN:
            lines = found.get(f"{slug}:{body.key}")
            if lines is not None and (lines.total or slug not in ("power", "fire-power")):
                name = label if len(bodies) == 1 else say(_("{body}: {figure}"), body=_named(body), figure=label)
                yield PaperFigure(name, lines.total, lines.lines, plain=True)


def _named(body: Body) -> Said:
    return KEY_NAMES.get(body.key) or say(_("{unit}"), unit=body.key)


def _units(state: BattleNow, body: Body) -> PaperList:
    units = (say(_("{heads} × {unit} ({combat})"), heads=u.strength, unit=u.name, combat=u.combat)
             for u in state.units(body))  # fmt: skip
    return PaperList(body_name(state, body), tuple(units))


def aids(state: BattleNow) -> Sequence[PaperAid]:
    return AIDS
