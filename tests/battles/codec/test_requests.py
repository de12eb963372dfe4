"""Commands in the API's document: what it says each takes is what is read of it, no more and no less."""

from __future__ import annotations

from typing import Any

import pytest

from battles.breaking_point import ui as breaking_point
from battles.codec.requests import READERS, Members
from battles.pathfinder import ui as pathfinder
from rules.core.errors import InvalidInput
from tests.manners.bodies import document

OF_ALL = {"type", "dice", "ask"}
SIDES = ("Crown", "Horde")
BODIES: dict[str, list[dict[str, Any]]] = {
    "aftermath": [{"confirm": True, "choices": {"fate": "free"}, "reroll": True}],
    "condition": [{"condition": "fog"}, {"condition": "fortification", "army": "A", "value": 4, "side": 0}],
    "end": [{"reason": "Night", "winner": "Crown"}, {"reason": "Night"}],
    "forward": [{}],
    "interrupt": [{"reason": "Rain"}],
    "next": [{}],
    "order": [{"army": "A", "target": None}],
    "override": [{"army": "A", "body": "a", "field": "hp", "value": 3, "reason": "So it is"},
                 {"army": "A", "side": 1, "field": "score", "value": 3, "reason": "So it is"}],
    "reinforce": [{"army": "A", "side": "Crown"}],
    "resolve": [{}],
    "share": [{"army": "A", "body": "a", "units": {"0": 3}}],
    "undo": [{}],
}  # fmt: skip
CASES = [
    (face, name, kind)
    for face, name in ((pathfinder.UI, "Pathfinder"), (breaking_point.UI, "BreakingPoint"))
    for kind in sorted({*READERS, *face.readers})
]


@pytest.mark.parametrize(("face", "name", "kind"), CASES, ids=[f"{name}-{kind}" for _face, name, kind in CASES])
def test_a_command_is_described_as_it_is_read(face, name, kind):
    reader, read = READERS.get(kind) or face.readers[kind], set()
    for body in BODIES[kind]:
        members = Members({"type": kind, **body})
        reader(members, SIDES)
        read |= members._asked
    shape = described(name, kind)
    assert shape["properties"].keys() - OF_ALL == read
    for body in BODIES[kind]:
        assert set(shape.get("required", ())) - {"type"} <= body.keys()


@pytest.mark.parametrize(("face", "name", "kind"), CASES, ids=[f"{name}-{kind}" for _face, name, kind in CASES])
def test_a_member_that_is_required_is_refused_where_it_is_missing(face, name, kind):
    reader = READERS.get(kind) or face.readers[kind]
    for needed in set(described(name, kind).get("required", ())) - {"type"}:
        whole = next(body for body in BODIES[kind] if needed in body)
        without = {member: value for member, value in whole.items() if member != needed}
        with pytest.raises(InvalidInput) as refused:
            reader(Members({"type": kind, **without}), SIDES)
        assert refused.value.field == f"/{needed}"


def described(name: str, kind: str) -> dict[str, Any]:
    shapes = document()["components"]["schemas"]
    ref = shapes[f"{name}CommandInputRequest"]["discriminator"]["mapping"][kind]
    found: dict[str, Any] = shapes[ref.rpartition("/")[2]]
    return found


def test_a_member_nobody_asked_for_is_named_by_a_pointer():
    with pytest.raises(InvalidInput) as refused:
        Members({"a/b~": 1}, "/orders").done()
    assert refused.value.field == "/orders/a~1b~0"
