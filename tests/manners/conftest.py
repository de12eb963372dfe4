"""A table where every kind of thing exists once."""

from __future__ import annotations

from types import SimpleNamespace

from tests.battles.conftest import demonstration  # noqa: F401 - fixtures
from tests.manners.doors import settle
from tests.worlds import built_once


@built_once
def table(db) -> SimpleNamespace:
    return settle()
