"""Names are sorted as people count: the 2nd before the 10th, wherever a list is put in order."""

from __future__ import annotations

import re

from config.ops.data_directory import BASE_DIR
from config.translation import PACKAGES

BARE = re.compile(
    r"""(order_by|ordering\s*=)\s*\(?[^)\n]*(?<!Natural\()["'](-?\w*name)["']|key=lambda[^:]*:[^\n]*casefold\(\)"""
)


def test_no_list_is_sorted_by_the_letters_of_its_names():
    """`kingdom.models.base` sorts them, in the database and in Python."""
    found = [
        f"{path.relative_to(BASE_DIR)}: {line.strip()}"
        for package in PACKAGES
        for path in (BASE_DIR / package).rglob("*.py")
        if "migrations" not in path.parts
        for line in path.read_text().splitlines()
        if BARE.search(line)
    ]
    assert found == []


def test_the_search_for_them_sees_what_it_looks_for():
    assert BARE.search('rows.order_by("name", "id")')
    assert BARE.search('ordering = ("-username",)')
    assert BARE.search("sorted(found, key=lambda one: one.name.casefold())")
    assert not BARE.search('rows.order_by(Natural("kingdom__name"), Natural("name"), "id")')
