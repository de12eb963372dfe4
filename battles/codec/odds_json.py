"""Odds as JSON data for the results of jobs, and back."""

from __future__ import annotations

from typing import Any

from battles.codec.storage import build_converter
from core import text
from rules.core.odds import Odds, OddsTable, PlayedSlice
from rules.core.text import Said
from rules.odds.hindsight import Weighed
from rules.odds.questions import Pairing

_converter = build_converter()
_converter.register_unstructure_hook(Said | str, text.dump_said)
_converter.register_structure_hook(Said | str, lambda data, _type: text.load_said(data))


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
