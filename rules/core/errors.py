"""Refusals, in the player's words."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn, Self

from rules.core.text import Message, Said, Term, say

type Fault = tuple[str, Said]
"""What is wrong with an input, by the JSON pointer to it."""


def pointer(at: str, member: object) -> str:
    """The JSON pointer to a member of what stands at this one (RFC 6901)."""
    return f"{at}/{str(member).replace('~', '~0').replace('/', '~1')}"


class Refusal(Exception):
    """Something asked for is not possible. Nothing has changed.

    `field` is a JSON pointer to the input at fault ("/unit/cr"), or "" for the whole.
    `errors` lists every (pointer, message) when several inputs are at fault at once.
    """

    def __init__(self, message: Said, field: str = "", errors: tuple[Fault, ...] = ()):
        super().__init__(message)
        self.message = message
        self.field = field
        self.errors = errors or ((field, message),)

    def __str__(self) -> str:
        return str(self.message)

    def below(self, at: str) -> Self:
        """The same of input that stands at this pointer of something larger."""
        return self.repointed(lambda field: at + field)

    def repointed(self, where: Callable[[str], str]) -> Self:
        """The same, each pointer as the input has it; itself where that changes none."""
        errors = tuple((where(field), message) for field, message in self.errors)
        return self if errors == self.errors else type(self)(self.message, where(self.field), errors)


class InvalidInput(Refusal):
    """The input itself is wrong (HTTP 400; a page shows the message beside the field)."""


class IllegalCommand(Refusal):
    """The input is well formed but not legal in this state (HTTP 409)."""


class StaleProposal(IllegalCommand):
    """What was shown is not what would happen now (HTTP 412)."""


class NotYet(IllegalCommand):
    """It will be legal, but not yet: in `wait` seconds, or a little later (HTTP 429)."""

    def __init__(self, message: Said, field: str = "", errors: tuple[Fault, ...] = (), *, wait: float = 5):
        super().__init__(message, field, errors)
        self.wait = wait


def require(condition: object, template: Term, *, field: str = "", **params: object) -> None:
    """Guard on state: raise `IllegalCommand` unless the condition holds."""
    if not condition:
        raise IllegalCommand(say(template, **params) if params else template, field)


def demand(condition: object, template: Term, *, field: str = "", **params: object) -> None:
    """Guard on input: raise `InvalidInput` unless the condition holds."""
    if not condition:
        raise InvalidInput(say(template, **params) if params else template, field)


def refuse(template: Term, *, field: str = "", **params: object) -> NoReturn:
    raise IllegalCommand(Message(template, params), field)
