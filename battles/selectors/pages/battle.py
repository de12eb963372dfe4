"""The battle page: what its reader may see and do, ready to draw."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.urls import reverse

from armies.selectors import battle_roster
from battles import folding
from battles.models import Battle, BattleArmy
from battles.selectors.access import Eyes, battle_for, eyes_as, eyes_of
from battles.selectors.log import log_of
from battles.selectors.pages.cards import Card, card_of
from battles.selectors.pages.chronicle import LogPhase, TakenBack, luck_of, newest_first, taken_back
from battles.selectors.pages.ground import Chip, Step, condition_chips, outcome_of, phase_name, steps_of
from battles.selectors.pages.lists import colour_of
from kingdom.models import Campaign, User
from rules.pathfinder.battle import engine
from rules.pathfinder.battle.state import Battle as State
from rules.text import Said, Term, _

OVERRIDES: Mapping[str, Term] = {
    "hp": _("hit points"),
    "om": _("OM: add or take"),
    "dv": _("DV: add or take"),
    "morale": _("morale"),
    "tactic": _("tactic"),
    "strategy": _("strategy"),
    "target": _("target"),
    "mark": _("mark: give or take"),
    "ability": _("ability: give or take"),
    "engines": _("siege engines"),
    "status": _("status"),
}


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
    index: int
    name: str
    colour: str
    cards: tuple[Card, ...]

    @property
    def own(self) -> bool:
        """Whether its reader commands somebody here."""
        return any(card.choices for card in self.cards)


@dataclass(frozen=True)
class Tray:
    """What the GM can do now. `commands` are those of `engine.legal`."""

    commands: tuple[str, ...]
    phase: Said
    waiting_for: tuple[str, ...]
    conditions: tuple[tuple[str, Said], ...]
    overrides: tuple[tuple[str, Said], ...]
    reserves: tuple[tuple[str, str], ...]
    undoable: bool


@dataclass(frozen=True)
class BattlePage:
    """`state` is for the forms of the page; templates draw the rest."""

    battle: Battle
    campaign: Campaign
    state: State
    look: Look
    gm: bool
    may_borrow_eyes: bool
    steps: tuple[Step, ...]
    conditions: tuple[Chip, ...]
    sides: tuple[SideView, ...]
    log: tuple[LogPhase, ...]
    luck: tuple[tuple[str, str, str], ...]
    taken_back: tuple[TakenBack, ...]
    tray: Tray | None
    outcome: Said | None
    reason: str

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
    def borrowed(self) -> SideView | None:
        """The side through whose eyes the GM looks."""
        return None if self.look.side is None else self.sides[self.look.side]

    @property
    def many(self) -> bool:
        return len(self.sides) > 2

    @property
    def cards(self) -> list[Card]:
        return [card for side in self.sides for card in side.cards]

    @property
    def names(self) -> dict[str, str]:
        return {card.id: card.name for card in self.cards}

    @property
    def phase(self) -> Said:
        return phase_name(self.state.phase)

    @property
    def news(self) -> tuple[str, ...]:
        """The latest sentences of the log, for whoever listens to the page."""
        return self.log[0].headlines if self.log else ()


def battle_page(user: User, battle_id: UUID, look: Look | None = None) -> BattlePage:
    """The battle as this user may see it. Raises Http404, or `PermissionDenied` for borrowed eyes."""
    look = look or Look()
    battle = battle_for(user, battle_id)
    state = folding.state_of(battle)
    own = eyes_of(user, battle, state)
    if look.side is not None and not 0 <= look.side < len(state.sides):
        look = replace(look, side=None)
    eyes = own if look.side is None else _borrowed(battle, state, own, look.side)
    legal = engine.legal(state, eyes.viewer)
    told = log_of(battle, state, eyes, undone=True)
    lines = [line for line in told if not line.undone]
    return BattlePage(
        battle=battle,
        campaign=battle.campaign,
        state=state,
        look=look,
        gm=eyes.gm,
        may_borrow_eyes=own.gm,
        steps=tuple(steps_of(state)),
        conditions=tuple(chip for chip, _condition in condition_chips(state)),
        sides=tuple(_sides(state, eyes, {choice.army: choice for choice in legal.armies})),
        log=newest_first(lines),
        luck=luck_of(lines, state),
        taken_back=taken_back(told),
        tray=_tray(battle, state, legal.commands) if eyes.gm else None,
        outcome=outcome_of(state),
        reason=str(state.result.reason) if state.result else "",
    )


def _borrowed(battle: Battle, state: State, own: Eyes, side: int) -> Eyes:
    """The eyes of whoever plays the kingdoms of this side: for the GM only."""
    if not own.gm:
        raise PermissionDenied
    kingdoms = {state.armies[army].spec.kingdom for army in state.sides[side].armies}
    return eyes_as(battle, state, [UUID(kingdom) for kingdom in kingdoms if kingdom])


def _sides(state: State, eyes: Eyes, choices: dict[str, Any]) -> Iterator[SideView]:
    awaiting = {army for army, _what in engine.awaiting(state)}
    for index, side in enumerate(state.sides):
        cards = tuple(card_of(state, army, eyes, choices.get(army), awaiting) for army in side.armies)
        yield SideView(index, side.name, colour_of(index), cards)


def _tray(battle: Battle, state: State, commands: tuple[str, ...]) -> Tray:
    awaiting = engine.awaiting(state)
    return Tray(
        commands=commands,
        phase=phase_name(state.phase),
        waiting_for=tuple(state.armies[army].name for army, _what in awaiting),
        conditions=tuple((item.slug, item.name) for item in state.law.conditions.values()),
        overrides=tuple(OVERRIDES.items()),
        reserves=tuple(_reserves(battle)) if "reinforce" in commands else (),
        undoable=battle.records.filter(undone=False).exists(),
    )


def _reserves(battle: Battle) -> Iterator[tuple[str, str]]:
    """Standing armies of the campaign that no battle holds."""
    seats = BattleArmy.objects.filter(battle__campaign=battle.campaign_id, battle__status__in=Battle.OPEN)
    busy = set(seats.values_list("army_id", flat=True))
    for army in battle_roster(battle.campaign):
        if army.pk not in busy:
            yield str(army.pk), f"{army.name} ({army.kingdom.name})"
