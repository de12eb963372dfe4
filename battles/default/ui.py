"""Default battle UI: sides of armies with a name and health, and no setup but who is on which side.

A ruleset's UI inherits `DefaultBattleUI` and overrides what differs.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from armies.marches.queries import Encounter, Party
from armies.models import Army
from battles.codec.requests import Members
from battles.declared_commands import DeclaredCommands
from battles.field.forms import CommandForm
from battles.field.page import BattlePage
from battles.models import Battle
from battles.ruleset_ui import BattleUI, Demo, Onward, OrdersForMany, Shown, WorkshopUI
from battles.setup.page import pick_colour
from battles.setup.queries import EligibleArmy, count_eligible, free_armies, is_many
from battles.setup.seating import SeatingForm
from battles.setup.seats import SIDES, SeatFields, SideLists, read_seats
from core.api.serializers import Input
from core.clean_input import NAME_MAX
from core.forms.form_fields import read_unchecked
from core.shapes.forms import ShapeForm
from kingdom.chronicle.changes import Change, word_of
from kingdom.models import Campaign, Kingdom, User
from kingdom.rendering import add_refusal
from rules.core.breakdown import HEALTH, OnPaper, PaperAid
from rules.core.errors import InvalidInput, Refusal
from rules.core.shapes import DeclaredShape
from rules.core.text import Said, Term
from rules.core.text import _ as term
from rules.law import Combatant, Figures, Law, Legal, Summary, Viewer

FEWEST = 2
NOT_FREE = _("An army on this side can’t fight here anymore. Remove it.")


@dataclass(frozen=True)
class PlainChange:
    subject: str
    field: Said
    before: Any
    after: Any
    rule: str
    label: Said


@dataclass(frozen=True)
class PlainCard:
    """Card of an army with its name and health, and further fields from `DefaultBattleUI.row`.

    `choices`: context of the ruleset's order form, None where no order can be given.
    """

    army: Combatant
    choices: Any = None
    ready: str = ""
    crest: str = "army"
    lost: int = 0
    brink: int | None = None
    figures: Sequence[Shown] = ()
    chips: Sequence[Any] = ()
    stance: Said | None = None
    stance_icon: str = ""
    aim: Said | None = None
    target: str = ""
    steps: tuple[int, int] | None = None
    form: Any = None

    @property
    def id(self) -> str:
        return self.army.id

    @property
    def name(self) -> str:
        return self.army.name

    @property
    def side(self) -> int:
        return self.army.side

    @property
    def colour(self) -> str:
        return pick_colour(self.army.side)

    @property
    def health(self) -> int:
        return self.army.health

    @property
    def health_max(self) -> int:
        return self.army.health_max

    @property
    def share(self) -> bool:
        return self.army.share

    @property
    def words(self) -> Said | None:
        return self.army.words

    @property
    def status_word(self) -> Said:
        return self.army.status_word

    @property
    def gone(self) -> bool:
        return not self.army.fighting

    @property
    def orderable(self) -> bool:
        return self.choices is not None


@dataclass(frozen=True)
class PlainSetup:
    """Page object of the setup. `musters`: kingdoms with standing armies. `available`: armies that can be on a side;
    where they are many, only those already on one.
    """

    campaign: Campaign
    musters: Sequence[EligibleArmy]
    available: tuple[Army, ...] = ()

    @property
    def large(self) -> bool:
        return is_many(self.musters)

    @property
    def enough(self) -> bool:
        return sum(one.free for one in self.musters) > 1

    def showing(self, picked: Collection[str]) -> PlainSetup:
        """Copy with the available armies: all of them, or only the picked ones where they are many."""
        free = free_armies(self.campaign).select_related("kingdom", "commander")
        if not self.large:
            return replace(self, available=tuple(free))
        return replace(self, available=tuple(free.filter(pk__in=picked)) if picked else ())


class PlainOpening(SeatingForm, forms.Form):
    """Form that opens a battle: name, sides with names and armies, and the ruleset's options (`options`). Its data has
    the shape of POST battles/. `count`: number of sides.
    """

    name = forms.CharField(label=_("Name of the battle"), max_length=NAME_MAX)

    def __init__(
        self,
        page: PlainSetup,
        data: QueryDict | None = None,
        *,
        count: int = FEWEST,
        options: DeclaredShape | None = None,
    ):
        super().__init__(data, label_suffix="")
        self.page, self.sides, self.side_count = page, SIDES[:count], count
        self.options = ShapeForm(options) if options else None
        armies = [(str(army.pk), army.name) for army in page.available]
        for number, side in enumerate(self.sides, start=1):
            label = _("Side %(number)s") % {"number": number}
            self.fields[side] = forms.CharField(label=label, max_length=NAME_MAX, required=False)
            self.fields[f"armies-{side}"] = forms.MultipleChoiceField(
                label=_("Armies of side %(number)s") % {"number": number},
                choices=armies,
                error_messages={"required": _("Put an army on this side."), "invalid_choice": NOT_FREE},
            )

        if self.options:
            begun = {key: one.usual for key, one in self.options.shape.members.items()}
            self.fields.update(self.options.fields("", {}))
            self.initial = {**self.initial, **self.options.flat("", begun)}

    def name_of(self, side: int) -> forms.BoundField:
        return self[self.sides[side]]

    def field_of_side(self, side: int) -> forms.BoundField:
        return self[f"armies-{self.sides[side]}"]

    @property
    def other_fields(self) -> list[forms.BoundField]:
        """Fields of the ruleset's options."""
        own = {"name", *self.sides, *(f"armies-{side}" for side in self.sides)}
        return [self[name] for name in self.fields if name not in own]

    def keep(self, data: QueryDict) -> PlainOpening:
        """The form with the data typed so far as initial values, without validation."""
        self.initial = read_unchecked(self, data)
        return self

    def to_json(self) -> dict[str, Any]:
        data = self.cleaned_data
        sides = [{"name": data[side], "armies": data[f"armies-{side}"]} for side in self.sides]
        options = self.options.posted(self.data, "") if self.options else {}  # type: ignore[arg-type]
        return {"name": data["name"], "sides": sides, **options}

    def refused(self, refusal: Refusal) -> None:
        add_refusal(self, refusal)


