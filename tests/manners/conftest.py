"""A table where every kind of thing exists once."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from django.http import Http404

from kingdom.onboarding import checklist
from tests.battles.conftest import demonstration  # noqa: F401 - fixtures
from tests.manners.doors import settle
from tests.worlds import built_once


@built_once
def table(db) -> SimpleNamespace:
    return settle()


@pytest.fixture
def no_demo(monkeypatch: pytest.MonkeyPatch) -> None:
    """One takes seconds to make."""

    def none_today(**_given: object) -> None:
        raise Http404

    monkeypatch.setattr(checklist, "load", none_today)
