"""Page object of a battle: what its reader may see and do, ready to draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from uuid import UUID

from django.urls import reverse
from django.utils.translation import ngettext

from battles.field.field_ui import FieldAsked
from battles.field.gm_tools import Desk
from battles.field.labels import news_of, title_of, undo_label_of
from battles.field.look import Look
from battles.field.side_view import Engagement, SideView, list_engagements, sides_of
from battles.field.table import (
    BRUSH,
    CRESTS_WITH_WORDS,
    CROWDED_FROM,
    FORECAST,
    LOG,
    SLIM_FROM,
    TOGETHER,
    TOOLS,
    Around,
    OrdersIn,
    all_given,
    awaited_in_words,
    find_around,
    find_bearers,
    find_picked,
    format_names,
    in_short,
    waits,
)
from battles.field.verdict import Standing, Strip, strip_of
from battles.log.parts import Told
from battles.log.phases import LogPhase, TakenBack
from battles.models import Battle
from battles.play import battle_state
from battles.play.event_log import RecordRead
from battles.queries import get_battle_for, get_viewer, may_take_back, viewer_through
from battles.result.page import BattleResult
from battles.ruleset_ui import ArmyCard, BattleUI, get_battle_ui
from battles.setup.open_battles import is_your_turn
from battles.setup.other_laws import is_by_another_law
from battles.setup.page import names_in
from core.text import render
from kingdom.models import Campaign, Kingdom, User
from rules.core.text import Said, say
from rules.law import RUNNING, Figures, Legal, Pending, Stage, Summary, Viewer

FALLEN_MOST = 24  # dice that are seen to fall


class FieldDrawn:
    """The armies and what became of them, each reckoned when it is first drawn: a form that is read needs few."""

    def __init__(self, battle: Battle, ui: BattleUI, seen: battle_state.BattleSnapshot, viewer: Viewer, legal: Legal):
        self.battle, self.ui, self.viewer, self.legal = battle, ui, viewer, legal
        self.state, self.summary = seen.state, seen.summary
        self.standing = Standing(battle)

    @cached_property
    def cards(self) -> Mapping[str, ArmyCard]:
        figures = figures_now(self.battle, self.state)
        return self.ui.cards(self.state, self.summary, figures, self.viewer, self.legal)

    @cached_property
    def sides(self) -> tuple[SideView, ...]:
        return tuple(sides_of(self.summary, self.cards))

    @cached_property
    def strip(self) -> Strip | None:
        return strip_of(self.battle, self.summary, self.viewer, self.standing, self.cards)

    @cached_property
    def bearers(self) -> Mapping[str, Kingdom]:
        return find_bearers(self.battle, self.summary)


@dataclass(frozen=True)
class BattlePage:
    """`state` (as its reader sees it) and `ui` are for the law's own forms and templates; the frame's templates draw
    the rest. `legal`: what they may do, of what they picked; `pending`: what they have to answer first.
    """

    battle: Battle
    campaign: Campaign
    ui: BattleUI
    state: Any
    summary: Summary
    look: Look
    viewer: Viewer
    may_borrow_eyes: bool
    legal: Legal
    pending: tuple[Pending, ...]
    told: Told
    tray: Desk | None
    field: FieldDrawn

    @property
    def gm(self) -> bool:
        return self.viewer.gm

    @property
    def sides(self) -> tuple[SideView, ...]:
        return self.field.sides

    @property
    def strip(self) -> Strip | None:
        return self.field.strip

    @cached_property
    def fallen(self) -> tuple[tuple[str, Any, Any], ...]:
        """Dice of what was decided last, as far as its reader is told of them: the colour of whose they are, the roll,
        what it shows.
        """
        if self.strip is None or not self.strip.fresh:
            return ()
        first, last = self.strip.first_event, self.strip.last_event
        lines = (line for phase in self.log for line in phase.lines if first <= line.seq <= last)
        told = sorted(lines, key=lambda line: line.seq)
        return tuple((line.colour, roll, face) for line in told for roll, face in line.dice)[:FALLEN_MOST]

    @property
    def last(self) -> RecordRead | None:
        """The last command that stands."""
        return self.field.standing.last

    @property
    def bearers(self) -> Mapping[str, Kingdom]:
        return self.field.bearers

    @cached_property
    def law_field(self) -> Any:
        """What the law draws its field of."""
        return self.ui.field(self._asked)

    @property
    def _asked(self) -> FieldAsked:
        return FieldAsked(self.battle, self.state, self.summary, self.viewer, self.look, self.legal)

    @cached_property
    def result(self) -> BattleResult | None:
        """How the battle ended; None while it is fought."""
        return BattleResult(self._asked, self.ui) if self.outcome else None

    @cached_property
    def conditions(self) -> tuple[Any, ...]:
        return tuple(self.ui.conditions(self.state))

    @property
    def log(self) -> tuple[LogPhase, ...]:
        """The end of it; older parts are asked for."""
        return self.told.part.phases

    @property
    def taken_back(self) -> tuple[TakenBack, ...]:
        return self.told.part.taken_back

    @cached_property
    def your_turn(self) -> bool:
        """Whether the battle waits for its reader, or for the side through whose eyes the GM looks."""
        return is_your_turn(self.battle, self.summary, self.legal, self.pending, self.viewer)

    @property
    def news(self) -> Said | None:
        return news_of(self)

    @cached_property
    def title(self) -> str:
        return title_of(self)

    @cached_property
    def spoken(self) -> str:
        """For whoever listens to the page: the latest news."""
        fresh = self.strip is not None and self.strip.fresh
        return self.strip.spoken if self.strip and fresh else " ".join(self.told.news)

    @cached_property
    def undoable(self) -> bool:
        """Whether its reader may take back the last command."""
        return self.last is not None and may_take_back(self.viewer, self.battle, self.last)

    @cached_property
    def undo_label(self) -> Said:
        return undo_label_of(self)

    @cached_property
    def throws(self) -> bool:
        """Whether a command that its reader may give now may throw dice: then the dice switch is shown."""
        if self.tray is not None and self.tray.onward:
            return True
        return not self.borrowed and not self.ui.throws.isdisjoint(self.legal.commands)

    @cached_property
    def forward(self) -> bool:
        """Whether the GM may let the battle go on until something happens."""
        engine = battle_state.get_engine(self.battle)
        return self.tray is not None and not self.borrowed and engine.onward(self.state) is not None

    @cached_property
    def orders_in(self) -> OrdersIn:
        """Where all order at once; where they take turns, only whose turn it is counts."""
        return OrdersIn(() if self.ui.by_turns else tuple(card for card in self.cards if card.ready))

    @cached_property
    def picked(self) -> ArmyCard | None:
        """The army whose orders lie on the desk: the one asked for, else where the reader's work goes on."""
        return find_picked(self.cards, self.look.army)

    @cached_property
    def elsewhere(self) -> ArmyCard | None:
        """The army a player has still to order, where the picked one, beaten perhaps, takes no orders."""
        idle = self.picked is None or not self.picked.orderable
        return next(filter(waits, self.cards), None) if idle and not self.gm else None

    @cached_property
    def around(self) -> Around:
        return find_around(self.cards, self.picked)

    @cached_property
    def waiting_for(self) -> list[str]:
        """Whose turn it is, by name."""
        left = self.tray.left if self.tray else frozenset()
        return [
            render(awaited.name) if awaited.name else self.summary.armies[awaited.army].name
            for awaited in self.summary.waiting_for
            if awaited.army not in left
        ]

    @property
    def done(self) -> Said | None:
        """For a player who has given every order that is asked: whom the table waits for."""
        return awaited_in_words(self.waiting_for) if not self.gm and all_given(self.cards) else None

    @cached_property
    def waiting(self) -> Said | None:
        """What it means that some have not spoken; of many only the first are named."""
        names = format_names(self.waiting_for)
        return say(self.ui.waiting, names=names) if names else None

    @property
    def waiting_in_short(self) -> Said | str | None:
        """The same in the foot: where crests fill it, a number says enough."""
        thinking = self.orders_in.total - self.orders_in.given
        if len(self.orders_in.crests) <= CRESTS_WITH_WORDS or not thinking:
            return self.waiting
        return ngettext("waiting for {count}", "waiting for {count}", thinking).format(count=thinking)

    @property
    def other_rules(self) -> Said | None:
        """The law it is fought by, where that isn't the campaign's."""
        return battle_state.get_law(self.battle).name if is_by_another_law(self.battle) else None

    @cached_property
    def law_changes(self) -> Sequence[Said]:
        """What the law has changed since the battle was opened, while it is still fought."""
        law = battle_state.get_law(self.battle)
        return law.changes_since(self.battle.ruleset_version) if self.battle.open else ()

    @cached_property
    def url(self) -> str:
        return reverse("battles:battle", args=[self.battle.pk])

    @cached_property
    def here(self) -> str:
        """This page with the same eyes and the same panel open."""
        return self.url + self.look.query()

    @cached_property
    def again(self) -> str:
        """The same drawn anew: the desk stays with its army, whoever gives orders meanwhile."""
        army = self.look.army or (self.picked.id if self.picked else "")
        return self.url + replace(self.look, army=army).query()

    @cached_property
    def back(self) -> str:
        """This page without the panel."""
        return self.url + replace(self.look.unpicked, doing="", what="").query()

    @cached_property
    def picking(self) -> str:
        """This page with another army picked: its id is to follow."""
        query = Look(self.look.side, rail=self.look.rail, kept=self.look.kept).query()
        return f"{self.url}{query}{'&' if query else '?'}army="

    @property
    def rail(self) -> str:
        """What lies on the rail: the forecast, the log, or the GM's tools."""
        if self.tray and (self.look.doing not in ("", TOGETHER, BRUSH) or self.look.rail == TOOLS):
            return TOOLS
        return FORECAST if self.foretold and self.look.rail == FORECAST else LOG

    @property
    def foretold(self) -> bool:
        """Whether the law says of this battle what is to come."""
        law = battle_state.get_engine(self.battle).forecast
        return self.summary.status == RUNNING and (law.known or law.by_play)

    @property
    def by_play(self) -> bool:
        """Whether it says so by playing the battle, when it is asked to."""
        return battle_state.get_engine(self.battle).forecast.by_play

    @cached_property
    def rails(self) -> tuple[tuple[str, str], ...]:
        """What else could lie there: (which, where)."""
        kept = replace(self.look, doing="", what="")
        lying = [FORECAST] * self.foretold + [LOG] + [TOOLS] * (self.tray is not None)
        return tuple((rail, self.url + replace(kept, rail=rail).query()) for rail in lying)

    @cached_property
    def stages(self) -> Sequence[tuple[Stage, str, str]]:
        return in_short(self.summary.stages)

    @property
    def borrowed(self) -> SideView | None:
        """The side through whose eyes the GM looks."""
        return None if self.look.side is None else self.sides[self.look.side]

    @property
    def slim(self) -> bool:  # the rows draw closer together
        return len(self.cards) > SLIM_FROM

    @property
    def crowded(self) -> bool:
        """Whether only the picked army's figures open to their sums."""
        return len(self.cards) > CROWDED_FROM

    @property
    def engagements(self) -> tuple[Engagement, ...]:
        """Lines between the rows face to face, where they are few enough to be told apart."""
        return () if self.crowded else list_engagements([side.cards for side in self.sides])

    @cached_property
    def cards(self) -> list[ArmyCard]:
        return [card for side in self.sides for card in side.cards]

    @cached_property
    def names(self) -> dict[str, str]:
        return names_in(self.summary)

    @property
    def phase(self) -> Said:
        return self.summary.stage.label

    @property
    def outcome(self) -> Said | None:
        return self.summary.outcome.text if self.summary.outcome else None

    @property
    def reason(self) -> Said | str:
        return self.summary.outcome.reason if self.summary.outcome else ""


