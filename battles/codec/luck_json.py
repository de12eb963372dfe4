"""Luck as plain data and back."""

from __future__ import annotations

from typing import Any

from battles.codec.storage import build_converter
from rules.odds.hindsight import Weighed

_converter, _exactly = build_converter(), build_converter(exact=True)


def dump_weighed(found: Weighed | None) -> Any:
    return _converter.unstructure(found)


def load_weighed(data: Any) -> Weighed | None:
    return None if data is None else _converter.structure(data, Weighed)


def demand_weighed(data: Any) -> None:
    """What others wrote down is such. Raises what structuring it raises."""
    if data is not None:
        _exactly.structure(data, Weighed)
