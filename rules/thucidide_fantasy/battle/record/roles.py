"""Roles of characters (leader, hero, caster) that follow from figures the GM sets (TF-8, T-48), and their events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.entering import with_one_general
from rules.thucidide_fantasy.battle.record.state import FantasyState, by_side
from rules.thucidide_fantasy.contingent import USUAL_MELEE
from rules.thucidide_fantasy.figures import Tables, rate_of
from rules.thucidide_fantasy.spec import CASTER, GENERAL, HERO, INFANTRY, LEADER, MEDIUM, CharacterFigures
from rules.thucidide_fantasy.starter import HERO_FASTER, ISOLATED_MOVE, WEIGHTS

OF_ROLES = frozenset({"rank", "level", "resistance", "points"})
"""The figures that decide a character's roles."""
USUAL_LEVEL = "normal"


def edited_person(own: CharacterFigures, fields: Mapping[str, Any]) -> CharacterFigures:
    """The character with these figures. With resistance they are a hero, with spell points a caster, with a rank a
    leader (TF-8, T-48).
    """
    given: dict[str, Any] = {name: value or "" if name == "rank" else value for name, value in fields.items()}
    now = own._replace(**given)
    if "resistance" in fields and bool(now.resistance) != own.hero:
        now = _hero(now, fields) if now.resistance else _no_hero(now)
    kind = LEADER if now.rank else HERO if now.hero else CASTER if now.casts else now.kind
    level = now.level or USUAL_LEVEL if now.rank else ""
    return now._replace(kind=kind, level=level) if OF_ROLES & fields.keys() else now


def _hero(own: CharacterFigures, given: Mapping[str, Any]) -> CharacterFigures:
    """The character as a hero, with usual figures where none were given (TF-8)."""
    rate = rate_of(INFANTRY, MEDIUM, Tables())
    usual: dict[str, Any] = {"weight": WEIGHTS[MEDIUM].level, "melee": USUAL_MELEE, "move": rate.move + HERO_FASTER,
             "calm": rate.calm + HERO_FASTER}  # fmt: skip
    return own._replace(hero=True, **{name: figure for name, figure in usual.items() if name not in given})


def _no_hero(own: CharacterFigures) -> CharacterFigures:
    return own._replace(
        hero=False, weight=0, mounted=False, melee=0, shot=0, range=0, move=ISOLATED_MOVE, calm=ISOLATED_MOVE
    )


# Events


ROLES_IN_PLAY = OF_ROLES - {"points"}
"""Roles that can change in play. Spell points are excluded: there they mean the points left."""


def give_role(state: FantasyState, unit: str, name: str, value: Any) -> FantasyState:
    """The state with a role of a character changed; resistance already lost stays lost."""
    before = state.people[unit]
    own = edited_person(before.own, {name: value})
    left = max(1, own.resistance - (before.start - before.left)) if own.resistance else 0
    rank = own.rank if name == "rank" else before.rank
    now = state.with_person(unit, own=own, start=own.resistance, left=left, rank=rank)
    return _with_rank(now, unit, before.rank)


def name_general(state: FantasyState, event: e.GeneralNamed) -> FantasyState:
    generals = by_side(state.generals, event.side, event.unit)
    return state.but(generals=generals, people=with_one_general(state.people, generals))


def edit_unit(state: FantasyState, event: e.UnitEdited) -> FantasyState:
    figures, person = event.figures, event.person
    if figures is not None:
        return state.with_unit(event.unit, own=figures, stands=figures.stands, start=figures.stands)
    if person is None:
        return state
    before = state.people[event.unit]
    rank = before.rank if person.rank == before.own.rank else person.rank
    now = state.with_person(
        event.unit, own=person, left=person.resistance, start=person.resistance, rank=rank, points=person.points,
    )  # fmt: skip
    spells = state.options.spells
    if sum(spells[slug].cost for slug in before.cards if slug in spells) > person.points:
        now = now.with_person(event.unit, cards=(), chosen=False)
    return _with_rank(now, event.unit, before.rank)


def _with_rank(state: FantasyState, edited: str, before: str) -> FantasyState:
    """The state with its generals updated after a change of rank: the old general if still possible, else another."""
    if state.people[edited].rank == before:
        return state
    side = state.side_of(edited)
    able = [one for one, own in state.people.items() if state.side_of(one) == side and own.own.rank == GENERAL]
    known = state.generals[side]
    general = known if known in able else next(iter(able), "")
    return name_general(state, e.GeneralNamed(general, side))
