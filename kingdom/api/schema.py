"""What the OpenAPI document says of an operation beside its summary."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import unwrap
from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import get_doc

from kingdom.api.concurrency import conditional

READS = frozenset({"get", "head", "options"})
NAMING = frozenset({"campaign", "kingdom", "army", "about"})  # parameters of the query that name one thing
METHODS = READS | {"post", "put", "patch", "delete"}
TEXT = {"type": "string"}
UNCHANGED = {"description": "Nothing is sent: it is still the version that `If-None-Match` names by its `ETag`."}
PROBLEM_TYPE = "application/problem+json"
WAIT = {"description": "Seconds until it is worth trying again.", "schema": {"type": "integer"}}
PROBLEM: dict[str, Any] = {
    "type": "object",
    "description": (
        "What is wrong (RFC 9457). `errors`: what of the request is at fault, by JSON pointer. "
        "`instance`: this one request, as its X-Request-ID and the log of the server name it. "
        "`version`: of a battle that has moved on, the one it is in now."
    ),
    "properties": {
        "type": TEXT,
        "title": TEXT,
        "status": {"type": "integer"},
        "detail": TEXT,
        "instance": TEXT,
        "version": {"type": "integer"},
        "errors": {
            "type": "array",
            "items": {"type": "object", "properties": {"pointer": TEXT, "detail": TEXT}},
        },
    },
    "required": ["type", "title", "status", "detail"],
}


def _trouble(said: str, *, wait: bool = False) -> dict[str, Any]:
    shape = {PROBLEM_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {"description": said, **({"headers": {"Retry-After": WAIT}} if wait else {}), "content": shape}


MACHINE = {
    "Unavailable": _trouble(
        "The server or its database cannot do it at the moment. `detail` says what was saved.", wait=True
    ),
    "NoRoom": _trouble("The disk of the server is full: nothing can be saved until there is room.", wait=True),
}
REFUSALS: dict[str, tuple[str, str]] = {
    "400": ("Invalid", "Malformed or not valid. `errors` points at what."),
    "401": ("NotSignedIn", "No token, or one that is not valid."),
    "403": ("Forbidden", "Not for this user, or not with this token's scope."),
    "404": ("NotFound", "There is no such thing, or not for this user."),
    "409": ("Illegal", "Not legal in this state."),
    "412": ("Stale", "It has changed since the version that `If-Match` names."),
    "413": ("TooLarge", "More than may be sent."),
    "415": ("UnknownFormat", "Not a content type that is understood here."),
    "422": ("IdempotencyKeyReused", "The `Idempotency-Key` was used for another request."),
    "428": ("VersionMissing", "`If-Match`, or the mark of what was proposed, is missing."),
    "429": ("TooManyRequests", "Too many requests: wait as long as `Retry-After` says."),
}

RESPONSES = {**{name: _trouble(said, wait=code == "429") for code, (name, said) in REFUSALS.items()}, **MACHINE}


class OperationSchema(AutoSchema):
    """Describes operations by the words of their own view; what its bases say of themselves concerns no client."""

    def get_description(self) -> str:  # type: ignore[override]  # as drf-spectacular has it
        said = str(super().get_description() or "")
        bases = {get_doc(base) for base in type(self.view).__mro__[1:]}
        return "" if said in bases else said

    def get_operation(self, *where: Any, **more: Any) -> Any:
        """With what answers who has that version already, where the view asks for it."""
        told = super().get_operation(*where, **more)
        if told and self.method == "GET" and self._is_conditional():
            told["responses"]["304"] = UNCHANGED
        return told

    def _is_conditional(self) -> bool:
        """Whether its answer goes through `conditional`: read from the code, so that nobody has to say it again."""
        name = getattr(self.view, "action", None) or self.method.lower()
        return conditional.__name__ in unwrap(getattr(type(self.view), name)).__code__.co_names


def with_trouble(result: Any, **_kwargs: Any) -> Any:
    """The document, with every refusal an operation may answer with: what it is says which (`_refusals`).

    What an operation says of such an answer itself stays beside it.
    """
    components = result["components"]
    components["schemas"] = dict(sorted({**components["schemas"], "Problem": PROBLEM}.items()))
    components["responses"] = dict(sorted(RESPONSES.items()))
    for path, methods in result["paths"].items():
        for method in methods.keys() & METHODS:
            told = methods[method]["responses"]
            codes = {*_refusals(path, method, methods[method], components["schemas"]), *told}
            names = {code: REFUSALS[code][0] for code in codes & REFUSALS.keys()}
            names |= {"503": "Unavailable"} if method in READS else {"503": "Unavailable", "507": "NoRoom"}
            for code, name in names.items():
                _promise(told, code, name)
            methods[method]["responses"] = dict(sorted(told.items()))
    return result


def _promise(told: dict[str, Any], code: str, name: str) -> None:
    """The answer of this status; one that is told in words alone gets the shape of a problem."""
    own = told.get(code, {})
    if PROBLEM_TYPE not in own.get("content", {}):
        whole, said = {"$ref": f"#/components/responses/{name}"}, own.get("description")
        told[code] = {**RESPONSES[name], "description": said} if said else whole


def _names_a_mark(operation: dict[str, Any], shapes: dict[str, Any]) -> bool:
    """Whether who sends it says which proposal he has seen."""
    contents = operation.get("requestBody", {}).get("content", {}).values()
    names = {content["schema"].get("$ref", "").rpartition("/")[2] for content in contents}
    return any("mark" in shapes.get(name, {}).get("properties", {}) for name in names)


def _refusals(path: str, method: str, operation: dict[str, Any], shapes: dict[str, Any]) -> Iterator[str]:
    """What may go wrong with it by what it is: whether it takes a body, names something, changes something, compares
    versions.
    """
    writes, takes = method not in READS, "requestBody" in operation
    parts = {part["name"]: part for part in operation.get("parameters", ())}
    yield from ("400", "429")
    if any(operation.get("security", ())):
        yield from ("401", "403")
    if "{" in path or takes or NAMING & parts.keys():
        yield "404"
    if writes:
        yield from ("409", "413", "415")
    if "If-Match" in parts or _names_a_mark(operation, shapes):
        yield from ("412", "428")
    elif "{" in path:
        yield "412"
    if method == "post":
        yield "422"
