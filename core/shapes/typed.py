"""Values as people type them, for a document's reader. Nothing is judged here."""

from __future__ import annotations

from typing import Any

from core.clean_input import parse_whole


def read_typed_whole(text: str) -> Any:
    """A typed whole number as a number, nothing as None; anything else as it is, for the law to refuse."""
    text = text.strip().replace("−", "-")
    number = parse_whole(text.removeprefix("-").removeprefix("+"))
    return text or None if number is None else -number if text.startswith("-") else number
