"""Typed values: what was typed into a field, as a document says it. Nothing is judged here."""

from __future__ import annotations

from core.shapes.typed import read_typed_whole as read_typed_whole