def ids_of(party: Party) -> list[str]:
    return [str(army.pk) for army in party.armies]


@dataclass(frozen=True)
class PlainPayers:
    """World of an aftermath that only costs BP: `world` is the kingdom of each army, `rule` the rule id of the cost."""

    world: Mapping[str, Kingdom]
    rule: str

    @classmethod
    def of(cls, battle: Battle, rule: str) -> PlainPayers:
        armies = Army.objects.filter(seats__battle=battle).select_related("kingdom")
        return cls({str(army.pk): army.kingdom for army in armies}, rule)

    def changes_of(self, state: Any, found: Iterable[tuple[str, int]]) -> tuple[Change, ...]:
        """Changes of treasuries. `found`: armies with the BP they cost. A kingdom pays for all its armies in one
        change; one without a treasury pays nothing.
        """
        owed: dict[Kingdom, int] = {}
        for army, bp in found:
            owed[self.world[army]] = owed.get(self.world[army], 0) + bp
        return tuple(self._pays(kingdom, bp) for kingdom, bp in owed.items() if not kingdom.without_treasury)

    def _pays(self, one: Kingdom, bp: int) -> Change:
        left = one.treasury - bp
        return Change("kingdom", str(one.pk), "treasury", one.treasury, left, self.rule, term("pays"), one.name)


class PlainArmySerializer(serializers.Serializer):
    army = serializers.CharField(source="id", read_only=True)
    name = serializers.CharField(read_only=True)
    side = serializers.IntegerField(read_only=True)
    health = serializers.IntegerField(read_only=True)
    health_max = serializers.IntegerField(read_only=True)
    status = serializers.CharField(read_only=True)


class PlainBattleMembers(serializers.Serializer):
    armies = serializers.SerializerMethodField()

    @extend_schema_field(PlainArmySerializer(many=True))
    def get_armies(self, summary: Summary) -> Any:
        return PlainArmySerializer(summary.armies.values(), many=True).data


class PlainSupposedInput(Input):
    """An army that is not in the campaign. `sheet`: its ruleset's document."""

    name = serializers.CharField()
    sheet = serializers.DictField(child=serializers.JSONField())


