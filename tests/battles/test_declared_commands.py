"""A law that declares its commands has their readers and their shapes in the API's document for nothing."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Annotated, Any, NamedTuple

import pytest
from django.http import QueryDict

from battles.codec.requests import Members
from battles.default.ui import DefaultBattleUI, PlainOpening
from battles.field.forms import DeclaredCommandForm
from core.api.serializers import add_type
from core.shapes.serializers import ApiShapes, SideNamedField, SlugOrShapeField
from rules import registry
from rules.battle_law import Settling, Shapes
from rules.core.errors import InvalidInput
from rules.core.shapes import Label, SideNumber, Text, UnitId, WholeNumber, shape_of
from rules.core.text import _
from tests.rules.test_shapes import Own, Troop
from tests.rulesets.turns.law import Step
from tests.rulesets.turns.ui import UI as TURNS


class Volley(NamedTuple):
    """Shoot at a unit."""

    unit: UnitId
    target: UnitId
    arrows: Annotated[int, WholeNumber(1, 9)] = 1


class GiveGround(NamedTuple):
    side: SideNumber


class Reinforce(NamedTuple):
    army: Any


class Setup(NamedTuple):
    sides: tuple[Any, ...]
    armies: tuple[Any, ...]
    points: Annotated[int, WholeNumber(100, 900), Label(_("Points"))] = 400


class SkirmishLaw:
    slug = family = "two_words"

    class battle:
        shapes = Shapes(Setup, Volley | GiveGround | Reinforce | Settling, None, None)


class Camp(NamedTuple):
    name: Annotated[str, Text()]
    armies: tuple[str, ...] = ()
    moat: bool = False


class Face(DefaultBattleUI):
    family = "two_words"
    side = Camp

    def opening(self, sides: Any, documents: Any, **options: Any) -> Any:
        return sides, options


@pytest.fixture
def face(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setitem(registry.RULESETS, "two_words", SkirmishLaw)
    return type("Known", (Face,), {"__abstractmethods__": frozenset()})()


def test_its_commands_are_read_and_no_other(face):
    assert face.readers.keys() == {"volley", "give_ground"}
    members = Members({"type": "give_ground", "side": "Horde"})
    members.slug("type")
    assert face.readers["give_ground"](members, ("Crown", "Horde")) == GiveGround(1)
    members.done()
    with pytest.raises(InvalidInput) as refused:
        face.readers["volley"](Members({"unit": "u", "arrows": 10}, "/orders/1"), ())
    assert [pointer for pointer, _said in refused.value.errors] == ["/orders/1/target", "/orders/1/arrows"]


def test_they_are_described_under_names_that_stay(face):
    volley = face.command_members["volley"]
    assert (volley.__name__, volley.__doc__) == ("TwoWordsVolleyInput", "Shoot at a unit.")
    assert volley is face.command_members["volley"]
    fields = volley().fields
    assert [name for name, field in fields.items() if field.required] == ["unit", "target"]
    assert (fields["arrows"].min_value, fields["arrows"].max_value) == (1, 9)
    assert face.command_members["give_ground"].__doc__ is None
    assert add_type("X", "volley", volley)().fields.keys() == {"unit", "target", "arrows", "type"}


def test_its_opening_asks_for_what_is_marked_and_its_sides_for_what_they_are(face):
    asked = face.read_opening(
        {"sides": [{"name": "Crown", "armies": ["a"], "moat": True}, {"name": "B"}], "points": 500}
    )
    assert asked.with_armies({}) == ((Camp("Crown", ("a",), True), Camp("B")), {"points": 500})
    assert face.opening_members.__name__ == "TwoWordsOpening"
    assert face.opening_members().fields.keys() == {"points"}
    for body, pointer in (({"sides": [{"name": ""}]}, "/sides/0/name"), ({"sides": [], "points": 1}, "/points"),
                          ({"sides": [], "ford": True}, "/ford")):  # fmt: skip
        with pytest.raises(InvalidInput) as refused:
            face.read_opening(body)
        assert refused.value.field == pointer


def test_a_law_of_the_tests_has_no_reader_of_its_own():
    assert "readers" not in vars(type(TURNS))
    assert TURNS.readers["step"](Members({"unit": "u", "to": 3}), ()) == Step("u", 3)
    assert TURNS.command_members.keys() == TURNS.readers.keys() == {"step", "strike", "flank", "answer"}


def test_each_kind_has_its_field_in_the_document():
    shapes = ApiShapes("X")
    fields = shapes.of(shape_of(Troop))().fields
    told = {name: type(field).__name__ for name, field in fields.items()}
    assert told == {
        "name": "CharField", "strength": "IntegerField", "side": "ChoiceField", "wounded": "IntegerField",
        "rate": "CharField", "weapons": "ListField", "guards": "BooleanField", "places": "ListField",
    }  # fmt: skip
    assert isinstance(fields["weapons"].child, SlugOrShapeField)
    assert fields["rate"].allow_null
    assert shapes.of(shape_of(Own)).__name__ == "XOwnInput"
    assert isinstance(shapes.of(shape_of(GiveGround))().fields["side"], SideNamedField)
    assert ApiShapes("X", bounds=False).of(shape_of(Volley))().fields["arrows"].max_value is None


def test_a_command_has_a_form_that_refuses_beside_its_fields():
    shape = shape_of(Volley)
    fresh = DeclaredCommandForm("volley", shape, 3, initial={"unit": "u", "arrows": 2})
    assert (fresh["unit"].value(), fresh["arrows"].value(), fresh.version) == ("u", 2, 3)
    sent = QueryDict("version=3&unit=u&target=v&arrows=many")
    form = DeclaredCommandForm("volley", shape, 3, sent)
    assert form.is_valid()
    assert form.members() == {"unit": "u", "target": "v", "arrows": "many"}
    with pytest.raises(InvalidInput) as refused:
        shape.read_document({"unit": "u", "target": "v", "arrows": "many"})
    form.refused(refused.value)
    assert form.errors == {"arrows": ["Enter a whole number from 1 to 9."]}


def test_the_setup_asks_what_the_opening_asks(face):
    page = SimpleNamespace(available=())
    form = PlainOpening(page, options=face.options)  # type: ignore[arg-type]
    assert (form["points"].label, form["points"].value()) == ("Points", 400)
    sent = QueryDict("name=Ford&one=A&two=B&points=many")
    form = PlainOpening(page, sent, options=face.options)  # type: ignore[arg-type]
    form.full_clean()
    form.cleaned_data |= {"one": "A", "two": "B", "armies-one": [], "armies-two": []}
    assert form.to_json()["points"] == "many", "the law refuses it beside its field"
