"""The worked examples of the documentation do what they say: each is sent as it stands there, one after the other."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from pathlib import Path
from typing import Any, NamedTuple

from rest_framework.test import APIClient

from tests.manners.bodies import document, operations

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"
BLOCK = re.compile(r"^```http\n(.*?)^```$", re.M | re.S)
ANYTHING = "…"


class Example(NamedTuple):
    """A request, and what must come: `kept`: the names of what later ones take from the answer."""

    method: str
    url: str
    headers: dict[str, str]
    body: str
    status: int
    kept: dict[str, str]
    answer: Any


def examples(text: str, known: dict[str, str]) -> Example:
    """One of them, its ids filled in."""
    for name, value in known.items():
        text = text.replace(f"{{{name}}}", value)
    head, *parts = [part.strip() for part in text.strip().split("\n\n")]
    (first, *lines), told = head.splitlines(), parts[-1].splitlines()
    method, url = first.split()
    headers = dict(line.split(": ", 1) for line in lines)
    status, _space, kept = told[0].partition(" ")
    names = dict(pair.split(" = ") for pair in kept.split(", ") if pair)
    body = parts[0] if len(parts) == 2 else ""
    return Example(method, url, headers, body, int(status), names, json.loads("\n".join(told[1:])))


def differences(wanted: Any, found: Any, place: str = "") -> list[str]:
    """Where the answer is not what was told of it; it may say more."""
    if wanted == ANYTHING:
        return []
    if isinstance(wanted, dict) and isinstance(found, dict):
        missing = [f"{place}/{name} is missing" for name in wanted.keys() - found.keys()]
        known = wanted.keys() & found.keys()
        return missing + [
            fault for name in known for fault in differences(wanted[name], found[name], f"{place}/{name}")
        ]
    if isinstance(wanted, list) and isinstance(found, list) and len(wanted) == len(found):
        pairs = enumerate(zip(wanted, found, strict=True))
        return [fault for nth, (one, other) in pairs for fault in differences(one, other, f"{place}/{nth}")]
    return [] if wanted == found else [f"{place}: {found!r}, not {wanted!r}"]


def test_the_evening_by_program_goes_as_it_is_told(table):
    known = {
        "owner": b64encode(b"gm:correct horse battery").decode(),
        "campaign": str(table.campaign.pk),
        "battle": str(table.battle.pk),
        "kingdom": str(table.crown.pk),
    }
    blocks = BLOCK.findall((DOCS / "api.md").read_text())
    assert len(blocks) >= 10
    wrong = []
    for block in blocks:
        example = examples(block, known)
        api = APIClient()
        answer = api.generic(example.method, example.url, example.body, "application/json", headers=example.headers)
        found = json.loads(answer.content)
        faults = differences(example.answer, found)
        if answer.status_code != example.status or faults:
            wrong.append((example.method, example.url, answer.status_code, faults, answer.content[:300]))
        known |= {name: str(found.get(member, "")) for name, member in example.kept.items()}
    assert wrong == []


def test_an_answer_that_says_something_else_is_found():
    told = {"a": [{"b": 1}], "c": ANYTHING}
    assert differences(told, {"a": [{"b": 1, "more": 2}], "c": None, "d": 3}) == []
    assert differences(told, {"a": [{"b": 2}]}) != []
    assert differences(told, {"a": [], "c": 1}) == ["/a: [], not [{'b': 1}]"]


def test_every_example_of_the_document_is_of_the_shape_it_is_an_example_of():
    """What drf-spectacular shows beside a body names only members that the body has."""
    doc, wrong, read = document(), [], 0
    for (method, path), told in operations(doc).items():
        taken = told.get("requestBody", {}).get("content", {}).get("application/json", {})
        schema = taken.get("schema", {})
        named = doc["components"]["schemas"].get(schema.get("$ref", "").rpartition("/")[2], schema)
        for name, example in taken.get("examples", {}).items():
            read += 1
            strange = example["value"].keys() - named.get("properties", example["value"]).keys()
            wrong += [f"{method} {path} {name}: {strange}"] if strange else []
    assert wrong == []
    assert read
