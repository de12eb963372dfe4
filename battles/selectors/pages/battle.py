"""The battle page: what its reader may see and do, ready to draw."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.urls import reverse

from armies.access import battle_roster
from battles import folding
from battles.faces import ArmyCard, BattleFace, face_of
from battles.models import Battle, BattleArmy
from battles.selectors.access import Eyes, battle_for, eyes_as, eyes_of
from battles.selectors.log import log_of
from battles.selectors.pages.chronicle import LogPhase, TakenBack, luck_of, newest_first, taken_back
from battles.selectors.pages.lists import colour_of
from kingdom.models import Campaign, User
from rules.law import Figures, Stage, Summary
from rules.text import Said


@dataclass(frozen=True)
class Look:
    """How the reader looks at the page: through whose eyes, and what he is about to do."""

    side: int | None = None
    doing: str = ""
    army: str = ""
    what: str = ""

    def query(self) -> str:
        told = {"as": self.side, "do": self.doing, "army": self.army, "what": self.what}
        kept = {name: value for name, value in told.items() if value not in ("", None)}
        return f"?{urlencode(kept)}" if kept else ""


@dataclass(frozen=True)
class SideView:
    """A side with the cards of its armies."""

    index: int
    name: str
    colour: str
    cards: tuple[ArmyCard, ...]

    @property
    def own(self) -> bool:
        """Whether its reader commands somebody here."""
        return any(card.choices for card in self.cards)


@dataclass(frozen=True)
class Desk:
    """What the GM can do now. `commands` are those of the law; `own` is what its tools need to be drawn."""

    commands: tuple[str, ...]
    stage: Said
    waiting_for: tuple[str, ...]
    reserves: tuple[tuple[str, str], ...]
    undoable: bool
    own: Any


@dataclass(frozen=True)
class BattlePage:
    """`state` and `face` are for the law's own forms and templates; the frame's templates draw the rest."""

    battle: Battle
    campaign: Campaign
    face: BattleFace
    state: Any
    summary: Summary
    look: Look
    gm: bool
    may_borrow_eyes: bool
    conditions: tuple[Any, ...]
    sides: tuple[SideView, ...]
    log: tuple[LogPhase, ...]
    luck: tuple[tuple[str, str, str], ...]
    taken_back: tuple[TakenBack, ...]
    tray: Desk | None

    @property
    def law_changes(self) -> Sequence[Said]:
        """What the law has changed since the battle was opened, while it is still fought."""
        law = folding.law_of(self.battle)
        return law.changes_since(self.battle.ruleset_version) if self.battle.open else ()

    @property
    def url(self) -> str:
        return reverse("battles:battle", args=[self.battle.pk])

    @property
    def here(self) -> str:
        """This page with the same eyes and the same panel open."""
        return self.url + self.look.query()

    @property
    def back(self) -> str:
        """This page without the panel."""
        return self.url + Look(self.look.side).query()

    @property
    def stages(self) -> tuple[tuple[Stage, str], ...]:
        return self.summary.stages

    @property
    def borrowed(self) -> SideView | None:
        """The side through whose eyes the GM looks."""
        return None if self.look.side is None else self.sides[self.look.side]

    @property
    def many(self) -> bool:
        return len(self.sides) > 2

    @property
    def cards(self) -> list[ArmyCard]:
        return [card for side in self.sides for card in side.cards]

    @property
    def names(self) -> dict[str, str]:
        return {army.id: army.name for army in self.summary.armies.values()}

    @property
    def phase(self) -> Said:
        return self.summary.stage.label

    @property
    def outcome(self) -> Said | None:
        return self.summary.outcome.text if self.summary.outcome else None

    @property
    def reason(self) -> str:
        return self.summary.outcome.reason if self.summary.outcome else ""

    @property
    def news(self) -> tuple[str, ...]:
        """The latest sentences of the log, for whoever listens to the page."""
        return self.log[0].headlines if self.log else ()


def battle_page(user: User, battle_id: UUID, look: Look | None = None) -> BattlePage:
    """The battle as this user may see it. Raises Http404, or `PermissionDenied` for borrowed eyes."""
    look = look or Look()
    battle = battle_for(user, battle_id)
    law = folding.law_of(battle)
    face, state = face_of(law), folding.state_of(battle)
    summary = law.battle.summary(state)
    own = eyes_of(user, battle, state)
    if look.side is not None and not 0 <= look.side < len(summary.sides):
        look = replace(look, side=None)
    eyes = own if look.side is None else _borrowed(battle, state, summary, own, look.side)
    legal = law.battle.legal(state, eyes.viewer)
    told = log_of(battle, state, eyes, undone=True)
    lines = [line for line in told if not line.undone]
    return BattlePage(
        battle=battle,
        campaign=battle.campaign,
        face=face,
        state=state,
        summary=summary,
        look=look,
        gm=eyes.gm,
        may_borrow_eyes=own.gm,
        conditions=tuple(face.conditions(state)),
        sides=tuple(sides_of(summary, face.cards(state, summary, figures_now(battle, state), eyes, legal))),
        log=newest_first(lines, summary.stages[0][0].label),
        luck=luck_of(lines, law.battle, state, summary),
        taken_back=taken_back(told),
        tray=_desk(battle, summary, legal.commands, face.desk(state)) if eyes.gm else None,
    )


def figures_now(battle: Battle, state: Any) -> Figures:
    """What is shown of the armies: reckoned anew while they may still fight, as it was written down afterwards."""
    return folding.engine_of(battle).figures(state) if battle.open else folding.figures_at(battle)


def _borrowed(battle: Battle, state: Any, summary: Summary, own: Eyes, side: int) -> Eyes:
    """The eyes of whoever plays the kingdoms of this side: for the GM only."""
    if not own.gm:
        raise PermissionDenied
    kingdoms = {summary.armies[army].kingdom for army in summary.sides[side].armies}
    return eyes_as(battle, state, [UUID(kingdom) for kingdom in kingdoms if kingdom])


def sides_of(summary: Summary, cards: Mapping[str, ArmyCard]) -> Iterator[SideView]:
    for index, side in enumerate(summary.sides):
        yield SideView(index, side.name, colour_of(index), tuple(cards[army] for army in side.armies))


def _desk(battle: Battle, summary: Summary, commands: Sequence[str], own: Any) -> Desk:
    return Desk(
        commands=tuple(commands),
        stage=summary.stage.label,
        waiting_for=tuple(summary.armies[awaited.army].name for awaited in summary.waiting_for),
        reserves=tuple(_reserves(battle)) if "reinforce" in commands else (),
        undoable=battle.records.filter(undone=False).exists(),
        own=own,
    )


def _reserves(battle: Battle) -> Iterator[tuple[str, str]]:
    """Standing armies of the campaign that no battle holds."""
    seats = BattleArmy.objects.filter(battle__campaign=battle.campaign_id, battle__status__in=Battle.OPEN)
    busy = set(seats.values_list("army_id", flat=True))
    for army in battle_roster(battle.campaign):
        if army.pk not in busy:
            yield str(army.pk), f"{army.name} ({army.kingdom.name})"
