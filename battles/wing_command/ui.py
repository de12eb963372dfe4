"""Battle UI of wing command (`HexBattleUI`)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from secrets import token_hex
from typing import Any

from django.http import QueryDict

from armies.adjustments.services import read_adjustments
from armies.models import Army
from battles.default.ui import PlainChange
from battles.field.forms import CommandForm
from battles.field.look import Look
from battles.field.page import BattlePage
from battles.hexes.picks import Layer
from battles.hexes.ui import HexBattleUI
from battles.hexes.world import HexWorldNow, read_world
from battles.models import Battle
from battles.ruleset_ui import Demo, Onward
from battles.wing_command import world
from battles.wing_command.api import HostAsked, MusteredWingSerializer, OptionsAsked, WingBattleMembers, members_of
from battles.wing_command.examples import IN_DOCUMENT
from battles.wing_command.gm_forms import GM_FORMS, GMDesk
from battles.wing_command.setup_forms import SETUP_FORMS, SideStrength, WingOpening, fresh_steps, list_strengths
from battles.wing_command.unit_card import UnitCard
from kingdom.chronicle.changes import Change
from kingdom.realms.figures import get_ruleset
from rules.core.shapes import options_of
from rules.core.text import Term, _
from rules.hexbattle.board import Board, BoardLegal, Confirm, Counter
from rules.law import Viewer
from rules.wing_command.battle.aftermath import ArmyInCampaign, World
from rules.wing_command.battle.demoralisation import FLED
from rules.wing_command.battle.legal.pieces import ORDER_GLYPHS
from rules.wing_command.battle.record.state import BattleOpening, HostState, Wing
from rules.wing_command.battle.shown import board, number_of
from rules.wing_command.figures import wing_of
from rules.wing_command.spec import WingSpec
from rules.wing_command.starter import ORDERS


class WingBattleUI(HexBattleUI):
    family = "wing_command"
    mustered_shape = MusteredWingSerializer
    demo = Demo("wing-command", "battles.wing_command.demo.load_demo")
    in_document = IN_DOCUMENT
    side = HostAsked
    options = options_of(OptionsAsked, everything=True)
    opening_form = WingOpening
    setup_template = "battles/wing_command/setup/opening.html"
    tray_template = "battles/wing_command/tray.html"
    tray_head_template = "battles/wing_command/tray_head.html"
    sides_template = "battles/wing_command/sides.html"
    beside_template = "battles/hexes/line_up.html"
    orders = ORDERS
    """The standing orders of wings, with their drawings."""
    order_icons = ORDER_GLYPHS
    rolls: Mapping[str, Term] = {
        "initiative": _("Initiative"),
        "points": _("Order points"),
        "command": _("Command test"),
        "spell": _("Casting"),
        "melee": _("Melee attack"),
        "missile": _("Shot"),
        "duel": _("Duel"),
        "fate": _("Fate of a character"),
        "demoralisation": _("Demoralization"),
        "rally": _("Rally"),
        "return": _("Return of a troop"),
        "commander-fate": _("Fate of the commander"),
    }
    onward: Mapping[str, Onward] = {
        "start": Onward(_("Begin the battle"), "battle"),
        "roll_initiative": Onward(_("Roll initiative"), "roll"),
        "resolve_rout": Onward(_("Resolve routs and rallies"), "roll"),
    }
    waiting = _("Waiting for {names}.")
    span = _("turns")
    health_name = _("Troops")
    layers: Sequence[Layer] = (Layer("command", _("Command distance"), usual=True),)
    key: Sequence[tuple[str, Term]] = (
        ("chief", _("army leader")),
        ("leader", _("wing leader")),
        ("warn", _("shaken")),
        ("flees", _("routed")),
        ("tired", _("out of breath")),
        ("spent", _("exhausted")),
        ("order", _("special order")),
        ("star", _("spell, face down")),
        ("wing", _("flying")),
        ("locked", _("engaged in melee")),
    )
    gone_words: Mapping[str, Term] = {FLED: _("fled")}
    unit_template = "battles/wing_command/unit.html"
    desk_template = "battles/wing_command/desk.html"
    battle_members = WingBattleMembers
    by_players: Collection[str] = (*HexBattleUI.by_players, "roll_initiative", "resolve_rout", "line_up", "set_order")

    def document(self, army: Army) -> WingSpec:
        """The army as a wing led by its commander."""
        law: Any = get_ruleset(army.campaign)
        leader = army.commander
        commander = (str(leader.pk), leader.name, law.armies.commander_of(leader.sheet)) if leader else None
        sheet = law.armies.value_of(army.sheet)
        return wing_of(
            str(army.pk),
            army.name,
            0,
            sheet,
            commander=commander,
            tables=law.tables,
            kingdom=str(army.kingdom_id),
            given=read_adjustments(army),
        )

    def opening(self, sides: Sequence[Any], documents: Mapping[str, Any], **options: Any) -> BattleOpening:
        """The opening of a battle. Options not chosen are the campaign's."""
        wings = [documents[key]._replace(side=number) for number, side in enumerate(sides) for key in side.armies]
        names, leaders = (tuple(getattr(side, what, "") for side in sides) for what in ("name", "leader"))
        asked = {name: value for name, value in options.items() if name != "map" and value not in (None, "")}
        return BattleOpening(options["map"], names, tuple(wings), token_hex(8), leaders, asked=asked)

    def read_world(self, battle: Battle) -> HexWorldNow:
        return read_world(battle, ArmyInCampaign, World)

    def in_words(self, changes: Iterable[Change], law: Any, names: Mapping[str, str]) -> Sequence[PlainChange]:
        return world.in_words(changes, {slug: troop.name for slug, troop in law.tables.troops.items()})

    def board(self, state: HostState, viewer: Viewer) -> Board:
        return board(state, viewer)

    def confirm(self, state: HostState, viewer: Viewer, legal: BoardLegal) -> Confirm | None:
        """The confirming button. The GM advances the battle with a button of the general battle page instead."""
        if viewer.gm and any(kind in legal.commands for kind in self.onward):
            return None
        return super().confirm(state, viewer, legal)

    def looks_on(self, look: Look, kind: str) -> Look:
        """The look after a command; a unit picked without anything else stays picked, since its wing may now act."""
        after = super().looks_on(look, kind)
        plain = look.unit and not (look.to or look.target or look.picked)
        return Look(**{**after.__dict__, "unit": look.unit}) if plain and kind == "chosen" else after

    def unit_card(self, page: BattlePage, counter: Counter) -> UnitCard:
        """The card of a unit, in addition to its name and states."""
        return UnitCard(page.state, page.viewer, counter.unit)

    def number_of(self, state: HostState, wing: Wing) -> str:
        """A wing's number within its side, I to VI."""
        return number_of(state, wing)

    def strengths(self, page: BattlePage) -> list[SideStrength]:
        return list(list_strengths(page))

    # GM tools

    def desk(self, state: HostState) -> GMDesk:
        return GMDesk(state)

    def desk_forms(self, page: BattlePage) -> dict[str, CommandForm]:
        return {**fresh_steps(page), **GM_FORMS.fresh(page)}

    def command_form(self, page: BattlePage, kind: str, data: QueryDict) -> CommandForm | None:
        if kind in SETUP_FORMS:
            return SETUP_FORMS[kind](page, data)
        return super().command_form(page, kind, data) or GM_FORMS.sent(page, kind, data)

    # The API

    def shape(self, state: Any, summary: Any, figures: Any, viewer: Viewer, legal: Any) -> dict[str, Any]:
        told = super().shape(state, summary, figures, viewer, legal)
        return {**told, **members_of(state, viewer, told["units"])}


UI = WingBattleUI()
