"""Kinds of places (BP-8)."""

from __future__ import annotations

from rules.breaking_point.spec import FORTIFICATIONS


def test_places_are_as_the_table_has_them():
    rows = [(kind.slug, kind.least, kind.most, kind.factor, kind.defense, kind.against_shots)
            for kind in FORTIFICATIONS.values()]  # fmt: skip
    assert rows == [
        ("entrenchment", 5, 50, 1, 5, True), ("fort", 50, 500, 2, 5, False), ("fortress", 500, None, 3, 10, False),
    ]  # fmt: skip
