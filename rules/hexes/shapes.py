"""Hexes in declared shapes: a place is sent and read as its label, "C7"."""

from __future__ import annotations

from typing import Annotated

from rules.core.shapes import Spelled
from rules.hexes.geometry import Hex, hex_at, label_of

type HexLabel = Annotated[Hex, Spelled(hex_at, label_of)]
