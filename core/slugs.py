"""Slugs made of names, so that two names that only look alike never share one.

Names of other alphabets leave nothing or little in a slug: each that comes to the same is counted.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import count

from core.text_search import fold_name

LONGEST = 80


class Slugs:
    """The slugs that things of a kind bear, each with the name of its thing."""

    def __init__(self, called: Mapping[str, str]):
        self._names: dict[str, str] = {}
        self._borne: defaultdict[str, set[str]] = defaultdict(set)
        for slug, name in called.items():
            self.take(slug, name)

    def take(self, slug: str, name: str) -> None:
        """From now on the thing of this name bears it."""
        if slug in self._names:
            self._borne[self._names[slug]].discard(slug)
        self._names[slug] = fold_name(name)
        self._borne[fold_name(name)].add(slug)

    def of(self, stem: str, name: str) -> str:
        """That of the thing called so, where it is made of this stem; else one that is free."""
        of_stem = re.compile(rf"{re.escape(stem)}(-\d+)?")
        own = sorted(filter(of_stem.fullmatch, self._borne.get(fold_name(name), ())))
        return own[0] if own else self.free(stem)

    def free(self, stem: str) -> str:
        """The first of this stem that nothing bears."""
        return next(slug for slug in number_slugs(stem) if slug not in self._names)


def number_slugs(stem: str) -> Iterator[str]:
    """The slugs that may be made of this stem, without end: itself, then with a number, none longer than it may be."""
    yield stem
    for number in count(2):
        end = f"-{number}"
        yield f"{stem[: LONGEST - len(end)]}{end}"
