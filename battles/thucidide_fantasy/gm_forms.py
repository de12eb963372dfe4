"""GM forms of THUCIDIDE fantasy: options, figures, gods' gifts, generals, consents and victory numbers before a battle;
overrides and appeals to gods during it.

An override has two steps: the first chooses its target, the second its value.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from battles.default.house_options import OptionStep, whole_field, yes_no_field
from battles.field.forms import CommandForm
from battles.field.gm_forms import EndForm, HandForm, StepForm, build_line_field, fresh
from battles.field.page import BattlePage
from battles.hexes.hand_forms import LONGEST_HEX, HandGroup, HandTarget, list_choices
from battles.play.battle_state import get_law
from battles.thucidide_fantasy.deeds import FantasyHandForm, list_fallen, list_trait_deeds
from core.text import render
from rules.core.errors import Refusal
from rules.core.text import Said
from rules.core.text import _ as term
from rules.hexbattle.field import by_name
from rules.thucidide_fantasy.arsenal import TEMPERS, TRAITS
from rules.thucidide_fantasy.battle.overrides import (
    COUNTERS_MOST,
    FLAGS,
    GIVE,
    LIMITS_OF_ROLES,
    OF_FIGURES,
    STANDS_MOST,
    running_on,
    side_or_piece,
)
from rules.thucidide_fantasy.battle.record.state import DEPLOYMENT, LIST, FantasyState, Person, Unit
from rules.thucidide_fantasy.battle.setup import OPTIONS, own_units
from rules.thucidide_fantasy.house import HOUSE_RULES
from rules.thucidide_fantasy.spec import GENERAL
from rules.thucidide_fantasy.starter import LEVELS, RANKS

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

FIGURES: Mapping[str, Said] = {
    "weight": term("Weight"), "move": term("Move when fighting"), "calm": term("Move without fighting"),
    "assault": term("Assault factor"), "melee": term("Melee factor"), "shot": term("Shot factor"),
    "range": term("Range"), "dice": term("Dice of experience"), "temper": term("Temper"),
}  # fmt: skip
OF_UNITS: Mapping[str, Said] = {"stands": term("Number of stands"), **FIGURES}
OF_PEOPLE: Mapping[str, Said] = {
    "rank": term("Rank"), "level": term("Command level"), "points": term("Spell points"),
    "resistance": term("Resistance"), **{name: FIGURES[name] for name in ("weight", "move", "calm", "melee", "shot",
    "range")},
}  # fmt: skip
STATES: Mapping[str, Said] = {
    "at": term("Hex it stands on"), "activated": term("Is activated"), "done": term("Has moved"),
    "fought": term("Has fought"),
}  # fmt: skip
UNIT_STATES: Mapping[str, Said] = {"stands": term("Stands left"), **STATES, **FIGURES}
PERSON_STATES: Mapping[str, Said] = {
    "left": term("Resistance left"), **STATES, "announced": term("Announced a spell"),
    **OF_PEOPLE, "points": term("Spell points left"),
}  # fmt: skip
SIDE_STATES: Mapping[str, Said] = {"counters": term("Counters")}
SIDES = ("0", "1")


class GMDesk:
    """Data for drawing the GM's tools."""

    options = tuple((name, HOUSE_RULES.rules[name].name) for name in OPTIONS)
    unit_figures, person_figures = tuple(OF_UNITS.items()), tuple(OF_PEOPLE.items())
    unit_states = tuple(UNIT_STATES.items())
    person_states = tuple(PERSON_STATES.items())
    side_states = tuple(SIDE_STATES.items())

    def __init__(self, state: FantasyState):
        self.state = state

    @property
    def units(self) -> list[HandTarget]:
        return [HandTarget(*one) for one in pieces_of(self.state) if one[0] in self.state.units]

    @property
    def people(self) -> list[HandTarget]:
        return [HandTarget(*one) for one in pieces_of(self.state) if one[0] in self.state.people]

    @property
    def sides(self) -> list[HandTarget]:
        return [HandTarget(str(number), name) for number, name in enumerate(self.state.opening.sides)]

    @property
    def pieces(self) -> list[HandGroup]:
        groups = HandGroup(term("Units"), self.units), HandGroup(term("Characters"), self.people)
        return [group for group in groups if group.targets]

    @property
    def by_hand(self) -> list[HandGroup]:
        """The possible targets of overrides, by kind."""
        state = self.state
        hexes = sorted({what for timer in state.field.timers for what in timer.on if what in state.field.ground})
        groups = (
            HandGroup(term("Fallen units"), [HandTarget(*one) for one in list_fallen(state)]),
            HandGroup(term("Sides"), [side for side in self.sides if running_on(state, side_or_piece(side.id))]),
            HandGroup(term("Hexes with an effect"), [HandTarget(at, at) for at in hexes]),
        )
        return [*self.pieces, *(group for group in groups if group.targets)]


