"""Declared figures of armies (`rules.army_law`): form fields, serializer fields, validation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from rest_framework import serializers

from armies.models import Army
from core.forms.form_fields import list_choices, said
from kingdom.access.queries import is_gm
from kingdom.api.fields import NameField, WholeField
from kingdom.models import User
from rules.army_law import (
    ADDED_LATER,
    ARMY_FIGURES,
    AT_RAISING,
    CORRECTABLE,
    GM_ONLY,
    ON_SHEET,
    clean_figure,
    column_of,
    list_figures,
)
from rules.core.breakdown import PaperFigure
from rules.core.errors import InvalidInput, only_unlisted
from rules.core.shapes import DeclaredShape, ShapeField
from rules.core.shapes.objects import value_in_words
from rules.core.shapes.value_kinds import ChoiceKind, FlagKind, TextKind, WholeKind
from rules.core.text import Said

# Values of an army.


def read_figures(army: Army, shape: DeclaredShape) -> dict[str, Any]:
    """The army's whole-number figures by name, on which bounds of others may depend."""
    return {one.name: getattr(army, one.name) for one in shape.fields if isinstance(one.kind, WholeKind)}


@contextmanager
def allow_lost_items(army: Army) -> Iterator[None]:
    """Context for reading an army's document as an import does: a disbanded army may have what the arsenal has lost."""
    try:
        yield
    except InvalidInput as refusal:
        if army.status != Army.Status.DISBANDED or not only_unlisted(refusal):
            raise


def set_raised(by: User, army: Army, shape: DeclaredShape, given: Mapping[str, Any]) -> None:
    """Sets the figures of a new army. Figures only the GM may set keep their default for others.

    Raises `InvalidInput`, and `TypeError` for a name that is no figure of a new army.
    """
    known = {one.name: one for one in list_figures(shape, AT_RAISING)}
    if strange := given.keys() - known.keys():
        raise TypeError(f"no figures of a new army: {sorted(strange)}")
    for name, value in given.items():
        one = known[name]
        if value in (None, one.default) or (GM_ONLY in one.marks and not is_gm(by, army.campaign)):
            continue
        setattr(army, name, clean_figure(one, value, {}))


def set_right(army: Army, shape: DeclaredShape, state: Mapping[str, Any]) -> None:
    """Sets figures that the GM corrects. Raises `InvalidInput`, and `TypeError` for a name that is no such figure."""
    known = {one.name: one for one in list_figures(shape, CORRECTABLE)}
    if strange := state.keys() - known.keys():
        raise TypeError(f"no figures that are set right: {sorted(strange)}")
    figures = read_figures(army, shape)
    for name, value in state.items():
        setattr(army, name, clean_figure(known[name], value, figures))


def demand_figures(army: Army, shape: DeclaredShape) -> None:
    """Checks the figures set at raising against their bounds. Raises `InvalidInput`."""
    for one in list_figures(shape, AT_RAISING):
        clean_figure(one, getattr(army, one.name), {})


def copy_raised(army: Army, shape: DeclaredShape) -> dict[str, Any]:
    """Figures for raising a copy of this army: those that are not default."""
    figures = list_figures(shape, AT_RAISING, without=GM_ONLY)
    return {one.name: value for one in figures if (value := getattr(army, one.name)) != one.default}


def columns_added(shape: DeclaredShape, kind: type[Army]) -> dict[str, Any]:
    """Defaults of this table's columns that older archives lack."""
    own = {column.name for column in kind._meta.local_concrete_fields}
    added = {column_of(one): one.default for one in list_figures(shape, ADDED_LATER)}
    return {name: default for name, default in added.items() if name in own}


def list_shown(army: Army, shape: DeclaredShape) -> list[tuple[Said, Said]]:
    """Labels and values for the army's page."""
    return [(one.label, value_in_words(one, getattr(army, one.name))) for one in list_figures(shape, ON_SHEET)]


def figures_on_paper(army: Army, shape: DeclaredShape) -> tuple[PaperFigure, ...]:
    """Numbers among them, for print."""
    numbers = (one for one in list_figures(shape, ON_SHEET) if isinstance(one.kind, WholeKind))
    return tuple(PaperFigure(one.label, getattr(army, one.name) or 0, plain=True) for one in numbers)


