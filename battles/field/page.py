"""Page object of a battle: what its reader may see and do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from uuid import UUID

from django.urls import reverse
from django.utils.translation import ngettext

from battles.field.field_ui import FieldAsked
from battles.field.look import Look
from battles.field.page_parts import Desk, Engagement, SideView, list_engagements, sides_of
from battles.field.table import (
    BRUSH,
    CRESTS_WITH_WORDS,
    CROWDED_FROM,
    FORECAST,
    LEFT,
    LOG,
    SLIM_FROM,
    TOGETHER,
    TOOLS,
    Around,
    OrdersIn,
    all_given,
    awaited_in_words,
    figures_now,
    find_arms,
    find_around,
    find_left,
    find_picked,
    format_names,
    in_short,
    mark_left,
    waits,
)
from battles.field.verdict import Standing, Strip, news_of, strip_of, title_of, undo_label_of
from battles.log.parts import Told
from battles.log.phases import LogPhase, TakenBack
from battles.models import Battle
from battles.play import battle_state
from battles.play.event_log import RecordRead
from battles.queries import get_battle_for, get_viewer, may_take_back, viewer_through
from battles.result.page import BattleResult
from battles.ruleset_ui import ArmyCard, BattleUI, get_battle_ui
from battles.setup.page import is_your_turn, names_in
from battles.setup.queries import is_by_another_law
from core.text import render
from kingdom.models import Campaign, User
from kingdom.models.heraldry import Arms
from rules.core.text import Said, say
from rules.law import RUNNING, SETUP, Legal, Pending, Stage, Summary, Viewer

FALLEN_MOST = 24  # most dice that are animated


class FieldDrawn:
    """The armies' cards and the last decision, computed when first used: a submitted form needs few of them."""

    def __init__(self, battle: Battle, ui: BattleUI, seen: battle_state.BattleSnapshot, viewer: Viewer, legal: Legal):
        self.battle, self.ui, self.viewer, self.legal = battle, ui, viewer, legal
        self.state, self.summary = seen.state, seen.summary
        self.standing = Standing(battle)

    @cached_property
    def cards(self) -> Mapping[str, ArmyCard]:
        figures = figures_now(self.battle, self.state)
        cards = self.ui.cards(self.state, self.summary, figures, self.viewer, self.legal)
        due = self.viewer.gm and not self.ui.by_turns
        return mark_left(cards, find_left(self.battle, self.summary)) if due else cards

    @cached_property
    def sides(self) -> tuple[SideView, ...]:
        return tuple(sides_of(self.summary, self.cards))

    @cached_property
    def strip(self) -> Strip | None:
        return strip_of(self.battle, self.summary, self.viewer, self.standing, self.cards)

    @cached_property
    def arms(self) -> Mapping[str, Arms]:
        return find_arms(self.battle, self.summary)


