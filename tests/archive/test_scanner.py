"""What is no JSON is said with the line and the column, wherever it was cut when it was read."""

from __future__ import annotations

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingdom.archive.scanner import DocumentFile, Scanner
from rules.errors import InvalidInput


class Slowly(io.BytesIO):
    """A file that gives a few bytes at a time."""

    def read(self, size: int | None = -1) -> bytes:
        return super().read(min(size or 0, 3))


def walked(text: str, file: type[io.BytesIO] = Slowly) -> None:
    read = Scanner(DocumentFile(file(text.encode())))
    for _name in read.members(""):
        for _place in read.items(""):
            read.value("")
    read.end()


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ('{"a": [1, 2]', 1, 13),
        ('{"a": [1,\n  {"b": 2 "c": 3}]}', 2, 13),
        ('{"a": [1, 2]\n\n  ; "b": [2]}', 3, 3),
        ('{"a": [1, 2]}\n;', 2, 1),
        ('{\n"a": [\n"b", "never ends', 3, 17),
        ("", 1, 1),
        ('{"é’": [1],\n\n', 3, 1),
    ],
)
@pytest.mark.parametrize("file", [Slowly, io.BytesIO])
def test_what_is_no_json_is_said_with_its_place(text, line, column, file):
    with pytest.raises(InvalidInput) as refused:
        walked(text, file)
    assert str(refused.value.message) == f"This is not valid JSON: see line {line}, column {column}."


@given(st.data())
def test_it_is_the_place_python_names(data):
    things = st.dictionaries(st.text(alphabet='aé \n"', max_size=2), st.integers(0, 9))
    lists = st.dictionaries(st.text(alphabet="bœ\n{", max_size=3), st.lists(things, max_size=3))
    text = json.dumps(data.draw(lists), indent=data.draw(st.sampled_from([None, 1])), ensure_ascii=False)
    at = data.draw(st.integers(0, len(text) - 1).filter(lambda at: text[at - 1] != "\\"))  # Python names the stroke
    broken = f"{text[:at]}\x01{text[at:]}"
    with pytest.raises(json.JSONDecodeError) as known:
        json.loads(broken)
    with pytest.raises(InvalidInput) as refused:
        walked(broken)
    where = known.value
    assert str(refused.value.message) == f"This is not valid JSON: see line {where.lineno}, column {where.colno}."
