"""Registry of laws by slug, the only list of laws. The application registers those named in the settings (`LAWS`) at
start, in that order. A program without settings calls `register` itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from json import dumps
from threading import Lock
from typing import Any

from rules.core.errors import demand
from rules.core.text import _
from rules.law import Law

RULESETS: dict[str, Law] = {}
MOST_HOUSED = 32
_last: dict[tuple[int, str], tuple[Law, Law]] = {}  # laws with house rules applied, least recently used first
_lock = Lock()


def register(*laws: Law) -> None:
    """Add laws, so that campaigns can be played by them."""
    for law in laws:
        RULESETS[law.slug] = law


def register_all(paths: Iterable[str]) -> None:
    """Import and register laws given as "package.module.NAME". Raises ImportError or AttributeError
    for a missing one.
    """
    for path in paths:
        module, _dot, name = path.rpartition(".")
        register(getattr(import_module(module), name))


def ruleset(slug: str, house: Mapping[str, Any] | None = None) -> Law:
    """Return the law with a campaign's house rules. Raises `InvalidInput` for an unknown slug."""
    demand(slug in RULESETS, _("Ruleset “{slug}” not found."), field="/ruleset", slug=slug)
    law = RULESETS[slug]
    return _housed(law, house) if house else law


def _housed(law: Law, house: Mapping[str, Any]) -> Law:
    """Return the law with these house rules from an LRU cache: equal rules give the same object."""
    key = (id(law), dumps(house, sort_keys=True, default=dict))
    with _lock:
        found = _last.pop(key, None) or (law, law.with_house(house))
        _last[key] = found
        if len(_last) > MOST_HOUSED:
            del _last[next(iter(_last))]
    return found[1]


def family_of(slug: str) -> str:
    """Return the family of a law: whose pages show it. Raises KeyError for an unknown slug."""
    return RULESETS[slug].family
