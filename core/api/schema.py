"""OpenAPI schema of operations, and postprocessing hooks that add headers, refusals, nullable values and required
bodies (drf-spectacular).
"""

from __future__ import annotations

from collections.abc import Iterator
from inspect import unwrap
from types import CodeType
from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import get_doc, get_lib_doc_excludes

from core.api.concurrency import answer_conditionally
from core.api.serializers import Input

READS = frozenset({"get", "head", "options"})
NAMING = frozenset({"campaign", "kingdom", "army", "about"})  # query parameters that name one thing
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

ETAGS = '^(\\*|[0-9]+|(W/)?"[!#-~]*")$'  # pattern of a single one
PARAMETERS: dict[str, Any] = {
    "IdempotencyKey": {
        "name": "Idempotency-Key",
        "in": "header",
        "description": "A word of your own. The same request with the same key is answered again, not done again: for "
        "a day.",
        "schema": {"type": "string", "pattern": "^[!-~]([ -~]{0,198}[!-~])?$"},
    },
    "IfMatch": {
        "name": "If-Match",
        "in": "header",
        "description": "The `ETag` you have seen. If it has changed meanwhile nothing is done (412).",
        "schema": {"type": "string", "pattern": ETAGS},
    },
    "IfNoneMatch": {
        "name": "If-None-Match",
        "in": "header",
        "description": "The `ETag` you have seen. If it is still the same nothing is sent (304).",
        "schema": TEXT,
    },
}
HEADERS: dict[str, Any] = {
    "ETag": {"description": "The version of what is answered, for `If-None-Match` and `If-Match`.", "schema": TEXT},
    "IdempotencyReplayed": {
        "description": "`true`: the answer to the first request with this `Idempotency-Key`.",
        "schema": {"type": "string", "enum": ["true"]},
    },
    "Location": {"description": "Where to read what came of it.", "schema": {"type": "string", "format": "uri"}},
}
FOLLOWED = ("ApprovalRequest", "Job", "Import")
NULL, BLANK = ({"$ref": f"#/components/schemas/{name}"} for name in ("NullEnum", "BlankEnum"))
EMPTY = {"type": "string", "enum": [""]}
CHECKS = {"refuse_stale", "ordered"}  # functions of a view that compare If-Match
TAGS = {"drawn", "again", "_drawn", "_shown", "answered", "build_answer", "_answer", "_proposed"}  # they give an ETag

RESPONSES = {**{name: _trouble(said, wait=code == "429") for code, (name, said) in REFUSALS.items()}, **MACHINE}


class OperationSchema(AutoSchema):
    """Operation schema with the view's own description only. Descriptions of base classes are for programmers."""

    def get_description(self) -> str:  # type: ignore[override]  # as in drf-spectacular
        said = str(super().get_description() or "")
        bases = {get_doc(base) for base in type(self.view).__mro__[1:]}
        return "" if said in bases else said

    def get_operation(self, *where: Any, **more: Any) -> Any:
        """Return the operation with 304 answers, If-Match and ETag, derived from the functions that the view's code
        calls.
        """
        told = super().get_operation(*where, **more)
        if not told:
            return told
        called = set(self._code().co_names)
        if self.method == "GET" and answer_conditionally.__name__ in called:
            told["responses"]["304"] = dict(UNCHANGED)
        if called & CHECKS and not _named(told, "If-Match"):
            told.setdefault("parameters", []).append(_parameter("IfMatch"))
        if self.method != "GET" and called & TAGS:
            for code in told["responses"].keys() & {"200", "201"}:
                told["responses"][code].setdefault("headers", {})["ETag"] = _header("ETag")
        return told

    def _code(self) -> CodeType:
        kind, action = type(self.view), getattr(self.view, "action", None) or ""
        return unwrap(getattr(kind, action, None) or getattr(kind, self.method.lower())).__code__


def bases_without_words() -> list[type]:
    """Return base classes whose docstrings are for programmers and describe no shape."""
    return [*get_lib_doc_excludes(), Input]