@dataclass(frozen=True)
class BattlePage:
    """The battle page for one reader.

    `state` (as the reader sees it) and `ui` serve the ruleset's own forms and templates, the rest serves the frame's.
    `legal`: what the reader may do with what they selected. `pending`: questions they have to answer first.
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
        """Dice of the last decision that its reader may see: colour of their owner, the roll, the face."""
        if self.strip is None or not self.strip.fresh:
            return ()
        first, last = self.strip.first_event, self.strip.last_event
        lines = (line for phase in self.log for line in phase.lines if first <= line.seq <= last)
        told = sorted(lines, key=lambda line: line.seq)
        return tuple((line.colour, roll, face) for line in told for roll, face in line.dice)[:FALLEN_MOST]

    @property
    def last(self) -> RecordRead | None:
        """The last command that is not undone."""
        return self.field.standing.last

    @property
    def arms(self) -> Mapping[str, Arms]:
        return self.field.arms

    @cached_property
    def law_field(self) -> Any:
        """Context of the ruleset's field template."""
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
        """The latest part of the log; older parts are loaded on demand."""
        return self.told.part.phases

    @property
    def taken_back(self) -> tuple[TakenBack, ...]:
        return self.told.part.taken_back

    @cached_property
    def your_turn(self) -> bool:
        """Whether the battle waits for its reader, or for the side whose view the GM has chosen."""
        return is_your_turn(self.battle, self.summary, self.legal, self.pending, self.viewer)

    @property
    def news(self) -> Said | None:
        return news_of(self)

    @cached_property
    def title(self) -> str:
        return title_of(self)

    @cached_property
    def spoken(self) -> str:
        """The latest news for screen readers."""
        return self.strip.spoken if self.strip and self.strip.fresh else " ".join(self.told.news)

    @cached_property
    def undoable(self) -> bool:
        """Whether the reader may undo the last command."""
        return self.last is not None and may_take_back(self.viewer, self.battle, self.last)

    @cached_property
    def undo_label(self) -> Said:
        return undo_label_of(self)

    @cached_property
    def throws(self) -> bool:
        """Whether a legal command may need dice, so that the dice switch is shown."""
        onward = self.tray is not None and bool(self.tray.onward)
        return onward or (not self.borrowed and not self.ui.throws.isdisjoint(self.legal.commands))

    @cached_property
    def forward(self) -> bool:
        """Whether the GM may let the battle go on until something happens."""
        engine = battle_state.get_engine(self.battle)
        return self.tray is not None and not self.borrowed and engine.onward(self.state) is not None

    @cached_property
    def orders_in(self) -> OrdersIn:
        """The awaited and given orders, where all order at once; empty where sides take turns."""
        return OrdersIn(() if self.ui.by_turns else tuple(c for c in self.cards if c.ready not in ("", LEFT)))

    @cached_property
    def picked(self) -> ArmyCard | None:
        """The selected army: the one in the address, else the next that the reader has to order."""
        return find_picked(self.cards, self.look.army)

    @cached_property
    def elsewhere(self) -> ArmyCard | None:
        """Another army that the player still has to order, if the selected one takes no orders; None otherwise."""
        idle = self.picked is None or not self.picked.orderable
        return next(filter(waits, self.cards), None) if idle and not self.gm else None

    @cached_property
    def around(self) -> Around:
        return find_around(self.cards, self.picked)

    @cached_property
    def waiting_for(self) -> list[str]:
        """Names of those whom the battle waits for."""
        left = self.tray.left if self.tray else frozenset()
        return [
            render(awaited.name) if awaited.name else self.summary.armies[awaited.army].name
            for awaited in self.summary.waiting_for
            if awaited.army not in left
        ]

    @property
    def done(self) -> Said | None:
        """Sentence on the parties still awaited, for a player who has given all their orders; None otherwise."""
        return awaited_in_words(self.waiting_for) if not self.gm and all_given(self.cards) else None

    @cached_property
    def waiting(self) -> Said | None:
        """Sentence about the missing orders, which names only the first of many; None where none is missing."""
        names = format_names(self.waiting_for)
        return say(self.ui.waiting, names=names) if names else None

    @property
    def waiting_in_short(self) -> Said | str | None:
        """Short form of `waiting` for the foot of the page, with a number instead of names if crests fill it."""
        thinking = self.orders_in.total - self.orders_in.given
        if len(self.orders_in.crests) <= CRESTS_WITH_WORDS or not thinking:
            return self.waiting
        return ngettext("waiting for {count}", "waiting for {count}", thinking).format(count=thinking)

    @property
    def other_rules(self) -> Said | None:
        """Name of the battle's ruleset, where it is not the campaign's."""
        return battle_state.get_law(self.battle).name if is_by_another_law(self.battle) else None

    @cached_property
    def law_changes(self) -> Sequence[Said]:
        """Changes of the ruleset since the battle was opened; empty once the battle is over."""
        law = battle_state.get_law(self.battle)
        return law.changes_since(self.battle.ruleset_version) if self.battle.open else ()

    @cached_property
    def url(self) -> str:
        return reverse("battles:battle", args=[self.battle.pk])

    @cached_property
    def here(self) -> str:
        """Address of this page with the same eyes and panel."""
        return self.url + self.look.query()

    @cached_property
    def again(self) -> str:
        """Address that reloads this page with the same selected army, even if others give orders meanwhile."""
        army = self.look.army or (self.picked.id if self.picked else "")
        return self.url + replace(self.look, army=army).query()

    @cached_property
    def back(self) -> str:
        """Address of this page without the panel."""
        return self.url + replace(self.look.unpicked, doing="", what="").query()

    @cached_property
    def picking(self) -> str:
        """Address of this page up to the id of the army to select."""
        query = Look(self.look.side, rail=self.look.rail, kept=self.look.kept).query()
        return f"{self.url}{query}{'&' if query else '?'}army="

    @property
    def rail(self) -> str:
        """The open panel of the rail: forecast, log, or the GM's tools."""
        if self.has_tools and (self.look.doing not in ("", TOGETHER, BRUSH) or self.look.rail == TOOLS):
            return TOOLS
        return FORECAST if self.foretold and self.look.rail == FORECAST else LOG

    @property
    def has_tools(self) -> bool:  # A battle that has ended has none.
        return self.tray is not None and self.summary.status in (SETUP, RUNNING)

    @property
    def foretold(self) -> bool:
        """Whether the ruleset has a forecast of this battle."""
        law = battle_state.get_engine(self.battle).forecast
        return self.summary.status == RUNNING and (law.known or law.by_play)

    @property
    def by_play(self) -> bool:
        """Whether the forecast is made by playing the battle on, on demand."""
        return battle_state.get_engine(self.battle).forecast.by_play

    @cached_property
    def rails(self) -> tuple[tuple[str, str], ...]:
        """The rail's panels and their addresses."""
        lying = [FORECAST] * self.foretold + [LOG] + [TOOLS] * self.has_tools
        return tuple((rail, self.url + replace(self.look, doing="", what="", rail=rail).query()) for rail in lying)

    @cached_property
    def stages(self) -> Sequence[tuple[Stage, str, str]]:
        return in_short(self.summary.stages)

    @property
    def borrowed(self) -> SideView | None:
        """The side whose view the GM has chosen; None for the GM's own view."""
        return None if self.look.side is None else self.sides[self.look.side]

    @property
    def slim(self) -> bool:  # Rows are drawn closer together.
        return len(self.cards) > SLIM_FROM

    @property
    def crowded(self) -> bool:
        """Whether only the selected army's figures open to their breakdowns."""
        return len(self.cards) > CROWDED_FROM

    @property
    def engagements(self) -> tuple[Engagement, ...]:
        """Lines of attack between the two sides, unless there are too many to tell apart."""
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
    """The battle page for this user. Raises `Http404`; `PermissionDenied` for a side's eyes unless they are the GM."""
    battle = get_battle_for(user, battle_id)
    return build_battle_page(user, battle, battle_state.load_state(battle), look)


def build_battle_page(user: User, battle: Battle, now: Any, look: Look | None = None) -> BattlePage:
    """The battle page of a loaded battle. `now`: its full state."""
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