def pieces_of(state: FantasyState) -> list[tuple[str, str]]:
    """All units and characters still in the battle, with their army."""
    left = by_name(token for token in state.field.tokens.values() if not token.gone)
    return [(token.id, f"{render(token.name)} ({state.field.army_names[token.army]})") for token in left]


def types_in(page: BattlePage) -> list[tuple[str, str]]:
    """The types of troops in the battle, sorted by name."""
    law: Any = get_law(page.battle).battle
    troops = law.tables.troops
    types = {unit.own.type for unit in page.state.units.values()}
    return sorted(((slug, render(troops[slug].name)) for slug in types if slug in troops), key=lambda one: one[1])


def people_of(state: FantasyState) -> list[tuple[str, str]]:
    return [(one, name) for one, name in pieces_of(state) if one in state.people]


def value_field(state: FantasyState, piece: str, name: str, *, in_play: bool = False) -> forms.Field:
    """The field of a figure or state with its current value. In play, points are those left, ranks the current ones."""
    one: Unit | Person = state.units[piece] if piece in state.units else state.people[piece]
    states = PERSON_STATES if in_play else OF_PEOPLE
    label = render({**UNIT_STATES, **PERSON_STATES, **states}[name])
    if name == "at":
        return forms.CharField(label=label, max_length=LONGEST_HEX, initial=state.at(piece))
    if name in FLAGS:
        return yes_no_field(label, getattr(one.doing, name))
    if name == "temper":
        choices = [("", _("no temper")), *((slug, render(TRAITS[slug].name)) for slug in TEMPERS)]
        return forms.ChoiceField(label=label, choices=choices, required=False, initial=getattr(one.own, name, ""))
    if name == "points" and in_play:
        return whole_field(label, LIMITS_OF_ROLES[name], state.people[piece].points)
    if name in ("stands", "left"):
        return whole_field(label, (0, one.start), getattr(one, name))
    if name == "rank":
        ranks = [("", _("doesn’t lead troops")), *((slug, render(rank.name)) for slug, rank in RANKS.items())]
        return forms.ChoiceField(label=label, choices=ranks, required=False, initial=getattr(one.own, name))
    if name == "level":
        levels = [(slug, render(level.name)) for slug, level in LEVELS.items()]
        return forms.ChoiceField(label=label, choices=levels, initial=getattr(one.own, name))
    if name in LIMITS_OF_ROLES:
        return whole_field(label, LIMITS_OF_ROLES[name], getattr(one.own, name))
    return whole_field(label, OF_FIGURES[name], getattr(one.own, name))


# Before the battle


class FantasyOptionStep(OptionStep):
    rules, names = HOUSE_RULES, OPTIONS