def _parameter(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/parameters/{name}"}


def _header(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/headers/{name}"}


def _named(operation: dict[str, Any], name: str) -> dict[str, Any]:
    """Return a parameter that the view describes itself, or an empty dict."""
    return next((part for part in operation.get("parameters", ()) if part.get("name") == name), {})


def add_nulls(result: Any, **_kwargs: Any) -> Any:
    """Postprocessing hook that writes `nullable` beside a type, because it has no meaning without one."""
    shapes = result["components"]["schemas"]
    _tell_nulls(result, shapes)
    for name in ("NullEnum", "BlankEnum"):
        shapes.pop(name, None)
    return result


def _tell_nulls(told: Any, shapes: dict[str, Any]) -> None:
    for inner in told.values() if isinstance(told, dict) else told if isinstance(told, list) else ():
        _tell_nulls(inner, shapes)
    if not isinstance(told, dict):
        return
    if isinstance(told.get("oneOf"), list):
        _tell_choices(told)
    if told.get("nullable") is True and "type" not in told:
        _tell_null(told, shapes)


def _tell_choices(told: dict[str, Any]) -> None:
    """Describe a nullable or blank choice without components for null and blank."""
    kept = [one for one in told["oneOf"] if one != NULL]
    if len(kept) < len(told["oneOf"]):
        told["nullable"] = True
    told["oneOf"] = [dict(EMPTY) if one == BLANK else one for one in kept]
    if len(told["oneOf"]) == 1 and told.get("nullable"):
        told["allOf"] = told.pop("oneOf")


def _tell_null(told: dict[str, Any], shapes: dict[str, Any]) -> None:
    several = told.get("oneOf") or told.get("anyOf")
    if several is None:
        told["type"] = _type_of(told["allOf"][0], shapes) if "allOf" in told else "object"
        return
    del told["nullable"]
    if not any(one.get("nullable") for one in several):
        first = several[0]
        own = {"allOf": [first], "type": _type_of(first, shapes)} if "$ref" in first else first
        several[0] = {**own, "nullable": True}


def _type_of(shape: dict[str, Any], shapes: dict[str, Any]) -> str:
    while "$ref" in shape:
        shape = shapes[shape["$ref"].rpartition("/")[2]]
    return str(shape.get("type", "object"))


def add_required_bodies(result: Any, **_kwargs: Any) -> Any:
    """Postprocessing hook that marks required request bodies."""
    shapes = result["components"]["schemas"]
    for _path, _method, operation in _operations(result):
        body = operation.get("requestBody")
        if body and any(_is_needed(kind["schema"], shapes) for kind in body["content"].values()):
            body["required"] = True
    return result


def _is_needed(shape: dict[str, Any], shapes: dict[str, Any]) -> bool:
    """Whether the body may not be empty. An empty body counts as an object without members."""
    if "$ref" in shape:
        return _is_needed(shapes[shape["$ref"].rpartition("/")[2]], shapes)
    several = shape.get("oneOf") or shape.get("anyOf")
    if several:
        return all(_is_needed(one, shapes) for one in several)
    return shape.get("type") != "object" or bool(shape.get("required"))


def add_headers(result: Any, **_kwargs: Any) -> Any:
    """Postprocessing hook that adds headers shared by many operations."""
    result["components"]["parameters"] = dict(PARAMETERS)
    result["components"]["headers"] = dict(HEADERS)
    for _path, method, operation in _operations(result):
        parts, answers = operation.setdefault("parameters", []), operation["responses"]
        if method == "post":
            parts.append(_parameter("IdempotencyKey"))
            for code in answers.keys() & {"200", "201", "202", "204"}:
                answers[code].setdefault("headers", {})["Idempotency-Replayed"] = _header("IdempotencyReplayed")
        if "304" in answers:
            parts.append(_parameter("IfNoneMatch"))
            for code in ("200", "304"):
                answers[code].setdefault("headers", {})["ETag"] = _header("ETag")
        if _is_followed(answers.get("202", {})):
            answers["202"].setdefault("headers", {})["Location"] = _header("Location")
        if not parts:
            del operation["parameters"]
    return result


def _operations(result: Any) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in result["paths"].items():
        for method in methods.keys() & METHODS:
            yield path, method, methods[method]


def _is_followed(answer: dict[str, Any]) -> bool:
    """Whether the answer is a job with an address of its own."""
    refs = [kind["schema"].get("$ref", "").rpartition("/")[2] for kind in answer.get("content", {}).values()]
    return any(name in FOLLOWED for name in refs)


def add_refusals(result: Any, **_kwargs: Any) -> Any:
    """Postprocessing hook that adds every refusal an operation may answer, derived from its properties (`_refusals`).
    Its own description of an answer is kept.
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
    """Add the answer of this status. An answer described only in words gets the schema of a problem."""
    own = told.get(code, {})
    if PROBLEM_TYPE not in own.get("content", {}):
        whole, said = {"$ref": f"#/components/responses/{name}"}, own.get("description")
        told[code] = {**RESPONSES[name], "description": said} if said else whole


def _names_a_mark(operation: dict[str, Any], shapes: dict[str, Any]) -> bool:
    """Whether the body names the proposal that the sender has seen."""
    contents = operation.get("requestBody", {}).get("content", {}).values()
    names = {content["schema"].get("$ref", "").rpartition("/")[2] for content in contents}
    return any("mark" in shapes.get(name, {}).get("properties", {}) for name in names)


def _refusals(path: str, method: str, operation: dict[str, Any], shapes: dict[str, Any]) -> Iterator[str]:
    """Yield the possible refusals: whether the operation takes a body, names things, changes something, compares
    versions.
    """
    writes, takes = method not in READS, "requestBody" in operation
    parts = {part["name"]: part for part in operation.get("parameters", ()) if "name" in part}
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
