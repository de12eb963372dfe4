"""Override forms of hex laws: one thing the GM gives, takes, begins or ends in a battle, with a reason.

The first step chooses the target. The second lists only what is possible there; a law defines that in `list_deeds`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from battles.default.house_options import whole_field
from battles.field.gm_forms import HandForm, build_line_field
from battles.field.page import BattlePage
from core.text import render
from rules.core.errors import Refusal
from rules.core.text import Said, Term, say
from rules.core.text import _ as term
from rules.hexbattle.ending import EFFECT, TURNS_MOST

BEGIN, SET, END, GRAVE, NO_GRAVE = "begin", "set", "end", "grave", "no-grave"
"""Kinds of deeds on effects and graves. Other deeds are named by the field they set."""
WITH_TURNS = (BEGIN, SET)
LONGEST_HEX = 6
NOTHING = term("There is nothing to give, take away, begin or end here.")
NO_SUCH_THING = term("This isn’t in the battle. Enter a hex of the map, or choose from the list.")
NO_TURNS = _("Enter how many turns it lasts.")
NO_HEX = _("Enter the hex of the grave.")


class HandTarget(NamedTuple):
    """A possible target of an override."""

    id: str
    name: Said | str


class HandGroup(NamedTuple):
    """Targets of one kind, to choose from."""

    name: Said
    targets: Sequence[HandTarget]


class HandDeeds(NamedTuple):
    """Deeds of one kind, each with the value sent (`kind:value`) and its label."""

    name: Said
    deeds: Sequence[tuple[str, Said | str]]


def list_choices(groups: Iterable[HandDeeds]) -> list[tuple[str, list[tuple[str, str]]]]:
    """The deeds as grouped options of a select field."""
    return [
        (render(group.name), [(slug, render(told)) for slug, told in group.deeds]) for group in groups if group.deeds
    ]


def make_deeds(name: Said, words: Term, kind: str, values: Iterable[tuple[str, Said | str]]) -> HandDeeds:
    """One deed for each of these values. `words`: the label, with `{what}` for the value's name."""
    return HandDeeds(name, [(f"{kind}:{value}", say(words, what=told)) for value, told in values])


def make_effect_deeds(
    begin: Iterable[tuple[str, Said]], running: Iterable[tuple[str, Said]], endless: Iterable[tuple[str, Said]] = ()
) -> list[HandDeeds]:
    """The deeds on effects: to begin one, to set the turns left of one, or to end one.

    `endless`: effects that run until they are ended.
    """
    known = list(running)
    return [
        make_deeds(term("Begin an effect"), term("Begin: {what}"), BEGIN, begin),
        make_deeds(term("Set an effect’s remaining turns"), term("Turns left: {what}"), SET, known),
        make_deeds(term("End an effect"), term("End: {what}"), END, [*known, *endless]),
    ]


class ByHandForm(HandForm):
    """Overrides of one unit, character, hex or side."""

    kind, command_type = "by_hand", "override"
    title = term("By hand")

    def __init__(self, page: BattlePage, data: QueryDict | None = None):
        super().__init__(page.battle.version, data)
        self.state: Any = page.state
        asked = data.get("on", "") if data is not None else page.look.army
        self.on = self._find(str(asked))
        self.about = self.name_target(self.on) if self.on else str(asked)[:LONGEST_HEX]
        groups = [group for group in self.list_deeds(self.on) if group.deeds] if self.on else []
        self.hidden = (("on", self.on or self.about),)
        if groups:
            self._add_fields(groups)
        else:
            self.help = NOTHING if self.on else NO_SUCH_THING

    def _find(self, asked: str) -> str:
        """The target's id; a hex may be typed in lower case. "" if it isn't in the battle."""
        if self.is_target(asked):
            return asked
        return asked.upper() if self.is_target(asked.upper()) else ""

    def _add_fields(self, groups: Sequence[HandDeeds]) -> None:
        self.fields["deed"] = forms.ChoiceField(label=_("What to do"), choices=list_choices(groups))
        kinds = {slug.partition(":")[0] for group in groups for slug, _told in group.deeds}
        if kinds & set(WITH_TURNS):
            self.fields["turns"] = whole_field(_("Turns"), (1, TURNS_MOST), None)
            self.fields["turns"].required = False
            self.fields["turns"].help_text = _("Only if you begin an effect or set its turns.")
        if GRAVE in kinds:
            self.fields["hex"] = forms.CharField(
                label=pgettext_lazy("of a map", "Hex"), max_length=LONGEST_HEX, required=False
            )
            self.fields["hex"].help_text = _("Only if you place the grave.")
        self.fields["reason"] = build_line_field(_("Reason"), help_text=_("The log keeps the reason."))

    # For a law to define

    @abstractmethod
    def is_target(self, what: str) -> bool: ...

    @abstractmethod
    def name_target(self, what: str) -> str: ...

    @abstractmethod
    def list_deeds(self, what: str) -> Sequence[HandDeeds]:
        """The deeds possible on this target now, by kind."""

    # The command

    @property
    def _deed(self) -> tuple[str, str]:
        kind, _colon, value = str(self.cleaned_data.get("deed", "")).partition(":")
        return kind, value

    def clean(self) -> None:
        if not self.fields:
            self.add_error(None, render(self.help))
            return
        kind, _value = self._deed
        if kind in WITH_TURNS and "turns" not in self.errors and self.cleaned_data.get("turns") is None:
            self.add_error("turns", NO_TURNS)
        if kind == GRAVE and not self.cleaned_data.get("hex"):
            self.add_error("hex", NO_HEX)

    def members(self) -> dict[str, Any]:
        field, value = self._set()
        return {"what": self.on, "field": field, "value": value, "reason": self.cleaned_data["reason"]}

    def _set(self) -> tuple[str, str | int]:
        """The override field and its new value."""
        kind, value = self._deed
        if kind in (*WITH_TURNS, END):
            return EFFECT + value, 0 if kind == END else self.cleaned_data["turns"]
        if kind in (GRAVE, NO_GRAVE):
            return GRAVE, self.cleaned_data["hex"].upper() if kind == GRAVE else ""
        return kind, value

    def refused(self, refusal: Refusal) -> None:
        kind, _value = self._deed
        at_value = "turns" if kind in WITH_TURNS else "hex" if kind == GRAVE else "deed"
        places = {"/value": at_value, "/field": "deed", "/reason": "reason"}
        for pointer, message in refusal.errors:
            self.add_error(places.get(pointer), render(message))
