"""JSON pointers of refusals, in a body that may say the same in more than one way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.core.errors import Refusal

CONDITION = "condition"
OF_A_CONDITION = ("value", "armies", "except", "parts")


def point_as_sent(refusal: Refusal, body: Any) -> Refusal:
    """The same: a condition to be set may stand in a member of its own, and names a single army by `army`."""

    def where(pointer: str) -> str:
        parts = pointer.split("/")[1:]
        if _lies_in_a_member(body, parts):
            parts = [CONDITION, *parts]
        if parts and parts[-1] == "armies" and "army" in _found(body, parts[:-1]):
            parts[-1] = "army"
        return "".join(f"/{part}" for part in parts)

    return refusal.repointed(where)


def _lies_in_a_member(body: Any, parts: Sequence[str]) -> bool:
    """Whether this is of a condition that does, and nothing that stands beside it."""
    if not parts or not isinstance(_found(body, ()).get(CONDITION), Mapping):
        return False
    return [*parts] == [CONDITION] or (parts[0] in OF_A_CONDITION and parts[0] not in body)


def _found(body: Any, parts: Sequence[str]) -> Mapping[str, Any]:
    """The object at this pointer; one with nothing in it where there is none."""
    for part in parts:
        if isinstance(body, Sequence) and part.isdecimal() and int(part) < len(body):
            body = body[int(part)]
        else:
            body = body.get(part) if isinstance(body, Mapping) else None
    return body if isinstance(body, Mapping) else {}