# Forms.


def build_field(one: ShapeField, **options: Any) -> forms.Field:
    """Form field of a figure. It only checks that a number is one: the service checks bounds."""
    label = said(one.named.asked or one.label)
    match one.kind:
        case FlagKind():
            return forms.BooleanField(label=label, **{**options, "required": False})
        case ChoiceKind():
            return forms.ChoiceField(label=label, choices=list_choices(one.kind.slugs({})), **options)  # type: ignore[arg-type]
        case TextKind():
            return forms.CharField(label=label, max_length=one.kind.most, **options)
    return forms.IntegerField(label=label, **options)


class RaiseForm(forms.Form):
    """Mixin of a form that raises an army, with its figures."""

    figures: tuple[str, ...] = ()

    def ask_figures(self, shape: DeclaredShape, *, gm: bool) -> None:
        """Adds the fields, for the GM also those only a GM may set. A field left empty stands for the default."""
        asked = list_figures(shape, AT_RAISING, without=None if gm else GM_ONLY)
        self.fields |= {one.name: build_field(one, required=False, initial=one.default) for one in asked}
        self.figures = tuple(one.name for one in asked)

    @property
    def figure_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.figures]


class CorrectionForm(forms.Form):
    """Form of the figures that the GM may correct."""

    def __init__(self, data: QueryDict | None = None, *, army: Army, shape: DeclaredShape = ARMY_FIGURES):
        figures = list_figures(shape, CORRECTABLE)
        super().__init__(data, initial={one.name: getattr(army, one.name) for one in figures})
        values = read_figures(army, shape)
        for one in figures:
            self.fields[one.name] = build_field(one)
            if isinstance(one.kind, WholeKind) and callable(one.kind.most):
                most = {"most": one.kind.within(values).highest}
                self.fields[one.name].help_text = _("0 to %(most)s") % most


# Serializers.


def _answered(one: ShapeField) -> serializers.Field:
    options: dict[str, Any] = {"read_only": True}
    if one.nullable:
        options["allow_null"] = True
    if one.in_api.text:
        options["help_text"] = one.in_api.text
    return _of_kind(one, serializers.IntegerField, serializers.CharField, options)


def _sent(one: ShapeField) -> serializers.Field:
    options: dict[str, Any] = {"required": False}
    if one.nullable:
        options["allow_null"] = True
    return _of_kind(one, WholeField, NameField, options)


def _of_kind(one: ShapeField, whole: Any, text: Any, options: Mapping[str, Any]) -> serializers.Field:
    match one.kind:
        case FlagKind():
            return serializers.BooleanField(**options)
        case ChoiceKind():
            names: Any = one.kind.slugs({})
            return serializers.ChoiceField(choices=[(slug, said(name)) for slug, name in names.items()], **options)
        case WholeKind():
            found: serializers.Field = whole(**options)
            return found
    other: serializers.Field = text(**options)
    return other


type Serializers = type[serializers.Serializer]


def with_sent[S: Serializers](
    shape: DeclaredShape, *marks: object, without: Iterable[str] = (), before: str = ""
) -> Callable[[S], S]:
    """Class decorator: adds input fields of these figures, `before` the field of that name or at the end."""

    def extend(cls: S) -> S:
        own = cls._declared_fields
        figures = {one.name: _sent(one) for one in list_figures(shape, *marks) if one.name not in without}
        place = list(own).index(before) if before else len(own)
        pairs = list(own.items())
        cls._declared_fields = dict([*pairs[:place], *figures.items(), *pairs[place:]])
        return cls

    return extend


def with_answers[S: Serializers](shape: DeclaredShape, *marks: object, order: Sequence[str] = ()) -> Callable[[S], S]:
    """Class decorator: adds output fields of these figures. `order`: names of the first fields, in order."""

    def extend(cls: S) -> S:
        known = {**{one.name: _answered(one) for one in list_figures(shape, *marks)}, **cls._declared_fields}
        cls._declared_fields = {name: known[name] for name in dict.fromkeys((*order, *known))}
        return cls

    return extend
