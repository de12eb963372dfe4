"""Registry of laws by slug. Nothing else lists laws.

The settings name them (`LAWS`) and the application registers them as it starts, in that order; a program without
settings registers what it needs itself.
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
_last: dict[tuple[int, str], tuple[Law, Law]] = {}  # laws and what house rules make of them, the last asked for last
_lock = Lock()


def register(*laws: Law) -> None:
    """From now on campaigns may be played by these laws."""
    for law in laws:
        RULESETS[law.slug] = law


def register_all(paths: Iterable[str]) -> None:
    """Take in laws by their place ("package.module.NAME"). Raises ImportError or AttributeError for one not there."""
    for path in paths:
        module, _dot, name = path.rpartition(".")
        register(getattr(import_module(module), name))


def ruleset(slug: str, house: Mapping[str, Any] | None = None) -> Law:
    """The law with a campaign's house rules. Raises InvalidInput for an unknown slug."""
    demand(slug in RULESETS, _("Ruleset “{slug}” not found."), field="/ruleset", slug=slug)
    law = RULESETS[slug]
    return _housed(law, house) if house else law


def _housed(law: Law, house: Mapping[str, Any]) -> Law:
    """The law with these house rules: the same object for the same ones, as long as it is among the last asked for."""
    key = (id(law), dumps(house, sort_keys=True, default=dict))
    with _lock:
        found = _last.pop(key, None) or (law, law.with_house(house))
        _last[key] = found
        if len(_last) > MOST_HOUSED:
            del _last[next(iter(_last))]
    return found[1]


def family_of(slug: str) -> str:
    """The family of the law of this slug: whose faces show it. Raises KeyError for an unknown one."""
    return RULESETS[slug].family
