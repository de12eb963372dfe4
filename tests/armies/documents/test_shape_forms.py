"""Each kind of field as a form and in a table: what stands in the document comes back from both."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import pytest
from django import forms
from django.http import QueryDict
from drf_spectacular.openapi import AutoSchema
from hypothesis import given
from hypothesis import strategies as st

from armies.documents.drafts import folded, rest_of, unfolded
from armies.documents.rows import cells_of, document_of
from core.clean_input import read_typed_whole
from core.shapes.forms import ShapeForm, find_field, places_of
from core.shapes.serializers import ApiShapes
from rules.core.errors import InvalidInput
from rules.core.shapes import OneOf, shape_of
from tests.rules.test_shapes import FOOT, KNOWN, Troop, troops

SHAPE = shape_of(Troop)
FORM = ShapeForm(SHAPE, {"weapons": [("sword", "Sword"), ("bow", "Bow")]})
WHOLE: dict[str, Any] = {
    **FOOT, "side": "right", "wounded": 3, "rate": "1/2", "guards": True, "places": ["C7", "A1"],
    "weapons": ["sword", {"slug": "bow", "number": 2}, {"name": "Rock", "damage": 4, "reach": "near"}],
}  # fmt: skip


def posted(at: str, data: dict[str, Any]) -> dict[str, Any]:
    """What a browser sends of the form, in the document."""
    form = type("Form", (forms.Form,), dict(FORM.fields(at, data)))(initial=FORM.flat(at, data))
    sent = QueryDict(mutable=True)
    for name in form.fields:
        value = form[name].value()
        if value not in (None, False):
            sent[name] = "on" if value is True else str(value)
    return FORM.posted(sent, at)


def test_each_kind_has_its_field():
    fields = dict(FORM.fields("troops-0-", WHOLE))
    assert [name.removeprefix("troops-0-") for name in fields] == [
        "name", "strength", "side", "wounded", "rate", "weapons-0-slug", "weapons-0-number", "weapons-1-slug",
        "weapons-1-number", "weapons-2-slug", "weapons-2-number", "weapons-2-name", "weapons-2-damage",
        "weapons-2-reach", "guards", "places",
    ]  # fmt: skip
    at = {name.removeprefix("troops-0-"): field for name, field in fields.items()}
    assert at["strength"].widget.attrs["inputmode"] == "numeric"
    assert at["name"].widget.attrs["maxlength"] == "20"
    assert isinstance(at["guards"], forms.BooleanField)
    assert at["side"].widget.choices == [("left", "left"), ("right", "right")]
    assert at["side"].initial == "left"
    assert [slug for slug, _name in at["weapons-0-slug"].widget.choices] == ["", "sword", "bow", "own"]
    assert str(at["strength"].label) == "Strength"


def test_a_list_has_room_for_one_more_until_it_is_full():
    assert "weapons-0-slug" in dict(FORM.fields("", {}))
    assert "weapons-1-slug" in dict(FORM.fields("", {"weapons": ["sword"]}))
    assert "weapons-3-slug" not in dict(FORM.fields("", {"weapons": ["sword"] * 3}))


class Charm(NamedTuple):
    slug: Annotated[str, OneOf("charms")]
    against: tuple[Annotated[str, OneOf("beasts")], ...] = ()


class Bearer(NamedTuple):
    charms: tuple[Annotated[str, OneOf("charms")] | Charm, ...] = ()


def test_a_list_that_is_said_of_a_listed_thing_has_all_its_rows():
    bears = {"charms": ["bell", {"slug": "ring", "against": ["wolf", "bear"]}]}
    form = ShapeForm(shape_of(Bearer), {"charms": [], "beasts": []})
    fields = dict(form.fields("", bears))
    assert [name for name in fields if "against" in name] == [
        "charms-0-against-0-slug", "charms-1-against-0-slug", "charms-1-against-1-slug", "charms-1-against-2-slug",
    ]  # fmt: skip
    sent = QueryDict(mutable=True)
    sent.update(form.flat("", bears))
    assert form.flat("", bears).keys() <= fields.keys()
    assert form.posted(sent, "") == bears


@given(troops)
def test_what_the_document_says_stands_in_the_form_and_comes_back(troop):
    data = SHAPE.write(troop)
    assert SHAPE.read_document(posted("troops-3-", data), "", KNOWN) == troop


@given(troops)
def test_what_the_document_says_leaves_as_a_row_and_comes_back(troop):
    cells = {name: str(value) for name, value in cells_of(SHAPE, SHAPE.write(troop)).items() if value is not None}
    assert SHAPE.read_document(document_of(SHAPE, cells), "", KNOWN) == troop


def test_a_cell_says_a_thing_with_its_members():
    cells = cells_of(SHAPE, WHOLE)
    assert cells["weapons"] == "sword; bow?number=2; ?name=Rock&damage=4&reach=near"
    assert (cells["guards"], cells["places"], cells["rate"]) == ("yes", "C7, A1", "1/2")
    with pytest.raises(InvalidInput) as refused:
        document_of(SHAPE, {"strength": "many"})
    assert refused.value.field == "/strength"


def test_a_pointer_finds_its_field_or_what_is_around_it():
    form = type("Form", (forms.Form,), dict(FORM.fields("troops-0-", WHOLE)))()
    assert find_field(form, "/troops/0/weapons/2/damage") == "troops-0-weapons-2-damage"
    assert find_field(form, "/troops/0/weapons/1") == "troops-0-weapons-1-slug"
    assert find_field(form, "/troops/0/weapons/0/strange") == "troops-0-weapons-0-slug"
    assert find_field(form, "/troops/0/strange") == "troops-0-name"
    assert find_field(form, "/motto") is None


def test_what_is_no_number_stays_for_the_law_to_refuse():
    texts = ("12", "−3", "+4", "", "many", "1e3")
    assert [read_typed_whole(text) for text in texts] == [12, -3, 4, None, "many", "1e3"]


@given(st.text(max_size=30))
def test_a_folded_entry_that_was_tampered_with_breaks_nothing(text):
    found = unfolded(text, SHAPE)
    assert isinstance(found, dict)
    dict(FORM.fields("", found))
    FORM.flat("", found)


@pytest.mark.parametrize("value", [3, [[]], {}, "x", None, [None]])
def test_nor_does_a_member_of_another_kind(value):
    for member in SHAPE.members:
        found = unfolded(folded({**WHOLE, member: value}), SHAPE)
        dict(FORM.fields("", found))
        FORM.flat("", found)


def test_what_no_field_shows_is_carried_along():
    assert rest_of({**WHOLE, "banner": "eagle", "places": []}, SHAPE) == {"banner": "eagle", "places": []}
    assert places_of({"troops-2-name": "", "troops-10-kept": "", "troops-x-name": ""}, "troops") == [2, 10]


def test_a_thing_of_a_table_or_of_their_own_is_described_as_one_of_both():
    field = ApiShapes("X").of(SHAPE)().fields["weapons"].child
    told = AutoSchema()._map_serializer_field(field, "request")
    slug, thing = told["oneOf"]
    assert slug["type"] == "string"
    assert list(thing["properties"]) == ["slug", "name", "damage", "reach", "number"]
    assert thing["properties"]["damage"] == {"type": "integer", "maximum": 99, "minimum": 1}
    assert thing["additionalProperties"] is False
