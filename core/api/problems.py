"""Problem documents (RFC 9457) for refusals."""

from __future__ import annotations

import base64
import hashlib
import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings
from django.core.exceptions import (
    BadRequest,
    ObjectNotUpdated,
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
)
from django.http import Http404, HttpRequest, JsonResponse, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.csrf import csrf_exempt
from rest_framework import exceptions, status
from rest_framework.exceptions import APIException
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from core.client_info import request_words, wait_words
from core.errors import NotInRuleset
from core.text import render
from core.tracing import request_id
from rules.core.errors import InvalidInput, NotYet, Refusal, StaleProposal, pointer

MEDIA_TYPE = "application/problem+json"

# status → (last part of the type URI, title). The URIs are stable, because clients may compare them.
KINDS = {
    400: ("invalid", _("Invalid data")),
    401: ("not-signed-in", _("Not signed in")),
    403: ("forbidden", _("Not allowed")),
    404: ("not-found", _("Not found")),
    405: ("method-not-allowed", _("Method not allowed")),
    406: ("not-acceptable", _("Format not available")),
    408: ("too-slow", _("Request timed out")),
    409: ("illegal", _("Not possible in this state")),
    412: ("stale", _("Changed in the meantime")),
    413: ("too-large", _("Too large")),
    415: ("unsupported-media-type", _("Unsupported format")),
    422: ("idempotency-key-reused", _("Idempotency key already used")),
    428: ("precondition-required", _("Version missing")),
    429: ("too-many-requests", _("Too many requests")),
    500: ("broken", _("Server error")),
    503: ("unavailable", _("Temporarily unavailable")),
    507: ("no-room", _("No space left")),
}


type ProblemKind = tuple[str, Any]
"""Kind of a problem: the last part of its type URI, and its title."""

DICE_NEEDED: ProblemKind = ("dice-needed", _("Dice needed"))
"""Not a refusal: the request succeeds once the dice in `asks` are sent with it."""


class IfMatchFailed(APIException):
    """If-Match names an outdated version."""

    status_code = status.HTTP_412_PRECONDITION_FAILED
    default_detail = _("This has changed since you read it. Read it again, then repeat your change.")


class PreconditionRequired(APIException):
    """If-Match is missing where a version must be named."""

    status_code = status.HTTP_428_PRECONDITION_REQUIRED
    default_detail = _("Send the version you read in If-Match.")


class IdempotencyReused(APIException):
    """The same Idempotency-Key came with a different request."""

    status_code = status.HTTP_422_UNPROCESSABLE_ENTITY
    default_detail = _("This Idempotency-Key was used for another request. Use a new one.")


class NotVisible(APIException):
    """The body names something that does not exist, or not for this user. `pointer` is its place."""

    status_code = status.HTTP_404_NOT_FOUND
    default_detail = _("Not found, or you have no access to it.")

    def __init__(self, pointer: str):
        super().__init__()
        self.pointer = pointer


class TriedTooOften(APIException):
    """Too many wrong passwords. `wait` in seconds becomes Retry-After."""

    status_code = status.HTTP_429_TOO_MANY_REQUESTS

    def __init__(self, wait: float):
        super().__init__(wait_words(wait))
        self.wait = wait


class IdempotentReplay(Exception):
    """Not a failure: this request was answered before."""

    def __init__(self, response: Response):
        super().__init__()
        self.response = response


@contextmanager
def point_at(pointer: str) -> Iterator[None]:
    """Context manager that turns a selector's Http404 into a problem at this pointer of the body."""
    try:
        yield
    except NotInRuleset as error:
        error.pointer = pointer
        raise
    except Http404 as error:
        raise NotVisible(pointer) from error


@contextmanager
def repoint(place: str, named: str) -> Iterator[None]:
    """Context manager that moves a service's refusals of the field `named` to their place in the body."""
    try:
        yield
    except Refusal as refusal:
        raise refusal.repointed(lambda pointer: place if pointer == named else pointer) from refusal


def build_problem(
    code: int,
    detail: str,
    errors: Iterable[tuple[str, str]] = (),
    *,
    kind: ProblemKind | None = None,
    **members: Any,
) -> Response:
    """Build a problem document. `kind` is needed where the status alone does not determine it."""
    body = problem_body(code, detail, errors, kind=kind, **members)
    return Response(body, status=code, content_type=MEDIA_TYPE)


def problem_body(
    code: int,
    detail: str,
    errors: Iterable[tuple[str, str]] = (),
    *,
    kind: ProblemKind | None = None,
    **members: Any,
) -> dict[str, Any]:
    slug, title = kind or KINDS.get(code, ("problem", _("That didn’t work")))
    fields = [{"pointer": writable(pointer), "detail": writable(said)} for pointer, said in errors]
    body: dict[str, Any] = {
        "type": f"urn:warhost:problem:{slug}",
        "title": str(title),
        "status": code,
        "detail": writable(detail),
    }
    if occurrence := request_id():
        body["instance"] = f"urn:warhost:request:{quote(occurrence)}"
    return {**body, **({"errors": fields} if fields else {}), **members}


