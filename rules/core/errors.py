"""Refusals, with messages for the player."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn, Self

from rules.core.text import Message, Said, Term, say

type Fault = tuple[str, Said]
"""Problem of an input: the JSON pointer to it, and the message."""


def pointer(at: str, member: object) -> str:
    """Return the JSON pointer to a member of the value at `at` (RFC 6901): `pointer("/a", "b") == "/a/b"`."""
    return f"{at}/{str(member).replace('~', '~0').replace('/', '~1')}"


class Refusal(Exception):
    """Base of refusals: what was asked for is impossible, and nothing has changed.

    `field` is a JSON pointer to the wrong input ("/unit/cr"), or "" for the whole. `errors` lists every (pointer,
    message) if several inputs are wrong.
    """

    def __init__(self, message: Said, field: str = "", errors: tuple[Fault, ...] = ()):
        super().__init__(message)
        self.message = message
        self.field = field
        self.errors = errors or ((field, message),)

    def __str__(self) -> str:
        return str(self.message)

    def below(self, at: str) -> Self:
        """Return the refusal with its pointers below `at`, for input that is part of something larger."""
        return self.repointed(lambda field: at + field)

    def repointed(self, where: Callable[[str], str]) -> Self:
        """Return the refusal with each pointer mapped by `where`; itself if nothing changes."""
        errors = tuple((where(field), message) for field, message in self.errors)
        return self if errors == self.errors else type(self)(self.message, where(self.field), errors)


class InvalidInput(Refusal):
    """The input is wrong (HTTP 400). A page shows the message beside the field."""


class IllegalCommand(Refusal):
    """The input is well formed but not legal in this state (HTTP 409)."""


class StaleProposal(IllegalCommand):
    """What the user confirmed no longer matches what would happen (HTTP 412)."""


class NotYet(IllegalCommand):
    """Too early (HTTP 429): legal in about `wait` seconds."""

    def __init__(self, message: Said, field: str = "", errors: tuple[Fault, ...] = (), *, wait: float = 5):
        super().__init__(message, field, errors)
        self.wait = wait


def require(condition: object, template: Term, *, field: str = "", **params: object) -> None:
    """Raise `IllegalCommand` unless the condition on the state holds."""
    if not condition:
        raise IllegalCommand(say(template, **params) if params else template, field)


def demand(condition: object, template: Term, *, field: str = "", **params: object) -> None:
    """Raise `InvalidInput` unless the condition on the input holds."""
    if not condition:
        raise InvalidInput(say(template, **params) if params else template, field)


def refuse(template: Term, *, field: str = "", **params: object) -> NoReturn:
    raise IllegalCommand(Message(template, params), field)