def load_battle_page(user: User, battle_id: UUID, look: Look | None = None) -> BattlePage:
    """The battle as this user may see it. Raises Http404, or `PermissionDenied` for borrowed eyes."""
    battle = get_battle_for(user, battle_id)
    return build_battle_page(user, battle, battle_state.load_state(battle), look)


def build_battle_page(user: User, battle: Battle, now: Any, look: Look | None = None) -> BattlePage:
    """The page of a battle in hand, that stands like this."""
    law = battle_state.get_law(battle)
    ui = get_battle_ui(law)
    look = (look or Look()).keeping(ui.kept)
    viewer = own = get_viewer(user, battle, now)
    sides = battle_state.summarize(battle, now).sides
    if look.side is not None and not 0 <= look.side < len(sides):
        look = replace(look, side=None)
    if look.side is not None:
        viewer = viewer_through(own, battle, now, look.side)
    position = battle_state.view_state(battle, now, viewer)
    state, summary = position.state, position.summary
    legal = law.battle.legal(state, viewer, ui.selection(state, viewer, look))
    return BattlePage(
        battle=battle,
        campaign=battle.campaign,
        ui=ui,
        state=state,
        summary=summary,
        look=look,
        viewer=viewer,
        may_borrow_eyes=own.gm,
        legal=legal,
        pending=tuple(law.battle.pending(state, viewer)),
        told=Told(battle, state, summary, viewer, look.side, look.since),
        tray=Desk(battle, state, tuple(legal.commands), summary, ui.desk(state)) if viewer.gm else None,
        field=FieldDrawn(battle, ui, position, viewer, legal),
    )


def figures_now(battle: Battle, state: Any) -> Figures:
    """What is shown of the armies: reckoned anew while they may still fight, as it was written down afterwards."""
    return battle_state.refold_figures(battle, state) if battle.open else battle_state.load_figures(battle)