class PieceFigureStep(StepForm):
    """Figures of a unit or character before the battle."""

    kind = "edit_unit"
    title = term("Values of a unit")
    sign, submit = "gm", _("Apply")

    def __init__(self, page: BattlePage, data: QueryDict | None = None):
        super().__init__(page.battle.version, data)
        self.state: FantasyState = page.state
        known = dict(pieces_of(self.state))
        asked = data if data is not None else {"unit": page.look.army, "field": page.look.what}
        self.unit = str(asked.get("unit")) if asked.get("unit") in known else next(iter(known))
        names = OF_UNITS if self.unit in self.state.units else OF_PEOPLE
        self.what = str(asked.get("field")) if asked.get("field") in names else next(iter(names))
        self.about, self.what_is_set = known[self.unit], names[self.what]
        self.hidden = (("unit", self.unit), ("field", self.what))
        if self.what == "stands":
            own = self.state.units[self.unit]
            self.fields["value"] = whole_field(render(names["stands"]), (1, STANDS_MOST), own.start)
        else:
            self.fields["value"] = value_field(self.state, self.unit, self.what)

    def members(self) -> dict[str, Any]:
        return {"unit": self.unit, "fields": {self.what: self.cleaned_data["value"]}}

    def refused(self, refusal: Refusal) -> None:
        self.add_error("value", render(refusal.message))


class GrantStep(StepForm):
    """Give a trait to a unit or character (a god's gift or a magic object), or take it away."""

    kind = "grant"
    title = term("Traits")
    sign, submit = "gm", _("Apply")
    what_is_set = term("Give or take away a trait")

    def __init__(self, page: BattlePage, data: QueryDict | None = None):
        super().__init__(page.battle.version, data)
        known = dict(pieces_of(page.state))
        asked = data.get("unit") if data is not None else page.look.army
        self.unit = str(asked) if asked in known else next(iter(known))
        self.about, self.hidden = known[self.unit], (("unit", self.unit),)
        groups = list_choices(list_trait_deeds(page.state, self.unit))
        self.fields["deed"] = forms.ChoiceField(label=_("What to do"), choices=groups)
        self.fields["likes"] = forms.MultipleChoiceField(
            label=_("Affinities"), choices=types_in(page), required=False, widget=forms.CheckboxSelectMultiple,
            help_text=_("Only for a hindrance you give: troops it doesn’t affect."),
        )  # fmt: skip
        self.fields["object"] = forms.CharField(label=_("Object that gives it"), max_length=60, required=False)

    def members(self) -> dict[str, Any]:
        data = self.cleaned_data
        _kind, _colon, deed = data["deed"].partition(":")
        on = deed.startswith(GIVE)
        given = {"likes": data["likes"], "object": data["object"]} if on else {}
        return {"unit": self.unit, "trait": deed[len(GIVE) :], "on": on, **given}

    def refused(self, refusal: Refusal) -> None:
        for pointer, message in refusal.errors:
            name = pointer.strip("/").split("/")[0]
            places = {"trait": "deed", "likes": "likes", "object": "object"}
            self.add_error(places.get(name), render(message))


class SideForm(CommandForm):
    """Base form for a setting of a side. `switch`: the label of a yes/no setting, if the form has no other field."""

    switch: StrOrPromise = ""

    def __init__(self, page: BattlePage, data: QueryDict | None = None):
        super().__init__(page.battle.version, data)
        choices = [(side.index, side.name) for side in page.sides]
        self.fields["side"] = forms.TypedChoiceField(label=_("Side"), choices=choices, coerce=int)
        if self.switch:
            self.fields["on"] = yes_no_field(self.switch, True)


class ConsentForm(SideForm):
    """Whether a side allows its enemy's appeals to a god."""

    kind, switch = "consent", _("Allows the enemy’s appeals to a god")


class RevealForm(SideForm):
    """Form of a dream: the part of the enemy that a side sees until the battle begins."""

    kind = "reveal"

    def __init__(self, page: BattlePage, data: QueryDict | None = None):
        super().__init__(page, data)
        dreams = [(LIST, _("The spells of the enemy’s casters")), (DEPLOYMENT, _("The enemy’s setup"))]
        self.fields["what"] = forms.ChoiceField(label=_("Dream"), choices=dreams)
        self.fields["on"] = yes_no_field(_("The side sees this dream"), True)


class SealForm(SideForm):
    """A fog that hides where a side is set up until the battle begins."""

    kind, switch = "seal", _("Hidden by fog until the battle begins")


