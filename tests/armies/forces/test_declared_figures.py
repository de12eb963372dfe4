"""A figure of an army is declared once: everything that tells it or takes it agrees with the declaration."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Annotated

import pytest
from django.http import QueryDict
from rest_framework import serializers

from armies.default.api import SheetArmyChange, SheetArmyInput, SheetArmySerializer
from armies.forces.declared_figures import (
    CorrectionForm,
    RaiseForm,
    columns_added,
    copy_raised,
    demand_figures,
    figures_on_paper,
    list_shown,
    set_raised,
    set_right,
    with_answers,
    with_sent,
)
from armies.forces.tracked_fields import ARMY_WORDS
from armies.models import Army
from armies.pathfinder.api.inputs import ArmyChange, ArmyInput
from armies.pathfinder.api.serializers import ArmySerializer
from armies.pathfinder.forces.archive_tables import CARRIED
from armies.pathfinder.forces.table_rows import PathfinderCells
from armies.pathfinder.forces.tracked_fields import ARMY_WORDS as MASS_COMBAT_WORDS
from armies.pathfinder.models import PathfinderArmy
from armies.pathfinder.models.army import STORED
from armies.tables.army_rows import PlainCells, StateCells
from kingdom.chronicle import changes
from rules.army_law import (
    ADDED_LATER,
    ARMY_FIGURES,
    AT_RAISING,
    CORRECTABLE,
    DERIVED,
    GM_ONLY,
    IN_ANSWERS,
    ON_SHEET,
    column_of,
    list_figures,
    names_of,
)
from rules.core.errors import InvalidInput
from rules.core.shapes import Label, WholeNumber, shape_of
from rules.core.text import _
from rules.pathfinder.spec import MASS_COMBAT_FIGURES, MassCombatFigures

UNDECLARED = {
    "id": "names the row",
    "campaign": "whose it is",
    "kingdom": "whose it is",
    "origin": "what a battle created it from: written once, told by the battle",
    "army_ptr": "the row in the table of every army",
}
SHAPES = pytest.mark.parametrize(
    ("kind", "shape"), [(Army, ARMY_FIGURES), (PathfinderArmy, MASS_COMBAT_FIGURES)], ids=["army", "mass combat"]
)


@SHAPES
def test_every_column_is_declared_or_left_out_for_a_reason(kind, shape):
    declared = {column_of(one) for one in shape.fields}
    assert {column.name for column in kind._meta.concrete_fields} - declared == (
        UNDECLARED.keys() & {column.name for column in kind._meta.concrete_fields}
    )


@SHAPES
def test_what_is_declared_is_an_attribute_of_the_army(kind, shape):
    assert [one.name for one in shape.fields if not hasattr(kind, one.name)] == (
        ["repertoire"] if kind is PathfinderArmy else []  # rows beside it, read by `armies.pathfinder.forces`
    )


@SHAPES
def test_a_column_begins_as_its_declaration_does(kind, shape):
    row = kind()
    begun = {one.name: getattr(row, one.name) for one in list_figures(shape, CORRECTABLE) if not one.needed}
    assert begun == {name: one.default for name, one in shape.members.items() if name in begun}


@pytest.mark.parametrize(
    ("shape", "change", "new", "told", "words", "cells"),
    [
        (ARMY_FIGURES, SheetArmyChange, SheetArmyInput, SheetArmySerializer, ARMY_WORDS, PlainCells),
        (MASS_COMBAT_FIGURES, ArmyChange, ArmyInput, ArmySerializer, MASS_COMBAT_WORDS, PathfinderCells),
    ],
    ids=["army", "mass combat"],
)
def test_api_tables_and_chronicle_agree_with_the_declaration(shape, change, new, told, words, cells):
    assert {"name", "commander", "sheet", "unit", "count", "mount", *names_of(shape, CORRECTABLE)} >= {*change().fields}
    assert change().fields.keys() >= {*names_of(shape, CORRECTABLE)}
    assert new().fields.keys() >= {*names_of(shape, AT_RAISING)}
    assert told().fields.keys() >= {*names_of(shape, IN_ANSWERS)}
    assert list(words) == list(names_of(shape, without=DERIVED))
    assert set(cells.state.figures) == {*names_of(shape, CORRECTABLE)}


def test_what_undo_writes_is_stored_where_the_declaration_says():
    assert {name for name in STORED if not hasattr(PathfinderArmy, name)} == set()
    kind = changes.get_kind("army", SimpleNamespace(ruleset="combat-de-masse"))  # type: ignore[arg-type]
    assert kind.stored == {one.name: column_of(one) for one in MASS_COMBAT_FIGURES.fields if column_of(one) != one.name}
    assert kind.words.keys() == {*names_of(MASS_COMBAT_FIGURES, without=DERIVED)}


# A figure more: declared, and nothing else written.


@dataclass(frozen=True, kw_only=True, slots=True)
class WithBanners(MassCombatFigures):
    acr: Annotated[
        int, WholeNumber(0, 9), Label(_("ACR")), AT_RAISING, CORRECTABLE, IN_ANSWERS, ON_SHEET, ADDED_LATER
    ] = 2  # fmt: skip


BANNERS = shape_of(WithBanners)
ELSE = names_of(MASS_COMBAT_FIGURES, AT_RAISING, without=GM_ONLY)
"""What players say of a new army already."""


def test_a_declared_figure_is_asked_at_raising_and_set_right():
    army = PathfinderArmy(hp=5, hp_max=9)
    set_raised(None, army, BANNERS, {"acr": 7, "revealed": False})  # type: ignore[arg-type]
    assert army.acr == 7
    with pytest.raises(InvalidInput) as refused:
        set_raised(None, army, BANNERS, {"acr": 10})  # type: ignore[arg-type]
    assert (str(refused.value.message), refused.value.field) == ("Use a whole number from 0 to 9.", "/acr")
    set_right(army, BANNERS, {"acr": 8, "hp": 9})
    assert (army.acr, army.hp) == (8, 9)
    assert copy_raised(army, BANNERS) == {**copy_raised(army, MASS_COMBAT_FIGURES), "acr": 8}
    with pytest.raises(InvalidInput, match="from 0 to 9"):
        set_right(army, BANNERS, {"hp": 10})  # as many as it has at most
    with pytest.raises(TypeError):
        set_right(army, BANNERS, {"owed": 0})  # nobody's to say
    army.acr = 11
    with pytest.raises(InvalidInput):
        demand_figures(army, BANNERS)


def test_a_declared_figure_stands_in_forms_bodies_answers_and_tables():
    form = RaiseForm(QueryDict("acr=3"))
    form.ask_figures(BANNERS, gm=False)
    assert {*form.figures} == {*ELSE, "acr"}
    assert form.is_valid()
    assert form.cleaned_data["acr"] == 3
    army = PathfinderArmy(hp=5, hp_max=9, acr=8)
    assert CorrectionForm(army=army, shape=BANNERS).initial["acr"] == 8

    @with_sent(BANNERS, AT_RAISING)
    class Sent(serializers.Serializer):
        pass

    @with_answers(BANNERS, IN_ANSWERS, order=("acr", "hp"))
    class Told(serializers.Serializer):
        pass

    assert {*Sent().fields} == {*ELSE, "revealed", "acr"}
    assert list(Told().fields)[:2] == ["acr", "hp"]
    cells = StateCells(BANNERS)
    assert cells.cells(army)["acr"] == 8
    assert cells.read({"acr": "4", "ill": "yes", "hp": ""}) == {"acr": 4, "ill": True}
    assert cells.read_raised({"acr": 4, "ill": True, "revealed": True}) == {"acr": 4}
    assert ("ACR", "8") in [(str(label), str(value)) for label, value in list_shown(army, BANNERS)]
    assert ("ACR", 8) in [(str(one.label), one.value) for one in figures_on_paper(army, BANNERS)]


def test_an_older_document_lacks_what_was_declared_later():
    (table,) = (one for one in CARRIED if one.model is PathfinderArmy)
    assert table.added == columns_added(MASS_COMBAT_FIGURES, PathfinderArmy)
    assert columns_added(BANNERS, PathfinderArmy) == {**table.added, "acr": 2}
    assert "acr" not in columns_added(BANNERS, Army)  # a column of the law's own table


def test_only_the_gm_reveals_at_raising(table):
    for who, revealed in ((table.gm, True), (table.ana, False)):
        army = PathfinderArmy(campaign=table.campaign)
        set_raised(who, army, MASS_COMBAT_FIGURES, {"revealed": True})
        assert army.revealed is revealed
    assert names_of(MASS_COMBAT_FIGURES, GM_ONLY) == ("revealed",)
