"""One rule for text, whichever way it comes in: what no text holds is refused beside its field, and never breaks."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest
from django import forms
from django.urls import URLPattern, URLResolver, get_resolver

from core.clean_input import read_json
from core.csv_tables import read_table
from kingdom.archive.columns import Column, build_column
from kingdom.archive.export_rows import _json
from kingdom.archive.import_checks import list_carried_tables
from kingdom.map import editor_svg
from kingdom.map.painting_queries import MapPicture
from kingdom.map.queries import MapState
from rules.breaking_point.documents import clean_army
from rules.core.errors import ENDS, TURNING, InvalidInput, fit, unfit_in
from rules.hexes.mapfile import parse
from rules.hexes.orders import command_in
from tests.kingdom.map.conftest import drawing

SIGNS = [
    "\x00", "\x01", "\x0b", "\x0c", "\x1b", "\x1f", "\x7f", "\x85", "\x9f", "\ud800", "\udfff", "\ufdd0", "\ufffe",
    "\uffff", "\U0001fffe", "\U0010ffff", *sorted(TURNING),
]  # fmt: skip
WRITTEN = [sign for sign in SIGNS if not "\ud800" <= sign <= "\udfff"]  # what UTF-8 can say


def test_what_no_text_holds_are_controls_halves_noncharacters_and_turning_marks():
    for code in range(0x110000):
        sign = chr(code)
        control = unicodedata.category(sign) in ("Cc", "Cs") and sign not in ENDS
        never = code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF
        assert bool(unfit_in(f"é{sign}")) == bool(control or never or sign in TURNING), hex(code)
        if code < 0x80:
            assert bool(unfit_in(sign)) == control, hex(code)


@pytest.mark.parametrize(
    "text", ["two\nlines\r\n\tand a tab", "می‌خواهم", "a\u200eb\u200f\u061c", "👨‍👩‍👧", "e\u0301", "\U000f0000"]
)
def test_what_people_write_stays(text):
    assert not unfit_in(text)
    assert fit(text) == text


def refused(take: Callable[..., object], *given: object) -> bool:
    try:
        take(*given)
    except (InvalidInput, forms.ValidationError):
        return True
    return False


def every_form() -> Iterator[type[forms.BaseForm]]:
    """Of every app, allauth's too: addresses import them."""
    for pattern in _patterns(get_resolver().url_patterns):
        assert pattern.callback
    ahead: list[type[forms.BaseForm]] = [forms.BaseForm]
    while ahead:
        ahead += (kind := ahead.pop()).__subclasses__()
        yield kind


def _patterns(patterns: list[URLPattern | URLResolver]) -> Iterator[URLPattern]:
    for one in patterns:
        if isinstance(one, URLResolver):
            yield from _patterns(one.url_patterns)
        else:
            yield one


def test_every_text_field_of_every_form_refuses_them():
    found = 0
    for kind in every_form():
        for name, field in getattr(kind, "base_fields", {}).items():
            if not isinstance(field, forms.CharField):
                continue
            if isinstance(field.widget, forms.PasswordInput):  # any character will do
                field.run_validators("a\u202eb")
                continue
            found += 1
            for sign in SIGNS:
                assert refused(field.run_validators, f"a{sign}b"), f"{kind.__name__}.{name} takes {sign!r}"
    assert found > 80
    for made in (forms.CharField(), forms.EmailField(), forms.SlugField(), forms.RegexField(".*")):
        with pytest.raises(forms.ValidationError):
            made.clean("a\u202eb@example.com")


@pytest.mark.parametrize("sign", SIGNS)
def test_json_that_holds_them_is_refused_with_its_pointer(sign):
    cases = {"/a/0/b": {"a": [{"b": f"x{sign}"}]}, "/a": {"a": {f"x{sign}": 1}}, "": f"x{sign}"}
    for pointer, body in cases.items():
        for sent in (json.dumps(body), json.dumps(body, ensure_ascii=False)):
            with pytest.raises(InvalidInput) as told:
                read_json(sent)
            assert told.value.field == pointer
            assert "t be displayed" in str(told.value)


def test_every_text_column_of_a_document_refuses_them():
    tables = {table.model: table.name for table in list_carried_tables()}
    ids = SimpleNamespace(prose=lambda text: text)
    found = 0
    for table in list_carried_tables():
        for field in table.model._meta.concrete_fields:
            if (
                field.get_internal_type() not in ("CharField", "TextField")
                or type(build_column(field, tables)) is not Column
            ):
                continue
            found += 1
            ends = ENDS if field.get_internal_type() == "CharField" else ""
            for sign in (*SIGNS, *ends):
                assert refused(build_column(field, tables).read, f"a{sign}b", ids), f"{field} takes {sign!r}"
    assert found > 40


@pytest.mark.parametrize("sign", WRITTEN)
def test_a_table_that_holds_them_is_refused_with_its_line(sign):
    with pytest.raises(InvalidInput) as told:
        read_table(f"name,cr\nGuard,1\nHor{sign}de,2\n", field="/file")
    assert str(told.value).startswith("Line 3 ")


@pytest.mark.parametrize("sign", [*SIGNS, *ENDS])
def test_nothing_on_a_map_holds_them(sign):
    whole = {"name": f"a{sign}b", "labels": {"G6": f"a{sign}b"}}
    if sign not in ENDS:
        whole |= {"credits": f"a{sign}b", "of_another": {"deep": [f"a{sign}b"]}}
    for member, value in whole.items():
        with pytest.raises(InvalidInput) as told:
            parse(drawing(**{member: value}))
        assert told.value.field.startswith(f"/{member}")
    with pytest.raises(InvalidInput) as told:
        command_in({"command": "label", "hex": "C3", "text": f"a{sign}b"}, parse(drawing()))
    assert told.value.field == "/text"


@pytest.mark.parametrize("sign", [*SIGNS, *ENDS])
def test_a_map_that_holds_them_already_is_read_and_its_picture_is_xml(sign):
    land = parse(
        drawing(name=f"a{sign}b", labels={"G6": f"a{sign}b"} | ({} if sign in ENDS else {"C3": sign})), kept=True
    )
    assert set(land.name) <= set("a b")
    assert "".join(land.labels.values()) in ("ab", "a b")
    picture = MapPicture(MapState(land, {}), realms={}, towns={next(iter(land)): f"Town{sign}"}, known=None)
    ElementTree.fromstring(editor_svg.draw_svg(picture))


@pytest.mark.parametrize("sign", SIGNS)
def test_a_name_of_breaking_point_holds_none(sign):
    with pytest.raises(InvalidInput) as refused:
        clean_army({"units": [{"name": f"a{sign}b", "type": "infantry", "strength": 1, "combat": 1}]})
    assert [pointer for pointer, _said in refused.value.errors] == ["/units/0/name"]


@pytest.mark.parametrize("sign", WRITTEN[1:])
def test_what_was_kept_before_goes_out_as_it_can_come_in(sign):
    row = {"text": f"a{sign}b", "told": [{"with": {f"n{sign}": f"\\u0001{sign}"}}]}
    assert read_json(_json(row)) == {"text": "ab", "told": [{"with": {"n": "\\u0001"}}]}
