"""Page object of the printed order of battle, as far as its reader may know it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from armies.ruleset_ui import get_army_ui
from battles.field.field_ui import FieldAsked
from battles.field.look import Look
from battles.field.page import figures_now
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.queries import get_battle_for, get_viewer
from battles.ruleset_ui import BattleUI, get_battle_ui
from kingdom.campaign.queries import load_arms
from kingdom.models import Campaign, User
from kingdom.models.heraldry import Arms
from rules.core.paper import OnPaper, PaperAid, PaperFigure
from rules.core.text import Said
from rules.law import AFTERMATH, CLOSED, Summary


@dataclass(frozen=True, slots=True)
class PaperRow:
    """An army with its kingdom's arms. `figures` has a place for each column of its side."""

    army: OnPaper
    arms: Arms | None
    figures: tuple[PaperFigure | None, ...]


@dataclass(frozen=True, slots=True)
class PaperSide:
    """A side. `arms`: those of its kingdoms, without repeats. `columns`: the figures known of any of its armies."""

    name: str
    arms: tuple[Arms, ...]
    columns: tuple[Said, ...]
    rows: tuple[PaperRow, ...]

    @property
    def has_words(self) -> bool:
        """Whether any army has a remark in words."""
        return any(row.army.words for row in self.rows)


@dataclass(frozen=True, slots=True)
class OrderPage:
    """The printed order of battle. `aids`: reference tables for the commanders, by the ruleset's present text; none
    once the battle is over.
    """

    battle: Battle
    campaign: Campaign
    phase: Said
    conditions: Sequence[Any]
    sides: tuple[PaperSide, ...]
    aids: Sequence[PaperAid]
    stages: Sequence[Said]
    over: bool
    ui: BattleUI
    law_field: Any = None
    """Context of the ruleset's `paper_template`; None where armies are the whole field."""


def order_page(user: User, battle_id: UUID) -> OrderPage:
    """The order of battle as it is now. Raises `Http404` for strangers."""
    battle = get_battle_for(user, battle_id)
    now, ui = play_battle_state.load_state(battle), get_battle_ui(play_battle_state.get_law(battle))
    viewer = get_viewer(user, battle, now)
    position = play_battle_state.view_state(battle, now, viewer)
    state, summary = position.state, position.summary
    armies = ui.on_paper(state, summary, figures_now(battle, state), viewer)
    borne, over = load_arms(army.kingdom for army in armies.values()), is_fought(summary)
    return OrderPage(
        battle=battle,
        campaign=battle.campaign,
        phase=summary.stage.label,
        conditions=tuple(ui.conditions(state)),
        sides=tuple(
            _side(side.name, [part for army in side.armies for part in armies[army].parts or (armies[army],)], borne)
            for side in summary.sides
        ),
        aids=() if over else ui.aids(state),
        stages=get_army_ui(battle.campaign).stages,
        over=over,
        ui=ui,
        law_field=ui.field(FieldAsked(battle, state, summary, viewer, Look())),
    )


def _side(name: str, armies: list[OnPaper], borne: dict[str, Arms]) -> PaperSide:
    columns = tuple(dict.fromkeys(figure.label for army in armies for figure in army.figures))
    rows = tuple(_row(army, borne.get(army.kingdom), columns) for army in armies)
    return PaperSide(name, tuple(dict.fromkeys(row.arms for row in rows if row.arms)), columns, rows)


def _row(army: OnPaper, arms: Arms | None, columns: tuple[Said, ...]) -> PaperRow:
    known = {figure.label: figure for figure in army.figures}
    return PaperRow(army, arms, tuple(known.get(column) for column in columns))


def is_fought(summary: Summary) -> bool:
    """Whether the fighting is over, so that there is a report."""
    return summary.status in (AFTERMATH, CLOSED)
