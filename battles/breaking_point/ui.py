"""Ruleset UI for battles of breaking points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.http import QueryDict

from armies.breaking_point.forces.specs import build_army_host
from armies.marches.queries import Encounter
from armies.models import Army
from battles.breaking_point import api, world
from battles.breaking_point import world as breaking_point_change_words
from battles.breaking_point.command_shapes import API_SHAPES, COMMANDS, OpeningAsked
from battles.breaking_point.examples import IN_DOCUMENT
from battles.breaking_point.field import cards as paper
from battles.breaking_point.field import gm_forms
from battles.breaking_point.field.cards import HostCard, chips_of_army, list_blocks
from battles.breaking_point.field.order_forms import HostOrdersForMany, OrderForm, sharing_forms
from battles.breaking_point.setup.forms import OpeningForm, count_from, setup_at
from battles.breaking_point.words import (
    HEADS,
    HEALTH_UNIT,
    LUCK,
    ONWARD,
    OVERRIDES,
    ROLL_NAMES,
    WAITING,
    FieldChip,
    chips_of,
)
from battles.breaking_point.workshop.hypothetical import supposed
from battles.breaking_point.workshop.workshop_ui import HostWorkshopUI
from battles.breaking_point.world import add_siege
from battles.default.ui import DefaultBattleUI, PlainChange, PlainSetup
from battles.field.forms import CommandForm
from battles.field.gm_forms import EndForm, fresh
from battles.field.page import BattlePage
from battles.models import Battle
from battles.ruleset_ui import Demo, Onward
from battles.setup.seats import read_seats
from kingdom.chronicle.changes import Change
from rules.breaking_point.battle.battle_law import army_of
from rules.breaking_point.battle.state.battle_state import BattleNow, FieldMark, Opening, Order, Side
from rules.breaking_point.battle.state.conditions import CONDITIONS
from rules.breaking_point.battle.telling.words import body_name
from rules.breaking_point.spec import Host
from rules.core.breakdown import OnPaper, PaperAid
from rules.core.shapes import options_of, shape_of
from rules.core.text import NO_WORDS, Said, Term, _, say
from rules.law import Combatant, Figures, Law, Summary, Team, Viewer

FORMS: dict[str, Any] = {
    "condition": gm_forms.ConditionForm,
    "lift": gm_forms.LiftForm,
    "override": gm_forms.OverrideForm,
    "end": EndForm,
}


class BreakingPointBattleUI(DefaultBattleUI):
    family = "breaking_point"
    rolls: Mapping[str, Term] = ROLL_NAMES
    onward: Mapping[str, Onward] = ONWARD
    waiting = WAITING
    luck = LUCK
    row_template = "battles/breaking_point/field/row.html"
    about_template = "battles/breaking_point/field/about.html"
    order_template = "battles/breaking_point/field/orders.html"
    many = HostOrdersForMany()
    span = HostWorkshopUI.span
    health_name = health_unit = HEALTH_UNIT
    setup_health = HEADS, HEADS
    desk_template = "battles/breaking_point/field/desk.html"
    setup_template = "battles/breaking_point/setup/setup.html"
    workshop = HostWorkshopUI()
    demo = Demo("breaking-point", "battles.breaking_point.demo.load_demo")
    in_document = IN_DOCUMENT
    battle_members = api.FightMembers
    side = Side
    commands = COMMANDS
    options = options_of(OpeningAsked, everything=True)
    api_shapes = API_SHAPES
    opening_members = API_SHAPES.of(shape_of(OpeningAsked))
    order_members = API_SHAPES.of(shape_of(Order, ("army",)))
    condition_shape = API_SHAPES.of(shape_of(FieldMark))
    supposed_army = api.SupposedHostInput

    def document(self, army: Army) -> Host:
        return build_army_host(army)

    def supposed(self, law: Any, data: object, at: str) -> Host:
        return supposed(law, data, at)

    def opening(self, sides: Sequence[Team], documents: Mapping[str, Any], **options: Any) -> Opening:
        """Return the opening, in the open field unless the options say otherwise."""
        wanted = dict.fromkeys(army for side in sides for army in side.armies)
        asked = tuple(side if isinstance(side, Side) else Side(*side) for side in sides)
        return add_siege(Opening(asked, tuple(documents[army] for army in wanted), **options))

    def read_world(self, battle: Battle) -> world.WorldNow:
        return world.read(battle)

    def in_words(self, found: Iterable[Change], law: Law, names: Mapping[str, str]) -> Sequence[PlainChange]:
        return breaking_point_change_words.in_words(found, names)

    def outcome_in_campaign(self, changes: Iterable[Change]) -> Said | None:
        return world.outcome_of_siege(changes)

    def on_paper(self, state: BattleNow, summary: Summary, figures: Figures, viewer: Viewer) -> Mapping[str, OnPaper]:
        return paper.on_paper(state, summary, figures, viewer)

    def aids(self, state: BattleNow) -> Sequence[PaperAid]:
        return paper.aids(state)

    def army_of(self, command: Any) -> str:
        return army_of(command)

    def conditions(self, state: BattleNow) -> Sequence[FieldChip]:
        return list(chips_of(state))

    def cards(
        self, state: BattleNow, summary: Summary, figures: Figures, viewer: Viewer, legal: Any
    ) -> Mapping[str, HostCard]:
        """Return the cards. Without `legal` (a step of a replay) nobody is awaited and nothing can be ordered."""
        choices = {one.army: one for one in legal.armies} if legal else {}
        return {
            army.id: HostCard(
                army,
                choices=choices.get(army.id),
                ready=summary.ready(army.id) if legal else "",
                target=_target(state, army.id, viewer),
                bodies=list_blocks(state, army.id, figures.get(army.id, {}), orders=viewer.commands(army.id)),
                about=_about(army, figures, viewer),
                chips=tuple(chips_of_army(state, army)),
                sheet=army.id if army.id in viewer.reads else "",
            )
            for army in summary.armies.values()
        }

    def desk(self, state: BattleNow) -> dict[str, Any]:
        return {
            "conditions": [(kind.slug, kind.name) for kind in CONDITIONS.values()],
            "overrides": list(OVERRIDES.items()),
            "bodies": [{"id": body.id, "name": body_name(state, body)} for body in state.bodies.values()],
        }

    def command_form(self, page: BattlePage, kind: str, data: QueryDict) -> CommandForm | None:
        form = FORMS.get(kind)
        return form(page, data) if form else None

    def order_form(self, page: BattlePage, card: Any, data: QueryDict | None = None) -> OrderForm:
        return OrderForm(card.choices, page.battle.version, data, field={known.id: known for known in page.cards})

    def aftermath_forms(
        self, state: BattleNow, viewer: Viewer, version: int, data: QueryDict | None = None
    ) -> list[CommandForm]:
        return list(sharing_forms(state, viewer, version, data))

    def desk_forms(self, page: BattlePage) -> dict[str, CommandForm]:
        return fresh(FORMS, page)

    def setup_form(self, page: PlainSetup, data: QueryDict | None) -> OpeningForm:
        if data is None:
            return OpeningForm(page.showing(()))
        count = count_from(data)
        page = page.showing(read_seats(data))
        if "add" in data:
            form = OpeningForm(page, count=count)
            form.keep(data)
            return form
        return OpeningForm(page, data, count=count)

    def setup_at(self, meeting: Encounter) -> Mapping[str, str | Sequence[str]]:
        return setup_at(meeting)

    def shape(self, state: BattleNow, summary: Summary, figures: Figures, viewer: Viewer, legal: Any) -> dict[str, Any]:
        return api.shape(state, summary, figures, viewer, legal)


def _about(army: Combatant, figures: Figures, viewer: Viewer) -> Any:
    """Name the army's leader, with their command for readers of its figures."""
    command = figures.get(army.id, {}).get("command") if army.id in viewer.reads or viewer.gm else None
    if command is None:
        return say(_("{leader}"), leader=army.leader_name) if army.leader_name else NO_WORDS
    leader = army.leader_name or _("no commander")
    return say(_("{leader}, command {command}"), leader=leader, command=command.total)


def _target(state: BattleNow, army: str, viewer: Viewer) -> str:
    """Return the army that its first body with a target aims at, for the lines between the sides."""
    if not viewer.commands(army):
        return ""
    order = state.orders.get(army)
    aims = (one.target for one in order.bodies.values() if one.target) if order else iter(())
    body = state.bodies.get(next(aims, ""))
    return body.army if body else ""


UI = BreakingPointBattleUI()