class VictoryForm(SideForm):
    """The number of enemy units a side has to destroy."""

    kind = "victory"

    def __init__(self, page: BattlePage, data: QueryDict | None = None):
        super().__init__(page, data)
        most = max(len(own_units(page.state, side)) for side in (0, 1))
        self.fields["number"] = whole_field(_("Enemy units to destroy"), (1, most), None)


class GeneralForm(CommandForm):
    """The army whose commander is its side's general."""

    kind = "name_general"

    def __init__(self, page: BattlePage, data: QueryDict | None = None):
        super().__init__(page.battle.version, data)
        state: FantasyState = page.state
        generals = [(state.token(one).army, name) for one, name in people_of(state)
                    if state.people[one].own.rank == GENERAL]  # fmt: skip
        self.fields["army"] = forms.ChoiceField(label=_("General"), choices=generals)


# In the battle


class DivineForm(CommandForm):
    """An appeal to a god that the scenario provides for."""

    kind = "divine"

    def __init__(self, page: BattlePage, data: QueryDict | None = None):
        super().__init__(page.battle.version, data)
        standing = [(one, name) for one, name in people_of(page.state) if page.state.standing(one)]
        self.fields["character"] = forms.ChoiceField(label=_("Character who appeals"), choices=standing)


class PieceOverrideForm(HandForm):
    """Override of one state of a unit, character or side, with the GM's reason."""

    def __init__(self, page: BattlePage, data: QueryDict | None = None):
        super().__init__(page.battle.version, data)
        self.state: FantasyState = page.state
        asked = data if data is not None else {"on": page.look.army, "field": page.look.what}
        known = dict(pieces_of(self.state))
        self.on = str(asked.get("on", ""))
        if self.on not in SIDES and self.on not in known:
            self.on = next(iter(known))
        names = self._names()
        self.what = str(asked.get("field")) if asked.get("field") in names else next(iter(names))
        self.about = known[self.on] if self.on in known else self.state.opening.sides[int(self.on)]
        self.what_is_set = names[self.what]
        self.hidden = (("on", self.on), ("field", self.what))
        self.fields["value"] = self._value()
        self.fields["reason"] = build_line_field(_("Reason"), help_text=_("The log keeps the reason."))

    def _names(self) -> Mapping[str, Said]:
        if self.on in SIDES:
            return SIDE_STATES
        return UNIT_STATES if self.on in self.state.units else PERSON_STATES

    def _value(self) -> forms.Field:
        if self.on in SIDES:
            return whole_field(render(self.what_is_set), (0, COUNTERS_MOST), self.state.counters[int(self.on)])
        return value_field(self.state, self.on, self.what, in_play=True)

    def members(self) -> dict[str, Any]:
        value = self.cleaned_data["value"]
        if self.what == "at":
            value = str(value).upper()
        return {
            "what": self.on, "field": self.what, "value": value,
            "reason": self.cleaned_data["reason"],
        }  # fmt: skip

    def refused(self, refusal: Refusal) -> None:
        for pointer, message in refusal.errors:
            name = pointer.strip("/")
            self.add_error(name if name in self.fields else None, render(message))


KNOWN: dict[str, Any] = {
    FantasyOptionStep.kind: FantasyOptionStep, PieceFigureStep.kind: PieceFigureStep, GrantStep.kind: GrantStep,
    ConsentForm.kind: ConsentForm, RevealForm.kind: RevealForm, SealForm.kind: SealForm,
    VictoryForm.kind: VictoryForm, GeneralForm.kind: GeneralForm,
    DivineForm.kind: DivineForm, "override": PieceOverrideForm,
    FantasyHandForm.kind: FantasyHandForm, "end": EndForm,
}  # fmt: skip


def fresh_forms(page: BattlePage) -> dict[str, CommandForm]:
    return fresh(KNOWN, page)


def sent_form(page: BattlePage, kind: str, data: QueryDict) -> CommandForm | None:
    found: CommandForm | None = KNOWN[kind](page, data) if kind in KNOWN else None
    return found
