"""Hypothetical army outside of any campaign, for forecasts: its format in the API, and its form."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from armies.breaking_point.armies.builder_choices import list_starter_units, read_query
from armies.breaking_point.armies.forms import BuilderForm
from armies.breaking_point.ui import UI
from armies.documents.drafts import DocumentDraft, EntryDraft, drafted, redrawn
from battles.codec.requests import Members
from battles.workshop.forms import pasted_field
from battles.workshop.matchups import LONGEST, WRITTEN, as_written, read_written, with_written
from core.clean_input import NAME_MAX, read_typed_whole
from core.shapes.forms import find_field, whole_field
from core.text import render
from rules.army_law import ARMY_FIGURES, AT_RAISING, names_of
from rules.breaking_point.documents import COMMANDER_FIGURES, general_from, read_commander, unit_to_json
from rules.breaking_point.spec import General, Host, Json
from rules.core.errors import InvalidInput, Refusal, demand
from rules.core.text import _ as term

# Hypothetical army in the API's format, outside of any campaign, for forecasts.

AS_IN_THE_WORLD = ("kingdom", *names_of(ARMY_FIGURES, AT_RAISING), "status")
"""Members of stored armies without any effect here."""


def supposed(law: Any, data: object, at: str) -> Host:
    """Parse the body of POST armies/ without its kingdom, with `commander` (a body). Its name is its id. Raises
    `InvalidInput` with JSON pointers.
    """
    members = Members(data, at)
    name, units = members.text("name"), members.raw("units")
    leader = _leader(members.raw("commander"), name, members.pointer("commander"))
    for told in AS_IN_THE_WORLD:
        members.raw(told)
    members.done()
    try:
        return Host(name, name, "", law.armies.units_of({"units": units}), leader)
    except InvalidInput as refusal:
        raise refusal.below(at) from refusal


def _leader(data: object, army: str, at: str) -> General | None:
    if data is None:
        return None
    members = Members(data, at)
    name = members.text("name", "–")
    figures = {figure: members.raw(figure) for figure in COMMANDER_FIGURES if members.has(figure)}
    members.done()
    try:
        return general_from(f"{army}’s", name, read_commander(figures))
    except InvalidInput as refusal:
        raise refusal.below(at) from refusal


# Form of a hypothetical army: the unit builder, or pasted JSON of the API.

# Described armies: the API's JSON body of an army within an address.

EXAMPLE: Json = {
    "name": "A hundred swords",
    "units": [{"name": "Swords", "type": "infantry", "strength": 100, "combat": 5, "weapons": ["sword"], "armour": 3}],
}


def host_from_text(text: str, law: Any, army: str) -> Host:
    """Parse an army from JSON text; `army` is its id. Raises `InvalidInput`."""
    return read_host(read_written(text), law, army)


def read_host(data: object, law: Any, army: str) -> Host:
    """Parse an army from its body. Raises `InvalidInput` with JSON pointers."""
    return replace(supposed(law, data, ""), id=army)


def build_body(host: Host, law: Any) -> Json:
    """Return an army's body: its current units and commander."""
    told: Json = {"name": host.name, "units": [unit_to_json(unit, law.tables) for unit in host.units]}
    if host.commander is not None:
        told["commander"] = _leader_document(host.commander)
    return told


def _leader_document(leader: General) -> Json:
    return {"name": leader.name, **{figure: getattr(leader, figure) for figure in COMMANDER_FIGURES}}


TOO_LONG = term(
    "This army’s JSON is too long for a link (at most {most} characters). Raise the army in the campaign instead."
)


class WrittenHostForm(BuilderForm):
    """Form of a described army. It starts from `other`. Buttons add and remove units as where an army is raised."""

    led_by = forms.CharField(label=_("Commander"), required=False, max_length=NAME_MAX)
    pasted = pasted_field()

    def __init__(self, law: Any, other: Host, side: str, query: QueryDict, sent: QueryDict | None):
        self.law, self.side, self.query = law, side, query
        self.shape, self.army = law.armies.shape, None
        self.redrawn = sent is not None and UI.only_redrawn(sent)
        self.sought = read_query(sent or {})
        self.unread: Refusal | None = None
        draft = self._draft(other, sent)
        shown = self._stand(draft)
        bound = sent is not None and not self.redrawn
        forms.Form.__init__(self, shown if bound else None, initial=shown)
        for name in ("commander", "mark"):
            del self.fields[name]
        for figure, entry in COMMANDER_FIGURES.items():
            self.fields[figure] = whole_field(render(entry.name), minus=entry.least < 0)
        self.fields["name"].required = not (sent is not None and sent.get("pasted"))
        self._lay_out()
        if self.unread is not None:
            self.is_bound, self.data = True, shown
            self.full_clean()
            self.add_refusal(self.unread)
            self.redrawn = False

    def _draft(self, other: Host, sent: QueryDict | None) -> DocumentDraft:
        if sent is None:
            body = build_body(other, self.law)
            leader = body.get("commander", {})
            told = {name: value for name, value in leader.items() if name != "name"}
            head = {"name": body["name"], "led_by": leader.get("name", ""), **told}
            return DocumentDraft(head, {}, {"units": EntryDraft(body["units"])})
        head = {name: sent[name] for name in ("led_by", "pasted", *COMMANDER_FIGURES) if name in sent}
        draft = UI.picked(drafted(sent, self.shape), sent, self.law)
        try:
            draft = redrawn(UI, self.law, sent) if self.redrawn else draft
        except Refusal as refusal:
            self.unread = refusal
        return draft._replace(head={**draft.head, **head})

    # For the template.
    @property
    def leader(self) -> list[forms.BoundField]:
        return [self[name] for name in ("led_by", *COMMANDER_FIGURES)]

    @property
    def is_led(self) -> bool:
        return any(field.value() not in (None, "") or field.errors for field in self.leader)

    @property
    def starters(self) -> Any:
        return list_starter_units(self.law, self.sought)

    # Results.
    def clean(self) -> Any:
        if self.errors or self.redrawn or self.unread:
            return self.cleaned_data
        try:
            self.host = self._read()
            demand(len(as_written(build_body(self.host, self.law))) <= LONGEST, TOO_LONG, field="/name", most=LONGEST)
        except Refusal as refusal:
            self.add_refusal(refusal)
        return self.cleaned_data

    def _read(self) -> Host:
        if pasted := self.cleaned_data["pasted"]:
            return host_from_text(pasted, self.law, WRITTEN)
        told = {"name": self.cleaned_data["name"], **self.document(), "commander": self._leader()}
        return read_host(told, self.law, WRITTEN)

    def _leader(self) -> Json | None:
        told = {figure: read_typed_whole(self.cleaned_data[figure]) for figure in COMMANDER_FIGURES}
        figures = {figure: value for figure, value in told.items() if value is not None}
        name = self.cleaned_data["led_by"]
        return {"name": name or render(term("its commander")), **figures} if name or figures else None

    def add_refusal(self, refusal: Refusal) -> None:
        """Add the problems to their fields; for pasted JSON to that field."""
        pasted = self.is_bound and getattr(self, "cleaned_data", {}).get("pasted")
        for pointer, message in refusal.errors:
            at = "pasted" if pasted else find_field(self, pointer.removeprefix("/commander"))
            self.add_error(at, render(message))

    def address(self) -> str:
        """Return the workshop's query with this army on its side."""
        return with_written(self.query, self.side, build_body(self.host, self.law))
