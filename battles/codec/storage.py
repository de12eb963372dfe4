"""How openings, commands, dice and events are kept as JSON: lossless, and the same for the same value.

Commands and events carry their class name under "is". Every field is written out, defaults too:
what is stored must not change its meaning when a default does.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cattrs import Converter
from cattrs.cols import is_namedtuple, namedtuple_dict_structure_factory, namedtuple_dict_unstructure_factory
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override
from cattrs.strategies import configure_tagged_union

from kingdom import text
from rules.dice import Roll
from rules.pathfinder.battle.commands import Command
from rules.pathfinder.battle.events import Event
from rules.pathfinder.battle.state import Opening, Order
from rules.text import Message, Said, Term

TAG = "is"


def _converter() -> Converter:
    converter = Converter(forbid_extra_keys=False)
    converter.register_unstructure_hook_factory(is_namedtuple, namedtuple_dict_unstructure_factory)
    converter.register_structure_hook_factory(is_namedtuple, namedtuple_dict_structure_factory)
    _words(converter)
    _scalars(converter)
    _orders(converter)
    configure_tagged_union(Event, converter, tag_name=TAG)
    configure_tagged_union(Command, converter, tag_name=TAG)
    return converter


def _words(converter: Converter) -> None:
    """Terms and messages, wherever a label stands."""
    for kind in (Term, Message, Said):
        converter.register_unstructure_hook(kind, text.to_json)
        converter.register_structure_hook(kind, lambda data, _type: text.from_json(data))


def _scalars(converter: Converter) -> None:
    """JSON keeps text, numbers and null apart by itself: a speed of 9 stays 9."""
    converter.register_structure_hook(float, lambda value, _type: value)
    plain = (float | None, object, str | int | None)
    converter.register_structure_hook_func(lambda kind: kind in plain, lambda value, _type: value)


def _orders(converter: Converter) -> None:
    """An order that says nothing of the target has no "target" (its marker is no text a database keeps)."""
    untold = override(omit_if_default=True)
    converter.register_unstructure_hook(Order, make_dict_unstructure_fn(Order, converter, target=untold))
    converter.register_structure_hook(Order, make_dict_structure_fn(Order, converter))


_storage = _converter()


def dump_opening(opening: Opening) -> dict[str, Any]:
    return _storage.unstructure(opening)


def load_opening(data: Any) -> Opening:
    return _storage.structure(data, Opening)


def dump_command(command: Command) -> dict[str, Any]:
    return _storage.unstructure(command, unstructure_as=Command)


def load_command(data: Any) -> Command:
    command: Command = _storage.structure(data, Command)  # type: ignore[arg-type]
    return command


def dump_events(events: Iterable[Event]) -> list[dict[str, Any]]:
    return [_storage.unstructure(event, unstructure_as=Event) for event in events]


def load_events(data: Iterable[Any]) -> tuple[Event, ...]:
    return tuple(_storage.structure(item, Event) for item in data)  # type: ignore[arg-type]


def dump_dice(rolls: Iterable[Roll]) -> list[dict[str, Any]]:
    return [_storage.unstructure(roll) for roll in rolls]


def load_dice(data: Iterable[Any]) -> tuple[Roll, ...]:
    return tuple(_storage.structure(item, Roll) for item in data)
