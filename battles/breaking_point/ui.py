"""Ruleset UI of breaking point's battles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.http import QueryDict

from armies.breaking_point.specs import general_of, units_of
from armies.marches.encounters import Encounter
from armies.models import Army
from battles.breaking_point import api, world, world_changes
from battles.breaking_point.commands import READERS
from battles.breaking_point.field import gm_forms, paper
from battles.breaking_point.field.cards import HostCard, blocks_of, chips_of_army
from battles.breaking_point.field.chips import FieldChip, chips_of
from battles.breaking_point.field.order_forms import OrderForm
from battles.breaking_point.field.share_forms import sharing_forms
from battles.breaking_point.setup.encounter import setup_at
from battles.breaking_point.setup.forms import OpeningForm, count_from
from battles.breaking_point.setup.opening import BreakingPointOpeningRequest, opening_from_json
from battles.breaking_point.words import HEALTH_UNIT, LUCK, ONWARD, OVERRIDES, ROLL_NAMES, WAITING
from battles.breaking_point.workshop.hypothetical import supposed
from battles.breaking_point.workshop.workshop import HostWorkshopFace
from battles.default.ui import SIDES, PlainChange, PlainFace, PlainSetup
from battles.field.forms import CommandForm
from battles.field.gm_forms import EndForm, fresh
from battles.field.page import BattlePage
from battles.models import Battle
from battles.ruleset_ui import Demo, Onward, Reader
from core.inputs import NAME_MAX, uuid_or_none
from kingdom.chronicle.changes import Change
from rules.breaking_point.battle.conditions import CONDITIONS
from rules.breaking_point.battle.law import army_of
from rules.breaking_point.battle.state import BattleNow, Opening, Side
from rules.breaking_point.battle.telling.words import body_name
from rules.breaking_point.siege.ends import OUTCOMES
from rules.breaking_point.spec import Host
from rules.core.paper import OnPaper, PaperAid
from rules.core.text import NO_WORDS, Term, _, say
from rules.law import Combatant, Figures, Law, Summary, Team, Viewer

FORMS: dict[str, Any] = {
    "condition": gm_forms.ConditionForm,
    "lift": gm_forms.LiftForm,
    "override": gm_forms.OverrideForm,
    "end": EndForm,
}


class BreakingPointBattles(PlainFace):
    family = "breaking_point"
    rolls: Mapping[str, Term] = ROLL_NAMES
    onward: Mapping[str, Onward] = ONWARD
    waiting = WAITING
    luck = LUCK
    readers: Mapping[str, Reader] = READERS
    row_template = "battles/breaking_point/field/row.html"
    about_template = "battles/breaking_point/field/about.html"
    order_template = "battles/breaking_point/field/orders.html"
    span = HostWorkshopFace.span
    health_name = health_unit = HEALTH_UNIT
    desk_template = "battles/breaking_point/field/desk.html"
    setup_template = "battles/breaking_point/setup/setup.html"
    workshop = HostWorkshopFace()
    demo = Demo("breaking-point", "battles.breaking_point.demo.load_demo")
    enums = {
        "BattleKindEnum": api.KINDS, "BodyDeedEnum": api.DEEDS, "UnitGroupEnum": api.GROUPS,
        "SiegeOutcomeEnum": OUTCOMES,
    }  # fmt: skip
    battle_members = api.FightMembers
    opening_members = api.FightOpening
    command_members = api.COMMANDS
    order_members = api.BreakingPointOrderMembers
    condition_shape = api.FieldMarkInput
    supposed_army = api.SupposedHostInput

    def document(self, army: Army) -> Host:
        leader = general_of(army.commander)
        return Host(str(army.pk), army.name, str(army.kingdom_id), units_of(army), leader, army.status)

    def supposed(self, law: Any, data: object, at: str) -> Host:
        return supposed(law, data, at)

    def opening(self, sides: Sequence[Team], documents: Mapping[str, Any], **options: Any) -> Opening:
        """Of sides alone, in the open field."""
        asked = tuple(Side(side.name, side.armies) for side in sides)
        return BreakingPointOpeningRequest(Opening(asked, ())).with_armies(documents)

    def read_opening(self, data: Mapping[str, Any]) -> BreakingPointOpeningRequest:  # type: ignore[override]
        return opening_from_json(data)

    def read_world(self, battle: Battle) -> world.WorldNow:
        return world.read(battle)

    def in_words(self, found: Iterable[Change], law: Law, names: Mapping[str, str]) -> Sequence[PlainChange]:
        return world_changes.in_words(found, names)

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
        """Without `legal` (a step of a replay) nobody is waited for and nothing can be ordered."""
        choices = {one.army: one for one in legal.armies} if legal else {}
        return {
            army.id: HostCard(
                army,
                choices=choices.get(army.id),
                ready=summary.ready(army.id) if legal else "",
                target=_target(state, army.id, viewer),
                bodies=blocks_of(state, army.id, figures.get(army.id, {}), orders=viewer.commands(army.id)),
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
        named = (key for side in SIDES[:count] for key in data.getlist(f"armies-{side}"))
        page = page.showing({key for key in named if uuid_or_none(key)}, data.get("find", "").strip()[:NAME_MAX])
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
    """Who leads it; how well, for who may read its figures."""
    command = figures.get(army.id, {}).get("command") if army.id in viewer.reads or viewer.gm else None
    if command is None:
        return say(_("{leader}"), leader=army.leader_name) if army.leader_name else NO_WORDS
    leader = army.leader_name or _("nobody leads it")
    return say(_("{leader}, command {command}"), leader=leader, command=command.total)


def _target(state: BattleNow, army: str, viewer: Viewer) -> str:
    """The army its first body with a target aims at, for the lines between the sides."""
    if not viewer.commands(army):
        return ""
    order = state.orders.get(army)
    aims = (one.target for one in order.bodies.values() if one.target) if order else iter(())
    body = state.bodies.get(next(aims, ""))
    return body.army if body else ""


FACE = BreakingPointBattles()
