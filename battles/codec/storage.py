"""Storage of openings, commands, dice and events as JSON: lossless, and the same for the same value.

Commands and events carry their class name under "is". Every field is written out, defaults too:
what is stored must not change its meaning when a default does. A law says which types it is made of
(`rules.law.Shapes`); nothing here knows one of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Set
from fractions import Fraction
from functools import cache, partial
from math import inf
from typing import Any

from cattrs import Converter
from cattrs.cols import is_namedtuple, namedtuple_dict_structure_factory, namedtuple_dict_unstructure_factory
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override
from cattrs.strategies import configure_tagged_union

from core import text
from rules.core.breakdown import Breakdown, Line
from rules.core.dice import Roll
from rules.core.text import Message, Said, Term
from rules.hexes.geometry import Hex, hex_at, label_of
from rules.law import BattleLaw, Figures, Remark, Shapes, Veiled

TAG = "is"
FRACTION = re.compile(r"-?[0-9]+(/[0-9]+)?")


class Keeper:
    """Reads and writes what the battles of one law are made of."""

    def __init__(self, shapes: Shapes, *, exact: bool = False):
        """`exact`: every word, number and yes or no is demanded to be one (`TypeError`), for what others wrote down."""
        self._shapes = shapes
        self._converter = plain_converter(exact=exact)
        for kind, fields in shapes.untold.items():
            _leave_out(self._converter, kind, fields)
        for union in (shapes.event, shapes.command):
            configure_tagged_union(union, self._converter, tag_name=TAG)

    def dump_opening(self, opening: Any) -> dict[str, Any]:
        return self._converter.unstructure(opening)

    def load_opening(self, data: Any) -> Any:
        return self._converter.structure(data, self._shapes.opening)

    def dump_frozen(self, frozen: Any) -> dict[str, Any]:
        return self._converter.unstructure(frozen)

    def load_frozen(self, data: Any) -> Any:
        return self._converter.structure(data, self._shapes.frozen)

    def dump_command(self, command: Any) -> dict[str, Any]:
        return self._converter.unstructure(command, unstructure_as=self._shapes.command)

    def load_command(self, data: Any) -> Any:
        return self._converter.structure(data, self._shapes.command)

    def dump_events(self, events: Iterable[Any]) -> list[dict[str, Any]]:
        return [self._converter.unstructure(event, unstructure_as=self._shapes.event) for event in events]

    def load_events(self, data: Iterable[Any]) -> tuple[Any, ...]:
        return tuple(self._converter.structure(item, self._shapes.event) for item in data)


@cache
def _keeper(name: Shapes, exact: bool) -> Keeper:
    return Keeper(name, exact=exact)


def keeper_of(engine: BattleLaw, *, exact: bool = False) -> Keeper:
    """The keeper for the shapes of this law, made once."""
    return _keeper(engine.shapes, exact)


def plain_converter(*, exact: bool = False) -> Converter:
    """`exact`: as `Keeper` has it."""
    converter = Converter(forbid_extra_keys=False, unstruct_collection_overrides={Set: sorted})
    converter.register_unstructure_hook_factory(is_namedtuple, namedtuple_dict_unstructure_factory)
    converter.register_structure_hook_factory(is_namedtuple, namedtuple_dict_structure_factory)
    _words(converter)
    _scalars(converter)
    _hexes(converter)
    if exact:
        _demand_kinds(converter)
    return converter


def _words(converter: Converter) -> None:
    """Terms and messages, wherever a label stands."""
    for kind in (Term, Message, Said):
        converter.register_unstructure_hook(kind, text.to_json)
        converter.register_structure_hook(kind, lambda data, _type: text.from_json(data))


def _scalars(converter: Converter) -> None:
    """JSON keeps text, numbers and null apart by itself: a speed of 9 stays 9."""
    converter.register_structure_hook(float, lambda value, _type: value)
    converter.register_structure_hook_func(lambda kind: kind is Veiled, lambda value, _type: int(value))  # never None
    converter.register_unstructure_hook(Fraction, str)  # exact: "1/4"
    converter.register_structure_hook(Fraction, lambda value, _type: _fraction(value))
    plain = (float | None, object, str | int | None)
    converter.register_structure_hook_func(lambda kind: kind in plain, lambda value, _type: value)


def _hexes(converter: Converter) -> None:
    """A hex is its label ("C7"), as a value and as a key of a mapping."""
    converter.register_unstructure_hook(Hex, label_of)
    converter.register_structure_hook(Hex, lambda label, _type: hex_at(label))


def _fraction(value: Any) -> Fraction:
    """As `str` writes it. Raises ValueError for all else: "1e-9999999" would be reckoned for hours."""
    if not FRACTION.fullmatch(str(value)):
        raise ValueError(f"no fraction: {str(value)[:20]}")
    return Fraction(value)


def _demand_kinds(converter: Converter) -> None:
    kinds: dict[Any, set[type]] = {int: {int}, str: {str}, bool: {bool}, float: {int, float}}
    for kind, allowed in kinds.items():
        converter.register_structure_hook(kind, partial(_of_kind, allowed))
    perhaps = partial(_of_kind, {int, float, type(None)})
    converter.register_structure_hook_func(lambda asked: asked == float | None, perhaps)


def _of_kind(allowed: Set[type], value: Any, _type: Any) -> Any:
    if type(value) not in allowed or value in (inf, -inf):
        raise TypeError(f"{value!r:.40} is no {' or '.join(sorted(kind.__name__ for kind in allowed))}.")
    return value


def _leave_out(converter: Converter, kind: type, fields: Iterable[str]) -> None:
    """These fields are not written while they keep their default (it may be no text a database keeps)."""
    untold: Any = dict.fromkeys(fields, override(omit_if_default=True))
    if is_namedtuple(kind):
        converter.register_unstructure_hook(kind, namedtuple_dict_unstructure_factory(kind, converter, **untold))
        return
    converter.register_unstructure_hook(kind, make_dict_unstructure_fn(kind, converter, **untold))
    converter.register_structure_hook(kind, make_dict_structure_fn(kind, converter))


_plain_json = plain_converter()


def dump_figures(figures: Figures) -> dict[str, dict[str, list[Any]]]:
    """Lines of every figure; the totals are their sums."""
    return {
        army: {name: [_plain_json.unstructure(line) for line in found.lines] for name, found in own.items()}
        for army, own in figures.items()
    }


def load_figures(data: Mapping[str, Any]) -> Figures:
    return {
        army: {
            name: Breakdown(tuple(_plain_json.structure(line, Line) for line in lines)) for name, lines in own.items()
        }
        for army, own in data.items()
    }


def dump_dice(rolls: Iterable[Roll]) -> list[dict[str, Any]]:
    return [_plain_json.unstructure(roll) for roll in rolls]


def load_dice(data: Iterable[Any]) -> tuple[Roll, ...]:
    return tuple(_plain_json.structure(item, Roll) for item in data)


def dump_remarks(remarks: Iterable[Remark]) -> list[dict[str, Any]]:
    return [_plain_json.unstructure(remark) for remark in remarks]


def load_remarks(data: Iterable[Any]) -> tuple[Remark, ...]:
    return tuple(_plain_json.structure(item, Remark) for item in data)