def writable(text: str) -> str:
    """Return the text encodable as UTF-8. A refusal may repeat lone surrogates."""
    return text.encode("utf-8", "replace").decode()


def problem_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Exception handler of REST framework. It always answers JSON, whatever format was requested. None leaves a
    programming error to become a 500.
    """
    answer, request = _answered(error), context.get("request")
    told = answer is not None and answer.content_type == MEDIA_TYPE
    if told and request is not None and not isinstance(getattr(request, "accepted_renderer", None), JSONRenderer):
        request.accepted_renderer, request.accepted_media_type = JSONRenderer(), JSONRenderer.media_type
    return answer


def _answered(error: Exception) -> Response | None:
    match error:
        case IdempotentReplay():
            return error.response
        case Refusal():
            return _refusal(error)
        case NotInRuleset():
            return build_problem(
                404, render(error.said), [(error.pointer, render(error.said))] if error.pointer else ()
            )
        case Http404() | ObjectNotUpdated():  # `ObjectNotUpdated`: somebody has just deleted the row
            said = gettext("Not found, or you have no access to it.")
            pointer = getattr(error, "pointer", "")  # a selector may know the member of the body
            return build_problem(404, said, [(pointer, said)] if pointer else ())
        case PermissionDenied():
            return build_problem(403, str(error) or gettext("You aren’t allowed to do this."))
        case RequestDataTooBig():
            return build_problem(413, gettext("This is too large."))
        case SuspiciousOperation() | BadRequest() | MultiPartParserError() | UnreadablePostError():
            return build_problem(400, gettext("This request can’t be read. Check its format."))
        case NotVisible():
            return build_problem(404, str(error.detail), [(error.pointer, str(error.detail))])
        case exceptions.ValidationError():
            return _invalid(error)
        case exceptions.Throttled():
            return _with_headers(build_problem(429, request_words(getattr(error, "wait", 0))), error)
        case APIException():
            return _with_headers(build_problem(error.status_code, _sentence(error.detail)), error)
        case _:
            return None


def _refusal(refusal: Refusal) -> Response:
    errors = [(pointer, render(message)) for pointer, message in refusal.errors if pointer]
    answer = build_problem(_code_of(refusal), render(refusal.message), errors)
    if isinstance(refusal, NotYet):
        answer["Retry-After"] = str(math.ceil(refusal.wait))
    return answer


def _code_of(refusal: Refusal) -> int:
    match refusal:
        case InvalidInput():
            return 400
        case StaleProposal():
            return 412
        case NotYet():
            return 429
    return 409


def _invalid(error: exceptions.ValidationError) -> Response:
    errors = list(flatten(error.detail))
    detail = errors[0][1] if len(errors) == 1 else gettext("Some values aren’t valid.")
    return build_problem(400, detail, [(pointer, said) for pointer, said in errors if pointer])


def flatten(detail: Any, at: str = "") -> Iterator[tuple[str, str]]:
    """Yield REST framework's nested error detail as (JSON pointer, message)."""
    if isinstance(detail, dict):
        for key, value in detail.items():
            yield from flatten(value, at if key == "non_field_errors" else pointer(at, key))
    elif isinstance(detail, list):
        nested = any(isinstance(item, dict | list) for item in detail)
        for position, item in enumerate(detail):
            yield from flatten(item, f"{at}/{position}" if nested else at)
    else:
        yield at, str(detail)


def _sentence(detail: Any) -> str:
    return next((said for _pointer, said in flatten(detail)), "")


def _with_headers(response: Response, error: Exception) -> Response:
    if challenge := getattr(error, "auth_header", None):
        response["WWW-Authenticate"] = challenge
    if wait := getattr(error, "wait", None):
        response["Retry-After"] = str(math.ceil(wait))
    return response


@csrf_exempt  # it changes nothing, and a tool should read 404, not a page about cookies
def answer_not_found(request: HttpRequest, *args: Any, **kwargs: Any) -> JsonResponse:
    """Answer unknown addresses below /api/."""
    return build_plain_problem(404, gettext("This address doesn’t exist."))


def build_plain_problem(code: int, detail: str) -> JsonResponse:
    """Return a problem document outside of REST framework."""
    return JsonResponse(problem_body(code, detail), status=code, content_type=MEDIA_TYPE)


# Encryption of stored responses that contain a secret. Only repeated requests with the same
# credentials can read them.


class Sealed:
    """View mixin, before `Idempotent`, that stores its responses encrypted."""

    def seal(self, request: Any, body: str) -> str:
        return _cipher(request).encrypt(body.encode()).decode()

    def unseal(self, request: Any, body: str) -> str:
        try:
            return _cipher(request).decrypt(body.encode()).decode()
        except InvalidToken as error:
            raise IdempotencyReused from error


def _cipher(request: Any) -> Fernet:
    secret = f"{settings.SECRET_KEY}\0{request.headers.get('Authorization', '')}"
    return Fernet(base64.urlsafe_b64encode(hashlib.sha256(secret.encode()).digest()))
