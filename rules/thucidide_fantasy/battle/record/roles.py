"""Roles of characters: leader, hero, caster, by the figures the GM gives them (TF-8, T-48)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.thucidide_fantasy.contingent import USUAL_MELEE
from rules.thucidide_fantasy.figures import Tables, rate_of
from rules.thucidide_fantasy.spec import CASTER, HERO, INFANTRY, LEADER, MEDIUM, CharacterFigures
from rules.thucidide_fantasy.starter import HERO_FASTER, ISOLATED_MOVE, WEIGHTS

OF_ROLES = frozenset({"rank", "level", "resistance", "points"})
"""What makes a character a leader, a hero, a caster."""
USUAL_LEVEL = "normal"


def edited_person(own: CharacterFigures, fields: Mapping[str, Any]) -> CharacterFigures:
    """A character with these figures. With resistance they are a hero, without none; with points they cast; with a rank
    they lead (TF-8, T-48).
    """
    given: dict[str, Any] = {name: value or "" if name == "rank" else value for name, value in fields.items()}
    now = own._replace(**given)
    if "resistance" in fields and bool(now.resistance) != own.hero:
        now = _hero(now, fields) if now.resistance else _no_hero(now)
    kind = LEADER if now.rank else HERO if now.hero else CASTER if now.casts else now.kind
    level = now.level or USUAL_LEVEL if now.rank else ""
    return now._replace(kind=kind, level=level) if OF_ROLES & fields.keys() else now


def _hero(own: CharacterFigures, given: Mapping[str, Any]) -> CharacterFigures:
    """With the usual figures of a hero, as far as others weren't given (TF-8)."""
    rate = rate_of(INFANTRY, MEDIUM, Tables())
    usual: dict[str, Any] = {"weight": WEIGHTS[MEDIUM].level, "melee": USUAL_MELEE, "move": rate.move + HERO_FASTER,
             "calm": rate.calm + HERO_FASTER}  # fmt: skip
    return own._replace(hero=True, **{name: figure for name, figure in usual.items() if name not in given})


def _no_hero(own: CharacterFigures) -> CharacterFigures:
    return own._replace(
        hero=False, weight=0, mounted=False, melee=0, shot=0, range=0, move=ISOLATED_MOVE, calm=ISOLATED_MOVE
    )
