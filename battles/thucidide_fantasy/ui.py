"""Battle UI of THUCIDIDE fantasy (`HexBattleUI`)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from secrets import token_hex
from typing import Any

from django.http import QueryDict

from armies.adjustments.services import read_adjustments
from armies.models import Army
from battles.default.ui import PlainChange
from battles.field.field_ui import FieldAsked
from battles.field.forms import CommandForm
from battles.field.look import Look
from battles.field.page import BattlePage
from battles.hexes.page import BoardView
from battles.hexes.picks import Layer
from battles.hexes.ui import HexBattleUI
from battles.hexes.world import HexWorldNow, read_world
from battles.models import Battle
from battles.ruleset_ui import Demo, Onward
from battles.thucidide_fantasy import world
from battles.thucidide_fantasy.api import (
    ContingentOptionsAsked,
    ContingentSideAsked,
    FantasyBattleMembers,
    MusteredContingentSerializer,
    members_of,
)
from battles.thucidide_fantasy.examples import IN_DOCUMENT
from battles.thucidide_fantasy.gm_forms import GMDesk, fresh_forms, sent_form
from battles.thucidide_fantasy.setup_forms import SETUP_FORMS, CardsForm, ContingentOpening
from battles.thucidide_fantasy.unit_card import PieceCard
from kingdom.chronicle.changes import Change
from kingdom.realms.figures import get_ruleset
from rules.core.shapes import options_of
from rules.core.text import Term, _
from rules.hexbattle.board import Board, BoardLegal, Confirm, Counter
from rules.law import Law, Viewer
from rules.thucidide_fantasy.battle.aftermath import CampaignArmy, CampaignWorld
from rules.thucidide_fantasy.battle.record.fold import CAPTURED, CARRIED_HOME
from rules.thucidide_fantasy.battle.record.state import BattleOpening, FantasyState
from rules.thucidide_fantasy.battle.shown import board
from rules.thucidide_fantasy.figures import contingent_of
from rules.thucidide_fantasy.spec import ContingentSpec


class FantasyBattleUI(HexBattleUI):
    family = "thucidide_fantasy"
    mustered_shape = MusteredContingentSerializer
    demo = Demo("thucidide-fantasy", "battles.thucidide_fantasy.demo.load_demo")
    in_document = IN_DOCUMENT
    side = ContingentSideAsked
    options = options_of(ContingentOptionsAsked, everything=True)
    opening_form = ContingentOpening
    setup_template = "battles/thucidide_fantasy/setup/opening.html"
    tray_template = "battles/thucidide_fantasy/tray.html"
    beside_template = "battles/hexes/line_up.html"
    rolls: Mapping[str, Term] = {
        "lot": _("Drawing lots"),
        "heroes": _("Duel of heroes"),
        "attack": _("Attack"),
        "shot": _("Shot"),
        "riposte": _("Riposte"),
        "confirm": _("Losses confirmed"),
        "surplus": _("Excess hits"),
        "spell": _("Spell"),
        "fire": _("Fire"),
        "divine": _("Appeal to the god"),
        "intervention": _("Intervention of the god"),
        "fate": _("Fate of a character"),
        "death": _("Death or capture"),
    }
    onward: Mapping[str, Onward] = {"start": Onward(_("Begin the battle"), "battle")}
    waiting = _("Waiting for {names}.")
    span = _("turns")
    health_name = _("Stands left")
    layers: Sequence[Layer] = (
        Layer("command", _("Command range"), usual=True),
        Layer("leash", _("Distance from the undead’s master"), usual=True),
        Layer("spell", _("Range of the spell"), usual=True),
    )
    key: Sequence[tuple[str, Term]] = (
        ("chief", _("general")),
        ("leader", _("leader")),
        ("order", _("activated")),
        ("star", _("a spell")),
        ("timer", _("an active spell")),
        ("wing", _("flying")),
    )
    gone_words: Mapping[str, Term] = {CAPTURED: _("captured"), CARRIED_HOME: _("carried home by a god")}
    throws_every_fate = True
    unit_template = "battles/thucidide_fantasy/unit.html"
    desk_template = "battles/thucidide_fantasy/desk.html"
    battle_members = FantasyBattleMembers
    by_players: Collection[str] = (*HexBattleUI.by_players, "line_up", "choose_cards")

    def document(self, army: Army) -> ContingentSpec:
        """The army as a contingent with its commander."""
        law: Any = get_ruleset(army.campaign)
        leader = army.commander
        commander = (str(leader.pk), leader.name, law.armies.commander_of(leader.sheet)) if leader else None
        sheet = law.armies.value_of(army.sheet)
        return contingent_of(
            str(army.pk), army.name, 0, sheet, commander=commander, tables=law.tables,
            usual=law.house.supply_points, kingdom=str(army.kingdom_id),
            adjustments=read_adjustments(army),
        )  # fmt: skip

    def opening(self, sides: Sequence[Any], documents: Mapping[str, Any], **options: Any) -> BattleOpening:
        """The opening of a battle. Options not chosen are the campaign's."""
        found = [documents[key]._replace(side=number) for number, side in enumerate(sides) for key in side.armies]
        names, leaders = (tuple(getattr(side, what, "") for side in sides) for what in ("name", "leader"))
        asked = {name: value for name, value in options.items() if name != "map" and value not in (None, "")}
        return BattleOpening(options["map"], names, tuple(found), token_hex(8), leaders, asked=asked)

    def read_world(self, battle: Battle) -> HexWorldNow:
        return read_world(battle, CampaignArmy, CampaignWorld)

    def in_words(self, changes: Iterable[Change], law: Law, names: Mapping[str, str]) -> Sequence[PlainChange]:
        tables: Any = getattr(law, "tables", None)
        troops = {slug: one.name for slug, one in tables.troops.items()} if tables else {}
        return world.in_words(changes, troops)

    def board(self, state: FantasyState, viewer: Viewer) -> Board:
        return board(state, viewer)

    def confirm(self, state: FantasyState, viewer: Viewer, legal: BoardLegal) -> Confirm | None:
        """The confirming button. The GM begins the battle with a button of the general battle page instead."""
        if viewer.gm and "start" in legal.commands:
            return legal.confirm if any(legal.picked) else None
        return super().confirm(state, viewer, legal)

    def field(self, asked: FieldAsked) -> BoardView:
        """The board without the law's facts; the unit's card shows figures itself, also for units that can't act."""
        if isinstance(asked.legal, BoardLegal):
            asked = asked._replace(legal=asked.legal._replace(facts=None))
        return super().field(asked)

    def looks_on(self, look: Look, kind: str) -> Look:
        """The look after a command; after choosing cards, the caster stays selected."""
        onward = super().looks_on(look, kind)
        return replace(onward, unit=look.unit) if kind == CardsForm.kind else onward

    def unit_card(self, page: BattlePage, counter: Counter) -> PieceCard:
        """The card of a unit, in addition to its name and states."""
        return PieceCard(page, counter.unit)

    # GM tools

    def desk(self, state: FantasyState) -> GMDesk:
        return GMDesk(state)

    def desk_forms(self, page: BattlePage) -> dict[str, CommandForm]:
        return fresh_forms(page)

    def command_form(self, page: BattlePage, kind: str, data: QueryDict) -> CommandForm | None:
        if kind in SETUP_FORMS:
            return SETUP_FORMS[kind](page, data)
        return super().command_form(page, kind, data) or sent_form(page, kind, data)

    # The API

    def shape(self, state: Any, summary: Any, figures: Any, viewer: Viewer, legal: Any) -> dict[str, Any]:
        told = super().shape(state, summary, figures, viewer, legal)
        return {**told, **members_of(state, viewer, told["units"])}


UI = FantasyBattleUI()
