"""Going on to another page, with htmx and without."""

from __future__ import annotations

from kingdom.pages import go

__all__ = ["go"]
