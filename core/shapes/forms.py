"""Form fields of declared shapes, and conversion between fields and documents.

A field is named by its JSON pointer: `/units/0/weapons/1/damage` is `units-0-weapons-1-damage`. Fields check nothing:
text that is no number stays text, and the shape refuses it beside its field. Empty fields are not in the document.
Where a value is a slug or an own object, a select chooses; in the row of a list that field is named `slug`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from core.clean_input import read_typed_whole
from core.forms.form_fields import said
from core.text import render
from rules.core.errors import Refusal
from rules.core.shapes import DeclaredShape, ShapeField
from rules.core.shapes.objects import UnionKind
from rules.core.shapes.value_kinds import (
    AnyKind,
    ChoiceKind,
    FieldKind,
    FlagKind,
    ListKind,
    SpelledKind,
    TextKind,
    WholeKind,
)
from rules.core.text import NO_WORDS

type FormChoices = list[tuple[Any, Any]]
type CatalogueChoices = Mapping[str, FormChoices]
"""Choices of selects, by catalogue."""
type JsonDocument = dict[str, Any]
type AskedName = tuple[str, Callable[[], forms.Field]]
"""Name of a field, and the function that builds it."""

OWN = "own"  # choice of an own object, whose members are typed
LIST_TEXT_MOST = 80
NUMBER_MOST_CHARACTERS = 12
ANSWERS = {"yes": True, "no": False}


def whole_field(label: Any, help_text: Any = "", minus: bool = False) -> forms.CharField:
    """Field for a whole number. `minus`: it may be negative, so a phone shows the full keyboard."""
    keys = {"autocomplete": "off", "spellcheck": "false", "maxlength": str(NUMBER_MOST_CHARACTERS)}
    widget = forms.TextInput(attrs=keys if minus else {**keys, "inputmode": "numeric"})
    return forms.CharField(label=label, required=False, widget=widget, help_text=help_text)


def text_field(label: Any, help_text: Any, most: int) -> forms.CharField:
    widget = forms.TextInput(attrs={"maxlength": str(most)})
    return forms.CharField(label=label, required=False, widget=widget, help_text=help_text)


def choice_field(label: Any, choices: FormChoices, help_text: Any = "") -> forms.CharField:
    return forms.CharField(label=label, required=False, widget=forms.Select(choices=choices), help_text=help_text)


def hidden_field() -> forms.CharField:
    return forms.CharField(required=False, widget=forms.HiddenInput, strip=False)


class ShapeForm:
    """Form fields of one shape. `offers` are the choices of its selects. `empty_rows` is the number of empty rows at
    the end of each list, with all fields of a listed item; without it there is one with only the slug.
    """

    def __init__(self, shape: DeclaredShape, offers: CatalogueChoices | None = None, *, empty_rows: int = 0):
        self.shape, self.offers, self.empty_rows = shape, offers or {}, empty_rows

    # Fields.

    def fields(self, at: str, data: Mapping[str, Any]) -> Iterator[tuple[str, forms.Field]]:
        """Yield the fields with their names, which begin with `at`. Lists have a row for each entry of `data`, and an
        empty one.
        """
        return ((name, build()) for name, build in self._asked(at, data))

    def count(self, data: Mapping[str, Any]) -> int:
        """Return the number of fields without building them."""
        return sum(1 for _asked in self._asked("", data))

    def _asked(self, at: str, data: Mapping[str, Any]) -> Iterator[AskedName]:
        for one in self.shape.members.values():
            if not one.carried:
                yield from self._asked_of(one, f"{at}{one.key}", data.get(one.key))

    def _asked_of(self, one: ShapeField, name: str, value: Any) -> Iterator[AskedName]:
        match one.kind:
            case UnionKind() as union:
                yield name, lambda: choice_field(said(one.label), self._of_union(union, one), said(one.named.help))
                if isinstance(value, Mapping) and union.own:
                    yield from self._inner(union.own)._asked(f"{name}-", value)
            case DeclaredShape() as shape:
                yield from self._inner(shape)._asked(f"{name}-", value if isinstance(value, Mapping) else {})
            case ListKind(item=UnionKind() | ChoiceKind() as item):
                empty: list[Any] = [""] * self.empty_rows or [None]
                rows = (*_list(value), *empty)[: one.kind.most]
                for place, row in enumerate(rows):
                    yield from self._row(one, item, f"{name}-{place}-", row)
            case ListKind(item=DeclaredShape()):
                pass  # entries have forms of their own
            case _:
                yield name, lambda: self._begun(one)

    def _row(self, one: ShapeField, item: FieldKind, at: str, row: Any) -> Iterator[AskedName]:
        yield f"{at}slug", lambda: self._row_field(one, item, fresh=row is None)
        if row is not None and isinstance(item, UnionKind):
            said_of_it: Mapping[str, Any] = row if isinstance(row, Mapping) else {}
            own = isinstance(row, Mapping) and item.shape_of(row) is item.own
            for member in self.members_of_row(item, own=own):
                yield from self._asked_of(member, at + member.key, said_of_it.get(member.key))

    def _row_field(self, one: ShapeField, item: FieldKind, *, fresh: bool) -> forms.Field:
        label = one.named.another if fresh else one.named.one
        choices = self._of_union(item, one) if isinstance(item, UnionKind) else self._choices(item, one, empty=True)
        return choice_field(said(label or one.label), choices)

    def members_of_row(self, item: UnionKind, own: bool) -> Sequence[ShapeField]:
        """Return the fields of a row beside its slug: those of a listed item, then those of an own object."""
        listed = item.listed.members if item.listed else {}
        found = {key: one for key, one in listed.items() if not item.listed or one is not item.listed.first}
        more = item.own.members if own and item.own else {}
        return [*found.values(), *(one for key, one in more.items() if key not in found)]

    def _begun(self, one: ShapeField) -> forms.Field:
        """Build a field. A choice, and a value that is always written, starts with its default."""
        field = self._field(one)
        if one.kept or isinstance(one.kind, ChoiceKind):
            field.initial = one.usual
        return field

    def _field(self, one: ShapeField) -> forms.Field:
        label, about = said(one.label), said(one.named.help)
        match one.kind:
            case WholeKind():
                return whole_field(label, about, minus=one.kind.lowest < 0)
            case FlagKind() if not one.nullable:
                return forms.BooleanField(label=label, required=False, help_text=about)
            case FlagKind():
                words: Mapping[str, Any] = one.named.options or {"": NO_WORDS, "yes": _("yes"), "no": _("no")}
                return choice_field(label, [(slug, said(word)) for slug, word in words.items()], about)
            case ChoiceKind():
                return choice_field(label, self._choices(one.kind, one, empty=self._may_be_empty(one)), about)
            case TextKind() | SpelledKind():
                return text_field(label, about, one.kind.most)
            case ListKind():
                return text_field(label, about, LIST_TEXT_MOST)
        return text_field(label, about, 120)

    def _may_be_empty(self, one: ShapeField) -> bool:
        """Whether the empty choice is offered. It is not if the field is required or has a default choice."""
        return not one.needed and not one.usual

    def _choices(self, kind: FieldKind, one: ShapeField, *, empty: bool) -> FormChoices:
        assert isinstance(kind, ChoiceKind)
        words = one.named.options
        if words:
            return [(slug, said(word)) for slug, word in words.items()]
        found = self.offers.get(kind.among) if isinstance(kind.among, str) else None
        if found is None:
            known = kind.among
            told = known.items() if isinstance(known, Mapping) else ((slug, slug) for slug in known)
            found = [(slug, said(getattr(word, "name", word))) for slug, word in told]
        return [("", "–"), *found] if empty and words is None else list(found)

    def _of_union(self, union: UnionKind, one: ShapeField) -> FormChoices:
        listed = self._choices(union.choice, one, empty=False) if union.choice else []
        own = [(OWN, _("custom…"))] if union.own else []
        return [("", "–"), *listed, *own]

    def _inner(self, shape: DeclaredShape) -> ShapeForm:
        return ShapeForm(shape, self.offers)

    # Document to fields.

    def flat(self, at: str, data: Mapping[str, Any]) -> JsonDocument:
        """Return the values of the fields that show this document."""
        shown: JsonDocument = {}
        for one in self.shape.members.values():
            if not one.carried and data.get(one.key) is not None:
                shown |= self._flat_of(one.kind, f"{at}{one.key}", data[one.key], one.nullable)
        return shown

    def _flat_of(self, kind: FieldKind, name: str, value: Any, nullable: bool = False) -> JsonDocument:
        match kind:
            case UnionKind() if isinstance(value, Mapping) and kind.own:
                return {name: OWN, **self._inner(kind.own).flat(f"{name}-", value)}
            case DeclaredShape() if isinstance(value, Mapping):
                return self._inner(kind).flat(f"{name}-", value)
            case ListKind(item=UnionKind() | ChoiceKind() as item):
                rows = enumerate(_list(value))
                return {key: told for place, row in rows for key, told in self._flat_row(item, f"{name}-{place}-", row)}
            case ListKind(item=DeclaredShape()):
                return {}
            case ListKind():
                return {name: ", ".join(map(str, _list(value)))}
            case FlagKind() if nullable:
                return {name: "yes" if value else "no"}
        return {name: value}

    def _flat_row(self, item: FieldKind, at: str, row: Any) -> Iterator[tuple[str, Any]]:
        if not isinstance(row, Mapping) or not isinstance(item, UnionKind):
            yield f"{at}slug", row
            return
        shape = item.shape_of(row)
        shown = self._inner(shape).flat(at, row)
        slug = shown.pop(f"{at}{shape.first.key}", "") if item.listed is shape else OWN
        yield from {**shown, f"{at}slug": slug}.items()

    # Fields to document.

    def posted(self, post: QueryDict, at: str) -> JsonDocument:
        """Return the document that was entered, without empty fields."""
        found = {one.key: self._posted_of(one, post, f"{at}{one.key}")
                 for one in self.shape.members.values() if not one.carried}  # fmt: skip
        return {key: value for key, value in found.items() if value is not None}

    def _posted_of(self, one: ShapeField, post: QueryDict, name: str) -> Any:
        text = post.get(name, "").strip()
        match one.kind:
            case WholeKind():
                return read_typed_whole(text)
            case FlagKind() if one.nullable:
                return ANSWERS.get(text)
            case FlagKind():
                return True if name in post else None
            case UnionKind() as union:
                own = union.own if text == OWN else None
                return self._inner(own).posted(post, f"{name}-") if own else text or None
            case DeclaredShape() as shape:
                return self._inner(shape).posted(post, f"{name}-") or None
            case ListKind(item=UnionKind() | ChoiceKind() as item):
                return list(self._posted_rows(item, post, name)) or None
            case ListKind(item=DeclaredShape()) | AnyKind():
                return None
            case ListKind(item=WholeKind()):
                return [read_typed_whole(part) for part in text.split(",") if part.strip()] or None
            case ListKind():
                return [part.strip() for part in text.split(",") if part.strip()] or None
        return text or None

    def _posted_rows(self, item: UnionKind | ChoiceKind, post: QueryDict, name: str) -> Iterator[Any]:
        """Yield each row as the shape reads it. Empty rows are skipped."""
        for place in places_of(post, name, "slug"):
            at = f"{name}-{place}-"
            slug = post.get(f"{at}slug", "")
            if slug == OWN and isinstance(item, UnionKind) and item.own:
                yield self._inner(item.own).posted(post, at)
            elif slug:
                yield self._listed(item.listed, slug, post, at) if isinstance(item, UnionKind) else slug

    def _listed(self, shape: DeclaredShape | None, slug: str, post: QueryDict, at: str) -> Any:
        """Return a slug, as an object if other members differ from their defaults."""
        if shape is None:
            return slug
        found = self._inner(shape).posted(post, at)
        first, rest = shape.first, [one for one in shape.members.values() if one is not shape.first]
        beside = {one.key: found[one.key] for one in rest if found.get(one.key, one.default) != one.default}
        return {first.key: slug, **beside} if beside else slug


def rows_in(form: forms.BaseForm, at: str) -> list[list[forms.BoundField]]:
    """Return the bound fields of each row of a list whose names begin with `at`."""
    rows: dict[str, list[forms.BoundField]] = {}
    for name in form.fields:
        if name.startswith(at):
            rows.setdefault(name.removeprefix(at).partition("-")[0], []).append(form[name])
    return list(rows.values())


def places_of(post: Mapping[str, Any], name: str, member: str = "") -> list[int]:
    """Return the indices of a list's sent entries, by this member or by any."""
    row = re.compile(rf"{re.escape(name)}-(\d{{1,3}})-{re.escape(member) if member else '.*'}")
    return sorted({int(found[1]) for sent in post if (found := row.fullmatch(sent))})


def find_field(form: forms.BaseForm, pointer: str) -> str | None:
    """Return the field that a pointer names, else that of its row, list, object or entry; None for
    the form as a whole.
    """
    parts = pointer.strip("/").split("/")
    for depth in range(len(parts), 0, -1):
        place = "-".join(parts[:depth])
        known = (place, f"{place}-slug", f"{place}-0-slug", f"{place}-name", f"{place}-kept")
        found = next((name for name in known if name in form.fields), None)
        if found:
            return found
    return None


def add_refusal(form: forms.BaseForm, refusal: Refusal, within: str = "") -> None:
    """Add every problem of a refusal to its field, else to its row, entry or the whole form. `within` is the pointer to
    the document within what was refused.
    """
    for pointer, message in refusal.errors:
        form.add_error(find_field(form, pointer.removeprefix(within)), render(message))


def _list(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else ()
