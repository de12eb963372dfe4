"""Storage of openings, commands, dice, events and odds as JSON: lossless, and the same for the same value."""

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
from rules.core.odds import Odds, OddsTable, PlayedSlice
from rules.core.text import Message, Said, Term, UnitName
from rules.hexes.geometry import Hex, hex_at, label_of
from rules.law import BattleLaw, Figures, Remark, Shapes, Veiled
from rules.odds.tasks import Pairing
from rules.odds.viewer_forecast import Weighed

# Storage of openings, commands, dice and events as JSON: lossless, and the same for the same value.
#
# Commands and events have their class name under "is". Every field is written, defaults too, so that a changed default
# does not change what is stored. A hex is stored as its label ("C7"), as a value and as a key. Rulesets declare their
# types (`rules.law.Shapes`); nothing here knows one of them.

TAG = "is"
FRACTION = re.compile(r"-?[0-9]+(/[0-9]+)?")


class Keeper:
    """Reads and writes the values of one ruleset's battles."""

    def __init__(self, shapes: Shapes, *, exact: bool = False):
        """`exact`: refuses values of the wrong JSON type with `TypeError`, for data of archives."""
        self._shapes = shapes
        self._converter = build_converter(exact=exact)
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


def get_keeper(engine: BattleLaw, *, exact: bool = False) -> Keeper:
    """The cached keeper for this ruleset's shapes."""
    return _keeper(engine.shapes, exact)


def build_converter(*, exact: bool = False) -> Converter:
    """Converter of cattrs for the rules' types. `exact`: as in `Keeper`."""
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
    """Hooks for terms, messages and names. Openings of former versions have names that are plain text."""
    for kind in (Term, Message, Said, Said | str):
        converter.register_unstructure_hook(kind, text.dump_said)
        converter.register_structure_hook(kind, lambda data, _type: text.load_said(data))


def _scalars(converter: Converter) -> None:
    """Hooks for scalars. JSON keeps text, numbers and null apart, so an int stays an int in a field of type float."""
    converter.register_structure_hook(float, lambda value, _type: value)
    converter.register_structure_hook_func(lambda kind: kind is Veiled, lambda value, _type: int(value))  # never None
    converter.register_unstructure_hook(Fraction, str)  # exact: "1/4"
    converter.register_structure_hook(Fraction, lambda value, _type: _fraction(value))
    plain = (float | None, object, str | int | None)
    converter.register_structure_hook_func(lambda kind: kind in plain, lambda value, _type: value)


def _hexes(converter: Converter) -> None:
    """Hooks for hexes: their label ("C7"), as a value and as a key of a mapping."""
    converter.register_unstructure_hook(Hex, label_of)
    converter.register_structure_hook(Hex, lambda label, _type: hex_at(label))


def _fraction(value: Any) -> Fraction:
    """A fraction as `str` writes it. Raises ValueError for anything else: "1e-9999999" would take hours."""
    if not FRACTION.fullmatch(str(value)):
        raise ValueError(f"no fraction: {str(value)[:20]}")
    return Fraction(value)


def _demand_kinds(converter: Converter) -> None:
    kinds: dict[Any, set[type]] = {int: {int}, str: {str}, bool: {bool}, float: {int, float}}
    for kind, allowed in kinds.items():
        converter.register_structure_hook(kind, partial(_of_kind, allowed))
    converter.register_structure_hook(Said | str, _name)
    perhaps = partial(_of_kind, {int, float, type(None)})
    converter.register_structure_hook_func(lambda asked: asked == float | None, perhaps)


def _of_kind(allowed: Set[type], value: Any, _type: Any) -> Any:
    if type(value) not in allowed or value in (inf, -inf):
        raise TypeError(f"{value!r:.40} is no {' or '.join(sorted(kind.__name__ for kind in allowed))}.")
    return value


def _name(data: Any, _type: Any) -> UnitName:
    """A name of an archive: text, or words with every parameter of their template. Raises errors for anything else."""
    if not isinstance(data["say"] if isinstance(data, Mapping) else data, str):
        raise TypeError(f"{data!r:.40} is no name.")
    name: UnitName = text.load_said(data)
    str(name)
    return name


def _leave_out(converter: Converter, kind: type, fields: Iterable[str]) -> None:
    """Hook that omits these fields while they have their default, which may be text that the database cannot store."""
    untold: Any = dict.fromkeys(fields, override(omit_if_default=True))
    if is_namedtuple(kind):
        converter.register_unstructure_hook(kind, namedtuple_dict_unstructure_factory(kind, converter, **untold))
        return
    converter.register_unstructure_hook(kind, make_dict_unstructure_fn(kind, converter, **untold))
    converter.register_structure_hook(kind, make_dict_structure_fn(kind, converter))


_plain_json = build_converter()


def dump_figures(figures: Figures) -> dict[str, dict[str, list[Any]]]:
    """Figures as JSON: their lines only, since totals are the sums of their lines."""
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


# Odds as JSON data for the results of jobs, and back.

_converter = build_converter()


def dump_plain(answer: Any) -> Any:
    """JSON data of an answer made of dataclasses, numbers and messages."""
    return _converter.unstructure(answer)


def load_odds(data: Any) -> Odds | None:
    return None if data is None else _converter.structure(data, Odds)


def load_pairing(data: Any) -> Pairing:
    return _converter.structure(data, Pairing)


def load_slice(data: Any) -> PlayedSlice | None:
    return None if data is None else _converter.structure(data, PlayedSlice)


def load_table(data: Any) -> OddsTable | None:
    return None if data is None else _converter.structure(data, OddsTable)


# Luck as JSON data, and back.


_of_luck, _exactly = build_converter(), build_converter(exact=True)


def dump_weighed(found: Weighed | None) -> Any:
    return _of_luck.unstructure(found)


def load_weighed(data: Any) -> Weighed | None:
    return None if data is None else _of_luck.structure(data, Weighed)


def demand_weighed(data: Any) -> None:
    """Checks that archived data is a `Weighed` or None. Raises the errors of cattrs."""
    if data is not None:
        _exactly.structure(data, Weighed)
