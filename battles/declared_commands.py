"""Readers and API shapes of the commands and openings that a ruleset declares."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

from rest_framework import serializers

from battles.codec.requests import Members, read_answer
from core.api.serializers import Input, title_of
from core.shapes.serializers import ApiShapes, WordOrNumberField
from rules import registry
from rules.battle_law import AnswerCommand, Settling, Shapes, Team
from rules.core.shapes import DeclaredShape, commands_of, members_of, options_of, shape_of

if TYPE_CHECKING:
    from rest_framework.serializers import Serializer

    from battles.ruleset_ui import Reader

ANSWER = "answer"
OF_THE_FRAME = ("reinforce",)
"""Commands that the frame reads itself, since what they name is in the database."""


def declared_commands(family: str) -> Mapping[str, DeclaredShape]:
    """Shapes of the commands that may be sent to battles of this ruleset family, by type. Empty for an unknown
    family.
    """
    shapes = _shapes_of(family)
    return {} if shapes is None else _commands(shapes)


@cache
def _commands(shapes: Shapes) -> Mapping[str, DeclaredShape]:
    ours = (*members_of(Settling), AnswerCommand)
    frame = [cls for cls in members_of(shapes.command) if cls.__name__.lower() in OF_THE_FRAME]
    return commands_of(shapes.command, shapes.called, without=(*ours, *frame)).shapes


def asks_back(family: str) -> bool:
    """Whether commands of this family leave questions pending, whose answers the frame then reads."""
    shapes = _shapes_of(family)
    return shapes is not None and AnswerCommand in members_of(shapes.command)


def declared_options(family: str) -> DeclaredShape:
    """Shape of an opening's options, without its sides: the marked fields of the ruleset's opening class."""
    shapes = _shapes_of(family)
    return options_of(shapes.opening if shapes else None)


def reader_of(shape: DeclaredShape) -> Reader:
    """A reader that makes the command of this shape from the members of a request."""

    def read(members: Members, sides: tuple[str, ...]) -> Any:
        body = {name: members.raw(name) for name in shape.members}
        return shape.read_document(body, members.at, {"sides": sides})

    return read


@cache
def api_shapes_of(family: str) -> ApiShapes:
    return ApiShapes(title_of(family))


def _shapes_of(family: str) -> Shapes | None:
    return next((law.battle.shapes for law in registry.RULESETS.values() if law.family == family), None)


@dataclass(frozen=True)
class PlainOpeningRequest:
    """Opening as a request gave it: its sides, and its other options by field name. `opening` makes the ruleset's
    opening once the armies are loaded.
    """

    sides: tuple[Any, ...]
    opening: Callable[..., Any]
    options: Mapping[str, Any] = field(default_factory=dict)

    def with_armies(self, documents: Mapping[str, Any]) -> Any:
        return self.opening(self.sides, documents, **self.options)


class PlainInput(Input):
    """No members but those of every ruleset."""


class AnswerInput(Input):
    """The answer to a pending question, for rulesets that ask back."""

    key = serializers.CharField(help_text="of the question")
    choice = serializers.CharField(required=False, help_text="the slug of an option, where there are any")
    answers = serializers.DictField(
        child=WordOrNumberField(allow_null=True), required=False, help_text="by the key of what is asked"
    )


class DeclaredCommands:
    """Mixin of a `BattleUI`: everything that follows from the shapes its ruleset declares."""

    family: str
    opening: Callable[..., Any]
    side: ClassVar[type] = Team
    """The declared class of a side, with at least `name` and `armies`."""

    @property
    def api_shapes(self) -> ApiShapes:
        """Names of the declared shapes in the OpenAPI document."""
        return api_shapes_of(self.family)

    @property
    def commands(self) -> Mapping[str, DeclaredShape]:
        """Shapes of the commands, by type."""
        return declared_commands(self.family)

    @property
    def options(self) -> DeclaredShape:
        """Shape of an opening's options, without its sides."""
        return declared_options(self.family)

    @property
    def readers(self) -> Mapping[str, Reader]:
        found = {kind: reader_of(shape) for kind, shape in self.commands.items()}
        return {**found, ANSWER: read_answer} if asks_back(self.family) else found

    @property
    def command_members(self) -> Mapping[str, type[Input]]:
        found = {kind: self.api_shapes.of(shape) for kind, shape in self.commands.items()}
        return {**found, ANSWER: AnswerInput} if asks_back(self.family) else found

    @property
    def opening_members(self) -> type[Serializer]:
        named = f"{title_of(self.family)}Opening"
        return self.api_shapes.of(self.options, named) if self.options.fields else PlainInput

    def read_opening(self, data: Mapping[str, Any]) -> PlainOpeningRequest:
        sides = Members(data).each("sides", shape_of(self.side).read_document)
        rest = {name: value for name, value in data.items() if name != "sides"}
        known = {"sides": tuple(side.name for side in sides)}
        options = self.options.read_document(rest, "", known)
        return PlainOpeningRequest(sides, self.opening, options)
