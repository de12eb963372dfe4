"""Cache of pairs of armies that differ only in rating, morale and hit points.

Offense and Defense start from the rating, morale checks from morale (PF-1.5, PF-3.1). So the margins and bonuses of two
similar battles differ only by that. If anything else uses a rating, it is part of the cache key. Battles that name an
army or contain orders are not cached.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from functools import cache
from typing import Any
from weakref import WeakKeyDictionary

from rules.pathfinder.battle.state.battle_state import ArmyInBattle, BattleState, Opening
from rules.pathfinder.catalogue.effects import Modifier, own_value
from rules.pathfinder.forecast.exact.supported import NotUnderstood
from rules.pathfinder.forecast.exact.transitions import Course, Sight, Turn, courses, settled, sights
from rules.pathfinder.forecast.standing import lasting_orders
from rules.pathfinder.rulebook import Rulebook

MOST_READ = 4096


@dataclass(frozen=True, slots=True)
class _Read:
    """Figures of two armies by turn, with their ratings and morale. None: not supported."""

    sights: list[Sight] | None
    ratings: tuple[int, int]
    morale: tuple[int, int]

    def courses(self, armies: tuple[ArmyInBattle, ArmyInBattle]) -> list[Course]:
        """Return the courses of two other armies of the same key. Raises `NotUnderstood`."""
        if self.sights is None:
            raise NotUnderstood("as its like")
        better = armies[0].acr - self.ratings[0] - armies[1].acr + self.ratings[1]
        bolder, other = (army.morale - morale for army, morale in zip(armies, self.morale, strict=True))
        turns: list[Turn] = [(one.facing(-better, bolder), two.facing(better, other)) for one, two in self.sights]
        return [Course(1.0, settled(turns))]


_READ: WeakKeyDictionary[Rulebook, dict[object, _Read]] = WeakKeyDictionary()


class Likenesses:
    """Courses of many battles. What is known of an army is looked up once."""

    def __init__(self) -> None:
        self._armies: dict[int, tuple[ArmyInBattle, str, bool]] = {}

    def courses(self, battle: BattleState) -> list[Course]:
        """Return the same as `turns.courses` without parting shots, for a battle of two armies, but faster."""
        one, two = battle.on_field()
        if not self._shared(battle, (one, two)):
            return courses(battle, lasting_orders(battle), parting=False)
        known = _READ.setdefault(battle.law, {})
        key = self._key(battle, (one, two))
        found = known.get(key)
        if found is None:
            if len(known) >= MOST_READ:
                known.clear()
            found = known[key] = _read(battle, one, two)
        return found.courses((one, two))

    @staticmethod
    def _shared(battle: BattleState, armies: Iterable[ArmyInBattle]) -> bool:
        """Whether the battle can share a cache entry: nothing names an army, no army bears marks, and nothing was
        ordered.
        """
        if len(battle.armies) > 2 or battle.orders or battle.forts or battle.ambushed:
            return False
        if any(held.armies or held.exempt for held in battle.conditions):
            return False
        if any(army.marks or army.gained or army.lost or army.spent for army in armies):
            return False
        return not names_an_army(battle.opening)

    def _key(self, battle: BattleState, armies: tuple[ArmyInBattle, ArmyInBattle]) -> object:
        one, two = armies
        (_one, kin, rated), (_two, other, also_rated) = self._known(one), self._known(two)
        if rated or also_rated or any(map(_may_read_rating, _of_the_field(battle))):
            kin, other = f"{one.acr} {kin}", f"{two.acr} {other}"
        faced = one.target == two.id, two.target == one.id
        field = battle.conditions and repr(battle.conditions)
        return kin, other, faced, battle.phase, battle.phases, battle.fired, field

    def _known(self, army: ArmyInBattle) -> tuple[ArmyInBattle, str, bool]:
        held = self._armies.get(id(army))
        if held is None:
            held = self._armies[id(army)] = army, kin_of(army), any(map(_may_read_rating, _of_the_army(army)))
        return held


def names_an_army(opening: Opening) -> bool:
    return bool(
        opening.overcomes or opening.sees_invisible or opening.cannot_leave or opening.engines_shoot
        or opening.magical or opening.ambushes
    )  # fmt: skip


NAMES = frozenset({"id", "name"})
UNREAD = {
    "unit": frozenset({"name", "cr", "hit_die", "level", "speed_m"}),
    "mount": frozenset({"name", "cr", "speed_m"}),
    "commander": NAMES,
    "": frozenset({*NAMES, "unit", "mount", "commander", "count", "tactics", "hp", "morale", "status", "kingdom"}),
}
"""Fields of a spec that figures do not read except through rating and morale. Known tactics matter
only through orders.
"""


def kin_of(army: ArmyInBattle) -> str:
    """Return a key of everything that gives an army figures except rating and morale. Equal keys have equal figures."""
    spec = army.spec
    made_of = _told(spec, UNREAD[""]), *[_told(getattr(spec, part), UNREAD[part]) for part in UNREAD if part]
    stance = army.tactic, army.strategy, army.target is None, army.adjustments, army.engines, army.melees
    return repr((made_of, stance, army.lost_hp, army.last_loss, army.attacked))


def _told(spec: Any, unread: frozenset[str]) -> tuple[object, ...] | None:
    """Return the values of the fields that figures read."""
    return None if spec is None else tuple([getattr(spec, name) for name in _read_fields(spec.__class__, unread)])


@cache
def _read_fields(kind: type, unread: frozenset[str]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind) if field.name not in unread)


def _of_the_army(army: ArmyInBattle) -> Iterator[Modifier]:
    return (effect.modifier for effects in army.profile.effects.values() for effect in effects)


def _of_the_field(battle: BattleState) -> Iterator[Modifier]:
    """Yield modifiers of the battle's conditions and of its armies' tactics."""
    law = battle.law
    for held in battle.conditions:
        if held.condition in law.conditions:
            yield from law.conditions[held.condition].modifiers
    for army in battle.armies.values():
        if army.tactic != "standard":
            yield from law.tactics[army.tactic].modifiers


def _may_read_rating(modifier: Modifier) -> bool:
    return callable(modifier.value) and modifier.value is not own_value


def _read(battle: BattleState, one: ArmyInBattle, two: ArmyInBattle) -> _Read:
    ratings, morale = (one.acr, two.acr), (one.morale, two.morale)
    try:
        ((_weight, turns),) = sights(battle, {}, parting=False)
    except NotUnderstood:
        return _Read(None, ratings, morale)
    return _Read(turns, ratings, morale)