class DefaultBattleUI(DeclaredCommands, BattleUI):
    """Base of the rulesets' battle UIs. `family`, `document`, `opening` and `read_world` must be defined.

    Commands and the opening's options are read as the ruleset declares them (`rules.core.shapes`).
    """

    rolls: Mapping[str, Term] = {}
    onward: Mapping[str, Onward] = {}
    waiting = term("Waiting for: {names}.")
    luck = Term("")
    by_players: Collection[str] = ("order", "answer")
    keys: Sequence[tuple[str, Term]] = ()
    many: OrdersForMany | None = None
    row_template = "battles/field/unit.html"
    about_template = ""
    order_template = "battles/field/order.html"
    span = term("phases")
    health_name = HEALTH
    health_unit = Term("")
    setup_health: tuple[Term, Term] | None = None
    health_field = "health"
    desk_template = ""
    turn_template = ""
    setup_template = "battles/field/opening.html"
    seats: SeatFields = SideLists()
    opening_form: type[PlainOpening] = PlainOpening
    workshop: WorkshopUI | None = None
    demo: Demo | None = None
    battle_members: type[serializers.Serializer] = PlainBattleMembers
    order_members: type[serializers.Serializer] | None = None
    condition_shape: type[serializers.Serializer] | None = None
    mustered_shape: type[serializers.Serializer] | None = None
    supposed_army: type[serializers.Serializer] | None = PlainSupposedInput

    @property
    def throws(self) -> frozenset[str]:  # type: ignore[override]
        """All commands, where the ruleset takes turns and rolls dice. A ruleset that knows better overrides it."""
        return frozenset(self.readers) if self.rolls and self.by_turns else frozenset()

    @abstractmethod
    def opening(self, sides: Sequence[Any], documents: Mapping[str, Any], **options: Any) -> Any:
        """The ruleset's opening with these sides, the ruleset's document of each army by id, and the options."""

    def supposed(self, law: Law, data: object, at: str) -> Any:
        members = Members(data, at)
        name, sheet = members.text("name"), members.raw("sheet")
        members.done()
        try:
            read = law.armies.read(sheet if isinstance(sheet, Mapping) else {})
        except InvalidInput as refusal:
            raise refusal.below(f"{at}/sheet") from refusal
        health = law.armies.measure(read).health
        return self.document(Army(pk=name, name=name, sheet=read, health=health, health_max=health))

    def in_words(self, changes: Iterable[Change], law: Law, names: Mapping[str, str]) -> Sequence[PlainChange]:
        told = ((word_of(change.subject_kind, change.field), change) for change in changes)
        return [PlainChange(c.subject, word, c.before, c.after, c.rule, c.label) for word, c in told]

    def outcome_in_campaign(self, changes: Iterable[Change]) -> Said | None:
        return None

    def army_of(self, command: Any) -> str:
        return ""

    def conditions(self, state: Any) -> Sequence[Any]:
        return ()

    def choices(self, state: Any, army: str, legal: Legal) -> Any:
        """Orders that an army may be given; None for none."""
        return None

    def row(self, state: Any, army: Combatant, viewer: Viewer) -> Mapping[str, Any]:
        """Further fields of the army's `PlainCard`."""
        return {}

    def cards(
        self, state: Any, summary: Summary, figures: Figures, viewer: Viewer, legal: Legal | None
    ) -> Mapping[str, PlainCard]:
        return {
            army.id: PlainCard(
                army,
                choices=self.choices(state, army.id, legal) if legal else None,
                ready=summary.ready(army.id) if legal else "",
                **self.row(state, army, viewer),
            )
            for army in summary.armies.values()
        }

    def on_paper(self, state: Any, summary: Summary, figures: Figures, viewer: Viewer) -> Mapping[str, OnPaper]:
        return {
            army.id: OnPaper(
                army.id, army.name, army.health, army.health_max,
                leader=army.leader_name if army.id in viewer.reads else "", kingdom=army.kingdom, charge="army",
            )
            for army in summary.armies.values()
        }  # fmt: skip

    def aids(self, state: Any) -> Sequence[PaperAid]:
        return ()

    def desk(self, state: Any) -> Any:
        return None

    def command_form(self, page: BattlePage, kind: str, data: QueryDict) -> CommandForm | None:
        return None

    def aftermath_forms(
        self, state: Any, viewer: Viewer, version: int, data: QueryDict | None = None
    ) -> Sequence[CommandForm]:
        return ()

    def desk_forms(self, page: BattlePage) -> dict[str, CommandForm]:
        return {}

    def setup_page(self, user: User, campaign: Campaign) -> PlainSetup:
        return PlainSetup(campaign, count_eligible(campaign))

    def setup_form(self, page: PlainSetup, data: QueryDict | None) -> PlainOpening:
        options = self.options if self.options.fields else None
        if data is None:
            return self.opening_form(page.showing(()), options=options)
        page = page.showing(read_seats(data))
        if "add" in data:
            return self.opening_form(page, options=options).keep(data)
        return self.opening_form(page, data, options=options)

    def setup_at(self, meeting: Encounter) -> Mapping[str, str | Sequence[str]]:
        """The two parties that came last, one on each side. A ruleset with terrain adds the ground."""
        parties = meeting.parties[:FEWEST]
        names = {side: party.kingdom.name for side, party in zip(SIDES, parties, strict=False)}
        armies = {f"armies-{side}": ids_of(party) for side, party in zip(SIDES, parties, strict=False)}
        return {**names, **armies}

    def shape(self, state: Any, summary: Summary, figures: Figures, viewer: Viewer, legal: Legal) -> dict[str, Any]:
        return dict(self.battle_members(summary).data)
