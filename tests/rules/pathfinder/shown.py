"""Which test shows which item of the catalogues changing something.

`@shows("ability:fear")` marks a test whose assertion would fail if the item did nothing;
tests/rules/pathfinder/test_coverage.py fails for an item no test shows.
"""

from __future__ import annotations

from collections.abc import Callable

SHOWN: dict[str, list[str]] = {}


def shows[F: Callable[..., object]](*items: str) -> Callable[[F], F]:
    def mark(test: F) -> F:
        for item in items:
            SHOWN.setdefault(item, []).append(f"{test.__module__}.{test.__name__}")
        return test

    return mark
