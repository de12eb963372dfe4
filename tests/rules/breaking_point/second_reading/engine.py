"""The door to the engine: its law of battles under the house rules of a campaign."""

from __future__ import annotations

from typing import Any

from rules.breaking_point.spec import House


def law_of(house: House) -> Any:
    raise NotImplementedError(house)
