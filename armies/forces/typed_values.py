"""What was typed into a field, as a law's document says it. Nothing is judged here."""

from __future__ import annotations

from core.shapes.typed import typed_whole as typed_whole
