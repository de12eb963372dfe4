"""Ruleset UI for battles of mass combat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.http import QueryDict

from armies.marches.queries import Encounter
from armies.pathfinder.forces.specs import build_army_spec
from armies.pathfinder.models import PathfinderArmy
from battles.field.field_ui import FieldUI
from battles.field.forms import CommandForm
from battles.field.gm_forms import EndForm, fresh
from battles.field.page import BattlePage
from battles.models import Battle
from battles.pathfinder import api, world
from battles.pathfinder import world as pathfinder_change_words
from battles.pathfinder.command_shapes import READERS, PathfinderOpeningRequest, opening_from_json
from battles.pathfinder.examples import IN_DOCUMENT
from battles.pathfinder.field import cards as paper
from battles.pathfinder.field import gm_forms
from battles.pathfinder.field.cards import Card, card_of
from battles.pathfinder.field.order_forms import OrderForm, PathfinderOrdersForMany
from battles.pathfinder.setup.forms import OpeningForm, counts_from, setup_at
from battles.pathfinder.setup.page import SetupPage, setup_page
from battles.pathfinder.words import (
    HEALTH_NAME,
    HEALTH_UNIT,
    KEYS,
    LUCK,
    ONWARD,
    OVERRIDES,
    ROLL_NAMES,
    WAITING,
    Chip,
    condition_chips,
)
from battles.pathfinder.workshop.hypothetical import supposed
from battles.pathfinder.workshop.workshop_ui import PathfinderWorkshop
from battles.ruleset_ui import Demo, Onward, Reader
from battles.setup.seats import ArmySelects, SeatFields, read_seats
from kingdom.chronicle.changes import Change
from kingdom.models import Campaign, User
from rules.core.breakdown import OnPaper, PaperAid
from rules.core.text import Said, Term
from rules.law import Figures, Summary, Viewer
from rules.pathfinder.battle.orders.commands import GiveOrder
from rules.pathfinder.battle.orders.legal import LegalNow
from rules.pathfinder.battle.state.battle_state import BattleState as State
from rules.pathfinder.ruleset import Ruleset
from rules.pathfinder.spec import ArmySpec

FORMS: dict[str, Any] = {
    "condition": gm_forms.ConditionForm,
    "lift": gm_forms.LiftForm,
    "override": gm_forms.OverrideForm,
    "interrupt": gm_forms.InterruptForm,
    "end": EndForm,
    "ranged": gm_forms.RangedForm,
}


class PathfinderBattleUI(FieldUI):
    family = "pathfinder"
    rolls: Mapping[str, Term] = ROLL_NAMES
    throws: frozenset[str] = frozenset()
    onward: Mapping[str, Onward] = ONWARD
    waiting = WAITING
    luck = LUCK
    by_players = ("order",)
    readers: Mapping[str, Reader] = READERS
    keys = KEYS
    many = PathfinderOrdersForMany()
    row_template = "battles/field/unit.html"
    about_template = "battles/pathfinder/field/about.html"
    order_template = "battles/pathfinder/field/orders.html"
    span = PathfinderWorkshop.span
    health_name = HEALTH_NAME
    health_unit = HEALTH_UNIT
    setup_health = None
    health_field = "hp"
    fates_open = ("defeated", "captured")
    desk_template = "battles/pathfinder/field/desk.html"
    turn_template = ""
    by_turns = False
    setup_template = "battles/pathfinder/setup/setup.html"
    seats: SeatFields = ArmySelects()
    workshop = PathfinderWorkshop()
    demo = Demo("combat-de-masse", "battles.pathfinder.demo.load_demo")
    in_document = IN_DOCUMENT
    battle_members = api.BattleMembers
    opening_members = api.OpeningMembers
    command_members = api.COMMANDS
    order_members = api.PathfinderOrderMembers
    condition_shape = api.ConditionSerializer
    mustered_shape = None
    supposed_army = api.SupposedArmyInput

    def document(self, army: PathfinderArmy) -> ArmySpec:
        return build_army_spec(army)

    def supposed(self, law: Ruleset, data: object, at: str) -> ArmySpec:
        return supposed(law, data, at)

    def read_opening(self, data: Mapping[str, Any]) -> PathfinderOpeningRequest:
        return opening_from_json(data)

    def read_world(self, battle: Battle) -> world.WorldNow:
        return world.read(battle)

    def in_words(
        self, found: Iterable[Change], law: Ruleset, names: Mapping[str, str]
    ) -> Sequence[pathfinder_change_words.ShownChange]:
        return pathfinder_change_words.in_words(found, law, names)

    def outcome_in_campaign(self, changes: Iterable[Change]) -> Said | None:
        return None

    def army_of(self, command: Any) -> str:
        return command.order.army if isinstance(command, GiveOrder) else ""

    def conditions(self, state: State) -> Sequence[Chip]:
        return [replace(chip, index=at) for at, (chip, _condition) in enumerate(condition_chips(state))]

    def cards(
        self, state: State, summary: Summary, figures: Figures, viewer: Viewer, legal: LegalNow | None
    ) -> Mapping[str, Card]:
        """Return the cards. Without `legal` (a step of a replay) nobody is awaited and nothing can be ordered."""
        choices = {choice.army: choice for choice in legal.armies} if legal else {}
        ready = {army: summary.ready(army) if legal else "" for army in state.armies}
        return {
            army: card_of(state, army, figures.get(army, {}), viewer, choices.get(army), ready[army])
            for army in state.armies
        }

    def on_paper(self, state: State, summary: Summary, figures: Figures, viewer: Viewer) -> Mapping[str, OnPaper]:
        return paper.on_paper(state, summary, figures, viewer)

    def aids(self, state: State) -> Sequence[PaperAid]:
        return paper.aids(state)

    def desk(self, state: State) -> dict[str, Sequence[tuple[str, Said]]]:
        return {
            "conditions": [(item.slug, item.name) for item in state.law.conditions.values()],
            "overrides": list(OVERRIDES.items()),
        }

    def command_form(self, page: BattlePage, kind: str, data: QueryDict) -> CommandForm | None:
        form = FORMS.get(kind)
        return form(page, data) if form else None

    def order_form(self, page: BattlePage, card: Card, data: QueryDict | None = None) -> OrderForm:
        assert card.choices is not None
        return OrderForm(card.choices, page.battle.version, data, field={known.id: known for known in page.cards})

    def aftermath_forms(
        self, state: Any, viewer: Viewer, version: int, data: QueryDict | None = None
    ) -> Sequence[CommandForm]:
        return ()

    def desk_forms(self, page: BattlePage) -> dict[str, CommandForm]:
        return fresh(FORMS, page)

    def setup_page(self, user: User, campaign: Campaign) -> SetupPage:
        return setup_page(user, campaign)

    def setup_form(self, page: SetupPage, data: QueryDict | None) -> OpeningForm:
        if data is None:
            return OpeningForm(page)
        page = page.showing(read_seats(data))
        if "add" in data:
            return OpeningForm(page, counts=counts_from(data)).keep(data)
        return OpeningForm(page, data, counts=counts_from(data))

    def setup_at(self, meeting: Encounter) -> Mapping[str, str]:
        return setup_at(meeting)

    def shape(
        self, state: State, summary: Summary, figures: Figures, viewer: Viewer, legal: LegalNow
    ) -> dict[str, Any]:
        return api.shape(state, figures, viewer, legal)


UI = PathfinderBattleUI()
