"""Declared shapes: each marker is read, refused with its pointer, and written; what is written reads back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Annotated, Any, Literal, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.errors import InvalidInput, demand
from rules.core.shapes import (
    FLAT,
    KEPT,
    UNSAID,
    ArmyId,
    Called,
    Each,
    Label,
    OneOf,
    SideNumber,
    Slug,
    Spelled,
    Text,
    UnitId,
    WholeNumber,
    Wrong,
    commands_of,
    differences,
    in_words,
    options_of,
    shape_of,
)
from rules.core.text import Term, _
from rules.hexes.geometry import HexLabel, hex_at

NEAR, FAR = "near", "far"
RANGES = {NEAR: _("short range"), FAR: _("long range")}
WEAPONS = {"sword": 1, "bow": 2}


def halves(value: Any) -> Fraction:
    demand(value in ("1/2", "3/2"), _("Give a half."))
    return Fraction(value)


class Listed(NamedTuple):
    slug: Annotated[str, OneOf("weapons", _("Weapon “{slug}” not found."))]
    number: Annotated[int, WholeNumber(1, 9)] = 1


class Own(NamedTuple):
    name: Annotated[str, Text(20)]
    damage: Annotated[int, WholeNumber(1, 99)]
    reach: Annotated[str, OneOf(RANGES)] | None = None

    def judged(self, wrong: Wrong) -> Own:
        if self.reach == FAR and self.damage > 50:
            wrong("reach", _("Too heavy to throw."))
        return self


class Troop(NamedTuple):
    name: Annotated[str, Text(20), Label(_("Name"))]
    strength: Annotated[int, WholeNumber(lambda troop: 0 if troop.get("wounded") else 1, 100), Label(_("Strength"))]
    side: Literal["left", "right"] = "left"
    wounded: Annotated[int, WholeNumber(0, 100), Label(_("Wounded"))] = 0
    rate: Annotated[Fraction, Spelled(halves)] | None = None
    weapons: Annotated[
        tuple[Annotated[str, OneOf("weapons", _("Weapon “{slug}” not found."))] | Listed | Own, ...],
        Each(3, many=_("At most {most} weapons.")),
    ] = ()
    guards: Annotated[bool, Label(_("Guards"))] = False
    places: tuple[HexLabel, ...] = ()


class Band(NamedTuple):
    troops: Annotated[tuple[Troop, ...], Each(4, 1, _("At least one troop.")), Label(_("Troops"), one=_("Troop"))]
    motto: Annotated[str, Text(30), Label(_("Motto"))] = ""
    kept: Annotated[str, KEPT] = "so"
    seed: Annotated[int, UNSAID] = 0


FOOT = {"name": "Foot", "strength": 10}
KNOWN = {"weapons": WEAPONS, "sides": ("Crown", "Horde")}


def read(cls: Any, data: Any, at: str = "") -> Any:
    return shape_of(cls).read_document(data, at, KNOWN)


def refused(cls: Any, data: Any, at: str = "") -> dict[str, str]:
    with pytest.raises(InvalidInput) as found:
        read(cls, data, at)
    assert found.value.field == found.value.errors[0][0]
    return {pointer: str(message) for pointer, message in found.value.errors}


def test_what_is_left_out_or_null_is_the_default():
    troop = read(Troop, {**FOOT, "rate": None, "wounded": None})
    assert troop == Troop("Foot", 10)
    assert shape_of(Troop).write(troop) == FOOT


def test_a_document_is_read_and_written_as_short_as_it_reads_back():
    sent = {
        "troops": [{
            **FOOT, "side": "right", "rate": "3/2", "guards": True, "places": ["C7", "A1"],
            "weapons": ["sword", {"slug": "bow"}, {"slug": "bow", "number": 2}],
        }],
    }  # fmt: skip
    band = read(Band, sent)
    (troop,) = band.troops
    assert troop.weapons == ("sword", Listed("bow"), Listed("bow", 2))
    assert (troop.rate, troop.places[0], band.seed) == (Fraction(3, 2), hex_at("C7"), 0)
    written = shape_of(Band).write(band)
    assert written["kept"] == "so"
    assert written["troops"][0]["weapons"] == ["sword", "bow", {"slug": "bow", "number": 2}]
    again = read(Band, written)
    assert shape_of(Band).write(again) == written


@pytest.mark.parametrize(
    ("changed", "pointer", "said"),
    [
        ({"name": 7}, "/name", "Enter text here."),
        ({"name": " "}, "/name", "This can’t be empty."),
        ({"name": "x" * 21}, "/name", "Use at most 20 characters; this has 21."),
        ({"name": "a\x00b"}, "/name", "This text contains characters that can’t be displayed. Remove them."),
        ({"strength": 0}, "/strength", "Enter a whole number from 1 to 100."),
        ({"strength": True}, "/strength", "Enter a whole number from 1 to 100."),
        ({"strength": 101, "wounded": 1}, "/strength", "Enter a whole number from 0 to 100."),
        ({"side": "middle"}, "/side", "Choose one of: left, right."),
        ({"rate": 3}, "/rate", "Give a half."),
        ({"guards": 1}, "/guards", "Use true or false."),
        ({"weapons": "sword"}, "/weapons", "Must be a list."),
        ({"weapons": ["sword"] * 4}, "/weapons", "At most 3 weapons."),
        ({"weapons": ["axe"]}, "/weapons/0", "Weapon “axe” not found."),
        ({"weapons": ["sword", {"slug": "axe"}]}, "/weapons/1/slug", "Weapon “axe” not found."),
        ({"weapons": [{"slug": "bow", "damage": 3}]}, "/weapons/0/damage", "Unknown field “damage”. Remove it."),
        ({"weapons": [7]}, "/weapons/0", "Enter a JSON object."),
        ({"weapons": [{"name": "Spear"}]}, "/weapons/0/damage", "Enter a whole number from 1 to 99."),
        ({"weapons": [{"name": "Rock", "damage": 60, "reach": "far"}]}, "/weapons/0/reach", "Too heavy to throw."),
        ({"places": ["7C"]}, "/places/0", "“7C” isn’t a hex. Enter a column and a row, such as C7."),
        ({"a/b~c": 1}, "/a~1b~0c", "Unknown field “a/b~c”. Remove it."),
    ],
)  # fmt: skip
def test_each_marker_refuses_with_its_pointer(changed, pointer, said):
    assert refused(Troop, {**FOOT, **changed})[pointer] == said
    assert refused(Band, {"troops": [FOOT, {**FOOT, **changed}]}, "/sheet")[f"/sheet/troops/1{pointer}"] == said


def test_names_people_know_stand_beside_their_slugs():
    with pytest.raises(InvalidInput) as found:
        read(Own, {"name": "Rock", "damage": 1, "reach": "up"})
    assert (found.value.field, told(found.value.message)) == (
        "/reach", "Choose one of: short range (near), long range (far).",
    )  # fmt: skip


def test_every_problem_of_a_document_is_named_at_once():
    assert list(refused(Band, {"troops": [{"strength": 0}, "x"], "motto": 3, "colour": "red"})) == [
        "/colour", "/troops/0/name", "/troops/0/strength", "/troops/1", "/troops/1/name", "/troops/1/strength",
        "/motto",
    ]  # fmt: skip
    assert refused(Band, {"troops": []}) == {"/troops": "At least one troop."}
    assert list(refused(Band, [])) == ["", "/troops"]


# commands


class BodyOrder(NamedTuple):
    do: Slug = "hold"
    riposte: bool = True


@dataclass(frozen=True, slots=True)
class Order:
    army: ArmyId
    bodies: Mapping[Slug, BodyOrder] = field(default_factory=dict)
    rally: Slug = ""


@dataclass(frozen=True, slots=True)
class GiveOrder:
    order: Annotated[Order, FLAT]


class SetMark(NamedTuple):
    kind: Annotated[str, Called("mark")]
    value: int | str | None = None
    side: SideNumber | None = None


class PassTurn(NamedTuple):
    pass


class March(NamedTuple):
    unit: UnitId
    path: Annotated[tuple[HexLabel, ...], Each(10, 1)]


COMMANDS = commands_of(GiveOrder | SetMark | PassTurn | March, {GiveOrder: "order"})
ID = "0198C5F000007000800000000000000A"


def command(**body: Any) -> Any:
    return COMMANDS.read_document(body, "", KNOWN)


def test_a_command_is_told_by_its_class_in_snake_case_or_by_what_it_is_called():
    assert list(COMMANDS.shapes) == ["order", "set_mark", "pass_turn", "march"]
    assert command(type="pass_turn") == PassTurn()
    assert command(type="set_mark", mark="fog", side="Horde", value=3) == SetMark("fog", 3, 1)
    assert command(type="march", unit="u", path=["A1"]) == March("u", (hex_at("A1"),))


def test_flat_objects_share_their_members_with_the_object_around_them():
    read = command(type="order", army=ID, bodies={"left": {"riposte": False}}, rally="")
    assert read == GiveOrder(Order("0198c5f0-0000-7000-8000-00000000000a", {"left": BodyOrder("hold", False)}))
    assert COMMANDS.write(read) == {
        "type": "order", "army": "0198c5f0-0000-7000-8000-00000000000a", "bodies": {"left": {"riposte": False}},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("body", "pointer", "said"),
    [
        ({"type": "fly"}, "/type", "Unknown command: “fly”."),
        ({}, "/type", "Unknown command: “None”."),
        ({"type": "order"}, "/army", "Choose a name from the list."),
        ({"type": "order", "army": "a", "order": {}}, "/order", "Unknown field “order”. Remove it."),
        ({"type": "order", "army": "a", "bodies": []}, "/bodies", "Enter a JSON object."),
        ({"type": "order", "army": "a", "bodies": {"a/b": 3}}, "/bodies/a~1b", "Enter a JSON object."),
        ({"type": "order", "army": "a", "bodies": {"": {}}}, "/bodies/", "Choose a name from the list."),
        ({"type": "set_mark", "mark": "fog", "value": True}, "/value",
         "Enter a whole number from -1000000 to 1000000."),
        ({"type": "set_mark", "mark": "fog", "side": 2}, "/side", "Enter a whole number from 0 to 1."),
        ({"type": "set_mark", "mark": "fog", "side": "Elves"}, "/side", "Side “Elves” not found."),
        ({"type": "march", "unit": "u", "path": []}, "/path", "Must be a list."),
    ],
)  # fmt: skip
def test_a_command_is_refused_with_its_pointer(body, pointer, said):
    with pytest.raises(InvalidInput) as found:
        command(**body)
    assert {at: str(message) for at, message in found.value.errors}[pointer] == said


@dataclass(frozen=True)
class Opening:
    sides: tuple[str, ...]
    armies: tuple[Any, ...]
    points: Annotated[int, WholeNumber(100, 900)] = 400
    ford: Annotated[bool, Label(_("At the ford"))] = False


def test_an_opening_asks_for_its_marked_fields():
    options = options_of(Opening)
    assert options.read_document({"points": 500}) == {"points": 500, "ford": False}
    with pytest.raises(InvalidInput) as found:
        options.read_document({"sides": []})
    assert found.value.field == "/sides"


def test_an_annotation_that_says_nothing_is_an_error_of_the_law():
    with pytest.raises(TypeError):
        shape_of(NamedTuple("Odd", [("thing", complex)]))
    with pytest.raises(TypeError):
        shape_of(NamedTuple("Odder", [("thing", bool | Own)]))


# words


def test_the_chronicle_tells_what_stands_in_it_and_what_changed():
    before = read(Band, {"troops": [FOOT, {"name": "Bows", "strength": 5}]})
    after = read(Band, {"troops": [{**FOOT, "strength": 8, "guards": True}], "motto": "Onward"})
    assert [told(said) for said in in_words(shape_of(Band), before)] == ["Foot (Strength 10)", "Bows (Strength 5)"]
    found = [tuple(map(told, change)) for change in differences(shape_of(Band), before, after)]
    assert found == [
        ("Foot: Strength", "10", "8"),
        ("Foot: Guards", "no", "yes"),
        ("Troop: Bows", "Name Bows, Strength 5", "–"),
        ("Motto", "–", "Onward"),
    ]


def told(said: Any) -> str:
    if isinstance(said, str):
        return str(Term(said))
    shown = {name: ", ".join(map(told, value)) if isinstance(value, list) else value if not hasattr(value, "params")
             else told(value) for name, value in said.params.items()}  # fmt: skip
    return said.template.format(**shown)


# round trips

names = st.text("abc é", min_size=1, max_size=20).map(lambda text: " ".join(text.split())).filter(bool)
weapons = st.one_of(
    st.sampled_from([*WEAPONS]),
    st.builds(Listed, st.sampled_from([*WEAPONS]), st.integers(2, 9)),
    st.builds(Own, names, st.integers(1, 50), st.sampled_from([None, *RANGES])),
)
places = st.builds(hex_at, st.from_regex(r"[A-F][1-9]", fullmatch=True))
troops = st.builds(
    Troop, names, st.integers(1, 100), st.sampled_from(["left", "right"]), st.integers(0, 100),
    st.sampled_from([None, Fraction(1, 2)]), st.lists(weapons, max_size=3).map(tuple), st.booleans(),
    st.lists(places, max_size=3).map(tuple),
)  # fmt: skip
bands = st.builds(Band, st.lists(troops, min_size=1, max_size=4).map(tuple), names, st.just("so"), st.just(0))


@given(bands)
def test_whatever_a_value_is_it_is_written_and_read_back(band):
    assert read(Band, shape_of(Band).write(band)) == band


WEIRD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=True) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from([*Troop._fields, "strange"]), WEIRD, max_size=4))
def test_whatever_is_sent_is_read_or_refused_within_the_document(changes):
    sent = {"troops": [{**FOOT, **changes}]}
    try:
        band, problems = read(Band, sent), ()
    except InvalidInput as refusal:
        band, problems = None, refusal.errors
    assert all(pointer.startswith("/troops/0") and str(said) for pointer, said in problems)
    assert band is None or read(Band, shape_of(Band).write(band)) == band
