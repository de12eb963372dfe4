"""JSON is read strictly: what cannot be meant, or kept, is refused with its pointer."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.clean_input import DEPTH_MAX, parse_whole, read_json
from rules.core.errors import InvalidInput, fit

TEXT = st.text(max_size=8).map(fit)  # what no text may hold is refused (test_text_fields.py)
PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**17), 10**17)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
)


@given(PLAIN)
def test_what_is_plain_comes_through_unchanged(value):
    assert read_json(json.dumps(value)) == value
    assert read_json(json.dumps(value, ensure_ascii=False).encode()) == value


@pytest.mark.parametrize(
    "text, pointer",
    [
        ('{"count": ' + "9" * 5_000 + "}", "/count"),
        ('{"a": [1, {"b/c": ' + "9" * 19 + "}]}", "/a/1/b~1c"),
        ('{"speed": 1e400}', "/speed"),
        ('{"speed": NaN}', "/speed"),
        ("[1, -Infinity]", "/1"),
        ('{"name": "\\u0000"}', "/name"),
        ('{"unit": {"name": "a\\ud800b"}}', "/unit/name"),
        ('{"unit": {"\\ud800": 1}}', "/unit"),
        ('{"unit": {"cr": 1, "cr": 2}}', "/unit"),
        ('{"a": 1, "a": 2}', ""),
    ],
)
def test_what_cannot_be_used_is_refused_with_its_pointer(text, pointer):
    with pytest.raises(InvalidInput) as refused:
        read_json(text)
    assert refused.value.field == pointer


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[1,]",
        "'a'",
        "{}{}",
        "[" * 100_000,
        '{"a":' * 100_000 + "1" + "}" * 100_000,
        b"\xff\xfe{}",
        b'"\xed\xa0\x80"',
    ],
    ids=lambda text: repr(text[:12]),
)
def test_what_is_no_json_is_refused(text):
    with pytest.raises(InvalidInput):
        read_json(text)


def test_depth_has_a_limit_of_its_own():
    assert read_json("[" * DEPTH_MAX + "]" * DEPTH_MAX)
    with pytest.raises(InvalidInput):
        read_json("[" * (DEPTH_MAX + 2) + "]" * (DEPTH_MAX + 2))


@pytest.mark.parametrize(
    "text", ["", "-1", "+1", "1.0", "1e3", "١٢", "²", " 1", "9" * 5_000, "1000000000", None, 1, True]
)
def test_only_plain_digits_are_a_number_in_an_address(text):
    assert parse_whole(text) is None


def test_a_number_in_an_address_has_its_bound():
    assert (parse_whole("0"), parse_whole("999999999"), parse_whole("20", 20), parse_whole("21", 20)) == (
        0,
        999_999_999,
        20,
        None,
    )
