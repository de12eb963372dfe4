"""What is no JSON is said with the line and the column, wherever it was cut when it was read."""

from __future__ import annotations

import gzip
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingdom.archive import scanner
from kingdom.archive.scanner import DocumentFile, Scanner
from rules.core.errors import InvalidInput


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
    assert str(refused.value.message) == f"Invalid JSON at line {line}, column {column}."


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
    assert str(refused.value.message) == f"Invalid JSON at line {where.lineno}, column {where.colno}."


class Counted(io.BytesIO):
    """Counts how often it was read."""

    reads = 0

    def read(self, size: int | None = -1, /) -> bytes:
        self.reads += 1
        return super().read(size)


LONG = 4_000_000
ENDLESS = ['"' + "é" * LONG + '"', '"' + "\\u0041" * LONG + '"', "0." + "1" * LONG, '"' + '\\"' * LONG + '"']


@pytest.mark.parametrize("value", ENDLESS, ids=["letters", "escapes", "digits", "quotes"])
def test_a_long_text_is_read_in_pieces_that_grow(monkeypatch, value):
    """The parser reads a text that has not ended again with each piece."""
    monkeypatch.setattr(scanner, "VALUE_MAX", 40_000_000)
    file = Counted(f'{{"a": {value}}}'.encode())
    whole = Scanner(DocumentFile(file))
    assert [len(str(whole.value("/a"))) > 0 for _name in whole.members("")] == [True]
    assert file.reads < 20


@pytest.mark.parametrize("length", [1_000, 300_000])
def test_a_fault_in_a_long_text_is_found_in_few_steps_and_within_a_tenth(length):
    file = Counted(('{"a": "' + "é" * length + '\\q"}').encode())
    with pytest.raises(InvalidInput, match="line 1, column") as refused:
        walk(Scanner(DocumentFile(file)))
    ((_at, said),) = refused.value.errors
    assert length * 0.9 < said.params["column"] <= length + 12
    assert file.reads < 10_000


def test_a_name_may_not_be_without_end(monkeypatch):
    monkeypatch.setattr(scanner, "BETWEEN_MAX", 200_000)
    for text in ('{"' + "k" * 1_000_000 + '": 1}', " " * 1_000_000 + "{}", '{"a":' + " " * 40_000_000 + "1}"):
        file = Counted(text.encode())
        with pytest.raises(InvalidInput, match="too long"):
            walk(Scanner(DocumentFile(file)))
        assert file.tell() < 20_000_000


def test_what_gzip_packed_in_a_few_pieces_is_read_and_in_many_refused():
    text = b'{"a": [1, 2, 3], "b": "' + bytes(range(97, 123)) * 10_000 + b'"}'
    pieces = b"".join(gzip.compress(text[at : at + 1_000]) for at in range(0, len(text), 1_000))
    for packed in (gzip.compress(text), pieces, pieces + b"\0" * 1_000, gzip.compress(b"") * 700 + pieces):
        source = DocumentFile(io.BytesIO(packed))
        walk(Scanner(source))
        assert source.size == len(text)
    for broken in (gzip.compress(text)[:-9], pieces + b"x", gzip.compress(b"") * 2_000 + pieces, b"\x1f\x8b"):
        with pytest.raises(InvalidInput, match="incomplete"):
            walk(Scanner(DocumentFile(io.BytesIO(broken))))


def walk(whole: Scanner) -> None:
    for name in whole.members(""):
        whole.value(f"/{name}")
    whole.end()
