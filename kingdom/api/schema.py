"""What the OpenAPI document says of an operation beside its summary."""

from __future__ import annotations

from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import get_doc

READS = frozenset({"get", "head", "options"})
METHODS = READS | {"post", "put", "patch", "delete"}
TEXT = {"type": "string"}
PROBLEM: dict[str, Any] = {
    "type": "object",
    "description": (
        "What is wrong (RFC 9457). `errors`: what of the request is at fault, by JSON pointer. "
        "`instance`: this one request, as its X-Request-ID and the log of the server name it."
    ),
    "properties": {
        "type": TEXT,
        "title": TEXT,
        "status": {"type": "integer"},
        "detail": TEXT,
        "instance": TEXT,
        "errors": {
            "type": "array",
            "items": {"type": "object", "properties": {"pointer": TEXT, "detail": TEXT}},
        },
    },
    "required": ["type", "title", "status", "detail"],
}


def _trouble(said: str) -> dict[str, Any]:
    wait = {"description": "Seconds until it is worth trying again.", "schema": {"type": "integer"}}
    shape = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {"description": said, "headers": {"Retry-After": wait}, "content": shape}


RESPONSES = {
    "Unavailable": _trouble("The server or its database cannot do it at the moment. `detail` says what was saved."),
    "NoRoom": _trouble("The disk of the server is full: nothing can be saved until there is room."),
}
UNAVAILABLE, NO_ROOM = ({"$ref": f"#/components/responses/{name}"} for name in RESPONSES)


class OperationSchema(AutoSchema):
    """Describes operations by the words of their own view; what its bases say of themselves concerns no client."""

    def get_description(self) -> str:  # type: ignore[override]  # as drf-spectacular has it
        said = str(super().get_description() or "")
        bases = {get_doc(base) for base in type(self.view).__mro__[1:]}
        return "" if said in bases else said


def with_trouble(result: Any, **_kwargs: Any) -> Any:
    """The document, with what every operation may meet that is no fault of the request (`config.trouble`)."""
    components = result["components"]
    components["schemas"] = dict(sorted({**components["schemas"], "Problem": PROBLEM}.items()))
    components["responses"] = RESPONSES
    for path in result["paths"].values():
        for method in path.keys() & METHODS:
            answers = {"503": UNAVAILABLE} if method in READS else {"503": UNAVAILABLE, "507": NO_ROOM}
            path[method]["responses"] |= answers
    return result
